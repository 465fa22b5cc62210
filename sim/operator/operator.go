package operator

// An Operator is one subtask of an operator of the job graph. All calls come
// from one subtask, one after the other; an error of type *sim.Exception
// fails the task, any other error is a defect of lab.
type Operator interface {
	// Open declares state and timers. It comes before Restore.
	Open(*Context) error
	// Restored comes after the state was filled from a snapshot.
	Restored() error
	// ProcessRecord handles a record of an input, counted from 0.
	ProcessRecord(input int, r *Record) error
	// ProcessWatermark handles a rise of the operator's watermark: due timers
	// fire first, then it is forwarded (EV-2.2).
	ProcessWatermark(t int64) error
	// ProcessStatus handles a change of the combined status of the inputs.
	ProcessStatus(idle bool) error
	// PrepareBarrier comes before the snapshot and before the barrier is
	// forwarded: results that must be on this side of it go out now.
	PrepareBarrier(checkpoint int64) error
	// Snapshot comes before the store is copied: operator state is set now.
	Snapshot(checkpoint int64) error
	// NotifyComplete says that a checkpoint is complete.
	NotifyComplete(checkpoint int64) error
	// NotifyAborted says that a checkpoint will not be complete.
	NotifyAborted(checkpoint int64) error
	// EndOfInput says that an input has no more elements. The watermark
	// sim.MaxTime came before, if any did.
	EndOfInput(input int) error
	// Close comes when the task ends without failing.
	Close() error
}
