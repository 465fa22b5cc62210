package fold

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
)

// Checkpoint is a checkpoint or savepoint that ended: completed or given up.
type Checkpoint struct {
	ID       int      `expr:"id" doc:"its id"`
	Name     string   `expr:"name" doc:"as restore takes it: job1/chk-3, sp1"`
	Kind     string   `expr:"kind" doc:"checkpoint, full, savepoint, savepoint-suspend or savepoint-drain"`
	Format   string   `expr:"format" doc:"of a savepoint: canonical or native"`
	Status   string   `expr:"status" doc:"completed or aborted"`
	Reason   string   `expr:"reason" doc:"why it was aborted: CheckpointFailureReason"`
	Cells    int      `expr:"cells" doc:"state cells in it"`
	Timers   int      `expr:"timers" doc:"event timers in it"`
	Duration int      `expr:"duration" doc:"ms from its trigger to its completion"`
	Size     int      `expr:"size" doc:"bytes that were written for it: Checkpointed Data Size in Flink's web UI"`
	FullSize int      `expr:"full_size" doc:"bytes that a restore reads: Full Checkpoint Data Size"`
	New      []string `expr:"new" doc:"SSTs that are new with it, by name; an SST that lies inside _metadata is no object"`
	NewSize  int      `expr:"new_size" doc:"bytes of those"`
	Handed   []string `expr:"handed" doc:"those among the new that nobody copied, because they lay on the store already (ForSt)"`
	Reused   []string `expr:"reused" doc:"SSTs that it refers to and an earlier one uploaded, by name"`
	Path     string   `expr:"path" doc:"the directory of its _metadata"`
	Files    []string `expr:"files" doc:"the objects that a restore needs beside _metadata"`
	Gone     bool     `expr:"gone" doc:"a JobManager deleted it"`
	Attempt  int      `expr:"attempt" doc:"the attempt of the job, from 0"`
	Job      string   `expr:"job" doc:"the job that took it: job1"`
	Step     int      `expr:"step" doc:"the step"`
	T        int      `expr:"t" doc:"virtual time, ms"`
}

// Object is an object that lay in the store at some time.
type Object struct {
	Path      string `expr:"path" doc:"its whole name"`
	Job       string `expr:"job" doc:"the job in whose directory it lies, empty for a savepoint"`
	Dir       string `expr:"dir" doc:"the directory below that of the job: shared, chk-4; of a savepoint its own"`
	Kind      string `expr:"kind" doc:"sst, metadata or private: what belongs to one snapshot only"`
	SST       string `expr:"sst" doc:"the SST that it holds: f1"`
	Size      int    `expr:"size" doc:"bytes"`
	CreatedBy int    `expr:"created_by" doc:"the checkpoint that brought it, or that it was handed to; 0: none yet"`
	LastUsed  int    `expr:"last_used" doc:"the last completed checkpoint that refers to it; 0: none"`
	Exists    bool   `expr:"exists" doc:"it is there"`
	DeletedBy string `expr:"deleted_by" doc:"jobmanager, person, lifecycle, task or database; empty: it is there"`
	Gone      int    `expr:"gone" doc:"virtual time at which it was deleted, ms; MAX: it is there"`
	T         int    `expr:"t" doc:"virtual time at which it was written, ms"`
}

// Restore is a start of the job from a snapshot, also one that failed.
type Restore struct {
	From     string   `expr:"from" doc:"the snapshot: job1/chk-3, sp1"`
	ID       int      `expr:"id" doc:"its id"`
	Mode     string   `expr:"mode" doc:"claim, noclaim or legacy; empty: the job came back to its own checkpoint"`
	Failover bool     `expr:"failover" doc:"the job came back by itself after a failure, or was rescaled"`
	OK       bool     `expr:"ok" doc:"the job runs"`
	Error    string   `expr:"error" doc:"class and message of what kept it from running"`
	Files    []string `expr:"files" doc:"the objects that it needs beside _metadata"`
	Step     int      `expr:"step" doc:"the step"`
	T        int      `expr:"t" doc:"virtual time, ms"`
}

// Edit is a change of the table files of a tree.
type Edit struct {
	At       string   `expr:"at" doc:"the subtask"`
	Family   string   `expr:"family" doc:"the column family"`
	Reason   string   `expr:"reason" doc:"flush, compaction, rewrite or clip"`
	Inputs   []string `expr:"inputs" doc:"SSTs that are gone"`
	Outputs  []string `expr:"outputs" doc:"SSTs that are new"`
	BytesIn  int      `expr:"bytes_in" doc:"bytes read"`
	BytesOut int      `expr:"bytes_out" doc:"bytes written"`
	Step     int      `expr:"step" doc:"the step"`
	T        int      `expr:"t" doc:"virtual time, ms"`
}

// Kinds of an object.
const (
	objectSST      = "sst"
	objectMetadata = "metadata"
	objectPrivate  = "private"
)

var (
	sstName  = regexp.MustCompile(`^(f\d+)(@\d+)?$`)
	ownedDir = regexp.MustCompile(`(?:^|/)(job\d+)/([^/]+)/`)
)

// storing is what is known of the store while a trace is read.
type storing struct {
	jobs       int
	savepoints int
	// objects finds the newest object of a path, completed a completed
	// checkpoint by its step, directories one by its directory.
	objects     map[string]int
	completed   map[int]int
	directories map[string]int
	// triggered are the pending checkpoints by id.
	triggered map[int]Checkpoint
	// written are the SSTs that a subtask's tree wrote last and that are not on
	// the store yet.
	written map[string][]string
	// starting is the step of the last start from a snapshot, and its restore.
	starting, restore int
}

func newStoring() storing {
	return storing{
		objects: map[string]int{}, completed: map[int]int{}, directories: map[string]int{}, triggered: map[int]Checkpoint{}, written: map[string][]string{},
	}
}

// job is the id of the present job.
func (s *storing) job() string { return "job" + strconv.Itoa(s.jobs) }

// snapshotSteps folds what happens to snapshots and their files.
func (f *Folds) snapshotSteps(s *sim.Step) {
	switch b := s.Body.(type) {
	case sim.CheckpointTriggered:
		c := Checkpoint{ID: int(b.ID), Kind: b.Kind, Format: b.Format, Job: f.store.job(), Attempt: f.attempt}
		c.Name = c.Job + "/chk-" + strconv.Itoa(c.ID)
		if strings.HasPrefix(b.Kind, "savepoint") {
			f.store.savepoints++
			c.Name = "sp" + strconv.Itoa(f.store.savepoints)
		}
		f.store.triggered[c.ID] = c
	case sim.FileUploaded:
		f.put(s, b.Path, b.Size, b.Checkpoint)
		if c, ok := f.store.triggered[int(b.Checkpoint)]; ok {
			if o := &f.Objects[len(f.Objects)-1]; o.Kind == objectSST {
				c.New = append(c.New, o.SST)
				c.NewSize += o.Size
				f.store.triggered[c.ID] = c
			}
		}
	case sim.CheckpointCompleted:
		f.completed(s, b)
	case sim.CheckpointAborted:
		c := f.ended(s, b.ID)
		c.Status, c.Reason = "aborted", b.Reason
		f.Checkpoints = append(f.Checkpoints, c)
		f.gone(s, "jobmanager", b.Files...)
	case sim.CheckpointAcknowledgedLate:
		f.gone(s, "jobmanager", b.Files...)
	case sim.CheckpointDiscarded:
		if i, ok := f.store.directories[b.Directory]; ok {
			c := &f.Checkpoints[i]
			c.Gone = true
			f.Retained = slices.DeleteFunc(slices.Clone(f.Retained), func(n string) bool { return n == c.Name })
		}
		f.gone(s, "jobmanager", b.Files...)
	case sim.SharedStateUnregistered:
		if b.Deleted {
			f.gone(s, "jobmanager", b.Path)
		}
	case sim.ObjectDeleted:
		f.gone(s, b.By, b.Path)
	case sim.TreeEdited:
		f.store.written[s.At] = tables(b.Outputs)
		f.Edits = append(f.Edits, Edit{
			At: s.At, Family: b.Family, Reason: b.Reason, Inputs: tables(b.Inputs), Outputs: tables(b.Outputs),
			BytesIn: int(b.BytesIn), BytesOut: int(b.BytesOut), Step: s.Seq, T: int(s.T),
		})
	case sim.JobStarted:
		if b.Attempt == 0 {
			f.store.jobs++
		}
		f.store.starting = 0
		if c := f.restored(s, int(b.Restored)); c != nil {
			r := Restore{From: c.Name, ID: c.ID, Mode: claimMode(b.ClaimMode), Failover: b.Attempt > 0, OK: true, Files: c.Files, Step: s.Seq, T: int(s.T)}
			f.store.starting, f.store.restore = s.Seq, len(f.Restores)
			f.Restores = append(f.Restores, r)
		}
		// Checkpoints of an attempt that is gone were aborted.
		clear(f.store.triggered)
	case sim.TaskFailed:
		if f.store.starting != 0 && slices.Contains(s.CauseSeqs(), f.store.starting) {
			r := &f.Restores[f.store.restore]
			r.OK, r.Error = false, b.Exception.Class+": "+b.Exception.Message
		}
	case sim.JobFailed:
		if c := f.cause(s); c != nil {
			f.store.jobs++
			f.Restores = append(f.Restores, Restore{
				From: c.Name, ID: c.ID, Mode: claimMode(b.ClaimMode), Error: b.Exception.Class + ": " + b.Exception.Message, Files: c.Files, Step: s.Seq, T: int(s.T),
			})
		}
	}
}

// cause is the completed checkpoint among the causes of a step, or nil.
func (f *Folds) cause(s *sim.Step) *Checkpoint {
	for _, c := range s.CauseSeqs() {
		if i, ok := f.store.completed[c]; ok {
			return &f.Checkpoints[i]
		}
	}
	return nil
}

// restored is the snapshot that a start of the job comes from, or nil. When
// its _metadata cannot be read any more it is no cause: then it is the newest
// checkpoint of its id.
func (f *Folds) restored(s *sim.Step, id int) *Checkpoint {
	if c := f.cause(s); c != nil || id == 0 {
		return c
	}
	for i := len(f.Checkpoints) - 1; i >= 0; i-- {
		if c := &f.Checkpoints[i]; c.ID == id && c.Status == "completed" && !strings.HasPrefix(c.Kind, "savepoint") {
			return c
		}
	}
	return nil
}

// ended is what is known of a checkpoint that ends with a step.
func (f *Folds) ended(s *sim.Step, id int64) Checkpoint {
	c, ok := f.store.triggered[int(id)]
	if !ok {
		c = Checkpoint{ID: int(id), Job: f.store.job(), Attempt: f.attempt}
	}
	delete(f.store.triggered, c.ID)
	c.Step, c.T = s.Seq, int(s.T)
	return c
}

func (f *Folds) completed(s *sim.Step, b sim.CheckpointCompleted) {
	c := f.ended(s, b.ID)
	c.Status, c.Kind, c.Cells, c.Timers = "completed", b.Kind, b.Cells, b.Timers
	c.Duration, c.Size, c.FullSize = int(b.Duration), int(b.Size), int(b.FullSize)
	c.Files = slices.Clone(b.Files)
	c.Path = strings.TrimSuffix(b.Metadata, "/_metadata")
	if b.Metadata != "" {
		f.put(s, b.Metadata, b.MetadataSize, b.ID)
	}
	for _, p := range b.Files {
		i, ok := f.store.objects[p]
		if !ok {
			continue
		}
		o := &f.Objects[i]
		o.LastUsed = c.ID
		switch {
		case o.Kind != objectSST:
		case o.CreatedBy == 0:
			o.CreatedBy = c.ID
			c.New, c.Handed, c.NewSize = append(c.New, o.SST), append(c.Handed, o.SST), c.NewSize+o.Size
		case o.CreatedBy != c.ID || o.Job != "" && o.Job != c.Job:
			c.Reused = append(c.Reused, o.SST)
		}
	}
	f.store.completed[s.Seq] = len(f.Checkpoints)
	f.store.directories[c.Path] = len(f.Checkpoints)
	f.Checkpoints = append(f.Checkpoints, c)
	if !strings.HasPrefix(c.Kind, "savepoint") {
		f.Retained = append(f.Retained, c.Name)
	}
}

// put notes a new object.
func (f *Folds) put(s *sim.Step, path string, size, checkpoint int64) {
	o := Object{Path: path, Kind: objectPrivate, Size: int(size), CreatedBy: int(checkpoint), Exists: true, Gone: int(sim.MaxTime), T: int(s.T)}
	above, base, _ := cutLast(path, "/")
	_, o.Dir, _ = cutLast("/"+above, "/")
	if m := ownedDir.FindStringSubmatch(path); m != nil {
		o.Job, o.Dir = m[1], m[2]
	}
	switch m := sstName.FindStringSubmatch(base); {
	case m != nil:
		o.Kind, o.SST = objectSST, m[1]
	case base == "_metadata":
		o.Kind = objectMetadata
	case strings.HasSuffix(base, ".sst"):
		// A tree that lives on the store writes its files there itself.
		o.Kind = objectSST
		if w := f.store.written[s.At]; len(w) > 0 {
			o.SST, f.store.written[s.At] = w[0], w[1:]
		}
	}
	f.store.objects[path] = len(f.Objects)
	f.Objects = append(f.Objects, o)
}

// gone notes that objects were deleted.
func (f *Folds) gone(s *sim.Step, by string, paths ...string) {
	for _, p := range paths {
		if i, ok := f.store.objects[p]; ok && f.Objects[i].Exists {
			f.Objects[i].Exists, f.Objects[i].DeletedBy, f.Objects[i].Gone = false, by, int(s.T)
		}
	}
}

func tables(in []sim.TableFile) []string {
	var out []string
	for _, t := range in {
		out = append(out, t.Name)
	}
	return out
}

var snapshotName = regexp.MustCompile(`^((job\d+/)?chk-\d+|\d+|sp\d+)$`)

// Restorable reports whether everything that a snapshot needs is there. Its
// name is one that restore takes; known is false when it can be none.
func (f *Folds) Restorable(name string) (ok, known bool) {
	if !snapshotName.MatchString(name) {
		return false, false
	}
	if _, err := strconv.Atoi(name); err == nil {
		name = "chk-" + name
	}
	for i := len(f.Checkpoints) - 1; i >= 0; i-- {
		c := &f.Checkpoints[i]
		if c.Status != "completed" || c.Name != name && c.Name != c.Job+"/"+name {
			continue
		}
		for _, p := range append([]string{c.Path + "/_metadata"}, c.Files...) {
			if i, ok := f.store.objects[p]; !ok || !f.Objects[i].Exists {
				return false, true
			}
		}
		return true, true
	}
	return false, true
}

// Stored is how many bytes lie below a prefix: a whole name, one from the
// directory of a job on, or for the present job one from below it on.
func (f *Folds) Stored(prefix string) int {
	n := 0
	own := f.store.job() + "/"
	for i := range f.Objects {
		o := &f.Objects[i]
		if !o.Exists {
			continue
		}
		below := strings.HasPrefix(o.Path, prefix)
		if o.Job != "" {
			from := o.Path[strings.LastIndex(o.Path, o.Job+"/"+o.Dir+"/"):]
			below = below || strings.HasPrefix(from, prefix)
			if rest, ok := strings.CutPrefix(from, own); ok {
				below = below || strings.HasPrefix(rest, prefix)
			}
		}
		if below {
			n += o.Size
		}
	}
	return n
}

// claimMode is a claim mode as restore takes it.
func claimMode(mode string) string { return strings.ToLower(strings.ReplaceAll(mode, "_", "")) }
