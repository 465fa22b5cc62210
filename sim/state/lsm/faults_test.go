package lsm

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"streaminglab/sim/state"
)

// rig is a backend with a table, and a store of objects.
type rig struct {
	t       testing.TB
	o       Options
	db      *DB
	table   *state.Table[int64]
	store   *state.Store
	objects map[string][]byte
}

func newRig(t testing.TB, o Options) *rig {
	r := &rig{t: t, objects: map[string][]byte{}}
	if o.Keys == nil {
		o.Keys = state.NewKeys(128)
	}
	if o.Groups == (Groups{}) {
		o.Groups = Groups{First: 0, Last: 127}
	}
	r.o = o
	r.open(nil)
	return r
}

func (r *rig) open(h *Handle) {
	r.t.Helper()
	db, err := Restore(r.o, []*Handle{h}, r.fetch)
	if err != nil {
		r.t.Fatal(err)
	}
	r.db = db
	r.store = state.NewStoreOn(state.Backend{Name: db.Backend()}, db, r.o.Keys)
	r.table = state.Open(r.store, "value", state.Int64{})
	r.t.Cleanup(func() { db.Close() })
}

func (r *rig) fetch(object string) ([]byte, error) {
	b, ok := r.objects[object]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return b, nil
}

func (r *rig) put(from, to int) {
	for i := from; i < to; i++ {
		r.table.Put(r.o.Keys.Intern(fmt.Sprintf("key-%d", i)), state.Void, int64(i))
	}
}

func (r *rig) snapshot(id int64, kind SnapshotType) (*Handle, error) {
	s, err := r.db.Snapshot(id, kind)
	if err != nil {
		return nil, err
	}
	return s.Finish(func(f File) Stored {
		b, err := s.Read(f)
		if err != nil {
			r.t.Error(err)
		}
		object := fmt.Sprintf("%s@%d", f.Name, id)
		r.objects[object] = b
		return Stored{Object: object}
	})
}

// Whatever is wrong with a file of a snapshot is said, with its name, before
// a tree is opened on it.
func TestFilesAreLookedAtBeforeATreeIsOpened(t *testing.T) {
	r := newRig(t, Options{Incremental: true})
	r.put(0, 100)
	h, err := r.snapshot(7, Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	all := append(append([]HandleFile(nil), h.Shared...), h.Private...)
	if len(all) < 5 {
		t.Fatalf("%d files", len(all))
	}
	for _, f := range all {
		whole := r.objects[f.Object]
		flipped := append([]byte(nil), whole...)
		flipped[len(flipped)/2] ^= 1
		for _, c := range []struct {
			what  string
			bytes []byte
			want  error
		}{
			{"missing", nil, ErrMissing},
			{"truncated", whole[:len(whole)-1], ErrSize},
			{"longer", append(append([]byte(nil), whole...), 0), ErrSize},
			{"flipped", flipped, ErrContent},
		} {
			if c.bytes == nil {
				delete(r.objects, f.Object)
			} else {
				r.objects[f.Object] = c.bytes
			}
			db, err := Restore(r.o, []*Handle{h}, r.fetch)
			var file *FileError
			if db != nil || !errors.Is(err, c.want) || !errors.As(err, &file) || file.File != f.Name || file.Snapshot != 7 {
				t.Errorf("%s %s: %v", f.Name, c.what, err)
			}
			r.objects[f.Object] = whole
		}
	}
	if db, err := Restore(r.o, []*Handle{h}, func(string) ([]byte, error) { return nil, syscall.EIO }); db != nil || !errors.Is(err, syscall.EIO) {
		t.Error("an unreachable store:", err)
	}
	r.open(h)
	if v, ok := r.table.Get(r.o.Keys.Intern("key-42"), state.Void); !ok || v != 42 {
		t.Error("the whole snapshot:", v, ok)
	}
}

// A handle of other files, or one with bytes that are none of ours, is an error.
func TestForeignHandles(t *testing.T) {
	r := newRig(t, Options{})
	r.put(0, 10)
	h, err := r.snapshot(1, Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Handle){
		"no META":              func(h *Handle) { h.Private = without(h.Private, FileMeta) },
		"no MANIFEST":          func(h *Handle) { h.Private = without(h.Private, FileManifest) },
		"form":                 func(h *Handle) { h.Form = FormFull },
		"unknown family":       func(h *Handle) { h.Private[0].Family = "nobody" },
		"not canonical at all": func(h *Handle) { h.Form = FormCanonical },
	} {
		c := *h
		c.Private = append([]HandleFile(nil), h.Private...)
		change(&c)
		if db, err := Restore(r.o, []*Handle{&c}, r.fetch); err == nil {
			t.Errorf("%s: no error", what)
			db.Close()
		}
	}
}

func without(files []HandleFile, name string) []HandleFile {
	return slices.DeleteFunc(files, func(f HandleFile) bool { return f.Name == name })
}

// Room is asked for before anything is written. The failure is the job's; the
// tree goes on, and has everything when there is room again.
func TestNoRoom(t *testing.T) {
	full := true
	r := newRig(t, Options{Incremental: true, Room: func(int64) error {
		if full {
			return ErrNoSpace
		}
		return nil
	}})
	r.put(0, 10)
	if _, err := r.snapshot(1, Checkpoint); !errors.Is(err, ErrNoSpace) {
		t.Fatal(err)
	}
	if n := len(r.db.live); n > 0 {
		t.Errorf("%d snapshots keep their links", n)
	}
	if !errors.Is(r.store.Err(), ErrNoSpace) {
		t.Error("the task does not hear of it:", r.store.Err())
	}
	x, err := OpenInstance(InstanceConfig{Room: r.o.Room})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := errors.Join(x.Put([]byte{0, 1}, []byte("v"))); err != nil {
		t.Fatal(err)
	}
	for what, f := range map[string]func() error{
		"flush":   x.Flush,
		"compact": func() error { _, err := x.Compact(); return err },
	} {
		if err := f(); !errors.Is(err, ErrNoSpace) {
			t.Errorf("%s: %v", what, err)
		}
	}
	full = false
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	if v, ok, err := x.Get(nil, []byte{0, 1}); err != nil || !ok || string(v) != "v" {
		t.Error(string(v), ok, err)
	}
}

// A real disk can fail where a simulated fault never does. Then the instance
// is dead: an error now and ever after, and the process lives.
func TestADiskThatFailsEndsTheInstanceOnly(t *testing.T) {
	for _, what := range []string{".sst", "MANIFEST", "CURRENT", "marker", "OPTIONS"} {
		for _, op := range []string{"flush", "compact", "checkpoint", "open"} {
			t.Run(what+" "+op, func(t *testing.T) {
				broken := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
					if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && strings.Contains(op.Path, what) {
						return syscall.ENOSPC
					}
					return nil
				})}
				disk := errorfs.Wrap(NewMemFS(), broken)
				if op == "open" {
					broken.On()
				}
				x, err := OpenInstance(InstanceConfig{FS: disk, Dir: "db"})
				if err != nil {
					return
				}
				write := func() {
					for i := range 100 {
						if err := x.Put([]byte{0, byte(i)}, []byte("value")); err != nil {
							t.Fatal(err)
						}
					}
				}
				write()
				if err := x.Flush(); err != nil {
					return // Broken from the start.
				}
				write()
				broken.On()
				done := make(chan error, 1)
				go func() {
					switch op {
					case "flush":
						done <- x.Flush()
					case "compact":
						_, err := x.Compact()
						done <- err
					default:
						_, _, err := x.Checkpoint("copy")
						done <- err
					}
				}()
				select {
				case err = <-done:
				case <-time.After(10 * time.Second):
					t.Fatal("hangs")
				}
				if dead := (*DeadError)(nil); errors.As(err, &dead) {
					if again := x.Flush(); !errors.Is(again, dead.Cause) && again == nil {
						t.Error("a dead instance works:", again)
					}
					if _, _, err := x.Get(nil, []byte{0, 1}); err == nil {
						t.Error("a dead instance reads")
					}
				}
				if err := x.Close(); err != nil {
					t.Log("close:", err)
				}
			})
		}
	}
}

// A flipped byte that gets past everything is an error of the read.
func TestCorruptBlock(t *testing.T) {
	disk := NewMemFS()
	x, err := OpenInstance(InstanceConfig{FS: disk, Dir: "db"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if err := x.Put([]byte{0, byte(i >> 8), byte(i)}, []byte("some value to fill a block with")); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	tables, err := x.Tables()
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	path := "db/" + tables[0].File
	b, err := ReadFile(disk, path)
	if err != nil {
		t.Fatal(err)
	}
	b[1000] ^= 0xff
	if err := WriteFile(disk, path, b); err != nil {
		t.Fatal(err)
	}
	x, err = OpenInstance(InstanceConfig{FS: disk, Dir: "db", Existing: true})
	if err != nil {
		t.Fatal("open does not look at blocks:", err)
	}
	defer x.Close()
	if err := x.Scan(nil, nil, func(_, _ []byte) error { return nil }); err == nil {
		t.Error("nobody noticed")
	}
	if _, err := x.Compact(); err == nil {
		t.Error("compaction did not notice")
	}
}

func TestUseAfterClose(t *testing.T) {
	x, err := OpenInstance(InstanceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	calls := map[string]func() error{
		"get":        func() error { _, _, err := x.Get(nil, []byte("k")); return err },
		"put":        func() error { return x.Put([]byte("k"), nil) },
		"delete":     func() error { return x.Delete([]byte("k")) },
		"merge":      func() error { return x.Merge([]byte("k"), nil) },
		"clip":       func() error { return x.Clip(Groups{Last: 9}, Groups{Last: 3}) },
		"scan":       func() error { return x.Scan(nil, nil, nil) },
		"flush":      x.Flush,
		"compact":    func() error { _, err := x.Compact(); return err },
		"run":        func() error { _, _, err := x.RunCompaction(); return err },
		"tables":     func() error { _, err := x.Tables(); return err },
		"metrics":    func() error { _, err := x.Metrics(); return err },
		"checkpoint": func() error { _, _, err := x.Checkpoint("c"); return err },
		"import":     func() error { return x.Import(nil, nil) },
		"close":      x.Close,
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := newRig(t, Options{})
	if err := r.db.Close(); err != nil {
		t.Fatal(err)
	}
	r.put(0, 1)
	if !errors.Is(r.store.Err(), ErrClosed) {
		t.Error(r.store.Err())
	}
	if _, err := r.db.Snapshot(1, Checkpoint); err == nil {
		t.Error("a snapshot of what is closed")
	}
}

func TestLargeValuesAreRefused(t *testing.T) {
	x, err := OpenInstance(InstanceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Put([]byte{0, 0}, make([]byte, maxEntry)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

// Nothing is left running when everything is closed.
func TestNoGoroutineStays(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		r := newRig(t, Options{Incremental: true, Compactions: CompactAtOnce, Memory: ManagedMemory{Bytes: 1}})
		r.put(0, 2000)
		h, err := r.snapshot(1, Checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.db.Close(); err != nil {
			t.Fatal(err)
		}
		r.open(h)
		if err := r.db.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// A backend that is dropped without being closed, as undo drops a world, goes
// with the garbage.
func TestDroppedBackendsAreCleanedUp(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		db, err := New(Options{Keys: state.NewKeys(128), Groups: Groups{Last: 127}})
		if err != nil {
			t.Fatal(err)
		}
		store := state.NewStoreOn(state.Backend{}, db, db.o.Keys)
		state.Open(store, "value", state.Int64{}).Put(db.o.Keys.Intern("a"), state.Void, 1)
		state.OpenTimers(store, "timers")
	}
	deadline := time.Now().Add(20 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}
