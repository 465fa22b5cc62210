package flink

import (
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
)

// crash ends the attempt because of an injected fault.
func (j *Job) crash(at string, f *sim.Fault) {
	if f.Victim != "" {
		at = f.Victim
	}
	where := at
	if at == JobManagerName {
		where = "jm"
	}
	j.Crash(at, j.kernel.Emit(where, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause))
}

// Crash ends a process: the JobManager, a TaskManager, or the TaskManager of a
// subtask ("totals[1]"), of the first one of a vertex ("totals"). Without any of
// them ("jm") it is some TaskManager.
func (j *Job) Crash(at string, cause *sim.Step) {
	switch {
	case at == JobManagerName:
		j.CrashJobManager(cause)
		return
	case strings.HasPrefix(at, taskManagerPrefix):
		j.CrashTaskManager(at, cause)
		return
	}
	tm := j.managerOf(at)
	if tm == "" {
		tm = j.taskManager(0)
	}
	j.loseTaskManager(tm, at, noLongerReachable(tm), cause)
}

// A failure is what ends the attempt of a subtask, and of its region.
type failure struct {
	// at is the subtask; "jm": the whole job fails.
	at        string
	exception *sim.Exception
	// record is what it was handling, nil: none.
	record *sim.RecordID
	// lost is the TaskManager that is gone, empty: none.
	lost  string
	cause *sim.Step
}

// fail ends the attempt with what a task threw. An error that is no exception
// is kept as a defect.
func (j *Job) fail(at string, err error, record *sim.RecordID, cause *sim.Step) {
	e, ok := isException(err)
	if !ok {
		j.must(err)
		return
	}
	j.failover(failure{at: at, exception: e, record: record, cause: cause})
}

// failover ends the attempt of the region that a failure is in and lets the
// restart strategy decide (CP-11.2, CP-11.3).
func (j *Job) failover(f failure) {
	o := j.subtask(f.at)
	if j.Runs() && j.coordinator.Finalizing() {
		// The JobManager is busy with _metadata: it hears of it later.
		if o != nil {
			o.chain.halt()
		}
		j.lost = f.lost
		starts := j.starts
		j.coordinator.WhenFree(func() {
			// What the tasks do because of the completion comes first.
			j.kernel.Put(nil, func() {
				if j.starts == starts && (o == nil || !o.Dead) {
					j.failover(f)
				}
			})
		})
		return
	}
	if !j.Runs() || o != nil && o.Dead {
		j.lost = ""
		return
	}
	if f.lost == "" && o != nil && o.isFrozen(func() { j.failover(f) }) {
		// Who does nothing does not fail either.
		return
	}
	rule := f.exception.Rule
	if rule == "" {
		rule = "CP-11.2"
	}
	region := wholeJob
	failure := sim.TaskFailed{Exception: *f.exception, Record: f.record}
	if o != nil && j.regions > 1 && !j.saved() {
		// Behind the savepoint of a stop the whole job fails (CP-8.5).
		region, failure.Subtasks = o.region, j.names(o.region)
	}
	failed := j.kernel.Emit(f.at, rule, failure, f.cause)
	j.cause, j.lost = failed, f.lost
	starts := j.starts
	j.coordinator.StopScheduler()
	j.cause = nil
	if !j.Runs() || j.starts != starts || o != nil && o.Dead {
		// Telling the tasks that checkpoints are given up made something else fail:
		// the JobManager died, or the region is down already.
		j.lost = ""
		return
	}
	canceled := j.stop(region)
	s := j.Spec.Restart
	// An attempt that fails in the millisecond in which it began is taken to
	// have lasted one: else exponential-delay, which merges it into the restart
	// that has just been, would restart it for ever at the same moment.
	now, since := j.kernel.Now(), j.startedAt
	if o != nil {
		since = o.since
	}
	if s.Type == RestartExponentialDelay && j.Attempt > 0 && now == since {
		now++
	}
	merged := !j.backoff.NotifyFailure(now)
	if !j.backoff.CanRestart() {
		// Other regions on a TaskManager that is gone are not canceled either.
		j.lost = f.lost
		j.stop(wholeJob)
		j.Status = Failed
		j.kernel.Emit("jm", "CP-11.3", sim.JobFailed{Job: j.ID, Attempt: j.Attempt, Strategy: s.Type, Exception: *f.exception}, failed)
		j.shutdown(checkpoint.Failed)
		return
	}
	j.Status = Restarting
	delay := j.backoff.BackoffTime(now) + now - j.kernel.Now()
	body := sim.JobRestarting{Attempt: j.Attempt, Strategy: s.Type, Delay: delay, Merged: merged}
	// It does not start before everything is canceled.
	at := max(j.kernel.Now()+delay, canceled)
	if late := at - j.kernel.Now() - delay; late > 0 {
		body.Canceling = canceled - j.kernel.Now()
	}
	if region == wholeJob {
		step := j.kernel.Emit("jm", "CP-11.3", body, failed)
		j.restarts = append(j.restarts, j.kernel.Queue.At(at, false, func() {
			j.Attempt++
			j.must(j.Start(j.coordinator.RestoreLatest(), step))
		}))
		return
	}
	body.Subtasks = failure.Subtasks
	step := j.kernel.Emit("jm", "CP-11.2", body, failed)
	j.restarts = append(j.restarts, j.kernel.Queue.At(at, false, func() {
		j.Attempt++
		j.must(j.restartRegion(region, j.coordinator.RestoreLatest(), step))
	}))
}

// halt lets a task do nothing more.
func (c *chain) halt() {
	if c.reader != nil {
		c.reader.standing++
	} else {
		c.tasks[0].standing++
	}
}

// newBackoff is the restart strategy of a new job.
func (j *Job) newBackoff() *RestartBackoff {
	return NewRestartBackoff(j.Spec.Restart, sim.NewStream(j.kernel.Seed, "jm", "restart-strategy.exponential-delay.jitter-factor"))
}

// Rescale starts the job again from its last checkpoint with another number
// of subtasks; what was read since is read again.
func (j *Job) Rescale(parallelism int) (err error) {
	waits := j.coordinator.Finalizing()
	j.coordinator.WhenFree(func() {
		if err = j.rescale(parallelism); waits {
			j.must(err)
		}
	})
	return err
}

func (j *Job) rescale(parallelism int) error {
	spec := *j.Spec
	spec.Parallelism = parallelism
	j.coordinator.StopScheduler()
	if j.Status == Suspended {
		return nil
	}
	j.stop(wholeJob)
	j.Spec = &spec
	j.Attempt++
	return j.Start(j.coordinator.RestoreLatest())
}

// Cancel ends the job without a savepoint.
func (j *Job) Cancel() { j.coordinator.WhenFree(j.cancel) }

func (j *Job) cancel() {
	if j.Status != Running && j.Status != Restarting {
		return
	}
	j.coordinator.StopScheduler()
	if j.Status == Suspended {
		return
	}
	j.stop(wholeJob)
	j.Status = Canceled
	j.kernel.Emit("jm", "CP-5.5", sim.JobCanceled{Attempt: j.Attempt})
	j.shutdown(checkpoint.Canceled)
}
