package eventtime

import (
	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

func (o *WindowOperator) set(k *state.Key) mergingSet {
	s, _ := o.sets.Get(k, state.Void)
	return mergingSet(s)
}

func (o *WindowOperator) persist(k *state.Key, s mergingSet) {
	if len(s) == 0 {
		o.sets.Delete(k, state.Void)
		return
	}
	o.sets.Put(k, state.Void, append([]mapping(nil), s...))
}

// addToSession adds the record to the session that its own window belongs to
// after merging; ok is false when that session is late (EV-5.5, EV-6.6).
func (o *WindowOperator) addToSession(r *operator.Record, own state.Namespace) (ok bool, err error) {
	set, w, m, replaced := o.set(r.Key).add(own)
	if m != nil {
		if err := o.merge(r, m); err != nil {
			return false, err
		}
	}
	if replaced && o.Trace != nil {
		o.Step("EV-5.5", sim.WindowReplaced{
			Key: r.Key.Name, Start: own.Start, End: own.End,
			Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
		}, o.Cause, o.latest[latestKey{r.Key, own}])
	}
	if o.windowLate(w) {
		if o.Trace != nil {
			o.fates = append(o.fates, sim.WindowFate{Start: w.Start, End: w.End, Fate: sim.FateLate})
		}
		o.persist(r.Key, set.retire(w))
		return false, nil
	}
	stateWindow, _ := set.stateWindow(w)
	if o.Trace != nil {
		o.fates = append(o.fates, sim.WindowFate{Start: w.Start, End: w.End, Fate: sim.FateAdded})
		o.Cause = o.Step("EV-5.4", sim.RecordPlaced(o.placement(r)))
		o.latest[latestKey{r.Key, w}] = o.Cause
	}
	o.add(r, stateWindow)
	o.react(o.Trigger.onElement(r.TS, r.Key, w), r.Key, w, stateWindow, sim.MinTime)
	o.registerCleanup(r.Key, w)
	o.persist(r.Key, set)
	return true, nil
}

// mergeTraced is ProcessRecord for a watched operator with sessions, where
// the fate of a record is known only after merging.
func (o *WindowOperator) mergeTraced(r *operator.Record) error {
	o.fates = nil
	for _, w := range o.windows {
		ok, err := o.addToSession(r, w)
		if err != nil {
			return err
		}
		if !ok {
			o.skipped(r)
		}
	}
	return nil
}

// merge does what Flink's MergeFunction does: refuse, trigger.onMerge, clear
// the old windows, merge their contents.
func (o *WindowOperator) merge(r *operator.Record, m *merge) error {
	if m.result.End-1+o.Lateness <= o.Watermark {
		return refusedMerge(o.Watermark, m.result)
	}
	if o.Trace != nil {
		body := sim.WindowMerged{
			Key: r.Key.Name, Start: m.result.Start, End: m.result.End,
			Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
		}
		causes := []*sim.Step{o.Cause}
		for _, w := range m.merged {
			body.From = append(body.From, sim.Interval{Start: w.Start, End: w.End})
			causes = append(causes, o.latest[latestKey{r.Key, w}])
			delete(o.latest, latestKey{r.Key, w})
		}
		sortIntervals(body.From)
		o.Cause = o.Step("EV-5.5", body, causes...)
	}
	o.Trigger.onMerge(r.Key, m.result, m.merged)
	for _, w := range m.merged {
		o.Trigger.clear(r.Key, w)
		if t := o.cleanupTime(w); t != sim.MaxTime {
			o.Timers().Delete(t, r.Key, w)
		}
	}
	if o.sum != nil {
		mergeCells(o.sum, r.Key, m.state, m.sources, func(a, b int64) int64 { return a + b })
		return nil
	}
	var moved []Element
	for _, w := range m.sources {
		if v, ok := o.list.Get(r.Key, w); ok {
			moved = append(moved, v...)
			o.list.Delete(r.Key, w)
		}
	}
	if len(moved) > 0 {
		o.list.Update(r.Key, m.state, func(v *[]Element) { *v = append(*v, moved...) })
	}
	return nil
}
