package eventtime

import (
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// MaxWindowNum is the largest size/slide that Flink 2.2 takes (FLINK-37512).
const MaxWindowNum = 10_000_000

// SlidingEventTimeWindows puts a record into every window of fixed size that
// covers it (EV-5.3). It mirrors Flink's class of that name.
type SlidingEventTimeWindows struct {
	size, slide, offset int64
	bound               int
}

// NewSlidingEventTimeWindows checks as Flink does. bound is the largest number
// of windows for one record; 0: none but Flink's own.
func NewSlidingEventTimeWindows(size, slide, offset int64, bound int) (*SlidingEventTimeWindows, error) {
	if abs(offset) >= slide || size <= 0 {
		return nil, illegalArgument("SlidingEventTimeWindows parameters must satisfy abs(offset) < slide and size > 0")
	}
	if slide == 0 {
		// Only an offset of MIN gets a slide of 0 past the check.
		return nil, exception("java.lang.ArithmeticException", "/ by zero")
	}
	if size/slide > MaxWindowNum {
		return nil, illegalArgument(fmt.Sprintf("SlidingEventTimeWindows parameters must satisfy size / slide <= %d", MaxWindowNum))
	}
	return &SlidingEventTimeWindows{size: size, slide: slide, offset: offset, bound: bound}, nil
}

// Assign implements WindowAssigner: the latest window first. Without a bound,
// a record so early that start wraps around below MIN would be put into
// windows until Flink's memory ends; here that ends after more windows than
// any record can have.
func (a *SlidingEventTimeWindows) Assign(dst []state.Namespace, r *operator.Record, _ int64) ([]state.Namespace, error) {
	if err := checkTimestamp(r.TS); err != nil {
		return dst, err
	}
	first := len(dst)
	lower := r.TS - a.size
	for start := WindowStart(r.TS, a.offset, a.slide); start > lower; start -= a.slide {
		switch n := len(dst) - first; {
		case a.bound > 0 && n == a.bound:
			return dst, &sim.BoundError{Bound: "windows", Limit: int64(a.bound)}
		case n > MaxWindowNum:
			return dst, exception("java.lang.OutOfMemoryError", "Java heap space")
		}
		dst = append(dst, state.Namespace{Start: start, End: start + a.size})
	}
	return dst, nil
}

// Merging implements WindowAssigner.
func (a *SlidingEventTimeWindows) Merging() bool { return false }
