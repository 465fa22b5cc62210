package eventtime

import (
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// A WindowAssigner says to which windows a record belongs (EV-5). It mirrors
// Flink's class of that name. One assigner belongs to one subtask.
type WindowAssigner interface {
	// Assign appends the windows of a record to dst, in Flink's order. now is
	// the processing time in ms; only a NATURAL stagger reads it. An error is a
	// *sim.Exception (the task fails) or a *sim.BoundError.
	Assign(dst []state.Namespace, r *operator.Record, now int64) ([]state.Namespace, error)
	// Merging reports whether windows of a key that meet become one (sessions).
	Merging() bool
}
