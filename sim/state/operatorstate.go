package state

import "slices"

// A Mode says how a list of operator state is handed out when a job is
// restored (OperatorStateHandle.Mode, CP-9.4).
type Mode string

// The modes.
const (
	// SplitDistribute cuts the items of all subtasks into contiguous parts.
	SplitDistribute Mode = "SPLIT_DISTRIBUTE"
	// UnionMode gives all items to everyone.
	UnionMode Mode = "UNION"
	// Broadcast gives each subtask the copy of one of those before.
	Broadcast Mode = "BROADCAST"
)

// Lists are the operator state of one subtask: its lists by name. A name that
// is missing is a state that the subtask does not have; nil as a whole is a
// subtask that had finished and reported nothing.
type Lists[T any] map[string][]T

// A ListInfo is a list of operator state that an operator has registered.
type ListInfo struct {
	Name string
	Mode Mode
}

// Repartition hands the operator state of a snapshot to a number of subtasks,
// as RoundRobinOperatorStateRepartitioner does. The
// lists stand in the order in which the operator registered them.
//
// With the same number of subtasks, split and broadcast lists stay where they
// were and unions go to everyone; but a broadcast list that some subtask had
// not reported, because it had finished, is handed out again.
func Repartition[T comparable](old []Lists[T], lists []ListInfo, parallelism int) []Lists[T] {
	out := make([]Lists[T], parallelism)
	for i := range out {
		out[i] = Lists[T]{}
	}
	same := parallelism == len(old)
	start := 0
	for _, info := range visitOrder(lists) {
		name := info.Name
		switch info.Mode {
		case UnionMode:
			for i := range out {
				out[i][name] = all(old, name)
			}
		case Broadcast:
			copies := reported(old, name)
			switch {
			case len(copies) == 0:
			case same && len(copies) == len(old):
				keep(out, old, name)
			case same:
				for i := range out {
					out[i][name] = again(old, name, i, copies[i%len(copies)])
				}
			default:
				for i := range out {
					out[i][name] = slices.Clone(old[copies[i%len(copies)]][name])
				}
			}
		case SplitDistribute:
			if same {
				keep(out, old, name)
				continue
			}
			items := all(old, name)
			sizes, next := shares(len(items), parallelism, start)
			for i := range parallelism {
				// Parts are cut in order, beginning with the subtask that is due.
				to := (i + start) % parallelism
				out[to][name] = slices.Clone(items[:sizes[to]])
				items = items[sizes[to]:]
			}
			start = next
		}
	}
	return out
}

// shares cuts n items for some subtasks: each gets n div subtasks, and those
// from start on one more until the remainder is used up. Next is where the
// following list starts.
func shares(n, subtasks, start int) (sizes []int, next int) {
	sizes = make([]int, subtasks)
	rest := n % subtasks
	for i := range subtasks {
		to := (i + start) % subtasks
		sizes[to] = n / subtasks
		if i < rest {
			sizes[to]++
		}
	}
	return sizes, (start + rest) % subtasks
}

// Split cuts a list into contiguous parts, one for each subtask; the first ones
// are longer by one.
func Split[T any](items []T, subtasks int) [][]T {
	sizes, _ := shares(len(items), subtasks, 0)
	out := make([][]T, subtasks)
	for i, n := range sizes {
		out[i] = slices.Clone(items[:n])
		items = items[n:]
	}
	return out
}

// visitOrder is the order in which Flink visits the lists: that of a Java hash
// map of their names. It matters because each split list starts where the one
// before it ended. Of two names in one bucket the recordings visit the one that
// was registered later first.
func visitOrder(lists []ListInfo) []ListInfo {
	size := 16
	for len(lists)*4 > size*3 {
		size *= 2
	}
	bucket := func(l ListInfo) int {
		h := uint32(StringHash(l.Name))
		return int((h ^ h>>16) & uint32(size-1))
	}
	out := slices.Clone(lists)
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b ListInfo) int { return bucket(a) - bucket(b) })
	return out
}

func all[T any](old []Lists[T], name string) []T {
	var out []T
	for _, l := range old {
		out = append(out, l[name]...)
	}
	return out
}

// reported are the subtasks that reported a list of that name.
func reported[T any](old []Lists[T], name string) []int {
	var out []int
	for i, l := range old {
		if _, ok := l[name]; ok {
			out = append(out, i)
		}
	}
	return out
}

func keep[T any](out, old []Lists[T], name string) {
	for i, l := range old {
		if items, ok := l[name]; ok {
			out[i][name] = slices.Clone(items)
		}
	}
}

// again is what subtask i kept of a broadcast list, with the copy that it is
// handed besides when that is another one.
func again[T comparable](old []Lists[T], name string, i, from int) []T {
	own, kept := old[i][name]
	more := old[from][name]
	switch {
	case !kept:
		return slices.Clone(more)
	case slices.Equal(own, more):
		return slices.Clone(own)
	case from < i:
		return slices.Concat(more, own)
	}
	return slices.Concat(own, more)
}
