package flink

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// Kinds of vertices that are not operators of a job file.
const kindSink = KindSink

// KindSink is the kind of the operators of sinks: nothing is keyed there, and no
// watermark matters.
const KindSink = "sink"

// Status is the state of a job, as Flink's JobStatus.
type Status string

// The states that a job of the lab is seen in.
const (
	Created    Status = "CREATED"
	Running    Status = "RUNNING"
	Restarting Status = "RESTARTING"
	Failed     Status = "FAILED"
	Finished   Status = "FINISHED"
	Canceled   Status = "CANCELED"
	// Suspended : no JobManager leads it.
	Suspended Status = "SUSPENDED"
)

// A Job is a running job with its job manager.
type Job struct {
	// ID is the id of the job: the name of its directory on the store. Each
	// start from a snapshot makes a new job.
	ID   string
	Spec *Spec
	Logs *Logs
	// Attempt counts from 0.
	Attempt int
	Status  Status

	kernel  *sim.Kernel
	cluster *Cluster
	tasks   []*task
	readers []*reader
	// all are the tasks of the attempt, by the number that the coordinator knows
	// them by.
	all []*chain
	// ready are the tasks that have something to take, once for each item.
	ready  []*task
	head   int
	events []timer
	keys   map[*OperatorSpec]*state.Keys
	groups map[string]*eventtime.AlignmentGroup

	// startedAt is when the last start was, beating when that of the whole job
	// was, in ms: since then TaskManagers answer heartbeats.
	startedAt, beating int64
	// starts counts how often all subtasks were stopped together, regions how
	// many there are.
	starts, regions int
	backoff         *RestartBackoff
	// restarts are those that wait for their time.
	restarts []*sim.Event
	blocked  map[string]*sim.Step
	defect   error
	// exhausted are splits that were read to their end before the snapshot that
	// the job comes from.
	exhausted map[*Log]bool
	// final says that the last checkpoint of a job that ends was taken.
	final bool

	coordinator *checkpoint.Coordinator
	// claim is the claim mode of what the job was started from.
	claim checkpoint.ClaimMode
	// snapshot is the directory of what the job was started from.
	snapshot string
	// schedules counts the starts of the scheduler.
	schedules int
	pending   map[int64]*snapshotting
	// uploads says which subtask has written a shared object: after a rescale
	// two of them may have the same table.
	uploads map[string]int
	// savepoints are those that were asked for, by the number of the request.
	savepoints map[int]asked
	// stopping: the job ends with the savepoint that is being taken, drain: its
	// data ended before.
	stopping, drain bool
	// stopRequest is the number of the request for that savepoint.
	stopRequest int
	// completing: an acknowledgement may complete a checkpoint; kept is what it
	// deletes.
	completing bool
	// lost is the TaskManager whose loss ends the attempt; empty: none.
	lost string
	// backups are the second copies on TaskManagers, by subtask.
	backups map[string]*backup
	// slow is how long operators and sinks take for a record, in ms.
	slow map[string]int64
	// frozen are the TaskManagers that do nothing, by name.
	frozen map[string]*freezer
	// ha is what survives a JobManager, nil without high availability; pointers
	// are the checkpoints that have an object there.
	ha       *checkpoint.HighAvailability
	pointers []int64
	// submitted is the job as it was handed to its first JobManager.
	submitted submission
	kept      []func(cause *sim.Step)
	// held is what subtasks do once they are resumed.
	held map[string][]func()
	// cause is the step that made the coordinator act, aborted and done the last
	// steps of a checkpoint that was given up and of one that is complete.
	cause, aborted, done *sim.Step
	// positions are those of the checkpoint that was completed last.
	positions []sim.SplitOffset
}

// NewJob returns a job that does not run yet.
func NewJob(c *Cluster, spec *Spec) *Job {
	j := &Job{Spec: spec, Logs: c.Logs, Status: Created, kernel: c.kernel, cluster: c, blocked: map[string]*sim.Step{}, uploads: map[string]int{}}
	j.newID()
	j.claim = checkpoint.NoClaim
	j.submitted = submission{spec: spec}
	j.backoff = j.newBackoff()
	j.newCoordinator()
	return j
}

func (j *Job) newID() {
	j.backups = nil
	j.ha, j.pointers = nil, nil
	if j.Spec.HighAvailability.Enabled {
		j.ha = &checkpoint.HighAvailability{}
	}
	j.cluster.jobs++
	j.ID = fmt.Sprintf("job%d", j.cluster.jobs)
}

// Defect is an error that is no exception of the simulated system: a bound
// that was met, or a defect of lab.
func (j *Job) Defect() error { return j.defect }

func (j *Job) must(err error) {
	if err != nil && j.defect == nil {
		j.defect = err
	}
}

// A timer belongs to an attempt, and to one of its subtasks; nil: to none.
type timer struct {
	*sim.Event
	by *sim.Process
}

// at runs f at a time of this attempt.
func (j *Job) at(t int64, periodic bool, f func()) *sim.Event { return j.atBy(nil, t, periodic, f) }

// atBy is at for a subtask, if it lives then.
func (j *Job) atBy(by *sim.Process, t int64, periodic bool, f func()) *sim.Event {
	e := j.kernel.Queue.At(t, periodic, f)
	if by != nil && by.Dead {
		e.Cancel()
		return e
	}
	j.events = append(j.events, timer{e, by})
	if len(j.events) > 1024 {
		j.events = alive(j.events, j.kernel.Now())
	}
	return e
}

func alive(in []timer, now int64) []timer {
	out := in[:0]
	for _, e := range in {
		if !e.Canceled() && e.At >= now {
			out = append(out, e)
		}
	}
	return out
}

func (j *Job) keysOf(o *OperatorSpec) *state.Keys {
	k := j.keys[o]
	if k == nil {
		if o.Rows {
			k = state.NewRowKeys(j.maxParallelism(o))
		} else {
			k = state.NewKeys(j.maxParallelism(o))
		}
		j.keys[o] = k
	}
	return k
}

// maxParallelism is the number of key groups of an operator.
func (j *Job) maxParallelism(o *OperatorSpec) int {
	if o.MaxParallelism > 0 {
		return o.MaxParallelism
	}
	return j.Spec.MaxParallelism
}

// Start runs the job from a checkpoint, or from nothing.
func (j *Job) Start(from *checkpoint.CompletedCheckpoint, causes ...*sim.Step) error {
	err := j.start(from, causes...)
	if err != nil {
		// Half a job must not go on.
		j.stop(wholeJob)
		j.Status = Failed
	}
	return err
}

func (j *Job) start(c *checkpoint.CompletedCheckpoint, causes ...*sim.Step) error {
	j.stop(wholeJob)
	j.coordinator.SetGraph(j.graph())
	j.setLatency()
	j.Status, j.final = Running, false
	j.keys = map[*OperatorSpec]*state.Keys{}
	j.groups = map[string]*eventtime.AlignmentGroup{}
	var err error
	if j.readers, j.tasks, err = j.build(); err != nil {
		return err
	}
	j.all = makeChains(j.readers, j.tasks)
	j.findRegions()
	j.beating = j.kernel.Now()
	d, err := j.prepare(c, j.readers, j.tasks, func(string, int) bool { return true }, j.assign)
	if err != nil {
		return err
	}
	j.exhausted = map[*Log]bool{}
	j.exhaust(d.from)
	if err := j.deploy(d, causes); err != nil {
		return err
	}
	j.startAlignment()
	j.settle()
	return nil
}

// exhaust takes note of the splits that nobody reads again.
func (j *Job) exhaust(from *Restored) {
	if from != nil {
		maps.Copy(j.exhausted, from.Exhausted)
	}
}

// A deployment is a set of subtasks that start together, with what they start
// from; nil: from nothing.
type deployment struct {
	from    *Restored
	readers []*reader
	tasks   []*task
	// unreadable are those whose part of the snapshot could not be read.
	unreadable []unreadable
}

type unreadable struct {
	at        string
	exception *sim.Exception
}

// prepare reads a snapshot for the subtasks that in names, and gives the readers
// among them their splits.
func (j *Job) prepare(
	c *checkpoint.CompletedCheckpoint, readers []*reader, tasks []*task, in func(vertex string, subtask int) bool,
	assign func(s *SourceSpec, n int, from *Restored) [][]SplitOffset,
) (d deployment, err error) {
	if c != nil {
		if d.from, d.unreadable, err = j.read(c, in); err != nil {
			return d, err
		}
	}
	for _, s := range j.Spec.Sources {
		assigned := assign(s, j.readersOf(s), d.from)
		for _, r := range readers {
			if r.spec != s || !in(s.Name, r.index) {
				continue
			}
			d.readers = append(d.readers, r)
			for _, a := range assigned[r.index] {
				if err := r.addSplit(a.Log, a.Offset); err != nil {
					return d, err
				}
			}
		}
	}
	for _, t := range tasks {
		if in(t.spec.Name, t.index) {
			d.tasks = append(d.tasks, t)
		}
	}
	return d, nil
}

// deploy starts subtasks. Those that cannot fail with their regions.
func (j *Job) deploy(d deployment, causes []*sim.Step) error {
	subtasks := slices.DeleteFunc(j.subtasks(), func(o *outputs) bool {
		return !slices.ContainsFunc(d.readers, func(r *reader) bool { return &r.outputs == o }) &&
			!slices.ContainsFunc(d.tasks, func(t *task) bool { return &t.outputs == o })
	})
	if d.from != nil {
		causes = append(causes, d.from.step)
	}
	body := j.startedBody(d)
	rule := "LAB-7"
	switch {
	case len(subtasks) < len(j.subtasks()):
		body.Subtasks, rule = names(subtasks), "CP-11.2"
	case d.from != nil:
		rule = "EV-8.2"
	}
	j.startedAt = j.kernel.Now()
	started := j.kernel.Emit("jm", rule, body, causes...)
	for _, o := range subtasks {
		o.started, o.since = started, j.startedAt
		j.coordinator.Graph().Set(o.number, checkpoint.Running)
	}
	for _, u := range d.unreadable {
		if len(body.Subtasks) > 0 && !slices.Contains(body.Subtasks, u.at) {
			// Another number of subtasks wrote it.
			u.at = body.Subtasks[0]
		}
		j.fail(u.at, u.exception, nil, started)
	}
	for _, t := range d.tasks {
		if t.Dead {
			continue // its region failed
		}
		if err := j.openTask(t, d.from); err != nil {
			return err
		}
	}
	if err := j.startOperators(d.tasks, d.from); err != nil {
		return err
	}
	for _, t := range d.tasks {
		if !t.Dead {
			t.refill(d.from.flights(t, j.Spec.Parallelism))
		}
	}
	j.startProbes(d.readers)
	return nil
}

// openTask makes the operator of a subtask and gives it its state.
func (j *Job) openTask(t *task, from *Restored) error {
	if err := t.open(from, j.Spec.Parallelism); err != nil {
		e, ok := isException(err)
		if ok {
			j.fail(t.at, e, nil, t.started)
			return nil
		}
		return err
	}
	took := t.restoreTime(from)
	if c, n := t.ctx.State.Cells(); from != nil && c+n > 0 {
		j.kernel.Emit(t.at, "EV-8.2", sim.StateRestored{Cells: c, Timers: n, Duration: took, Local: t.fromLocal(from)}, t.started)
	}
	if took > 0 {
		t.initializes()
		t.stand(took, t.initialized)
	}
	return nil
}

// settle lets the job go on once all of its subtasks run.
func (j *Job) settle() {
	if !j.Runs() {
		return
	}
	if !slices.ContainsFunc(j.subtasks(), func(o *outputs) bool { return o.Dead }) {
		j.Status, j.final = Running, false
		j.startScheduler()
	}
	j.reapplyBackpressure()
	j.kernel.Put(nil, j.watchAll)
}

func (j *Job) watchAll() {
	for _, r := range j.readers {
		r.watch()
	}
}

// build makes subtasks and channels.
func (j *Job) build() (readers []*reader, all []*task, err error) {
	ups := map[*outputs]*task{}
	bySource := map[string][]*outputs{}
	for _, s := range j.Spec.Sources {
		n := j.readersOf(s)
		for i := range n {
			r := &reader{spec: s, index: i, sent: sim.MinTime}
			r.outputs = outputs{job: j, at: subtaskName(s.Name, i)}
			r.source, err = eventtime.NewProgressiveTimestampsAndWatermarks(s.Strategy, r, r.splitListener)
			if err != nil {
				return nil, nil, err
			}
			if s.Alignment != nil {
				r.aligned = eventtime.NewAlignedReader(r)
			}
			readers = append(readers, r)
			bySource[s.Name] = append(bySource[s.Name], &r.outputs)
		}
	}
	for _, o := range j.vertices() {
		var tasks []*task
		for i := range j.Spec.Parallelism {
			t := &task{spec: o, index: i}
			t.outputs = outputs{job: j, at: subtaskName(o.Name, i)}
			tasks = append(tasks, t)
		}
		for n, name := range o.Inputs {
			up := bySource[name]
			if up == nil {
				return nil, nil, fmt.Errorf("flink: operator %s: no input %q", o.Name, name)
			}
			if !o.Separate {
				n = 0
			}
			j.connect(o, name, n, up, ups, tasks)
		}
		for _, t := range tasks {
			t.connect()
			all = append(all, t)
			ups[&t.outputs] = t
			bySource[o.Name] = append(bySource[o.Name], &t.outputs)
		}
	}
	return readers, all, nil
}

// connect makes the channels of one input: to all subtasks, or, where records
// are forwarded, to the one of the same number; none where that one is called.
func (j *Job) connect(o *OperatorSpec, name string, input int, up []*outputs, ups map[*outputs]*task, tasks []*task) {
	for len(tasks[0].inputs) <= input {
		for _, t := range tasks {
			t.inputs = append(t.inputs, nil)
		}
	}
	exchange, chained := j.exchange(name, o), j.chains(o)
	for i, u := range up {
		rt := &route{broadcast: exchange == sim.ExchangeBroadcast}
		rt.aligned = rt.broadcast || exchange == sim.ExchangeForward
		if exchange == sim.ExchangeHash {
			rt.keys, rt.keyBy = j.keysOf(o), o.KeyBy
		}
		for k, t := range tasks {
			if exchange == sim.ExchangeForward && i != k {
				continue
			}
			if chained {
				t.chainedTo = u
			}
			c := &channel{from: u.at, up: ups[u], to: t, input: input, index: len(t.inputs[input]), chained: chained}
			t.inputs[input] = append(t.inputs[input], c)
			rt.channels = append(rt.channels, c)
		}
		u.routes = append(u.routes, rt)
	}
}

// vertices are operators and sinks as one list.
func (j *Job) vertices() []*OperatorSpec {
	out := append([]*OperatorSpec(nil), j.Spec.Operators...)
	for _, s := range j.Spec.Sinks {
		if s.Operators != nil {
			out = append(out, s.Operators...)
			continue
		}
		out = append(out, &OperatorSpec{Name: s.Name, Inputs: s.Inputs, Exchanges: s.Exchanges, Kind: kindSink, New: j.sink(s)})
	}
	return out
}

func (j *Job) sink(s *SinkSpec) func() (operator.Operator, error) {
	return func() (operator.Operator, error) {
		outside := s.Transactions
		switch {
		case s.Kind == SinkUpsert:
			return &collector{table: &j.cluster.table}, nil
		case s.Kind == SinkTwoPhase && outside == nil:
			outside = &j.cluster.transactions
		case outside == nil:
			return &collector{}, nil
		}
		return &TwoPhaseCommittingSink{Transactions: outside, Checkpointing: j.Spec.FinalCheckpoint}, nil
	}
}

func (j *Job) readersOf(s *SourceSpec) int {
	if s.Parallelism > 0 {
		return s.Parallelism
	}
	return j.Spec.Parallelism
}

func (j *Job) startedBody(d deployment) sim.JobStarted {
	b := sim.JobStarted{Job: j.ID, Attempt: j.Attempt, Parallelism: j.Spec.Parallelism}
	if j.Spec.Slots > 1 {
		b.Slots = j.Spec.Slots
	}
	if d.from != nil {
		b.Restored = d.from.ID
		if j.Attempt == 0 {
			b.Snapshot, b.ClaimMode = j.snapshot, string(j.claim)
			for _, e := range j.coordinator.Store().Registry().Entries() {
				b.Registered = append(b.Registered, e.Path)
			}
		}
	}
	b.Chains = j.chainNames()
	for _, s := range j.Spec.Sources {
		b.Vertices = append(b.Vertices, s.Name)
		if s.ID() != s.Name {
			b.UIDs = append(b.UIDs, sim.VertexUID{Name: s.Name, UID: s.ID()})
		}
	}
	for _, o := range j.vertices() {
		b.Vertices = append(b.Vertices, o.Name)
		for _, in := range o.Inputs {
			b.Edges = append(b.Edges, sim.Edge{From: in, To: o.Name, Exchange: j.exchange(in, o)})
		}
		if o.ID() != o.Name {
			b.UIDs = append(b.UIDs, sim.VertexUID{Name: o.Name, UID: o.ID()})
		}
	}
	for _, r := range d.readers {
		if len(r.splits) == 0 {
			b.Spare = append(b.Spare, r.at)
		}
		for _, s := range r.splits {
			if s.log.Split != "" {
				b.Splits = append(b.Splits, sim.SplitStart{Split: s.log.Name(), Reader: r.index, Offset: s.offset})
			}
		}
	}
	sort.SliceStable(b.Splits, func(a, c int) bool { return b.Splits[a].Split < b.Splits[c].Split })
	return b
}

// exchange is how records go from an input to an operator.
func (j *Job) exchange(input string, o *OperatorSpec) string {
	said := o.Exchanges[input]
	switch {
	case said == sim.ExchangeForward && j.Subtasks(input) != j.Spec.Parallelism:
		// After a rescale, which a job file cannot ask for.
		return sim.ExchangeRebalance
	case said != "":
		return said
	case o.Keyed:
		return sim.ExchangeHash
	case j.Subtasks(input) == j.Spec.Parallelism:
		return sim.ExchangeForward
	}
	return sim.ExchangeRebalance
}

// startProbes starts the probes of readers, on a grid that begins with their
// attempt.
func (j *Job) startProbes(readers []*reader) {
	if j.Spec.Interval <= 0 {
		return
	}
	for _, r := range readers {
		if s := r.spec.Strategy; s.Generator == eventtime.None && s.IdleTimeout == 0 {
			continue // it would never have anything to say
		}
		j.every(&r.Process, j.Spec.Interval, r.probe)
	}
}

// every does something again and again, for a subtask as long as it lives.
func (j *Job) every(by *sim.Process, interval int64, f func()) {
	j.atBy(by, j.kernel.Now()+interval, true, func() {
		f()
		if j.Runs() {
			j.every(by, interval, f)
		}
	})
}

// push puts an element into a channel.
func (j *Job) push(c *channel, e element) { j.send(c, barrier.Item[element]{Data: e}) }

func (j *Job) send(c *channel, x barrier.Item[element]) {
	if !c.chained && x.Kind == barrier.Data && x.Data.kind == elementRecord && x.Data.record.Source != "" {
		j.waiting(c, &x.Data)
	}
	if c.chained {
		c.to.called(c, &x)
		return
	}
	c.to.gate.Send(c.at, x)
	j.wake(c.to)
	c.to.broken()
}

// waiting says that a record comes into a channel in which it has to wait.
func (j *Job) waiting(c *channel, e *element) {
	t, why := c.to, ""
	switch {
	case len(t.channels) > 1 && t.gate.Held(c.at):
		why = sim.WaitBlocked
	case t.backpressured, !t.outputs.available():
		why = sim.WaitBackpressure
	case len(j.frozen) > 0 && t.freezer() != nil:
		why = sim.WaitFrozen
	case t.standing > 0:
		why = sim.WaitBusy
	default:
		return
	}
	r := &e.record
	name := r.Name
	if name == "" && r.Key != nil {
		name = r.Key.Name
	}
	j.kernel.Emit(t.at, "CP-4.1", sim.RecordWaiting{
		Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset}, Key: name, From: c.from, Why: why,
	}, e.step)
}

// wake gives what waits at a task its turns: those that came while it was
// stopped are gone.
func (j *Job) wake(t *task) {
	if t.gate == nil {
		return // it is called
	}
	for n := t.gate.Waiting(false); t.turns < n; {
		t.turns++
		j.ready = append(j.ready, t)
	}
}

// Ready handles one element and reports whether there was one.
func (j *Job) Ready() bool {
	for j.head < len(j.ready) {
		t := j.ready[j.head]
		t.turns--
		j.head++
		if j.head == len(j.ready) {
			j.ready, j.head = j.ready[:0], 0
		}
		if t.Dead || t.backpressured || t.finished || t.standing > 0 || !t.outputs.available() {
			continue
		}
		took, err := t.take()
		if !took {
			continue
		}
		t.after(err)
		return true
	}
	return false
}

// after looks at what an element led to.
func (t *task) after(err error) {
	switch {
	case t.zombie:
		return
	case err != nil:
		t.fail(err)
		return
	}
	if err := t.ctx.State.Err(); err != nil {
		t.fail(simulated(err))
	} else if db := t.tree(); db != nil && !t.closed {
		if err := t.mirror(db); err != nil {
			t.fail(simulated(err))
		}
	}
}

// Idle reads one entry, or ends a reader, when nothing is on its way.
func (j *Job) Idle() bool {
	if !j.Runs() {
		return false
	}
	j.pressReaders()
	for _, r := range j.readers {
		if r.spare() {
			r.endData()
			return true
		}
	}
	var best *readSplit
	var by *reader
	seq := int64(0)
	for _, r := range j.readers {
		if s, n := r.next(); s != nil && (best == nil || n < seq) {
			best, by, seq = s, r, n
		}
	}
	if best != nil {
		by.read(best)
		return true
	}
	for _, r := range j.readers {
		if r.done() {
			r.endData()
			return true
		}
	}
	return false
}

// endOfData closes the sources when every subtask has seen all data. With
// checkpointing on, a last checkpoint comes first, so that sinks can commit
// (FLIP-147); without, each source closes as soon as it has ended.
func (j *Job) endOfData() {
	if !j.Runs() || j.stopping {
		return
	}
	if j.Spec.FinalCheckpoint {
		if j.Status != Running {
			return
		}
		for _, r := range j.readers {
			if !r.ended {
				return
			}
		}
		for _, t := range j.tasks {
			if !t.ended {
				return
			}
		}
		if j.final || len(j.pending) > 0 {
			return
		}
		j.final = true
		j.Trigger()
		return
	}
	j.closeReaders()
}

func (j *Job) closeReaders() {
	for _, r := range j.readers {
		if r.ended && !r.finished && !r.Dead && !r.isFrozen(j.closeReaders) {
			r.close()
		}
	}
}

// taskFinished ends the job when all subtasks have.
func (j *Job) taskFinished() {
	for _, r := range j.readers {
		if !r.finished {
			return
		}
	}
	for _, t := range j.tasks {
		if !t.finished {
			return
		}
	}
	if j.Status != Running || j.stopping {
		return
	}
	j.Status = Finished
	j.kernel.Emit("jm", "EV-4.3", sim.JobFinished{Attempt: j.Attempt})
	events := j.events
	j.events = nil
	for _, e := range events {
		e.Cancel()
	}
	j.shutdown(checkpoint.Finished)
}

// reportHeld writes a step when the answer to "who holds the watermark" is
// another than before.
func (o *outputs) reportHeld(shown *string, rule string, wm int64, by []string, ahead int64, causes []*sim.Step) {
	key := ""
	for _, b := range by {
		key += b + " "
	}
	if key == *shown {
		return
	}
	*shown = key
	if len(by) == 0 {
		ahead = wm
	}
	body := sim.WatermarkHeld{Watermark: wm, By: by, Ahead: ahead}
	o.put(o.job.kernel.Step(o.at, rule, body, append(causes, o.started)...), nil)
}

// Busy reports whether something can be done at the present moment.
func (j *Job) Busy() bool {
	if j.head < len(j.ready) {
		return true
	}
	if !j.Runs() {
		return false
	}
	for _, r := range j.readers {
		if s, _ := r.next(); s != nil || r.done() {
			return true
		}
	}
	return false
}

// Subtasks is the number of subtasks of a source, operator or sink.
func (j *Job) Subtasks(name string) int {
	for _, s := range j.Spec.Sources {
		if s.Name == name {
			return j.readersOf(s)
		}
	}
	return j.Spec.Parallelism
}

// A SubtaskState is the state of one subtask of an operator.
type SubtaskState struct {
	Operator string
	Snapshot *state.Snapshot
}

// States copies the state of all subtasks as a checkpoint would, without
// flushing anything.
func (j *Job) States() []SubtaskState {
	var out []SubtaskState
	for _, t := range j.tasks {
		if !t.Dead && t.spec.Kind != kindSink && t.op.Snapshot(0) == nil {
			out = append(out, SubtaskState{t.spec.ID(), t.ctx.State.Snapshot()})
		}
	}
	return out
}

// Positions are the offsets of all splits that are read.
func (j *Job) Positions() []SplitOffset {
	var out []SplitOffset
	for _, r := range j.readers {
		if !r.Dead {
			out = append(out, r.snapshot()...)
		}
	}
	return out
}

// Assigned are the positions of each reader of a source, in the order in which
// it got its splits.
func (j *Job) Assigned(source string) [][]SplitOffset {
	var out [][]SplitOffset
	for _, r := range j.readers {
		if r.spec.Name == source {
			out = append(out, r.snapshot())
		}
	}
	return out
}
