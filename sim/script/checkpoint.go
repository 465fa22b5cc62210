package script

import "streaminglab/sim/world"

var verbCheckpoint = &Verb{
	Name: "checkpoint", Class: World, Usage: "checkpoint",
	parse: func(*line) Command { return Checkpoint{} },
}

// Checkpoint takes a checkpoint.
type Checkpoint struct{ command }

// Apply implements WorldCommand.
func (Checkpoint) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Checkpoint(text)
}
