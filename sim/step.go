package sim

// A Step is one entry of the trace: something that a person may want to see,
// ask about and stop at. Steps are written once and never change.
type Step struct {
	// Seq numbers the steps of a trace from 1. It is 0 until the trace took
	// the step: outputs of one action wait in line, so that a run can stop
	// between any two of them.
	Seq int
	// T is the virtual time in ms at which the step happened.
	T int64
	// At names where: "totals[0]", "split:clicks/1", "jm".
	At string
	// Job is the name of the job that it is a step of, where that runs beside the
	// one of the experiment; empty: it is any other step.
	Job string
	// Rule is the id of the rule that produced the step ("EV-6.2").
	Rule string
	// Causes are the steps that led to this one, in the order of their Seq.
	Causes []*Step
	// Body holds the fields of the step's type.
	Body Body
}

// A Body is the typed content of a step. Its exported fields are written in
// the order of their declaration under the names of their json tags.
type Body interface {
	// StepType is the dotted name of the type ("window.fired").
	StepType() string
}

// Type returns the dotted name of the step's type.
func (s *Step) Type() string { return s.Body.StepType() }

// CauseSeqs returns the numbers of the steps that led to s.
func (s *Step) CauseSeqs() []int {
	out := make([]int, 0, len(s.Causes))
	for _, c := range s.Causes {
		if c != nil && c.Seq > 0 {
			out = append(out, c.Seq)
		}
	}
	return out
}
