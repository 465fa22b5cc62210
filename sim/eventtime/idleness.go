package eventtime

// WatermarksWithIdleness adds idle detection to a generator (EV-3.2). It
// mirrors Flink's class of that name. Idleness is judged at probes only:
// a probe that saw a record since the last one resets, the first quiet probe
// starts the count, a later one is idle when more than the timeout passed.
// While idle the inner generator is not probed.
type WatermarksWithIdleness struct {
	watermarks WatermarkGenerator
	timer      IdlenessTimer
	idle       bool
}

// NewWatermarksWithIdleness wraps a generator.
func NewWatermarksWithIdleness(watermarks WatermarkGenerator, timeout int64) (*WatermarksWithIdleness, error) {
	if timeout <= 0 {
		return nil, illegalArgument("idleTimeout must be greater than zero")
	}
	return &WatermarksWithIdleness{watermarks: watermarks, timer: IdlenessTimer{timeout: timeout}}, nil
}

// OnEvent implements WatermarkGenerator.
func (g *WatermarksWithIdleness) OnEvent(timestamp int64, e *Event, out WatermarkOutput) {
	g.watermarks.OnEvent(timestamp, e, out)
	g.timer.activity = true
	g.idle = false
}

// OnPeriodicEmit implements WatermarkGenerator.
func (g *WatermarksWithIdleness) OnPeriodicEmit(clock int64, out WatermarkOutput) {
	if !g.timer.checkIfIdle(clock) {
		g.watermarks.OnPeriodicEmit(clock, out)
		return
	}
	if !g.idle {
		out.MarkIdle()
		g.idle = true
	}
}

// Inner is the generator without idleness.
func (g *WatermarksWithIdleness) Inner() WatermarkGenerator { return g.watermarks }

// Quiet is how long the count runs, by the activity clock: the time since the
// first probe without a record. ok is false while it does not run.
func (g *WatermarksWithIdleness) Quiet(clock int64) (ms int64, ok bool) {
	if g.timer.activity || g.timer.start == 0 {
		return 0, false
	}
	return clock - g.timer.start, true
}

// An IdlenessTimer mirrors WatermarksWithIdleness.IdlenessTimer.
type IdlenessTimer struct {
	timeout int64
	// activity says that a record came since the last check (Flink compares
	// two counters, to the same effect).
	activity bool
	// start is the clock of the first quiet check. 0 means: not counting. So
	// a quiet check at a clock of exactly 0 does not start the count, in Flink
	// as here; a real machine's clock is never 0.
	start int64
}

func (t *IdlenessTimer) checkIfIdle(clock int64) bool {
	switch {
	case t.activity:
		t.activity = false
		t.start = 0
		return false
	case t.start == 0:
		t.start = clock
		return false
	default:
		return clock-t.start > t.timeout
	}
}
