package script

import (
	"slices"

	"streaminglab/sim/objectstore"
	"streaminglab/sim/world"
)

// operations are the words for requests to the store.
var operations = func() (out []string) {
	for _, o := range objectstore.Words {
		out = append(out, string(o))
	}
	return out
}()

func permission(name string, allowed bool) *Verb {
	return &Verb{
		Name: name, Class: World, Usage: name + " put|get|list|delete|* [PREFIX] · " + name + " read topic|group NAME [CLIENT] · " + name + " write topic|transactional-id NAME [CLIENT]",
		Args: []Arg{{Kind: ArgWord, Words: append(accessWords, operations...)}, {Kind: ArgPrefix, Words: resources, Optional: true}, {Kind: ArgName, Optional: true}, {Kind: ArgSubtask, Optional: true}},
		parse: func(l *line) Command {
			if slices.Contains(accessWords, l.peek()) {
				return l.access(allowed)
			}
			c := Permission{Allowed: allowed, Operation: objectstore.Op(l.oneOf(operations...))}
			if l.more() {
				c.Prefix = l.word(ArgPrefix).text
			}
			return c
		},
	}
}

var (
	verbDeny  = permission("deny", false)
	verbAllow = permission("allow", true)
)

// Permission takes or gives the right to requests on objects.
type Permission struct {
	command
	Allowed   bool
	Operation objectstore.Op
	// Prefix is what the names of the objects begin with; empty: all.
	Prefix string
}

// Apply implements WorldCommand.
func (c Permission) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Permission(text, c.Operation, c.Prefix, c.Allowed)
}
