package checkpoint

import "streaminglab/sim"

// CheckpointKind is what a person asks for (CheckpointType of the REST
// interface).
type CheckpointKind string

// The kinds.
const (
	KindConfigured  CheckpointKind = "CONFIGURED"
	KindFull        CheckpointKind = "FULL"
	KindIncremental CheckpointKind = "INCREMENTAL"
)

// Checkpoint asks for a checkpoint: it ignores the min-pause, and waits for
// max-concurrent (CP-2.8). The answer is a RequestAnswered.
func (c *Coordinator) Checkpoint(kind CheckpointKind) {
	n := c.number()
	c.do(func() {
		p := PropertiesOf(c.config.Retention)
		if kind == KindFull {
			p.Type = TypeFullCheckpoint
		}
		c.ask(c.asked(n, p, ""))
	})
}

// Savepoint asks for an intermediate savepoint: the job goes on, and hears
// nothing of it. target is the directory; empty: a new one where savepoints
// go. The answer is a RequestAnswered.
func (c *Coordinator) Savepoint(target string) {
	n := c.number()
	c.do(func() { c.ask(c.asked(n, savepointProperties(TypeSavepoint, !c.config.Unaligned), target)) })
}

// StopWithSavepoint stops the scheduler, which aborts what is pending, and asks
// for the savepoint that the job stops with (CP-8.4). What follows from its
// outcome is up to whoever embeds the coordinator (CP-8.5).
func (c *Coordinator) StopWithSavepoint(drain bool, target string) {
	n := c.number()
	c.do(func() {
		c.stopScheduler()
		c.later(func() {
			t := TypeSavepointSuspend
			if drain {
				t = TypeSavepointTerminate
			}
			c.ask(c.asked(n, savepointProperties(t, !c.config.Unaligned), target))
		})
	})
}

// NextRequest is the number that the next request of a person will have.
func (c *Coordinator) NextRequest() int { return c.requests }

func (c *Coordinator) number() int {
	c.requests++
	return c.requests - 1
}

func (c *Coordinator) asked(number int, p Properties, target string) *request {
	return &request{number: number, properties: p, timestamp: c.now(), target: target}
}

// ask puts a request into the queue and looks once.
func (c *Coordinator) ask(r *request) {
	if refused := c.decider.add(r); refused != nil {
		c.answer(refused, 0, TooManyCheckpointRequests, nil)
		if refused == r {
			return
		}
	}
	c.look()
}

// look looks at the queue once and starts what it finds (CP-2.3).
func (c *Coordinator) look() {
	d := c.decider.choose(look{
		now: c.now(), triggering: c.triggering, cleaning: c.store.cleaner.Cleaning(),
		pending: len(c.pending), lastCompletion: c.lastCompletion,
	})
	if d.dropped != nil {
		c.answer(d.dropped, 0, MinimumTimeBetweenCheckpoints, nil)
		c.tell(RequestDropped{d.remaining})
		c.book(c.now() + d.remaining)
	}
	if d.run != nil {
		c.start(d.run)
	}
}

// answer answers a request of a person, once.
func (c *Coordinator) answer(r *request, id int64, reason FailureReason, e *sim.Exception) {
	if r.number < 0 || r.answered {
		return
	}
	r.answered = true
	if reason != "" {
		e = reason.Exception()
	}
	c.tell(RequestAnswered{Request: r.number, ID: id, Reason: reason, Exception: e})
}
