package script

import "streaminglab/sim/world"

var verbCheckpoint = &Verb{
	Name: "checkpoint", Class: World, Usage: "checkpoint [full]",
	Args: []Arg{{Kind: ArgWord, Words: []string{"full"}, Optional: true}},
	parse: func(l *line) Command {
		if !l.more() {
			return Checkpoint{}
		}
		l.oneOf("full")
		return Checkpoint{Full: true}
	},
}

// Checkpoint asks for a checkpoint; a full one uses no file of an earlier one.
type Checkpoint struct {
	command
	Full bool
}

// Apply implements WorldCommand.
func (c Checkpoint) Apply(w *world.World, text world.Command, _ Times) error {
	if c.Full {
		return w.FullCheckpoint(text)
	}
	return w.Checkpoint(text)
}
