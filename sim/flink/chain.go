package flink

import (
	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/operator"
)

// A chain is one task: a reader or the subtask of an operator, with the
// subtasks of operators that are called by it directly. A record goes through
// all of it before the next one is taken; barriers, snapshots, acknowledgements
// and failures are those of the task (OperatorChain).
type chain struct {
	// reader is its head, nil: an operator is.
	reader *reader
	// tasks are its operators from the head on.
	tasks []*task
	// restoring counts the operators that are still taking their state.
	restoring int
	// working counts what its thread is busy with, mails are the checkpoints that
	// it was told of meanwhile.
	working int
	mails   []func()
	// blocked counts the calls in which it waits for something outside.
	blocked int
}

// work keeps the thread of the task busy for so many ms, then does f and what
// it was told of meanwhile.
func (c *chain) work(ms int64, f func()) {
	c.working++
	c.head().due(c.head().job.kernel.Now()+ms, false, func() {
		c.working--
		f()
		c.readMails()
	})
}

// isBusy reports whether the thread of the task is busy; later is then done
// when it is not.
func (c *chain) isBusy(later func()) bool {
	if c.working == 0 {
		return false
	}
	c.mails = append(c.mails, later)
	return true
}

// head is what the task is called by.
func (c *chain) head() *outputs {
	if c.reader != nil {
		return &c.reader.outputs
	}
	return &c.tasks[0].outputs
}

// places are the names by which a fault finds the task.
func (c *chain) places() []string {
	out := c.head().places()
	for i, t := range c.tasks {
		if i > 0 || c.reader != nil {
			out = append(out[:len(out):len(out)], t.places()...)
		}
	}
	return out
}

// finished reports whether everything of the task is closed.
func (c *chain) finished() bool {
	if c.reader != nil && !c.reader.finished {
		return false
	}
	for _, t := range c.tasks {
		if !t.finished {
			return false
		}
	}
	return true
}

// chains reports whether an operator is called by its input directly: they
// have the same number of subtasks, nothing is exchanged between them, and no
// other input leads to it (StreamingJobGraphGenerator#isChainable).
func (j *Job) chains(o *OperatorSpec) bool {
	return (j.Spec.Chaining || o.Chained) && len(o.Inputs) == 1 && j.exchange(o.Inputs[0], o) == sim.ExchangeForward
}

// headOf is the vertex whose task an operator belongs to.
func (j *Job) headOf(name string) string {
	for _, o := range j.vertices() {
		if o.Name == name && j.chains(o) {
			return j.headOf(o.Inputs[0])
		}
	}
	return name
}

// chainNames are the vertices of each task that has more than one, in order.
func (j *Job) chainNames() (out [][]string) {
	members := map[string][]string{}
	var heads []string
	for _, s := range j.Spec.Sources {
		heads = append(heads, s.Name)
		members[s.Name] = []string{s.Name}
	}
	for _, o := range j.vertices() {
		h := j.headOf(o.Name)
		if members[h] == nil {
			heads = append(heads, h)
		}
		members[h] = append(members[h], o.Name)
	}
	for _, h := range heads {
		if len(members[h]) > 1 {
			out = append(out, members[h])
		}
	}
	return out
}

// makeChains puts the subtasks of the attempt into their tasks. A task has the
// number that the coordinator knows it by.
func makeChains(readers []*reader, tasks []*task) (out []*chain) {
	for _, r := range readers {
		r.chain = &chain{reader: r}
		out = append(out, r.chain)
	}
	for _, t := range tasks {
		switch up := t.chainedTo; {
		case up == nil:
			t.chain = &chain{}
			out = append(out, t.chain)
		default:
			t.chain = up.chain
		}
		t.chain.tasks = append(t.chain.tasks, t)
	}
	for n, c := range out {
		if c.reader != nil {
			c.reader.number = n
		}
		for _, t := range c.tasks {
			t.number = n
		}
	}
	return out
}

// called hands an element of the operator before to a chained one. What it puts
// out comes before what its caller puts out next.
func (t *task) called(c *channel, x *barrier.Item[element]) {
	if t.Dead {
		return
	}
	switch x.Kind {
	case barrier.Data:
		e := x.Data
		t.job.kernel.Inner(func() {
			t.cause, t.ctx.Cause, t.handling, t.failed = nil, nil, nil, nil
			t.after(t.handle(c, &e))
		})
	case barrier.EndOfPartition:
		t.job.kernel.Inner(func() { t.after(t.takeEnd(c)) })
	}
	// A barrier is the task's.
}

// prepare lets all operators put out what belongs before a barrier, from the
// head on, each behind what the one before has put out; then it calls then.
func (c *chain) prepare(id int64, then func() error) error {
	if len(c.tasks) == 0 {
		return then()
	}
	var step func(i int)
	step = func(i int) {
		if i == len(c.tasks) {
			if err := then(); err != nil {
				c.tasks[0].fail(err)
			}
			return
		}
		t := c.tasks[i]
		err := t.op.PrepareBarrier(id)
		switch b := operator.AsBlocked(err); {
		case b != nil:
			t.block(b, func() { step(i) })
		case err != nil:
			t.fail(err)
		default:
			t.put(nil, func() { step(i + 1) })
		}
	}
	if c.reader != nil || len(c.tasks) > 1 {
		step(0)
		return nil
	}
	err := c.tasks[0].op.PrepareBarrier(id)
	if b := operator.AsBlocked(err); b != nil {
		c.tasks[0].block(b, func() { step(0) })
		return nil
	}
	if err != nil {
		return err
	}
	return then()
}

// barrier sends a barrier through all channels that leave the task.
func (c *chain) barrier(b barrier.Barrier) {
	if c.reader != nil {
		c.reader.outputs.barrier(b)
	}
	for _, t := range c.tasks {
		t.outputs.barrier(b)
	}
}

// cancel says through all of them that a checkpoint was given up.
func (c *chain) cancel(id int64) {
	if c.reader != nil {
		c.reader.outputs.cancel(id)
	}
	for _, t := range c.tasks {
		t.outputs.cancel(id)
	}
}

// snapshot takes the state of all operators, from the last one on, and adds it
// to that of the reader, if it has one.
func (c *chain) snapshot(id int64, s *snapshotting, p *part) (*part, *checkpoint.SubtaskState, error) {
	var head *checkpoint.SubtaskState
	for i := len(c.tasks) - 1; i >= 0; i-- {
		t := c.tasks[i]
		if err := t.op.Snapshot(id); err != nil {
			return nil, nil, err
		}
		out := &checkpoint.SubtaskState{}
		own, err := t.keyed(id, s, out)
		if err != nil {
			return nil, nil, err
		}
		p, head = own.and(p), out
	}
	return p, head, nil
}

// and joins what two operators of a task write; nil: nothing.
func (p *part) and(o *part) *part {
	if o == nil {
		return p
	}
	both := &part{sync: p.sync + o.sync, streams: append(p.streams, o.streams...)}
	both.finish = func() (checkpoint.TaskState, error) {
		a, err := p.finish()
		if err != nil {
			return nil, err
		}
		b, err := o.finish()
		return append(a, b...), err
	}
	both.discard = func() {
		for _, x := range []*part{p, o} {
			if x.discard != nil {
				x.discard()
			}
		}
	}
	return both
}
