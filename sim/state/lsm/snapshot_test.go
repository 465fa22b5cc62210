package lsm

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"streaminglab/sim/state"
)

// Files are brought away one by one, in steps of the caller's, while the state
// goes on: what a snapshot holds does not move, on any file system.
func TestUploadsGoOnWhileTheStateGoesOn(t *testing.T) {
	for name, o := range map[string]Options{
		"rocksdb": {Incremental: true},
		"forst":   {Incremental: true, ForSt: &ForSt{Async: true, Store: NewMemFS(), Primary: "own/db"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, o)
			r.put(0, 50)
			s, err := r.db.Snapshot(1, Checkpoint)
			if err != nil {
				t.Fatal(err)
			}
			r.put(0, 100)
			if _, err := r.db.Compact(); err != nil {
				t.Fatal(err)
			}
			if o.ForSt != nil {
				if n := len(tablesIn(t, o.ForSt.Store, "own/db")); n != 2 {
					t.Errorf("%d remote files while the snapshot needs the old one", n)
				}
			}
			objects := map[string][]byte{}
			h, err := s.Finish(func(f File) Stored {
				b, err := s.Read(f)
				if err != nil {
					t.Fatal(f.Name, err)
				}
				objects[f.Name] = b
				return Stored{Object: f.Name}
			})
			if err != nil {
				t.Fatal(err)
			}
			if o.ForSt != nil {
				if n := len(tablesIn(t, o.ForSt.Store, "own/db")); n != 1 {
					t.Errorf("%d remote files afterwards", n)
				}
			}
			if _, err := s.Read(s.Files[0]); !errors.Is(err, ErrClosed) {
				t.Error("a file of a finished snapshot is read:", err)
			}
			r.objects = objects
			if o.ForSt != nil {
				f := *o.ForSt
				f.Primary = "own/db-2"
				r.o.ForSt = &f
			}
			r.open(h)
			if v, ok := r.table.Get(r.o.Keys.Intern("key-7"), state.Void); !ok || v != 7 {
				t.Error(v, ok)
			}
			if _, ok := r.table.Get(r.o.Keys.Intern("key-70"), state.Void); ok {
				t.Error("a write after the snapshot is in it")
			}
		})
	}
}

func tablesIn(t *testing.T, disk FS, dir string) (all []string) {
	names, err := disk.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.HasSuffix(n, ".sst") {
			all = append(all, n)
		}
	}
	return all
}

// A snapshot that is given up never becomes a base, and hands nothing over.
func TestDiscard(t *testing.T) {
	store := NewMemFS()
	r := newRig(t, Options{ForSt: &ForSt{Async: true, Store: store, Primary: "shared/db", JobPath: "shared/", HandOver: true}})
	r.put(0, 10)
	s, err := r.db.Snapshot(1, Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	s.Discard()
	s.Discard()
	if _, err := s.Finish(nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	r.db.NotifyComplete(1)
	tables, err := r.db.Tables()
	if err != nil || len(tables) != 1 || tables[0].Owner != OwnedByDB {
		t.Error(tables, err)
	}
	s, err = r.db.Snapshot(2, Checkpoint)
	if err != nil || s.Files[0].Transfer != HandOver {
		t.Error(s, err)
	}
}

// Small files may be kept in the handle itself.
func TestInline(t *testing.T) {
	r := newRig(t, Options{Incremental: true})
	r.put(0, 10)
	s, err := r.db.Snapshot(1, Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Finish(func(f File) Stored {
		b, _ := s.Read(f)
		return Stored{Inline: b}
	})
	if err != nil {
		t.Fatal(err)
	}
	r.open(h)
	if v, ok := r.table.Get(r.o.Keys.Intern("key-7"), state.Void); !ok || v != 7 {
		t.Error(v, ok)
	}
}

// An empty backend has an empty snapshot.
func TestEmptySnapshot(t *testing.T) {
	db, err := New(Options{Keys: state.NewKeys(128), Groups: Groups{Last: 127}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := db.Snapshot(1, Checkpoint)
	if err != nil || s.Form != FormEmpty || len(s.Files) != 0 {
		t.Error(s, err)
	}
}

// Merge appends without reading, and reads see the whole list.
func TestMerge(t *testing.T) {
	x, err := OpenInstance(InstanceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	key := []byte{0, 1, 'k'}
	if err := errors.Join(
		x.Put(key, []byte("a")), x.Merge(key, []byte("b")), x.Flush(), x.Merge(key, []byte("c")),
		x.Merge([]byte{0, 2}, []byte("x")),
	); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key  []byte
		want string
	}{{key, "abc"}, {[]byte{0, 2}, "x"}} {
		if v, ok, err := x.Get(nil, c.key); err != nil || !ok || string(v) != c.want {
			t.Errorf("%q %v %v", v, ok, err)
		}
	}
}

// The same over a directory of the machine, which --dir gives.
func TestOnDisk(t *testing.T) {
	r := newRig(t, Options{Incremental: true, FS: OnDisk(), Dir: t.TempDir()})
	r.put(0, 5000)
	h, err := r.snapshot(1, Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.db.Close(); err != nil {
		t.Fatal(err)
	}
	r.o.Dir = t.TempDir()
	r.open(h)
	if r.table.Len() != 5000 {
		t.Error(r.table.Len())
	}
}

// What a ForSt backend read and wrote far away is counted, once for each file
// and operation, and handed to whoever turns it into time.
func TestRemoteIO(t *testing.T) {
	cache := NewFileCache(FileCacheConfig{Limit: 1 << 20, TargetFileSize: 1 << 21, AccessBeforePromote: 2})
	r := newRig(t, Options{ForSt: &ForSt{Async: true, Store: NewMemFS(), Primary: "db", Cache: cache}})
	r.put(0, 100)
	if err := r.db.flushAll(); err != nil {
		t.Fatal(err)
	}
	wrote := r.db.Remote().DrainIO()
	if wrote.RemoteWrites == 0 || wrote.RemoteBytesWritten == 0 || wrote.RemoteReads != 0 {
		t.Errorf("%+v", wrote)
	}
	r.table.Get(r.o.Keys.Intern("key-7"), state.Void)
	read := r.db.Remote().DrainIO()
	if read.RemoteReads == 0 || cache.Counters() != (CacheCounters{Miss: 1}) {
		t.Errorf("%+v %+v", read, cache.Counters())
	}
	if again := r.db.Remote().DrainIO(); again != (IO{}) {
		t.Errorf("%+v", again)
	}
}

// Keys of a tree sort as their parts do, with all bytes that a key can have.
func TestKeyCodec(t *testing.T) {
	names := []string{"", "\x00", "\x00\x00", "\x00\x01", "\x00\xff", "a", "a\x00", "a\x00b", "a\x01", "ab", "ñ", "\xff"}
	var last []byte
	for _, group := range []int{0, 1, 32767} {
		for _, name := range names {
			for _, ns := range []state.Namespace{{Start: -5, End: 3}, {}, {Start: 0, End: 1}, {Start: 7}} {
				k := &state.Key{Name: name, Group: group}
				b := appendCell(nil, k, ns)
				if last != nil && string(b) <= string(last) {
					t.Errorf("%d %q %v is not above the one before", group, name, ns)
				}
				last = b
				if r, ok := readRow(b, false); !ok || r.Key != name || r.Group != group || r.Namespace != ns {
					t.Errorf("%q: %+v", b, r)
				}
				timer := state.Timer{Time: -ns.Start, Key: k, Namespace: ns}
				if r, ok := readRow(appendTimer(nil, timer), true); !ok || r.Key != name || r.Timer != -ns.Start || r.Namespace != ns {
					t.Errorf("timer: %+v", r)
				}
				for i := range b {
					if _, ok := readRow(b[:i], false); ok {
						t.Errorf("%q is read as a key", b[:i])
					}
				}
			}
		}
	}
}

// The division of managed memory is the formula's (CP-6.10), within the bounds
// of a memtable.
func TestManagedMemory(t *testing.T) {
	m := ManagedMemory{Bytes: 30 << 20}
	if got := fmt.Sprint(m.CacheCapacity()>>20, m.WriteBufferCapacity()>>20, m.FlushOne()>>20); got != "25 10 10" {
		t.Error(got)
	}
	if (ManagedMemory{}).FlushOne() != DefaultFlush || (ManagedMemory{Bytes: 1}).FlushOne() != MinFlush || (ManagedMemory{Bytes: 1 << 40}).FlushOne() != MaxFlush {
		t.Error("bounds")
	}
}

// A table that another program wrote under the same name is an error of the
// task, not a panic.
func TestForeignTable(t *testing.T) {
	r := newRig(t, Options{Incremental: true})
	r.put(0, 1)
	h, err := r.snapshot(1, Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	r.open(h)
	other := state.Open(r.store, "value", state.String{})
	other.Get(r.o.Keys.Intern("key-0"), state.Void)
	if !errors.Is(r.store.Err(), state.ErrCodec) {
		t.Error(r.store.Err())
	}
}

// Deleting what a running ForSt job reads breaks it at the next miss; what the
// cache holds still works (CP-7.7).
func TestALostRemoteFileBreaksTheRunningJob(t *testing.T) {
	for _, cached := range []bool{true, false} {
		store := NewMemFS()
		o := Options{ForSt: &ForSt{Async: true, Store: store, Primary: "db"}}
		if cached {
			o.ForSt.Cache = NewFileCache(FileCacheConfig{Limit: 1 << 20, TargetFileSize: 1})
		}
		r := newRig(t, o)
		r.put(0, 100)
		if err := r.db.flushAll(); err != nil {
			t.Fatal(err)
		}
		changes := r.db.Remote().DrainChanges()
		if len(changes) != 1 || changes[0].Deleted || changes[0].Size == 0 {
			t.Fatal(changes)
		}
		if err := store.Remove(changes[0].Object); err != nil {
			t.Fatal(err)
		}
		v, ok := r.table.Get(r.o.Keys.Intern("key-7"), state.Void)
		switch err := r.store.Err(); {
		case cached && (err != nil || !ok || v != 7):
			t.Error("the cache:", v, ok, err)
		case !cached && !errors.Is(err, fs.ErrNotExist):
			t.Error("no error of the task:", v, ok, err)
		}
	}
}

// Our count of flushes is Pebble's: none happens that we did not ask for.
func TestPebbleNeverFlushesByItself(t *testing.T) {
	for _, flush := range []int64{MinFlush, 1 << 20, DefaultFlush} {
		x, err := OpenInstance(InstanceConfig{Flush: flush})
		if err != nil {
			t.Fatal(err)
		}
		before := x.db.Metrics().Flush.Count
		for i := range 100_000 {
			key := []byte{0, 0, byte(i >> 16), byte(i >> 8), byte(i)}
			if err := x.Put(key, key[:i%5]); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.Scan(nil, nil, func(_, _ []byte) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if got, want := x.db.Metrics().Flush.Count-before, x.Totals().Flushes; got != want || want == 0 {
			t.Errorf("limit %d: %d flushes, we asked for %d", flush, got, want)
		}
		tables, err := x.Tables()
		if err != nil || int64(len(tables)) != x.Totals().Flushes {
			t.Errorf("limit %d: %d tables of %d flushes", flush, len(tables), x.Totals().Flushes)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
