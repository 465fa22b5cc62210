package checkpoint

import (
	"slices"
)

// maxQueuedRequests is the cap of the queue (CP-2.4).
const maxQueuedRequests = 1000

// A request is one for a checkpoint or savepoint.
type request struct {
	// number counts those of people; -1: periodic.
	number     int
	properties Properties
	periodic   bool
	timestamp  int64
	// target is where a savepoint goes; empty: where savepoints go.
	target   string
	answered bool
}

// A RequestDecider decides which request runs (CheckpointRequestDecider,
// CP-2.3, CP-2.4).
type RequestDecider struct {
	maxConcurrent int
	minPause      int64
	// queue is in the order in which requests run.
	queue []*request
}

// A look is what the decider sees.
type look struct {
	now            int64
	triggering     bool
	cleaning       int
	pending        int
	lastCompletion int64 // 0: none yet
}

// A decision is what comes of a look.
type decision struct {
	run *request
	// dropped is a periodic request that met the min-pause; the next tick comes
	// remaining ms later.
	dropped   *request
	remaining int64
}

// precedes is the order of the queue: savepoints, forced, asked for by a
// person, older.
func precedes(a, b *request) int {
	first := func(x, y bool) int {
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	}
	if c := first(a.properties.Type.Savepoint(), b.properties.Type.Savepoint()); c != 0 {
		return c
	}
	if c := first(a.properties.Forced, b.properties.Forced); c != 0 {
		return c
	}
	if c := first(!a.periodic, !b.periodic); c != 0 {
		return c
	}
	return first(a.timestamp < b.timestamp, b.timestamp < a.timestamp)
}

// add puts a request in its place; refused is the request for which there is
// no room, if any: the last periodic one, or the new one when there is none.
func (d *RequestDecider) add(r *request) (refused *request) {
	if len(d.queue) >= maxQueuedRequests && !d.queue[len(d.queue)-1].periodic {
		return r
	}
	i := len(d.queue)
	for i > 0 && precedes(r, d.queue[i-1]) < 0 {
		i--
	}
	d.queue = slices.Insert(d.queue, i, r)
	if len(d.queue) > maxQueuedRequests {
		refused = d.queue[len(d.queue)-1]
		d.queue = d.queue[:len(d.queue)-1]
	}
	return refused
}

// choose looks at the queue once. A look runs or drops at most one request.
func (d *RequestDecider) choose(l look) decision {
	if l.triggering || len(d.queue) == 0 || l.cleaning > d.maxConcurrent {
		return decision{}
	}
	head := d.queue[0]
	if l.pending >= d.maxConcurrent {
		if !head.properties.Forced {
			return decision{}
		}
	} else if head.periodic && !head.properties.Forced && l.lastCompletion+d.minPause > l.now {
		d.queue = d.queue[1:]
		return decision{dropped: head, remaining: l.lastCompletion + d.minPause - l.now}
	}
	d.queue = d.queue[1:]
	return decision{run: head}
}

// take empties the queue.
func (d *RequestDecider) take() []*request {
	q := d.queue
	d.queue = nil
	return q
}
