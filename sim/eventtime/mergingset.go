package eventtime

import (
	"sort"

	"streaminglab/sim"
	"streaminglab/sim/state"
)

// mergingSet is the set of sessions in flight of one key: each window and the
// window under which its state lies (EV-5.5). It mirrors MergingWindowSet
// together with TimeWindow.mergeWindows, including which of several windows
// keeps the state: Flink takes the first that a java.util.HashSet yields.
type mergingSet []mapping

// A merge is the call that MergingWindowSet makes of its MergeFunction.
type merge struct {
	// result is the session after the merge; merged are those before it.
	result state.Namespace
	merged []state.Namespace
	// state is the window that keeps the contents; others lie under sources.
	state   state.Namespace
	sources []state.Namespace
}

func (s mergingSet) find(w state.Namespace) int {
	for i, m := range s {
		if m.Window == w {
			return i
		}
	}
	return -1
}

// stateWindow returns the window under which the state of w lies.
func (s mergingSet) stateWindow(w state.Namespace) (state.Namespace, bool) {
	if i := s.find(w); i >= 0 {
		return s[i].State, true
	}
	return state.Namespace{}, false
}

// retire removes a window.
func (s mergingSet) retire(w state.Namespace) mergingSet {
	if i := s.find(w); i >= 0 {
		return append(s[:i:i], s[i+1:]...)
	}
	return s
}

// add puts a record's own window in and returns the session that it belongs
// to, with the merge that this made, if any. replaced says that the window
// equals a session whose state lies elsewhere: that state is cut off.
func (s mergingSet) add(own state.Namespace) (out mergingSet, result state.Namespace, m *merge, replaced bool) {
	windows := make([]state.Namespace, 0, len(s)+1)
	for _, e := range s {
		windows = append(windows, e.Window)
	}
	windows = append(windows, own)
	sort.SliceStable(windows, func(i, j int) bool { return windows[i].Start < windows[j].Start })

	out, result = append(mergingSet(nil), s...), own
	mergedOwn, results := false, 0
	for i := 0; i < len(windows); {
		cover := windows[i]
		set := javaSet{}
		set.add(cover)
		j := i + 1
		for ; j < len(windows) && cover.Start <= windows[j].End && cover.End >= windows[j].Start; j++ {
			cover = state.Namespace{Start: min(cover.Start, windows[j].Start), End: max(cover.End, windows[j].End)}
			set.add(windows[j])
		}
		i = j
		// Windows that are equal are one element of the set: a record whose own
		// window equals a session merges with nothing.
		if set.len() < 2 {
			continue
		}
		results++
		merged := set.order()
		if k := indexOf(merged, own); k >= 0 {
			merged = append(merged[:k:k], merged[k+1:]...)
			mergedOwn = true
			result = cover
		}
		keep, _ := out.stateWindow(merged[0])
		var sources []state.Namespace
		for _, w := range merged {
			if sw, ok := out.stateWindow(w); ok {
				sources = append(sources, sw)
				out = out.retire(w)
			}
		}
		out = append(out, mapping{cover, keep})
		if k := indexOf(sources, keep); k >= 0 {
			sources = append(sources[:k:k], sources[k+1:]...)
		}
		if !(len(merged) == 1 && merged[0] == cover) {
			m = &merge{result: cover, merged: merged, state: keep, sources: sources}
		}
	}
	if results == 0 || (result == own && !mergedOwn) {
		if k := out.find(own); k >= 0 {
			replaced = out[k].State != own
			out[k].State = own
		} else {
			out = append(out, mapping{own, own})
		}
	}
	return out, result, m, replaced
}

func indexOf(ws []state.Namespace, w state.Namespace) int {
	for i, x := range ws {
		if x == w {
			return i
		}
	}
	return -1
}

// javaSet is a java.util.HashSet of TimeWindow: a table of buckets, doubled
// when more than three quarters full; inside a bucket, the order of insertion.
type javaSet struct{ elements []state.Namespace }

func (s *javaSet) len() int { return len(s.elements) }

func (s *javaSet) add(w state.Namespace) {
	if indexOf(s.elements, w) < 0 {
		s.elements = append(s.elements, w)
	}
}

func (s *javaSet) order() []state.Namespace {
	size := 16
	for len(s.elements) > size*3/4 {
		size *= 2
	}
	out := append([]state.Namespace(nil), s.elements...)
	slot := func(w state.Namespace) int {
		h := uint32(timeWindowHash(w))
		return int(h^h>>16) & (size - 1)
	}
	sort.SliceStable(out, func(i, j int) bool { return slot(out[i]) < slot(out[j]) })
	return out
}

// timeWindowHash is TimeWindow.hashCode: MathUtils.longToIntWithBitMixing of
// start + end.
func timeWindowHash(w state.Namespace) int32 {
	in := uint64(w.Start) + uint64(w.End)
	in = (in ^ (in >> 30)) * 0xbf58476d1ce4e5b9
	in = (in ^ (in >> 27)) * 0x94d049bb133111eb
	in ^= in >> 31
	return int32(in)
}

func sortIntervals(in []sim.Interval) {
	sort.Slice(in, func(i, j int) bool { return in[i].Start < in[j].Start })
}
