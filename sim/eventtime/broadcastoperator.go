package eventtime

import (
	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// BroadcastMultiply multiplies each record of a keyed stream by the last number
// that came through a broadcast one: a KeyedBroadcastProcessFunction with one
// entry of broadcast state. Each subtask has its own copy of the number, which
// all of them see change in the same order, though not at the same time. Before
// the first one records are multiplied by 1.
//
// Input 0 is the keyed stream, input 1 the broadcast one.
type BroadcastMultiply struct {
	operator.Base
	factor *state.OperatorList
	now    int64
	out    operator.Record
}

// Open declares the broadcast state.
func (o *BroadcastMultiply) Open(c *operator.Context) error {
	o.Init(c, nil, nil)
	o.factor, o.now = state.OpenList(c.State, "factor", state.Broadcast), 1
	return nil
}

// Restored takes the subtask's copy of the number. Where the snapshot has two
// for it, the later one counts.
func (o *BroadcastMultiply) Restored() error {
	if items, ok := o.factor.Restored(); ok {
		o.now = items[len(items)-1]
		o.factor.Set(o.now)
	}
	return nil
}

// ProcessRecord handles a record of either input.
func (o *BroadcastMultiply) ProcessRecord(input int, r *operator.Record) error {
	o.Metrics.NumRecordsIn++
	id := sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset}
	if input == 1 {
		if o.Trace != nil {
			o.Step("CP-9.4", sim.BroadcastStored{Record: id, Value: r.Value, Previous: o.now})
		}
		o.now = r.Value
		o.factor.Set(o.now)
		return nil
	}
	o.out = *r
	o.out.Value = r.Value * o.now
	if o.Trace != nil {
		o.out.Step = o.Step("CP-9.4", sim.BroadcastApplied{
			Record: id, Key: r.Key.Name, TS: r.TS, Value: r.Value, Factor: o.now, Result: o.out.Value,
		})
	}
	o.Metrics.NumRecordsOut++
	o.Out.Record(&o.out)
	return nil
}
