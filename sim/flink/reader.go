package flink

import (
	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
)

// A reader is one subtask of a source: it reads splits and makes their
// watermarks.
type reader struct {
	// standing counts what the reader waits for before it reads anything.
	standing int
	outputs
	spec    *SourceSpec
	index   int
	source  *eventtime.ProgressiveTimestampsAndWatermarks
	aligned *eventtime.AlignedReader
	splits  []*readSplit
	// ended: everything was read; finished: the subtask is closed.
	ended    bool
	finished bool
	waiting  bool
	// stopped readers wait for the savepoint that the job stops with.
	stopped bool
	// backpressured readers do not read.
	backpressured bool

	// current is the record that the source is being given; left is what came
	// out of the call.
	current *operator.Record
	// record and event are those of the present read.
	record operator.Record
	event  eventtime.Event
	left   []sourceOutput
	held   string
	// cause is the step that led to the present call.
	cause *sim.Step
	last  *sim.Step
	// sent is the last watermark that went out.
	sent int64
	// quiet : nothing has happened since a probe that had nothing to say.
	quiet bool
}

type readSplit struct {
	log     *Log
	offset  int64
	ready   int64
	aligned bool // paused by alignment
	// What the split showed last, and the steps that led to it.
	watermark int64
	idle      bool
	shown     *sim.Step
	highest   int64
	highestBy *sim.Step
}

type sourceOutput struct {
	kind   elementKind
	time   int64
	idle   bool
	record *operator.Record
}

// EmitRecord implements eventtime.DataOutput.
func (r *reader) EmitRecord(ts int64) {
	if r.current == nil {
		// A scripted emission moves no record.
		return
	}
	r.current.TS = ts
	r.left = append(r.left, sourceOutput{kind: elementRecord, record: r.current})
}

// EmitWatermark implements eventtime.DataOutput.
func (r *reader) EmitWatermark(t int64) {
	r.left = append(r.left, sourceOutput{kind: elementWatermark, time: t})
}

// EmitWatermarkStatus implements eventtime.DataOutput.
func (r *reader) EmitWatermarkStatus(s eventtime.WatermarkStatus) {
	r.left = append(r.left, sourceOutput{kind: elementStatus, idle: s.IsIdle()})
}

// WaitForAlignment implements eventtime.AlignmentControl.
func (r *reader) WaitForAlignment(wait bool) {
	r.quiet = false
	r.waiting = wait
	if wait {
		r.source.PauseMain(r.job.kernel.Now())
	} else {
		r.job.must(r.source.ResumeMain(r.job.kernel.Now()))
	}
}

// PauseOrResumeSplits implements eventtime.AlignmentControl.
func (r *reader) PauseOrResumeSplits(pause, resume []string) {
	r.quiet = false
	now := r.job.kernel.Now()
	for _, name := range pause {
		if s := r.split(name); s != nil {
			s.aligned = true
			r.job.must(r.source.PauseSplit(now, name))
			r.put(s.log.At(), "EV-3.5", sim.SplitPaused{
				Reason: sim.PauseAlignment, Watermark: r.source.Output(name).Watermark(), MaxAllowed: r.aligned.MaxAllowed(),
			}, r.cause, s.shown)
		}
	}
	for _, name := range resume {
		if s := r.split(name); s != nil {
			s.aligned = false
			r.job.must(r.source.ResumeSplit(now, name))
			r.put(s.log.At(), "EV-3.5", sim.SplitResumed{Reason: sim.PauseAlignment}, r.cause)
		}
	}
}

func (r *reader) put(at, rule string, body sim.Body, causes ...*sim.Step) *sim.Step {
	s := r.job.kernel.Step(at, rule, body, causes...)
	r.outputs.put(s, nil)
	return s
}

func (r *reader) split(name string) *readSplit {
	for _, s := range r.splits {
		if s.log.Split == name {
			return s
		}
	}
	return nil
}

// addSplit gives the reader a split.
func (r *reader) addSplit(l *Log, offset int64) error {
	r.quiet = false
	if l.Split != "" {
		if _, err := r.source.CreateOutputForSplit(r.job.kernel.Now(), l.Split); err != nil {
			return err
		}
	}
	r.splits = append(r.splits, &readSplit{log: l, offset: offset, watermark: sim.MinTime, highest: sim.MinTime})
	return nil
}

// removeSplit takes a split away. By itself that emits nothing (EV-1.7).
func (r *reader) removeSplit(l *Log) error {
	r.quiet = false
	for i, s := range r.splits {
		if s.log == l {
			r.splits = append(r.splits[:i:i], r.splits[i+1:]...)
			if r.aligned != nil {
				r.aligned.SplitFinished(l.Split)
			}
			return r.source.ReleaseOutputForSplit(l.Split)
		}
	}
	return nil
}

// next is the split whose next entry can be read now and was appended first,
// with the number of that entry.
func (r *reader) next() (best *readSplit, seq int64) {
	if r.Dead || r.ended || r.stopped || r.backpressured || r.waiting || r.standing > 0 || !r.outputs.available() {
		return nil, 0
	}
	for _, s := range r.splits {
		if s.log.Paused() || s.aligned || s.ready > r.job.kernel.Now() {
			continue
		}
		if _, n, ok := s.log.next(s.offset); ok && (best == nil || n < seq) {
			best, seq = s, n
		}
	}
	return best, seq
}

// pending reports whether something is left to read that time alone, or
// nothing at all, keeps from being read.
func (r *reader) pending() bool {
	for _, s := range r.splits {
		if _, _, ok := s.log.next(s.offset); ok && !s.log.Paused() && s.log.slow > 0 {
			return true
		}
	}
	return false
}

// read takes the next entry of a split.
func (r *reader) read(s *readSplit) {
	if r.refused(s) {
		return
	}
	k := r.job.kernel
	at, _, _ := s.log.next(s.offset)
	e := s.log.Entry(at)
	again := at < s.log.read
	s.offset = at + 1
	s.log.read = max(s.log.read, s.offset)
	if s.log.slow > 0 {
		s.ready = k.Now() + s.log.slow
		r.due(s.ready, false, func() {})
	}
	ev := &r.event
	*ev = eventtime.Event{
		Timestamp: e.Record.TS, EventTime: e.Record.Event, Mark: e.Record.Mark,
		NullExpression: e.Record.NullExpr, Script: e.Script,
	}
	r.cause = e.Step
	r.current = nil
	if e.IsRecord() {
		c := &r.record
		*c = e.Record
		r.current = c
		if !k.Quiet {
			r.cause = r.tellRead(s, c, e.Step, again)
		}
		if at := r.spec.Strategy.Timestamp(ev); at > s.highest {
			s.highest, s.highestBy = at, r.cause
		}
	}
	var fault *sim.Fault
	if k.Faults.Armed() {
		fault = k.Fault(sim.PointSourceRead, s.log.At(), r.at, r.spec.Name)
	}
	out := r.source.MainOutput()
	if s.log.Split != "" {
		out = r.source.Output(s.log.Split)
	}
	r.call(func() { out.Collect(ev) }, fault != nil)
	if fault != nil {
		r.job.crash(r.at, fault)
	}
}

// tellRead writes the step of a record that was read.
func (r *reader) tellRead(s *readSplit, c *operator.Record, cause *sim.Step, again bool) *sim.Step {
	body := sim.RecordRead{
		Record: sim.RecordID{Source: c.Source, Split: c.Split, Offset: c.Offset},
		Key:    c.Name, TS: c.TS, Value: c.Value, Word: c.Word, Again: again,
	}
	if c.Kind != operator.Insert {
		body.Kind = c.Kind.String()
	}
	causes := []*sim.Step{cause}
	if s.log.slow > 0 {
		causes = append(causes, s.log.slowBy)
	}
	if again {
		causes = append(causes, r.started)
	}
	return r.put(s.log.At(), "EV-1.5", body, causes...)
}

// probe is one periodic emission. Where no idle clock runs one that had nothing
// to say is repeated only when something has happened: a job of days has
// millions of them.
func (r *reader) probe() {
	if r.quiet && r.spec.Strategy.IdleTimeout == 0 {
		return
	}
	if r.ended || r.stopped || r.isFrozen(func() {}) {
		return
	}
	r.cause = nil
	r.current = nil
	r.call(func() { r.source.EmitPeriodicWatermark(r.job.kernel.Now()) }, false)
	r.quiet = len(r.left) == 0
}

// call lets the source act and writes what changed: splits first, then what
// the reader as a whole sends. mute keeps records from going downstream.
func (r *reader) call(act func(), mute bool) {
	r.left, r.quiet = r.left[:0], false
	act()
	for _, o := range r.left {
		if o.kind == elementRecord && !mute {
			o.record.Step = r.cause
			r.outputs.record(o.record)
		}
	}
	var causes []*sim.Step
	if !r.job.kernel.Quiet {
		for _, s := range r.splits {
			if c := r.showSplit(s); c != nil {
				causes = append(causes, c)
			}
		}
		if len(causes) == 0 {
			causes = append(causes, r.cause)
		}
	}
	for _, o := range r.left {
		switch o.kind {
		case elementWatermark:
			r.last = r.put(r.at, "EV-1.7", sim.WatermarkEmitted{Watermark: o.time, Previous: r.sent, Parts: r.parts()}, causes...)
			r.sent = o.time
			r.outputs.watermark(o.time, r.last)
			if r.aligned != nil {
				r.aligned.UpdateCurrentEffectiveWatermark(o.time)
			}
		case elementStatus:
			r.last = r.put(r.at, "EV-3.1", sim.StatusChanged{Status: sim.StatusOf(o.idle)}, causes...)
			r.outputs.status(o.idle, r.last)
			if r.aligned != nil {
				r.aligned.UpdateIdle(o.idle)
			}
		}
	}
	r.watch()
}

// showSplit writes what became another for a split and returns the step.
func (r *reader) showSplit(s *readSplit) *sim.Step {
	if s.log.Split == "" {
		return nil
	}
	o := r.source.Output(s.log.Split)
	if o == nil {
		return nil
	}
	var step *sim.Step
	if w := o.Watermark(); w != s.watermark {
		body := sim.SplitWatermark{Watermark: w, Previous: s.watermark, MaxTS: sim.MinTime}
		if m, ok := o.MaxTimestamp(); ok {
			body.MaxTS = m
		}
		cause := r.cause
		if cause == nil {
			cause = s.highestBy
		}
		step = r.put(s.log.At(), ruleOf(r.spec.Strategy.Generator), body, cause, r.job.kernel.Root)
		s.watermark, s.shown = w, step
	}
	if o.Idle() != s.idle {
		s.idle = o.Idle()
		body := sim.SplitStatus{Status: sim.StatusOf(s.idle)}
		if q, ok := o.Quiet(r.job.kernel.Now()); ok && s.idle {
			body.Quiet = q
		}
		causes := []*sim.Step{r.cause}
		if r.cause == nil {
			causes = []*sim.Step{s.highestBy, s.log.pausedBy, r.job.kernel.Root}
		}
		step = r.put(s.log.At(), "EV-3.2", body, causes...)
		s.shown = step
	}
	return step
}

func ruleOf(g eventtime.GeneratorKind) string {
	switch g {
	case eventtime.Bounded, eventtime.Monotonous:
		return "EV-1.2"
	case eventtime.SQLExpression:
		return "EV-1.8"
	}
	return "EV-1.3"
}

func (r *reader) parts() []sim.Part {
	var out []sim.Part
	for _, o := range r.source.Splits() {
		out = append(out, sim.Part{Name: r.spec.Name + "/" + o.Split(), Watermark: o.Watermark(), Status: sim.StatusOf(o.Idle())})
	}
	return out
}

// watch writes a step when other splits than before hold the reader back.
func (r *reader) watch() {
	if r.job.kernel.Quiet || r.Dead {
		return
	}
	ahead := sim.MinTime
	for _, o := range r.source.Splits() {
		if !o.Idle() {
			ahead = max(ahead, o.Watermark())
		}
	}
	var by []string
	var causes []*sim.Step
	for _, o := range r.source.HeldBy() {
		if o.Watermark() == ahead {
			break
		}
		s := r.split(o.Split())
		by = append(by, s.log.Name())
		causes = append(causes, s.shown, s.log.pausedBy, s.log.slowBy)
	}
	r.reportHeld(&r.held, "EV-1.7", r.source.Watermark(), by, ahead, append(causes, r.cause, r.last))
}

// snapshot returns the offsets of the splits.
func (r *reader) snapshot() []SplitOffset {
	var out []SplitOffset
	for _, s := range r.splits {
		out = append(out, SplitOffset{s.log, s.offset})
	}
	return out
}

// spare reports whether the reader has no split and is told that there will be
// none: it ends before anything is read.
func (r *reader) spare() bool {
	return !r.Dead && !r.ended && !r.stopped && !r.backpressured && r.standing == 0 && len(r.splits) == 0 && r.spec.SpareFinishes
}

// done reports whether the reader has nothing to read and never will have.
func (r *reader) done() bool {
	if r.Dead || r.ended || r.stopped || r.backpressured || r.standing > 0 {
		return false
	}
	if len(r.splits) == 0 {
		return r.spare() || r.job.Logs.ended[r.spec.Name]
	}
	for _, s := range r.splits {
		if !s.log.exhausted(s.offset) {
			return false
		}
	}
	return true
}

// sendMax sends the end of event time, which an idle output drops (EV-4.4).
func (r *reader) sendMax(rule string, cause *sim.Step) {
	if !r.outputs.idle {
		r.last = r.put(r.at, rule, sim.WatermarkEmitted{Watermark: sim.MaxTime, Previous: r.sent}, cause)
		r.sent = sim.MaxTime
		r.outputs.watermark(sim.MaxTime, r.last)
		return
	}
	r.outputs.watermark(sim.MaxTime, cause)
}

// endData says that everything was read: event time ends, then the data.
func (r *reader) endData() {
	r.ended = true
	cause := r.put(r.at, "EV-4.3", sim.SourceEnded{})
	r.sendMax("EV-4.3", cause)
	r.outputs.endOfData()
	r.outputs.put(nil, r.job.endOfData)
}

// close ends the subtask.
func (r *reader) close() {
	r.finished = true
	r.outputs.end()
	r.outputs.put(nil, func() {
		if r.chain.finished() {
			r.job.coordinator.Graph().Set(r.number, checkpoint.Done)
		}
		r.job.taskFinished()
	})
}

// splitListener tells alignment of the rise of a split's watermark.
func (r *reader) splitListener(split string, t int64) {
	if r.aligned != nil {
		r.aligned.UpdateCurrentSplitWatermark(split, t)
	}
}
