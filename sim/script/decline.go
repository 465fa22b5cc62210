package script

import "streaminglab/sim/world"

var verbDecline = &Verb{
	Name: "decline", Class: World, Usage: "decline WHAT", Args: []Arg{{Kind: ArgSubtask}},
	parse: func(l *line) Command { return Decline{What: l.word(ArgSubtask).text} },
}

// Decline makes a subtask decline the next checkpoint that asks it.
type Decline struct {
	command
	What string
}

// Apply implements WorldCommand.
func (c Decline) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Decline(text, c.What)
}
