package eventtime

import (
	"fmt"

	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// Stagger says by how much the windows of a subtask are shifted, so that not
// all subtasks fire at once (EV-5.2). It mirrors WindowStagger.
type Stagger string

const (
	// Aligned does not shift.
	Aligned Stagger = "ALIGNED"
	// Random shifts by a number drawn when the first record comes.
	Random Stagger = "RANDOM"
	// Natural shifts by how far processing time was into a window when the
	// first record came.
	Natural Stagger = "NATURAL"
)

// ParseStagger reads the name of a stagger; none is Aligned.
func ParseStagger(name string) (Stagger, error) {
	switch s := Stagger(name); s {
	case "":
		return Aligned, nil
	case Aligned, Random, Natural:
		return s, nil
	}
	return "", fmt.Errorf("unknown stagger %q", name)
}

// TumblingEventTimeWindows puts a record into one window of fixed size
// (EV-5.1, EV-5.2). It mirrors Flink's class of that name. The shift of the
// stagger is fixed at the first record and not saved.
type TumblingEventTimeWindows struct {
	size    int64
	offset  int64
	stagger Stagger
	draw    func(n int64) int64

	staggered     bool
	staggerOffset int64
}

// NewTumblingEventTimeWindows checks as Flink does. draw gives a number from 0
// to n-1 and is needed for Random only.
func NewTumblingEventTimeWindows(size, offset int64, stagger Stagger, draw func(n int64) int64) (*TumblingEventTimeWindows, error) {
	if abs(offset) >= size {
		return nil, illegalArgument("TumblingEventTimeWindows parameters must satisfy abs(offset) < size")
	}
	if stagger == Random && draw == nil {
		return nil, fmt.Errorf("stagger %s needs a source of random numbers", stagger)
	}
	return &TumblingEventTimeWindows{size: size, offset: offset, stagger: stagger, draw: draw}, nil
}

// Assign implements WindowAssigner.
func (a *TumblingEventTimeWindows) Assign(dst []state.Namespace, r *operator.Record, now int64) ([]state.Namespace, error) {
	if err := checkTimestamp(r.TS); err != nil {
		return dst, err
	}
	if !a.staggered {
		a.staggered = true
		a.staggerOffset = a.firstStaggerOffset(now)
	}
	if a.size == 0 {
		// Only an offset of MIN gets a size of 0 past the check.
		return dst, exception("java.lang.ArithmeticException", "/ by zero")
	}
	start := WindowStart(r.TS, (a.offset+a.staggerOffset)%a.size, a.size)
	return append(dst, state.Namespace{Start: start, End: start + a.size}), nil
}

func (a *TumblingEventTimeWindows) firstStaggerOffset(now int64) int64 {
	switch {
	case a.stagger == Random && a.size > 0:
		return a.draw(a.size)
	case a.stagger == Natural && a.size != 0:
		return max(0, now-WindowStart(now, 0, a.size))
	}
	return 0
}

// Merging implements WindowAssigner.
func (a *TumblingEventTimeWindows) Merging() bool { return false }

// StaggerOffset is the shift. ok is false before the first record.
func (a *TumblingEventTimeWindows) StaggerOffset() (ms int64, ok bool) {
	return a.staggerOffset, a.staggered
}
