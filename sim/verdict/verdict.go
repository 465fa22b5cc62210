package verdict

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// Kinds of verdicts.
const (
	// Lost : a record below the offset that the job goes on from is in no state.
	Lost = "lost"
	// DoubledInState : the state of an operator counts a record twice.
	DoubledInState = "doubled-in-state"
	// DoubledInOutput : a sink took a result more than once.
	DoubledInOutput = "doubled-in-output"
	// LostInOutput : a result that a checkpoint covers will not be seen by a reader.
	LostInOutput = "lost-in-output"
	// Torn : a reader can see a part of what belongs to one checkpoint.
	Torn = "torn"
	// Reordered : a reader gets results of a key in another order than they were
	// made.
	Reordered = "reordered"
	// Fenced : somebody else took a client's transactional id.
	Fenced = "fenced"
	// Harmless : something is reported as failed, and nothing has happened.
	Harmless = "reported-but-harmless"
	// Replayed : records were read again. By itself that does no harm.
	Replayed = "replayed"
	// Stuck : something does not move.
	Stuck = "stuck"
	// Orphaned : objects that nobody reads and nobody will delete.
	Orphaned = "orphaned"
	// Unrestorable : a snapshot is kept, and objects that it needs are gone.
	Unrestorable = "unrestorable"
)

// Kinds are all kinds, the worst for data first.
var Kinds = []string{
	Lost, LostInOutput, DoubledInState, DoubledInOutput, Torn, Reordered, Fenced, Replayed, Stuck, Orphaned, Unrestorable, Harmless,
}

// How certain a verdict is. What is certainly not the case has no verdict.
const (
	Yes = "yes"
	// Open : the run is too short to know.
	Open = "open"
)

// Verdicts implements fold.Judge: the verdicts of a trace, by kind and step.
// Lost records and records that are counted twice are those of the state that
// there is at the end: a job that goes back to a snapshot from before has
// neither. A result that a sink took stays taken.
func (f *Fold) Verdicts(t *sim.Trace) []fold.Verdict {
	f.Update(t)
	var out []fold.Verdict
	out = append(out, f.lost()...)
	out = append(out, f.lostInput()...)
	out = append(out, f.lostInOutput()...)
	out = append(out, f.torn()...)
	out = append(out, f.reordered()...)
	out = append(out, f.fenced()...)
	out = append(out, f.heldBack()...)
	out = append(out, f.harmless()...)
	out = append(out, f.doubledInState()...)
	out = append(out, f.doubledInOutput()...)
	out = append(out, f.replayed()...)
	out = append(out, f.stuck()...)
	out = append(out, f.orphaned()...)
	out = append(out, f.unrestorable()...)
	slices.SortStableFunc(out, func(a, b fold.Verdict) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)), cmp.Compare(a.Step, b.Step))
	})
	return out
}

// verdict is one that a step shows in an attempt.
func verdict(kind, certainty string, s *start, shows, cause *sim.Step, rule string) fold.Verdict {
	v := fold.Verdict{Kind: kind, Certainty: certainty, Rule: rule, At: trimSplit(shows.At), Step: shows.Seq, Cause: cause.Seq, T: int(shows.T)}
	if s != nil {
		v.Job, v.Attempt = s.body.Job, s.body.Attempt
		if s.from != nil {
			v.Snapshot = s.from.Name
		}
	}
	return v
}

// lines are records by their places, with their keys.
func (f *Fold) lines(o *offsets) (out []fold.Line) {
	o.each(func(split string, offset int64) { out = append(out, f.line(split, offset)) })
	return out
}

func (f *Fold) line(split string, offset int64) fold.Line {
	l := fold.Line{Split: split, Offset: int(offset)}
	if x := f.splits[split]; x != nil {
		l.Key = x.keys[offset]
	}
	return l
}

func trimSplit(at string) string { return strings.TrimSuffix(strings.TrimPrefix(at, "split:"), "/") }

func (f *Fold) lost() (out []fold.Verdict) {
	path := f.paths()
	for _, s := range slices.Backward(f.starts) {
		for _, l := range f.losses(s, path) {
			if l.records.count() == 0 {
				continue
			}
			certainty, cause, rule := Yes, l.cause, "CP-9.5"
			if cause == nil {
				cause, rule = s.step, s.step.Rule
				if !s.ran {
					certainty = Open
				}
			}
			if certainty == Open && !f.alive {
				continue
			}
			v := verdict(Lost, certainty, s, s.step, cause, rule)
			v.Operator, v.Records, v.Count = l.name, f.lines(l.records), l.records.count()
			out = append(out, v)
		}
	}
	return out
}

func (f *Fold) doubledInState() (out []fold.Verdict) {
	for _, o := range f.order {
		if f.uids[o.name] != o.uid {
			continue
		}
		// Those of one start are one verdict: the start in which a record came for
		// the second time is known by its step.
		type of struct{ start *start }
		records := map[of]*offsets{}
		first := map[of]doubling{}
		var order []of
		for _, d := range o.state.doubled {
			k := of{f.startOf(d.step)}
			if records[k] == nil {
				records[k], first[k] = newOffsets(), d
				order = append(order, k)
			}
			records[k].add(d.record)
		}
		for _, k := range order {
			d := first[k]
			v := verdict(DoubledInState, Yes, k.start, d.step, f.cutOf(k.start, d.step), "CP-4.2")
			v.Operator, v.Records, v.Count = o.name, f.lines(records[k]), records[k].count()
			out = append(out, v)
		}
		if f.now == nil || !f.alive {
			continue
		}
		if open := f.now.atRisk[o.uid]; open != nil {
			rest := open.clone().minus(o.since)
			if rest.count() > 0 {
				v := verdict(DoubledInState, Open, f.now, f.now.step, f.cutOf(f.now, nil), "CP-4.2")
				v.At, v.Operator, v.Records, v.Count = o.name, o.name, f.lines(rest), rest.count()
				if c := f.cutAt(f.now, o.name); c != nil {
					v.Cause = c.Seq
				}
				out = append(out, v)
			}
		}
	}
	return out
}

// startOf is the start that a step belongs to.
func (f *Fold) startOf(step *sim.Step) *start {
	for _, s := range slices.Backward(f.starts) {
		if s.step.Seq <= step.Seq {
			return s
		}
	}
	return nil
}

// cutOf is the step with which a subtask took the part of the snapshot that a
// start comes from, or the start itself.
func (f *Fold) cutOf(s *start, step *sim.Step) *sim.Step {
	if step != nil {
		if c := s.cut[step.At]; c != nil {
			return c
		}
		if c := f.cutAt(s, nameOf(step.At)); c != nil {
			return c
		}
	}
	return s.step
}

// cutAt is the first such step of any subtask of an operator.
func (f *Fold) cutAt(s *start, name string) *sim.Step {
	for _, at := range slices.Sorted(maps.Keys(s.cut)) {
		if nameOf(at) == name {
			return s.cut[at]
		}
	}
	return nil
}

func (f *Fold) doubledInOutput() (out []fold.Verdict) {
	type of struct {
		sink     string
		start    *start
		reopened bool
		reader   string
	}
	group := map[of][]repeat{}
	var order []of
	for _, r := range f.results.repeats {
		reader, ok := f.topics.readers(r)
		if !ok {
			continue
		}
		k := of{r.now.id.sink, r.now.start, r.reopened, reader}
		if group[k] == nil {
			order = append(order, k)
		}
		group[k] = append(group[k], r)
	}
	for _, k := range order {
		first := group[k][0]
		rule := "CP-4.2"
		switch {
		case k.reopened:
			rule = "EV-8.3"
		case k.reader != "":
			rule = "K-37"
		case f.topics.byStep[first.now.step.Seq] != nil:
			rule = "F-2"
		}
		v := verdict(DoubledInOutput, Yes, k.start, first.now.step, k.start.step, rule)
		records := newOffsets()
		for _, r := range group[k] {
			for _, id := range r.records {
				records.add(id)
			}
			v.Outputs = append(v.Outputs, output(r.now.step, r.before.step.Seq, r.now.step.Seq))
		}
		v.Operator, v.Records, v.Count, v.Reader = k.sink, f.lines(records), len(v.Outputs), k.reader
		out = append(out, v)
	}
	if f.now == nil || !f.alive {
		return out
	}
	open := map[string][]*written{}
	var sinks []string
	for _, w := range f.now.pending {
		if f.results.last[w.id].start == f.now {
			continue
		}
		if x := f.topics.byStep[w.step.Seq]; x != nil && !x.visible() {
			continue // no reader of committed records has it
		}
		if open[w.id.sink] == nil {
			sinks = append(sinks, w.id.sink)
		}
		open[w.id.sink] = append(open[w.id.sink], w)
	}
	for _, sink := range sinks {
		v := verdict(DoubledInOutput, Open, f.now, f.now.step, f.now.step, "CP-4.2")
		records := newOffsets()
		for _, w := range open[sink] {
			if w.id.record.Source != "" {
				records.add(w.id.record)
			}
			v.Outputs = append(v.Outputs, output(w.step, w.step.Seq, 0))
		}
		v.At, v.Operator, v.Records, v.Count = sink, sink, f.lines(records), len(v.Outputs)
		out = append(out, v)
	}
	return out
}

func output(step *sim.Step, first, now int) fold.Output {
	b := step.Body.(sim.ResultWritten)
	return fold.Output{
		Key: b.Key, Start: int(b.Window.Start), End: int(b.Window.End), Value: int(b.Value), Count: int(b.Count), First: first, Step: now,
	}
}

func (f *Fold) replayed() (out []fold.Verdict) {
	for _, s := range f.starts {
		if n := s.again.count(); n > 0 {
			v := verdict(Replayed, Yes, s, s.firstAgain, s.step, s.step.Rule)
			v.Operator = s.firstAgain.Body.(sim.RecordRead).Record.Source
			v.Records, v.Count = f.lines(s.again), n
			out = append(out, v)
		}
	}
	if f.now == nil || !f.alive {
		return out
	}
	rest := f.now.expected.clone()
	if n := rest.minus(f.now.read).count(); n > 0 {
		v := verdict(Replayed, Open, f.now, f.now.step, f.now.step, f.now.step.Rule)
		v.Records, v.Count = f.lines(rest), n
		out = append(out, v)
	}
	return out
}

func (f *Fold) stuck() (out []fold.Verdict) {
	if f.now == nil || !f.alive {
		return f.gaveUp
	}
	for _, c := range f.storage.Snapshots {
		if c.Status == fold.SnapshotPending && !c.Lost {
			v := verdict(Stuck, Open, f.now, c.Triggered, c.Triggered, c.Triggered.Rule)
			v.Snapshot = c.Name
			out = append(out, v)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(f.held)) {
		if v, ok := f.holds(at, f.held[at]); ok {
			out = append(out, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.blocked)) {
		s := f.blocked[name]
		v := verdict(Stuck, Yes, f.now, s, firstCause(s), s.Rule)
		v.Operator, v.Snapshot = nameOf(name), ""
		if o := f.operator(name); o != nil {
			v.Records, v.Count = f.lines(o.waiting), o.waiting.count()
		}
		out = append(out, v)
	}
	return append(out, f.loops()...)
}

// holds judges a watermark that is held back. It is stuck when results are due
// without the one that holds it; certainly so when that one does not move by
// itself.
func (f *Fold) holds(at string, s *sim.Step) (fold.Verdict, bool) {
	b := s.Body.(sim.WatermarkHeld)
	due := newOffsets()
	// Of an operator it is its own watermark, of a source that of all behind it.
	own := f.operator(at)
	source := own == nil || own.handled.count() == 0
	for _, o := range f.order {
		if f.uids[o.name] != o.uid || !source && o != own {
			continue
		}
		for id, w := range o.state.windows {
			if id != (windowID{}) && id.end > id.start && w.fired == 0 && id.end-1 > b.Watermark && id.end-1 <= b.Ahead {
				for r := range w.records {
					due.add(r)
				}
			}
		}
	}
	if due.count() == 0 {
		return fold.Verdict{}, false
	}
	certainty, cause := Open, s
	for _, by := range b.By {
		if p := f.paused[trimSplit(by)]; p != nil {
			certainty, cause = Yes, p
		} else if slices.Contains(f.now.spare, by) {
			certainty, cause = Yes, f.now.step
		}
	}
	v := verdict(Stuck, certainty, f.now, s, cause, s.Rule)
	v.Operator, v.Snapshot, v.Records, v.Count = nameOf(v.At), "", f.lines(due), due.count()
	return v, true
}

func firstCause(s *sim.Step) *sim.Step {
	if len(s.Causes) > 0 {
		return s.Causes[0]
	}
	return s
}

// orphaned groups objects by what left them behind.
func (f *Fold) orphaned() (out []fold.Verdict) {
	type of struct {
		step *sim.Step
		rule string
		by   string
	}
	at := map[of]int{}
	for _, o := range f.storage.Objects {
		if f.storage.StandingOf(o) != fold.Orphan {
			continue
		}
		k := of{}
		k.step, k.rule = f.giveUp(o)
		if c := o.Creator; c != nil {
			k.by = c.Name
		}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			v := verdict(Orphaned, Yes, nil, k.step, firstCause(k.step), k.rule)
			v.At, v.Snapshot, v.Job = trimSplit(o.At), k.by, o.Job
			out = append(out, v)
		}
		out[i].Files = append(out[i].Files, o.Path)
		out[i].Count++
	}
	return out
}

func (f *Fold) unrestorable() (out []fold.Verdict) {
	for _, c := range f.storage.Snapshots {
		if c.Status != fold.SnapshotCompleted || !f.storage.Retained(c) {
			continue
		}
		missing := f.storage.Missing(c)
		if len(missing) == 0 {
			continue
		}
		first := missing[0].Deleted
		var files []string
		for _, o := range missing {
			files = append(files, o.Path)
			if o.Deleted.Seq < first.Seq {
				first = o.Deleted
			}
		}
		rule := "CP-11.7"
		if o, ok := first.Body.(sim.ObjectDeleted); ok && o.By == "host" {
			rule = "LAB-9"
		}
		v := verdict(Unrestorable, Yes, nil, first, firstCause(first), rule)
		v.Snapshot, v.Files, v.Count, v.Job, v.Attempt = c.Name, files, len(files), c.Job, c.Attempt
		out = append(out, v)
	}
	return out
}
