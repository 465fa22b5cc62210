package checkpoint

import "streaminglab/sim"

// StartScheduler begins periodic checkpoints: the job turned RUNNING. first is
// the delay of the first tick in ms, which Flink draws between FirstTick's
// bounds. If the scheduler ran, it is stopped first, which aborts savepoints
// too; from the stopped state savepoints are spared (CP-2.9).
func (c *Coordinator) StartScheduler(first int64) {
	c.do(func() {
		if c.shutdown || c.config.Interval == 0 {
			return
		}
		if c.scheduling {
			c.stopScheduler()
		}
		c.scheduling = true
		c.book(c.now() + first)
	})
}

// FirstTick are the bounds in ms, both inclusive, of the delay of the first
// tick: min-pause and the larger of interval and min-pause (CP-2.1).
func (c *Coordinator) FirstTick() (lowest, highest int64) {
	return c.config.MinPause, c.interval()
}

// StopScheduler ends periodic checkpoints and aborts all pending and queued
// requests, savepoints too: the job left RUNNING (CP-2.9).
func (c *Coordinator) StopScheduler() { c.do(c.stopScheduler) }

func (c *Coordinator) stopScheduler() {
	c.scheduling = false
	c.cancelTick()
	c.abortAll(CoordinatorSuspend)
}

// SetProcessingBacklog says whether a source processes backlog. The next tick
// moves when the interval that holds now would bring it earlier (CP-2.10); that
// it also books one while the scheduler is stopped is Flink's own defect.
func (c *Coordinator) SetProcessingBacklog(source string, on bool) {
	c.do(func() {
		if on {
			c.backlog[source] = true
		} else {
			delete(c.backlog, source)
		}
		if i := c.currentInterval(); i != 0 && c.now()+i < c.nextTick {
			c.book(c.now() + i)
		}
	})
}

// interval is the interval, raised to the min-pause (CP-0).
func (c *Coordinator) interval() int64 { return max(c.config.Interval, c.config.MinPause) }

// currentInterval is the one that holds now; 0: no ticks.
func (c *Coordinator) currentInterval() int64 {
	if len(c.backlog) == 0 {
		if c.config.Interval == 0 {
			return 0
		}
		return c.interval()
	}
	if i := c.config.IntervalDuringBacklog; i != nil {
		return *i
	}
	return c.config.Interval
}

// book books the next tick, instead of the one that was booked.
func (c *Coordinator) book(at int64) {
	c.tick.Cancel()
	c.nextTick = at
	c.tick = c.queue.At(max(at, c.now()), true, func() { c.do(c.ticked) })
	c.tell(TickBooked{at})
}

func (c *Coordinator) cancelTick() {
	c.tick.Cancel()
	c.tick = nil
	c.nextTick = sim.MaxTime
}

// ticked is a tick: it first books the next one, an interval after the time it
// was planned for, and then asks (CP-2.2).
func (c *Coordinator) ticked() {
	if i := c.currentInterval(); i != 0 {
		c.book(c.nextTick + i)
	} else {
		c.cancelTick()
	}
	c.ask(&request{number: -1, periodic: true, properties: PropertiesOf(c.config.Retention), timestamp: c.now()})
}
