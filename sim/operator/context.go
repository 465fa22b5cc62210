package operator

import (
	"streaminglab/sim"
	"streaminglab/sim/state"
)

// An Output takes what an operator sends.
type Output interface {
	// Record sends a record. It is copied before the call returns.
	Record(r *Record)
	// Watermark sends a watermark.
	Watermark(t int64, cause *sim.Step)
	// Status announces that the output turned idle or active.
	Status(idle bool, cause *sim.Step)
	// Side sends a record to the side output of that tag.
	Side(tag string, r *Record)
}

// A Tracer takes the steps of an operator. The step is numbered later, in
// the order in which steps and records were handed over.
type Tracer interface {
	Step(rule string, body sim.Body, causes ...*sim.Step) *sim.Step
	// Done writes the step at once: what it tells has happened outside, and no
	// crash takes it back.
	Done(rule string, body sim.Body, causes ...*sim.Step) *sim.Step
}

// A Clock runs work of an operator at a processing time.
type Clock interface {
	// Now is the processing time in ms.
	Now() int64
	// At calls f when processing time reaches t. The call counts as periodic
	// work when it only leads to another one like it.
	At(t int64, periodic bool, f func() error)
}

// Context is what a subtask gives its operator. The fields stay as they are
// from Open to Close, but for those under "moving".
type Context struct {
	// Name is the operator's name in the job file; Subtask counts from 0.
	Name        string
	Subtask     int
	Parallelism int
	State       *state.Store
	Out         Output
	Clock       Clock
	// Trace is nil when nobody watches; then no step may be built.
	Trace Tracer
	// Random draws for this subtask.
	Random *sim.Stream
	// Bounds limit what records can grow.
	Bounds  sim.Bounds
	Metrics Metrics
	// Job is the id of the job, Attempt counts from 0.
	Job     string
	Attempt int
	// Crashes says that a fault point is passed and reports whether the process
	// ends there: then the call returns ErrCrashed.
	Crashes func(point string) bool
	// Happens says that a fault point is passed and reports whether what can happen
	// there does.
	Happens func(point string) bool

	// Moving.

	// Watermark is the operator's watermark: inside a timer call it is the new
	// one already (EV-2.2).
	Watermark int64
	// Cause is the step that led to the present call.
	Cause *sim.Step
}

// Metrics are counters of one attempt of one subtask, named as Flink names them.
type Metrics struct {
	NumRecordsIn                 int64
	NumRecordsOut                int64
	NumLateRecordsDropped        int64
	NumNullRowTimeRecordsDropped int64
}

// Step writes a step when somebody watches. Callers on the hot path test
// Trace themselves before they build a body.
func (c *Context) Step(rule string, body sim.Body, causes ...*sim.Step) *sim.Step {
	if c.Trace == nil {
		return nil
	}
	if len(causes) == 0 {
		return c.Trace.Step(rule, body, c.Cause)
	}
	return c.Trace.Step(rule, body, causes...)
}

// Done writes the step of something that has happened outside.
func (c *Context) Done(rule string, body sim.Body) *sim.Step {
	if c.Trace == nil {
		return nil
	}
	return c.Trace.Done(rule, body, c.Cause)
}
