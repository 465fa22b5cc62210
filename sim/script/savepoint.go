package script

import (
	"streaminglab/sim/flink"
	"streaminglab/sim/world"
)

var savepointFormats = []string{flink.Canonical, flink.Native}

var verbSavepoint = &Verb{
	Name: "savepoint", Class: World, Usage: "savepoint [canonical|native]",
	Args: []Arg{{Kind: ArgWord, Words: savepointFormats, Optional: true}},
	parse: func(l *line) Command {
		c := Savepoint{Format: flink.Canonical}
		if l.more() {
			c.Format = l.oneOf(savepointFormats...)
		}
		return c
	},
}

// Savepoint takes a savepoint; the job goes on.
type Savepoint struct {
	command
	Format string
}

// Apply implements WorldCommand.
func (c Savepoint) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Savepoint(text, c.Format)
}
