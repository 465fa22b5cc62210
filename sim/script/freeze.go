package script

import "streaminglab/sim/world"

var verbFreeze = &Verb{
	Name: "freeze", Class: World, Usage: "freeze TASKMANAGER DURATION",
	Args: []Arg{{Kind: ArgTaskManager}, {Kind: ArgDuration}},
	parse: func(l *line) Command {
		c := Freeze{TaskManager: l.word(ArgTaskManager).text}
		w := l.word(ArgDuration)
		c.Duration = l.durationOf(w.text, w.col)
		return c
	},
}

// Freeze lets a TaskManager do nothing for a time.
type Freeze struct {
	command
	TaskManager string
	// Duration is in ms.
	Duration int64
}

// Apply implements WorldCommand.
func (c Freeze) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Freeze(text, c.TaskManager, c.Duration)
}
