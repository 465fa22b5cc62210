package state

import "slices"

// The kinds of keyed state of Flink, over tables. A Table is a ValueState.

// A ReducingState combines all that is added into one value.
type ReducingState[V any] struct {
	table  *Table[V]
	reduce func(a, b V) V
}

// OpenReducing returns the reducing state of that name.
func OpenReducing[V any](s *Store, name string, codec Codec[V], reduce func(a, b V) V) *ReducingState[V] {
	return &ReducingState[V]{Open(s, name, codec), reduce}
}

// Add combines a value with what is held and returns the result: a read and a
// write on a storage of bytes.
func (r *ReducingState[V]) Add(k *Key, ns Namespace, v V) (now V) {
	old, ok := r.table.Get(k, ns)
	if ok {
		v = r.reduce(old, v)
	}
	r.table.Update(k, ns, func(p *V) { *p = v })
	return v
}

// An AggregatingState adds inputs to an accumulator, from which the result is
// made when somebody asks.
type AggregatingState[In, Acc, Out any] struct {
	table  *Table[Acc]
	add    func(*Acc, In)
	result func(Acc) Out
}

// OpenAggregating returns the aggregating state of that name.
func OpenAggregating[In, Acc, Out any](s *Store, name string, codec Codec[Acc], add func(*Acc, In), result func(Acc) Out) *AggregatingState[In, Acc, Out] {
	return &AggregatingState[In, Acc, Out]{Open(s, name, codec), add, result}
}

// Add adds an input and returns the result.
func (a *AggregatingState[In, Acc, Out]) Add(k *Key, ns Namespace, v In) (out Out) {
	a.table.Update(k, ns, func(p *Acc) {
		a.add(p, v)
		out = a.result(*p)
	})
	return out
}

// A ListState is a list to which elements are appended. A storage of bytes that
// can append without reading does so, as RocksDB's merge operator.
type ListState[E any] struct{ table *Table[[]E] }

// An Appender is a storage of bytes that appends to a cell without reading it.
type Appender interface {
	Append(k *Key, ns Namespace, bytes []byte)
}

// OpenListState returns the list state of that name.
func OpenListState[E any](s *Store, name string, of Codec[E]) *ListState[E] {
	return &ListState[E]{Open[[]E](s, name, Sequence[E]{of})}
}

// Append appends an element.
func (l *ListState[E]) Append(k *Key, ns Namespace, e E) {
	if a, ok := l.table.raw.(Appender); ok {
		l.table.blind++
		l.table.buf = l.table.codec.(Sequence[E]).Of.Append(l.table.buf[:0], e)
		a.Append(k, ns, l.table.buf)
		return
	}
	l.table.Update(k, ns, func(p *[]E) { *p = append(*p, e) })
}

// Get returns the elements, in the order in which they came. The caller must
// not change them.
func (l *ListState[E]) Get(k *Key, ns Namespace) []E {
	v, _ := l.table.Get(k, ns)
	return v
}

// Clear removes the list.
func (l *ListState[E]) Clear(k *Key, ns Namespace) { l.table.Delete(k, ns) }

// Sequence is the codec of a list that can grow at its end: the elements, one
// behind the other.
type Sequence[E any] struct{ Of Codec[E] }

// Append writes the elements.
func (s Sequence[E]) Append(dst []byte, v []E) []byte {
	for _, e := range v {
		dst = s.Of.Append(dst, e)
	}
	return dst
}

// Read reads all elements.
func (s Sequence[E]) Read(src []byte) (out []E, rest []byte, err error) {
	for len(src) > 0 {
		var e E
		if e, src, err = s.Of.Read(src); err != nil {
			return nil, nil, err
		}
		out = append(out, e)
	}
	return out, nil, nil
}

// Format writes the elements as a list does.
func (s Sequence[E]) Format(v []E) string { return List[E](s).Format(v) }

// A MapState is a map for each key; its own keys are integers. On a storage of
// bytes each entry is a row of its own: to change one reads and writes no
// other, unlike a map in a ValueState.
type MapState[V any] struct{ table *Table[V] }

// OpenMapState returns the map state of that name.
func OpenMapState[V any](s *Store, name string, codec Codec[V]) *MapState[V] {
	return &MapState[V]{Open(s, name, codec)}
}

// entry is where an entry lies: behind the key, where others have a window.
func entry(userKey int64) Namespace { return Namespace{Start: userKey, End: userKey} }

// Get returns an entry.
func (m *MapState[V]) Get(k *Key, userKey int64) (V, bool) { return m.table.Get(k, entry(userKey)) }

// Put sets an entry.
func (m *MapState[V]) Put(k *Key, userKey int64, v V) { m.table.Put(k, entry(userKey), v) }

// Remove removes an entry.
func (m *MapState[V]) Remove(k *Key, userKey int64) { m.table.Delete(k, entry(userKey)) }

// Keys returns the keys of the map of a key, ascending.
func (m *MapState[V]) Keys(k *Key) (out []int64) {
	m.table.Each(func(o *Key, ns Namespace, _ V) {
		if o == k {
			out = append(out, ns.Start)
		}
	})
	slices.Sort(out)
	return out
}
