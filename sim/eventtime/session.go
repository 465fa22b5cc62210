package eventtime

import (
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// EventTimeSessionWindows starts a session that ends a gap after the record;
// sessions that touch become one (EV-5.4). It mirrors Flink's class of that
// name. A record without a timestamp is not refused.
type EventTimeSessionWindows struct{ gap int64 }

// NewEventTimeSessionWindows checks as Flink does.
func NewEventTimeSessionWindows(gap int64) (*EventTimeSessionWindows, error) {
	if gap <= 0 {
		return nil, illegalArgument("EventTimeSessionWindows parameters must satisfy 0 < size")
	}
	return &EventTimeSessionWindows{gap: gap}, nil
}

// Assign implements WindowAssigner.
func (a *EventTimeSessionWindows) Assign(dst []state.Namespace, r *operator.Record, _ int64) ([]state.Namespace, error) {
	return append(dst, state.Namespace{Start: r.TS, End: r.TS + a.gap}), nil
}

// Merging implements WindowAssigner.
func (a *EventTimeSessionWindows) Merging() bool { return true }

// DynamicEventTimeSessionWindows takes the gap from the record (EV-5.4). It
// mirrors Flink's class of that name.
type DynamicEventTimeSessionWindows struct{}

// Assign implements WindowAssigner.
func (DynamicEventTimeSessionWindows) Assign(dst []state.Namespace, r *operator.Record, _ int64) ([]state.Namespace, error) {
	if r.Gap <= 0 {
		return dst, by("EV-5.4", illegalArgument("Dynamic session time gap must satisfy 0 < gap"))
	}
	return append(dst, state.Namespace{Start: r.TS, End: r.TS + r.Gap}), nil
}

// Merging implements WindowAssigner.
func (DynamicEventTimeSessionWindows) Merging() bool { return true }
