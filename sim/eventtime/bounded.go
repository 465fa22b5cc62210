package eventtime

import "streaminglab/sim"

// BoundedOutOfOrdernessWatermarks lags a fixed bound behind the highest
// timestamp (EV-1.2). It mirrors Flink's class of that name;
// AscendingTimestampsWatermarks is the same with bound 0.
type BoundedOutOfOrdernessWatermarks struct {
	maxTimestamp   int64
	outOfOrderness int64
}

// NewBoundedOutOfOrdernessWatermarks starts so that the first probe yields
// exactly MIN, not a value that wrapped around below it.
func NewBoundedOutOfOrdernessWatermarks(outOfOrderness int64) (*BoundedOutOfOrdernessWatermarks, error) {
	if outOfOrderness < 0 {
		return nil, illegalArgument("maxOutOfOrderness cannot be negative")
	}
	return &BoundedOutOfOrdernessWatermarks{
		maxTimestamp:   sim.MinTime + outOfOrderness + 1,
		outOfOrderness: outOfOrderness,
	}, nil
}

// NewAscendingTimestampsWatermarks is forMonotonousTimestamps.
func NewAscendingTimestampsWatermarks() *BoundedOutOfOrdernessWatermarks {
	return &BoundedOutOfOrdernessWatermarks{maxTimestamp: sim.MinTime + 1}
}

// OnEvent implements WatermarkGenerator: it emits nothing.
func (g *BoundedOutOfOrdernessWatermarks) OnEvent(timestamp int64, _ *Event, _ WatermarkOutput) {
	g.maxTimestamp = max(g.maxTimestamp, timestamp)
}

// OnPeriodicEmit implements WatermarkGenerator. The one below the difference
// is the highest time that is still allowed to come again.
func (g *BoundedOutOfOrdernessWatermarks) OnPeriodicEmit(_ int64, out WatermarkOutput) {
	out.EmitWatermark(g.maxTimestamp - g.outOfOrderness - 1)
}

// MaxTimestamp is the highest timestamp that a generator has seen. ok is false
// for generators that keep none, and before the first record above the start.
func MaxTimestamp(g WatermarkGenerator) (timestamp int64, ok bool) {
	switch g := g.(type) {
	case *BoundedOutOfOrdernessWatermarks:
		return g.maxTimestamp, g.maxTimestamp > sim.MinTime+g.outOfOrderness+1
	case *WatermarksWithIdleness:
		return MaxTimestamp(g.watermarks)
	}
	return 0, false
}
