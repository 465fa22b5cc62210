package state

import (
	"cmp"
	"container/heap"
	"slices"
	"sort"
	"strings"
)

// A Timer is due when time reaches Time.
type Timer struct {
	Time      int64
	Key       *Key
	Namespace Namespace
}

// Timers is a set of timers: the same (time, key, namespace) registered twice
// is one timer (EV-4.1). They come out by time, then key, then namespace; the
// order among equal times is the simulator's (EV-4.2).
//
// Timers of one time stand together in a bucket: windows of many keys end at
// the same moment, so the heap stays as small as the number of distinct times.
type Timers struct {
	name    string
	buckets map[int64]*bucket
	order   bucketHeap
	spare   []*bucket
	n       int
	// raw keeps the timers of a storage of bytes; nil on the heap.
	raw RawTimers
}

type bucket struct {
	time  int64
	index int
	// set holds the live timers; entries may hold removed ones and, from next
	// on, are sorted when sorted is true.
	set     map[cellID]struct{}
	entries []cellID
	next    int
	sorted  bool
}

// OpenTimers returns the timer service of that name.
func OpenTimers(s *Store, name string) *Timers {
	t := &Timers{name: name, buckets: map[int64]*bucket{}}
	if s.keyed != nil {
		raw := s.keyed.Timers(name, t.Each)
		raw.Each(func(tm Timer) { t.Register(tm.Time, tm.Key, tm.Namespace) })
		t.raw = raw
	}
	s.timers = append(s.timers, t)
	return t
}

// Len is the number of timers.
func (t *Timers) Len() int { return t.n }

// Register adds a timer and reports whether it was not there before.
func (t *Timers) Register(at int64, k *Key, ns Namespace) bool {
	b := t.buckets[at]
	if b == nil {
		b = t.bucket(at)
	}
	id := cellID{k, ns}
	if _, ok := b.set[id]; ok {
		return false
	}
	b.set[id] = struct{}{}
	b.entries = append(b.entries, id)
	b.sorted = false
	t.n++
	if t.raw != nil {
		t.raw.Put(Timer{at, k, ns})
	}
	return true
}

func (t *Timers) bucket(at int64) *bucket {
	var b *bucket
	if n := len(t.spare); n > 0 {
		b = t.spare[n-1]
		t.spare = t.spare[:n-1]
	} else {
		b = &bucket{set: map[cellID]struct{}{}}
	}
	b.time = at
	t.buckets[at] = b
	heap.Push(&t.order, b)
	return b
}

// Delete removes a timer and reports whether it was there.
func (t *Timers) Delete(at int64, k *Key, ns Namespace) bool {
	b := t.buckets[at]
	if b == nil {
		return false
	}
	id := cellID{k, ns}
	if _, ok := b.set[id]; !ok {
		return false
	}
	delete(b.set, id)
	t.n--
	if t.raw != nil {
		t.raw.Delete(Timer{at, k, ns})
	}
	if len(b.set) == 0 {
		t.drop(b)
	}
	return true
}

func (t *Timers) drop(b *bucket) {
	heap.Remove(&t.order, b.index)
	delete(t.buckets, b.time)
	clear(b.set)
	b.entries, b.next, b.sorted = b.entries[:0], 0, false
	if len(t.spare) < 16 {
		t.spare = append(t.spare, b)
	}
}

// Next returns the first timer that is due at or before now, and removes it.
func (t *Timers) Next(now int64) (Timer, bool) {
	for len(t.order) > 0 {
		b := t.order[0]
		if b.time > now {
			return Timer{}, false
		}
		if !b.sorted {
			slices.SortFunc(b.entries[b.next:], cellID.compareByName)
			b.sorted = true
		}
		for b.next < len(b.entries) {
			id := b.entries[b.next]
			b.next++
			if _, ok := b.set[id]; !ok {
				continue
			}
			delete(b.set, id)
			t.n--
			timer := Timer{b.time, id.key, id.ns}
			if t.raw != nil {
				t.raw.Delete(timer)
			}
			if len(b.set) == 0 {
				t.drop(b)
			}
			return timer, true
		}
		t.drop(b)
	}
	return Timer{}, false
}

// First is the time of the first timer; ok is false when there is none.
func (t *Timers) First() (at int64, ok bool) {
	if len(t.order) == 0 {
		return 0, false
	}
	return t.order[0].time, true
}

func (a cellID) compareByName(b cellID) int {
	if a.key != b.key {
		return strings.Compare(a.key.Name, b.key.Name)
	}
	if c := cmp.Compare(a.ns.Start, b.ns.Start); c != 0 {
		return c
	}
	return cmp.Compare(a.ns.End, b.ns.End)
}

// Each calls f for every timer, ordered by key group, key, namespace, time.
func (t *Timers) Each(f func(Timer)) {
	all := make([]Timer, 0, t.n)
	for _, b := range t.buckets {
		for id := range b.set {
			all = append(all, Timer{b.time, id.key, id.ns})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := all[i], all[j]
		x, y := cellID{a.Key, a.Namespace}, cellID{b.Key, b.Namespace}
		if x != y {
			return x.less(y)
		}
		return a.Time < b.Time
	})
	for _, tm := range all {
		f(tm)
	}
}

func (t *Timers) snapshot() []Row {
	rows := make([]Row, 0, t.n)
	t.Each(func(tm Timer) {
		rows = append(rows, Row{Key: tm.Key.Name, Group: tm.Key.Group, Namespace: tm.Namespace, Timer: tm.Time})
	})
	return rows
}

type bucketHeap []*bucket

func (h bucketHeap) Len() int           { return len(h) }
func (h bucketHeap) Less(i, j int) bool { return h[i].time < h[j].time }
func (h bucketHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i]; h[i].index = i; h[j].index = j }
func (h *bucketHeap) Push(x any)        { b := x.(*bucket); b.index = len(*h); *h = append(*h, b) }
func (h *bucketHeap) Pop() any {
	old := *h
	n := len(old) - 1
	b := old[n]
	old[n] = nil
	*h = old[:n]
	return b
}
