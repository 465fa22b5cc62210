package eventtime

// PunctuatedWatermarks emits, for a marked record, a watermark equal to the
// record's own timestamp, right behind the record (EV-1.3). Flink has no such
// class: it is the custom generator of the recordings.
type PunctuatedWatermarks struct{}

// OnEvent implements WatermarkGenerator.
func (PunctuatedWatermarks) OnEvent(timestamp int64, e *Event, out WatermarkOutput) {
	if e.Mark {
		out.EmitWatermark(timestamp)
	}
}

// OnPeriodicEmit implements WatermarkGenerator: a probe moves nothing.
func (PunctuatedWatermarks) OnPeriodicEmit(int64, WatermarkOutput) {}
