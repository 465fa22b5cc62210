package script

import (
	"strings"

	"streaminglab/sim/world"
)

var (
	verbCut  = cutting("cut", false)
	verbHeal = cutting("heal", true)
)

func cutting(name string, heal bool) *Verb {
	targets := world.CutTargets()
	return &Verb{
		Name: name, Class: World, Usage: name + " " + strings.Join(targets, "|"), Args: []Arg{{Kind: ArgWord, Words: targets}},
		parse: func(l *line) Command { return Cut{Target: l.oneOf(targets...), Heal: heal} },
	}
}

// Cut cuts something off from the rest, or heals that.
type Cut struct {
	command
	Target string
	Heal   bool
}

// Apply implements WorldCommand.
func (c Cut) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Cut(text, c.Target, c.Heal)
}
