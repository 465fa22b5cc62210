package eventtime

import (
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// Function says what a window computes.
type Function string

// The functions: the sum of the values, kept as one number for each window;
// or the list of all records.
const (
	Reduce  Function = "reduce"
	Process Function = "process"
)

// WindowConfig configures a WindowOperator. Zero values are Flink's defaults.
type WindowConfig struct {
	Assigner WindowAssigner
	// Trigger defaults to an EventTimeTrigger.
	Trigger  Trigger
	Evictor  *Evictor
	Function Function
	// Lateness is the allowed lateness in ms.
	Lateness int64
	// LateOutput is the tag of the late side output; empty: none is set.
	LateOutput string
}

// WindowOperator groups the records of each key into windows (EV-6). It
// mirrors WindowOperator and EvictingWindowOperator of
// org.apache.flink.streaming.runtime.operators.windowing.
type WindowOperator struct {
	operator.Base
	WindowConfig

	sum     *state.Table[int64]
	list    *state.Table[[]Element]
	sets    *state.Table[[]mapping]
	merging bool
	// simple: neither list nor merging sets nor lateness nor a trigger with a
	// mind of its own: contents that exist have their timers.
	simple bool

	windows []state.Namespace
	out     operator.Record
	fates   []sim.WindowFate
	// latest is the last step that put a record into a window. It exists for
	// the causes of firings only, and only when somebody watches.
	latest map[latestKey]*sim.Step
}

type latestKey struct {
	key *state.Key
	ns  state.Namespace
}

// NewWindowOperator returns an operator that is not open yet.
func NewWindowOperator(c WindowConfig) *WindowOperator {
	if c.Trigger == nil {
		c.Trigger = &EventTimeTrigger{}
	}
	return &WindowOperator{WindowConfig: c}
}

// Open declares state and timers.
func (o *WindowOperator) Open(c *operator.Context) error {
	o.Init(c, state.OpenTimers(c.State, "window-timers"), o.onEventTime)
	o.merging = o.Assigner.Merging()
	if o.Function == Process || o.Evictor != nil {
		o.list = state.Open(c.State, "window-contents", state.List[Element]{Of: elementCodec{}})
	} else {
		o.sum = state.Open(c.State, "window-contents", state.Int64{})
	}
	if o.merging {
		o.sets = state.Open(c.State, "merging-window-set", state.List[mapping]{Of: mappingCodec{}})
	}
	o.Trigger.open(o)
	o.simple = o.list == nil && !o.merging && o.Lateness == 0 && o.Trigger.timersFollowContents()
	if c.Trace != nil {
		o.latest = map[latestKey]*sim.Step{}
	}
	return nil
}

// ProcessRecord adds a record to each of its windows that is not late.
func (o *WindowOperator) ProcessRecord(_ int, r *operator.Record) error {
	o.Metrics.NumRecordsIn++
	var err error
	if o.windows, err = o.Assigner.Assign(o.windows[:0], r, o.assignTime()); err != nil {
		return err
	}
	if len(o.windows) > o.Bounds.Windows && o.Bounds.Windows > 0 {
		return &sim.BoundError{Bound: "windows", Limit: int64(o.Bounds.Windows)}
	}
	if o.Trace != nil {
		return o.processTraced(r)
	}
	added := false
	for _, w := range o.windows {
		ok, err := o.addToWindow(r, w)
		if err != nil {
			return err
		}
		added = added || ok
	}
	if !added {
		o.skipped(r)
	}
	return nil
}

// assignTime is the processing time that a NATURAL stagger reads.
func (o *WindowOperator) assignTime() int64 {
	if o.Clock == nil {
		return 0
	}
	return o.Clock.Now()
}

// processTraced is ProcessRecord for a watched operator. The step of the
// record comes before the firings that it causes, so its fates are told from
// the lateness of the windows first.
func (o *WindowOperator) processTraced(r *operator.Record) error {
	if o.merging {
		return o.mergeTraced(r)
	}
	o.fates = nil
	accepted := false
	for _, w := range o.windows {
		fate := sim.FateAdded
		if o.windowLate(w) {
			fate = sim.FateLate
		} else {
			accepted = true
		}
		o.fates = append(o.fates, sim.WindowFate{Start: w.Start, End: w.End, Fate: fate})
	}
	if !accepted {
		o.skipped(r)
		return nil
	}
	step := o.Step("EV-6.1", sim.RecordPlaced(o.placement(r)))
	o.Cause = step
	for _, w := range o.windows {
		if o.windowLate(w) {
			continue
		}
		o.latest[latestKey{r.Key, w}] = step
		if _, err := o.addToWindow(r, w); err != nil {
			return err
		}
	}
	return nil
}

func (o *WindowOperator) placement(r *operator.Record) sim.Placement {
	return sim.Placement{
		Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
		Key:    r.Key.Name, TS: r.TS, Value: r.Value, Word: r.Word,
		WatermarkBefore: o.Watermark, Windows: o.fates, Dropped: o.Metrics.NumLateRecordsDropped,
	}
}

// addToWindow adds the record to a window of an assigner that does not merge;
// ok is false when the window is late.
func (o *WindowOperator) addToWindow(r *operator.Record, w state.Namespace) (ok bool, err error) {
	if o.merging {
		return o.addToSession(r, w)
	}
	if o.windowLate(w) {
		return false, nil
	}
	created := o.add(r, w)
	if o.simple && !created {
		// Its timers are there since the contents are, and it is not due: it
		// would be late.
		return true, nil
	}
	o.react(o.Trigger.onElement(r.TS, r.Key, w), r.Key, w, w, sim.MinTime)
	o.registerCleanup(r.Key, w)
	return true, nil
}

// add puts the record into contents and reports whether they are new.
func (o *WindowOperator) add(r *operator.Record, stateWindow state.Namespace) bool {
	if len(r.Values) > 0 {
		return o.addAll(r, stateWindow)
	}
	if o.sum != nil {
		return o.sum.Update(r.Key, stateWindow, func(v *int64) { *v += r.Value })
	}
	e := Element{TS: r.TS, V: r.Value, Word: r.Word}
	return o.list.Update(r.Key, stateWindow, func(v *[]Element) { *v = append(*v, e) })
}

// addAll is add for the result of another window that lists its numbers.
func (o *WindowOperator) addAll(r *operator.Record, stateWindow state.Namespace) bool {
	if o.sum != nil {
		return o.sum.Update(r.Key, stateWindow, func(v *int64) {
			for _, x := range r.Values {
				*v += x
			}
		})
	}
	return o.list.Update(r.Key, stateWindow, func(v *[]Element) {
		for _, x := range r.Values {
			*v = append(*v, Element{TS: r.TS, V: x})
		}
	})
}

// cleanupTime is when the state of a window is deleted (EV-6.1, EV-6.7).
func (o *WindowOperator) cleanupTime(w state.Namespace) int64 {
	end := w.End - 1
	if t := end + o.Lateness; t >= end {
		return t
	}
	return sim.MaxTime
}

func (o *WindowOperator) windowLate(w state.Namespace) bool {
	return o.cleanupTime(w) <= o.Watermark
}

func (o *WindowOperator) registerCleanup(k *state.Key, w state.Namespace) {
	if t := o.cleanupTime(w); t != sim.MaxTime {
		o.Timers().Register(t, k, w)
	}
}

// skipped handles a record that was added to no window (EV-6.2).
func (o *WindowOperator) skipped(r *operator.Record) {
	switch {
	case r.TS+o.Lateness > o.Watermark:
		if o.Trace != nil {
			o.Step("EV-6.2", sim.RecordVanished(o.placement(r)))
		}
	case o.LateOutput != "":
		if o.Trace != nil {
			p := o.placement(r)
			p.Tag = o.LateOutput
			o.Cause = o.Step("EV-6.2", sim.RecordLate(p))
		}
		o.Out.Side(o.LateOutput, r)
	default:
		o.Metrics.NumLateRecordsDropped++
		if o.Trace != nil {
			o.Step("EV-6.2", sim.RecordDropped(o.placement(r)))
		}
	}
}

// react carries out what a trigger decided for a window whose contents lie
// under stateWindow; timer is sim.MinTime when a record asked.
func (o *WindowOperator) react(res TriggerResult, k *state.Key, w, stateWindow state.Namespace, timer int64) {
	if res == Continue {
		return
	}
	o.fire(k, w, stateWindow, timer, res == FireAndPurge)
	if res == FireAndPurge {
		o.clearContents(k, stateWindow)
	}
}

func (o *WindowOperator) clearContents(k *state.Key, w state.Namespace) {
	if o.sum != nil {
		o.sum.Delete(k, w)
	} else {
		o.list.Delete(k, w)
	}
}

// fire emits the contents of a window, if there are any.
func (o *WindowOperator) fire(k *state.Key, w, stateWindow state.Namespace, timer int64, purged bool) {
	o.out = operator.Record{Key: k, TS: w.End - 1, Window: w, Timer: timer}
	if o.sum != nil {
		v, ok := o.sum.Get(k, stateWindow)
		if !ok {
			return
		}
		o.out.Value = v
	} else {
		all, ok := o.list.Get(k, stateWindow)
		if !ok || len(all) == 0 && o.Evictor == nil {
			return
		}
		shown := all
		if o.Evictor != nil {
			kept := o.Evictor.evict(all)
			if !o.Evictor.After {
				shown = kept
			}
			if len(kept) == 0 {
				o.list.Delete(k, stateWindow)
			} else {
				o.list.Put(k, stateWindow, append([]Element(nil), kept...))
			}
		}
		if o.Function == Reduce {
			for _, e := range shown {
				o.out.Value += e.V
			}
		} else {
			for _, e := range shown {
				o.out.Values = append(o.out.Values, e.V)
			}
		}
	}
	o.Metrics.NumRecordsOut++
	if o.Trace != nil {
		o.out.Step = o.firedStep(k, w, timer, purged)
	}
	o.Out.Record(&o.out)
}

func (o *WindowOperator) firedStep(k *state.Key, w state.Namespace, timer int64, purged bool) *sim.Step {
	body := sim.WindowFired{
		Key: k.Name, Start: w.Start, End: w.End, Value: o.out.Value, Values: o.out.Values,
		Timer: timer, Watermark: o.Watermark, Purged: purged,
	}
	rule := "EV-6.3"
	switch o.trigger().(type) {
	case *CountTrigger:
		body.Reason, rule = sim.ReasonCount, "EV-6.10"
	default:
		switch {
		case timer == sim.MinTime:
			body.Reason, rule = sim.ReasonLateRecord, "EV-6.4"
		case timer != w.End-1:
			body.Reason, rule = sim.ReasonTick, "EV-6.10"
		default:
			body.Reason = sim.ReasonWatermark
		}
	}
	body.Cleaned = timer != sim.MinTime && timer == o.cleanupTime(w)
	return o.Step(rule, body, o.Cause, o.latest[latestKey{k, w}])
}

// trigger returns the trigger inside a purging one.
func (o *WindowOperator) trigger() Trigger {
	if p, ok := o.Trigger.(*PurgingTrigger); ok {
		return p.Trigger
	}
	return o.Trigger
}

// onEventTime handles a due timer of a window.
func (o *WindowOperator) onEventTime(t state.Timer) error {
	w, stateWindow := t.Namespace, t.Namespace
	var set mergingSet
	if o.merging {
		set = o.set(t.Key)
		sw, ok := set.stateWindow(w)
		if !ok {
			// The window is part of a larger session now.
			return nil
		}
		stateWindow = sw
	}
	o.react(o.Trigger.onEventTime(t.Time, t.Key, w), t.Key, w, stateWindow, t.Time)
	if t.Time == o.cleanupTime(w) {
		if o.Trace != nil {
			o.cleanedStep(t, w, stateWindow)
			delete(o.latest, latestKey{t.Key, w})
		}
		o.clearContents(t.Key, stateWindow)
		if !o.simple {
			o.Trigger.clear(t.Key, w)
		}
		if o.merging {
			o.persist(t.Key, set.retire(w))
		}
	}
	return nil
}

// cleanedStep tells of a cleanup that a person would otherwise not see: one
// that came after the firing, or that deleted what no firing had shown.
func (o *WindowOperator) cleanedStep(t state.Timer, w, stateWindow state.Namespace) {
	unfired := o.Trigger.unfired(t.Key, w)
	if unfired == 0 && t.Time == w.End-1 {
		return
	}
	o.Step("EV-6.4", sim.WindowCleaned{
		Key: t.Key.Name, Start: w.Start, End: w.End, Unfired: unfired, Watermark: o.Watermark,
	}, o.Cause, o.latest[latestKey{t.Key, w}])
}

// Counts are the sizes that recordings show after a step.
type Counts struct{ Timers, Contents, Elements, Sets, TriggerStates int }

// Counts returns the sizes of the operator's state.
func (o *WindowOperator) Counts() Counts {
	c := Counts{Timers: o.Timers().Len(), TriggerStates: o.Trigger.states()}
	if o.sum != nil {
		c.Contents = o.sum.Len()
		c.Elements = c.Contents
	} else {
		c.Contents = o.list.Len()
		o.list.Each(func(_ *state.Key, _ state.Namespace, v []Element) { c.Elements += len(v) })
	}
	if o.merging {
		c.Sets = o.sets.Len()
	}
	return c
}

// refusedMerge is the exception for a session that would end behind the
// watermark (EV-5.5).
func refusedMerge(wm int64, w state.Namespace) error {
	return &sim.Exception{
		Rule:  "EV-5.5",
		Class: "java.lang.UnsupportedOperationException",
		Message: fmt.Sprintf("The end timestamp of an event-time window cannot become earlier than the current watermark by merging. Current watermark: %d window: TimeWindow{start=%d, end=%d}",
			wm, w.Start, w.End),
	}
}
