package eventtime

import "streaminglab/sim"

// GeneratedWatermarks is a SQL watermark expression that was pushed down into
// the source (EV-1.8b): it keeps the highest value of the expression and has
// no extra -1. It mirrors DefaultWatermarkGenerator of
// GeneratedWatermarkGeneratorSupplier. The expression of the lab is always
// rowtime minus a delay.
type GeneratedWatermarks struct {
	delay   int64
	onEvent bool
	current int64
}

// NewGeneratedWatermarks starts at MIN. onEvent is
// scan.watermark.emit.strategy = on-event.
func NewGeneratedWatermarks(delay int64, onEvent bool) *GeneratedWatermarks {
	return &GeneratedWatermarks{delay: delay, onEvent: onEvent, current: sim.MinTime}
}

// OnEvent implements WatermarkGenerator. A NULL is skipped, and a value that
// is not above the highest one emits nothing.
func (g *GeneratedWatermarks) OnEvent(timestamp int64, e *Event, out WatermarkOutput) {
	if e.NullExpression {
		return
	}
	if w := timestamp - g.delay; w > g.current {
		g.current = w
		if g.onEvent {
			out.EmitWatermark(w)
		}
	}
}

// OnPeriodicEmit implements WatermarkGenerator.
func (g *GeneratedWatermarks) OnPeriodicEmit(_ int64, out WatermarkOutput) {
	if !g.onEvent {
		out.EmitWatermark(g.current)
	}
}
