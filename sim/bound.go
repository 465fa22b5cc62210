package sim

import "fmt"

// Bounds limit everything that a script can grow, so that no input makes a
// run endless or larger than the machine. Zero means: the default.
type Bounds struct {
	// Steps is the largest number of steps of a trace.
	Steps int
	// Records is the largest number of records in all logs.
	Records int
	// Windows is the largest number of windows that one record may belong to.
	Windows int
	// Entries is the largest number of state cells and timers of one subtask.
	Entries int
	// Time is the largest virtual time in ms.
	Time int64
	// Actions is the largest number of actions of one command.
	Actions int
}

// DefaultBounds are large enough for every lesson and small enough for a
// laptop: a run at any of them ends within seconds.
var DefaultBounds = Bounds{
	Steps:   200_000,
	Records: 100_000,
	Windows: 1_000,
	Entries: 300_000,
	Time:    10 * 365 * 24 * 3600 * 1000,
	Actions: 2_000_000,
}

// A BoundError says which bound a script met.
type BoundError struct {
	// Bound is the name of the field of Bounds, in lower case.
	Bound string
	// Limit is its value.
	Limit int64
}

func (e *BoundError) Error() string {
	return fmt.Sprintf("bound %q reached: %d", e.Bound, e.Limit)
}
