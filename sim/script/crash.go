package script

import (
	"errors"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/world"
)

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
	err := w.Crash(text, c.What, c.Point)
	var p *sim.Problem
	if !errors.As(err, &p) || p.ID != "world.unknown-operator" {
		return err
	}
	// Not only what the job is made of can crash.
	known := slices.Concat([]string{jobManager}, w.TaskManagers(), w.SourceNames(), w.OperatorNames(), w.BrokerNames())
	return sim.NewProblem("world.unknown-process", "Name", c.What, "Known", strings.Join(known, ", "), "Nearest", world.Nearest(c.What, known))
}

// jobManager is how a script calls the JobManager.
const jobManager = "jobmanager"
