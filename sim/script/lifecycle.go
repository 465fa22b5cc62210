package script

import "streaminglab/sim/world"

var verbLifecycle = &Verb{
	Name: "lifecycle", Class: World, Usage: "lifecycle PREFIX AGE|off",
	Args: []Arg{{Kind: ArgPrefix}, {Kind: ArgDuration, Words: []string{"off"}}},
	parse: func(l *line) Command {
		c := Lifecycle{Prefix: l.word(ArgPrefix).text}
		if l.peek() == "off" {
			l.word(ArgDuration)
			return c
		}
		w := l.word(ArgDuration)
		if c.Age = l.durationOf(w.text, w.col); c.Age == 0 {
			l.fail(w.col, "script.negative", "Value", w.text)
		}
		return c
	},
}

// Lifecycle makes the store delete objects of an age, whoever needs them.
type Lifecycle struct {
	command
	Prefix string
	// Age is in ms; 0 ends the rule.
	Age int64
}

// Apply implements WorldCommand.
func (c Lifecycle) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Lifecycle(text, c.Prefix, c.Age)
}
