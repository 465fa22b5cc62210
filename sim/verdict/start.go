package verdict

import (
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// A start is an attempt of a job, with what it was restored from.
type start struct {
	step *sim.Step
	body sim.JobStarted
	// from is the snapshot; nil: it began with empty state. unknown: it began
	// with one that the trace does not show, of which nothing is said.
	from    *fold.Snapshot
	unknown bool
	// parent is the start in which the snapshot was taken, cut the step with
	// which each subtask took its part.
	parent *start
	cut    map[string]*sim.Step
	// positions are where the splits are read from.
	positions map[string]int64
	// inFlight are records that came back as data on their way, by uid.
	inFlight map[string]*offsets
	// atRisk are records that the restored state holds and that are to be read
	// again, by uid.
	atRisk map[string]*offsets
	// skipped are losses with the state of operators that the job does not have.
	skipped []loss
	// read are the records that were read, again those that had been read before.
	read, again *offsets
	firstAgain  *sim.Step
	// pending are outputs of what was rolled back: they may be written again.
	pending []*written
	// ran: something was done after it, so that what was restored is restored.
	ran bool
}

// A loss is what no state holds any more.
type loss struct {
	uid, name string
	records   *offsets
	// cause is the step that it comes from; nil: the start.
	cause *sim.Step
}

// started begins an attempt: the whole job goes back, since it is one region.
func (f *Fold) started(step *sim.Step, b sim.JobStarted) {
	s := &start{
		step: step, body: b, positions: map[string]int64{}, inFlight: map[string]*offsets{},
		atRisk: map[string]*offsets{}, read: newOffsets(), again: newOffsets(),
	}
	for _, p := range b.Splits {
		s.positions[p.Split] = p.Offset
	}
	if b.Attempt == 0 {
		f.job = b.Job
		f.loop = nil
	}
	if b.Restored > 0 {
		s.from = f.restored(b)
		s.unknown = s.from == nil
	}
	if s.from != nil {
		p := f.partOf(s.from)
		s.parent, s.cut = p.start, p.cut
	}
	f.starts = append(f.starts, s)
	f.now = s
	f.name(b)
	f.restore(s)
	f.rollBack(s)
	f.held = map[string]*sim.Step{}
	f.alive = true
}

// restored is the snapshot that an attempt comes from: its own checkpoint, or
// what the job was started from.
func (f *Fold) restored(b sim.JobStarted) *fold.Snapshot {
	if b.Attempt > 0 || b.Snapshot == "" {
		for _, c := range slices.Backward(f.storage.Snapshots) {
			if c.ID == int(b.Restored) && c.Job == f.storage.Job && !c.Savepoint() && c.Status == fold.SnapshotCompleted {
				return c
			}
		}
	}
	return f.storage.Restored
}

// name says which operators the job has, and by which uid their state is found.
// Sources and sinks are among them: they hold no records. All are there from the
// start, for a snapshot may be the first thing that a subtask does.
func (f *Fold) name(b sim.JobStarted) {
	f.uids = map[string]string{}
	for _, v := range b.Vertices {
		f.uids[v] = v
	}
	for _, v := range b.UIDs {
		f.uids[v.Name] = v.UID
	}
	for _, v := range b.Vertices {
		f.known(v).name = v
	}
}

// restore gives each operator of the job what the snapshot holds of it, and
// notes what nobody gets.
func (f *Fold) restore(s *start) {
	var parts map[string]*contents
	if s.from != nil {
		parts = f.partOf(s.from).parts
	}
	mine := map[string]bool{}
	for _, uid := range f.uids {
		mine[uid] = true
	}
	for _, o := range f.order {
		c := parts[o.uid]
		if c == nil {
			c = &contents{}
		}
		if !mine[o.uid] {
			if skip := f.skipped[o.uid]; skip != nil && c.logs != nil {
				lost := c.work().held().union(f.missing(o, s, c))
				s.skipped = append(s.skipped, loss{o.uid, o.name, lost, skip})
			}
			o.begin(&contents{})
			continue
		}
		o.begin(c)
		s.atRisk[o.uid] = o.state.held().from(s.positions)
	}
}

// missing are records that the job will not read again, though an operator had
// them, and that neither its state nor the data on its way holds.
func (f *Fold) missing(o *operator, s *start, c *contents) *offsets {
	all := o.handled.clone().union(o.waited).below(s.positions)
	return all.minus(c.work().handled).minus(s.inFlight[o.uid])
}

// losses are what a start has lost.
func (f *Fold) losses(s *start) []loss {
	out := slices.Clone(s.skipped)
	if s.unknown {
		return out
	}
	for _, o := range f.order {
		c := &contents{}
		if s.from != nil {
			// An operator that the snapshot does not know is a new one: it begins
			// empty and has lost nothing.
			if c = f.partOf(s.from).parts[o.uid]; c == nil {
				continue
			}
		}
		if s.uid(o.uid) && o.handled.count() > 0 {
			if lost := f.missing(o, s, c); lost.count() > 0 {
				out = append(out, loss{o.uid, o.name, lost, nil})
			}
		}
	}
	return out
}

// uid reports whether the job of a start has an operator.
func (s *start) uid(uid string) bool {
	for _, v := range s.body.UIDs {
		if v.UID == uid {
			return true
		}
	}
	named := slices.ContainsFunc(s.body.UIDs, func(v sim.VertexUID) bool { return v.Name == uid })
	return !named && slices.Contains(s.body.Vertices, uid)
}

// lineage are the starts that the present state comes from, the present one
// first.
func (f *Fold) lineage() (out []*start) {
	for s := f.now; s != nil; s = s.parent {
		out = append(out, s)
	}
	return out
}

// stands reports whether what a step of an earlier start did is still part of
// the state of a start: it was not rolled back.
func stands(step *sim.Step, in, now *start) bool {
	if in == now {
		return true
	}
	for s := now; s.parent != nil; s = s.parent {
		if s.parent != in {
			continue
		}
		if b, ok := step.Body.(sim.RecordRead); ok {
			p, known := s.positions[splitOf(b.Record)]
			return known && b.Record.Offset < p
		}
		cut, ok := s.cut[step.At]
		// A subtask that had finished took no part and did nothing after it.
		return !ok || step.Seq <= cut.Seq
	}
	return false
}

// A part is what is known of a snapshot.
type part struct {
	start *start
	// cut is the step with which each subtask took its part.
	cut map[string]*sim.Step
	// parts are what operators held, by uid.
	parts map[string]*contents
}

// snapshot notes that a subtask has taken its part of a snapshot.
func (f *Fold) snapshot(step *sim.Step, id int64) {
	c := f.storage.Find(id)
	if c == nil || f.now == nil {
		return
	}
	p := f.partOf(c)
	p.cut[step.At] = step
	if o := f.operator(step.At); o != nil {
		p.of(o).logs[step.At] = o.logs[step.At]
	}
}

func (f *Fold) partOf(c *fold.Snapshot) *part {
	p := f.taken[c]
	if p == nil {
		p = &part{start: f.now, cut: map[string]*sim.Step{}, parts: map[string]*contents{}}
		f.taken[c] = p
	}
	return p
}

func (p *part) of(o *operator) *contents {
	c := p.parts[o.uid]
	if c == nil {
		c = &contents{base: o.base, logs: map[string]*entry{}}
		p.parts[o.uid] = c
	}
	return c
}

// completed makes a snapshot whole: subtasks that had finished took no part in
// it, and hold what they held.
func (f *Fold) completed(id int64) {
	c := f.storage.Find(id)
	if c == nil || f.now == nil {
		return
	}
	p := f.partOf(c)
	for _, o := range f.order {
		if f.uids[o.name] != o.uid {
			continue
		}
		logs := p.of(o).logs
		for at, e := range o.logs {
			if _, ok := logs[at]; !ok {
				logs[at] = e
			}
		}
	}
}
