package script

import "math"

var verbSeed = &Verb{
	Name: "seed", Class: World, Usage: "seed N",
	Args:  []Arg{{Kind: ArgNumber}},
	parse: func(l *line) Command { return Seed{Value: uint64(l.integer(ArgNumber, 0, math.MaxInt64))} },
}

// Seed chooses the seed. It stands at the head of a list and is carried out by
// whoever makes the world.
type Seed struct {
	command
	Value uint64
}
