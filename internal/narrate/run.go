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
	// Now is the virtual time in ms at the head; time goes on after the last step.
	Now int64
	// Earlier says that the trace is a prefix: that there is no Dump does not mean
	// that there is no state.
	Earlier bool
}

// RunOf is the run of a world at its head.
func RunOf(w *world.World) Run {
	r := Run{Trace: w.Trace(), Logs: w.Logs(), Now: w.Now()}
	if j := w.Job(); j != nil {
		r.Spec, r.Dump = j.Spec, w.Dump()
	}
	return r
}

// RunAt is the run of a world as it was at a step.
func RunAt(w *world.World, seq int) Run {
	if seq >= w.Trace().Len() {
		return RunOf(w)
	}
	r := Run{Trace: w.Trace().Prefix(seq), Earlier: true}
	if j := w.Job(); j != nil {
		r.Spec = j.Spec
	}
	return r
}
