package script

import "streaminglab/sim/world"

var expireWords = []string{"transaction", "id", "producers"}

var verbExpire = &Verb{
	Name: "expire", Class: World, Usage: "expire transaction TRANSACTIONAL_ID | id TRANSACTIONAL_ID | producers",
	Args: []Arg{{Kind: ArgWord, Words: expireWords}, {Kind: ArgTransactionalID, Optional: true}},
	parse: func(l *line) Command {
		c := Expire{What: l.oneOf(expireWords...)}
		if c.What != "producers" {
			c.ID = l.word(ArgTransactionalID).text
		}
		return c
	},
}

// Expire lets time pass until the broker forgets something.
type Expire struct {
	command
	// What is transaction, id or producers.
	What, ID string
}

// Apply implements WorldCommand.
func (c Expire) Apply(w *world.World, text world.Command, _ Times) error {
	switch c.What {
	case "transaction":
		return w.ExpireTransaction(text, c.ID)
	case "id":
		return w.ExpireID(text, c.ID)
	}
	return w.ExpireProducers(text)
}
