package view

import (
	"fmt"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// Focus is what a step is about.
type Focus struct {
	Column int // index of a snapshot, -1: none
	Paths  []string
	Tables []string // names of table files
	Tree   [2]string
}

// Snapshots is what the pictures of checkpoints show: what the fold over the
// store says, and which part of it each step is about.
type Snapshots struct {
	// Store is the fold; its snapshots are the columns of the matrix.
	Store *fold.Storage
	Now   int64

	// restores counts how often a job started from a snapshot, restored is the
	// longest restore, by the model.
	restores int
	restored int64
	// uploaded and puts are what anybody wrote to the store.
	uploaded int64
	puts     int
	// hurt is the last deletion that was no job's.
	hurt     Focus
	hurtStep int
	focus    map[int]Focus
	column   map[*fold.Snapshot]int
}

// BuildSnapshots folds a trace into what became of its checkpoints.
func BuildSnapshots(t *sim.Trace) *Snapshots {
	s := &Snapshots{Store: fold.StorageOf(t), focus: map[int]Focus{}, column: map[*fold.Snapshot]int{}}
	triggered := map[*sim.Step]int{}
	for i, c := range s.Store.Snapshots {
		s.column[c], triggered[c.Triggered] = i, i
	}
	// Ids begin anew: what one means is that of the last trigger.
	present := map[int64]int{}
	at := func(id int64) int {
		if i, ok := present[id]; ok {
			return i
		}
		return -1
	}
	for x := range t.Main() {
		if i, ok := triggered[x]; ok {
			present[x.Body.(sim.CheckpointTriggered).ID] = i
		}
		s.add(x, at)
	}
	sort.SliceStable(s.Store.Trees, func(i, j int) bool {
		a, b := s.Store.Trees[i], s.Store.Trees[j]
		if a.At != b.At {
			return a.At < b.At
		}
		return a.Family < b.Family
	})
	return s
}

// Content says what a trace has to look at.
type Content struct {
	// Snapshots: checkpoints or savepoints; Trees: trees that changed.
	Snapshots, Trees, Windows bool
	// Channels: something may be in them: barriers, or records that wait.
	Channels bool
	// Attempts: a task failed, or there was more than one start.
	Attempts bool
	// Topics: there are topics; Transactions: the coordinator knows ids; Phases: a
	// sink has written transactions; Delays: topics have records.
	Topics, Transactions, Phases, Delays bool
	// Splits: sources read something.
	Splits bool
}

// Contents looks through a trace.
func Contents(t *sim.Trace) (c Content) {
	starts := 0
	for s := range t.Main() {
		switch b := s.Body.(type) {
		case sim.CheckpointTriggered:
			c.Snapshots, c.Channels = true, true
		case sim.RecordWaiting, sim.InFlightRestored:
			c.Channels = true
		case sim.TaskFailed, sim.JobFailed:
			c.Attempts = true
		case sim.JobStarted:
			starts++
			c.Splits = c.Splits || len(b.Splits) > 0
			c.Attempts = c.Attempts || starts > 1
		case sim.TopicCreated:
			c.Topics = true
		case sim.SplitAdded, sim.RecordRead:
			c.Splits = true
		case sim.BatchAppended:
			c.Topics, c.Delays = true, c.Delays || !fold.Internal(b.Log.Partition)
		case sim.TransactionChanged:
			c.Transactions = true
			c.Phases = c.Phases || b.Transaction > 0 && subtask(b.By)
		case sim.CommittableEmitted:
			c.Phases = true
		case sim.TreeEdited:
			c.Trees = true
		case sim.WindowFired, sim.WindowCleaned:
			c.Windows = true
		case sim.RecordPlaced:
			c.Windows = c.Windows || len(b.Windows) > 0
		case sim.RecordDropped, sim.RecordLate, sim.RecordVanished:
			c.Windows = true
		}
	}
	return c
}

// subtask reports whether a client of the broker is a subtask of a job.
func subtask(client string) bool { return strings.HasSuffix(client, "]") }

// add notes what a step is about; at is the column that an id means then.
func (s *Snapshots) add(x *sim.Step, at func(int64) int) {
	s.Now = x.T
	about := func(id int64, paths ...string) {
		if i := at(id); i >= 0 {
			s.focus[x.Seq] = Focus{Column: i, Paths: paths}
		}
	}
	switch b := x.Body.(type) {
	case sim.JobStarted:
		if b.Restored > 0 {
			s.restores++
			about(b.Restored)
		}
	case sim.StateRestored:
		s.restored = max(s.restored, b.Duration)
	case sim.CheckpointTriggered:
		about(b.ID)
	case sim.FileUploaded:
		s.uploaded += b.Size
		s.puts++
		s.focus[x.Seq] = Focus{Column: at(b.Checkpoint), Paths: []string{b.Path}}
	case sim.CheckpointAcknowledged:
		about(b.ID)
	case sim.CheckpointDeclined:
		about(b.ID)
	case sim.CheckpointRefused:
		about(b.ID)
	case sim.CheckpointAcknowledgedLate:
		about(b.ID)
	case sim.CheckpointCompleted:
		s.uploaded += b.MetadataSize
		s.puts++
		about(b.ID)
	case sim.CheckpointAborted:
		about(b.ID, b.Files...)
	case sim.CheckpointSubsumed:
		about(b.ID)
	case sim.CheckpointDiscarded:
		if c := s.Store.In(b.Directory); c != nil {
			s.focus[x.Seq] = Focus{Column: s.column[c], Paths: b.Files}
		}
	case sim.SharedStateUnregistered:
		s.focus[x.Seq] = Focus{Column: -1, Paths: []string{b.Path}}
	case sim.ObjectDeleted:
		s.hurt, s.hurtStep = Focus{Column: -1, Paths: []string{b.Path}}, x.Seq
		s.focus[x.Seq] = s.hurt
	case sim.TreeEdited:
		f := Focus{Column: -1, Tree: [2]string{x.At, b.Family}}
		for _, t := range b.Inputs {
			f.Tables = append(f.Tables, t.Name)
		}
		for _, t := range b.Outputs {
			f.Tables = append(f.Tables, t.Name)
		}
		s.focus[x.Seq] = f
	}
}

// focusOf is what a step is about. Where it is about nothing here, that is the
// newest snapshot, or what somebody deleted since.
func (s *Snapshots) focusOf(step int) (f Focus, exact bool) {
	if f, ok := s.focus[step]; ok && step > 0 {
		return f, true
	}
	n := len(s.Store.Snapshots)
	if n == 0 || s.hurtStep > lastStep(s.Store.Snapshots[n-1]) {
		f = s.hurt
		if s.hurtStep == 0 {
			f.Column = -1
		}
		return f, false
	}
	return Focus{Column: n - 1}, false
}

// lastStep is that of the end of a snapshot, or of its trigger.
func lastStep(c *fold.Snapshot) int {
	if c.Ended != nil {
		return c.Ended.Seq
	}
	return c.Triggered.Seq
}

// ended is when a snapshot ended; one that has not ended, at its trigger.
func ended(c *fold.Snapshot) int64 {
	if c.Ended != nil {
		return c.Ended.T
	}
	return c.Triggered.T
}

// holds says that a focus is about an object.
func (f Focus) holds(o *fold.StoredObject) bool {
	for _, p := range f.Paths {
		if p == o.Path {
			return true
		}
	}
	return o.Table() && f.names(o.SST)
}

// names says that a focus is about a table file.
func (f Focus) names(table string) bool {
	for _, t := range f.Tables {
		if t == table {
			return true
		}
	}
	return false
}

// head is the label of a snapshot for a narrow column.
func head(c *fold.Snapshot) string {
	if c.Savepoint() {
		return c.Name
	}
	return fmt.Sprint(c.ID)
}

// objectName is the name of an object without its directory. What a tree keeps
// on the store is called by its SST, since each tree counts from 1.
func objectName(o *fold.StoredObject) string {
	name := o.Path[strings.LastIndexByte(o.Path, '/')+1:]
	switch {
	case !strings.HasSuffix(name, ".sst"):
		return name
	case o.SST != "":
		return o.SST
	}
	dir := strings.TrimSuffix(o.Path, "/"+name)
	return strings.TrimPrefix(dir[strings.LastIndexByte(dir, '/')+1:], "db-") + "/" + name
}

// group is what an object is: f7 for f7@3, MANIFEST for totals-0-MANIFEST@3.
func group(o *fold.StoredObject) string {
	if o.SST != "" {
		return o.SST
	}
	name := o.Path[strings.LastIndexByte(o.Path, '/')+1:]
	base, _, _ := strings.Cut(name, "@")
	if o.Table() {
		return base
	}
	return base[strings.LastIndexByte(base, '-')+1:]
}

// deleter names who deleted an object.
func deleter(o *fold.StoredObject) string {
	if _, ok := o.Deleted.Body.(sim.SharedStateUnregistered); ok {
		return "registry"
	}
	return o.DeletedBy
}

// level is that of a table in the trees that are open, -1: in none.
func (s *Snapshots) level(table string) int {
	for _, t := range s.Store.Trees {
		for _, f := range t.Tables {
			if f.Name == table {
				return f.Level
			}
		}
	}
	return -1
}

// broken says that a retained snapshot reads an object that is not there.
func (s *Snapshots) broken(c *fold.Snapshot) bool {
	return s.Store.Retained(c) && len(s.Store.Missing(c)) > 0
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

func (s *Snapshots) cell(o *fold.StoredObject, c *fold.Snapshot) matrixCell {
	if c.Needs(o.Path) && !o.Exists && s.Store.Retained(c) {
		return missing
	}
	return map[fold.Use]matrixCell{fold.NotUsed: notUsed, fold.Uploaded: uploaded, fold.Reused: reused, fold.HandedOver: handed}[c.UseOf(o)]
}
