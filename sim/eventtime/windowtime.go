package eventtime

import "streaminglab/sim"

const hour = 3600 * 1000

// The functions of this file mirror TimeWindowUtil (EV-7.7, EV-7.2). "Local"
// is the wall clock of the zone, read as if it were UTC. MAX is the end of
// time in every zone.

// ToUTCTimestampMills is the wall clock of an instant.
func ToUTCTimestampMills(epoch int64, zone *Zone) int64 {
	if !zone.shifts() || epoch == sim.MaxTime {
		return epoch
	}
	return zone.local(epoch)
}

// ToEpochMills is the instant of a wall clock.
func ToEpochMills(local int64, zone *Zone) int64 {
	if !zone.shifts() || local == sim.MaxTime {
		return local
	}
	return zone.instant(local)
}

// ToEpochMillsForTimer is when a timer for a wall clock fires. A time that
// daylight saving skips fires at the first valid instant, so that its window
// does not wait; a time that comes twice waits for the second, so that both
// hours are in.
func ToEpochMillsForTimer(local int64, zone *Zone) int64 {
	if !zone.shifts() || local == sim.MaxTime {
		return local
	}
	t1 := zone.instant(local)
	if !zone.UsesDaylight() {
		return t1
	}
	t2 := zone.instant(local + hour)
	switch {
	case t1 == t2:
		return t1 - t1%hour
	case t2-t1 > hour:
		return t1 + hour
	}
	return t1
}

// IsWindowFired says whether a window's end is reached.
func IsWindowFired(windowEnd, progress int64, zone *Zone) bool {
	if windowEnd == sim.MaxTime {
		return false
	}
	return progress >= ToEpochMillsForTimer(windowEnd-1, zone)
}

// NextTriggerWatermark is the grid on which the buffer of a window aggregate
// looks at watermarks: the next end of an interval, minus 1. In 2.2.1 it
// ignores the offset of the window and, in zones without daylight saving, the
// zone (FLINK-36664), which is how rows on time can be lost.
func NextTriggerWatermark(watermark, interval int64, zone *Zone) int64 {
	if watermark == sim.MaxTime {
		return watermark
	}
	var trigger int64
	if zone.UsesDaylight() {
		start := WindowStart(ToUTCTimestampMills(watermark, zone), 0, interval)
		trigger = ToEpochMillsForTimer(start+interval-1, zone)
	} else {
		trigger = WindowStart(watermark, 0, interval) + interval - 1
	}
	if trigger > watermark {
		return trigger
	}
	return trigger + interval
}
