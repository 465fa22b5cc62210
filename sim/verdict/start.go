package verdict

import (
	"maps"
	"slices"
	"strings"

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
	// others is the start that subtasks of other regions go on from; nil: all of
	// the job started.
	others *start
	// spare are readers without a split.
	spare []string
	cut   map[string]*sim.Step
	// positions are where the splits are read from.
	positions map[string]int64
	// inFlight are records that came back as data on their way, by uid.
	inFlight map[string]*offsets
	// atRisk are records that the restored state holds and that are to be read
	// again, by uid.
	atRisk map[string]*offsets
	// skipped are losses with the state of operators that the job does not have.
	skipped []loss
	// expected are records that were read before and are to be read again.
	expected *offsets
	// gone are records that it did not find in its input.
	gone []gone
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

// started begins an attempt: of the whole job, or of one region.
func (f *Fold) started(step *sim.Step, b sim.JobStarted) {
	s := &start{
		step: step, body: b, positions: map[string]int64{}, inFlight: map[string]*offsets{},
		atRisk: map[string]*offsets{}, read: newOffsets(), again: newOffsets(), expected: newOffsets(), spare: b.Spare,
	}
	if len(b.Subtasks) > 0 {
		s.others = f.now
	}
	for _, p := range b.Splits {
		s.positions[p.Split] = p.Offset
	}
	for _, x := range f.splits {
		s.expected.union(x.read.from(s.positions))
	}
	if o := s.others; o != nil {
		s.keep(o)
	}
	if b.Attempt == 0 {
		f.job = b.Job
		f.loop, f.gaveUp = nil, nil
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
	maps.DeleteFunc(f.held, func(at string, _ *sim.Step) bool { return s.touches(at) })
	// Readers that come back can send; operators that a command stopped take
	// nothing.
	maps.DeleteFunc(f.blocked, func(at string, _ *sim.Step) bool { return nameOf(at) != at && s.touches(at) })
	f.alive = true
}

// keep takes over what other regions had before them.
func (s *start) keep(o *start) {
	for _, at := range o.spare {
		if !s.touches(at) {
			s.spare = append(s.spare, at)
		}
	}
	rest := o.expected.clone().minus(o.read)
	maps.DeleteFunc(rest.splits, func(split string, _ []span) bool { return s.touches(split) })
	s.expected.union(rest)
}

// touches reports whether a subtask, or who reads a split, began with the
// start.
func (s *start) touches(at string) bool {
	return s.others == nil || fold.Touches(s.body.Subtasks, s.body.Splits, strings.TrimSuffix(at, sim.Zombie))
}

// reads is the start of who reads a split: regions may have come back after it.
func (s *start) reads(split string) *start {
	for s.others != nil && !s.touches(split) {
		s = s.others
	}
	return s
}

// holds reports whether an operator began with the start. Subtasks of one
// operator are in several regions only where nothing is keyed: such an operator
// holds no records.
func (s *start) holds(name string) bool {
	return s.others == nil || slices.ContainsFunc(s.body.Subtasks, func(at string) bool { return nameOf(at) == name })
}

// before is the start that what an operator held at a start comes from; nil:
// there is none.
func (s *start) before(name string) *start {
	if !s.holds(name) {
		return s.others
	}
	return s.parent
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
	f.chains = b.Chains
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
		if !s.holds(o.name) {
			if risk := s.others.atRisk[o.uid]; risk != nil {
				s.atRisk[o.uid] = risk
			}
			continue
		}
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
	all := o.handled.clone().union(o.waited).below(s.positions).minus(c.work().handled)
	for _, name := range s.upstream(o.name) {
		all = all.minus(s.inFlight[f.uids[name]])
	}
	return all
}

// upstream are an operator and all that lead to it.
func (s *start) upstream(name string) []string {
	out := []string{name}
	for i := 0; i < len(out); i++ {
		for _, e := range s.body.Edges {
			if e.To == out[i] && !slices.Contains(out, e.From) {
				out = append(out, e.From)
			}
		}
	}
	return out
}

// losses are what the present state has lost with a start.
func (f *Fold) losses(s *start, path paths) []loss {
	out := slices.DeleteFunc(slices.Clone(s.skipped), func(l loss) bool { return !path.lead(s, l.name) })
	if s.unknown {
		return out
	}
	for _, o := range f.order {
		if !s.holds(o.name) || !path.lead(s, o.name) {
			continue
		}
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

// paths are the starts that what operators hold now comes from, by operator.
type paths struct {
	now *start
	of  map[string]map[*start]bool
}

func (f *Fold) paths() paths { return paths{f.now, map[string]map[*start]bool{}} }

// lead reports whether what an operator holds now comes from a start, if only by
// way of others.
func (p paths) lead(s *start, name string) bool {
	if p.of[name] == nil {
		p.of[name] = map[*start]bool{}
		for x := p.now; x != nil; x = x.before(name) {
			p.of[name][x] = true
		}
	}
	return p.of[name][s]
}

// stands reports whether what a step of an earlier start did is still part of
// the state of a start: it was not rolled back.
func stands(step *sim.Step, in, now *start) bool {
	at := step.At
	read, isRead := step.Body.(sim.RecordRead)
	if isRead {
		at = splitOf(read.Record)
	}
	for s := now; s != in; {
		if !s.touches(at) {
			s = s.others
			continue
		}
		if s.parent == nil {
			return false
		}
		if s.parent != in {
			s = s.parent
			continue
		}
		if isRead {
			p, known := s.positions[at]
			return known && read.Record.Offset < p
		}
		cut, ok := s.cut[step.At]
		// A subtask that had finished took no part and did nothing after it.
		return !ok || step.Seq <= cut.Seq
	}
	return true
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
	for _, at := range f.task(step.At) {
		p.cut[at] = step
		if o := f.operator(at); o != nil {
			p.of(o).logs[at] = o.logs[at]
		}
	}
}

// task are the subtasks that take their part of a snapshot with one: those of
// its chain.
func (f *Fold) task(at string) []string {
	name := nameOf(at)
	for _, names := range f.chains {
		if names[0] != name {
			continue
		}
		var out []string
		for _, n := range names {
			out = append(out, n+strings.TrimPrefix(at, name))
		}
		return out
	}
	return []string{at}
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
