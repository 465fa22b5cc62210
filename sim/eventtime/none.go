package eventtime

// NoWatermarksGenerator never emits (EV-1.6): event-time windows behind it
// fire only at the end of input. It mirrors Flink's class of that name.
type NoWatermarksGenerator struct{}

// OnEvent implements WatermarkGenerator.
func (NoWatermarksGenerator) OnEvent(int64, *Event, WatermarkOutput) {}

// OnPeriodicEmit implements WatermarkGenerator.
func (NoWatermarksGenerator) OnPeriodicEmit(int64, WatermarkOutput) {}
