package script

import "streaminglab/sim/world"

var verbSlow = &Verb{
	Name: "slow", Class: World, Usage: "slow SOURCE[/SPLIT] DURATION-PER-RECORD|off",
	Args: []Arg{{Kind: ArgTarget}, {Kind: ArgDuration, Words: []string{"off"}}},
	parse: func(l *line) Command {
		c := Slow{Target: l.target(false)}
		if l.peek() == "off" {
			l.word(ArgDuration)
			return c
		}
		w := l.word(ArgDuration)
		if c.PerRecord = l.durationOf(w.text, w.col); c.PerRecord == 0 {
			l.fail(w.col, "script.negative", "Value", w.text)
		}
		return c
	},
}

// Slow makes each record of splits take a time; 0 ends that.
type Slow struct {
	command
	Target world.Target
	// PerRecord is in ms.
	PerRecord int64
}

// Apply implements WorldCommand.
func (c Slow) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Slow(text, c.Target, c.PerRecord)
}
