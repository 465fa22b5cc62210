package eventtime

import (
	"streaminglab/sim/state"
)

// TriggerResult says what a trigger wants to happen to a window.
type TriggerResult byte

// The results. A purge without a fire is not asked for by any trigger here.
const (
	Continue TriggerResult = iota
	Fire
	FireAndPurge
)

// A Trigger decides when a window emits (EV-6.3, EV-6.5, EV-6.10). It mirrors
// Flink's Trigger: the methods are called with the window as the namespace of
// timers and of the trigger's own state.
type Trigger interface {
	open(*WindowOperator)
	onElement(ts int64, k *state.Key, w state.Namespace) TriggerResult
	onEventTime(t int64, k *state.Key, w state.Namespace) TriggerResult
	onMerge(k *state.Key, into state.Namespace, from []state.Namespace)
	clear(k *state.Key, w state.Namespace)
	// states is the number of cells that the trigger holds.
	states() int
	// timersFollowContents says that, without allowed lateness, contents that
	// exist have their timers already.
	timersFollowContents() bool
	// unfired is the number of records of the window that no firing showed.
	unfired(k *state.Key, w state.Namespace) int64
}

// EventTimeTrigger fires when the watermark reaches the end of the window,
// and at once for a record that comes after that (EV-6.3).
type EventTimeTrigger struct{ op *WindowOperator }

func (t *EventTimeTrigger) open(op *WindowOperator) { t.op = op }

func (t *EventTimeTrigger) onElement(_ int64, k *state.Key, w state.Namespace) TriggerResult {
	if w.End-1 <= t.op.Watermark {
		return Fire
	}
	t.op.Timers().Register(w.End-1, k, w)
	return Continue
}

func (t *EventTimeTrigger) onEventTime(at int64, _ *state.Key, w state.Namespace) TriggerResult {
	if at == w.End-1 {
		return Fire
	}
	return Continue
}

func (t *EventTimeTrigger) onMerge(k *state.Key, into state.Namespace, _ []state.Namespace) {
	if into.End-1 > t.op.Watermark {
		t.op.Timers().Register(into.End-1, k, into)
	}
}

func (t *EventTimeTrigger) clear(k *state.Key, w state.Namespace) {
	t.op.Timers().Delete(w.End-1, k, w)
}

func (t *EventTimeTrigger) states() int                               { return 0 }
func (t *EventTimeTrigger) timersFollowContents() bool                { return true }
func (t *EventTimeTrigger) unfired(*state.Key, state.Namespace) int64 { return 0 }

// CountTrigger fires each Max records of a window, never at its end (EV-6.10).
type CountTrigger struct {
	// Max is the number of records.
	Max   int64
	op    *WindowOperator
	count *state.Table[int64]
}

func (t *CountTrigger) open(op *WindowOperator) {
	t.op, t.count = op, state.Open(op.State, "count", state.Int64{})
}

func (t *CountTrigger) onElement(_ int64, k *state.Key, w state.Namespace) TriggerResult {
	var n int64
	t.count.Update(k, w, func(v *int64) { *v++; n = *v })
	if n >= t.Max {
		t.count.Delete(k, w)
		return Fire
	}
	return Continue
}

func (t *CountTrigger) onEventTime(int64, *state.Key, state.Namespace) TriggerResult {
	return Continue
}

func (t *CountTrigger) onMerge(k *state.Key, into state.Namespace, from []state.Namespace) {
	mergeCells(t.count, k, into, from, func(a, b int64) int64 { return a + b })
}

func (t *CountTrigger) clear(k *state.Key, w state.Namespace) { t.count.Delete(k, w) }
func (t *CountTrigger) states() int                           { return t.count.Len() }
func (t *CountTrigger) timersFollowContents() bool            { return false }
func (t *CountTrigger) unfired(k *state.Key, w state.Namespace) int64 {
	n, _ := t.count.Get(k, w)
	return n
}

// ContinuousEventTimeTrigger fires at every multiple of Interval and at the
// end of the window; a watermark that jumps replays every tick (EV-6.10).
type ContinuousEventTimeTrigger struct {
	// Interval is the time between two ticks in ms.
	Interval int64
	op       *WindowOperator
	next     *state.Table[int64]
}

func (t *ContinuousEventTimeTrigger) open(op *WindowOperator) {
	t.op, t.next = op, state.Open(op.State, "fire-time", state.Int64{})
}

func (t *ContinuousEventTimeTrigger) onElement(ts int64, k *state.Key, w state.Namespace) TriggerResult {
	if w.End-1 <= t.op.Watermark {
		return Fire
	}
	t.op.Timers().Register(w.End-1, k, w)
	if _, ok := t.next.Get(k, w); !ok {
		t.register(ts-ts%t.Interval, k, w)
	}
	return Continue
}

func (t *ContinuousEventTimeTrigger) register(from int64, k *state.Key, w state.Namespace) {
	next := min(from+t.Interval, w.End-1)
	t.next.Update(k, w, func(v *int64) { *v = next })
	t.op.Timers().Register(next, k, w)
}

func (t *ContinuousEventTimeTrigger) onEventTime(at int64, k *state.Key, w state.Namespace) TriggerResult {
	if at == w.End-1 {
		return Fire
	}
	if next, ok := t.next.Get(k, w); ok && next == at {
		t.next.Delete(k, w)
		t.register(at, k, w)
		return Fire
	}
	return Continue
}

func (t *ContinuousEventTimeTrigger) onMerge(k *state.Key, into state.Namespace, from []state.Namespace) {
	mergeCells(t.next, k, into, from, func(a, b int64) int64 { return min(a, b) })
	if next, ok := t.next.Get(k, into); ok {
		t.op.Timers().Register(next, k, into)
	}
}

func (t *ContinuousEventTimeTrigger) clear(k *state.Key, w state.Namespace) {
	if next, ok := t.next.Get(k, w); ok {
		t.op.Timers().Delete(next, k, w)
		t.next.Delete(k, w)
	}
}

func (t *ContinuousEventTimeTrigger) states() int                               { return t.next.Len() }
func (t *ContinuousEventTimeTrigger) timersFollowContents() bool                { return false }
func (t *ContinuousEventTimeTrigger) unfired(*state.Key, state.Namespace) int64 { return 0 }

// PurgingTrigger deletes the contents with each firing of another trigger
// (EV-6.5).
type PurgingTrigger struct{ Trigger }

func (t *PurgingTrigger) onElement(ts int64, k *state.Key, w state.Namespace) TriggerResult {
	return purge(t.Trigger.onElement(ts, k, w))
}

func (t *PurgingTrigger) onEventTime(at int64, k *state.Key, w state.Namespace) TriggerResult {
	return purge(t.Trigger.onEventTime(at, k, w))
}

func purge(r TriggerResult) TriggerResult {
	if r == Fire {
		return FireAndPurge
	}
	return r
}

// mergeCells folds the cells of some namespaces into one.
func mergeCells(t *state.Table[int64], k *state.Key, into state.Namespace, from []state.Namespace, f func(a, b int64) int64) {
	for _, w := range from {
		v, ok := t.Get(k, w)
		if !ok {
			continue
		}
		t.Delete(k, w)
		if old, ok := t.Get(k, into); ok {
			v = f(old, v)
		}
		t.Put(k, into, v)
	}
}
