package eventtime

import (
	"streaminglab/sim"
	"streaminglab/sim/operator"
)

// passing is what operators share that move records along and decide about
// time: what their component puts out goes downstream in the same order, and
// becomes steps.
type passing struct {
	operator.Base
	rule    string
	current *operator.Record
	sent    int64
	out     operator.Record
	event   Event
}

func (p *passing) open(c *operator.Context, rule string) {
	p.Init(c, nil, nil)
	p.rule, p.sent = rule, sim.MinTime
}

// EmitRecord implements DataOutput.
func (p *passing) EmitRecord(ts int64) {
	if p.current == nil {
		return
	}
	p.out = *p.current
	if p.Trace != nil && ts != p.out.TS {
		p.out.Step = p.Step(p.rule, sim.RecordStamped{
			Record: sim.RecordID{Source: p.out.Source, Split: p.out.Split, Offset: p.out.Offset},
			Before: p.out.TS, TS: ts,
		}, p.Cause)
		p.Cause = p.out.Step
	}
	p.out.TS = ts
	p.Metrics.NumRecordsOut++
	p.Out.Record(&p.out)
}

// EmitWatermark implements DataOutput.
func (p *passing) EmitWatermark(t int64) {
	step := p.Cause
	if p.Trace != nil {
		step = p.Step(p.rule, sim.WatermarkEmitted{Watermark: t, Previous: p.sent}, p.Cause)
	}
	p.sent = t
	p.Out.Watermark(t, step)
}

// EmitWatermarkStatus implements DataOutput.
func (p *passing) EmitWatermarkStatus(s WatermarkStatus) {
	step := p.Cause
	if p.Trace != nil {
		step = p.Step("EV-3.1", sim.StatusChanged{Status: sim.StatusOf(s.IsIdle())}, p.Cause)
	}
	p.Out.Status(s.IsIdle(), step)
}

// eventOf is what a generator sees of a record. It is the same Event every
// time: generators are called through an interface, so one of its own for each
// record would be an allocation for each record.
func (p *passing) eventOf(r *operator.Record) *Event {
	p.event = Event{Timestamp: r.TS, EventTime: r.Event, Mark: r.Mark, NullExpression: r.NullExpr}
	return &p.event
}

// AssignTimestamps is a TimestampsAndWatermarksOperator as an operator of a
// job.
type AssignTimestamps struct {
	passing
	Strategy WatermarkStrategy
	// Interval is pipeline.auto-watermark-interval in ms; 0: no probes.
	Interval  int64
	component *TimestampsAndWatermarksOperator
}

// Open makes the component and starts the probes.
func (o *AssignTimestamps) Open(c *operator.Context) (err error) {
	o.open(c, "EV-1.6")
	if o.component, err = NewTimestampsAndWatermarksOperator(o.Strategy, o); err != nil {
		return err
	}
	if o.Interval > 0 {
		o.schedule()
	}
	return nil
}

func (o *AssignTimestamps) schedule() {
	o.Clock.At(o.Clock.Now()+o.Interval, true, func() error {
		o.current = nil
		o.component.OnProcessingTime(o.Clock.Now())
		o.schedule()
		return nil
	})
}

// ProcessRecord stamps a record and shows it to the generator.
func (o *AssignTimestamps) ProcessRecord(_ int, r *operator.Record) error {
	o.Metrics.NumRecordsIn++
	o.current = r
	o.component.ProcessElement(o.eventOf(r))
	return nil
}

// ProcessWatermark swallows all but MAX.
func (o *AssignTimestamps) ProcessWatermark(t int64) error {
	o.Watermark = t
	o.component.ProcessWatermark(t)
	return nil
}

// ProcessStatus swallows the status of the input.
func (o *AssignTimestamps) ProcessStatus(bool) error { return nil }

// EndOfInput probes once more.
func (o *AssignTimestamps) EndOfInput(int) error {
	o.current = nil
	o.component.Finish(o.Clock.Now())
	return nil
}

// SetBackpressure stops the idle clock or lets it go on.
func (o *AssignTimestamps) SetBackpressure(now int64, on bool) error {
	return o.component.SetBackpressure(now, on)
}

// AssignSQLWatermark is a WatermarkAssignerOperator as an operator of a job.
type AssignSQLWatermark struct {
	passing
	// Delay is what the watermark expression subtracts, in ms; Interval and
	// Timeout are pipeline.auto-watermark-interval and
	// table.exec.source.idle-timeout in ms, 0 for off.
	Delay, Interval, Timeout int64
	component                *WatermarkAssignerOperator
}

// Open makes the component and starts its timer.
func (o *AssignSQLWatermark) Open(c *operator.Context) error {
	o.open(c, "EV-1.8")
	o.component = NewWatermarkAssignerOperator(c.Clock.Now(), o.Delay, o.Interval, o.Timeout, o)
	o.schedule()
	return nil
}

func (o *AssignSQLWatermark) schedule() {
	at, ok := o.component.NextTimer()
	if !ok {
		return
	}
	o.Clock.At(at, true, func() error {
		o.current = nil
		o.component.OnProcessingTime(o.Clock.Now())
		o.schedule()
		return nil
	})
}

// ProcessRecord passes a row on, with what it means for the watermark.
func (o *AssignSQLWatermark) ProcessRecord(_ int, r *operator.Record) error {
	o.Metrics.NumRecordsIn++
	o.current = r
	return o.component.ProcessElement(r.TS, r.TS == sim.MinTime, r.NullExpr)
}

// ProcessWatermark swallows all but MAX.
func (o *AssignSQLWatermark) ProcessWatermark(t int64) error {
	o.Watermark = t
	o.component.ProcessWatermark(t)
	return nil
}

// ProcessStatus passes the status of the input on.
func (o *AssignSQLWatermark) ProcessStatus(idle bool) error {
	o.component.ProcessWatermarkStatus(statusOf(idle))
	return nil
}

// EndOfInput sends MAX.
func (o *AssignSQLWatermark) EndOfInput(int) error {
	o.component.Finish()
	return nil
}

// Connect passes the records of several inputs on and combines their
// watermarks: a CoMap with two inputs, a multiple-input operator with more.
type Connect struct{ operator.Base }

// Open keeps the context.
func (o *Connect) Open(c *operator.Context) error {
	o.Init(c, nil, nil)
	return nil
}

// ProcessRecord passes the record on.
func (o *Connect) ProcessRecord(_ int, r *operator.Record) error {
	o.Metrics.NumRecordsIn++
	o.Metrics.NumRecordsOut++
	o.Out.Record(r)
	return nil
}
