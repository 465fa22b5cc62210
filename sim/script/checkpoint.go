package script

import "streaminglab/sim/world"

var verbCheckpoint = &Verb{
	Name: "checkpoint", Class: World, Usage: "checkpoint [full | NAME]",
	Args: []Arg{{Kind: ArgJob, Words: []string{"full"}, Optional: true}},
	parse: func(l *line) Command {
		switch {
		case !l.more():
			return Checkpoint{}
		case l.peek() == "full":
			l.oneOf("full")
			return Checkpoint{Full: true}
		}
		return Checkpoint{Beside: l.word(ArgJob).text}
	},
}

// Checkpoint asks for a checkpoint; a full one uses no file of an earlier one.
type Checkpoint struct {
	command
	Full bool
	// Beside is the name of a job beside that of the experiment; empty: it is that.
	Beside string
}

// Apply implements WorldCommand.
func (c Checkpoint) Apply(w *world.World, text world.Command, _ Times) error {
	if c.Beside != "" {
		return w.CheckpointBeside(text, c.Beside)
	}
	if c.Full {
		return w.FullCheckpoint(text)
	}
	return w.Checkpoint(text)
}
