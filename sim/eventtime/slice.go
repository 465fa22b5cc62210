package eventtime

import "fmt"

// A SliceAssigner cuts time into slices so that windows which share rows keep
// each row once (EV-7.2). It mirrors Flink's SliceAssigners. All times are
// those of the window's time zone, read as if it were UTC; a window and a
// slice are named by their end.
type SliceAssigner interface {
	// AssignSliceEnd is the slice of a timestamp.
	AssignSliceEnd(timestamp int64) int64
	// LastWindowEnd is the last window that the slice belongs to.
	LastWindowEnd(sliceEnd int64) int64
	// WindowStart is the start of a window.
	WindowStart(windowEnd int64) int64
	// ExpiredSlices appends the slices that nobody needs after the window
	// fired.
	ExpiredSlices(dst []int64, windowEnd int64) []int64
	// SliceEndInterval is the distance of slice ends.
	SliceEndInterval() int64
	// Shared says that a slice may belong to several windows; then MergeSlices
	// and NextTriggerWindow apply.
	Shared() bool
	// MergeSlices says which slices make up a window: those appended to dst
	// are merged into slice into, or, if keep is false, into a value that is
	// kept nowhere.
	MergeSlices(dst []int64, windowEnd int64) (slices []int64, into int64, keep bool)
	// NextTriggerWindow is the window whose timer to set when one fired. empty
	// says whether the fired window had no rows.
	NextTriggerWindow(windowEnd int64, empty bool) (next int64, ok bool)
	// String is Flink's description.
	fmt.Stringer
}

// TumblingSliceAssigner: the slice is the window. It mirrors
// SliceAssigners.TumblingSliceAssigner.
type TumblingSliceAssigner struct{ size, offset int64 }

// NewTumblingSliceAssigner checks as Flink does.
func NewTumblingSliceAssigner(size, offset int64) (*TumblingSliceAssigner, error) {
	if size <= 0 {
		return nil, illegalArgument(fmt.Sprintf("Tumbling Window parameters must satisfy size > 0, but got size %dms.", size))
	}
	if abs(offset) >= size {
		// The typing error is Flink's.
		return nil, illegalArgument(fmt.Sprintf(
			"Tumbling Window parameters must satisfy abs(offset) < size, bot got size %dms and offset %dms.", size, offset))
	}
	return &TumblingSliceAssigner{size: size, offset: offset}, nil
}

// AssignSliceEnd implements SliceAssigner.
func (a *TumblingSliceAssigner) AssignSliceEnd(timestamp int64) int64 {
	return WindowStart(timestamp, a.offset, a.size) + a.size
}

// LastWindowEnd implements SliceAssigner.
func (a *TumblingSliceAssigner) LastWindowEnd(sliceEnd int64) int64 { return sliceEnd }

// WindowStart implements SliceAssigner.
func (a *TumblingSliceAssigner) WindowStart(windowEnd int64) int64 { return windowEnd - a.size }

// ExpiredSlices implements SliceAssigner.
func (a *TumblingSliceAssigner) ExpiredSlices(dst []int64, windowEnd int64) []int64 {
	return append(dst, windowEnd)
}

// SliceEndInterval implements SliceAssigner.
func (a *TumblingSliceAssigner) SliceEndInterval() int64 { return a.size }

// Shared implements SliceAssigner.
func (a *TumblingSliceAssigner) Shared() bool { return false }

// MergeSlices implements SliceAssigner: there is only the slice itself.
func (a *TumblingSliceAssigner) MergeSlices(dst []int64, windowEnd int64) ([]int64, int64, bool) {
	return dst, windowEnd, true
}

// NextTriggerWindow implements SliceAssigner.
func (a *TumblingSliceAssigner) NextTriggerWindow(int64, bool) (int64, bool) { return 0, false }

func (a *TumblingSliceAssigner) String() string {
	return fmt.Sprintf("TumblingWindow(size=%dms, offset=%dms)", a.size, a.offset)
}

// HoppingSliceAssigner: a window is made of size/slide slices. It mirrors
// SliceAssigners.HoppingSliceAssigner.
type HoppingSliceAssigner struct{ size, slide, offset int64 }

// NewHoppingSliceAssigner checks as Flink does; the offset is unchecked.
func NewHoppingSliceAssigner(size, slide, offset int64) (*HoppingSliceAssigner, error) {
	if size <= 0 || slide <= 0 {
		return nil, illegalArgument(fmt.Sprintf(
			"Hopping Window must satisfy slide > 0 and size > 0, but got slide %dms and size %dms.", slide, size))
	}
	if size%slide != 0 {
		return nil, illegalArgument(fmt.Sprintf(
			"Slicing Hopping Window requires size must be an integral multiple of slide, but got size %dms and slide %dms.", size, slide))
	}
	if n := size / slide; n > 1<<31-1 {
		return nil, illegalArgument(fmt.Sprintf("Cannot downcast long value %d to integer.", n))
	}
	return &HoppingSliceAssigner{size: size, slide: slide, offset: offset}, nil
}

// AssignSliceEnd implements SliceAssigner. A slice is as long as the slide,
// which is the greatest common divisor of size and slide.
func (a *HoppingSliceAssigner) AssignSliceEnd(timestamp int64) int64 {
	return WindowStart(timestamp, a.offset, a.slide) + a.slide
}

// LastWindowEnd implements SliceAssigner.
func (a *HoppingSliceAssigner) LastWindowEnd(sliceEnd int64) int64 {
	return sliceEnd - a.slide + a.size
}

// WindowStart implements SliceAssigner.
func (a *HoppingSliceAssigner) WindowStart(windowEnd int64) int64 { return windowEnd - a.size }

// ExpiredSlices implements SliceAssigner: the first slice of the window.
func (a *HoppingSliceAssigner) ExpiredSlices(dst []int64, windowEnd int64) []int64 {
	return append(dst, a.WindowStart(windowEnd)+a.slide)
}

// SliceEndInterval implements SliceAssigner.
func (a *HoppingSliceAssigner) SliceEndInterval() int64 { return a.slide }

// Shared implements SliceAssigner.
func (a *HoppingSliceAssigner) Shared() bool { return true }

// MergeSlices implements SliceAssigner: the latest slice first.
func (a *HoppingSliceAssigner) MergeSlices(dst []int64, windowEnd int64) ([]int64, int64, bool) {
	end := windowEnd
	for range a.size / a.slide {
		dst = append(dst, end)
		end -= a.slide
	}
	return dst, 0, false
}

// NextTriggerWindow implements SliceAssigner: it goes on only while there are
// rows.
func (a *HoppingSliceAssigner) NextTriggerWindow(windowEnd int64, empty bool) (int64, bool) {
	return windowEnd + a.slide, !empty
}

func (a *HoppingSliceAssigner) String() string {
	return fmt.Sprintf("HoppingWindow(size=%dms, slide=%dms, offset=%dms)", a.size, a.slide, a.offset)
}

// CumulativeSliceAssigner: windows of one start grow by a step up to a
// maximum, and share their first slice. It mirrors
// SliceAssigners.CumulativeSliceAssigner.
type CumulativeSliceAssigner struct{ maxSize, step, offset int64 }

// NewCumulativeSliceAssigner checks as Flink does; the offset is unchecked.
func NewCumulativeSliceAssigner(maxSize, step, offset int64) (*CumulativeSliceAssigner, error) {
	if maxSize <= 0 || step <= 0 {
		return nil, illegalArgument(fmt.Sprintf(
			"Cumulative Window parameters must satisfy maxSize > 0 and step > 0, but got maxSize %dms and step %dms.", maxSize, step))
	}
	if maxSize%step != 0 {
		return nil, illegalArgument(fmt.Sprintf(
			"Cumulative Window requires maxSize must be an integral multiple of step, but got maxSize %dms and step %dms.", maxSize, step))
	}
	return &CumulativeSliceAssigner{maxSize: maxSize, step: step, offset: offset}, nil
}

// AssignSliceEnd implements SliceAssigner.
func (a *CumulativeSliceAssigner) AssignSliceEnd(timestamp int64) int64 {
	return WindowStart(timestamp, a.offset, a.step) + a.step
}

// LastWindowEnd implements SliceAssigner.
func (a *CumulativeSliceAssigner) LastWindowEnd(sliceEnd int64) int64 {
	return a.WindowStart(sliceEnd) + a.maxSize
}

// WindowStart implements SliceAssigner.
func (a *CumulativeSliceAssigner) WindowStart(windowEnd int64) int64 {
	return WindowStart(windowEnd-1, a.offset, a.maxSize)
}

func (a *CumulativeSliceAssigner) firstSliceEnd(windowEnd int64) int64 {
	return a.WindowStart(windowEnd) + a.step
}

// ExpiredSlices implements SliceAssigner: the window's own slice, but the
// shared first slice only with the last window. Where the step is the whole
// window the first slice is the last one too, and Flink never gives it up.
func (a *CumulativeSliceAssigner) ExpiredSlices(dst []int64, windowEnd int64) []int64 {
	start := a.WindowStart(windowEnd)
	first := start + a.step
	switch windowEnd {
	case first:
		return dst
	case start + a.maxSize:
		return append(dst, windowEnd, first)
	}
	return append(dst, windowEnd)
}

// SliceEndInterval implements SliceAssigner.
func (a *CumulativeSliceAssigner) SliceEndInterval() int64 { return a.step }

// Shared implements SliceAssigner.
func (a *CumulativeSliceAssigner) Shared() bool { return true }

// MergeSlices implements SliceAssigner: the window's own slice goes into the
// first one, which so holds everything up to here.
func (a *CumulativeSliceAssigner) MergeSlices(dst []int64, windowEnd int64) ([]int64, int64, bool) {
	first := a.firstSliceEnd(windowEnd)
	if windowEnd != first {
		dst = append(dst, windowEnd)
	}
	return dst, first, true
}

// NextTriggerWindow implements SliceAssigner: it goes on to the maximum, also
// when no row came.
func (a *CumulativeSliceAssigner) NextTriggerWindow(windowEnd int64, _ bool) (int64, bool) {
	next := windowEnd + a.step
	return next, next <= a.WindowStart(windowEnd)+a.maxSize
}

func (a *CumulativeSliceAssigner) String() string {
	return fmt.Sprintf("CumulativeWindow(maxSize=%dms, step=%dms, offset=%dms)", a.maxSize, a.step, a.offset)
}
