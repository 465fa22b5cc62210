package verdict

import (
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// loopLength is how many times in a row a job fails in the same way before it
// is said to be in a loop.
const loopLength = 3

// watch is what may not move.
type watch struct {
	// held is who holds the watermark of a place back, by place.
	held map[string]*sim.Step
	// paused are splits that a command stopped.
	paused map[string]*sim.Step
	// blocked are operators that take nothing.
	blocked map[string]*sim.Step
	// loop are failures that followed each other without a command or a completed
	// checkpoint between.
	loop []*sim.Step
	// gaveUp is the verdict of a loop that ended with the job.
	gaveUp []fold.Verdict
}

func newWatch() watch {
	return watch{
		held: map[string]*sim.Step{}, paused: map[string]*sim.Step{}, blocked: map[string]*sim.Step{},
	}
}

func (w *watch) watchSteps(s *sim.Step) {
	switch b := s.Body.(type) {
	case sim.WatermarkHeld:
		delete(w.held, s.At)
		if len(b.By) > 0 {
			w.held[s.At] = s
		}
	case sim.SplitPaused:
		if b.Reason == sim.PauseCommand {
			w.paused[trimSplit(s.At)] = s
		}
	case sim.SplitResumed:
		if b.Reason == sim.PauseCommand {
			delete(w.paused, trimSplit(s.At))
		}
	case sim.BackpressureChanged:
		delete(w.blocked, s.At)
		if b.On {
			w.blocked[s.At] = s
		}
	case sim.TaskFailed:
		w.failed(s, b)
	}
}

// outside reports whether a step brings a failure from outside the job. A command
// that lets time pass does not: it is the cause of what has no other.
func outside(s *sim.Step) bool {
	switch b := s.Body.(type) {
	case sim.CommandGiven:
		return strings.HasPrefix(b.Command, "crash") || strings.HasPrefix(b.Command, "freeze")
	case sim.FaultInjected, sim.TaskManagerLost:
		return true
	}
	return false
}

// failed adds a failure to the loop. One that came from outside is none:
// it does not come again by itself.
func (w *watch) failed(s *sim.Step, b sim.TaskFailed) {
	if slices.ContainsFunc(s.Causes, outside) {
		w.loop = nil
		return
	}
	if n := len(w.loop); n > 0 && w.loop[n-1].Body.(sim.TaskFailed).Exception != b.Exception {
		w.loop = nil
	}
	w.loop = append(w.loop, s)
}

// calm ends a loop when nothing has failed for much longer than it took from one
// failure to the next.
func (w *watch) calm(s *sim.Step) {
	n := len(w.loop)
	if n < 2 {
		return
	}
	gap := int64(1000)
	for i, f := range w.loop[1:] {
		gap = max(gap, f.T-w.loop[i].T)
	}
	if s.T-w.loop[n-1].T > 3*gap {
		w.loop = nil
	}
}

// loops judges failures that came again and again.
func (f *Fold) loops() []fold.Verdict {
	n := len(f.loop)
	if n < loopLength {
		return nil
	}
	v := verdict(Stuck, Yes, f.now, f.loop[n-1], f.loop[0], "CP-11.3")
	v.Operator, v.Count = nameOf(v.At), n
	return []fold.Verdict{v}
}
