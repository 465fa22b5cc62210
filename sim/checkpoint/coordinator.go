package checkpoint

import (
	"maps"
	"slices"

	"streaminglab/sim"
)

// Config is what a coordinator is told: the options of
// execution.checkpointing (CP-0). Times are in ms.
type Config struct {
	// Interval is the checkpoint interval; 0: no periodic checkpoints.
	Interval int64
	// MinPause is the pause after a completion.
	MinPause int64
	// Timeout is how long a checkpoint may take, from its creation on.
	Timeout int64
	// MaxConcurrent is the number of pending checkpoints; at least 1.
	MaxConcurrent int
	// TolerableFailures is the number of consecutive failures that the job
	// survives.
	TolerableFailures int
	// Unaligned checkpoints: savepoints are then not forced (CP-2.8).
	Unaligned bool
	// IntervalDuringBacklog replaces the interval while a source reports
	// backlog; 0: no ticks then; nil: as Interval (CP-2.10).
	IntervalDuringBacklog *int64
	// AfterTasksFinish is checkpoints-after-tasks-finish.enabled.
	AfterTasksFinish bool
	// Retained is num-retained; less than 1 means 1.
	Retained int
	// Retention is externalized-checkpoint-retention; empty: the default.
	Retention Retention
	// ClaimMode is the claim mode of the job, by which a new JobManager
	// registers what it finds (CP-8.10); empty: NO_CLAIM.
	ClaimMode ClaimMode
	// Coordinators are the uids of operators whose coordinators snapshot before
	// the tasks do.
	Coordinators []string
}

// A Coordinator is the CheckpointCoordinator of one job in one JobManager.
//
// It is stepped: its methods and the events that it books in the queue are the
// only things that move it. A call that comes while it works (from its Sink)
// stands in line. The methods that give something back, Shutdown and those that
// restore, act at once and are not for a Sink: whoever restarts a job does so
// later, after a delay.
type Coordinator struct {
	// Sink hears what happens; nil: nobody.
	Sink Sink
	// Writing is how long it takes to write so many bytes of _metadata, in ms:
	// meanwhile the coordinator does nothing else, it holds its lock. Nil: no
	// time.
	Writing func(path string, bytes int64) int64

	config   Config
	graph    *Graph
	storage  *Storage
	ha       *HighAvailability
	now      func() int64
	queue    *sim.Queue
	decider  *RequestDecider
	failures *FailureManager
	store    *CompletedCheckpointStore

	line []func()
	// free is what waits until nothing is being written any more.
	free []func()
	busy bool
	// writing is the event with which _metadata is written.
	writing *sim.Event

	nextID     int64
	pending    map[int64]*pending
	requests   int
	triggering bool
	scheduling bool
	shutdown   bool
	tick       *sim.Event
	nextTick   int64
	backlog    map[string]bool
	// lastCompletion is 0 at first, as in Flink, where the clock counts from the
	// start of the machine: a tick before min-pause has passed since the
	// beginning of time is dropped (only an interval during backlog that is
	// shorter than the pause gets there).
	lastCompletion int64
	forceFull      bool
	base           bool
}

// New returns a coordinator. now is the virtual time in ms and queue the queue
// of whoever owns it: a world's kernel, or a replay. ha is nil without high
// availability; with it the retained checkpoints and the counter of ids are
// taken over.
func New(c Config, g *Graph, s *Storage, ha *HighAvailability, now func() int64, queue *sim.Queue) *Coordinator {
	if c.ClaimMode == "" {
		c.ClaimMode = NoClaim
	}
	if c.Retention == "" {
		c.Retention = NoExternalizedCheckpoints
	}
	c.MaxConcurrent = max(c.MaxConcurrent, 1)
	k := &Coordinator{
		config: c, graph: g, storage: s, ha: ha, now: now, queue: queue,
		decider:  &RequestDecider{maxConcurrent: c.MaxConcurrent, minPause: c.MinPause},
		failures: NewFailureManager(c.TolerableFailures),
		nextID:   1, pending: map[int64]*pending{}, backlog: map[string]bool{},
		nextTick: sim.MaxTime,
	}
	k.store = newStore(c.Retained, c.ClaimMode, s, ha, k.tell)
	if ha != nil && ha.NextID > 0 {
		k.nextID = ha.NextID
	}
	return k
}

// Graph is the job as the coordinator sees it; whoever owns the tasks sets
// their status.
func (c *Coordinator) Graph() *Graph { return c.graph }

// SetGraph replaces the tasks: the job was rescaled. It must have left RUNNING
// before, so that nothing is pending.
func (c *Coordinator) SetGraph(g *Graph) { c.graph = g }

// Storage is where the job's snapshots lie.
func (c *Coordinator) Storage() *Storage { return c.storage }

// Store is the store of completed checkpoints.
func (c *Coordinator) Store() *CompletedCheckpointStore { return c.store }

// Pending are the ids of pending checkpoints, ascending.
func (c *Coordinator) Pending() []int64 { return slices.Sorted(maps.Keys(c.pending)) }

// Queued is the number of requests that wait.
func (c *Coordinator) Queued() int { return len(c.decider.queue) }

// NextTick is the time of the next periodic tick in ms; MaxTime: none.
func (c *Coordinator) NextTick() int64 { return c.nextTick }

// NextID is the id of the next checkpoint.
func (c *Coordinator) NextID() int64 { return c.nextID }

// NextFull reports whether the next checkpoint is forced to be full (CP-8.7).
func (c *Coordinator) NextFull() bool { return c.forceFull }

// Failures is the counter of consecutive failures.
func (c *Coordinator) Failures() int { return c.failures.Failures() }

// do runs something and then what came into line meanwhile. What a Sink asks
// for stands in line itself.
func (c *Coordinator) do(f func()) {
	if c.busy {
		c.later(f)
		return
	}
	c.busy = true
	f()
	c.drain()
}

// drain does what came into line, unless _metadata is being written.
func (c *Coordinator) drain() {
	for c.writing == nil && len(c.line) > 0 {
		next := c.line[0]
		c.line = c.line[1:]
		next()
	}
	if c.writing == nil {
		c.line = nil
		c.busy = false
	}
}

// Finalizing reports whether _metadata is being written: whatever comes stands
// in line.
func (c *Coordinator) Finalizing() bool { return c.writing != nil }

// WhenFree calls f at once, or when _metadata is written.
func (c *Coordinator) WhenFree(f func()) {
	if c.writing == nil {
		f()
		return
	}
	c.free = append(c.free, f)
}

// later stands something in line: what Flink gives to the timer thread.
func (c *Coordinator) later(f func()) { c.line = append(c.line, f) }

// lookLater asks for a look at the queue (scheduleTriggerRequest).
func (c *Coordinator) lookLater() {
	if !c.shutdown {
		c.later(c.look)
	}
}

func (c *Coordinator) tell(e Event) {
	if c.Sink != nil {
		c.Sink.CheckpointEvent(e)
	}
}

// take takes the next id: it is used up whatever becomes of it (CP-1.2).
func (c *Coordinator) take() int64 {
	id := c.nextID
	c.SetNextID(id + 1)
	return id
}

// SetNextID sets the counter of ids (CheckpointIDCounter.setCount).
func (c *Coordinator) SetNextID(id int64) {
	c.nextID = id
	if c.ha != nil {
		c.ha.NextID = id
	}
}
