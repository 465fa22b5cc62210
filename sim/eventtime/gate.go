package eventtime

import "streaminglab/sim"

// A WatermarkGate is the monotone gate in front of an output (EV-1.4): a
// watermark that is not above the last one is dropped; a higher one first
// turns the output active, then goes out. It mirrors WatermarkToDataOutput of
// a source and WatermarkEmitter of assignTimestampsAndWatermarks, which do the
// same.
type WatermarkGate struct {
	current int64
	idle    bool
	out     TimeOutput
}

// NewWatermarkGate returns a gate at MIN, active.
func NewWatermarkGate(out TimeOutput) *WatermarkGate {
	return &WatermarkGate{current: sim.MinTime, out: out}
}

// EmitWatermark implements WatermarkOutput.
func (g *WatermarkGate) EmitWatermark(timestamp int64) {
	if timestamp <= g.current {
		return
	}
	g.current = timestamp
	g.MarkActive()
	g.out.EmitWatermark(timestamp)
}

// MarkIdle implements WatermarkOutput. Only a change goes out.
func (g *WatermarkGate) MarkIdle() {
	if !g.idle {
		g.idle = true
		g.out.EmitWatermarkStatus(Idle)
	}
}

// MarkActive implements WatermarkOutput. Only a change goes out.
func (g *WatermarkGate) MarkActive() {
	if g.idle {
		g.idle = false
		g.out.EmitWatermarkStatus(Active)
	}
}

// Watermark is the last one that went out, MIN before the first.
func (g *WatermarkGate) Watermark() int64 { return g.current }

// Idle says whether the output is announced as idle.
func (g *WatermarkGate) Idle() bool { return g.idle }
