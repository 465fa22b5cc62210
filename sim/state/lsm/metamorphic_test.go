package lsm

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/state"
)

func window(n int64) state.Namespace {
	if n == 0 {
		return state.Void
	}
	return state.Namespace{Start: (n - 2) * 1000, End: (n - 1) * 1000}
}

// subject is a store on some backend, and how it is taken down and up again.
type subject struct {
	name  string
	keys  *state.Keys
	store *state.Store
	sum   *state.Table[int64]
	list  *state.Table[[]string]
	timer *state.Timers
	again func(s *subject, kind SnapshotType) // Takes a snapshot and goes on from it.
}

func (s *subject) use(store *state.Store) {
	s.store = store
	s.sum = state.Open(store, "sum", state.Int64{})
	s.list = state.Open(store, "list", state.List[string]{Of: state.String{}})
	s.timer = state.OpenTimers(store, "window-timers")
}

func subjects(t *testing.T) []*subject {
	whole := Groups{First: 0, Last: 127}
	heap := &subject{name: "hashmap", keys: state.NewKeys(128)}
	heap.use(state.NewStore(state.Heap, heap.keys))
	heap.again = func(s *subject, _ SnapshotType) {
		snapshot := s.store.Snapshot()
		s.use(state.NewStore(state.Heap, s.keys))
		if err := s.store.Restore([]*state.Snapshot{snapshot}, func(int) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	all := []*subject{heap}
	for name, o := range map[string]Options{
		"rocksdb":                  {Incremental: true},
		"rocksdb small memory":     {Incremental: true, Memory: ManagedMemory{Bytes: 1}, Compactions: CompactAtOnce, BloomFilter: true},
		"rocksdb full heap timers": {HeapTimers: true},
		"forst sync":               {Incremental: true, ForSt: &ForSt{Store: NewMemFS(), Primary: "p", JobPath: "p", HandOver: true}},
		"forst async cached":       {ForSt: &ForSt{Async: true, Store: NewMemFS(), Primary: "p", Mode: Claim, Cache: NewFileCache(FileCacheConfig{Limit: 1 << 12, TargetFileSize: 1})}},
	} {
		s := &subject{name: name, keys: state.NewKeys(128)}
		o.Keys, o.Groups, o.Names = s.keys, whole, &Names{}
		objects := map[string][]byte{}
		made := 0
		open := func(h *Handle) *DB {
			made++
			o := o
			o.UID, o.Dir = fmt.Sprint(made), fmt.Sprint("attempt-", made)
			if o.ForSt != nil {
				f := *o.ForSt
				f.Primary = fmt.Sprintf("%s/%d", f.Primary, made)
				o.ForSt = &f
			}
			db, err := Restore(o, []*Handle{h}, func(object string) ([]byte, error) {
				if b, ok := objects[object]; ok {
					return b, nil
				}
				return ReadFile(o.ForSt.Store, object)
			})
			if err != nil {
				t.Fatal(name, err)
			}
			s.use(state.NewStoreOn(state.Backend{Name: db.Backend()}, db, s.keys))
			return db
		}
		db := open(nil)
		s.again = func(s *subject, kind SnapshotType) {
			if kind == CanonicalSavepoint && o.ForSt != nil {
				kind = NativeSavepoint
			}
			snapshot, err := db.Snapshot(int64(made), kind)
			if err != nil {
				t.Fatal(name, err)
			}
			h, err := snapshot.Finish(func(f File) Stored {
				object := fmt.Sprintf("%s@%d", f.Name, made)
				b, err := snapshot.Read(f)
				if err != nil {
					t.Fatal(name, err)
				}
				objects[object] = b
				if o.ForSt != nil {
					if err := WriteFile(o.ForSt.Store, object, b); err != nil {
						t.Fatal(err)
					}
				}
				return Stored{Object: object}
			})
			if err != nil {
				t.Fatal(name, err)
			}
			if made%2 == 0 {
				if _, err := db.Compact(); err != nil {
					t.Fatal(name, err)
				}
			}
			if err := db.Close(); err != nil {
				t.Fatal(name, err)
			}
			db = open(h)
		}
		t.Cleanup(func() { db.Close() })
		all = append(all, s)
	}
	return all
}

func dump(s *subject) string {
	var b strings.Builder
	snapshot := s.store.Snapshot()
	for _, rows := range [][]state.NamedRows{snapshot.Tables, snapshot.Timers} {
		for _, nr := range rows {
			for _, r := range nr.Rows {
				fmt.Fprintf(&b, "%s %d %s %s %d", nr.Name, r.Group, r.Key, r.Namespace, r.Timer)
				if nr.Format != nil {
					b.WriteString(" " + nr.Format(r.Value))
				}
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

// One list of random operations, from one seed, has the same result on every
// backend, over all its restarts: the state dump, the canonical bytes, the
// counts, and what timers fire.
func TestEveryBackendHasTheSameState(t *testing.T) {
	for seed := range uint64(6) {
		all := subjects(t)
		var wants []string
		for i, s := range all {
			random := sim.NewStream(seed, "lsm", "metamorphic")
			var got []string
			for step := range 60 {
				for range 40 {
					k := s.keys.Intern([]string{"a", "b", "", "ñ", "서울", "x\x00y", "x\x00", "x", "user-1"}[random.Below(9)])
					ns := window(random.Below(5))
					n := random.Below(1000)
					switch random.Below(9) {
					case 0, 1:
						s.sum.Update(k, ns, func(v *int64) { *v += n })
					case 2:
						s.sum.Put(k, ns, n)
					case 3:
						s.sum.Delete(k, ns)
					case 4:
						s.list.Update(k, ns, func(v *[]string) { *v = append(*v, fmt.Sprint(n)) })
					case 5:
						s.list.Delete(k, ns)
					case 6, 7:
						s.timer.Register(n-200, k, ns)
					default:
						s.timer.Delete(n-200, k, ns)
					}
				}
				switch random.Below(6) {
				case 0:
					s.again(s, Checkpoint)
				case 1:
					s.again(s, CanonicalSavepoint)
				case 2:
					for limit := random.Below(100) - 200; ; {
						timer, ok := s.timer.Next(limit)
						if !ok {
							break
						}
						got = append(got, fmt.Sprint(timer.Time, timer.Key.Name, timer.Namespace))
					}
				}
				if err := s.store.Err(); err != nil {
					t.Fatal(s.name, err)
				}
				cells, timers := s.store.Cells()
				got = append(got, dump(s), fmt.Sprint(step, cells, timers, s.sum.Len(), s.list.Len()))
			}
			canonical := state.AppendCanonical(nil, Groups{First: 0, Last: 127}, s.store.Snapshot())
			got = append(got, string(canonical))
			if groups, again, err := state.ReadCanonical(canonical); err != nil || !bytes.Equal(state.AppendCanonical(nil, groups, again), canonical) {
				t.Error(s.name, "canonical form:", err)
			}
			if i == 0 {
				wants = got
				continue
			}
			if len(got) != len(wants) {
				t.Fatalf("seed %d: %s: %d results, not %d", seed, s.name, len(got), len(wants))
			}
			for j := range got {
				if got[j] != wants[j] {
					t.Fatalf("seed %d: %s, result %d:\n%s\nhashmap:\n%s", seed, s.name, j, got[j], wants[j])
				}
			}
		}
	}
}

// A canonical savepoint of a tree is, byte for byte, what the heap writes.
func TestCanonicalSavepointIsThatOfTheHeap(t *testing.T) {
	keys := state.NewKeys(128)
	groups := Groups{First: 10, Last: 100}
	o := Options{Keys: keys, Groups: groups, Names: &Names{}}
	for _, o.HeapTimers = range []bool{false, true} {
		db, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		tree := &subject{keys: keys}
		tree.use(state.NewStoreOn(state.Backend{}, db, keys))
		heap := &subject{keys: keys}
		heap.use(state.NewStore(state.Heap, keys))
		for i := range int64(500) {
			k := keys.Intern(fmt.Sprint("key-", i%70))
			if !groups.Contains(k.Group) {
				continue
			}
			for _, s := range []*subject{tree, heap} {
				s.sum.Update(k, window(i%5), func(v *int64) { *v += i })
				s.timer.Register(i*7%90-40, k, window(i%3))
				if i%11 == 0 {
					s.sum.Delete(k, window(0))
				}
			}
		}
		snapshot, err := db.Snapshot(1, CanonicalSavepoint)
		if err != nil || len(snapshot.Files) != 1 {
			t.Fatal(snapshot, err)
		}
		got, err := snapshot.Read(snapshot.Files[0])
		if err != nil {
			t.Fatal(err)
		}
		if want := state.AppendCanonical(nil, groups, heap.store.Snapshot()); !bytes.Equal(got, want) {
			t.Errorf("heap timers %t: %d bytes, the heap writes %d", o.HeapTimers, len(got), len(want))
		}
		if n := db.families[0].tree.Totals().Flushes; n != 0 {
			t.Error("it flushed")
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
