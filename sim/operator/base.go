package operator

import (
	"streaminglab/sim"
	"streaminglab/sim/state"
)

// Base gives an operator what most of them do: nothing at the ends of its
// life, and on a watermark first the due timers, then the watermark itself.
// Embed it, call Init in Open.
type Base struct {
	*Context
	timers *state.Timers
	onTime func(state.Timer) error
}

// Init keeps the context. Timers and what they call may be nil.
func (b *Base) Init(c *Context, timers *state.Timers, onTime func(state.Timer) error) {
	b.Context, b.timers, b.onTime = c, timers, onTime
	c.Watermark = sim.MinTime
}

// Timers returns the event-time timers.
func (b *Base) Timers() *state.Timers { return b.timers }

// Advance sets the watermark and fires the due timers in order; a timer that
// a callback registers at or before the watermark fires in the same advance.
// A trigger that ticks every ms of a year would never come to an end: more
// firings than a trace has steps are the bound of one advance.
func (b *Base) Advance(t int64) error {
	b.Watermark = t
	if b.timers == nil {
		return nil
	}
	for n := 0; ; n++ {
		if limit := b.Bounds.Steps; limit > 0 && n > limit {
			return &sim.BoundError{Bound: "steps", Limit: int64(limit)}
		}
		timer, ok := b.timers.Next(t)
		if !ok {
			return nil
		}
		if err := b.onTime(timer); err != nil {
			return err
		}
	}
}

// ProcessWatermark fires due timers and forwards the watermark.
func (b *Base) ProcessWatermark(t int64) error {
	if err := b.Advance(t); err != nil {
		return err
	}
	b.Out.Watermark(t, b.Cause)
	return nil
}

// ProcessStatus forwards the status.
func (b *Base) ProcessStatus(idle bool) error {
	b.Out.Status(idle, b.Cause)
	return nil
}

// Restored does nothing.
func (b *Base) Restored() error { return nil }

// PrepareBarrier does nothing.
func (b *Base) PrepareBarrier(int64) error { return nil }

// Snapshot does nothing.
func (b *Base) Snapshot(int64) error { return nil }

// NotifyComplete does nothing.
func (b *Base) NotifyComplete(int64) error { return nil }

// NotifyAborted does nothing.
func (b *Base) NotifyAborted(int64) error { return nil }

// EndOfInput does nothing.
func (b *Base) EndOfInput(int) error { return nil }

// Close does nothing.
func (b *Base) Close() error { return nil }
