package state

import (
	"errors"
	"fmt"
	"slices"
	"sort"
)

// A Store is the state of one subtask of one operator.
type Store struct {
	backend Backend
	keyed   Keyed
	keys    *Keys
	tables  []anyTable
	timers  []*Timers
	lists   []*OperatorList
	texts   []*TextList
	// keptTables and keptTimers were restored and are not registered.
	keptTables, keptTimers []NamedRows
	entries                int
}

type anyTable interface {
	tableName() string
	snapshot() []Row
	restoreRow(k *Key, r Row) error
	format(b []byte) string
	Len() int
	recount()
}

// NewStore returns an empty store. Keys are interned in keys.
func NewStore(b Backend, keys *Keys) *Store {
	s := &Store{backend: b, keys: keys}
	if b.Open != nil {
		s.keyed = b.Open(keys)
	}
	return s
}

// NewStoreOn returns a store on a storage that is open already, empty or
// restored from its own files. The store closes it.
func NewStoreOn(b Backend, keyed Keyed, keys *Keys) *Store {
	return &Store{backend: b, keyed: keyed, keys: keys}
}

// Keyed returns the storage of bytes behind the store, nil on the heap.
func (s *Store) Keyed() Keyed { return s.keyed }

// Err is the first error of the storage: the task must fail with it.
func (s *Store) Err() error {
	if s.keyed == nil {
		return nil
	}
	return s.keyed.Err()
}

// Close ends the storage.
func (s *Store) Close() error {
	if s.keyed == nil {
		return nil
	}
	return s.keyed.Close()
}

// Backend returns what the store keeps its cells in.
func (s *Store) Backend() Backend { return s.backend }

// Entries is the number of cells and timers. On a storage of bytes it may be
// off by the writes that did not look, never by more than the number itself:
// it is what a bound is held against.
func (s *Store) Entries() int {
	if s.keyed != nil {
		for _, t := range s.tables {
			t.recount()
		}
	}
	n := s.entries
	for _, t := range s.timers {
		n += t.Len()
	}
	return n
}

// RestoreAll is Restore and RestoreLists: everything that subtask i of some
// gets of a snapshot.
func (s *Store) RestoreAll(from []*Snapshot, i, subtasks int) error {
	maxParallelism := s.keys.MaxParallelism()
	if err := s.Restore(from, func(group int) bool { return OwnerOf(group, maxParallelism, subtasks) == i }); err != nil {
		return err
	}
	lists := make([][]NamedItems, len(from))
	for k, snap := range from {
		if snap != nil {
			lists[k] = append([]NamedItems{}, snap.Lists...)
		}
	}
	s.RestoreLists(lists, i, subtasks)
	return nil
}

// A Row is one cell of a table or one timer, encoded.
type Row struct {
	Key       string
	Group     int
	Namespace Namespace
	// Timer is the time of a timer; cells have none.
	Timer int64
	Value []byte
}

// A Snapshot is the state of one subtask of one operator at a moment. It
// shares nothing with the store.
type Snapshot struct {
	// Tables and Timers are ordered by name; rows by key group, key, namespace.
	Tables []NamedRows
	Timers []NamedRows
	// Lists are in the order in which the operator registered them.
	Lists []NamedItems
}

// NamedRows are the rows of one table or timer service.
type NamedRows struct {
	Name string
	Rows []Row
	// Format writes a row's value for a dump.
	Format func([]byte) string
}

// NamedItems are the items of one list of operator state.
type NamedItems struct {
	ListInfo
	Items []int64
	// Text : its items are Texts.
	Text  bool
	Texts []string
}

// Snapshot copies everything.
func (s *Store) Snapshot() *Snapshot {
	out := &Snapshot{}
	for _, t := range s.tables {
		out.Tables = append(out.Tables, NamedRows{t.tableName(), t.snapshot(), t.format})
	}
	for _, t := range s.timers {
		out.Timers = append(out.Timers, NamedRows{Name: t.name, Rows: t.snapshot()})
	}
	out.Lists = s.ListItems()
	sort.SliceStable(out.Tables, func(i, j int) bool { return out.Tables[i].Name < out.Tables[j].Name })
	sort.SliceStable(out.Timers, func(i, j int) bool { return out.Timers[i].Name < out.Timers[j].Name })
	return out
}

// keep takes rows of state that the operator has not registered. The heap
// backend holds what it restored until somebody asks for it, and writes it into
// the next snapshot (HeapKeyedStateBackend, registeredKVStates).
func (s *Store) keep(in *[]NamedRows, from NamedRows, owns func(group int) bool) {
	i := slices.IndexFunc(*in, func(nr NamedRows) bool { return nr.Name == from.Name })
	if i < 0 {
		i = len(*in)
		*in = append(*in, NamedRows{Name: from.Name})
	}
	for _, r := range from.Rows {
		if owns(r.Group) {
			(*in)[i].Rows = append((*in)[i].Rows, r)
		}
	}
	// Each subtask had its own groups.
	slices.SortStableFunc((*in)[i].Rows, func(a, b Row) int { return a.Group - b.Group })
}

// SnapshotAll is Snapshot with the state that was restored and that the
// operator has not registered.
func (s *Store) SnapshotAll() *Snapshot {
	out := s.Snapshot()
	out.Tables, out.Timers = append(out.Tables, s.keptTables...), append(out.Timers, s.keptTimers...)
	for _, rows := range [][]NamedRows{out.Tables, out.Timers} {
		sort.SliceStable(rows, func(i, j int) bool { return rows[i].Name < rows[j].Name })
	}
	return out
}

// ErrKeys says that rows were written with keys of another type: they hash to
// other groups.
var ErrKeys = errors.New("state: keys of another type")

// Restore fills the store with the rows of keyed state of the subtasks of the
// operator before: those of the key groups that owns says. Nil is a subtask
// that had finished. The operator has opened its tables already.
func (s *Store) Restore(from []*Snapshot, owns func(group int) bool) error {
	tables := map[string]anyTable{}
	for _, t := range s.tables {
		tables[t.tableName()] = t
	}
	timers := map[string]*Timers{}
	for _, t := range s.timers {
		timers[t.name] = t
	}
	for _, snap := range from {
		if snap == nil {
			continue
		}
		for _, nr := range snap.Tables {
			t := tables[nr.Name]
			if t == nil {
				s.keep(&s.keptTables, nr, owns)
				continue
			}
			for _, r := range nr.Rows {
				if !owns(r.Group) {
					continue
				}
				k := s.keys.Intern(r.Key)
				if k.Group != r.Group {
					return ErrKeys
				}
				if err := t.restoreRow(k, r); err != nil {
					return fmt.Errorf("state: table %q: %w", nr.Name, err)
				}
			}
		}
		for _, nr := range snap.Timers {
			t := timers[nr.Name]
			if t == nil {
				s.keep(&s.keptTimers, nr, owns)
				continue
			}
			for _, r := range nr.Rows {
				if !owns(r.Group) {
					continue
				}
				k := s.keys.Intern(r.Key)
				if k.Group != r.Group {
					return ErrKeys
				}
				t.Register(r.Timer, k, r.Namespace)
			}
		}
	}
	return nil
}

// Cells returns the number of cells and of timers.
func (s *Store) Cells() (cells, timers int) {
	for _, t := range s.tables {
		cells += t.Len()
	}
	for _, t := range s.timers {
		timers += t.Len()
	}
	return cells, timers
}

// Size returns the number of cells and of timers of a snapshot.
func (s *Snapshot) Size() (cells, timers int) {
	for _, t := range s.Tables {
		cells += len(t.Rows)
	}
	for _, t := range s.Timers {
		timers += len(t.Rows)
	}
	return cells, timers
}
