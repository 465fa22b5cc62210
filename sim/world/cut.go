package world

import (
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// A cut is something that can be cut off and healed.
type cut struct {
	name string
	// is reports whether it is cut off; cut and heal change that.
	is        func(*World) bool
	cut, heal func(*World)
}

// cuts are all of them, by name.
var cuts = []cut{
	{
		"coordinator", func(w *World) bool { return w.broker.CoordinatorIsAway() },
		func(w *World) { w.broker.CoordinatorAway() }, func(w *World) { w.broker.CoordinatorBack() },
	},
	{
		"markers", func(w *World) bool { return w.broker.MarkersHeld() },
		func(w *World) { w.broker.HoldMarkers() }, func(w *World) { w.broker.ReleaseMarkers() },
	},
}

// CutTargets are what cut and heal can name.
func CutTargets() (out []string) {
	for _, c := range cuts {
		out = append(out, c.name)
	}
	return out
}

// Cut cuts something off, or heals it.
func (w *World) Cut(text Command, target string, heal bool) error {
	i := slices.IndexFunc(cuts, func(c cut) bool { return c.name == target })
	if i < 0 {
		return sim.NewProblem("script.unknown-word", "Word", target, "Known", strings.Join(CutTargets(), ", "), "Nearest", Nearest(target, CutTargets()))
	}
	c := cuts[i]
	switch is := c.is(w); {
	case is && !heal:
		return sim.NewProblem("world.cut", "Name", target)
	case !is && heal:
		return sim.NewProblem("world.not-cut", "Name", target)
	}
	step := w.kernel.Command(string(text))
	w.broker.From(kafka.Client{Name: adminPlace, Cause: step})
	if heal {
		c.heal(w)
	} else {
		c.cut(w)
	}
	return w.settle()
}
