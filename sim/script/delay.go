package script

import (
	"streaminglab/sim"
	"streaminglab/sim/world"
)

var verbDelay = &Verb{
	Name: "delay", Class: World, Usage: "delay ack|notice WHAT DURATION",
	Args: []Arg{{Kind: ArgWord, Words: messages}, {Kind: ArgSubtask}, {Kind: ArgDuration}},
	parse: func(l *line) Command {
		c := Delay{Message: l.oneOf(messages...), What: l.word(ArgSubtask).text}
		w := l.word(ArgDuration)
		c.Duration = l.durationOf(w.text, w.col)
		return c
	},
}

// Delay makes the next acknowledgement of a subtask, or the next notice to it,
// late.
type Delay struct {
	command
	Message, What string
	// Duration is in ms.
	Duration int64
}

// Apply implements WorldCommand.
func (c Delay) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Message(text, point(c.Message), c.What, sim.FaultDelay, c.Duration)
}
