package script

import (
	"streaminglab/sim"
	"streaminglab/sim/world"
)

// messages are what can be lost or late between a JobManager and a subtask.
var messages = []string{"ack", "notice"}

var verbLose = &Verb{
	Name: "lose", Class: World, Usage: "lose ack|notice WHAT",
	Args: []Arg{{Kind: ArgWord, Words: messages}, {Kind: ArgSubtask}},
	parse: func(l *line) Command {
		return Lose{Message: l.oneOf(messages...), What: l.word(ArgSubtask).text}
	},
}

// Lose makes the next acknowledgement of a subtask, or the next notice to it,
// go astray.
type Lose struct {
	command
	Message, What string
}

// Apply implements WorldCommand.
func (c Lose) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Message(text, point(c.Message), c.What, sim.FaultLose, 0)
}

// point is where a message can go wrong.
func point(message string) string {
	if message == "ack" {
		return sim.PointTaskAck
	}
	return sim.PointNotify
}
