package flink

import (
	"slices"
	"sort"

	"streaminglab/sim"
)

// backpressurable is an operator with idle clocks of its own.
type backpressurable interface {
	SetBackpressure(now int64, on bool) error
}

// SetBackpressure makes an operator take nothing, or go on. Unless the job
// limits its network buffers its sources stop reading at once (LAB-6).
func (j *Job) SetBackpressure(name string, on bool) {
	if on == (j.blocked[name] != nil) {
		return
	}
	if on {
		j.blocked[name] = j.kernel.Root
	} else {
		delete(j.blocked, name)
	}
	waiting := j.applyBackpressure()
	var sources []string
	for _, r := range j.readers {
		if r.backpressured {
			sources = append(sources, r.at)
		}
	}
	j.kernel.Emit(name, "EV-3.3", sim.BackpressureChanged{On: on, Waiting: waiting[name], Sources: sources})
}

func (j *Job) reapplyBackpressure() {
	if len(j.blocked) > 0 {
		j.applyBackpressure()
	}
}

// applyBackpressure marks blocked operators and everything in front of them
// and returns how much waits in front of each operator.
func (j *Job) applyBackpressure() map[string]int {
	waiting := map[string]int{}
	full := map[string]bool{}
	for name := range j.blocked {
		full[name] = true
	}
	vertices := j.vertices()
	for i := len(vertices) - 1; i >= 0 && !j.Spec.Network.Limited; i-- {
		if o := vertices[i]; full[o.Name] {
			for _, in := range o.Inputs {
				full[in] = true
			}
		}
	}
	now := j.kernel.Now()
	for _, t := range j.tasks {
		if t.Dead {
			continue
		}
		if t.gate != nil {
			on := j.blocks(t.chain)
			waiting[t.spec.Name] += t.gate.Waiting(true)
			if t.backpressured && !on {
				j.wake(t)
			}
			t.backpressured = on
		}
		if b, ok := t.op.(backpressurable); ok {
			j.must(b.SetBackpressure(now, full[t.spec.Name]))
		}
	}
	if j.Spec.Network.Limited {
		j.pressReaders()
		return waiting
	}
	for _, r := range j.readers {
		if r.Dead {
			continue
		}
		r.backpressured = full[r.spec.Name]
		j.must(r.source.SetBackpressure(now, r.backpressured))
	}
	return waiting
}

// blocks reports whether a task takes nothing because one of its operators does
// not.
func (j *Job) blocks(c *chain) bool {
	return slices.ContainsFunc(c.tasks, func(t *task) bool { return j.blocked[t.spec.Name] != nil })
}

// Blocked returns the operators that take nothing, sorted.
func (j *Job) Blocked() []string {
	var out []string
	for n := range j.blocked {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// AddSplit gives a split to the next reader of its source.
func (j *Job) AddSplit(l *Log) error {
	var readers []*reader
	for _, r := range j.readers {
		if r.spec.Name == l.Source && !r.ended {
			readers = append(readers, r)
		}
	}
	if len(readers) == 0 {
		return nil
	}
	r := readers[0] // It has the main output.
	if l.Split != "" {
		r = readers[(len(j.Logs.Of(l.Source))-1)%len(readers)]
	}
	if err := r.addSplit(l, 0); err != nil {
		return err
	}
	if l.Split != "" {
		r.last = j.kernel.Emit(l.At(), "EV-1.7", sim.SplitAdded{Reader: r.index})
		r.cause = r.last
		r.watch()
	}
	return nil
}

// RemoveSplit takes a split from its reader.
func (j *Job) RemoveSplit(l *Log) error {
	for _, r := range j.readers {
		if r.split(l.Split) != nil && r.spec.Name == l.Source {
			r.cause = j.kernel.Emit(l.At(), "EV-1.7", sim.SplitRemoved{Reader: r.index})
			if err := r.removeSplit(l); err != nil {
				return err
			}
			r.watch()
		}
	}
	return nil
}

// PauseSplit stops the reading of a split: its partition delivers nothing.
func (j *Job) PauseSplit(l *Log) {
	if l.pausedBy != nil {
		return
	}
	l.pausedBy = j.kernel.Emit(l.At(), "LAB-2", sim.SplitPaused{Reason: sim.PauseCommand, Watermark: j.splitWatermark(l), MaxAllowed: sim.MaxTime})
}

// ResumeSplit lets the split be read again.
func (j *Job) ResumeSplit(l *Log) {
	if l.pausedBy == nil {
		return
	}
	l.pausedBy = nil
	j.kernel.Emit(l.At(), "LAB-2", sim.SplitResumed{Reason: sim.PauseCommand})
}

// SlowOperator makes each record that an operator or sink takes occupy its
// subtask for a time; 0 ends that.
func (j *Job) SlowOperator(name string, perRecord int64) {
	if j.slow == nil {
		j.slow = map[string]int64{}
	}
	j.slow[name] = perRecord
	j.kernel.Emit(name, "LAB-2", sim.Slowed{PerRecord: perRecord})
}

// SlowSplit makes each record of a split take a time; 0 ends that.
func (j *Job) SlowSplit(l *Log, perRecord int64) {
	l.slow = perRecord
	l.slowBy = j.kernel.Emit(l.At(), "LAB-2", sim.Slowed{PerRecord: perRecord})
	if perRecord == 0 {
		l.slowBy = nil
		for _, r := range j.readers {
			for _, s := range r.splits {
				if s.log == l {
					s.ready = 0
				}
			}
		}
	}
}

func (j *Job) splitWatermark(l *Log) int64 {
	for _, r := range j.readers {
		if r.spec.Name == l.Source {
			if o := r.source.Output(l.Split); o != nil {
				return o.Watermark()
			}
		}
	}
	return sim.MinTime
}

// PendingReads reports whether time alone will bring something to read.
func (j *Job) PendingReads() bool {
	for _, r := range j.readers {
		if j.Runs() && !r.Dead && !r.ended && r.pending() {
			return true
		}
	}
	return false
}
