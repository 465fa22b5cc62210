package fold

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
)

// Storage is what became of the snapshots of a trace, of the objects on the
// store, of the registry of shared state and of the trees. Expressions, tables
// and pictures all read it: none of them follows a file by itself.
type Storage struct {
	// Job is the id of the present job, Restored the snapshot that it was started
	// from; nil: it started with empty state.
	Job      string
	Restored *Snapshot
	// Snapshots are in the order of their triggers, Objects in the order in which
	// they appeared.
	Snapshots []*Snapshot
	Objects   []*StoredObject
	// Shared is the registry of the present job, in the order of registration.
	Shared []*SharedFile
	// Trees are those that are open.
	Trees []*Tree

	// live: the present job has not ended; epoch counts what ends uploads: the end
	// of an attempt.
	live bool
	// attempt is the present one of the job, from 0.
	attempt int
	// claimed: the job owns what it was started from. released: that left its
	// list, and is again whose it was.
	claimed, released bool
	epoch             int
	epochs            map[string]int
	paths             map[string]*StoredObject
	// ids are the snapshots by their ids, in the order of their triggers; named is
	// the first with each name.
	ids   map[int][]*Snapshot
	named map[string]*Snapshot
	// ended and objects are the lists of expressions.
	ended   []*Checkpoint
	objects []*Object
}

// States of a snapshot.
const (
	SnapshotPending   = "pending"
	SnapshotCompleted = "completed"
	SnapshotAborted   = "aborted"
)

// A Snapshot is a checkpoint or savepoint.
type Snapshot struct {
	Checkpoint
	// Message is why it was aborted, in the words of the real system.
	Message string
	// Metadata is the object that makes it a snapshot, of MetadataSize bytes.
	Metadata     string
	MetadataSize int
	// NewTables and ReusedTables count its SSTs, also those inside _metadata.
	NewTables, ReusedTables int
	// Triggered is the step of its trigger, Ended that of its completion or
	// abort, Discarded that of a JobManager that deleted it; nil: not yet.
	Triggered, Ended, Discarded *sim.Step
	// Subsumed: it left the list of the retained ones. Lost: its coordinator was
	// gone before it ended.
	Subsumed, Lost bool
	// Acknowledged are subtasks, in order.
	Acknowledged []string
	// Uploads are the objects that were written for it, with its _metadata.
	Uploads []*StoredObject

	needs map[string]bool
}

// Savepoint reports whether a person asked for it.
func (c *Snapshot) Savepoint() bool { return strings.HasPrefix(c.Kind, "savepoint") }

// Needs reports whether a restore of a completed snapshot reads an object.
func (c *Snapshot) Needs(path string) bool {
	if c.Status != SnapshotCompleted || path == "" {
		return false
	}
	if c.needs == nil {
		c.needs = make(map[string]bool, len(c.Files)+1)
		c.needs[c.Metadata] = true
		for _, p := range c.Files {
			c.needs[p] = true
		}
	}
	return c.needs[path]
}

// Uploaded are the bytes that were written for it, with its _metadata.
func (c *Snapshot) Uploaded() (n int) {
	for _, o := range c.Uploads {
		n += o.Size
	}
	return n
}

// A StoredObject is an object of the store.
type StoredObject struct {
	Object
	// At is who wrote it: a subtask, or jm.
	At string
	// Creator is the snapshot that it was written for or handed to; nil: a tree
	// keeps it there for itself. HandedOver: it lay there already.
	Creator    *Snapshot
	HandedOver bool
	// Written and Deleted are the steps; not deleted: nil.
	Written, Deleted *sim.Step
	// of is the checkpoint that a pointer leads to.
	of *Snapshot

	epoch int
	// left: the tree that kept it is gone, and nobody else took it over.
	left bool
	// users are completed snapshots that a restore of reads it.
	users []*Snapshot
}

// Table reports whether it is an SST.
func (o *StoredObject) Table() bool { return o.Kind == objectSST }

// A SharedFile is an entry of the registry of shared state.
type SharedFile struct {
	Path      string `json:"path"`
	CreatedBy int    `json:"created_by"`
	LastUsed  int    `json:"last_used"`
}

// A Tree is a column family of a subtask.
type Tree struct {
	At     string          `json:"at"`
	Family string          `json:"family"`
	Tables []sim.TableFile `json:"tables"`
	// Flushes and Compactions count edits; BytesIn and BytesOut are what they
	// read and wrote.
	Flushes     int   `json:"flushes"`
	Compactions int   `json:"compactions"`
	BytesIn     int64 `json:"bytes_in"`
	BytesOut    int64 `json:"bytes_out"`
}

// Bytes of all tables.
func (t *Tree) Bytes() (n int64) {
	for _, f := range t.Tables {
		n += f.Size
	}
	return n
}

// NewStorage is that of an empty trace. Add takes in its steps, one by one.
func NewStorage() *Storage {
	return &Storage{paths: map[string]*StoredObject{}, ids: map[int][]*Snapshot{}, named: map[string]*Snapshot{}}
}

// StorageOf folds a trace.
func StorageOf(t *sim.Trace) *Storage {
	s := NewStorage()
	for _, x := range t.Steps() {
		s.Add(x)
	}
	return s
}

// Add takes in the next step.
func (s *Storage) Add(x *sim.Step) {
	switch b := x.Body.(type) {
	case sim.JobStarted:
		s.started(b)
	case sim.TaskFailed:
		s.attemptEnded(b.Subtasks)
	case sim.JobFailed:
		if b.Job != "" {
			s.Job = b.Job
		}
		s.jobEnded()
	case sim.JobCanceled, sim.JobFinished, sim.JobStopped, sim.JobManagerLost:
		s.jobEnded()
	case sim.CheckpointTriggered:
		c := &Snapshot{Triggered: x}
		c.ID, c.Kind, c.Format, c.Job, c.Status = int(b.ID), b.Kind, b.Format, b.Job, SnapshotPending
		c.Attempt = s.attempt
		c.Name = b.Name
		if c.Name == "" {
			c.Name = c.Job + "/chk-" + strconv.Itoa(c.ID)
		}
		s.Snapshots, s.ids[c.ID] = append(s.Snapshots, c), append(s.ids[c.ID], c)
		if s.named[c.Name] == nil {
			s.named[c.Name] = c
		}
	case sim.FileUploaded:
		o := s.put(x, b.Path, b.Table, b.Size, s.Find(b.Checkpoint))
		if c := o.Creator; c != nil && o.Kind == objectSST {
			c.New = append(c.New, o.SST)
			c.NewSize += o.Size
		}
	case sim.CheckpointAcknowledged:
		s.acknowledged(x, b.ID, b.Shared)
	case sim.CheckpointAcknowledgedLate:
		s.acknowledged(x, b.ID, b.Shared)
		s.gone(x, "jobmanager", b.Files...)
	case sim.CheckpointCompleted:
		s.completed(x, b)
	case sim.CheckpointAborted:
		if c := s.Find(b.ID); c != nil {
			c.Status, c.Reason, c.Message, c.Duration = SnapshotAborted, b.Reason, b.Message, int(x.T-c.Triggered.T)
			s.end(c, x)
		}
		s.gone(x, "jobmanager", b.Files...)
	case sim.CheckpointSubsumed:
		for _, c := range s.ids[int(b.ID)] {
			// Two jobs may have given the same id.
			switch {
			case !s.Kept(c):
			case c == s.Restored && !s.claimed:
				s.released = true
			default:
				c.Subsumed = true
			}
		}
	case sim.CheckpointDiscarded:
		s.gone(x, "jobmanager", b.Files...)
		// What may not be deleted stays, and somebody can start from it.
		if c := s.In(b.Directory); c != nil && !s.paths[c.Metadata].Exists {
			c.Gone, c.Discarded = true, x
		}
	case sim.JobManagerRecovered:
		s.recovered(b)
	case sim.PointerWritten:
		c := s.Find(b.Checkpoint)
		s.put(x, b.Path, "", b.Size, nil).Kind = objectPointer
		s.paths[b.Path].of = c
	case sim.SharedStateUnregistered:
		s.Shared = slices.DeleteFunc(s.Shared, func(f *SharedFile) bool { return f.Path == b.Path })
		if b.Deleted {
			s.gone(x, "jobmanager", b.Path)
		}
	case sim.ObjectDeleted:
		s.gone(x, b.By, b.Path)
	case sim.TreeEdited:
		s.edited(x.At, b)
	}
}

// started begins an attempt. A new job has a registry of its own; what was
// pending in the former one has lost its coordinator.
func (s *Storage) started(b sim.JobStarted) {
	s.attemptEnded(b.Subtasks)
	s.live, s.attempt = true, b.Attempt
	if b.Attempt > 0 {
		return
	}
	s.Job, s.Shared, s.Restored = b.Job, nil, s.In(b.Snapshot)
	s.claimed, s.released = b.ClaimMode == "CLAIM", false
	for _, c := range s.Snapshots {
		c.Lost = c.Lost || c.Status == SnapshotPending
	}
	// What it brings is registered under its own id (CP-8.8), unless it stays
	// somebody else's (CP-8.7).
	if c := s.Restored; c != nil {
		c.Subsumed = false
		for _, p := range b.Registered {
			s.register(p, c.ID)
		}
	}
}

// recovered : another JobManager has what high availability kept. Everything
// else that the former one knew is gone: what was pending, and what it had
// registered for checkpoints that are not retained (CP-8.10).
func (s *Storage) recovered(b sim.JobManagerRecovered) {
	s.live, s.Shared = true, nil
	for _, f := range b.Registered {
		s.Shared = append(s.Shared, &SharedFile{f.Path, int(f.CreatedBy), int(f.LastUsed)})
	}
	for _, c := range s.Snapshots {
		c.Lost = c.Lost || c.Status == SnapshotPending
	}
}

// attemptEnded : the trees of an attempt are gone, or those of the subtasks of a
// region. What they had for themselves and did not delete is nobody's now.
func (s *Storage) attemptEnded(subtasks []string) {
	if len(subtasks) == 0 {
		s.epoch++
	} else if s.epochs == nil {
		s.epochs = map[string]int{}
	}
	for _, at := range subtasks {
		s.epochs[at]++
	}
	s.Trees = slices.DeleteFunc(s.Trees, func(t *Tree) bool { return Touches(subtasks, nil, t.At) })
	for _, o := range s.Objects {
		o.left = o.left || o.Exists && o.Creator == nil && Touches(subtasks, nil, o.At)
	}
}

// epochOf counts the attempts of a subtask that have ended.
func (s *Storage) epochOf(at string) int { return s.epoch + s.epochs[at] }

func (s *Storage) jobEnded() {
	s.attemptEnded(nil)
	s.live = false
}

// Find is the newest snapshot with an id, nil: there is none. Ids rise within a
// job, and begin anew with a job that starts with empty state.
func (s *Storage) Find(id int64) *Snapshot {
	if all := s.ids[int(id)]; len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// In is the snapshot whose _metadata was written to a directory, or nil.
func (s *Storage) In(directory string) *Snapshot {
	for i := len(s.Snapshots) - 1; i >= 0 && directory != ""; i-- {
		if s.Snapshots[i].Path == directory {
			return s.Snapshots[i]
		}
	}
	return nil
}

// RestoredBy is the snapshot that a start of the present job comes from, or nil:
// of a new job what it was started from, of one that came back also a
// checkpoint of its own.
func (s *Storage) RestoredBy(b sim.JobStarted) *Snapshot {
	if b.Restored == 0 {
		return nil
	}
	if b.Attempt > 0 {
		for i := len(s.Snapshots) - 1; i >= 0; i-- {
			if c := s.Snapshots[i]; c.ID == int(b.Restored) && c.Job == s.Job && !c.Savepoint() {
				return c
			}
		}
	}
	return s.Restored
}

// ObjectAt is the object with a name, nil: there never was one.
func (s *Storage) ObjectAt(path string) *StoredObject { return s.paths[path] }

// end puts a snapshot among those that ended.
func (s *Storage) end(c *Snapshot, x *sim.Step) {
	c.Ended, c.Step, c.T = x, x.Seq, int(x.T)
	s.ended = append(s.ended, &c.Checkpoint)
}

// acknowledged : the registry hears of the shared files of a subtask with its
// acknowledgement, also with one that is late (CP-1.4).
func (s *Storage) acknowledged(x *sim.Step, id int64, shared []string) {
	if c := s.Find(id); c != nil {
		c.Acknowledged = append(c.Acknowledged, x.At)
	}
	for _, p := range shared {
		s.register(p, int(id))
	}
}

func (s *Storage) completed(x *sim.Step, b sim.CheckpointCompleted) {
	c := s.Find(b.ID)
	if c == nil {
		return
	}
	c.Status, c.Cells, c.Timers, c.ListItems = SnapshotCompleted, b.Cells, b.Timers, b.ListItems
	c.Duration, c.Size, c.FullSize = int(b.Duration), int(b.Size), int(b.FullSize)
	c.NewTables, c.ReusedTables = b.NewTables, b.ReusedTables
	c.Files, c.Metadata, c.MetadataSize = b.Files, b.Metadata, int(b.MetadataSize)
	c.Path = strings.TrimSuffix(b.Metadata, "/_metadata")
	if b.Metadata != "" {
		o := s.put(x, b.Metadata, "", b.MetadataSize, c)
		o.users = append(o.users, c)
	}
	for _, p := range b.Files {
		o := s.paths[p]
		if o == nil {
			continue
		}
		o.users = append(o.users, c)
		o.LastUsed = c.ID
		if o.Kind != objectSST {
			continue
		}
		switch o.Creator {
		case nil:
			o.Creator, o.CreatedBy, o.HandedOver, o.left = c, c.ID, true, false
			c.New, c.Handed, c.NewSize = append(c.New, o.SST), append(c.Handed, o.SST), c.NewSize+o.Size
		case c:
		default:
			c.Reused = append(c.Reused, o.SST)
		}
	}
	s.end(c, x)
}

// register says that a checkpoint uses a shared file.
func (s *Storage) register(path string, id int) {
	for _, f := range s.Shared {
		if f.Path == path {
			f.LastUsed = max(f.LastUsed, id)
			return
		}
	}
	s.Shared = append(s.Shared, &SharedFile{path, id, id})
}

// Registered is the entry of an object in the registry of the present job, nil:
// it has none, or the job has ended.
func (s *Storage) Registered(path string) *SharedFile {
	for _, f := range s.Shared {
		if s.live && f.Path == path {
			return f
		}
	}
	return nil
}

var ownedDir = regexp.MustCompile(`(?:^|/)(job\d+)/([^/]+)/`)

// put notes an object that was written.
func (s *Storage) put(x *sim.Step, path, table string, size int64, creator *Snapshot) *StoredObject {
	o := s.paths[path]
	if o == nil {
		o = &StoredObject{}
		s.Objects, s.paths[path] = append(s.Objects, o), o
		s.objects = append(s.objects, &o.Object)
	}
	*o = StoredObject{At: x.At, Creator: creator, Written: x, epoch: s.epochOf(x.At), users: o.users}
	o.Path, o.Size, o.SST, o.Exists, o.Gone, o.T = path, int(size), table, true, int(sim.MaxTime), int(x.T)
	above, base, _ := cutLast(path, "/")
	_, o.Dir, _ = cutLast("/"+above, "/")
	if m := ownedDir.FindStringSubmatch(path); m != nil {
		o.Job, o.Dir = m[1], m[2]
	}
	switch {
	case table != "" || strings.HasSuffix(base, ".sst"):
		o.Kind = objectSST
	case base == "_metadata":
		o.Kind = objectMetadata
	default:
		o.Kind = objectPrivate
	}
	if creator != nil {
		o.CreatedBy = creator.ID
		creator.Uploads = append(creator.Uploads, o)
	}
	return o
}

// gone notes that objects were deleted.
func (s *Storage) gone(x *sim.Step, by string, paths ...string) {
	for _, p := range paths {
		if o := s.paths[p]; o != nil && o.Exists {
			o.Exists, o.DeletedBy, o.Gone, o.Deleted = false, by, int(x.T), x
		}
	}
}

func (s *Storage) edited(at string, b sim.TreeEdited) {
	i := slices.IndexFunc(s.Trees, func(t *Tree) bool { return t.At == at && t.Family == b.Family })
	if i < 0 {
		i = len(s.Trees)
		s.Trees = append(s.Trees, &Tree{At: at, Family: b.Family})
	}
	t := s.Trees[i]
	if b.Reason == "restore" {
		// All of the tree that was opened is listed.
		t.Tables = nil
	}
	t.Tables = slices.DeleteFunc(t.Tables, func(f sim.TableFile) bool {
		return slices.ContainsFunc(b.Inputs, func(in sim.TableFile) bool { return in.Name == f.Name })
	})
	t.Tables = append(t.Tables, b.Outputs...)
	switch b.Reason {
	case "flush":
		t.Flushes++
	case "compaction", "rewrite":
		t.Compactions++
	}
	t.BytesIn += b.BytesIn
	t.BytesOut += b.BytesOut
}
