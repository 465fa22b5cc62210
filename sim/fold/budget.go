package fold

import (
	"strconv"

	"streaminglab/sim"
)

// Durations are what a run has shown of how long checkpoints and restarts take,
// in ms.
type Durations struct {
	// Checkpoint is the longest that a completed checkpoint took, Restart the
	// longest time from the failure of a task, or the loss of a JobManager, to the
	// next start.
	Checkpoint, Restart int64
	// Failed is the longest row of checkpoints that failed.
	Failed int64
	// Maximum is transaction.max.timeout.ms as a step has set it, 0: none did.
	Maximum int64
}

// DurationsOf are those of a trace.
func DurationsOf(t *sim.Trace) (d Durations) {
	failed, row := int64(-1), int64(0)
	for _, s := range t.Steps() {
		switch b := s.Body.(type) {
		case sim.CheckpointCompleted:
			d.Checkpoint = max(d.Checkpoint, b.Duration)
			row = 0
		case sim.CheckpointAborted:
			row++
			d.Failed = max(d.Failed, row)
		case sim.TaskFailed, sim.JobManagerLost:
			if failed < 0 {
				failed = s.T
			}
		case sim.JobStarted:
			if failed >= 0 {
				d.Restart = max(d.Restart, s.T-failed)
			}
			failed = -1
		case sim.BrokerConfigured:
			if b.Option == "transaction.max.timeout.ms" {
				d.Maximum, _ = strconv.ParseInt(b.Value, 10, 64)
			}
		}
	}
	return d
}
