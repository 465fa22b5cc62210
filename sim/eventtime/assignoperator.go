package eventtime

import "streaminglab/sim"

// TimestampsAndWatermarksOperator is assignTimestampsAndWatermarks in the
// middle of a pipeline (EV-1.6): it gives records new timestamps, makes
// watermarks of its own, and swallows what upstream says about time, except
// the end. It mirrors Flink's class of that name. The caller runs the probes.
type TimestampsAndWatermarksOperator struct {
	strategy     WatermarkStrategy
	out          DataOutput
	gate         *WatermarkGate
	generator    WatermarkGenerator
	clock        PausableRelativeClock
	backpressure bool
}

// NewTimestampsAndWatermarksOperator returns the operator at its start.
func NewTimestampsAndWatermarksOperator(strategy WatermarkStrategy, out DataOutput) (*TimestampsAndWatermarksOperator, error) {
	generator, err := strategy.NewGenerator()
	if err != nil {
		return nil, err
	}
	return &TimestampsAndWatermarksOperator{
		strategy:  strategy,
		out:       out,
		gate:      NewWatermarkGate(out),
		generator: generator,
	}, nil
}

// ProcessElement forwards the record, then shows it to the generator.
func (o *TimestampsAndWatermarksOperator) ProcessElement(e *Event) {
	timestamp := o.strategy.Timestamp(e)
	o.out.EmitRecord(timestamp)
	o.generator.OnEvent(timestamp, e, o.gate)
}

// OnProcessingTime is the probe.
func (o *TimestampsAndWatermarksOperator) OnProcessingTime(now int64) {
	o.generator.OnPeriodicEmit(o.clock.Read(now), o.gate)
}

// ProcessWatermark swallows every watermark but MAX, which turns the output
// active first if it is idle (so it is safe from FLINK-40499, EV-4.4).
func (o *TimestampsAndWatermarksOperator) ProcessWatermark(timestamp int64) {
	if timestamp == sim.MaxTime {
		o.gate.EmitWatermark(timestamp)
	}
}

// ProcessWatermarkStatus swallows the status of the input.
func (o *TimestampsAndWatermarksOperator) ProcessWatermarkStatus(WatermarkStatus) {}

// Finish is the end of input: it probes once more.
func (o *TimestampsAndWatermarksOperator) Finish(now int64) { o.OnProcessingTime(now) }

// SetBackpressure stops the idle clock or lets it go on (EV-3.3). Saying the
// same twice changes nothing.
func (o *TimestampsAndWatermarksOperator) SetBackpressure(now int64, on bool) error {
	if on == o.backpressure {
		return nil
	}
	o.backpressure = on
	if on {
		o.clock.Pause(now)
		return nil
	}
	return o.clock.UnPause(now)
}

// Watermark is the last one that went downstream.
func (o *TimestampsAndWatermarksOperator) Watermark() int64 { return o.gate.current }

// Idle says whether the output is announced as idle.
func (o *TimestampsAndWatermarksOperator) Idle() bool { return o.gate.idle }
