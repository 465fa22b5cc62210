package view

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"streaminglab/sim"
)

// A SnapshotState is how far a checkpoint or savepoint has come.
type SnapshotState int

// The states, in Flink's order.
const (
	InProgress SnapshotState = iota
	Completed
	Failed
)

// A Snapshot is a checkpoint or savepoint: a column of the matrix.
type Snapshot struct {
	ID int64
	// Label is how a script names it: "chk-3", "sp1"; Head is the same for a
	// narrow column.
	Label, Head         string
	Kind, Format        string
	State               SnapshotState
	Triggered, Ended    int64
	Duration            int64
	Size, FullSize      int64
	Metadata            string
	MetadataSize        int64
	Reason, Message     string
	Files               []string
	Uploaded            int64 // bytes of objects that were written for it
	Puts                int   // requests that wrote them
	Subsumed            bool
	Gone                bool // its _metadata is no longer on the store
	Step, TriggeredStep int
	uploads, needs      map[string]bool
}

// Savepoint says that a person asked for it.
func (s *Snapshot) Savepoint() bool { return strings.HasPrefix(s.Kind, "savepoint") }

// Present says that it stands on the store: somebody could restore from it.
func (s *Snapshot) Present() bool { return s.State == Completed && !s.Gone }

// Retained says that it is kept on the store. What the JobManager has subsumed
// and could not delete, or had not claimed, is there and no longer kept.
func (s *Snapshot) Retained() bool { return s.Present() && !s.Subsumed }

// Deleters of an object.
const (
	ByRegistry   = "registry"
	ByJobManager = "jobmanager"
	ByPerson     = "person"
	ByLifecycle  = "lifecycle"
)

// An Object is one object of the store.
type Object struct {
	Path, Name string
	Size       int64
	// By is the subtask that wrote it, Creator the snapshot it was written for.
	By      string
	Creator int // index of the snapshot
	Created int64
	// Table says that it is a table file of a tree, Group what it is otherwise
	// (MANIFEST, META, splits, _metadata).
	Table bool
	Group string
	// Deleted names who deleted it; empty: it is there.
	Deleted     string
	DeletedT    int64
	DeletedStep int
	// left says that the database that wrote it is gone.
	left bool
	Step int
}

// A Tree is a column family of a subtask.
type Tree struct {
	At, Family string
	Tables     []sim.TableFile
	// Flushes and Compactions count edits; BytesIn and BytesOut are what they
	// read and wrote.
	Flushes, Compactions int
	BytesIn, BytesOut    int64
	Last                 string
	Step                 int
}

// Bytes of all tables.
func (t *Tree) Bytes() (n int64) {
	for _, f := range t.Tables {
		n += f.Size
	}
	return n
}

// Focus is what a step is about.
type Focus struct {
	Column int // index of a snapshot, -1: none
	Paths  []string
	Tables []string // names of table files
	Tree   [2]string
}

// Snapshots is everything that the pictures of checkpoints show.
type Snapshots struct {
	Columns  []*Snapshot
	Objects  []*Object
	Trees    []*Tree
	Restored int // how often a job started from a snapshot
	Now      int64
	// hurt is the last deletion that was no job's.
	hurt     Focus
	hurtStep int
	uploaded int64 // to the store, by anybody
	puts     int
	restored int64 // the longest restore, by the model
	focus    map[int]Focus
	retained []int // columns that are, and those that are in progress
	pending  []int
	byPath   map[string]*Object
	byID     map[int64]int
	asks     int
	asked    map[int]int
}

// BuildSnapshots folds a trace into what became of its checkpoints.
func BuildSnapshots(t *sim.Trace) *Snapshots {
	s := &Snapshots{focus: map[int]Focus{}, byPath: map[string]*Object{}, byID: map[int64]int{}, asked: map[int]int{}}
	for _, x := range t.Steps() {
		s.add(x)
	}
	for i, c := range s.Columns {
		switch {
		case c.Retained():
			s.retained = append(s.retained, i)
		case c.State == InProgress:
			s.pending = append(s.pending, i)
		}
	}
	sort.SliceStable(s.Trees, func(i, j int) bool {
		a, b := s.Trees[i], s.Trees[j]
		if a.At != b.At {
			return a.At < b.At
		}
		return a.Family < b.Family
	})
	return s
}

// Contents says whether a trace has checkpoints to look at, trees that changed,
// and windows.
func Contents(t *sim.Trace) (snapshots, trees, windows bool) {
	for _, s := range t.Steps() {
		switch b := s.Body.(type) {
		case sim.CheckpointTriggered:
			snapshots = true
		case sim.TreeEdited:
			trees = true
		case sim.WindowFired, sim.WindowCleaned:
			windows = true
		case sim.RecordPlaced:
			windows = windows || len(b.Windows) > 0
		case sim.RecordDropped, sim.RecordLate, sim.RecordVanished:
			windows = true
		}
		if snapshots && trees && windows {
			break
		}
	}
	return snapshots, trees, windows
}

func (s *Snapshots) see(step int, f Focus) {
	s.focus[step] = f
}

// column is the snapshot that an id means now.
func (s *Snapshots) column(id int64) (*Snapshot, int) {
	i, ok := s.byID[id]
	if !ok {
		return nil, -1
	}
	return s.Columns[i], i
}

// in is the snapshot whose _metadata is in a directory: ids begin anew when a
// job starts from nothing.
func (s *Snapshots) in(directory string, id int64) (*Snapshot, int) {
	for i := len(s.Columns) - 1; i >= 0; i-- {
		if s.Columns[i].Metadata == directory+"/_metadata" {
			return s.Columns[i], i
		}
	}
	return s.column(id)
}

func (s *Snapshots) put(x *sim.Step, path string, size int64, column int) {
	o := s.byPath[path]
	if o == nil {
		o = &Object{Path: path}
		o.Name = path[strings.LastIndexByte(path, '/')+1:]
		o.Table, o.Group = groupOf(o.Name)
		if strings.HasSuffix(o.Name, ".sst") {
			// Each database counts from 1.
			dir := strings.TrimSuffix(path, "/"+o.Name)
			o.Name = strings.TrimPrefix(dir[strings.LastIndexByte(dir, '/')+1:], "db-") + "/" + o.Name
		}
		s.byPath[path] = o
		s.Objects = append(s.Objects, o)
	}
	o.Size, o.By, o.Creator, o.Created, o.Step = size, x.At, column, x.T, x.Seq
	o.Deleted, o.DeletedStep = "", 0
	s.uploaded += size
	s.puts++
	if column >= 0 {
		c := s.Columns[column]
		c.Uploaded += size
		c.Puts++
		c.uploads[path] = true
	}
}

func (s *Snapshots) gone(x *sim.Step, by string, paths ...string) {
	for _, p := range paths {
		o := s.byPath[p]
		if o == nil || o.Deleted != "" {
			continue
		}
		o.Deleted, o.DeletedT, o.DeletedStep = by, x.T, x.Seq
		for _, c := range s.Columns {
			if o.Group == "_metadata" && c.Metadata == p {
				c.Gone = true
			}
		}
	}
}

// groupOf says whether a name is that of a table file (f7@3), and what it is
// otherwise: totals-0-MANIFEST@3 is a MANIFEST.
func groupOf(name string) (table bool, group string) {
	base, _, _ := strings.Cut(name, "@")
	if strings.HasSuffix(base, ".sst") {
		// Written by a database that keeps its tables on the store.
		return true, base
	}
	if n := strings.TrimPrefix(base, "f"); n != base {
		if _, err := strconv.Atoi(n); err == nil {
			return true, base
		}
	}
	return false, base[strings.LastIndexByte(base, '-')+1:]
}

// verbs that ask for a savepoint, which counts their names on.
func asksForSavepoint(command string) bool {
	verb, _, _ := strings.Cut(command, " ")
	return verb == "savepoint" || verb == "stop"
}

func (s *Snapshots) add(x *sim.Step) {
	s.Now = x.T
	switch b := x.Body.(type) {
	case sim.CommandGiven:
		if asksForSavepoint(b.Command) {
			s.asks++
			s.asked[x.Seq] = s.asks
		}
	case sim.JobStarted:
		if b.Restored > 0 {
			s.Restored++
			if _, i := s.column(b.Restored); i >= 0 {
				s.see(x.Seq, Focus{Column: i})
			}
		}
		s.closed()
	case sim.StateRestored:
		s.restored = max(s.restored, b.Duration)
	case sim.CheckpointTriggered:
		c := &Snapshot{ID: b.ID, Kind: b.Kind, Format: b.Format, Triggered: x.T, Ended: x.T, Step: x.Seq, TriggeredStep: x.Seq, uploads: map[string]bool{}}
		c.Label, c.Head = fmt.Sprintf("chk-%d", b.ID), fmt.Sprint(b.ID)
		if c.Savepoint() {
			n := s.asks
			for _, cause := range x.Causes {
				if k, ok := s.asked[cause.Seq]; ok {
					n = k
				}
			}
			c.Label = fmt.Sprintf("sp%d", n)
			c.Head = c.Label
		}
		s.byID[b.ID] = len(s.Columns)
		s.Columns = append(s.Columns, c)
		s.see(x.Seq, Focus{Column: len(s.Columns) - 1})
	case sim.FileUploaded:
		_, i := s.column(b.Checkpoint)
		s.put(x, b.Path, b.Size, i)
		s.see(x.Seq, Focus{Column: i, Paths: []string{b.Path}})
	case sim.CheckpointAcknowledged:
		s.about(x, b.ID)
	case sim.CheckpointDeclined:
		s.about(x, b.ID)
	case sim.CheckpointRefused:
		s.about(x, b.ID)
	case sim.CheckpointAcknowledgedLate:
		s.about(x, b.ID)
		s.gone(x, ByJobManager, b.Files...)
	case sim.CheckpointCompleted:
		c, i := s.column(b.ID)
		if c == nil {
			return
		}
		c.State, c.Ended, c.Duration, c.Size, c.FullSize = Completed, x.T, b.Duration, b.Size, b.FullSize
		c.Metadata, c.MetadataSize, c.Files, c.Step = b.Metadata, b.MetadataSize, b.Files, x.Seq
		c.needs = map[string]bool{}
		for _, f := range b.Files {
			c.needs[f] = true
		}
		s.put(x, b.Metadata, b.MetadataSize, i)
		s.see(x.Seq, Focus{Column: i})
	case sim.CheckpointAborted:
		c, i := s.column(b.ID)
		if c == nil {
			return
		}
		c.State, c.Ended, c.Duration, c.Reason, c.Message, c.Step = Failed, x.T, x.T-c.Triggered, b.Reason, b.Message, x.Seq
		s.gone(x, ByJobManager, b.Files...)
		s.see(x.Seq, Focus{Column: i, Paths: b.Files})
	case sim.CheckpointSubsumed:
		if c, i := s.column(b.ID); c != nil {
			c.Subsumed = true
			s.see(x.Seq, Focus{Column: i})
		}
	case sim.CheckpointDiscarded:
		c, i := s.in(b.Directory, b.ID)
		s.gone(x, ByJobManager, b.Files...)
		if c != nil {
			s.see(x.Seq, Focus{Column: i, Paths: b.Files})
		}
	case sim.SharedStateUnregistered:
		if b.Deleted {
			s.gone(x, ByRegistry, b.Path)
		}
		s.see(x.Seq, Focus{Column: -1, Paths: []string{b.Path}})
	case sim.ObjectDeleted:
		s.gone(x, b.By, b.Path)
		s.hurt, s.hurtStep = Focus{Column: -1, Paths: []string{b.Path}}, x.Seq
		s.see(x.Seq, s.hurt)
	case sim.JobFinished, sim.JobFailed, sim.JobCanceled:
		s.closed()
	case sim.JobStopped:
		s.closed()
		if c, _ := s.column(b.ID); c != nil && b.Savepoint != "" {
			c.Label, c.Head = b.Savepoint, b.Savepoint
		}
	case sim.TreeEdited:
		s.edited(x, b)
	}
}

func (s *Snapshots) about(x *sim.Step, id int64) {
	if _, i := s.column(id); i >= 0 {
		s.see(x.Seq, Focus{Column: i})
	}
}

func (s *Snapshots) edited(x *sim.Step, b sim.TreeEdited) {
	var t *Tree
	for _, have := range s.Trees {
		if have.At == x.At && have.Family == b.Family {
			t = have
		}
	}
	if t == nil {
		t = &Tree{At: x.At, Family: b.Family}
		s.Trees = append(s.Trees, t)
	}
	f := Focus{Column: -1, Tree: [2]string{x.At, b.Family}}
	gone := map[string]bool{}
	for _, in := range b.Inputs {
		gone[in.Name] = true
		f.Tables = append(f.Tables, in.Name)
	}
	if b.Reason == "restore" {
		// All of the tree that was opened is listed.
		t.Tables = nil
	}
	kept := t.Tables[:0:0]
	for _, have := range t.Tables {
		if !gone[have.Name] {
			kept = append(kept, have)
		}
	}
	for _, out := range b.Outputs {
		kept = append(kept, out)
		f.Tables = append(f.Tables, out.Name)
	}
	t.Tables = kept
	switch b.Reason {
	case "flush":
		t.Flushes++
	case "compaction", "rewrite":
		t.Compactions++
	}
	t.BytesIn += b.BytesIn
	t.BytesOut += b.BytesOut
	t.Last, t.Step = b.Reason, x.Seq
	s.see(x.Seq, f)
}

// Level is the level of a table in the trees that are open, -1: in none.
func (s *Snapshots) Level(table string) int {
	for _, t := range s.Trees {
		for _, f := range t.Tables {
			if f.Name == table {
				return f.Level
			}
		}
	}
	return -1
}

// Needed are the retained snapshots that a restore of which reads an object,
// as indices.
func (s *Snapshots) Needed(path string) (out []int) {
	for _, i := range s.retained {
		if s.Columns[i].uses(path) {
			out = append(out, i)
		}
	}
	return out
}

// uses says that a completed snapshot consists of an object besides others.
func (c *Snapshot) uses(path string) bool {
	return c.needs[path] || c.Metadata == path && path != ""
}

// Pending says that an object was written for a snapshot that is not done.
func (s *Snapshots) Pending(o *Object) bool {
	for _, i := range s.pending {
		if s.Columns[i].uploads[o.Path] {
			return true
		}
	}
	return false
}

// Owned says that a running database keeps an object that no snapshot has got.
func (s *Snapshots) Owned(o *Object) bool {
	return o.Deleted == "" && !o.left && o.Creator < 0 && s.firstUse(o) < 0
}

// closed : the databases of an attempt are gone. What they had for themselves
// and did not delete is nobody's now.
func (s *Snapshots) closed() {
	s.Trees = nil
	for _, o := range s.Objects {
		if s.Owned(o) {
			o.left = true
		}
	}
}

// Orphan says that an object is there and no retained snapshot reads it.
func (s *Snapshots) Orphan(o *Object) bool {
	return o.Deleted == "" && len(s.Needed(o.Path)) == 0 && !s.Pending(o) && !s.Owned(o)
}

// Broken says that a retained snapshot reads an object that is not there.
func (s *Snapshots) Broken(c *Snapshot) bool {
	if !c.Retained() {
		return false
	}
	for _, f := range c.Files {
		if o := s.byPath[f]; o != nil && o.Deleted != "" {
			return true
		}
	}
	return false
}

// RestoreReads are the bytes and objects that a restore of a snapshot reads:
// _metadata with what is inlined in it, and its files.
func (s *Snapshots) RestoreReads(c *Snapshot) (bytes int64, gets int) {
	bytes, gets = c.MetadataSize, 1
	for _, f := range c.Files {
		if o := s.byPath[f]; o != nil {
			bytes += o.Size
			gets++
		}
	}
	return bytes, gets
}

// inlined are the bytes of state that are no file of their own.
func (s *Snapshots) inlined(c *Snapshot) int64 {
	n := c.FullSize
	for _, f := range c.Files {
		if o := s.byPath[f]; o != nil {
			n -= o.Size
		}
	}
	return n
}

// A matrixCell says what a snapshot has to do with a file.
type matrixCell int

const (
	notUsed matrixCell = iota
	uploaded
	reused
	missing
	handed // written by the database before, and not copied
)

func (s *Snapshots) cell(o *Object, column int) matrixCell {
	c := s.Columns[column]
	if c.State != Completed {
		if c.uploads[o.Path] {
			return uploaded
		}
		return notUsed
	}
	switch {
	case !c.uses(o.Path):
		if c.uploads[o.Path] {
			return uploaded
		}
		return notUsed
	case o.Deleted != "" && c.Retained():
		return missing
	case c.uploads[o.Path]:
		return uploaded
	case o.Creator < 0 && s.firstUse(o) == column:
		return handed
	}
	return reused
}

// firstUse is the first snapshot that an object is part of.
func (s *Snapshots) firstUse(o *Object) int {
	for i, c := range s.Columns {
		if c.State == Completed && c.uses(o.Path) {
			return i
		}
	}
	return -1
}

// focusOf is what a step is about. Where it is about nothing here, that is the
// newest snapshot, or what somebody deleted since.
func (s *Snapshots) focusOf(step int) (f Focus, exact bool) {
	if f, ok := s.focus[step]; ok && step > 0 {
		return f, true
	}
	n := len(s.Columns)
	if n == 0 || s.hurtStep > s.Columns[n-1].Step {
		f = s.hurt
		if s.hurtStep == 0 {
			f.Column = -1
		}
		return f, false
	}
	return Focus{Column: n - 1}, false
}

// holds says that a focus is about an object.
func (f Focus) holds(o *Object) bool {
	for _, p := range f.Paths {
		if p == o.Path {
			return true
		}
	}
	if o.Table {
		for _, t := range f.Tables {
			if t == o.Group {
				return true
			}
		}
	}
	return false
}
