package script

import "streaminglab/sim/world"

var verbFence = &Verb{
	Name: "fence", Class: World, Usage: "fence TRANSACTIONAL_ID…", Args: []Arg{{Kind: ArgTransactionalID}},
	forms: func([]string) []Arg { return []Arg{{Kind: ArgTransactionalID}} },
	parse: func(l *line) Command {
		c := Fence{IDs: []string{l.word(ArgTransactionalID).text}}
		for l.more() {
			c.IDs = append(c.IDs, l.word(ArgTransactionalID).text)
		}
		return c
	},
}

// Fence ends what producers with some ids have open (Admin#fenceProducers).
type Fence struct {
	command
	IDs []string
}

// Apply implements WorldCommand.
func (c Fence) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Fence(text, c.IDs)
}
