package flink

import "streaminglab/sim"

// hold makes a subtask do something later: after the fault's time, or once it
// is resumed.
func (j *Job) hold(at string, f *sim.Fault, do func()) {
	j.kernel.Emit(at, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
	if f.For > 0 {
		var by *sim.Process
		if o := j.subtask(at); o != nil {
			by = &o.Process
		}
		j.atBy(by, j.kernel.Now()+f.For, false, do)
		return
	}
	if j.held == nil {
		j.held = map[string][]func(){}
	}
	j.held[at] = append(j.held[at], do)
}

// Held are the subtasks that wait for Release, unordered.
func (j *Job) Held() (out []string) {
	for at := range j.held {
		out = append(out, at)
	}
	return out
}

// Release lets a subtask go on.
func (j *Job) Release(at string) {
	held := j.held[at]
	delete(j.held, at)
	for _, do := range held {
		j.kernel.Put(nil, do)
	}
}
