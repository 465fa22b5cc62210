package script

import "streaminglab/sim/world"

var verbAdvance = &Verb{
	Name: "advance", Class: World, Usage: "advance DURATION",
	Args:  []Arg{{Kind: ArgDuration}},
	parse: func(l *line) Command { return Advance{Duration: l.duration()} },
}

// Advance lets time pass.
type Advance struct {
	command
	// Duration is in ms.
	Duration int64
}

// Apply implements WorldCommand.
func (c Advance) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Advance(text, c.Duration)
}
