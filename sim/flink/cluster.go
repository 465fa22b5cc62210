package flink

import (
	"fmt"
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/state/lsm"
)

// A Cluster is what outlives a job: the logs that sources read, the store that
// snapshots lie in, and what a person has written down about them.
type Cluster struct {
	Logs  *Logs
	Store *objectstore.Store
	// Work returns an empty directory on the disk for the files of one storage;
	// nil: they lie in memory.
	Work func(purpose string) (dir string, err error)

	kernel     *sim.Kernel
	jobs       int
	savepoints int
	snapshots  []*Checkpoint
	// names gives table files names over all jobs.
	names lsm.Names
	trees *Trees
	// remote is the store as trees see it whose files lie there.
	remote *Remote
	// transactions and table are outside systems of sinks.
	transactions TransactionLog
	table        Table
	// deleted are the objects that went since somebody asked.
	deleted []string
}

// Forget drops what was deleted so far by others than a job.
func (c *Cluster) Forget() { c.deleted = nil }

// gone returns the objects that were deleted since it was called last, sorted.
func (c *Cluster) gone() []string {
	out := c.deleted
	c.deleted = nil
	slices.Sort(out)
	return out
}

// Trees are the storages that are open: each has memory and goroutines of its
// own, which whoever drops a cluster must end.
type Trees struct{ open map[*lsm.DB]bool }

// Close ends all of them, as if their machine were gone.
func (t *Trees) Close() {
	for db := range t.open {
		_ = db.Kill()
	}
	clear(t.open)
}

// Trees returns the storages that are open.
func (c *Cluster) Trees() *Trees { return c.trees }

// NewCluster returns a cluster without jobs. content keeps what is written to
// the store; nil: in memory.
func NewCluster(k *sim.Kernel, content objectstore.Content) *Cluster {
	if content == nil {
		content = objectstore.Memory{}
	}
	store := objectstore.New(objectstore.ObjectStore, k.Now, content)
	c := &Cluster{Logs: NewLogs(), Store: store, kernel: k, trees: &Trees{open: map[*lsm.DB]bool{}}, remote: NewRemote(store)}
	gone := store.Changed
	store.Changed = func(o objectstore.Info, deleted bool) {
		if deleted {
			c.deleted = append(c.deleted, o.Key)
		}
		gone(o, deleted)
	}
	return c
}

// Snapshots are the completed checkpoints and savepoints of all jobs, oldest
// first, also those that were deleted since.
func (c *Cluster) Snapshots() []*Checkpoint { return c.snapshots }

// A Checkpoint is a completed checkpoint or savepoint as a person knows it: by
// its name and its directory. What is in it is on the store.
type Checkpoint struct {
	ID int64
	// Name is the savepoint's name in scripts, empty for a checkpoint.
	Name string
	// Job is the id of the job that took it.
	Job string
	// Directory is where its _metadata is.
	Directory string
	// Step is the step of its completion.
	Step *sim.Step
	// Gone says that a JobManager has deleted it.
	Gone bool
}

// Savepoint reports whether it was asked for by a person: a job that fails
// never goes back to one by itself.
func (c *Checkpoint) Savepoint() bool { return c.Name != "" }

// Label is how a script names the checkpoint: "chk-3", "sp1".
func (c *Checkpoint) Label() string {
	if c.Name != "" {
		return c.Name
	}
	return fmt.Sprintf("chk-%d", c.ID)
}

// in finds the snapshot in a directory.
func (c *Cluster) in(directory string) *Checkpoint {
	for i := len(c.snapshots) - 1; i >= 0; i-- {
		if c.snapshots[i].Directory == directory {
			return c.snapshots[i]
		}
	}
	return nil
}

// Formats of a savepoint.
const (
	Canonical = "canonical"
	Native    = "native"
)
