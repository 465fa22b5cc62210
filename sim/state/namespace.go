package state

import "fmt"

// A Namespace tells apart the cells of one key: a window [Start, End), a slice
// (its end in End), or nothing (Void).
type Namespace struct{ Start, End int64 }

// Void is the namespace of state that is not kept for each window.
var Void = Namespace{}

// Less orders by start, then by end.
func (n Namespace) Less(o Namespace) bool {
	if n.Start != o.Start {
		return n.Start < o.Start
	}
	return n.End < o.End
}

func (n Namespace) String() string {
	if n == Void {
		return "-"
	}
	return fmt.Sprintf("[%d,%d)", n.Start, n.End)
}
