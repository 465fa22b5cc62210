package eventtime

import (
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// The functions of this file show the kinds of keyed state. None registers a
// timer, and each sends a result with every record.

// holds writes the step of a record and sends the result.
func (o *KeyedProcessOperator) holds(r *operator.Record, result int64, held func() string) {
	if o.Trace != nil {
		o.Cause = o.Step("EV-4.5", sim.RecordProcessed{
			Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
			Key:    r.Key.Name, TS: r.TS, Value: r.Value, WatermarkBefore: o.Watermark, Holds: held(),
		})
	}
	o.Emit(operator.Record{Key: r.Key, TS: r.TS, Value: result, Source: r.Source, Split: r.Split, Offset: r.Offset})
}

// Sum adds the values of each key up: a ReducingState.
type Sum struct{ state *state.ReducingState[int64] }

// Open declares the state.
func (f *Sum) Open(o *KeyedProcessOperator) {
	f.state = state.OpenReducing(o.State, "sum", state.Int64{}, func(a, b int64) int64 { return a + b })
}

// OnRecord adds.
func (f *Sum) OnRecord(o *KeyedProcessOperator, r *operator.Record) {
	v := f.state.Add(r.Key, state.Void, r.Value)
	o.holds(r, v, func() string { return fmt.Sprint(v) })
}

// OnTimer is never called.
func (*Sum) OnTimer(*KeyedProcessOperator, *state.Key, int64) {}

// Average sends the mean of the values of each key, rounded down: an
// AggregatingState of a sum and a number.
type Average struct {
	state *state.AggregatingState[int64, mean, int64]
}

// mean is an accumulator.
type mean struct{ sum, n int64 }

// meanCodec is its codec.
type meanCodec struct{}

// Append writes v.
func (meanCodec) Append(dst []byte, v mean) []byte {
	return state.Int64{}.Append(state.Int64{}.Append(dst, v.sum), v.n)
}

// Read reads a value.
func (meanCodec) Read(src []byte) (v mean, rest []byte, err error) {
	if v.sum, src, err = (state.Int64{}).Read(src); err == nil {
		v.n, src, err = state.Int64{}.Read(src)
	}
	return v, src, err
}

// Format writes sum and number.
func (meanCodec) Format(v mean) string { return fmt.Sprintf("%d/%d", v.sum, v.n) }

// Open declares the state.
func (f *Average) Open(o *KeyedProcessOperator) {
	f.state = state.OpenAggregating(o.State, "average", meanCodec{},
		func(m *mean, v int64) { m.sum += v; m.n++ },
		func(m mean) int64 { return m.sum / max(m.n, 1) })
}

// OnRecord adds.
func (f *Average) OnRecord(o *KeyedProcessOperator, r *operator.Record) {
	v := f.state.Add(r.Key, state.Void, r.Value)
	o.holds(r, v, func() string { return fmt.Sprint(v) })
}

// OnTimer is never called.
func (*Average) OnTimer(*KeyedProcessOperator, *state.Key, int64) {}

// Collect keeps the values of each key and sends how many there are: a
// ListState, to which RocksDB appends without reading it.
type Collect struct{ state *state.ListState[int64] }

// Open declares the state.
func (f *Collect) Open(o *KeyedProcessOperator) {
	f.state = state.OpenListState(o.State, "values", state.Int64{})
}

// OnRecord appends.
func (f *Collect) OnRecord(o *KeyedProcessOperator, r *operator.Record) {
	f.state.Append(r.Key, state.Void, r.Value)
	v := f.state.Get(r.Key, state.Void)
	o.holds(r, int64(len(v)), func() string { return fmt.Sprint(v) })
}

// OnTimer is never called.
func (*Collect) OnTimer(*KeyedProcessOperator, *state.Key, int64) {}

// Distinct counts how often each value of a key came and sends the number of
// this one: a MapState, of which a record touches one entry.
type Distinct struct{ state *state.MapState[int64] }

// Open declares the state.
func (f *Distinct) Open(o *KeyedProcessOperator) {
	f.state = state.OpenMapState(o.State, "times", state.Int64{})
}

// OnRecord counts.
func (f *Distinct) OnRecord(o *KeyedProcessOperator, r *operator.Record) {
	n, _ := f.state.Get(r.Key, r.Value)
	f.state.Put(r.Key, r.Value, n+1)
	o.holds(r, n+1, func() string { return fmt.Sprintf("%d: %d", r.Value, n+1) })
}

// OnTimer is never called.
func (*Distinct) OnTimer(*KeyedProcessOperator, *state.Key, int64) {}
