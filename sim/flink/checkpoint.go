package flink

import (
	"fmt"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/operator"
)

func savepointName(n int) string { return fmt.Sprintf("sp%d", n) }

// A snapshotting is what the runtime knows of a pending checkpoint.
type snapshotting struct {
	asked
	typ       checkpoint.SnapshotType
	directory string
	triggered *sim.Step
	// missing is how many acknowledgements are missing, finished names those who
	// are not waited for.
	missing  int
	finished []string
	// acknowledged is the step of the last one.
	acknowledged  *sim.Step
	cells, timers int
	// items are elements of operator list state.
	items int
	// newTables and reusedTables count the tables of all subtasks.
	newTables, reusedTables int
	offsets                 []sim.SplitOffset
	// sent are the steps with which subtasks sent their barriers, arrivals what
	// has come to a task, by its number.
	sent     map[string]*sim.Step
	arrivals map[int]*arrival
	// inFlight is how much input all subtasks keep with the checkpoint.
	inFlight int
	// fault is the step of what makes its completion fail.
	fault *sim.Step
}

// An arrival is what has come of a checkpoint's barriers to a task.
type arrival struct {
	// first is when the first one came, in ms.
	first    int64
	barriers int
	// last is the step of the last one.
	last *sim.Step
}

// CheckpointEvent implements checkpoint.Sink: messages are delivered, and what
// happened becomes steps.
func (j *Job) CheckpointEvent(e checkpoint.Event) {
	switch e := e.(type) {
	case checkpoint.PendingCreated:
		j.pending[e.ID] = &snapshotting{
			typ: e.Type, missing: len(e.Waiting), finished: j.absent(e.Waiting), asked: j.savepoints[e.Request],
			sent: map[string]*sim.Step{}, arrivals: map[int]*arrival{},
		}
	case checkpoint.SnapshotCoordinators:
		for _, o := range e.Operators {
			j.snapshotCoordinator(e.ID, o)
		}
	case checkpoint.Finalizing:
		s := j.pending[e.ID]
		if s == nil {
			s = &snapshotting{}
			j.pending[e.ID] = s
		}
		s.acknowledged = j.kernel.Emit("jm", e.Rule(), sim.CheckpointFinalizing{ID: e.ID, Duration: e.Duration}, s.acknowledged)
		j.completing = true
	case checkpoint.TriggerTasks:
		j.triggerTasks(e)
	case checkpoint.Acknowledged:
		if s := j.pending[e.ID]; s != nil {
			s.missing = e.Missing
		}
	case checkpoint.LateAcknowledged:
		j.kernel.Emit(j.nameOf(e.Task), e.Rule(), sim.CheckpointAcknowledgedLate{ID: e.ID, Shared: e.Shared, Files: j.cluster.gone()})
	case checkpoint.AcknowledgeRefused:
		j.kernel.Emit("jm", e.Rule(), sim.CheckpointRefused{ID: e.ID, Task: j.nameOf(e.Task), Exception: *e.Exception})
	case checkpoint.RequestDropped:
		j.kernel.Emit("jm", e.Rule(), sim.CheckpointDropped{Remaining: e.Remaining})
	case checkpoint.RequestRejected:
		j.kernel.Emit("jm", e.Rule(), sim.CheckpointRejected{Reason: string(e.Reason), Message: e.Reason.Exception().Message})
	case checkpoint.Completed:
		j.checkpointCompleted(e)
	case checkpoint.CheckpointSubsumed:
		j.keep(func(cause *sim.Step) {
			j.kernel.Emit("jm", e.Rule(), sim.CheckpointSubsumed{ID: e.ID, Kind: e.Type.String(), Unclaimed: e.Unclaimed}, cause)
		})
	case checkpoint.CheckpointDiscarded:
		if c := j.cluster.in(e.Directory); c != nil {
			// What may not be deleted stays, and somebody can start from it.
			c.Gone = !j.cluster.Store.Has(e.Directory + "/" + checkpoint.MetadataFile)
		}
		body := sim.CheckpointDiscarded{ID: e.ID, Kind: e.Type.String(), Directory: e.Directory, Files: j.cluster.gone()}
		if e.Err != nil {
			body.Error = e.Err.Error()
		}
		j.keep(func(cause *sim.Step) { j.kernel.Emit("jm", e.Rule(), body, cause) })
	case checkpoint.SharedStateUnregistered:
		gone := j.cluster.gone()
		body := sim.SharedStateUnregistered{
			Path: e.Path, CreatedBy: e.CreatedBy, LastUsed: e.LastUsed, Deleted: e.Deleted,
			Missing: e.Deleted && !slices.Contains(gone, e.Path),
		}
		if e.Err != nil {
			body.Error = e.Err.Error()
		}
		j.keep(func(cause *sim.Step) { j.kernel.Emit("jm", e.Rule(), body, cause) })
	case checkpoint.Aborted:
		s := j.pending[e.ID]
		delete(j.pending, e.ID)
		body := sim.CheckpointAborted{ID: e.ID, Reason: string(e.Reason), Message: e.Reason.Exception().Message, Failures: e.Failures, Files: j.cluster.gone()}
		var cause, fault *sim.Step
		if s != nil {
			cause, fault = s.triggered, s.fault
		}
		j.aborted = j.kernel.Emit("jm", e.Rule(), body, cause, fault, j.cause)
		if j.completing {
			j.flush(j.aborted)
		}
	case checkpoint.NotifyCompleted:
		j.notifyCompleted(e)
	case checkpoint.NotifyAborted:
		cause := j.aborted
		for _, n := range e.Tasks {
			j.notify(n,
				func(at string) *sim.Step {
					return j.kernel.Emit(at, e.Rule(), sim.CheckpointNotified{ID: e.ID, Aborted: true}, cause)
				},
				func(t *task) error { return t.notifyAborted(e.ID) }, func() {})
		}
	case checkpoint.RequestAnswered:
		delete(j.savepoints, e.Request)
		if e.ID == 0 && j.stopping && e.Request == j.stopRequest {
			// The job goes on, and so do its checkpoints (CP-8.5).
			j.stopping = false
			j.kernel.Put(nil, j.goOn)
		}
	case checkpoint.JobFailed:
		// The whole job fails, whoever is blamed (failGlobalIfExecutionIsStillRunning).
		exception, cause := *e.Exception, j.aborted
		j.kernel.Put(nil, func() { j.failover(failure{at: "jm", exception: &exception, cause: cause}) })
	}
}

// keep delays what a completion deletes until the completion was told.
func (j *Job) keep(f func(cause *sim.Step)) {
	if j.completing {
		j.kept = append(j.kept, f)
		return
	}
	f(j.cause)
}

// nameOf is the name of a task by its number: readers first, then operators
// and sinks.
func (j *Job) nameOf(n int) string {
	if o := j.process(n); o != nil {
		return o.at
	}
	return "jm"
}

// process is the subtask of a number, nil: there is none.
func (j *Job) process(n int) *outputs {
	if n >= 0 && n < len(j.all) {
		return j.all[n].head()
	}
	return nil
}

// absent names the tasks that are not among those who take part.
func (j *Job) absent(part []int) (out []string) {
	all := len(j.all)
	if len(part) == all {
		return nil
	}
	for n := range all {
		if !slices.Contains(part, n) {
			out = append(out, j.nameOf(n))
		}
	}
	return out
}

// triggerTasks tells the sources to save their positions and to send a
// barrier. A task that no running task feeds takes its snapshot at once.
func (j *Job) triggerTasks(e checkpoint.TriggerTasks) {
	s := j.pending[e.ID]
	s.directory, s.typ = e.Directory, e.Type
	s.triggered = j.kernel.Emit("jm", e.Rule(), sim.CheckpointTriggered{
		ID: e.ID, Job: j.ID, Name: s.name, Kind: e.Type.String(), Format: s.format, Finished: s.finished,
	}, j.cause)
	for _, n := range e.Tasks {
		if j.all[n].reader == nil {
			t := j.all[n].tasks[0]
			var do func()
			do = func() {
				if t.isFrozen(do) || t.chain.isBusy(do) {
					return
				}
				if err := t.snapshot(j.barrierOf(e), false); err != nil {
					t.fail(err)
				}
			}
			t.put(nil, do)
			continue
		}
		r := j.all[n].reader
		f := j.kernel.Fault(sim.PointTrigger, r.chain.places()...)
		switch {
		case f == nil:
		case f.Kind == sim.FaultCrash:
			// The coordinator is at work: it hears of it afterwards.
			r.outputs.put(nil, func() { j.crash(r.at, f) })
		default:
			j.hold(r.at, f, func() { j.triggerReader(n, e, s) })
			continue
		}
		j.triggerReader(n, e, s)
	}
}

// triggerReader saves the positions of a reader and sends its barrier.
func (j *Job) triggerReader(n int, e checkpoint.TriggerTasks, s *snapshotting) {
	r := j.all[n].reader
	again := func() { j.triggerReader(n, e, s) }
	if r.isFrozen(again) || r.chain.isBusy(again) {
		return
	}
	if j.pending[e.ID] != s {
		// It was given up meanwhile: the others must not wait for the barrier.
		r.chain.cancel(e.ID)
		return
	}
	if e.Type == checkpoint.TypeSavepointTerminate && !r.ended {
		// The end of data goes before the barrier: windows fire, operators
		// finish, and the savepoint shows what is left.
		r.sendMax("EV-4.3", s.triggered)
		r.outputs.endOfData()
	}
	if e.Type.Synchronous() {
		// Nothing is read until the savepoint is done, one way or the other.
		r.stopped = true
	}
	if len(r.chain.tasks) == 0 {
		j.must(j.snapshotReader(r, e, s))
		return
	}
	// Its positions are those of now; what its operators still put out comes first.
	r.chain.because(s.triggered)
	if err := r.chain.prepare(e.ID, func() error { return j.snapshotReader(r, e, s) }); err != nil {
		r.chain.tasks[0].fail(err)
	}
}

// snapshotReader sends the barrier of a task with a reader and takes its state.
func (j *Job) snapshotReader(r *reader, e checkpoint.TriggerTasks, s *snapshotting) error {
	n, b := r.number, j.barrierOf(e)
	r.chain.barrier(b)
	offsets := len(s.offsets)
	p, _, err := r.chain.snapshot(e.ID, s, r.snapshotState(s))
	if err != nil {
		return err
	}
	step := j.kernel.Emit(r.at, "CP-1.3", sim.BarrierEmitted{ID: e.ID, Offsets: slices.Clone(s.offsets[offsets:]), Unaligned: b.Unaligned}, s.triggered)
	s.sent[r.at] = step
	for _, t := range r.chain.tasks {
		s.sent[t.at] = step
	}
	if f := j.kernel.Fault(sim.PointSourceSnapshot, r.chain.places()...); f != nil {
		if f.Kind == sim.FaultCrash {
			r.outputs.put(nil, func() { j.crash(r.at, f) })
			return nil
		}
		// The task thread stands still with the barrier sent.
		r.standing++
		j.hold(r.at, f, func() {
			r.standing--
			j.upload(n, e.ID, p)
		})
		return nil
	}
	j.upload(n, e.ID, p)
	return nil
}

// barrierOf is the barrier that starts at the sources.
func (j *Job) barrierOf(e checkpoint.TriggerTasks) barrier.Barrier {
	b := barrier.Barrier{ID: e.ID, Timestamp: e.Timestamp}
	if c := &j.Spec.Checkpointing; c.unaligned() && !e.Type.Savepoint() {
		b.Unaligned = c.AlignedTimeout == 0
		b.Timeoutable, b.Timeout = !b.Unaligned, c.AlignedTimeout
	}
	return b
}

func (j *Job) checkpointCompleted(e checkpoint.Completed) {
	s := j.pending[e.ID]
	if s == nil {
		// The attempt that took it is over.
		s = &snapshotting{typ: e.Type}
	}
	delete(j.pending, e.ID)
	body := sim.CheckpointCompleted{
		ID: e.ID, Kind: s.typ.String(), Offsets: s.offsets, Cells: s.cells, Timers: s.timers, ListItems: s.items,
		Duration: j.kernel.Now() - e.Triggered, Size: e.Uploaded, FullSize: e.Size,
		Metadata: e.Directory + "/" + checkpoint.MetadataFile, MetadataSize: e.MetadataSize, Files: e.Files,
		NewTables: s.newTables, ReusedTables: s.reusedTables,
	}
	step := j.kernel.Emit("jm", e.Rule(), body, s.triggered, s.acknowledged)
	j.cluster.snapshots = append(j.cluster.snapshots, &Checkpoint{
		ID: e.ID, Name: s.name, Job: j.ID, Directory: e.Directory, Step: step,
	})
	j.done, j.positions = step, s.offsets
	j.flush(step)
	j.dropPointers()
}

// flush tells what was deleted with a completion.
func (j *Job) flush(cause *sim.Step) {
	j.completing = false
	kept := j.kept
	j.kept = nil
	for _, f := range kept {
		f(cause)
	}
}

// snapshotCoordinator lets the SourceCoordinator of a source save its part.
func (j *Job) snapshotCoordinator(id int64, uid string) {
	source := uid
	for _, s := range j.Spec.Sources {
		if s.ID() == uid {
			source = s.Name
		}
	}
	done := func() {
		if j.pending[id] != nil {
			j.kernel.Emit(source, "CP-1.1", sim.CoordinatorSnapshotted{ID: id}, j.cause)
		}
		j.coordinator.AcknowledgeCoordinator(id, uid, j.exhaustedSplits(source))
	}
	f := j.kernel.Fault(sim.PointCoordinator, source)
	switch {
	case f == nil:
		done()
	case f.Kind == sim.FaultCrash:
		j.kernel.Put(nil, func() { j.crash("jm", f) })
	case f.Kind == sim.FaultFail:
		j.cause = j.kernel.Emit(source, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
		j.coordinator.FailCoordinator(id)
	default:
		j.hold(source, f, done)
	}
}

// exhaustedSplits is what the enumerator of a source saves: the splits of readers
// that have read everything. Once those have finished no reader's state holds
// them any more.
func (j *Job) exhaustedSplits(source string) []byte {
	var done []SplitOffset
	assigned := map[*Log]bool{}
	for _, r := range j.readers {
		for _, split := range r.splits {
			assigned[split.log] = true
		}
		if r.spec.Name == source && r.ended && !r.Dead {
			done = append(done, r.snapshot()...)
		}
	}
	for _, l := range append(j.Logs.Of(source), j.Logs.Find(source, "")) {
		if l != nil && j.exhausted[l] && !assigned[l] {
			done = append(done, SplitOffset{l, l.Len()})
		}
	}
	return appendSplits(nil, done)
}

// notify tells a task something, unless a fault makes the message go astray:
// it is not acknowledged (CP-1.5). Operators hear of it from the last one on; told
// is called when all have, or when nobody is left to.
func (j *Job) notify(n int, step func(at string) *sim.Step, tell func(*task) error, told func()) {
	if n >= len(j.all) || len(j.all[n].tasks) == 0 {
		// A reader alone does nothing with it.
		told()
		return
	}
	c := j.all[n]
	head := c.head()
	if c.finished() || j.lost != "" && j.managerOf(head.at) == j.lost {
		// Nobody is there to hear it.
		told()
		return
	}
	var do func()
	do = func() {
		if head.Dead || head.isFrozen(do) {
			return
		}
		c.because(step(head.at))
		c.tell(len(c.tasks)-1, tell, told)
	}
	f := j.kernel.Fault(sim.PointNotify, c.places()...)
	if f == nil {
		do()
		return
	}
	switch f.Kind {
	case sim.FaultDelay:
		j.hold(head.at, f, do)
		return
	case sim.FaultCrash:
		j.crash(head.at, f)
		return
	}
	j.kernel.Emit(head.at, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
	if f.Kind == sim.FaultDouble {
		do()
		do()
	}
}

// tell tells the operators of a task something, from one of them back to the
// first.
func (c *chain) tell(i int, tell func(*task) error, told func()) {
	for ; i >= 0; i-- {
		t := c.tasks[i]
		if t.finished {
			continue
		}
		err := tell(t)
		if b := operator.AsBlocked(err); b != nil {
			t.block(b, func() { c.tell(i, tell, told) })
			return
		}
		if err != nil {
			t.fail(err)
			return
		}
	}
	told()
}

// notifyCompleted tells the tasks. It may never come to that.
func (j *Job) notifyCompleted(e checkpoint.NotifyCompleted) {
	if f := j.kernel.Fault(sim.PointCheckpointDone, "jm"); f != nil {
		j.crash("jm", f)
		return
	}
	done, starts := j.done, j.starts
	// A job that stops has stopped when all its tasks have heard of the savepoint,
	// and one whose data have ended when they have heard of the last checkpoint:
	// that is what they finish with (FLIP-147).
	heard := map[int]bool{}
	hears := func(n int) {
		heard[n] = true
		if len(heard) < len(e.Tasks)+1 || j.starts != starts {
			return
		}
		// What the notice led to comes first.
		switch {
		case j.stopping && j.saved():
			j.kernel.Put(nil, func() { j.stopped(e.ID) })
		case j.final && !j.stopping:
			j.kernel.Put(nil, j.closeReaders)
		}
	}
	j.commitPositions(done)
	for _, n := range e.Tasks {
		j.notify(n,
			func(at string) *sim.Step {
				return j.kernel.Emit(at, e.Rule(), sim.CheckpointNotified{ID: e.ID}, done)
			},
			func(t *task) error { return t.notifyComplete(e.ID) },
			func() { hears(n) })
	}
	if j.Status != Running {
		return
	}
	switch {
	case j.stopping && !j.saved():
		// It is one that was being written when the stop came.
	case j.stopping, j.final:
		hears(noTask)
	default:
		// The end of data may have waited for this one.
		j.kernel.Put(nil, j.endOfData)
	}
}

// commitPositions lets sources tell the positions of a complete checkpoint to the
// group that they read as.
func (j *Job) commitPositions(done *sim.Step) {
	for _, s := range j.Spec.Sources {
		if s.Commit == nil {
			continue
		}
		var own []sim.SplitOffset
		for _, o := range j.positions {
			if source, _, _ := strings.Cut(o.Split, "/"); source == s.Name {
				own = append(own, o)
			}
		}
		if len(own) > 0 {
			s.Commit(own, done)
		}
	}
}

// noTask is not the number of a task.
const noTask = -1

// stopped ends the job with its savepoint.
func (j *Job) stopped(id int64) {
	if j.Status != Running {
		return
	}
	sp := j.cluster.snapshots[len(j.cluster.snapshots)-1]
	j.stopping = false
	j.Status = Finished
	j.kernel.Emit("jm", "EV-4.3", sim.JobStopped{Savepoint: sp.Name, ID: id, Drain: j.drain}, sp.Step)
	j.stop(wholeJob)
	j.kernel.Put(nil, func() { j.shutdown(checkpoint.Finished) })
}

// goOn lets the sources read again after a savepoint that failed.
func (j *Job) goOn() {
	if !j.Runs() {
		return
	}
	for _, r := range j.readers {
		r.stopped = false
	}
	if j.Status == Running {
		j.startScheduler()
	}
}

// saved reports whether the savepoint that the job stops with is complete, and
// tasks have not finished yet.
func (j *Job) saved() bool {
	_, waits := j.savepoints[j.stopRequest]
	return j.stopping && !waits
}

// shutdown ends the coordinator with the job: it keeps or deletes what the
// retention says (CP-5.5).
func (j *Job) shutdown(s checkpoint.Status) {
	if err := j.coordinator.Shutdown(s); err != nil {
		j.kernel.Emit("jm", "CP-5.5", sim.CleanUpFailed{Error: err.Error()})
	}
}

// acknowledge brings the state of a task to the coordinator.
func (j *Job) acknowledge(n int, id int64, p *part, state checkpoint.TaskState) {
	f := j.kernel.Fault(sim.PointTaskAck, j.all[n].places()...)
	if f == nil {
		j.accept(n, id, p, state)
		return
	}
	task := j.process(n)
	switch f.Kind {
	case sim.FaultCrash:
		j.accept(n, id, p, state)
		task.put(nil, func() { j.crash(task.at, f) })
	case sim.FaultDelay:
		j.hold(task.at, f, func() { j.accept(n, id, p, state) })
	default:
		j.kernel.Emit(task.at, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
	}
}

// accept is the arrival of an acknowledgement at the JobManager.
func (j *Job) accept(n int, id int64, p *part, state checkpoint.TaskState) {
	s := j.pending[id]
	if s != nil && !s.typ.Savepoint() {
		j.localBackup(j.all[n], id, state)
	}
	if s != nil {
		body := sim.CheckpointAcknowledged{ID: id, Sync: p.sync, Async: j.kernel.Now() - p.began, InFlight: p.inFlight}
		s.inFlight += p.inFlight
		if !s.typ.Savepoint() {
			// The files of a savepoint are its own.
			body.Shared = state.SharedFiles()
		}
		s.acknowledged = j.kernel.Emit(j.nameOf(n), "CP-1.4", body, s.triggered)
		if s.missing == 1 {
			if f := j.kernel.Fault(sim.PointCheckpointAck, "jm"); f != nil {
				j.crash("jm", f)
				return
			}
			if f := j.kernel.Fault(sim.PointMetadata, "jm"); f != nil {
				if f.Kind == sim.FaultCrash {
					j.crash("jm", f)
					return
				}
				s.fault = j.kernel.Emit("jm", "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
				j.cluster.Store.Faults.Failing = append(j.cluster.Store.Faults.Failing, &objectstore.Failing{
					Op: objectstore.OpPut, Prefix: s.directory + "/" + checkpoint.MetadataFile, Nth: 1,
				})
			}
		}
	}
	j.coordinator.Acknowledge(id, n, state)
	j.cause = nil
}
