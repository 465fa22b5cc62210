package lsm

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"streaminglab/sim"
	"streaminglab/sim/state"
)

// ClaimMode is execution.state-recovery.claim-mode.
type ClaimMode string

// The claim modes.
const (
	NoClaim ClaimMode = "NO_CLAIM"
	Claim   ClaimMode = "CLAIM"
	Legacy  ClaimMode = "LEGACY"
)

// CompactionMode says who runs compactions.
type CompactionMode int

const (
	// CompactOnDemand leaves them to the caller: CompactionDue, RunCompaction.
	CompactOnDemand CompactionMode = iota
	// CompactAtOnce runs what waits right after a flush, for callers without a
	// virtual time.
	CompactAtOnce
)

// Options configure the backend of one subtask.
type Options struct {
	// Names gives files names over all backends of a run. UID names this
	// backend, and must differ from that of every other one in a run.
	Names *Names
	UID   string
	// FS and Dir are the local disk; nil is a file system in memory. Nothing
	// may be in the directory.
	FS  FS
	Dir string
	// Keys interns the keys that are read back.
	Keys *state.Keys
	// Groups are the key groups of the subtask.
	Groups Groups
	// Incremental is execution.checkpointing.incremental.
	Incremental bool
	// HeapTimers keeps timers on the heap (timer-service.factory: HEAP).
	HeapTimers bool
	// BloomFilter is state.backend.rocksdb.use-bloom-filter; off is Flink's
	// default.
	BloomFilter bool
	Memory      ManagedMemory
	Compactions CompactionMode
	// Room is asked before files are written: a quota, or a fault.
	Room func(bytes int64) error
	// Flushed hears of each flush that made a table; nil: nobody.
	Flushed func(FamilyEdit)
	// ForSt makes this a ForSt backend; nil is RocksDB.
	ForSt *ForSt
}

// ForSt are the options of the disaggregated backend.
type ForSt struct {
	// Async is the backend of asynchronous operators (State V2): timers on the
	// heap, always incremental.
	Async bool
	// Store is the remote file system, and Primary the directory of this
	// attempt's tables there. A nil store keeps them on the local disk:
	// primary-dir local, or sync.enforce-local.
	Store   FS
	Primary string
	// JobPath is the directory of the job in the primary directory; files
	// below it were written by the same job.
	JobPath string
	// HandOver says that Primary lies below the shared directory of the job's
	// checkpoints, so that tables need not be copied there.
	HandOver bool
	// Mode is the claim mode of the job; empty is NO_CLAIM, the default.
	Mode ClaimMode
	// Cache is the cache on the local disk, nil for none.
	Cache *FileCache
}

// A DB is the keyed state of one subtask: one tree for each column family.
type DB struct {
	o        Options
	cache    *Cache
	remote   *RemoteFS
	families []*family
	uploaded *uploaded
	timers   []*heapTimers
	// restored are heap timers that no service has taken yet.
	restored  map[string][]state.Row
	snapshots int
	live      []*Snapshot
	err       error
	closed    bool
	// leased says that a snapshot failed in a way that never gives the tree
	// back: closing waits for ever.
	leased bool
	// written counts the bytes in all memtables.
	written int64
}

type family struct {
	name string
	// timers says that keys are timers.
	timers bool
	tree   *Instance
	dir    string
}

// New opens an empty backend.
func New(o Options) (*DB, error) {
	if o.FS == nil {
		o.FS = NewMemFS()
	}
	if o.Names == nil {
		o.Names = &Names{}
	}
	if o.ForSt != nil && o.ForSt.Mode == "" {
		f := *o.ForSt
		f.Mode = NoClaim
		o.ForSt = &f
	}
	db := &DB{o: o, uploaded: newUploaded(), restored: map[string][]state.Row{}}
	db.cache = NewCache(max(8<<20, min(o.Memory.CacheCapacity(), 64<<20)), o.Memory.FlushOne())
	if f := o.ForSt; f != nil && f.Store != nil {
		remote, err := NewRemoteFS(o.FS, f.Store, f.Primary, f.Cache)
		if err != nil {
			return nil, err
		}
		db.remote = remote
	}
	return db, nil
}

// Backend is the value of state.backend.type.
func (db *DB) Backend() string {
	if db.o.ForSt != nil {
		return "forst"
	}
	return "rocksdb"
}

// Groups are the key groups of the subtask.
func (db *DB) Groups() Groups { return db.o.Groups }

// UID names the backend.
func (db *DB) UID() string { return db.o.UID }

// Remote is the remote file system of a ForSt backend, nil for a local one.
func (db *DB) Remote() *RemoteFS { return db.remote }

// TableAt is the name of the table that a remote file is, empty when the tree
// has no such table (any more).
func (db *DB) TableAt(object string) string {
	for _, m := range db.remote.Mapped() {
		if m.Object != object {
			continue
		}
		for _, f := range db.families {
			if name, ok := f.tree.names[db.remote.PathBase(m.Path)]; ok && db.remote.PathDir(m.Path) == f.dir {
				return name
			}
		}
	}
	return ""
}

// fs is where the trees lie.
func (db *DB) fs() FS {
	if db.remote != nil {
		return db.remote
	}
	return db.o.FS
}

// family opens a column family when it is first used.
func (db *DB) family(name string, timers bool) (*family, error) {
	for _, f := range db.families {
		if f.name == name {
			return f, nil
		}
	}
	if err := db.usable(); err != nil {
		return nil, err
	}
	return db.open(name, timers, nil, false)
}

// open opens a tree in the next directory, or in the one that files were put
// into.
func (db *DB) open(name string, timers bool, known map[string]string, existing bool) (*family, error) {
	f := &family{name: name, timers: timers, dir: db.familyDir(len(db.families))}
	tree, err := OpenInstance(InstanceConfig{
		FS: db.fs(), Dir: f.dir, Names: db.o.Names, Known: known, Existing: existing, Cache: db.cache, Room: db.o.Room, Flushed: db.flushed(name), Flush: db.o.Memory.FlushOne(),
		BloomFilter: db.o.BloomFilter,
	})
	if err != nil {
		return nil, err
	}
	f.tree = tree
	db.families = append(db.families, f)
	return f, nil
}

// flushed tells of the flushes of a column family.
func (db *DB) flushed(name string) func(Edit) {
	if db.o.Flushed == nil {
		return nil
	}
	return func(e Edit) { db.o.Flushed(FamilyEdit{name, e}) }
}

func (db *DB) familyDir(n int) string { return db.path("cf-" + strconv.Itoa(n)) }

func (db *DB) path(name string) string {
	if db.o.Dir == "" {
		return name
	}
	return db.o.FS.PathJoin(db.o.Dir, name)
}

func (db *DB) usable() error {
	if db.closed {
		return ErrClosed
	}
	return db.err
}

// ready says whether a call of the seam, which returns no error, can do
// anything. A call after the end is an error like any other.
func (db *DB) ready() bool {
	if db.closed {
		db.fail(ErrClosed)
	}
	return db.err == nil
}

// fail keeps the first error.
func (db *DB) fail(err error) error {
	if err != nil && db.err == nil {
		db.err = err
	}
	return err
}

// Err is the first error: implements state.Keyed.
func (db *DB) Err() error { return db.err }

// Fail implements state.Keyed: from now on nothing works.
func (db *DB) Fail(err error) { db.fail(err) }

// wrote is called after each write: it flushes when memory says so.
func (db *DB) wrote(f *family, bytes int64) error {
	db.written += bytes
	if !f.tree.Full() {
		if db.written < db.o.Memory.FlushAll() {
			return nil
		}
		for _, other := range db.families {
			if other.tree.Written() > f.tree.Written() {
				f = other
			}
		}
	}
	return db.flush(f)
}

func (db *DB) flush(f *family) error {
	before := f.tree.Written()
	if err := f.tree.Flush(); err != nil {
		return err
	}
	db.written -= before
	for db.o.Compactions == CompactAtOnce {
		if _, ok, err := f.tree.RunCompaction(); err != nil || !ok {
			return err
		}
	}
	return nil
}

// A FamilyDue is a compaction that waits in a column family.
type FamilyDue struct {
	Family string
	Due
}

// CompactionsDue lists the column families in which a compaction waits.
func (db *DB) CompactionsDue() ([]FamilyDue, error) {
	if err := db.usable(); err != nil {
		return nil, err
	}
	var all []FamilyDue
	for _, f := range db.families {
		due, ok, err := f.tree.CompactionDue()
		if err != nil {
			return nil, db.fail(err)
		}
		if ok {
			all = append(all, FamilyDue{f.name, due})
		}
	}
	return all, nil
}

// RunCompaction runs one compaction that waits in a column family.
func (db *DB) RunCompaction(name string) (edit Edit, ok bool, err error) {
	if err := db.usable(); err != nil {
		return Edit{}, false, err
	}
	for _, f := range db.families {
		if f.name == name {
			err = db.silently(func() error {
				edit, ok, err = f.tree.RunCompaction()
				return err
			})
			return edit, ok, db.fail(err)
		}
	}
	return Edit{}, false, nil
}

// Compact rewrites every column family into one table, or none.
func (db *DB) Compact() ([]FamilyEdit, error) {
	if err := db.usable(); err != nil {
		return nil, err
	}
	var all []FamilyEdit
	err := db.silently(func() error {
		for _, f := range db.families {
			before := f.tree.Written()
			edit, err := f.tree.Compact()
			if err != nil {
				return err
			}
			db.written -= before
			if len(edit.Inputs) > 0 {
				all = append(all, FamilyEdit{f.name, edit})
			}
		}
		return nil
	})
	return all, db.fail(err)
}

// A FamilyEdit is a change in a column family.
type FamilyEdit struct {
	Family string
	Edit
}

// A FamilyTable is a table of a column family.
type FamilyTable struct {
	Family string
	Table
	// Path is its file in the file system of the tree; Object and Owner are
	// where a ForSt backend keeps it.
	Path   string
	Object string
	Owner  Owner
}

// Tables lists all live tables.
func (db *DB) Tables() ([]FamilyTable, error) {
	if err := db.usable(); err != nil {
		return nil, err
	}
	var all []FamilyTable
	for _, f := range db.families {
		tables, err := f.tree.Tables()
		if err != nil {
			return nil, db.fail(err)
		}
		for _, t := range tables {
			ft := FamilyTable{Family: f.name, Table: t, Path: db.o.FS.PathJoin(f.dir, t.File)}
			if db.remote != nil {
				ft.Object, ft.Owner, _ = db.remote.object(ft.Path)
			}
			all = append(all, ft)
		}
	}
	return all, nil
}

// FamilyMetrics are the metrics of a column family.
type FamilyMetrics struct {
	Family string
	Metrics
}

// Metrics returns the metrics of all column families.
func (db *DB) Metrics() ([]FamilyMetrics, error) {
	if err := db.usable(); err != nil {
		return nil, err
	}
	var all []FamilyMetrics
	for _, f := range db.families {
		m, err := f.tree.Metrics()
		if err != nil {
			return nil, db.fail(err)
		}
		all = append(all, FamilyMetrics{f.name, m})
	}
	return all, nil
}

func (db *DB) silently(f func() error) error {
	if db.remote == nil {
		return f()
	}
	return db.remote.silently(f)
}

// NotifyComplete tells the backend that a checkpoint is complete.
func (db *DB) NotifyComplete(id int64) {
	if db.usable() == nil {
		db.uploaded.complete(id)
	}
}

// NotifyAborted tells the backend that a checkpoint will not be complete.
func (db *DB) NotifyAborted(id int64) {
	if db.usable() == nil {
		db.uploaded.abort(id)
	}
}

// ErrHangs says that closing the backend does not come to an end: the task
// stays in CANCELING until the TaskManager is killed by its watchdog.
var ErrHangs = errors.New("lsm: closing waits for a lease that a failed snapshot keeps")

// Close ends the backend and removes its files: from the local disk, and from
// the remote file system those that were not handed over. When a failed
// snapshot keeps its lease the trees are given up and the error is ErrHangs:
// files stay.
func (db *DB) Close() error {
	if db.closed {
		return ErrClosed
	}
	if db.leased {
		if err := db.end(); err != nil {
			return err
		}
		return ErrHangs
	}
	if err := db.end(); err != nil {
		return err
	}
	return db.removeFiles()
}

// Kill ends the backend as the loss of its TaskManager does: nothing is
// cleaned up. The local disk is gone with it; the caller drops it.
func (db *DB) Kill() error {
	if db.closed {
		return ErrClosed
	}
	if err := db.end(); err != nil {
		return err
	}
	if db.remote != nil {
		db.remote.forget()
	}
	return nil
}

func (db *DB) end() error {
	db.closed = true
	var failed error
	for _, f := range db.families {
		if err := f.tree.Close(); err != nil && failed == nil {
			failed = fmt.Errorf("lsm: close %s: %w", f.name, err)
		}
	}
	db.cache.Close()
	if db.remote != nil {
		db.remote.cache.close()
	}
	return failed
}

func (db *DB) removeFiles() error {
	for _, s := range slices.Clone(db.live) {
		s.release()
	}
	for i := range db.families {
		if err := db.fs().RemoveAll(db.familyDir(i)); err != nil {
			return err
		}
	}
	return nil
}

func exception(class, message string) error {
	return &sim.Exception{Class: class, Message: message, Rule: "CP-7.4a"}
}

// LocalFiles are the kinds of files that the engine has in its directory on
// the local disk beside tables: names of RocksDB's, which people know.
func (db *DB) LocalFiles() []string {
	if db.closed {
		return nil
	}
	if db.remote != nil {
		return []string{"CURRENT", "IDENTITY", "LOG", "MANIFEST", "OPTIONS", "WAL"}
	}
	return []string{"CURRENT", "IDENTITY", "LOCK", "LOG", "MANIFEST", "OPTIONS", "WAL"}
}
