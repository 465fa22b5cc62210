package flink

import (
	"streaminglab/sim"
)

// crash ends the attempt because of an injected fault.
func (j *Job) crash(at string, f *sim.Fault) {
	cause := j.kernel.Emit(at, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
	j.Crash(at, cause)
}

// Crash makes a task fail as when its TaskManager is lost: the whole attempt
// ends, since the job is one region.
func (j *Job) Crash(at string, cause *sim.Step) {
	j.failWith(at, &sim.Exception{
		Class:   "org.apache.flink.runtime.jobmaster.JobMasterException",
		Message: "TaskManager with id " + at + " is no longer reachable.",
	}, nil, cause)
}

// fail ends the attempt with what a task threw. An error that is no exception
// is kept as a defect.
func (j *Job) fail(at string, err error, record *sim.RecordID) {
	e, ok := isException(err)
	if !ok {
		j.must(err)
		return
	}
	j.failWith(at, e, record, nil)
}

func (j *Job) failWith(at string, e *sim.Exception, record *sim.RecordID, cause *sim.Step) {
	if j.Status != Running {
		return
	}
	failed := j.kernel.Emit(at, "EV-8.2", sim.TaskFailed{Exception: *e, Record: record}, cause)
	j.abort("Checkpoint Coordinator is suspending.", failed)
	j.stopAttempt()
	j.failures++
	s := j.Spec.Restart
	if s.Type != "fixed-delay" || j.failures > s.Attempts {
		j.Status = Failed
		j.kernel.Emit("jm", "CP-11.3", sim.JobFailed{Attempt: j.Attempt, Strategy: s.Type, Exception: *e}, failed)
		return
	}
	j.Status = Restarting
	step := j.kernel.Emit("jm", "CP-11.3", sim.JobRestarting{Attempt: j.Attempt, Strategy: s.Type, Delay: s.Delay}, failed)
	j.restart = j.kernel.Queue.At(j.kernel.Now()+s.Delay, false, func() {
		j.Attempt++
		j.must(j.Start(j.Latest(), step, checkpointStep(j.Latest())))
	})
}

func checkpointStep(c *Checkpoint) *sim.Step {
	if c == nil {
		return nil
	}
	return c.Step
}

// Rescale starts the job again from its last checkpoint with another number
// of subtasks; what was read since is read again.
func (j *Job) Rescale(parallelism int) error {
	spec := *j.Spec
	spec.Parallelism = parallelism
	j.abort("The job is rescaled.", nil)
	j.stopAttempt()
	j.Spec = &spec
	j.Attempt++
	return j.Start(j.Latest(), checkpointStep(j.Latest()))
}

// Cancel ends the job without a savepoint.
func (j *Job) Cancel() {
	j.abort("The job is canceled.", nil)
	j.stopAttempt()
	j.Status = Canceled
}

// Restore ends the job and starts a new one from a snapshot, or from nothing.
func (j *Job) Restore(spec *Spec, from *Checkpoint) error {
	if j.Status == Running || j.Status == Restarting {
		j.Cancel()
	}
	j.Spec = spec
	j.Attempt, j.failures = 0, 0
	if from != nil {
		j.checkpoint.next = from.ID + 1
	} else {
		j.checkpoint.next = 1
	}
	return j.Start(from, checkpointStep(from))
}
