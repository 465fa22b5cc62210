package checkpoint

import (
	"math"

	"streaminglab/sim"
)

// UnlimitedTolerableFailures never fails a job.
const UnlimitedTolerableFailures = math.MaxInt32

// A FailureManager counts consecutive failures (CheckpointFailureManager,
// CP-3.1).
type FailureManager struct {
	tolerable int
	failures  int
	counted   map[int64]bool
	succeeded int64
}

// NewFailureManager returns a manager that tolerates so many failures in a row.
func NewFailureManager(tolerable int) *FailureManager {
	return &FailureManager{tolerable: tolerable, counted: map[int64]bool{}, succeeded: sim.MinTime}
}

// Failures is the counter.
func (f *FailureManager) Failures() int { return f.failures }

// A verdict is what a failure leads to.
type verdict struct {
	// failures is the counter before it is cleared.
	failures int
	// fail: the job fails; task is who is blamed, -1: nobody.
	fail bool
	task int
	// exceeded: because of the threshold.
	exceeded bool
}

// failed hears of a failure. task is -1 when the JobManager itself failed; id
// is 0 when there is none yet. A failure of a savepoint in the JobManager
// counts nothing; one in a task fails the job when the job was to stop with it,
// whatever the reason, and counts otherwise (CP-3.3).
func (f *FailureManager) failed(id int64, p Properties, reason FailureReason, task int) verdict {
	jobManager := task < 0 || reason.PreFlight()
	if jobManager {
		task = -1
		if p.Type.Savepoint() {
			return verdict{failures: f.failures, task: task}
		}
	} else if p.Type.Synchronous() {
		return verdict{failures: f.failures, fail: true, task: -1}
	}
	if id != 0 && id <= f.succeeded {
		return verdict{failures: f.failures, task: task}
	}
	if f.tolerable != UnlimitedTolerableFailures && reason.Counted() && (id == 0 || !f.counted[id]) {
		if id != 0 {
			f.counted[id] = true
		}
		f.failures++
	}
	v := verdict{failures: f.failures, task: task}
	if f.failures > f.tolerable {
		f.clear()
		v.fail, v.exceeded = true, true
	}
	return v
}

// completed hears of a success: of a savepoint too.
func (f *FailureManager) completed(id int64) {
	if id > f.succeeded {
		f.succeeded = id
		f.clear()
	}
}

func (f *FailureManager) clear() {
	f.failures = 0
	clear(f.counted)
}

// exceededException is what the job fails with.
func exceededException(reason FailureReason) *sim.Exception {
	return &sim.Exception{
		Class: "org.apache.flink.util.FlinkRuntimeException",
		Rule:  "CP-3.4",
		Message: "Exceeded checkpoint tolerable failure threshold. The latest checkpoint failed due to " + find(reason).message +
			", view the Checkpoint History tab or the Job Manager log to find out why continuous checkpoints failed.",
	}
}
