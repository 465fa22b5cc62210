package lsm

import (
	"fmt"
	"io/fs"
	"testing"

	"streaminglab/sim/state"
)

// A tree that was opened and never written can be restored from its snapshot.
func TestRestoredWithoutWrites(t *testing.T) {
	objects := map[string][]byte{}
	fetch := func(o string) ([]byte, error) {
		b, ok := objects[o]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return b, nil
	}
	keys := state.NewKeys(128)
	names := &Names{}
	n := 0
	open := func(lo, hi int, hs ...*Handle) *DB {
		n++
		db, err := Restore(Options{Names: names, UID: fmt.Sprint(n), Keys: keys, Groups: Groups{First: lo, Last: hi}, Incremental: true}, hs, fetch)
		if err != nil {
			t.Fatalf("open %d: %v", n, err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	snap := func(db *DB, id int64) *Handle {
		s, err := db.Snapshot(id, Checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		h, err := s.Finish(func(f File) Stored {
			o := fmt.Sprintf("%s/%s/%s@%d", db.UID(), f.Family, f.Name, id)
			b, err := s.Read(f)
			if err != nil {
				t.Fatal(err)
			}
			objects[o] = b
			return Stored{Object: o}
		})
		if err != nil {
			t.Fatal(err)
		}
		db.NotifyComplete(id)
		return h
	}
	put := func(db *DB, k string) {
		raw := db.Table("t")
		raw.Put(keys.Intern(k), state.Void, []byte("v"))
	}
	// Each tree is taken from a snapshot and snapshotted again with nothing
	// written between, alone, in parts, and put together.
	first := open(0, 127)
	first.Timers("timers", nil)
	put(first, "a")
	put(first, "b")
	whole := snap(first, 1)
	left, right := snap(open(0, 63, whole), 2), snap(open(64, 127, whole), 2)
	left, right = snap(open(0, 63, left), 3), snap(open(64, 127, right), 3)
	whole = snap(open(0, 127, left, right), 4)
	part := snap(open(0, 31, whole), 5)
	snap(open(0, 31, part), 6)
}
