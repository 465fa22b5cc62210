package eventtime

import (
	"fmt"

	"streaminglab/sim"
)

// ProgressiveTimestampsAndWatermarks gives the records of one source reader
// their timestamps and makes its watermarks, split by split (EV-1.7, EV-3.3).
// It mirrors Flink's class of that name together with WatermarkToDataOutput
// and SourceOutputWithWatermarks. The caller runs the probes, at every
// multiple of the interval.
type ProgressiveTimestampsAndWatermarks struct {
	strategy WatermarkStrategy
	out      DataOutput

	gate        *WatermarkGate
	idleness    *idlenessManager
	multiplexer *WatermarkOutputMultiplexer
	main        *SourceOutput
	// splits is in the order of their adding, which is the order of probing.
	splits       []*SourceOutput
	backpressure bool
}

// A SplitListener hears about every rise of a split's own watermark, also one
// that the combined watermark hides; alignment needs it (EV-3.5).
type SplitListener func(split string, timestamp int64)

// NewProgressiveTimestampsAndWatermarks returns the state of a reader that has
// no split yet. listener may be nil.
func NewProgressiveTimestampsAndWatermarks(strategy WatermarkStrategy, out DataOutput, listener SplitListener) (*ProgressiveTimestampsAndWatermarks, error) {
	generator, err := strategy.NewGenerator()
	if err != nil {
		return nil, err
	}
	p := &ProgressiveTimestampsAndWatermarks{strategy: strategy, out: out}
	p.gate = NewWatermarkGate(out)
	p.idleness = newIdlenessManager(p.gate)
	p.multiplexer = NewWatermarkOutputMultiplexer(&p.idleness.splits, listener)
	p.main = &SourceOutput{
		source:    p,
		generator: generator,
		onEvent:   &p.idleness.main,
		periodic:  &p.idleness.main,
	}
	return p, nil
}

// A SourceOutput is where a reader puts the records of one split, or those of
// no split. It mirrors SourceOutputWithWatermarks.
type SourceOutput struct {
	source    *ProgressiveTimestampsAndWatermarks
	split     string
	generator WatermarkGenerator
	clock     PausableRelativeClock
	onEvent   WatermarkOutput
	periodic  WatermarkOutput
	// registered is nil for the main output.
	registered *multiplexedOutput
}

// Collect sends a record downstream and then shows it to the generator
// (EV-1.3: a record always precedes the watermark that it causes).
func (o *SourceOutput) Collect(e *Event) {
	timestamp := o.source.strategy.Timestamp(e)
	o.source.out.EmitRecord(timestamp)
	o.generator.OnEvent(timestamp, e, o.onEvent)
}

// Split is the split's name, empty for the main output.
func (o *SourceOutput) Split() string { return o.split }

// Watermark is the highest one that the split's generator gave, MIN before the
// first. The main output keeps none of its own (MIN): what its generator gives
// goes straight to the gate.
func (o *SourceOutput) Watermark() int64 {
	if o.registered == nil {
		return sim.MinTime
	}
	return o.registered.partial.watermark
}

// Idle says whether the split is left out of the minimum.
func (o *SourceOutput) Idle() bool {
	if o.registered == nil {
		return o.source.idleness.main.idle
	}
	return o.registered.partial.idle
}

// ClockPaused says whether the split's idle clock stands still.
func (o *SourceOutput) ClockPaused() bool { return o.clock.Paused() }

// Quiet is how long the idle detection of this output has been counting, by
// its own clock. ok is false while it does not count.
func (o *SourceOutput) Quiet(now int64) (ms int64, ok bool) {
	if g, is := o.generator.(*WatermarksWithIdleness); is {
		return g.Quiet(o.clock.Read(now))
	}
	return 0, false
}

// MaxTimestamp is the highest timestamp that the generator has seen. ok is
// false for generators that keep none and before the first record.
func (o *SourceOutput) MaxTimestamp() (timestamp int64, ok bool) {
	return MaxTimestamp(o.generator)
}

// MainOutput is where records of no split go. It always exists.
func (p *ProgressiveTimestampsAndWatermarks) MainOutput() *SourceOutput { return p.main }

// CreateOutputForSplit adds a split, or returns its output if it has one. A
// split that was released before starts afresh. During backpressure its clock
// starts stopped.
func (p *ProgressiveTimestampsAndWatermarks) CreateOutputForSplit(now int64, split string) (*SourceOutput, error) {
	if o := p.Output(split); o != nil {
		return o, nil
	}
	generator, err := p.strategy.NewGenerator()
	if err != nil {
		return nil, err
	}
	registered := p.multiplexer.registerNewOutput(split)
	o := &SourceOutput{
		source:     p,
		split:      split,
		generator:  generator,
		onEvent:    immediateOutput{registered},
		periodic:   deferredOutput{registered},
		registered: registered,
	}
	if p.backpressure {
		o.clock.Pause(now)
	}
	p.splits = append(p.splits, o)
	return o, nil
}

// Output returns the output of a split, nil if there is none.
func (p *ProgressiveTimestampsAndWatermarks) Output(split string) *SourceOutput {
	for _, o := range p.splits {
		if o.split == split {
			return o
		}
	}
	return nil
}

// Splits are the outputs of the splits, in the order of their adding.
func (p *ProgressiveTimestampsAndWatermarks) Splits() []*SourceOutput { return p.splits }

// ReleaseOutputForSplit removes a split. By itself it emits nothing.
func (p *ProgressiveTimestampsAndWatermarks) ReleaseOutputForSplit(split string) error {
	for i, o := range p.splits {
		if o.split == split {
			p.splits = append(p.splits[:i:i], p.splits[i+1:]...)
			p.multiplexer.unregisterOutput(o.registered)
			return nil
		}
	}
	return unknownSplit(split)
}

// EmitPeriodicWatermark is the probe: all splits first, then one combination
// of what they said, then the main output.
func (p *ProgressiveTimestampsAndWatermarks) EmitPeriodicWatermark(now int64) {
	for _, o := range p.splits {
		o.generator.OnPeriodicEmit(o.clock.Read(now), o.periodic)
	}
	p.multiplexer.OnPeriodicEmit()
	p.main.generator.OnPeriodicEmit(p.main.clock.Read(now), p.main.periodic)
}

// PauseSplit stops the idle clock of a split that alignment paused.
func (p *ProgressiveTimestampsAndWatermarks) PauseSplit(now int64, split string) error {
	o := p.Output(split)
	if o == nil {
		return unknownSplit(split)
	}
	o.clock.Pause(now)
	return nil
}

// ResumeSplit takes one PauseSplit back.
func (p *ProgressiveTimestampsAndWatermarks) ResumeSplit(now int64, split string) error {
	o := p.Output(split)
	if o == nil {
		return unknownSplit(split)
	}
	return o.clock.UnPause(now)
}

// PauseMain stops the idle clock of the main output: the reader waits for
// alignment. The clocks of the splits are separate in 2.2 and go on, unless
// alignment paused those splits themselves.
func (p *ProgressiveTimestampsAndWatermarks) PauseMain(now int64) { p.main.clock.Pause(now) }

// ResumeMain takes one PauseMain back.
func (p *ProgressiveTimestampsAndWatermarks) ResumeMain(now int64) error {
	return p.main.clock.UnPause(now)
}

// SetBackpressure says that the subtask is backpressured or no longer is: all
// idle clocks stand still meanwhile. Saying the same twice changes nothing.
func (p *ProgressiveTimestampsAndWatermarks) SetBackpressure(now int64, on bool) error {
	if on == p.backpressure {
		return nil
	}
	p.backpressure = on
	for _, o := range append([]*SourceOutput{p.main}, p.splits...) {
		if on {
			o.clock.Pause(now)
		} else if err := o.clock.UnPause(now); err != nil {
			return err
		}
	}
	return nil
}

// Watermark is the last one that the reader sent downstream.
func (p *ProgressiveTimestampsAndWatermarks) Watermark() int64 { return p.gate.current }

// Idle says whether the reader is announced as idle.
func (p *ProgressiveTimestampsAndWatermarks) Idle() bool { return p.gate.idle }

// HeldBy are the splits that hold the reader's watermark where it is: the
// active ones with the lowest watermark. It is empty when no split is active.
func (p *ProgressiveTimestampsAndWatermarks) HeldBy() []*SourceOutput {
	var held []*SourceOutput
	for _, o := range p.splits {
		switch {
		case o.Idle():
		case len(held) == 0 || o.Watermark() < held[0].Watermark():
			held = append(held[:0], o)
		case o.Watermark() == held[0].Watermark():
			held = append(held, o)
		}
	}
	return held
}

func unknownSplit(split string) error { return fmt.Errorf("no split %q", split) }
