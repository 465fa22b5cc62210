package flink

import (
	"errors"
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// A task is one subtask of an operator or a sink.
type task struct {
	outputs
	spec   *OperatorSpec
	index  int
	op     operator.Operator
	ctx    *operator.Context
	inputs [][]*channel
	// chainedTo is the subtask that calls it, nil: it has channels.
	chainedTo *outputs
	combined  *eventtime.MultipleInputs
	// gate takes what comes in through the channels of all inputs; turns is how
	// often the task stands in line.
	gate     *barrier.Gate[element]
	channels []*channel
	turns    int
	// item is the element that is being handled.
	item element
	// collecting is what belongs to unaligned checkpoints, by id.
	collecting map[int64]*collection
	// failed is what a snapshot threw that a barrier led to.
	failed error

	// standing counts what the task waits for before it takes anything.
	standing int
	// zombie: its TaskManager was given up and may wake up.
	zombie bool
	// closed: its storage is; compacting: a compaction stands in line.
	closed, compacting bool

	backpressured bool
	// ended: the operator has seen all data; finished: it is closed.
	ended    bool
	finished bool
	// cause is the step of the element that is being handled.
	cause *sim.Step
	// advanced is the step of the last rise of the watermark.
	advanced *sim.Step
	held     string
	handling *operator.Record
}

func subtaskName(name string, i int) string { return fmt.Sprintf("%s[%d]", name, i) }

// open makes the operator and fills its state. Nil is a fresh job.
func (t *task) open(from *Restored, parallelism int) error {
	op, err := t.spec.New()
	if err != nil {
		return err
	}
	t.op = op
	store, err := t.openStore(t.job.keysOf(t.spec), from)
	if err != nil {
		return err
	}
	t.ctx = &operator.Context{
		Name: t.spec.Name, Subtask: t.index, Parallelism: parallelism,
		State: store,
		Out:   t, Clock: t, Trace: t,
		Random: sim.NewStream(t.job.kernel.Seed, t.at, fmt.Sprintf("attempt %d", t.job.Attempt)),
		Bounds: t.job.kernel.Bounds, Job: t.job.ID, Attempt: t.job.Attempt,
		Crashes: func(point string) bool {
			f := t.taskFault(point)
			if f != nil {
				t.job.crash(t.at, f)
			}
			return f != nil
		},
		Happens: func(point string) bool {
			f := t.taskFault(point)
			if f != nil {
				t.job.kernel.Emit(t.at, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
			}
			return f != nil
		},
	}
	if t.job.kernel.Quiet {
		t.ctx.Trace = nil
	}
	if err := op.Open(t.ctx); err != nil {
		return err
	}
	var list *state.OperatorList
	if l := t.spec.ListState; l != nil {
		list = state.OpenList(store, l.Name, l.Mode)
		list.Set(int64(t.index))
	}
	if from == nil {
		return nil
	}
	if err := t.boundLists(from, parallelism); err != nil {
		return err
	}
	if err := t.ctx.State.RestoreAll(from.of(t.spec), t.index, parallelism); err != nil {
		// Keys or rows of a type that is not the operator's.
		message := "The new state serializer must not be incompatible with the old state serializer."
		if errors.Is(err, state.ErrKeys) {
			message = "The new key serializer must be compatible."
		}
		return &sim.Exception{Class: "org.apache.flink.util.StateMigrationException", Message: message, Rule: "CP-9.6"}
	}
	if err := store.Err(); err != nil {
		return simulated(err)
	}
	if list != nil && !t.spec.ListState.Clear {
		if items, ok := list.Restored(); ok {
			list.Set(items...)
		}
	}
	return op.Restored()
}

// boundLists refuses lists that a union would make too long for all subtasks
// together.
func (t *task) boundLists(from *Restored, parallelism int) error {
	n := 0
	for _, s := range from.of(t.spec) {
		if s != nil {
			for _, l := range s.Lists {
				n += l.Len()
			}
		}
	}
	if limit := t.job.kernel.Bounds.Entries; limit > 0 && n*parallelism > limit {
		return &sim.BoundError{Bound: "entries", Limit: int64(limit)}
	}
	return nil
}

// connect makes the valves and the gate once all channels are there.
func (t *task) connect() {
	channels := make([]int, len(t.inputs))
	for i, in := range t.inputs {
		channels[i] = len(in)
		for _, c := range in {
			if c.chained {
				continue
			}
			c.at = len(t.channels)
			t.channels = append(t.channels, c)
		}
	}
	t.combined = eventtime.NewMultipleInputs(channels, inputTime{t})
	if t.chainedTo != nil {
		return
	}
	t.gate = barrier.New(barrier.Config{
		Channels: len(t.channels), Mode: t.job.Spec.Checkpointing.mode(), NoFinishSupport: !t.job.Spec.Checkpointing.AfterTasksFinish,
		Busy: func() bool { return t.standing > 0 },
		Now:  t.job.kernel.Now, After: func(at int64, f func()) func() {
			return t.due(at, false, func() {
				f()
				t.job.wake(t)
				t.broken()
			}).Cancel
		},
	}, t)
}

// take handles the next item of the gate and reports whether there was one.
func (t *task) take() (bool, error) {
	at, x, ok := t.gate.Poll()
	if !ok {
		return false, nil
	}
	defer t.job.credit(t)
	t.item = x.Data
	t.cause, t.ctx.Cause, t.handling, t.failed = nil, nil, nil, nil
	if x.Kind == barrier.Data {
		return true, t.handle(t.channels[at], &t.item)
	}
	if x.Kind == barrier.AtBarrier {
		if f := t.taskFault(sim.PointBarrier); f != nil {
			t.job.crash(t.at, f)
			return true, nil
		}
	}
	t.gate.Handle(at, x)
	t.job.wake(t)
	if t.failed == nil && x.Kind == barrier.EndOfPartition {
		return true, t.takeEnd(t.channels[at])
	}
	return true, t.failed
}

// broken ends the attempt with what a snapshot threw that did not come with an
// element of the gate's line.
func (t *task) broken() {
	if err := t.failed; err != nil {
		t.failed = nil
		t.put(nil, func() { t.job.fail(t.at, err, nil, nil) })
	}
}

// Received implements barrier.Receiver.
func (t *task) Received(channel int, b barrier.Barrier) {
	s := t.job.pending[b.ID]
	if s == nil || t.Dead || t.zombie {
		return
	}
	if b.Unaligned {
		// It overtook: nobody took it out of the line.
		if f := t.taskFault(sim.PointBarrier); f != nil {
			t.put(nil, func() { t.job.crash(t.at, f) })
		}
	}
	a := s.arrivals[t.number]
	if a == nil {
		a = &arrival{first: t.job.kernel.Now()}
		s.arrivals[t.number] = a
	}
	a.barriers++
	from := s.sent[t.channels[channel].from]
	a.last = from
	if len(t.channels) == 1 {
		return
	}
	open := 0
	for _, c := range t.channels {
		if !c.ended {
			open++
		}
	}
	missing := open - a.barriers
	blocked := missing > 0 && !b.Unaligned && !t.job.Spec.Checkpointing.AtLeastOnce
	// In line behind the snapshot that the first one led to.
	a.last = t.job.kernel.Step(t.at, "CP-4.1", sim.BarrierReceived{
		ID: b.ID, From: t.channels[channel].from, Blocked: blocked, Missing: missing,
	}, from)
	t.put(a.last, nil)
}

// Trigger implements barrier.Task.
func (t *task) Trigger(b barrier.Barrier) {
	if err := t.snapshot(b, b.Unaligned); err != nil && t.failed == nil {
		t.failed = err
	}
}

// Abort implements barrier.Task. Consumers must not wait for a barrier that will
// not come (SubtaskCheckpointCoordinatorImpl#abortCheckpointOnBarrier).
func (t *task) Abort(id int64, reason barrier.Reason) {
	r := checkpoint.FailureReason(reason)
	t.put(nil, func() { t.job.decline(t.number, id, r, nil, r.Exception()) })
	t.chain.cancel(id)
}

// fault is the fault that happens to the subtask at a point now, if any.
func (t *task) fault(point string) *sim.Fault {
	if t.zombie || !t.job.kernel.Faults.Armed() {
		return nil
	}
	return t.job.kernel.Fault(point, t.places()...)
}

// taskFault is fault for the task that the subtask is part of.
func (t *task) taskFault(point string) *sim.Fault {
	if t.zombie || !t.job.kernel.Faults.Armed() {
		return nil
	}
	return t.job.kernel.Fault(point, t.chain.places()...)
}

// handle takes one element of a channel.
func (t *task) handle(c *channel, e *element) error {
	t.cause, t.ctx.Cause, t.handling = e.step, e.step, nil
	if n := t.job.kernel.Bounds.Entries; n > 0 && t.ctx.State.Entries() > n {
		return &sim.BoundError{Bound: "entries", Limit: int64(n)}
	}
	switch e.kind {
	case elementRecord:
		t.handling = &e.record
		if f := t.fault(sim.PointTaskRecord); f != nil {
			t.job.crash(t.at, f)
			return nil
		}
		err := t.op.ProcessRecord(c.input, &e.record)
		if ms := t.job.slow[t.spec.Name]; ms > 0 && err == nil {
			t.stand(ms, func() {})
		}
		return err
	case elementWatermark:
		if f := t.fault(sim.PointTaskWatermark); f != nil {
			t.job.crash(t.at, f)
			return nil
		}
		c.last = e.step
		return t.time(func() { t.combined.InputWatermark(e.time, c.input, c.index) })
	case elementStatus:
		c.last = e.step
		status := eventtime.Active
		if e.idle {
			status = eventtime.Idle
		}
		return t.time(func() { t.combined.InputWatermarkStatus(status, c.input, c.index) })
	default:
		return t.takeEndOfData(c)
	}
}

// time lets an element about time act and then looks at who holds the
// watermark now.
func (t *task) time(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			fail, ok := r.(operatorFailed)
			if !ok {
				panic(r)
			}
			err = fail.err
		}
	}()
	f()
	t.watch()
	return nil
}

// operatorFailed carries an error through the valve's callback, which has
// none.
type operatorFailed struct{ err error }

// inputTime is what the combined inputs tell the operator.
type inputTime struct{ t *task }

// EmitWatermark says that the operator's watermark rose.
func (i inputTime) EmitWatermark(at int64) {
	t := i.t
	if t.spec.Kind != kindSink {
		t.advanced = t.Step("EV-2.2", sim.WatermarkAdvanced{Watermark: at, Previous: t.ctx.Watermark}, t.cause)
		t.ctx.Cause = t.advanced
	}
	if err := t.op.ProcessWatermark(at); err != nil {
		panic(operatorFailed{err})
	}
}

// EmitWatermarkStatus says that the inputs together turned idle or active.
func (i inputTime) EmitWatermarkStatus(s eventtime.WatermarkStatus) {
	t := i.t
	if t.spec.Kind != kindSink {
		t.ctx.Cause = t.Step("EV-2.3", sim.StatusChanged{Status: sim.StatusOf(s.IsIdle())}, t.cause)
	}
	if err := t.op.ProcessStatus(s.IsIdle()); err != nil {
		panic(operatorFailed{err})
	}
}

// watch writes a step when the channels or inputs that hold the operator's
// watermark are others than before.
func (t *task) watch() {
	if t.spec.Kind == kindSink {
		return
	}
	var by []string
	var causes []*sim.Step
	ahead, rule := sim.MinTime, "EV-2.3"
	if len(t.inputs) == 1 {
		v := t.combined.Valve(0)
		low := sim.MaxTime
		for _, c := range v.Channels() {
			if c.Aligned {
				ahead, low = max(ahead, c.Watermark), min(low, c.Watermark)
			}
		}
		if ahead > low {
			for _, i := range v.HeldBy() {
				by = append(by, t.inputs[0][i].from)
				causes = append(causes, t.inputs[0][i].last)
			}
		}
	} else {
		rule = "EV-2.4"
		low := sim.MaxTime
		for i := range t.inputs {
			if p := t.combined.Combined().Input(i); !p.Idle() {
				ahead, low = max(ahead, p.Watermark()), min(low, p.Watermark())
			}
		}
		if ahead > low {
			for i := range t.inputs {
				p := t.combined.Combined().Input(i)
				if p.Idle() || p.Watermark() != low {
					continue
				}
				by = append(by, t.inputName(i))
				for _, c := range t.inputs[i] {
					causes = append(causes, c.last)
				}
			}
		}
	}
	t.reportHeld(&t.held, rule, t.ctx.Watermark, by, ahead, append(causes, t.cause))
}

func (t *task) inputName(i int) string { return t.spec.Inputs[i] }

// takeEndOfData tells the operator once an input has no more data, and the
// consumers once no input has.
func (t *task) takeEndOfData(c *channel) error {
	if t.zombie {
		return nil // its successor's affair
	}
	c.finished = true
	if !all(t.inputs[c.input], func(c *channel) bool { return c.finished }) {
		return nil
	}
	return t.endInput(c)
}

func (t *task) endInput(c *channel) error {
	err := t.op.EndOfInput(c.input)
	if b := operator.AsBlocked(err); b != nil {
		t.block(b, func() { t.after(t.endInput(c)) })
		return nil
	}
	if err != nil {
		return err
	}
	for _, in := range t.inputs {
		if !all(in, func(c *channel) bool { return c.finished }) {
			return nil
		}
	}
	t.outputs.endOfData()
	t.put(nil, func() { t.ended = true; t.job.endOfData() })
	return nil
}

// takeEnd closes the operator once all channels have ended.
func (t *task) takeEnd(c *channel) error {
	if t.zombie {
		return nil // its successor's affair
	}
	c.ended = true
	for _, in := range t.inputs {
		if !all(in, func(c *channel) bool { return c.ended }) {
			return nil
		}
	}
	if err := t.op.Close(); err != nil {
		return err
	}
	t.finished = true
	t.outputs.end()
	t.put(nil, func() {
		if t.chain.finished() {
			t.job.coordinator.Graph().Set(t.number, checkpoint.Done)
		}
		t.job.taskFinished()
	})
	return nil
}

func all(in []*channel, is func(*channel) bool) bool {
	for _, c := range in {
		if !is(c) {
			return false
		}
	}
	return true
}

// Record implements operator.Output.
func (t *task) Record(r *operator.Record) { t.outputs.record(r) }

// Watermark implements operator.Output.
func (t *task) Watermark(at int64, cause *sim.Step) { t.outputs.watermark(at, cause) }

// Status implements operator.Output.
func (t *task) Status(idle bool, cause *sim.Step) { t.outputs.status(idle, cause) }

// Side implements operator.Output. The step of the record says where it went.
func (t *task) Side(string, *operator.Record) {}

// Done implements operator.Tracer.
func (t *task) Done(rule string, body sim.Body, causes ...*sim.Step) *sim.Step {
	return t.job.kernel.Emit(t.at, rule, body, causes...)
}

// Step implements operator.Tracer.
func (t *task) Step(rule string, body sim.Body, causes ...*sim.Step) *sim.Step {
	s := t.job.kernel.Step(t.at, rule, body, causes...)
	t.put(s, nil)
	return s
}

// Now implements operator.Clock.
func (t *task) Now() int64 { return t.job.kernel.Now() }

// At implements operator.Clock.
func (t *task) At(at int64, periodic bool, f func() error) {
	var due func()
	due = func() {
		if t.finished || t.isFrozen(due) {
			return
		}
		t.cause, t.ctx.Cause, t.handling = nil, nil, nil
		if err := f(); err != nil {
			t.job.fail(t.chain.head().at, err, nil, t.cause)
		}
	}
	t.due(at, periodic, due)
}

// fail ends the attempt with what the operator threw.
func (t *task) fail(err error) {
	if t.Dead || t.zombie || errors.Is(err, operator.ErrCrashed) {
		return
	}
	var id *sim.RecordID
	if r := t.handling; r != nil && r.Source != "" {
		id = &sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset}
	}
	t.job.fail(t.chain.head().at, err, id, t.cause)
}

// isException reports whether an error is one of the simulated system.
func isException(err error) (*sim.Exception, bool) {
	var e *sim.Exception
	ok := errors.As(err, &e)
	return e, ok
}
