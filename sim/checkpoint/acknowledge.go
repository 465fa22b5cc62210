package checkpoint

import (
	"errors"

	"streaminglab/sim"
)

// Acknowledge takes the state of a task (receiveAcknowledgeMessage). Shared
// files are registered whatever becomes of the checkpoint, except those of a
// pending savepoint; then an acknowledgement that nobody waits for loses its
// private files (CP-1.4). The coordinator keeps the state: it must not be
// changed afterwards.
func (c *Coordinator) Acknowledge(id int64, task int, state TaskState) {
	c.do(func() {
		if c.shutdown {
			return
		}
		p := c.pending[id]
		uploaded := int64(0)
		for i := range state {
			uploaded += state[i].State.Uploaded()
		}
		if p == nil || !p.properties.Type.Savepoint() {
			for i := range state {
				if err := c.store.registry.registerAll(&state[i].State, id); err != nil {
					var e *sim.Exception
					errors.As(err, &e)
					c.tell(AcknowledgeRefused{ID: id, Task: task, Exception: e})
					return
				}
			}
		}
		if p == nil {
			c.discard(state)
			c.tell(LateAcknowledged{ID: id, Task: task, Shared: state.SharedFiles()})
			return
		}
		if !p.waiting[task] {
			// A duplicate is ignored: its files are those of the first one. Who
			// does not take part at all is not known.
			if _, duplicate := p.acknowledged[task]; !duplicate {
				c.discard(state)
			}
			return
		}
		delete(p.waiting, task)
		p.acknowledged[task] = state
		p.uploaded += uploaded
		c.tell(Acknowledged{ID: id, Task: task, Missing: len(p.waiting)})
		if p.complete() {
			c.complete(p)
		}
	})
}

func (c *Coordinator) discard(state TaskState) {
	for i := range state {
		state[i].State.private(func(h Handle) { _ = c.storage.discard(h) })
	}
}
