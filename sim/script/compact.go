package script

import "streaminglab/sim/world"

var verbCompact = &Verb{
	Name: "compact", Class: World, Usage: "compact WHAT", Args: []Arg{{Kind: ArgSubtask}},
	parse: func(l *line) Command { return Compact{What: l.word(ArgSubtask).text} },
}

// Compact rewrites the files of an operator's state, or of one subtask.
type Compact struct {
	command
	What string
}

// Apply implements WorldCommand.
func (c Compact) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Compact(text, c.What)
}
