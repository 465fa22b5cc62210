package checkpoint

import (
	"maps"
	"slices"
)

// Decline says that a task could not take its snapshot (receiveDeclineMessage).
func (c *Coordinator) Decline(id int64, task int, reason FailureReason) {
	c.do(func() {
		if p := c.pending[id]; p != nil && !c.shutdown {
			c.abort(p, reason, task)
		}
	})
}

// TaskFailed says that a task is gone: every pending checkpoint that it did not
// acknowledge is aborted (failUnacknowledgedPendingCheckpointsFor).
func (c *Coordinator) TaskFailed(task int) {
	c.do(func() {
		for _, id := range slices.Sorted(maps.Keys(c.pending)) {
			if p := c.pending[id]; p.waiting[task] {
				c.abort(p, TaskFailure, -1)
			}
		}
	})
}

// abort gives a pending checkpoint up (CP-1.6): the request is answered, its
// files are deleted, the failure manager hears of it, the tasks are told, and
// the queue is looked at twice. If its coordinators had not answered, the
// trigger fails too, before those looks.
func (c *Coordinator) abort(p *pending, reason FailureReason, task int) {
	if p.disposed {
		return
	}
	p.disposed = true
	p.timeout.Cancel()
	c.answer(p.request, 0, reason, nil)
	if p.preparing {
		c.later(func() { c.triggerFailed(p, reason) })
	}
	p.discard(c.storage)
	c.lookLater()
	c.judge(p.id, p.properties, reason, task)
	c.notifyAborted(p)
	delete(c.pending, p.id)
	c.lookLater()
}

func (c *Coordinator) notifyAborted(p *pending) {
	c.tell(NotifyAborted{ID: p.id, Latest: c.store.latestID(), Tasks: p.plan.wait, All: p.plan.all})
}

// abortAll aborts what is queued and what is pending.
func (c *Coordinator) abortAll(reason FailureReason) {
	for _, r := range c.decider.take() {
		c.answer(r, 0, reason, nil)
	}
	for _, id := range slices.Sorted(maps.Keys(c.pending)) {
		if p := c.pending[id]; p != nil { // who hears of one may end them all
			c.abort(p, reason, -1)
		}
	}
}

// HoldDeletions makes deletions of subsumed checkpoints wait from now on: a
// slow store.
func (c *Coordinator) HoldDeletions() { c.store.cleaner.holding = true }

// ReleaseDeletion ends the oldest deletion that waits.
func (c *Coordinator) ReleaseDeletion() { c.do(func() { c.store.cleaner.release() }) }
