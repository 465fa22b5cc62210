package view

import (
	"streaminglab/internal/locale"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// Nowhere says of a lifecycle rule that nothing has its prefix, nor will; empty
// for anything else. The rule stands all the same: it may be made before the
// objects are there.
func Nowhere(loc *locale.Localizer, w *world.World, l *script.Line) string {
	c, ok := l.Command.(script.Lifecycle)
	if !ok || c.Age == 0 || w.Holds(c.Prefix) {
		return ""
	}
	return loc.Text("plain.sim.nowhere", locale.Args{"Prefix": c.Prefix})
}
