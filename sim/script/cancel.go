package script

import "streaminglab/sim/world"

var verbCancel = &Verb{
	Name: "cancel", Class: World, Usage: "cancel",
	parse: func(*line) Command { return Cancel{} },
}

// Cancel ends the job without a savepoint.
type Cancel struct{ command }

// Apply implements WorldCommand.
func (Cancel) Apply(w *world.World, text world.Command, _ Times) error { return w.Cancel(text) }
