package state

import "sort"

// A Backend says how a store keeps its cells.
type Backend struct {
	// Name is the value of state.backend.type that chooses it.
	Name string
	// Open opens the storage of one subtask. Nil means Go objects on the heap.
	// Keys are interned in keys.
	Open func(keys *Keys) Keyed
}

// A Keyed is the storage of one subtask that keeps bytes: what Flink calls a
// keyed state backend. It may hold cells and timers already when it was
// restored from its own files.
//
// Calls do not return errors, so that operators are the same on every
// backend: the first error stays, every later call does nothing, and the
// runtime asks Err after each element and fails the task.
type Keyed interface {
	// Table opens the table of that name.
	Table(name string) RawTable
	// Timers opens a timer service. Live lists its timers as they are, for a
	// backend that writes them only with its snapshots.
	Timers(name string, live func(f func(Timer))) RawTimers
	// Err is the first error. Fail adds one.
	Err() error
	Fail(error)
	// Close ends the storage. Nothing may be used afterwards.
	Close() error
}

// A RawTable keeps cells as bytes. Each visits them ordered by key group, key,
// namespace. Bytes given to Put may be reused by the caller; bytes returned
// stay valid until the next call.
type RawTable interface {
	Get(k *Key, ns Namespace) ([]byte, bool)
	Put(k *Key, ns Namespace, value []byte)
	Delete(k *Key, ns Namespace)
	Each(f func(k *Key, ns Namespace, value []byte))
}

// RawTimers keeps timers. A store holds all of them on the heap as well, so
// they are written through here and read only once, in any order, when the
// service is opened.
type RawTimers interface {
	Put(t Timer)
	Delete(t Timer)
	Each(f func(t Timer))
}

// Heap keeps values as Go objects: Flink's HashMapStateBackend.
var Heap = Backend{Name: "hashmap"}

// Copying keeps every value as bytes that are copied in and out. Nobody runs
// it in production; it proves that operators change state only through the
// seam: a pointer kept from an earlier call would show as a lost update.
var Copying = Backend{Name: "copying", Open: func(*Keys) Keyed { return &copying{} }}

type copying struct{ err error }

func (*copying) Table(string) RawTable { return &copyTable{cells: map[cellID][]byte{}} }

func (*copying) Timers(string, func(func(Timer))) RawTimers { return noTimers{} }

func (c *copying) Err() error { return c.err }

func (c *copying) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (*copying) Close() error { return nil }

// noTimers leaves timers where they are: on the heap.
type noTimers struct{}

func (noTimers) Put(Timer)        {}
func (noTimers) Delete(Timer)     {}
func (noTimers) Each(func(Timer)) {}

type copyTable struct{ cells map[cellID][]byte }

func (t *copyTable) Get(k *Key, ns Namespace) ([]byte, bool) {
	b, ok := t.cells[cellID{k, ns}]
	if !ok {
		return nil, false
	}
	return append([]byte(nil), b...), true
}

func (t *copyTable) Put(k *Key, ns Namespace, v []byte) {
	t.cells[cellID{k, ns}] = append([]byte(nil), v...)
}

func (t *copyTable) Delete(k *Key, ns Namespace) { delete(t.cells, cellID{k, ns}) }

func (t *copyTable) Each(f func(k *Key, ns Namespace, v []byte)) {
	ids := make([]cellID, 0, len(t.cells))
	for id := range t.cells {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i].less(ids[j]) })
	for _, id := range ids {
		f(id.key, id.ns, append([]byte(nil), t.cells[id]...))
	}
}
