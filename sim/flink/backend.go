package flink

import (
	"errors"
	"fmt"
	"io/fs"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// RocksDB is the embedded RocksDB backend: a real log-structured merge tree for
// each column family of a subtask. Its storage is opened by the runtime, which
// knows the subtask.
var RocksDB = state.Backend{Name: "rocksdb"}

// ForSt is the disaggregated backend: the same trees, with their files on the
// store (CP-7.2). It is experimental in Flink 2.2.
var ForSt = state.Backend{Name: "forst"}

// A ForStSpec are the options state.backend.forst.* of a job.
type ForStSpec struct {
	// Primary is primary-dir: empty is below the directory of checkpoints,
	// "local" keeps files on the local disk.
	Primary string
	// EnforceLocal is sync.enforce-local: operators that are not asynchronous
	// keep their files on the local disk whatever Primary says.
	EnforceLocal bool
	// CacheLimit is cache.size-based-limit in bytes; 0: no cache.
	CacheLimit int64
}

// PrimaryLocal is the value of primary-dir for the local disk.
const PrimaryLocal = "local"

// onTrees reports whether a backend keeps files.
func onTrees(b state.Backend) bool { return b.Name == RocksDB.Name || b.Name == ForSt.Name }

// tree is the storage of the subtask when it is a tree of files, else nil.
func (t *task) tree() *lsm.DB {
	db, _ := t.ctx.State.Keyed().(*lsm.DB)
	return db
}

// openStore opens the keyed state of the subtask, and takes what a tree can
// take by itself from the snapshot.
func (t *task) openStore(keys *state.Keys, from *Restored) (*state.Store, error) {
	b := t.job.Spec.Backend
	if !onTrees(b) {
		return state.NewStore(b, keys), nil
	}
	groups, err := t.groups()
	if err != nil {
		return nil, err
	}
	var handles []*lsm.Handle
	for _, k := range from.keyedOf(t.spec) {
		handles = append(handles, HandleOf(k, from.ID))
	}
	o := lsm.Options{
		Names: &t.job.cluster.names, UID: fmt.Sprintf("%s/%s/%d", t.job.ID, t.at, t.job.Attempt),
		Keys: keys, Groups: groups, Incremental: t.job.Spec.Checkpointing.Incremental,
		Flushed: func(e lsm.FamilyEdit) {
			// What clipping writes is told with the restore.
			if t.ctx != nil {
				t.edited("CP-6.3", e.Family, "flush", e.Edit)
			}
		},
	}
	if b.Name == ForSt.Name {
		o.ForSt = t.forSt()
	}
	if work := t.job.cluster.Work; work != nil {
		o.FS = lsm.OnDisk()
		if o.Dir, err = work(fmt.Sprintf("%s-%s-%d-a%d", t.job.ID, t.spec.ID(), t.index, t.job.Attempt)); err != nil {
			return nil, err
		}
	}
	db, err := t.job.cluster.remote.RestoreFrom(o, handles, t.local(from, groups))
	if err != nil {
		return nil, simulated(err)
	}
	t.job.cluster.trees.open[db] = true
	if err := t.mirror(db); err != nil {
		return nil, simulated(err)
	}
	if len(handles) > 0 {
		if err := t.reopened(db); err != nil {
			return nil, simulated(err)
		}
	}
	return state.NewStoreOn(b, db, keys), nil
}

// local are the copies of the subtask's own state that its TaskManager has.
func (t *task) local(from *Restored, groups state.KeyGroupRange) map[string][]byte {
	if from == nil || len(from.keyedOf(t.spec)) == 0 {
		return nil
	}
	return t.job.local(t.at, from.ID, groups.First, groups.Last)
}

// simulated turns an error of a tree into what the task throws: what is wrong
// with files is part of the simulated system.
func simulated(err error) error {
	var e *sim.Exception
	var store *objectstore.Error
	var file *lsm.FileError
	var path *fs.PathError
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &store):
		return store.Exception()
	case errors.Is(err, lsm.ErrMissing) && errors.As(err, &file):
		return &sim.Exception{Class: "java.io.FileNotFoundException", Message: "No such file or directory: " + file.Object, Rule: "CP-6.7"}
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &path):
		return &sim.Exception{Class: "java.io.FileNotFoundException", Message: "No such file or directory: " + path.Path, Rule: "CP-7.7"}
	case errors.As(err, &file):
		return &sim.Exception{Class: "java.io.IOException", Message: "Corruption: file " + file.Object + " " + file.Reason.Error(), Rule: "CP-6.7"}
	}
	return err
}

// snapshotTypes are what a tree is asked for.
func treeSnapshot(s *snapshotting) lsm.SnapshotType {
	switch {
	case s.typ.Savepoint() && s.format == Canonical:
		return lsm.CanonicalSavepoint
	case s.typ.Savepoint():
		return lsm.NativeSavepoint
	case s.typ == checkpoint.TypeFullCheckpoint:
		return lsm.FullCheckpoint
	}
	return lsm.Checkpoint
}

// treeFiles are the streams of a tree's snapshot: files go one by one, tables
// that an earlier snapshot brought not at all (CP-6.1).
func (t *task) treeFiles(db *lsm.DB, id int64, s *snapshotting, p *part, out *checkpoint.SubtaskState) error {
	if f := t.fault(sim.PointDisk); f != nil {
		t.job.kernel.Emit(t.at, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
		return &sim.Exception{
			Class: "org.rocksdb.RocksDBException", Rule: "CP-3.3",
			Message: "While appending to file: " + t.spec.ID() + "/db: No space left on device",
		}
	}
	snap, err := db.Snapshot(id, treeSnapshot(s))
	if err != nil {
		return simulated(err)
	}
	if err := t.mirror(db); err != nil {
		return simulated(err)
	}
	t.compactions()
	p.sync = t.syncTime(snap, 0)
	storage := t.job.coordinator.Storage()
	stored := map[string]checkpoint.Handle{}
	for _, f := range snap.Files {
		if f.Table() && s != nil {
			// What is handed over a second time, to a checkpoint that is full, is new
			// to nobody.
			if f.Transfer == lsm.Placeholder || f.Transfer == lsm.HandOver && t.job.coordinator.Store().Registry().Has(f.Object) {
				s.reusedTables++
			} else {
				s.newTables++
			}
		}
		if f.Transfer != lsm.Upload {
			continue
		}
		dir := s.directory
		if f.Scope == lsm.Shared {
			dir = storage.SharedDirectory()
		}
		name, table := fmt.Sprintf("%s-%d-%s", t.spec.ID(), t.index, f.Name), ""
		if f.Table() {
			name, table = f.Name, f.Name
		}
		if f.Scope == lsm.Shared || s.typ.Savepoint() {
			name = t.object(name, dir, id)
		}
		p.streams = append(p.streams, stream{
			dir: dir, name: name, table: table, relative: s.typ.Savepoint(),
			body: func() (objectstore.Body, error) {
				data, err := snap.Read(f)
				return objectstore.Bytes(data), err
			},
			stored: func(h checkpoint.Handle) { stored[f.Family+"/"+f.Name] = h },
		})
	}
	p.discard = snap.Discard
	p.finish = func() (checkpoint.TaskState, error) {
		h, err := snap.Finish(func(f lsm.File) lsm.Stored {
			at := stored[f.Family+"/"+f.Name]
			return lsm.Stored{Object: at.Path, Inline: at.Data}
		})
		if err != nil {
			return nil, err
		}
		if h.Form != lsm.FormEmpty {
			out.Keyed = append(out.Keyed, KeyedState(h, s.typ.Savepoint()))
		}
		out.Finished = t.finished
		return checkpoint.TaskState{{UID: t.spec.ID(), State: *out}}, nil
	}
	return nil
}

// forSt says where the tree of the subtask keeps its files.
func (t *task) forSt() *lsm.ForSt {
	j, o := t.job, t.job.Spec.ForSt
	f := &lsm.ForSt{Async: t.spec.Async, Mode: lsm.ClaimMode(j.claim)}
	if o.Primary == PrimaryLocal || !f.Async && o.EnforceLocal {
		return f
	}
	f.JobPath = j.coordinator.Storage().SharedDirectory() + "/"
	f.HandOver = o.Primary == "" || o.Primary == j.Spec.Checkpointing.Directory
	if !f.HandOver {
		f.JobPath = o.Primary + "/" + j.ID + "/"
	}
	f.Store = j.cluster.remote.FS
	f.Primary = fmt.Sprintf("%sdb-%s-%d-a%d", f.JobPath, t.spec.ID(), t.index, j.Attempt)
	if o.CacheLimit > 0 {
		f.Cache = lsm.NewFileCache(lsm.FileCacheConfig{Limit: o.CacheLimit, TargetFileSize: 1})
	}
	return f
}

// mirror brings to the store what the tree has written on its remote file
// system, and takes from it what the tree has deleted there.
func (t *task) mirror(db *lsm.DB) error {
	k := t.job.kernel
	return t.changes(db, func(body sim.Body) { k.Put(k.Step(t.at, "CP-7.3", body, k.Root), nil) })
}

func (t *task) changes(db *lsm.DB, tell func(sim.Body)) error {
	c := t.job.cluster
	return c.remote.Mirror(db, t.job.ID+" "+t.at, func(body sim.Body) {
		if _, deleted := body.(sim.ObjectDeleted); deleted {
			c.Forget()
		}
		tell(body)
	})
}

// reopened tells which tables a restored tree begins with.
func (t *task) reopened(db *lsm.DB) error {
	tables, err := db.Tables()
	if err != nil {
		return err
	}
	var order []string
	edits := map[string]lsm.Edit{}
	for _, f := range tables {
		if _, seen := edits[f.Family]; !seen {
			order = append(order, f.Family)
		}
		e := edits[f.Family]
		e.Outputs = append(e.Outputs, f.Table)
		edits[f.Family] = e
	}
	for _, family := range order {
		t.edited("CP-6.7", family, "restore", edits[family])
	}
	return nil
}

// compactions runs the compactions that wait.
func (t *task) compactions() {
	db := t.tree()
	if db == nil || t.compacting {
		return
	}
	due, err := db.CompactionsDue()
	if err != nil || len(due) == 0 {
		return
	}
	t.compacting = true
	family := due[0].Family
	t.book(due[0].Bytes, func() {
		t.compacting = false
		if t.tree() == nil || t.closed {
			return
		}
		edit, ok, err := db.RunCompaction(family)
		if err != nil {
			t.fail(simulated(err))
			return
		}
		if ok {
			t.edited("CP-6.3", family, "compaction", edit)
		}
		if err := t.mirror(db); err != nil {
			t.fail(simulated(err))
			return
		}
		t.compactions()
	})
}

// book runs a compaction at its virtual end: what is merged is decided then.
func (t *task) book(bytes int64, run func()) {
	m := t.job.Spec.Costs
	if m == nil {
		t.put(nil, run)
		return
	}
	t.due(t.job.kernel.Now()+max(m.Compaction(bytes), 1), false, run)
}

// edited writes a change of the tree.
func (t *task) edited(rule, family, reason string, e lsm.Edit) {
	body := sim.TreeEdited{Family: family, Reason: reason, BytesIn: e.BytesIn, BytesOut: e.BytesOut}
	files := func(in []lsm.Table) (out []sim.TableFile) {
		for _, f := range in {
			out = append(out, sim.TableFile{Name: f.Name, Level: f.Level, Size: f.Size})
		}
		return out
	}
	body.Inputs, body.Outputs = files(e.Inputs), files(e.Outputs)
	t.put(t.job.kernel.Step(t.at, rule, body, t.job.kernel.Root), nil)
}

// closeStore ends the storage of the subtask. A lost TaskManager cleans
// nothing up.
func (t *task) closeStore(lost bool) {
	if t.closed || t.ctx == nil || t.ctx.State == nil {
		return
	}
	t.closed = true
	db := t.tree()
	if db == nil {
		return
	}
	delete(t.job.cluster.trees.open, db)
	if lost {
		_ = db.Kill()
		return
	}
	// A tree that cannot be closed stays as it is; its task is over all the same.
	_ = db.Close()
	// The line is emptied with the attempt: what goes is told at once.
	_ = t.changes(db, func(body sim.Body) { t.job.kernel.Emit(t.at, "CP-7.3", body) })
}

// object names what this subtask uploads into a directory that outlives the
// checkpoint: file@checkpoint, with the subtask where another one uploads the
// same table. Flink takes a UUID.
func (t *task) object(name, dir string, id int64) string {
	object := fmt.Sprintf("%s@%d", name, id)
	path := dir + "/" + object
	if by, known := t.job.uploads[path]; known && by != t.index {
		return fmt.Sprintf("%s-%d@%d", name, t.index, id)
	}
	t.job.uploads[path] = t.index
	return object
}

// Compact rewrites the files of the subtasks at a place ("totals",
// "totals[1]"), each column family into one file.
func (j *Job) Compact(at string) {
	for _, t := range j.tasks {
		if t.Dead {
			continue
		}
		db := t.tree()
		if db == nil || t.at != at && t.spec.Name != at {
			continue
		}
		edits, err := db.Compact()
		if err != nil {
			t.fail(simulated(err))
			return
		}
		for _, e := range edits {
			t.edited("CP-6.3", e.Family, "rewrite", e.Edit)
		}
		if err := t.mirror(db); err != nil {
			t.fail(simulated(err))
			return
		}
	}
}
