package narrate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"streaminglab/sim"
)

// storage is the fold behind the views of checkpoints: snapshots, objects of
// the store, shared files and the files of the trees. Like every view it reads
// the trace and nothing else.
type storage struct {
	// job counts the jobs that were started, restored is the id of the snapshot
	// that the present one was started from.
	job      int
	restored int64
	// epoch counts what ends uploads: the end of an attempt.
	epoch int

	snapshots []*snapshotRow
	// objects in the order in which they appeared, and by path.
	objects []*object
	byPath  map[string]*object
	// shared are the shared files that the present job has registered.
	shared []*sharedFile
	trees  []*treeRow
}

// States of a snapshot, as Flink's web UI names them.
const (
	statusPending   = "IN_PROGRESS"
	statusCompleted = "COMPLETED"
	statusFailed    = "FAILED"
)

type snapshotRow struct {
	job          int
	id           int64
	kind, format string
	status       string
	reason       string
	// lost: its coordinator was gone before it ended.
	lost         bool
	triggered    *sim.Step
	duration     int64
	size, full   int64
	news, reused int
	directory    string
	metadata     string
	files        []string
	subsumed     bool
	discarded    *sim.Step
	acknowledged []string
	// uploads are the table files that were brought for it.
	uploads []*object
}

// exists reports whether a restore could name it.
func (r *snapshotRow) exists() bool { return r.status == statusCompleted && r.discarded == nil }

func (r *snapshotRow) needs(p string) bool {
	return p == r.metadata || slices.Contains(r.files, p)
}

// object is an object of the store; checkpoint 0: a tree keeps it there.
type object struct {
	path, at   string
	size       int64
	job        int
	checkpoint int64
	epoch      int
	// deleted is the step that deleted it; by is jm, person or lifecycle.
	deleted *sim.Step
	by      string
}

type sharedFile struct {
	path                string
	createdBy, lastUsed int64
}

// treeRow is one column family of a subtask.
type treeRow struct {
	at, family string
	files      []sim.TableFile
}

// tableName are the names of table files among the objects: those of an
// embedded tree, and those of a tree on the store.
var tableName = regexp.MustCompile(`^(f\d+(@\d+)?|\d+\.sst)$`)

func isTable(p string) bool { return tableName.MatchString(path.Base(p)) }

func storageOf(t *sim.Trace) *storage {
	f := &storage{byPath: map[string]*object{}}
	for _, s := range t.Steps() {
		f.add(s)
	}
	return f
}

func (f *storage) add(s *sim.Step) {
	at := place(s.At)
	switch b := s.Body.(type) {
	case sim.JobStarted:
		f.start(b)
	case sim.TaskFailed, sim.JobFailed, sim.JobCanceled, sim.JobFinished, sim.JobStopped:
		f.trees = nil
		f.epoch++
	case sim.CheckpointTriggered:
		f.snapshots = append(f.snapshots, &snapshotRow{
			job: f.job, id: b.ID, kind: b.Kind, format: b.Format, status: statusPending, triggered: s,
		})
	case sim.FileUploaded:
		o := f.put(b.Path, b.Size)
		o.at, o.job, o.checkpoint, o.epoch = at, f.job, b.Checkpoint, f.epoch
		if r := f.find(b.Checkpoint); r != nil && isTable(b.Path) {
			r.uploads = append(r.uploads, o)
		}
	case sim.CheckpointAcknowledged:
		if r := f.find(b.ID); r != nil {
			r.acknowledged = append(r.acknowledged, at)
			f.registerUploads(at, r)
		}
	case sim.CheckpointAcknowledgedLate:
		if r := f.find(b.ID); r != nil {
			r.acknowledged = append(r.acknowledged, at)
			f.registerUploads(at, r)
		}
		f.deleted(s, "jm", b.Files)
	case sim.CheckpointCompleted:
		f.completed(b)
	case sim.CheckpointAborted:
		if r := f.find(b.ID); r != nil {
			r.status, r.reason, r.duration = statusFailed, b.Reason, s.T-r.triggered.T
		}
		f.deleted(s, "jm", b.Files)
	case sim.CheckpointSubsumed:
		if r := f.find(b.ID); r != nil {
			r.subsumed = true
		}
	case sim.CheckpointDiscarded:
		for _, r := range f.snapshots {
			if r.directory == b.Directory {
				r.discarded = s
			}
		}
		f.deleted(s, "jm", b.Files)
	case sim.SharedStateUnregistered:
		f.shared = slices.DeleteFunc(f.shared, func(x *sharedFile) bool { return x.path == b.Path })
		if b.Deleted && b.Error == "" {
			f.deleted(s, "jm", []string{b.Path})
		}
	case sim.ObjectDeleted:
		f.put(b.Path, b.Size)
		f.deleted(s, b.By, []string{b.Path})
	case sim.TreeEdited:
		f.edit(at, b)
	}
}

// start begins an attempt. A new job has a registry of its own; what was
// pending in the former one has lost its coordinator.
func (f *storage) start(b sim.JobStarted) {
	f.trees = nil
	f.epoch++
	if b.Attempt > 0 {
		return
	}
	f.job++
	f.restored, f.shared = b.Restored, nil
	for _, r := range f.snapshots {
		if r.status == statusPending {
			r.lost = true
		}
	}
}

// find is the last snapshot with an id: ids rise within a job.
func (f *storage) find(id int64) *snapshotRow {
	for i := len(f.snapshots) - 1; i >= 0; i-- {
		if f.snapshots[i].id == id {
			return f.snapshots[i]
		}
	}
	return nil
}

func (f *storage) put(p string, size int64) *object {
	o := f.byPath[p]
	if o == nil {
		o = &object{path: p}
		f.objects, f.byPath[p] = append(f.objects, o), o
	}
	o.size, o.deleted, o.by = size, nil, ""
	return o
}

func (f *storage) deleted(s *sim.Step, by string, paths []string) {
	for _, p := range paths {
		if o := f.byPath[p]; o != nil && o.deleted == nil {
			o.deleted, o.by = s, by
		}
	}
}

func (f *storage) completed(b sim.CheckpointCompleted) {
	r := f.find(b.ID)
	if r == nil {
		return
	}
	r.status, r.duration, r.size, r.full = statusCompleted, b.Duration, b.Size, b.FullSize
	r.directory, r.metadata, r.files = directory(b.Metadata), b.Metadata, b.Files
	o := f.put(b.Metadata, b.MetadataSize)
	o.at, o.job, o.checkpoint = "jm", f.job, b.ID
	for _, p := range b.Files {
		if !isTable(p) {
			continue
		}
		o := f.byPath[p]
		known := f.registered(p)
		switch {
		case o != nil && o.checkpoint == b.ID && o.job == f.job, o != nil && o.checkpoint == 0 && known == nil:
			r.news++
		default:
			r.reused++
		}
		if !isSavepoint(b.Kind) {
			f.register(p, o, b.ID)
		}
	}
}

// registerUploads registers what a subtask has brought for a checkpoint: the
// registry hears of it with the acknowledgement, also of one that is late
// (CP-1.4).
func (f *storage) registerUploads(at string, r *snapshotRow) {
	if isSavepoint(r.kind) {
		return
	}
	for _, o := range r.uploads {
		if o.at == at && o.checkpoint == r.id && strings.Contains(o.path, "/shared/") {
			f.register(o.path, o, r.id)
		}
	}
}

func (f *storage) registered(p string) *sharedFile {
	for _, x := range f.shared {
		if x.path == p {
			return x
		}
	}
	return nil
}

// register says that a checkpoint uses a shared file. One that this job did not
// upload came with the snapshot that it was restored from (CP-8.8).
func (f *storage) register(p string, o *object, id int64) {
	if o != nil && o.checkpoint == id && !strings.Contains(p, "/shared/") {
		return // private: chk-N holds it alone
	}
	x := f.registered(p)
	if x == nil {
		x = &sharedFile{path: p, createdBy: id, lastUsed: id}
		if o == nil || o.job != f.job {
			x.createdBy = f.restored
		}
		f.shared = append(f.shared, x)
	}
	x.lastUsed = max(x.lastUsed, id)
}

func (f *storage) edit(at string, b sim.TreeEdited) {
	i := slices.IndexFunc(f.trees, func(t *treeRow) bool { return t.at == at && t.family == b.Family })
	if i < 0 {
		f.trees = append(f.trees, &treeRow{at: at, family: b.Family})
		i = len(f.trees) - 1
	}
	t := f.trees[i]
	if b.Reason == "restore" {
		t.files = nil
	}
	t.files = slices.DeleteFunc(t.files, func(x sim.TableFile) bool {
		return slices.ContainsFunc(b.Inputs, func(y sim.TableFile) bool { return y.Name == x.Name })
	})
	t.files = append(t.files, b.Outputs...)
}

// users are the snapshots that need an object, oldest first.
func (f *storage) users(p string) (out []*snapshotRow) {
	for _, r := range f.snapshots {
		if r.exists() && r.needs(p) {
			out = append(out, r)
		}
	}
	return out
}
