package flink

import "streaminglab/sim"

// A NetworkSpec is how many elements a channel holds before its sender has to
// wait: taskmanager.network.memory.buffers-per-channel exclusive buffers, and
// floating-buffers-per-gate that all channels of a subtask share. One buffer
// holds one element here (LAB-6).
type NetworkSpec struct {
	// Limited : the sizes count; else channels hold everything, and backpressure
	// stops the sources at once.
	Limited              bool
	PerChannel, Floating int
}

// DefaultNetwork are Flink's sizes.
func DefaultNetwork() NetworkSpec { return NetworkSpec{PerChannel: 2, Floating: 8} }

// full reports whether a channel has no credit left.
func (c *channel) full() bool {
	n := &c.to.job.Spec.Network
	if !n.Limited || c.to.gate.Queued(c.at) < n.PerChannel {
		return false
	}
	over := 0
	for _, o := range c.to.channels {
		over += max(0, c.to.gate.Queued(o.at)-n.PerChannel)
	}
	return over >= n.Floating
}

// available reports whether a subtask can send: as long as one of its channels
// has no credit it takes nothing (RecordWriter#isAvailable).
func (o *outputs) available() bool {
	if !o.job.Spec.Network.Limited {
		return true
	}
	for _, rt := range o.routes {
		for _, c := range rt.channels {
			if c.chained && !c.to.available() || !c.chained && c.full() {
				return false
			}
		}
	}
	return true
}

// credit lets the senders of a subtask go on that waited for its channels.
func (j *Job) credit(t *task) {
	if !j.Spec.Network.Limited {
		return
	}
	for _, c := range t.channels {
		if c.up != nil && c.up.chain.reader == nil {
			j.wake(c.up.chain.tasks[0])
		}
	}
}

// pressReaders tells readers that they cannot send any more, or can again, once
// everything that can be handled is.
func (j *Job) pressReaders() {
	if !j.Spec.Network.Limited {
		return
	}
	for _, r := range j.readers {
		on := !r.outputs.available() || j.blocks(r.chain)
		if on == r.backpressured || r.ended || r.Dead {
			continue
		}
		r.backpressured = on
		j.must(r.source.SetBackpressure(j.kernel.Now(), on))
		j.kernel.Emit(r.at, "EV-3.3", sim.BackpressureChanged{On: on, Sources: []string{r.at}})
	}
}
