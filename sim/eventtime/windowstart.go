package eventtime

import "streaminglab/sim"

// WindowStart is the start of the window of a timestamp: the remainder takes
// the sign of the dividend, as in Java, and is then made positive (EV-5.1).
// Sums wrap around as in Java. It mirrors TimeWindow.getWindowStartWithOffset.
// size must not be 0.
func WindowStart(timestamp, offset, size int64) int64 {
	remainder := (timestamp - offset) % size
	if remainder < 0 {
		return timestamp - (remainder + size)
	}
	return timestamp - remainder
}

// abs is Math.abs: MIN is its own absolute value.
func abs(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

func noTimestamp() error {
	return runtimeException("Record has Long.MIN_VALUE timestamp (= no timestamp marker). " +
		"Did you forget to call 'DataStream.assignTimestampsAndWatermarks(...)'?")
}

// checkTimestamp is what tumbling and sliding assigners look at first; the
// session assigner does not (EV-1.5).
func checkTimestamp(timestamp int64) error {
	if timestamp == sim.MinTime {
		return by("EV-1.5", noTimestamp())
	}
	return nil
}
