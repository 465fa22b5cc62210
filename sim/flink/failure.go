package flink

import (
	"slices"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/state"
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
		Message: "TaskManager with id taskmanager-1 is no longer reachable.",
	}, nil, cause)
}

// fail ends the attempt with what a task threw. An error that is no exception
// is kept as a defect.
func (j *Job) fail(at string, err error, record *sim.RecordID, cause *sim.Step) {
	e, ok := isException(err)
	if !ok {
		j.must(err)
		return
	}
	j.failWith(at, e, record, cause)
}

func (j *Job) failWith(at string, e *sim.Exception, record *sim.RecordID, cause *sim.Step) {
	if j.Status != Running {
		return
	}
	rule := e.Rule
	if rule == "" {
		rule = "EV-8.2"
	}
	failed := j.kernel.Emit(at, rule, sim.TaskFailed{Exception: *e, Record: record}, cause)
	j.abort("Checkpoint Coordinator is suspending.", failed)
	j.stopAttempt()
	s := j.Spec.Restart
	j.backoff.NotifyFailure(j.kernel.Now())
	if !j.backoff.CanRestart() {
		j.Status = Failed
		j.kernel.Emit("jm", "CP-11.3", sim.JobFailed{Attempt: j.Attempt, Strategy: s.Type, Exception: *e}, failed)
		return
	}
	j.Status = Restarting
	delay := j.backoff.BackoffTime(j.kernel.Now())
	step := j.kernel.Emit("jm", "CP-11.3", sim.JobRestarting{Attempt: j.Attempt, Strategy: s.Type, Delay: delay}, failed)
	j.restart = j.kernel.Queue.At(j.kernel.Now()+delay, false, func() {
		j.Attempt++
		j.must(j.Start(j.Latest(), step, checkpointStep(j.Latest())))
	})
}

// newBackoff is the restart strategy of a new job.
func (j *Job) newBackoff() *RestartBackoff {
	return NewRestartBackoff(j.Spec.Restart, sim.NewStream(j.kernel.Seed, "jm", "restart-strategy.exponential-delay.jitter-factor"))
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

// RestoreOptions are what a person may say when a job is started from a
// snapshot. Zero values are Flink's defaults.
type RestoreOptions struct {
	// AllowNonRestoredState drops the state of operators that the job does not
	// have (CP-9.5).
	AllowNonRestoredState bool
	// Claim makes the snapshot a checkpoint of the new job, which deletes it
	// with the others (CP-8.8).
	Claim bool
}

// Restore ends the job and starts a new one from a snapshot, or from nothing.
func (j *Job) Restore(spec *Spec, from *Checkpoint) error {
	return j.RestoreWith(spec, from, RestoreOptions{})
}

// RestoreWith is Restore with options. When the snapshot cannot be used, the
// problem says why and nothing has changed.
func (j *Job) RestoreWith(spec *Spec, from *Checkpoint, o RestoreOptions) error {
	if err := j.Fits(spec, from, o); err != nil {
		return err
	}
	if j.Status == Running || j.Status == Restarting {
		j.Cancel()
	}
	j.Spec = spec
	j.Attempt, j.backoff = 0, j.newBackoff()
	j.checkpoint.fallback, j.checkpoint.claimed = from, nil
	if o.Claim {
		j.checkpoint.claimed = from
	}
	if from != nil {
		j.checkpoint.next = from.ID + 1
	} else {
		j.checkpoint.next = 1
	}
	return j.Start(from, checkpointStep(from))
}

// Fits refuses a snapshot that a job cannot start from: one in the format of
// another backend (CP-8.1), or with state of an operator that is not there
// (CP-9.5). The error is a *sim.Problem.
func (j *Job) Fits(spec *Spec, c *Checkpoint, o RestoreOptions) error {
	if c == nil {
		return nil
	}
	if c.Backend != "" && c.Backend != spec.Backend.Name {
		return sim.NewProblem("world.cannot-restore", "Name", c.Label(), "Backend", c.Backend)
	}
	if o.AllowNonRestoredState {
		return nil
	}
	known := map[string]bool{}
	for _, v := range spec.Operators {
		known[v.ID()] = true
	}
	for _, v := range spec.Sinks {
		known[v.Name] = true
	}
	var missing []string
	for id, parts := range c.Operators {
		if !known[id] && slices.ContainsFunc(parts, holdsState) {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	sort.Strings(missing)
	return sim.NewProblem("world.state-not-mapped", "Name", c.Label(), "Operators", strings.Join(missing, ", "))
}

func holdsState(s *state.Snapshot) bool {
	cells, timers := s.Size()
	return cells+timers > 0 || slices.ContainsFunc(s.Unions, func(u state.NamedItems) bool { return len(u.Items) > 0 })
}
