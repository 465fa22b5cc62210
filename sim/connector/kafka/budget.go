package kafka

// A Budget says what a KafkaSink with EXACTLY_ONCE needs of its timeouts, and how
// long a record may wait for a reader of committed records (F-17, F-30). Times are
// in ms.
type Budget struct {
	// Interval is execution.checkpointing.interval; 0: nobody knows when the next
	// checkpoint comes. Duration is the longest that a checkpoint takes, Commit what the answer of the commit and its markers take.
	Interval, Duration, Commit int64
	// MinPause is execution.checkpointing.min-pause.
	MinPause int64
	// Failed is how many checkpoints may fail in a row before one completes,
	// FailedDuration the longest that one of them is in progress.
	Failed, FailedDuration int64
	// Restart is the longest time from a failure to the commit of the next attempt:
	// noticing it, waiting, starting, restoring.
	Restart int64
	// Timeout is transaction.timeout.ms of the sink, Maximum the broker's
	// transaction.max.timeout.ms.
	Timeout, Maximum int64
}

// gap is the time from the barrier of a checkpoint that takes so long to the next
// one, which does not begin before that has ended and min-pause has passed.
func (b Budget) gap(duration int64) int64 { return max(b.Interval, duration+b.MinPause) }

// Required is the least transaction.timeout.ms with which no transaction expires
// that a checkpoint holds: a transaction may have its first record right behind a
// barrier, wait for the next one, or for as many as fail, for the checkpoint, and
// then for a restart. The commit that comes in the very moment still succeeds:
// the coordinator aborts what is older than the timeout (K-28).
func (b Budget) Required() int64 {
	return b.gap(b.Duration) + b.Failed*b.gap(max(b.Duration, b.FailedDuration)) + b.Duration + b.Restart + b.Commit
}

// Delay is the longest that a record waits for a reader of committed records when
// nothing fails; WithRestart when everything of the budget happens (F-30).
func (b Budget) Delay() int64 { return b.gap(b.Duration) + b.Duration + b.Commit }

// WithRestart is Delay with the failures of the budget.
func (b Budget) WithRestart() int64 { return b.Required() }

// Outcomes of a budget.
const (
	// BudgetHolds : nothing that it allows for loses anything.
	BudgetHolds = "holds"
	// BudgetExpires : a transaction may expire that a checkpoint holds.
	BudgetExpires = "expires"
	// BudgetRefused : the broker refuses the timeout, and the job does not start
	// (K-7, F-4).
	BudgetRefused = "refused"
	// BudgetUnknown : nobody knows when the next checkpoint comes.
	BudgetUnknown = "unknown"
)

// Outcome says whether the timeout is enough.
func (b Budget) Outcome() string {
	switch {
	case b.Timeout > b.Maximum:
		return BudgetRefused
	case b.Interval == 0:
		return BudgetUnknown
	case b.Timeout < b.Required():
		return BudgetExpires
	}
	return BudgetHolds
}
