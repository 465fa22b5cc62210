package script

import "streaminglab/sim/world"

var verbRescale = &Verb{
	Name: "rescale", Class: World, Usage: "rescale N", Args: []Arg{{Kind: ArgNumber}},
	parse: func(l *line) Command { return Rescale{Parallelism: int(l.integer(ArgNumber, 1, 1<<15))} },
}

// Rescale starts the job again with another number of subtasks.
type Rescale struct {
	command
	Parallelism int
}

// Apply implements WorldCommand.
func (c Rescale) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Rescale(text, c.Parallelism)
}
