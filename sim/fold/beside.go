package fold

import "streaminglab/sim"

// Beside is a job that runs beside the one of the experiment.
type Beside struct {
	Name     string `expr:"name" doc:"the name it was started under"`
	Status   string `expr:"status" doc:"its state: RUNNING, RESTARTING, FAILED, CANCELED, FINISHED"`
	Starts   int    `expr:"starts" doc:"how often it has started, restarts included"`
	Failures int    `expr:"failures" doc:"how many of its tasks have failed"`
	Complete int    `expr:"complete" doc:"how many checkpoints it has completed"`
	Step     int    `expr:"step" doc:"the step with which it started last"`
	T        int    `expr:"t" doc:"virtual time of that step, ms"`

	regions Regions
}

// BesideOf are the jobs beside the one of the experiment, in the order in which they
// were started.
func BesideOf(t *sim.Trace) (out []*Beside) {
	for _, s := range t.Steps() {
		out = besideStep(out, s)
	}
	return out
}

// besideStep takes in a step of such a job, or any other one.
func besideStep(all []*Beside, s *sim.Step) []*Beside {
	if s.Job == "" {
		return all
	}
	var b *Beside
	for _, x := range all {
		if x.Name == s.Job {
			b = x
		}
	}
	if b == nil {
		b = &Beside{Name: s.Job}
		all = append(all, b)
	}
	switch s.Body.(type) {
	case sim.JobStarted:
		b.Starts++
		b.Step, b.T = s.Seq, int(s.T)
	case sim.TaskFailed:
		b.Failures++
	case sim.CheckpointCompleted:
		b.Complete++
	}
	b.regions.Add(s)
	if status := statusAfter(s, &b.regions); status != "" {
		b.Status = status
	}
	return all
}

// statusAfter is the state of a job after a step of it; empty: the step does not
// change it.
func statusAfter(s *sim.Step, r *Regions) string {
	switch s.Body.(type) {
	case sim.JobStarted:
		return r.Status()
	case sim.JobFailed:
		return "FAILED"
	case sim.JobRestarting:
		return "RESTARTING"
	case sim.JobCanceled:
		return "CANCELED"
	case sim.JobManagerLost:
		return "SUSPENDED"
	case sim.JobFinished, sim.JobStopped:
		return "FINISHED"
	}
	return ""
}
