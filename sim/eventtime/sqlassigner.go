package eventtime

import "streaminglab/sim"

// WatermarkAssignerOperator is a SQL watermark that was not pushed down into
// the source (EV-1.8a, EV-3.4). It mirrors Flink's class of that name: the
// watermark is the highest value of the expression, with no extra -1, and
// starts at 0, so that none at or below 0 ever comes out. The expression of
// the lab is rowtime minus a delay.
type WatermarkAssignerOperator struct {
	delay    int64
	interval int64
	timeout  int64
	out      DataOutput

	current       int64
	last          int64
	lastEmitTime  int64
	idleSince     int64
	status        WatermarkStatus
	rows          int64
	rowsAtCheck   int64
	timerInterval int64
	nextTimer     int64
}

// NewWatermarkAssignerOperator opens the operator at time now. interval is
// pipeline.auto-watermark-interval, timeout table.exec.source.idle-timeout; 0
// switches either off.
func NewWatermarkAssignerOperator(now, delay, interval, timeout int64, out DataOutput) *WatermarkAssignerOperator {
	o := &WatermarkAssignerOperator{
		delay: delay, interval: interval, timeout: timeout, out: out,
		lastEmitTime: now, idleSince: now,
		// Unlike any count of rows, so the first check always sees activity.
		rowsAtCheck: -1,
	}
	if interval > 0 || timeout > 0 {
		o.timerInterval = timerInterval(interval, timeout)
		o.nextTimer = now + o.timerInterval
	}
	return o
}

// timerInterval mirrors calculateProcessingTimeTimerInterval.
func timerInterval(interval, timeout int64) int64 {
	if interval <= 0 {
		return timeout
	}
	if timeout <= 0 {
		return interval
	}
	smaller, larger := min(interval, timeout), max(interval, timeout)
	if smaller*5 < larger {
		return smaller
	}
	return max(smaller/5, 1)
}

// ProcessElement takes a row. rowtime is ignored if null is set.
func (o *WatermarkAssignerOperator) ProcessElement(rowtime int64, null, nullExpression bool) error {
	o.rows++
	if o.timeout > 0 && o.status.IsIdle() {
		o.emitStatus(Active)
	}
	if null {
		return by("EV-7.8", runtimeException("RowTime field should not be null, please convert it to a non-null long value."))
	}
	if !nullExpression {
		o.current = max(o.current, rowtime-o.delay)
	}
	o.out.EmitRecord(rowtime)
	// Eagerly, in case the timer is late.
	if o.current-o.last > o.interval {
		o.advanceWatermark()
	}
	return nil
}

func (o *WatermarkAssignerOperator) advanceWatermark() {
	if o.current > o.last {
		o.last = o.current
		o.out.EmitWatermark(o.current)
	}
}

// NextTimer is when OnProcessingTime is due, if ever.
func (o *WatermarkAssignerOperator) NextTimer() (at int64, ok bool) {
	return o.nextTimer, o.timerInterval > 0
}

// OnProcessingTime is the operator's timer.
func (o *WatermarkAssignerOperator) OnProcessingTime(now int64) {
	if o.interval > 0 && o.lastEmitTime+o.interval <= now {
		o.lastEmitTime = now
		o.advanceWatermark()
	}
	if o.rows != o.rowsAtCheck {
		o.idleSince = now
		o.rowsAtCheck = o.rows
	}
	if o.timeout > 0 && !o.status.IsIdle() && o.idleSince+o.timeout <= now {
		o.emitStatus(Idle)
	}
	o.nextTimer = now + o.timerInterval
}

// ProcessWatermark swallows every watermark but the first MAX. With a timeout
// of its own the operator turns active first; without one an idle status of
// upstream stays, and MAX is lost behind it (EV-3.4, EV-4.4).
func (o *WatermarkAssignerOperator) ProcessWatermark(timestamp int64) {
	if timestamp != sim.MaxTime || o.current == sim.MaxTime {
		return
	}
	if o.timeout > 0 && o.status.IsIdle() {
		o.emitStatus(Active)
	}
	o.current = sim.MaxTime
	o.out.EmitWatermark(sim.MaxTime)
}

// ProcessWatermarkStatus passes the status of upstream on.
func (o *WatermarkAssignerOperator) ProcessWatermarkStatus(status WatermarkStatus) {
	o.emitStatus(status)
}

// Finish is the end of input.
func (o *WatermarkAssignerOperator) Finish() { o.ProcessWatermark(sim.MaxTime) }

func (o *WatermarkAssignerOperator) emitStatus(status WatermarkStatus) {
	o.status = status
	o.out.EmitWatermarkStatus(status)
}

// Watermark is the last one that went out; 0 before the first.
func (o *WatermarkAssignerOperator) Watermark() int64 {
	if o.current == sim.MaxTime {
		return o.current
	}
	return o.last
}

// Status is the last one that went out.
func (o *WatermarkAssignerOperator) Status() WatermarkStatus { return o.status }
