package verdict

import (
	"cmp"
	"maps"
	"slices"

	"streaminglab/sim"
)

// An entry is a step of a subtask, behind those that came before it since the
// start of the job. Entries are never changed: a snapshot points to one.
type entry struct {
	before *entry
	step   *sim.Step
	start  *start
}

// contents is what an operator holds at some time, as the way there: what it
// was started with, and what each subtask did since then. It is worked out when
// somebody restores it, and only then.
type contents struct {
	base *contents
	// logs are the last entries, by subtask; nil: the subtask did nothing.
	logs map[string]*entry
	// state is kept once it is worked out; nobody may change it.
	state *state
}

// work adds everything up.
func (c *contents) work() *state {
	switch {
	case c == nil:
		return newState()
	case c.state != nil:
		return c.state
	}
	var all []*entry
	for _, at := range slices.Sorted(maps.Keys(c.logs)) {
		for e := c.logs[at]; e != nil; e = e.before {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Compare(a.step.Seq, b.step.Seq) })
	c.state = c.base.work().clone()
	for _, e := range all {
		c.state.apply(e.step, e.start)
	}
	return c.state
}

// An operator is followed by its uid, over all jobs.
type operator struct {
	uid, name string
	// base is what the running attempt began with, logs what came since, state
	// what that makes.
	base  *contents
	logs  map[string]*entry
	state *state
	// handled are records that it has seen in some attempt; waited came into one
	// of its channels and had to wait.
	handled, waited *offsets
	// since are those that it has seen in this attempt, waiting those that wait
	// now.
	since   *offsets
	waiting *offsets
}

// begin is a new attempt, which begins with what a snapshot holds.
func (o *operator) begin(from *contents) {
	o.base, o.logs, o.state = from, map[string]*entry{}, from.work().clone()
	o.since, o.waiting = newOffsets(), newOffsets()
}

// take notes a step of one of its subtasks.
func (o *operator) take(step *sim.Step, now *start) {
	o.logs[step.At] = &entry{o.logs[step.At], step, now}
	o.state.apply(step, now)
	if r, ok := recordOf(step); ok {
		o.handled.add(r)
		o.since.add(r)
		if o.waiting.has(r) {
			one := newOffsets()
			one.add(r)
			o.waiting.minus(one)
		}
	}
}

// recordOf is the record that an operator handled in a step.
func recordOf(step *sim.Step) (r sim.RecordID, ok bool) {
	switch b := step.Body.(type) {
	case sim.RecordProcessed:
		r = b.Record
	case sim.RecordPlaced:
		r = b.Record
	case sim.RecordDropped:
		r = b.Record
	case sim.RecordLate:
		r = b.Record
	case sim.RecordVanished:
		r = b.Record
	}
	return r, r.Source != ""
}

// changesState reports whether a step can change what an operator holds.
func changesState(step *sim.Step) bool {
	switch step.Body.(type) {
	case sim.RecordProcessed, sim.RecordPlaced, sim.RecordDropped, sim.RecordLate, sim.RecordVanished,
		sim.WindowFired, sim.WindowCleaned, sim.WindowMerged, sim.WindowReplaced, sim.JoinRemoved:
		return true
	}
	return false
}
