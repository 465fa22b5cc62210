package state

import "sort"

// A Backend says how a store keeps its cells.
type Backend struct {
	// Name is the value of state.backend.type that chooses it.
	Name string
	// Bytes opens a table of bytes. Nil means Go objects on the heap.
	Bytes func(table string) RawTable
}

// A RawTable keeps cells as bytes. Each visits them ordered by key group, key,
// namespace. Bytes given to Put may be reused by the caller; bytes returned
// stay valid until the next call.
type RawTable interface {
	Get(k *Key, ns Namespace) ([]byte, bool)
	Put(k *Key, ns Namespace, value []byte)
	Delete(k *Key, ns Namespace)
	Len() int
	Each(f func(k *Key, ns Namespace, value []byte))
}

// Heap keeps values as Go objects: Flink's HashMapStateBackend.
var Heap = Backend{Name: "hashmap"}

// Copying keeps every value as bytes that are copied in and out. Nobody runs
// it in production; it proves that operators change state only through the
// seam: a pointer kept from an earlier call would show as a lost update.
var Copying = Backend{Name: "copying", Bytes: func(string) RawTable { return &copyTable{cells: map[cellID][]byte{}} }}

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

func (t *copyTable) Len() int { return len(t.cells) }

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
