package eventtime

// ScriptedWatermarks emits what the record says. Flink has no such class: it
// is the custom generator of the recordings, and the script's `watermark`,
// `idle` and `active`.
type ScriptedWatermarks struct{}

// OnEvent implements WatermarkGenerator.
func (ScriptedWatermarks) OnEvent(_ int64, e *Event, out WatermarkOutput) {
	switch e.Script.Kind {
	case EmitsWatermark:
		out.EmitWatermark(e.Script.Watermark)
	case EmitsIdle:
		out.MarkIdle()
	case EmitsActive:
		out.MarkActive()
	}
}

// OnPeriodicEmit implements WatermarkGenerator: a probe moves nothing.
func (ScriptedWatermarks) OnPeriodicEmit(int64, WatermarkOutput) {}
