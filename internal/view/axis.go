package view

import "math"

// An Axis maps values to cells: the first value stands in the first cell.
type Axis struct {
	Low, Step int64 // value of the first cell, values for each cell
	Cells     int
}

// steps of time that people read: 1, 2, 5 of ms, then of seconds, minutes, hours.
var niceSteps = func() []int64 {
	var out []int64
	for _, unit := range []int64{1, 10, 100, 1000, 10_000} {
		for _, n := range []int64{1, 2, 5} {
			out = append(out, n*unit)
		}
	}
	for _, s := range []int64{60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400} {
		out = append(out, s*1000)
	}
	return out
}()

// NewAxis fits a range into cells and starts at a round value.
func NewAxis(low, high int64, cells int) Axis {
	cells = max(cells, 2)
	span := uint64(high) - uint64(low)
	step := int64(1)
	// The smallest number of ms for each cell that fits the range.
	need := int64(min(span/uint64(cells-1)+1, math.MaxInt64/4))
	step = max(step, need)
	tick := Nice(step * 8)
	from := floorTo(low, tick)
	if span := uint64(high) - uint64(from); span/uint64(cells-1)+1 > uint64(step) {
		step = int64(min(span/uint64(cells-1)+1, math.MaxInt64/4))
	}
	return Axis{Low: from, Step: step, Cells: cells}
}

// Nice is the smallest round step that is at least n.
func Nice(n int64) int64 {
	for _, s := range niceSteps {
		if s >= n {
			return s
		}
	}
	day := int64(86_400_000)
	return (n + day - 1) / day * day
}

func floorTo(v, step int64) int64 {
	r := v % step
	if r < 0 {
		r += step
	}
	return v - r
}

// Cell is where a value stands; inside is false when it is off the axis.
func (a Axis) Cell(v int64) (cell int, inside bool) {
	if v < a.Low {
		return 0, false
	}
	c := (uint64(v) - uint64(a.Low)) / uint64(a.Step)
	if c >= uint64(a.Cells) {
		return a.Cells - 1, false
	}
	return int(c), true
}

// Ticks are round values that are at least gap cells apart.
func (a Axis) Ticks(gap int) []int64 {
	step := Nice(a.Step * int64(gap))
	var out []int64
	for v := floorTo(a.Low+step-1, step); ; v += step {
		if _, ok := a.Cell(v); !ok {
			return out
		}
		if out = append(out, v); len(out) > a.Cells {
			return out
		}
	}
}
