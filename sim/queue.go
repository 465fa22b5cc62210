package sim

import "container/heap"

// A Queue holds what is due at a virtual time. Ties are broken by the order
// in which things were put in, so that a run never depends on anything else.
type Queue struct {
	h   eventHeap
	seq uint64
}

// An Event is something that is due.
type Event struct {
	// At is the virtual time in ms.
	At int64
	// Periodic marks work that comes again for ever (probes, announcements):
	// a run ends when nothing else is left.
	Periodic bool
	// Do is what happens.
	Do func()

	seq      uint64
	index    int
	canceled bool
}

// Cancel takes the event out of the run: it will not happen.
func (e *Event) Cancel() {
	if e != nil {
		e.canceled = true
	}
}

// Canceled reports whether Cancel was called.
func (e *Event) Canceled() bool { return e.canceled }

// At puts an event in.
func (q *Queue) At(t int64, periodic bool, do func()) *Event {
	q.seq++
	e := &Event{At: t, Periodic: periodic, Do: do, seq: q.seq}
	heap.Push(&q.h, e)
	return e
}

// Next returns the first event that is due, without taking it, or nil.
func (q *Queue) Next() *Event {
	for len(q.h) > 0 {
		if !q.h[0].canceled {
			return q.h[0]
		}
		heap.Pop(&q.h)
	}
	return nil
}

// Take removes and returns the first event that is due, or nil.
func (q *Queue) Take() *Event {
	if q.Next() == nil {
		return nil
	}
	return heap.Pop(&q.h).(*Event)
}

// Pending reports whether anything but periodic work is left.
func (q *Queue) Pending() bool {
	for _, e := range q.h {
		if !e.canceled && !e.Periodic {
			return true
		}
	}
	return false
}

type eventHeap []*Event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	if h[i].At != h[j].At {
		return h[i].At < h[j].At
	}
	return h[i].seq < h[j].seq
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i]; h[i].index = i; h[j].index = j }
func (h *eventHeap) Push(x any)   { e := x.(*Event); e.index = len(*h); *h = append(*h, e) }
func (h *eventHeap) Pop() any {
	old := *h
	n := len(old) - 1
	e := old[n]
	old[n] = nil
	*h = old[:n]
	return e
}
