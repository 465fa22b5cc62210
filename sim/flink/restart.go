package flink

import (
	"math"
	"math/big"
	"slices"

	"streaminglab/sim"
)

// Restart strategies, as restart-strategy.type names them.
const (
	RestartNone             = "none"
	RestartFixedDelay       = "fixed-delay"
	RestartFailureRate      = "failure-rate"
	RestartExponentialDelay = "exponential-delay"
)

// RestartStrategy says what follows a failure (CP-11.3). Times are in ms. Only
// the fields of its type count.
type RestartStrategy struct {
	// Type is restart-strategy.type.
	Type string
	// Attempts is restart-strategy.fixed-delay.attempts.
	Attempts int
	// Delay is the delay of fixed-delay and of failure-rate.
	Delay int64
	// MaxFailures is restart-strategy.failure-rate.max-failures-per-interval,
	// Interval is …failure-rate-interval.
	MaxFailures int
	Interval    int64
	// Exponential is for exponential-delay.
	Exponential ExponentialDelay
}

// ExponentialDelay are the options restart-strategy.exponential-delay.*.
type ExponentialDelay struct {
	Initial, Max int64
	// Multiplier and Jitter are decimal numbers, as the options give them.
	Multiplier, Jitter string
	// Reset is reset-backoff-threshold.
	Reset int64
	// Attempts is attempts-before-reset-backoff; 0: no limit.
	Attempts int
}

// DefaultRestartStrategy returns Flink's defaults for all types; the type
// itself is none, as it is for a job without checkpointing.
func DefaultRestartStrategy() RestartStrategy {
	return RestartStrategy{
		Type: RestartNone, Attempts: 1, Delay: 1000, MaxFailures: 1, Interval: 60_000,
		Exponential: ExponentialDelay{Initial: 1000, Max: 60_000, Multiplier: "1.5", Jitter: "0.1", Reset: 3_600_000},
	}
}

// Check refuses what Flink refuses, and numbers that are none.
func (s RestartStrategy) Check() error {
	refuse := func(message string) error {
		return &sim.Exception{Class: "java.lang.IllegalArgumentException", Message: message, Rule: "CP-11.3"}
	}
	switch s.Type {
	case RestartNone:
	case RestartFixedDelay:
		if s.Attempts < 0 {
			return refuse("Maximum number of restart attempts must be positive.")
		}
		if s.Delay < 0 {
			return refuse("Delay must be positive")
		}
	case RestartFailureRate:
		switch {
		case s.MaxFailures <= 0:
			return refuse("Maximum number of restart attempts per time unit must be greater than 0.")
		case s.Interval <= 0:
			return refuse("Failures interval must be greater than 0 ms.")
		case s.Delay < 0:
			return refuse("Backoff time must be at least 0 ms.")
		}
	case RestartExponentialDelay:
		e := s.Exponential
		switch {
		case e.Initial < 1:
			return refuse("Initial backoff must be at least 1.")
		case e.Max < 1:
			return refuse("Maximum backoff must be at least 1.")
		case e.Initial > e.Max:
			return refuse("Initial backoff cannot be higher than maximum backoff.")
		case compare(e.Multiplier, 1) <= 0:
			return refuse("Backoff multiplier must be greater than 1.")
		case e.Reset < 1:
			return refuse("Threshold duration for exponential backoff reset must be at least 1.")
		case compare(e.Jitter, 0) < 0 || compare(e.Jitter, 1) > 0:
			return refuse("Jitter factor must be >= 0 and <= 1.")
		case e.Attempts < 0:
			return refuse("The attemptsBeforeResetBackoff must be at least 1.")
		}
	default:
		return refuse("Unknown restart strategy " + s.Type + ".")
	}
	return nil
}

func compare(s string, n int64) int { return decimal(s).Cmp(new(big.Float).SetInt64(n)) }

// A RestartBackoff decides about the failures of one job: it mirrors Flink's
// RestartBackoffTimeStrategy of each type.
type RestartBackoff struct {
	strategy RestartStrategy
	draws    *sim.Stream

	attempts int
	// failures are the times of the last ones, oldest first.
	failures []int64
	// next is when the job was, or is, to restart.
	next   int64
	failed bool
}

// NewRestartBackoff returns the strategy of a job that never failed. Draws are
// for the jitter; nil: there is none.
func NewRestartBackoff(s RestartStrategy, draws *sim.Stream) *RestartBackoff {
	return &RestartBackoff{strategy: s, draws: draws}
}

// NotifyFailure takes note of a failure at a time in ms. It reports whether it
// is a new one; false: a restart is planned already, which this one is merged
// into.
func (b *RestartBackoff) NotifyFailure(now int64) (newAttempt bool) {
	s := b.strategy
	switch s.Type {
	case RestartFailureRate:
		b.failures = append(b.failures, now)
		if n := len(b.failures) - s.MaxFailures - 1; n > 0 {
			b.failures = slices.Delete(b.failures, 0, n)
		}
	case RestartExponentialDelay:
		if b.failed && now <= b.next {
			return false
		}
		if b.failed && now-b.next >= s.Exponential.Reset {
			b.attempts = 0
		}
		b.next = now + b.exponential()
	}
	b.attempts++
	b.failed = true
	return true
}

// CanRestart reports whether the job may start again after the failures so
// far.
func (b *RestartBackoff) CanRestart() bool {
	s := b.strategy
	switch s.Type {
	case RestartFixedDelay:
		return b.attempts <= s.Attempts
	case RestartFailureRate:
		n := len(b.failures)
		return n <= s.MaxFailures || b.failures[n-1]-b.failures[0] > s.Interval
	case RestartExponentialDelay:
		return s.Exponential.Attempts == 0 || b.attempts <= s.Exponential.Attempts
	}
	return false
}

// BackoffTime is how long the restart waits from now on, in ms.
func (b *RestartBackoff) BackoffTime(now int64) int64 {
	if b.strategy.Type == RestartExponentialDelay {
		return max(0, b.next-now)
	}
	return b.strategy.Delay
}

// exponential is initial·multiplier^attempts with jitter, at least initial and
// at most max.
func (b *RestartBackoff) exponential() int64 {
	e := b.strategy.Exponential
	current := times(e.Initial, power(decimal(e.Multiplier), b.attempts))
	if b.draws != nil {
		if offset := times(current, decimal(e.Jitter)); offset > 0 && current < math.MaxInt64-offset {
			current += b.draws.Below(2*offset+1) - offset
		}
	}
	return max(e.Initial, min(current, e.Max))
}

// Flink computes the delay with double precision. These are its results,
// without the machine's floating point: each step is rounded to 53 bits.

// decimal reads a number as Java reads a double; what is none is 0, which the
// checks refuse.
func decimal(s string) *big.Float {
	f, _, err := big.ParseFloat(s, 10, 53, big.ToNearestEven)
	if err != nil {
		return new(big.Float)
	}
	return f
}

func power(base *big.Float, n int) *big.Float {
	const guard = 512
	result := new(big.Float).SetPrec(guard).SetInt64(1)
	square := new(big.Float).SetPrec(guard).Set(base)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result.Mul(result, square)
		}
		square.Mul(square, square)
	}
	return new(big.Float).SetPrec(53).Set(result)
}

// times is the integer part of a product; more than an int64 holds is its
// largest.
func times(n int64, f *big.Float) int64 {
	if f.IsInf() {
		return math.MaxInt64
	}
	product := new(big.Float).SetPrec(53).SetInt64(n)
	product.Mul(product, f)
	v, _ := product.Int64()
	return v
}
