package state

import (
	"fmt"
	"sort"
)

type cellID struct {
	key *Key
	ns  Namespace
}

// A Table is one keyed state: a value for each (key, namespace).
type Table[V any] struct {
	name  string
	codec Codec[V]

	// One of the two is in use. See the package comment.
	heap map[cellID]*V
	raw  RawTable
	// cells counts those in raw, for a storage of bytes cannot tell; blind is
	// the number of writes since that did not look what was there.
	cells, blind int

	free  []*V
	block []V
	buf   []byte
	store *Store
}

// Open returns the table of that name, which it creates in the store. An
// operator opens each of its tables once, when it is opened.
func Open[V any](s *Store, name string, codec Codec[V]) *Table[V] {
	t := &Table[V]{name: name, codec: codec, store: s}
	if s.keyed != nil {
		t.raw = s.keyed.Table(name)
		t.migrate()
		t.count()
	} else {
		t.heap = map[cellID]*V{}
	}
	s.tables = append(s.tables, t)
	return t
}

// migrate writes anew what a storage of bytes was restored with and another
// type wrote (CP-9.6). What cannot be read fails the storage.
func (t *Table[V]) migrate() {
	m, ok := t.codec.(interface{ Migrates(src []byte) bool })
	if !ok {
		return
	}
	type row struct {
		k  *Key
		ns Namespace
		v  V
	}
	var old []row
	t.raw.Each(func(k *Key, ns Namespace, b []byte) {
		if m.Migrates(b) {
			old = append(old, row{k, ns, t.decode(b)})
		}
	})
	if t.store.keyed.Err() != nil {
		return
	}
	for _, r := range old {
		t.buf = t.codec.Append(t.buf[:0], r.v)
		t.raw.Put(r.k, r.ns, t.buf)
	}
}

// count counts the cells of a storage of bytes.
func (t *Table[V]) count() {
	t.store.entries -= t.cells
	t.cells, t.blind = 0, 0
	t.raw.Each(func(*Key, Namespace, []byte) { t.cells++ })
	t.store.entries += t.cells
}

// recount counts when the number may be far off: as many blind writes as
// cells, and not a few.
func (t *Table[V]) recount() {
	if t.blind > max(t.cells, 1024) {
		t.count()
	}
}

// cell takes a free cell: cells are carved from blocks and used again, so
// that a table does not allocate for each value.
func (t *Table[V]) cell() *V {
	if n := len(t.free); n > 0 {
		p := t.free[n-1]
		t.free = t.free[:n-1]
		return p
	}
	if len(t.block) == 0 {
		t.block = make([]V, 256)
	}
	p := &t.block[0]
	t.block = t.block[1:]
	return p
}

// Get returns the value of a cell. The caller must not change what it points to.
func (t *Table[V]) Get(k *Key, ns Namespace) (V, bool) {
	if t.heap != nil {
		if p := t.heap[cellID{k, ns}]; p != nil {
			return *p, true
		}
		var zero V
		return zero, false
	}
	b, ok := t.raw.Get(k, ns)
	if !ok {
		var zero V
		return zero, false
	}
	return t.decode(b), true
}

// Update changes a cell in one call: f gets a pointer to the value, which is
// the zero value when the cell is new. It reports whether the cell was new.
func (t *Table[V]) Update(k *Key, ns Namespace, f func(v *V)) (created bool) {
	if t.heap != nil {
		id := cellID{k, ns}
		p := t.heap[id]
		if p == nil {
			p = t.cell()
			t.heap[id] = p
			t.store.entries++
			created = true
		}
		f(p)
		return created
	}
	var v V
	b, ok := t.raw.Get(k, ns)
	if ok {
		v = t.decode(b)
	} else {
		t.cells++
		t.store.entries++
	}
	f(&v)
	t.buf = t.codec.Append(t.buf[:0], v)
	t.raw.Put(k, ns, t.buf)
	return !ok
}

// Put sets a cell, without looking what was there.
func (t *Table[V]) Put(k *Key, ns Namespace, v V) {
	if t.heap != nil {
		t.Update(k, ns, func(p *V) { *p = v })
		return
	}
	t.blind++
	t.buf = t.codec.Append(t.buf[:0], v)
	t.raw.Put(k, ns, t.buf)
}

// Delete removes a cell, without looking whether there is one: a storage of
// bytes writes a tombstone in any case.
func (t *Table[V]) Delete(k *Key, ns Namespace) {
	if t.heap == nil {
		t.blind++
		t.raw.Delete(k, ns)
		return
	}
	id := cellID{k, ns}
	p := t.heap[id]
	if p == nil {
		return
	}
	delete(t.heap, id)
	var zero V
	*p = zero
	t.free = append(t.free, p)
	t.store.entries--
}

// Len is the number of cells.
func (t *Table[V]) Len() int {
	if t.heap != nil {
		return len(t.heap)
	}
	if t.blind > 0 {
		t.count()
	}
	return t.cells
}

// Each calls f for every cell, ordered by key group, key, namespace.
func (t *Table[V]) Each(f func(k *Key, ns Namespace, v V)) {
	if t.heap == nil {
		t.raw.Each(func(k *Key, ns Namespace, b []byte) { f(k, ns, t.decode(b)) })
		return
	}
	ids := make([]cellID, 0, len(t.heap))
	for id := range t.heap {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i].less(ids[j]) })
	for _, id := range ids {
		f(id.key, id.ns, *t.heap[id])
	}
}

func (a cellID) less(b cellID) bool {
	if a.key != b.key {
		if a.key.Group != b.key.Group {
			return a.key.Group < b.key.Group
		}
		return a.key.Name < b.key.Name
	}
	return a.ns.Less(b.ns)
}

func (t *Table[V]) decode(b []byte) V {
	v, rest, err := t.codec.Read(b)
	if err == nil && len(rest) != 0 {
		err = ErrCodec
	}
	if err != nil {
		// A storage that was restored from its own files may hold what another
		// program wrote under this name.
		t.store.keyed.Fail(fmt.Errorf("table %q: %w", t.name, err))
		var zero V
		return zero
	}
	return v
}

func (t *Table[V]) tableName() string { return t.name }

func (t *Table[V]) snapshot() []Row {
	rows := make([]Row, 0, t.Len())
	t.Each(func(k *Key, ns Namespace, v V) {
		rows = append(rows, Row{Key: k.Name, Group: k.Group, Namespace: ns, Value: t.codec.Append(nil, v)})
	})
	return rows
}

func (t *Table[V]) restoreRow(k *Key, r Row) error {
	v, rest, err := t.codec.Read(r.Value)
	if err == nil && len(rest) != 0 {
		err = ErrCodec
	}
	if err != nil {
		return err
	}
	t.Put(k, r.Namespace, v)
	return nil
}

func (t *Table[V]) format(b []byte) string {
	v, _, err := t.codec.Read(b)
	if err != nil {
		return err.Error()
	}
	return t.codec.Format(v)
}
