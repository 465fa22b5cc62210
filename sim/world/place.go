package world

import (
	"slices"
	"strings"

	"streaminglab/sim"
)

// requests are what clients of a broker ask for where a message may go astray.
var requests = []string{"InitProducerId", "AddPartitionsToTxn", "Produce", "AddOffsetsToTxn", "TxnOffsetCommit", "EndTxn"}

// place refuses a place that nothing which passes a fault point can ever have: a
// fault there would wait in silence.
func (w *World) place(point, at string) error {
	name := at
	known := slices.Concat(w.vertices(), w.BesideNames())
	switch point {
	case sim.PointMarker:
		return nil // a transactional id may come later
	case sim.PointRequest, sim.PointAnswer:
		if strings.HasPrefix(at, "producer:") {
			return nil // it may be made later
		}
		for _, r := range requests {
			name = strings.TrimSuffix(name, ":"+r)
		}
		known = slices.Concat(w.vertices(), w.ProducerNames(), requests)
	case sim.PointTimestamp, sim.PointSourceRead:
		name = strings.TrimPrefix(at, "split:")
		_, splits, _ := w.NamesBeside()
		known = slices.Concat(known, w.SplitNames(), splits)
	}
	vertex := name
	if m := subtaskForm.FindStringSubmatch(name); m != nil {
		vertex = m[1]
	}
	if at == "" || slices.Contains(known, name) || slices.Contains(known, vertex) || slices.Contains(w.SourceNames(), strings.TrimSuffix(name, "/")) {
		return nil
	}
	return sim.NewProblem("world.unknown-place", "Name", at, "Point", point, "Known", strings.Join(known, ", "), "Nearest", Nearest(vertex, known))
}
