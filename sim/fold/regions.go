package fold

import (
	"slices"
	"strings"

	"streaminglab/sim"
)

// Regions follows which subtasks wait for the restart of their region while
// others go on (CP-11.2).
type Regions struct{ down []string }

// Add takes in the next step.
func (r *Regions) Add(x *sim.Step) {
	switch b := x.Body.(type) {
	case sim.TaskFailed:
		for _, at := range b.Subtasks {
			if !r.Down(at) {
				r.down = append(r.down, at)
			}
		}
		if len(b.Subtasks) == 0 {
			r.down = nil
		}
	case sim.JobStarted:
		r.down = slices.DeleteFunc(r.down, func(at string) bool { return len(b.Subtasks) == 0 || slices.Contains(b.Subtasks, at) })
	case sim.JobFailed, sim.JobCanceled, sim.JobManagerLost, sim.JobStopped, sim.JobFinished:
		r.down = nil
	}
}

// Waiting reports whether a region waits for its restart.
func (r *Regions) Waiting() bool { return len(r.down) > 0 }

// Waits are the subtasks that wait for their restart, in the order of their
// failures.
func (r *Regions) Waits() []string { return r.down }

// Down reports whether a subtask waits for its restart.
func (r *Regions) Down(at string) bool { return slices.Contains(r.down, at) }

// Status is the state of the job after a start: as long as a region waits it is
// RESTARTING (DefaultScheduler#removeVerticesFromRestartPending).
func (r *Regions) Status() string {
	if r.Waiting() {
		return "RESTARTING"
	}
	return "RUNNING"
}

// Touches reports whether a start or a failure is about a place: a subtask, or
// a split that a reader of it reads. Of the whole job it is about everything.
func Touches(subtasks []string, splits []sim.SplitStart, at string) bool {
	if len(subtasks) == 0 || slices.Contains(subtasks, at) {
		return true
	}
	name := strings.TrimSuffix(strings.TrimPrefix(at, "split:"), "/")
	return slices.ContainsFunc(splits, func(s sim.SplitStart) bool { return s.Split == name })
}
