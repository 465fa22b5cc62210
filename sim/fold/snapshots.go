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
	ID        int      `expr:"id" doc:"its id"`
	Name      string   `expr:"name" doc:"as restore takes it: job1/chk-3, sp1"`
	Kind      string   `expr:"kind" doc:"checkpoint, full, savepoint, savepoint-suspend or savepoint-drain"`
	Format    string   `expr:"format" doc:"of a savepoint: canonical or native"`
	Status    string   `expr:"status" doc:"completed or aborted"`
	Reason    string   `expr:"reason" doc:"why it was aborted: CheckpointFailureReason"`
	Cells     int      `expr:"cells" doc:"state cells in it"`
	Timers    int      `expr:"timers" doc:"event timers in it"`
	ListItems int      `expr:"list_items" doc:"elements of operator list state in it"`
	Duration  int      `expr:"duration" doc:"ms from its trigger to its completion"`
	Size      int      `expr:"size" doc:"bytes that were written for it: Checkpointed Data Size in Flink's web UI"`
	FullSize  int      `expr:"full_size" doc:"bytes that a restore reads: Full Checkpoint Data Size"`
	New       []string `expr:"new" doc:"SSTs that are new with it, by name; an SST that lies inside _metadata is no object"`
	NewSize   int      `expr:"new_size" doc:"bytes of those"`
	Handed    []string `expr:"handed" doc:"those among the new that nobody copied, because they lay on the store already (ForSt)"`
	Reused    []string `expr:"reused" doc:"SSTs that it refers to and an earlier one uploaded, by name"`
	Path      string   `expr:"path" doc:"the directory of its _metadata"`
	Files     []string `expr:"files" doc:"the objects that a restore needs beside _metadata"`
	Gone      bool     `expr:"gone" doc:"a JobManager deleted it"`
	Attempt   int      `expr:"attempt" doc:"the attempt of the job, from 0"`
	Job       string   `expr:"job" doc:"the job that took it: job1"`
	Step      int      `expr:"step" doc:"the step"`
	T         int      `expr:"t" doc:"virtual time, ms"`
}

// Object is an object that lay in the store at some time.
type Object struct {
	Path      string `expr:"path" doc:"its whole name"`
	Job       string `expr:"job" doc:"the job in whose directory it lies, empty for a savepoint"`
	Dir       string `expr:"dir" doc:"the directory below that of the job: shared, chk-4; of a savepoint its own"`
	Kind      string `expr:"kind" doc:"sst, metadata, private (what belongs to one snapshot only) or pointer (what high availability keeps)"`
	SST       string `expr:"sst" doc:"the SST that it holds: f1"`
	Size      int    `expr:"size" doc:"bytes"`
	CreatedBy int    `expr:"created_by" doc:"the checkpoint that brought it, or that it was handed to; 0: none yet"`
	LastUsed  int    `expr:"last_used" doc:"the last completed checkpoint that refers to it; 0: none"`
	Exists    bool   `expr:"exists" doc:"it is there"`
	DeletedBy string `expr:"deleted_by" doc:"jobmanager, person, lifecycle, task, database or host; empty: it is there"`
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
	objectPointer  = "pointer"
)

// snapshotSteps folds what happens to snapshots, their files and the trees.
func (f *Folds) snapshotSteps(s *sim.Step) {
	f.storage.Add(s)
	f.Checkpoints, f.Objects = f.storage.ended, f.storage.objects
	switch b := s.Body.(type) {
	case sim.CheckpointCompleted:
		if c := f.storage.Find(b.ID); c != nil && !c.Savepoint() {
			f.Retained = append(f.Retained, c.Name)
		}
	case sim.CheckpointDiscarded, sim.CheckpointSubsumed:
		f.Retained = slices.DeleteFunc(slices.Clone(f.Retained), func(n string) bool {
			c := f.storage.named[n]
			return c != nil && (c.Gone || c.Subsumed)
		})
	case sim.TreeEdited:
		f.Edits = append(f.Edits, Edit{
			At: s.At, Family: b.Family, Reason: b.Reason, Inputs: tables(b.Inputs), Outputs: tables(b.Outputs),
			BytesIn: int(b.BytesIn), BytesOut: int(b.BytesOut), Step: s.Seq, T: int(s.T),
		})
	case sim.JobStarted:
		f.starting = 0
		if c := f.storage.Restored; b.Attempt == 0 && c != nil && !c.Savepoint() && !slices.Contains(f.Retained, c.Name) {
			f.Retained = append(f.Retained, c.Name)
		}
		if c := f.storage.RestoredBy(b); c != nil {
			f.starting = s.Seq
			f.Restores = append(f.Restores, Restore{
				From: c.Name, ID: c.ID, Mode: claimMode(b.ClaimMode), Failover: b.Attempt > 0, OK: true, Files: c.Files, Step: s.Seq, T: int(s.T),
			})
		}
	case sim.TaskFailed:
		if f.starting != 0 && slices.Contains(s.CauseSeqs(), f.starting) {
			r := &f.Restores[len(f.Restores)-1]
			r.OK, r.Error = false, b.Exception.Class+": "+b.Exception.Message
		}
	case sim.JobFailed:
		if c := f.storage.In(b.Snapshot); c != nil {
			f.Restores = append(f.Restores, Restore{
				From: c.Name, ID: c.ID, Mode: claimMode(b.ClaimMode), Error: b.Exception.Class + ": " + b.Exception.Message, Files: c.Files, Step: s.Seq, T: int(s.T),
			})
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
		c := f.Checkpoints[i]
		if c.Status != "completed" || c.Name != name && c.Name != c.Job+"/"+name {
			continue
		}
		for _, p := range append([]string{c.Path + "/_metadata"}, c.Files...) {
			if o := f.storage.ObjectAt(p); o == nil || !o.Exists {
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
	own := f.storage.Job + "/"
	for _, o := range f.Objects {
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
