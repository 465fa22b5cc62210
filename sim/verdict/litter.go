package verdict

import (
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// litter is why an object has become nobody's: fold.Storage says which ones
// are.
type litter struct {
	// left are steps that gave an object up without deleting it, by path.
	left map[string]*sim.Step
	// ends are the steps with which attempts and jobs ended.
	ends []*sim.Step
}

func newLitter() litter { return litter{left: map[string]*sim.Step{}} }

func (l *litter) litterSteps(s *sim.Step) {
	switch b := s.Body.(type) {
	case sim.SharedStateUnregistered:
		if !b.Deleted {
			l.left[b.Path] = s
		}
	case sim.TaskFailed, sim.JobFailed, sim.JobCanceled, sim.JobFinished, sim.JobStopped, sim.JobManagerLost:
		l.ends = append(l.ends, s)
	}
}

// giveUp is the step that left an object behind and the rule for it.
func (l *litter) giveUp(o *fold.StoredObject) (step *sim.Step, rule string) {
	c := o.Creator
	if s := l.left[o.Path]; s != nil {
		return s, s.Rule
	}
	// Nobody was told of it: its subtask was gone before its acknowledgement.
	if c != nil && c.Status != fold.SnapshotCompleted {
		step, rule = o.Written, "CP-5.8"
	} else {
		step, rule = o.Written, "CP-5.4"
	}
	for _, e := range l.ends {
		if e.Seq > o.Written.Seq {
			if c != nil && c.Status == fold.SnapshotCompleted {
				rule = "CP-11.5"
			}
			return e, rule
		}
	}
	return step, rule
}
