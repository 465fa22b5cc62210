package fold

import (
	"strconv"
	"strings"

	"streaminglab/sim"
)

// Durations are what a run has shown of how long checkpoints, commits and restarts
// take, in ms.
type Durations struct {
	// Interval is the longest time between the barriers of two checkpoints of one
	// attempt, or from its start to the first one.
	Interval int64
	// Checkpoint is the longest that a completed checkpoint took, Commit the longest
	// from there to the last marker of its transactions.
	Checkpoint, Commit int64
	// Failed is the longest row of checkpoints that failed, FailedDuration the
	// longest that one of them was in progress. A savepoint ends no row: it commits
	// nothing (F-33).
	Failed, FailedDuration int64
	// Restart is the longest time from the failure of a task, or the loss of a
	// JobManager, to the next start, or to the last marker of what was committed
	// after it.
	Restart int64
	// Maximum is transaction.max.timeout.ms as a step has set it, 0: none did.
	Maximum int64
}

// DurationsOf are those of a trace.
func DurationsOf(t *sim.Trace) (d Durations) {
	var r durations
	for s := range t.Main() {
		r.add(&d, s)
	}
	return d
}

// durations are what is under way.
type durations struct {
	// failed is when the present restart began, recovered that of the last one; -1:
	// there is none.
	failed, recovered int64
	row, last         int64
	triggered         map[int64]int64
	// closed are the checkpoints of transactions, completed when those were
	// complete.
	closed    map[int64]int64
	completed map[int64]int64
	savepoint map[int64]bool
}

func (r *durations) add(d *Durations, s *sim.Step) {
	if r.closed == nil {
		*r = durations{
			failed: -1, recovered: -1, triggered: map[int64]int64{}, closed: map[int64]int64{}, completed: map[int64]int64{}, savepoint: map[int64]bool{},
		}
	}
	switch b := s.Body.(type) {
	case sim.CheckpointTriggered:
		r.triggered[b.ID] = s.T
		if r.savepoint[b.ID] = strings.HasPrefix(b.Kind, "savepoint"); !r.savepoint[b.ID] {
			d.Interval, r.last = max(d.Interval, s.T-r.last), s.T
		}
	case sim.CommittableEmitted:
		r.closed[b.Transaction] = b.Checkpoint
	case sim.CheckpointCompleted:
		d.Checkpoint = max(d.Checkpoint, b.Duration)
		if r.savepoint[b.ID] {
			return
		}
		r.row = 0
		for n, id := range r.closed {
			if _, ok := r.completed[n]; !ok && id <= b.ID {
				r.completed[n] = s.T
			}
		}
	case sim.CheckpointAborted:
		if began, ok := r.triggered[b.ID]; ok && !r.savepoint[b.ID] {
			d.FailedDuration = max(d.FailedDuration, s.T-began)
			r.row++
			d.Failed = max(d.Failed, r.row)
		}
	case sim.MarkerWritten:
		done, ok := r.completed[b.Transaction]
		switch {
		case !ok || b.Result != sim.ResultCommit:
		case r.recovered >= done:
			d.Restart = max(d.Restart, s.T-r.recovered)
		case r.failed < 0:
			d.Commit = max(d.Commit, s.T-done)
		}
	case sim.TaskFailed, sim.JobManagerLost:
		if r.failed < 0 {
			r.failed = s.T
		}
	case sim.JobStarted:
		r.last = s.T
		if r.failed >= 0 {
			d.Restart = max(d.Restart, s.T-r.failed)
			r.recovered = r.failed
		}
		r.failed = -1
	case sim.BrokerConfigured:
		if b.Option == "transaction.max.timeout.ms" {
			d.Maximum, _ = strconv.ParseInt(b.Value, 10, 64)
		}
	}
}
