package verdict

import (
	"slices"

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

// outside are what brings a failure from outside the job.
var outside = []string{"command.given", "fault.injected", "taskmanager.lost"}

// failed adds a failure to the loop. One that came from outside is none:
// it does not come again by itself.
func (w *watch) failed(s *sim.Step, b sim.TaskFailed) {
	if slices.ContainsFunc(s.Causes, func(c *sim.Step) bool { return slices.Contains(outside, c.Type()) }) {
		w.loop = nil
		return
	}
	if n := len(w.loop); n > 0 && w.loop[n-1].Body.(sim.TaskFailed).Exception != b.Exception {
		w.loop = nil
	}
	w.loop = append(w.loop, s)
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
