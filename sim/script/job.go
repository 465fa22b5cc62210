package script

import "streaminglab/sim/world"

var verbJob = &Verb{
	Name: "job", Class: World, Usage: "job FILE [as NAME]",
	Args: []Arg{{Kind: ArgFile}, {Kind: ArgWord, Words: []string{"as"}, Optional: true}, {Kind: ArgName, Optional: true}},
	parse: func(l *line) Command {
		c := Job{File: l.word(ArgFile).text}
		if l.more() {
			l.oneOf("as")
			c.Beside = l.word(ArgName).text
		}
		return c
	},
}

// Job starts the job of a file: that of the experiment, or one beside it.
type Job struct {
	command
	File string
	// Beside is the name of a job beside that of the experiment; empty: it is that.
	Beside string
}

// Apply implements WorldCommand.
func (c Job) Apply(w *world.World, text world.Command, _ Times) error {
	if c.Beside != "" {
		return w.StartBeside(text, c.File, c.Beside)
	}
	return w.Start(text, c.File)
}
