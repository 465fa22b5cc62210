package sim

import "math"

// Times are milliseconds, event time and virtual processing time alike.
// MinTime is Flink's Long.MIN_VALUE: a record without a timestamp, a subtask
// that has seen no watermark. MaxTime is Long.MAX_VALUE: the end of input.
const (
	MinTime int64 = math.MinInt64
	MaxTime int64 = math.MaxInt64
)
