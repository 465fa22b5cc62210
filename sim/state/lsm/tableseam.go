package lsm

import (
	"slices"

	"streaminglab/sim/state"
)

// Prefixes of the column families of a timer service, as Flink's
// InternalTimeServiceManagerImpl names its queues.
const (
	eventTimers      = "_timer_state/event_"
	processingTimers = "_timer_state/processing_"
)

// Table opens the table of a name: implements state.Keyed.
func (db *DB) Table(name string) state.RawTable {
	f, err := db.family(name, false)
	if err != nil {
		db.fail(err)
	}
	return &rawTable{db: db, family: f}
}

// Timers opens a timer service: implements state.Keyed. Both its queues are
// column families, the empty one too.
func (db *DB) Timers(name string, live func(func(state.Timer))) state.RawTimers {
	if db.o.HeapTimers || db.o.ForSt != nil && db.o.ForSt.Async {
		t := &heapTimers{name: name, live: live, keys: db.o.Keys, rows: db.restored[name]}
		delete(db.restored, name)
		db.timers = append(db.timers, t)
		return t
	}
	f, err := db.family(eventTimers+name, true)
	if err == nil {
		_, err = db.family(processingTimers+name, true)
	}
	if err != nil {
		db.fail(err)
	}
	return &rawTimers{db: db, family: f}
}

// A rawTable is a column family as the seam sees it. It keeps the bytes of the
// last key: an update reads and writes the same one.
type rawTable struct {
	db     *DB
	family *family
	key    *state.Key
	ns     state.Namespace
	bytes  []byte
	value  []byte
}

func (t *rawTable) cell(k *state.Key, ns state.Namespace) []byte {
	if t.key != k || t.ns != ns {
		t.key, t.ns = k, ns
		t.bytes = appendCell(t.bytes[:0], k, ns)
	}
	return t.bytes
}

// Get implements state.RawTable.
func (t *rawTable) Get(k *state.Key, ns state.Namespace) ([]byte, bool) {
	if !t.db.ready() {
		return nil, false
	}
	if t.db.remote != nil {
		t.db.remote.operation()
	}
	var found bool
	var err error
	t.value, found, err = t.family.tree.Get(t.value[:0], t.cell(k, ns))
	if err != nil {
		t.db.fail(err)
		return nil, false
	}
	return t.value, found
}

// Put implements state.RawTable.
func (t *rawTable) Put(k *state.Key, ns state.Namespace, value []byte) {
	if !t.db.ready() {
		return
	}
	key := t.cell(k, ns)
	err := t.family.tree.Put(key, value)
	if err == nil {
		err = t.db.wrote(t.family, int64(len(key)+len(value))+entryOverhead)
	}
	t.db.fail(err)
}

// Append implements state.Appender: RocksDB's merge, which reads nothing.
func (t *rawTable) Append(k *state.Key, ns state.Namespace, operand []byte) {
	if !t.db.ready() {
		return
	}
	key := t.cell(k, ns)
	err := t.family.tree.Merge(key, operand)
	if err == nil {
		err = t.db.wrote(t.family, int64(len(key)+len(operand))+entryOverhead)
	}
	t.db.fail(err)
}

// Delete implements state.RawTable.
func (t *rawTable) Delete(k *state.Key, ns state.Namespace) {
	if !t.db.ready() {
		return
	}
	key := t.cell(k, ns)
	err := t.family.tree.Delete(key)
	if err == nil {
		err = t.db.wrote(t.family, int64(len(key))+entryOverhead)
	}
	t.db.fail(err)
}

// Each implements state.RawTable.
func (t *rawTable) Each(f func(k *state.Key, ns state.Namespace, value []byte)) {
	if !t.db.ready() {
		return
	}
	t.db.fail(t.family.rows(func(r state.Row) {
		f(t.db.o.Keys.Intern(r.Key), r.Namespace, r.Value)
	}))
}

// rows calls f for every row, in the order of the tree; its value is valid
// during the call.
func (f *family) rows(each func(state.Row)) error {
	return f.tree.Scan(nil, nil, func(key, value []byte) error {
		r, ok := readRow(key, f.timers)
		if !ok {
			return ErrHandle
		}
		r.Value = value
		each(r)
		return nil
	})
}

// rawTimers are the event-time timers of a service in their column family.
type rawTimers struct {
	db     *DB
	family *family
	bytes  []byte
}

// Put implements state.RawTimers.
func (t *rawTimers) Put(timer state.Timer) { t.write(timer, true) }

// Delete implements state.RawTimers.
func (t *rawTimers) Delete(timer state.Timer) { t.write(timer, false) }

func (t *rawTimers) write(timer state.Timer, put bool) {
	if !t.db.ready() {
		return
	}
	t.bytes = appendTimer(t.bytes[:0], timer)
	var err error
	if put {
		err = t.family.tree.Put(t.bytes, nil)
	} else {
		err = t.family.tree.Delete(t.bytes)
	}
	if err == nil {
		err = t.db.wrote(t.family, int64(len(t.bytes))+entryOverhead)
	}
	t.db.fail(err)
}

// Each implements state.RawTimers.
func (t *rawTimers) Each(f func(state.Timer)) {
	if !t.db.ready() {
		return
	}
	t.db.fail(t.family.rows(func(r state.Row) {
		f(state.Timer{Time: r.Timer, Key: t.db.o.Keys.Intern(r.Key), Namespace: r.Namespace})
	}))
}

// heapTimers leave timers on the heap and write them with each snapshot.
type heapTimers struct {
	name string
	live func(func(state.Timer))
	keys *state.Keys
	rows []state.Row
}

// Put implements state.RawTimers.
func (t *heapTimers) Put(state.Timer) {}

// Delete implements state.RawTimers.
func (t *heapTimers) Delete(state.Timer) {}

// Each implements state.RawTimers.
func (t *heapTimers) Each(f func(state.Timer)) {
	for _, r := range t.rows {
		f(state.Timer{Time: r.Timer, Key: t.keys.Intern(r.Key), Namespace: r.Namespace})
	}
	t.rows = nil
}

func (t *heapTimers) current() (rows []state.Row) {
	t.live(func(timer state.Timer) {
		rows = append(rows, state.Row{
			Key: timer.Key.Name, Group: timer.Key.Group, Namespace: timer.Namespace, Timer: timer.Time,
		})
	})
	return rows
}

// rows reads the whole state: what a canonical savepoint holds.
func (db *DB) rows() (*state.Snapshot, error) {
	s := &state.Snapshot{}
	for _, f := range db.families {
		nr := state.NamedRows{Name: f.name}
		err := f.rows(func(r state.Row) {
			if f.timers {
				r.Value = nil
			} else {
				r.Value = append([]byte(nil), r.Value...)
			}
			nr.Rows = append(nr.Rows, r)
		})
		if err != nil {
			return nil, err
		}
		switch {
		case !f.timers:
			s.Tables = append(s.Tables, nr)
		case len(nr.Name) >= len(eventTimers) && nr.Name[:len(eventTimers)] == eventTimers:
			nr.Name = nr.Name[len(eventTimers):]
			state.SortRows(nr.Rows)
			s.Timers = append(s.Timers, nr)
		}
	}
	for _, t := range db.timers {
		s.Timers = append(s.Timers, state.NamedRows{Name: t.name, Rows: t.current()})
	}
	for name, rows := range db.restored {
		state.SortRows(rows)
		s.Timers = append(s.Timers, state.NamedRows{Name: name, Rows: rows})
	}
	byName := func(a, b state.NamedRows) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	}
	slices.SortFunc(s.Tables, byName)
	slices.SortFunc(s.Timers, byName)
	return s, nil
}
