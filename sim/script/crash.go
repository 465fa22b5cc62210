package script

import "streaminglab/sim/world"

var verbCrash = &Verb{
	Name: "crash", Class: World, Usage: "crash WHAT [at FAULTPOINT]",
	Args: []Arg{{Kind: ArgSubtask}, {Kind: ArgWord, Words: []string{"at"}, Optional: true}, {Kind: ArgFaultPoint, Optional: true}},
	parse: func(l *line) Command {
		c := Crash{What: l.word(ArgSubtask).text}
		if l.more() {
			l.oneOf("at")
			c.Point = l.word(ArgFaultPoint).text
		}
		return c
	},
}

// Crash ends a process: the JobManager, a TaskManager or that of a subtask, at
// once or at a fault point.
type Crash struct {
	command
	What, Point string
}

// Apply implements WorldCommand.
func (c Crash) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Crash(text, c.What, c.Point)
}
