package flink

import "streaminglab/sim"

// A Checked origin may refuse a position before anything is read there.
type Checked interface {
	// Check returns what becomes of a reader at an offset; nil: it reads on.
	Check(from int64) *Refusal
}

// A Refusal is what a reader gets instead of an entry.
type Refusal struct {
	// Err fails the task; nil: the reader goes on at To, and Body says so.
	Err  error
	To   int64
	Rule string
	Body sim.Body
	// Cause is the step that led to it.
	Cause *sim.Step
}

// refused moves a split whose position its origin refuses, or fails the task, and
// reports whether it did.
func (r *reader) refused(s *readSplit) bool {
	o, ok := s.log.Origin.(Checked)
	if !ok {
		return false
	}
	x := o.Check(s.offset)
	switch {
	case x == nil:
		return false
	case x.Err != nil:
		r.job.fail(r.at, x.Err, nil, x.Cause)
	default:
		s.offset = x.To
		r.cause = r.put(s.log.At(), x.Rule, x.Body, x.Cause, r.started)
	}
	return true
}
