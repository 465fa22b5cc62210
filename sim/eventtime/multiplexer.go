package eventtime

import "streaminglab/sim"

// A PartialWatermark is the state of one of several outputs or inputs whose
// watermarks are combined. It mirrors CombinedWatermarkStatus.PartialWatermark.
type PartialWatermark struct {
	watermark int64
	idle      bool
}

// setWatermark says whether the watermark rose. Any watermark, also a lower
// one, clears the idle flag (EV-1.7).
func (p *PartialWatermark) setWatermark(timestamp int64) bool {
	p.idle = false
	if timestamp <= p.watermark {
		return false
	}
	p.watermark = timestamp
	return true
}

// Watermark is the highest one seen, MIN before the first.
func (p *PartialWatermark) Watermark() int64 { return p.watermark }

// Idle says whether it is left out of the minimum.
func (p *PartialWatermark) Idle() bool { return p.idle }

// CombinedWatermarkStatus is the minimum over the partial watermarks that are
// not idle, and the maximum over all of them when all are idle (EV-1.7,
// EV-2.4; FLINK-38454). It mirrors Flink's class of that name.
type CombinedWatermarkStatus struct {
	partials []*PartialWatermark
	combined int64
	idle     bool
}

func newCombinedWatermarkStatus() CombinedWatermarkStatus {
	return CombinedWatermarkStatus{combined: sim.MinTime}
}

func (c *CombinedWatermarkStatus) add() *PartialWatermark {
	p := &PartialWatermark{watermark: sim.MinTime}
	c.partials = append(c.partials, p)
	return p
}

func (c *CombinedWatermarkStatus) remove(p *PartialWatermark) {
	for i, q := range c.partials {
		if p == q {
			c.partials = append(c.partials[:i:i], c.partials[i+1:]...)
			return
		}
	}
}

// update looks again at everything and says whether the combined watermark
// rose. Without any partial watermark nothing changes, not even the idle flag.
func (c *CombinedWatermarkStatus) update() bool {
	if len(c.partials) == 0 {
		return false
	}
	highest, lowest := sim.MinTime, sim.MaxTime
	allIdle := true
	for _, p := range c.partials {
		highest = max(highest, p.watermark)
		if !p.idle {
			lowest = min(lowest, p.watermark)
			allIdle = false
		}
	}
	c.idle = allIdle
	// When nobody will go on, the end must not depend on who fell silent first.
	combined := lowest
	if allIdle {
		combined = highest
	}
	if combined > c.combined {
		c.combined = combined
		return true
	}
	return false
}

// A WatermarkOutputMultiplexer combines the watermarks of the splits of one
// reader (EV-1.7). It mirrors Flink's class of that name. Each split has an
// immediate output, for what its generator emits at a record, and a deferred
// one, for what it emits at a probe.
type WatermarkOutputMultiplexer struct {
	underlying WatermarkOutput
	status     CombinedWatermarkStatus
	// onUpdate hears about every rise of a split's own watermark.
	onUpdate func(split string, timestamp int64)
}

// NewWatermarkOutputMultiplexer sends combined updates to underlying.
func NewWatermarkOutputMultiplexer(underlying WatermarkOutput, onUpdate func(split string, timestamp int64)) *WatermarkOutputMultiplexer {
	return &WatermarkOutputMultiplexer{underlying: underlying, status: newCombinedWatermarkStatus(), onUpdate: onUpdate}
}

// OnPeriodicEmit combines what the deferred outputs took.
func (m *WatermarkOutputMultiplexer) OnPeriodicEmit() { m.updateCombinedWatermark() }

func (m *WatermarkOutputMultiplexer) updateCombinedWatermark() {
	if m.status.update() {
		m.underlying.EmitWatermark(m.status.combined)
	}
	if m.status.idle {
		m.underlying.MarkIdle()
	}
}

// A multiplexedOutput is the state of one split in a multiplexer.
type multiplexedOutput struct {
	multiplexer *WatermarkOutputMultiplexer
	partial     *PartialWatermark
	split       string
}

func (m *WatermarkOutputMultiplexer) registerNewOutput(split string) *multiplexedOutput {
	return &multiplexedOutput{multiplexer: m, partial: m.status.add(), split: split}
}

// unregisterOutput by itself emits nothing: the next update sees that the
// split is gone.
func (m *WatermarkOutputMultiplexer) unregisterOutput(o *multiplexedOutput) {
	m.status.remove(o.partial)
}

func (o *multiplexedOutput) set(timestamp int64) bool {
	if !o.partial.setWatermark(timestamp) {
		return false
	}
	if o.multiplexer.onUpdate != nil {
		o.multiplexer.onUpdate(o.split, timestamp)
	}
	return true
}

// An immediateOutput combines at once.
type immediateOutput struct{ *multiplexedOutput }

func (o immediateOutput) EmitWatermark(timestamp int64) {
	// A watermark at or below the combined one cannot raise it. It cannot
	// lower anything either, but it cleared the idle flag.
	if o.set(timestamp) && timestamp > o.multiplexer.status.combined {
		o.multiplexer.updateCombinedWatermark()
	}
}

func (o immediateOutput) MarkIdle() {
	o.partial.idle = true
	o.multiplexer.updateCombinedWatermark()
}

func (o immediateOutput) MarkActive() {
	o.partial.idle = false
	o.multiplexer.updateCombinedWatermark()
}

// A deferredOutput only keeps what it hears until the next probe's end.
type deferredOutput struct{ *multiplexedOutput }

func (o deferredOutput) EmitWatermark(timestamp int64) { o.set(timestamp) }
func (o deferredOutput) MarkIdle()                     { o.partial.idle = true }
func (o deferredOutput) MarkActive()                   { o.partial.idle = false }
