package flink

import (
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// Checkpointing are the options execution.checkpointing.* of a job. Times are
// in ms.
type Checkpointing struct {
	// Interval is the interval; 0: only when somebody asks.
	Interval int64
	// MinPause, Timeout, MaxConcurrent and TolerableFailures are min-pause,
	// timeout, max-concurrent-checkpoints and tolerable-failed-checkpoints.
	MinPause, Timeout int64
	MaxConcurrent     int
	TolerableFailures int
	// Retained is num-retained, Retention externalized-checkpoint-retention.
	Retained  int
	Retention checkpoint.Retention
	// Incremental is incremental: a backend may share files between checkpoints.
	Incremental bool
	// InlineThreshold is data-inline-threshold in bytes.
	InlineThreshold int64
	// Directory is dir, Savepoints is savepoint-dir.
	Directory, Savepoints string
	// AfterTasksFinish is checkpoints-after-tasks-finish.enabled.
	AfterTasksFinish bool
	// AtLeastOnce is mode AT_LEAST_ONCE: barriers hold nothing back (CP-4.2).
	AtLeastOnce bool
	// Unaligned is unaligned.enabled: barriers overtake data, which is kept with
	// the checkpoint (CP-4.3).
	Unaligned bool
	// LocalBackup is local-backup.enabled, FromLocal is
	// execution.state-recovery.from-local (CP-11.6).
	LocalBackup, FromLocal bool
	// AlignedTimeout is aligned-checkpoint-timeout: how long an unaligned
	// checkpoint tries to be aligned (CP-4.4).
	AlignedTimeout int64
}

// DefaultCheckpointing returns Flink's defaults (CP-0). Flink has no default
// directory: without one a checkpoint lives in the memory of the JobManager.
// The lab always has a store, so that there is something to look at.
func DefaultCheckpointing() Checkpointing {
	return Checkpointing{
		Timeout: 600_000, MaxConcurrent: 1, Retained: 1, Retention: checkpoint.NoExternalizedCheckpoints,
		InlineThreshold: checkpoint.DefaultInlineThreshold, AfterTasksFinish: true,
		Directory: "checkpoints", Savepoints: "savepoints",
	}
}

// mode is how tasks handle barriers.
func (c *Checkpointing) mode() barrier.Mode {
	if c.AtLeastOnce {
		return barrier.AtLeastOnce
	}
	if c.Unaligned {
		return barrier.Unaligned
	}
	return barrier.Aligned
}

// unaligned reports whether barriers may overtake: with AT_LEAST_ONCE Flink
// warns and ignores the option.
func (c *Checkpointing) unaligned() bool { return c.mode() == barrier.Unaligned }

// newCoordinator makes the coordinator of a new job.
func (j *Job) newCoordinator() {
	c := j.Spec.Checkpointing
	j.savepoints = map[int]asked{}
	storage := &checkpoint.Storage{
		Store: j.cluster.Store, Directory: c.Directory, Savepoints: c.Savepoints, Job: j.ID, InlineThreshold: c.InlineThreshold,
	}
	if strings.HasPrefix(c.Directory, localScheme) {
		storage.Elsewhere = func(path string) bool {
			o, known := j.cluster.Store.Stat(path)
			return known && j.hostOf(o) != JobManagerName
		}
	}
	j.coordinator = checkpoint.New(checkpoint.Config{
		Interval: c.Interval, MinPause: c.MinPause, Timeout: c.Timeout, MaxConcurrent: c.MaxConcurrent,
		TolerableFailures: c.TolerableFailures, AfterTasksFinish: c.AfterTasksFinish, Retained: c.Retained, Retention: c.Retention,
		Unaligned: c.unaligned(), Coordinators: j.sources(),
		ClaimMode: j.claim,
	}, j.graph(), storage, j.ha, j.kernel.Now, &j.kernel.Queue)
	j.coordinator.Sink = j
	if j.ha != nil {
		j.coordinator.Store().Write = j.keepPointer
	}
	j.coordinator.Writing = func(path string, bytes int64) int64 { return j.cluster.Store.Took(objectstore.OpPut, path, bytes) }
}

// graph is the job as the coordinator sees it: a vertex is a task, with the
// operators of its chain.
func (j *Job) graph() *checkpoint.Graph {
	index := map[string]int{}
	var vertices []checkpoint.Vertex
	add := func(name, uid string, parallelism, maxParallelism int, inputs []checkpoint.Input) {
		index[name] = len(vertices)
		vertices = append(vertices, checkpoint.Vertex{
			Name: name, Parallelism: parallelism, MaxParallelism: maxParallelism, Operators: []string{uid}, Inputs: inputs,
		})
	}
	for _, s := range j.Spec.Sources {
		add(s.Name, s.ID(), j.readersOf(s), j.Spec.MaxParallelism, nil)
	}
	for _, o := range j.vertices() {
		if j.chains(o) {
			v := &vertices[index[o.Inputs[0]]]
			v.Operators = append(v.Operators, o.ID())
			index[o.Name] = index[o.Inputs[0]]
			continue
		}
		var inputs []checkpoint.Input
		for _, in := range o.Inputs {
			inputs = append(inputs, checkpoint.Input{Vertex: index[in], Pointwise: j.exchange(in, o) == sim.ExchangeForward})
		}
		add(o.Name, o.ID(), j.Spec.Parallelism, j.maxParallelism(o), inputs)
	}
	return checkpoint.NewGraph(vertices...)
}

// sources are the uids of the sources: each has a SourceCoordinator.
func (j *Job) sources() (out []string) {
	for _, s := range j.Spec.Sources {
		out = append(out, s.ID())
	}
	return out
}

// startScheduler begins periodic checkpoints; the first tick is drawn.
func (j *Job) startScheduler() {
	low, high := j.coordinator.FirstTick()
	draws := sim.NewStream(j.kernel.Seed, "jm", "first checkpoint of "+j.ID)
	draws.Skip(uint64(j.schedules))
	j.schedules++
	j.coordinator.StartScheduler(low + draws.Below(high-low+1))
}

// Coordinator is the job's CheckpointCoordinator.
func (j *Job) Coordinator() *checkpoint.Coordinator { return j.coordinator }

// Pending is the id of the oldest checkpoint that waits for acknowledgements,
// or 0.
func (j *Job) Pending() int64 {
	if ids := j.coordinator.Pending(); len(ids) > 0 {
		return ids[0]
	}
	return 0
}

// Completed returns the snapshots of all jobs that were not deleted, oldest
// first.
func (j *Job) Completed() []*Checkpoint {
	var out []*Checkpoint
	for _, c := range j.cluster.snapshots {
		if !c.Gone {
			out = append(out, c)
		}
	}
	return out
}

// Latest returns what a failover goes back to: the last checkpoint that this
// job completed, else the snapshot that it was started from, else nil. A
// savepoint that was taken meanwhile does not count (CP-11.1, V17).
func (j *Job) Latest() *Checkpoint {
	if c := j.coordinator.Store().Latest(); c != nil {
		return j.cluster.in(c.Location.Directory)
	}
	return nil
}

// asked is a savepoint that somebody asked for.
type asked struct{ name, format string }

// Trigger asks for a checkpoint.
func (j *Job) Trigger() { j.request(checkpoint.KindConfigured) }

// TriggerFull asks for a checkpoint that uses no file of an earlier one
// (CP-6.6).
func (j *Job) TriggerFull() { j.request(checkpoint.KindFull) }

func (j *Job) request(kind checkpoint.CheckpointKind) {
	before := j.coordinator.Queued()
	j.coordinator.Checkpoint(kind)
	j.waits(before)
}

// waits says that a request stands in the queue.
func (j *Job) waits(before int) {
	if n := j.coordinator.Queued(); n > before {
		j.kernel.Emit("jm", "CP-2.3", sim.CheckpointQueued{Waiting: n, Pending: j.coordinator.Pending()})
	}
}

// Savepoint takes a savepoint; the job goes on and hears nothing of it, so
// that it commits nothing.
func (j *Job) Savepoint(format string) {
	j.ask(format)
	before := j.coordinator.Queued()
	j.coordinator.Savepoint("")
	j.waits(before)
}

// Stop takes a canonical savepoint and ends the job. With drain the sources
// first send the end of event time (EV-4.3).
func (j *Job) Stop(drain bool) { j.StopWith(drain, Canonical) }

// StopWith is Stop with a format.
func (j *Job) StopWith(drain bool, format string) {
	j.stopRequest = j.coordinator.NextRequest()
	j.ask(format)
	j.stopping, j.drain = true, drain
	j.coordinator.StopWithSavepoint(drain, "")
}

// ask gives the savepoint that is asked for next its name.
func (j *Job) ask(format string) {
	j.cluster.savepoints++
	j.savepoints[j.coordinator.NextRequest()] = asked{savepointName(j.cluster.savepoints), format}
}
