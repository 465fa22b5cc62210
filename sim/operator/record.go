package operator

import (
	"streaminglab/sim"
	"streaminglab/sim/state"
)

// A Record is an element of a stream. Operators get a pointer that is valid
// during the call; whoever keeps a record copies it.
type Record struct {
	// Key is set once the stream is keyed.
	Key *state.Key
	// TS is the timestamp in ms, sim.MinTime when there is none.
	TS int64
	// Value is the number that the record carries; Word is what it carries
	// instead, when that is no number.
	Value int64
	Word  string
	// Values are the numbers of a result that lists them.
	Values []int64
	// Window is the window of a result, state.Void for all other records.
	Window state.Namespace
	// Kind is the kind of change that the record means.
	Kind RowKind
	// Name is the key as it was typed, before the stream is keyed.
	Name string
	// Event is the time inside the record that a timestamp assigner reads.
	Event    int64
	HasEvent bool
	// Gap is the session gap of this record in ms, for dynamic sessions.
	Gap int64
	// Mark makes a punctuated generator emit a watermark.
	Mark bool
	// NullExpr says that the SQL watermark expression yields NULL.
	NullExpr bool
	// Timer is the time of the timer that made a result, sim.MinTime when a
	// record did.
	Timer int64
	// Count is the number of rows behind a result.
	Count int64
	// NullSum says that the sum of a SQL result is NULL.
	NullSum bool
	// Source, Split and Offset identify the record: where it stands in a log.
	Source, Split string
	Offset        int64
	// Step is the step that sent the record here.
	Step *sim.Step
}

// RowKind is the kind of change of a row, with Flink's short strings.
type RowKind byte

// The kinds of change. The zero value is an insert.
const (
	Insert RowKind = iota
	UpdateBefore
	UpdateAfter
	Delete
)

func (k RowKind) String() string { return [...]string{"+I", "-U", "+U", "-D"}[k] }

// Retracts reports whether the row takes back what an earlier one added.
func (k RowKind) Retracts() bool { return k == UpdateBefore || k == Delete }
