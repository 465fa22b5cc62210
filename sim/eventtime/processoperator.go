package eventtime

import (
	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// A ProcessFunction is the user code of a KeyedProcessOperator.
type ProcessFunction interface {
	// Open declares the state.
	Open(o *KeyedProcessOperator)
	// OnRecord handles a record. No record is dropped for being late (EV-4.5).
	OnRecord(o *KeyedProcessOperator, r *operator.Record)
	// OnTimer handles a due event timer.
	OnTimer(o *KeyedProcessOperator, k *state.Key, t int64)
}

// KeyedProcessOperator runs a function on a keyed stream that may register
// event timers (EV-4.1). It mirrors
// org.apache.flink.streaming.api.operators.KeyedProcessOperator.
type KeyedProcessOperator struct {
	operator.Base
	Function ProcessFunction

	count               *state.Table[int64]
	out                 operator.Record
	registered, deleted []int64
}

// Open declares state and timers.
func (o *KeyedProcessOperator) Open(c *operator.Context) error {
	o.Init(c, state.OpenTimers(c.State, "user-timers"), func(t state.Timer) error {
		o.Function.OnTimer(o, t.Key, t.Time)
		return nil
	})
	o.Function.Open(o)
	return nil
}

// ProcessRecord calls the function.
func (o *KeyedProcessOperator) ProcessRecord(_ int, r *operator.Record) error {
	o.Metrics.NumRecordsIn++
	o.registered, o.deleted = nil, nil
	o.Function.OnRecord(o, r)
	return nil
}

// RegisterEventTimeTimer registers a timer of the key.
func (o *KeyedProcessOperator) RegisterEventTimeTimer(k *state.Key, t int64) {
	o.Timers().Register(t, k, state.Void)
	o.registered = append(o.registered, t)
}

// DeleteEventTimeTimer deletes a timer of the key.
func (o *KeyedProcessOperator) DeleteEventTimeTimer(k *state.Key, t int64) {
	o.Timers().Delete(t, k, state.Void)
	o.deleted = append(o.deleted, t)
}

// OpenCount declares a count for each key.
func (o *KeyedProcessOperator) OpenCount() {
	o.count = state.Open(o.State, "count", state.Int64{})
}

// Add counts a record of the key and returns the count.
func (o *KeyedProcessOperator) Add(k *state.Key) (n int64) {
	o.count.Update(k, state.Void, func(v *int64) { *v++; n = *v })
	return n
}

// Seen returns the number of records of the key so far.
func (o *KeyedProcessOperator) Seen(k *state.Key) int64 {
	n, _ := o.count.Get(k, state.Void)
	return n
}

// Processed writes the step of a record and makes it the cause of what follows.
func (o *KeyedProcessOperator) Processed(r *operator.Record, n int64) {
	if o.Trace == nil {
		return
	}
	o.Cause = o.Step("EV-4.5", sim.RecordProcessed{
		Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
		Key:    r.Key.Name, TS: r.TS, Value: r.Value, Word: r.Word, WatermarkBefore: o.Watermark,
		Registered: o.registered, Deleted: o.deleted, Count: n,
	})
}

// Emit sends a result.
func (o *KeyedProcessOperator) Emit(r operator.Record) {
	o.out = r
	o.out.Step = o.Cause
	o.Metrics.NumRecordsOut++
	o.Out.Record(&o.out)
}

// Counter counts the records of each key and sends the count with each.
type Counter struct{}

// Open declares the count.
func (Counter) Open(o *KeyedProcessOperator) { o.OpenCount() }

// OnRecord counts.
func (Counter) OnRecord(o *KeyedProcessOperator, r *operator.Record) {
	n := o.Add(r.Key)
	o.Processed(r, n)
	o.Emit(operator.Record{Key: r.Key, TS: r.TS, Value: r.Value, Count: n,
		Source: r.Source, Split: r.Split, Offset: r.Offset})
}

// OnTimer is never called: the function registers none.
func (Counter) OnTimer(*KeyedProcessOperator, *state.Key, int64) {}

// CountOnTimer counts the records of each key; each record registers an event
// timer After ms behind its timestamp, which sends the count of that moment.
type CountOnTimer struct {
	// After is the distance in ms.
	After int64
}

// Open declares the count.
func (CountOnTimer) Open(o *KeyedProcessOperator) { o.OpenCount() }

// OnRecord counts and registers.
func (f CountOnTimer) OnRecord(o *KeyedProcessOperator, r *operator.Record) {
	n := o.Add(r.Key)
	o.RegisterEventTimeTimer(r.Key, r.TS+f.After)
	o.Processed(r, n)
}

// OnTimer sends the count.
func (f CountOnTimer) OnTimer(o *KeyedProcessOperator, k *state.Key, t int64) {
	n := o.Seen(k)
	cause := o.Cause
	if o.Trace != nil {
		o.Cause = o.Step("EV-4.1", sim.TimerFired{Key: k.Name, Timer: t, Count: n, Watermark: o.Watermark})
	}
	o.Emit(operator.Record{Key: k, TS: t, Value: n, Count: n})
	o.Cause = cause
}
