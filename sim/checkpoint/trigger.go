package checkpoint

import (
	"slices"

	"streaminglab/sim"
)

// preCheck says why nothing can be triggered now; empty: nothing.
func (c *Coordinator) preCheck(r *request) FailureReason {
	switch {
	case c.shutdown:
		return CoordinatorShutdown
	case r.periodic && !c.scheduling:
		return PeriodicSchedulerShutdown
	}
	return ""
}

// start begins to trigger (startTriggeringCheckpoint). What follows stands in
// line: looks that are already there find a trigger in preparation.
func (c *Coordinator) start(r *request) {
	if reason := c.preCheck(r); reason != "" {
		c.rejected(r, reason)
		return
	}
	c.triggering = true
	c.later(func() { c.prepare(r) })
}

// prepare computes who takes part, takes the id, creates the pending
// checkpoint with its timeout and its location, and asks the coordinators
// (CP-1.1 b to f).
func (c *Coordinator) prepare(r *request) {
	plan, ok := c.graph.plan(c.config.AfterTasksFinish)
	if !ok {
		c.rejected(r, NotAllRequiredTasksRunning)
		return
	}
	id := c.take()
	if reason := c.preCheck(r); reason != "" {
		c.rejected(r, reason)
		return
	}
	if len(plan.wait) == 0 {
		// Everybody has finished. Flink notices after it took the id
		// ("Checkpoint needs at least one vertex that commits the checkpoint").
		c.rejected(r, TriggerFailure)
		return
	}
	p := &pending{
		id: id, triggered: c.now(), properties: r.properties, request: r, plan: plan, preparing: true,
		coordinators: slices.Clone(c.config.Coordinators), coordinated: map[string][]byte{},
		waiting: map[int]bool{}, acknowledged: map[int]TaskState{},
	}
	for _, task := range plan.wait {
		p.waiting[task] = true
	}
	c.pending[id] = p
	expires := c.now() + c.config.Timeout
	p.timeout = c.queue.At(expires, false, func() { c.do(func() { c.abort(p, Expired, -1) }) })
	c.tell(PendingCreated{ID: id, Request: r.number, Type: c.typeOf(p), Periodic: r.periodic, Expires: expires, Waiting: plan.wait})
	var err error
	if p.location, err = c.locate(p); err != nil {
		c.triggerFailed(p, IOException)
		return
	}
	if len(p.coordinators) == 0 {
		c.trigger(p)
		return
	}
	c.tell(SnapshotCoordinators{ID: id, Operators: p.coordinators})
}

func (c *Coordinator) locate(p *pending) (Location, error) {
	if p.properties.Type.Savepoint() {
		target := p.request.target
		if target == "" {
			target = c.storage.SavepointDirectory(p.id)
		}
		return c.storage.initialize(target)
	}
	if !c.base {
		c.base = true
		if err := c.storage.initializeBase(); err != nil {
			return Location{}, err
		}
	}
	return c.storage.initialize(c.storage.CheckpointDirectory(p.id))
}

// typeOf is what the tasks are told: full when the job may not depend on the
// snapshot that it was started from (CP-8.7).
func (c *Coordinator) typeOf(p *pending) SnapshotType {
	if c.forceFull && !p.properties.Type.Savepoint() {
		return TypeFullCheckpoint
	}
	return p.properties.Type
}

// AcknowledgeCoordinator takes the snapshot of an operator's coordinator.
// Answers for a checkpoint that is not in that phase are ignored.
func (c *Coordinator) AcknowledgeCoordinator(id int64, operator string, state []byte) {
	c.do(func() {
		p := c.pending[id]
		if p == nil || !p.preparing {
			return
		}
		i := slices.Index(p.coordinators, operator)
		if i < 0 {
			return
		}
		p.coordinators = slices.Delete(slices.Clone(p.coordinators), i, i+1)
		if state != nil {
			p.coordinated[operator] = state
		}
		if len(p.coordinators) == 0 {
			c.trigger(p)
		}
	})
}

// FailCoordinator says that a coordinator could not snapshot.
func (c *Coordinator) FailCoordinator(id int64) {
	c.do(func() {
		if p := c.pending[id]; p != nil && p.preparing {
			c.triggerFailed(p, TriggerFailure)
		}
	})
}

// trigger tells the tasks (CP-1.1 h). All may have acknowledged already.
func (c *Coordinator) trigger(p *pending) {
	p.preparing = false
	c.tell(TriggerTasks{
		ID: p.id, Timestamp: p.triggered, Type: c.typeOf(p), Directory: p.location.Directory,
		Tasks: p.plan.trigger, Sources: p.plan.sources,
	})
	if p.complete() && !c.complete(p) {
		c.triggerFailed(p, FinalizeFailure)
		return
	}
	c.triggering = false
	c.look()
}

// rejected ends a trigger that has no pending checkpoint (onTriggerFailure).
func (c *Coordinator) rejected(r *request, reason FailureReason) {
	c.answer(r, 0, reason, nil)
	c.judge(0, r.properties, reason, -1)
	c.triggering = false
	c.look()
}

// triggerFailed ends a trigger whose pending checkpoint exists. If that was
// given up before, the failure manager hears of it a second time (CP-3.1).
func (c *Coordinator) triggerFailed(p *pending, reason FailureReason) {
	p.preparing = false
	if p.disposed {
		c.judge(p.id, p.properties, reason, -1)
	} else {
		c.abort(p, reason, -1)
	}
	c.triggering = false
	c.look()
}

// judge tells the failure manager and fails the job if it says so.
func (c *Coordinator) judge(id int64, p Properties, reason FailureReason, task int) {
	v := c.failures.failed(id, p, reason, task)
	if id == 0 {
		c.tell(RequestRejected{reason})
	} else {
		c.tell(Aborted{ID: id, Reason: reason, Task: task, Failures: v.failures})
	}
	if !v.fail {
		return
	}
	var e *sim.Exception
	if v.exceeded {
		e = exceededException(reason)
	} else {
		e = reason.Exception()
	}
	c.tell(JobFailed{Task: v.task, Exception: e})
}
