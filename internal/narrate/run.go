package narrate

import (
	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/world"
)

// A Run is what is looked at. The trace is enough for everything but what has
// not happened: without Spec nothing is said about triggers, without Logs
// nothing about records that wait to be read, without Dump nothing about state.
// A caller that looks at an earlier step gives the prefix of the trace and
// leaves Logs and Dump out, because both stand at the head.
type Run struct {
	Trace *sim.Trace
	Spec  *flink.Spec
	Logs  *flink.Logs
	Dump  []world.DumpRow
}

// RunOf is the run of a world at its head.
func RunOf(w *world.World) Run {
	r := Run{Trace: w.Trace(), Logs: w.Logs()}
	if j := w.Job(); j != nil {
		r.Spec, r.Dump = j.Spec, w.Dump()
	}
	return r
}
