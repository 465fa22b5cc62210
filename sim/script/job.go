package script

import "streaminglab/sim/world"

var verbJob = &Verb{
	Name: "job", Class: World, Usage: "job FILE",
	Args:  []Arg{{Kind: ArgFile}},
	parse: func(l *line) Command { return Job{File: l.word(ArgFile).text} },
}

// Job starts the job of a file.
type Job struct {
	command
	File string
}

// Apply implements WorldCommand.
func (c Job) Apply(w *world.World, text world.Command, _ Times) error { return w.Start(text, c.File) }
