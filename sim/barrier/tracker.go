package barrier

import "slices"

// tracker is the handler of AT_LEAST_ONCE: it holds nothing back and counts
// several checkpoints side by side (CheckpointBarrierTracker).
type tracker struct {
	task          Task
	finishSupport bool
	open          map[int]bool
	pending       []*counted
	latest        int64
}

type counted struct {
	barrier Barrier
	aligned map[int]bool
	aborted bool
	target  int
}

// maxCheckpointsToTrack is MAX_CHECKPOINTS_TO_TRACK.
const maxCheckpointsToTrack = 50

func newTracker(task Task, c *Config) *tracker {
	t := &tracker{task: task, finishSupport: !c.NoFinishSupport, open: map[int]bool{}, latest: -1}
	for i := range c.Channels {
		t.open[i] = true
	}
	return t
}

func (t *tracker) find(id int64) int {
	return slices.IndexFunc(t.pending, func(c *counted) bool { return c.barrier.ID == id })
}

func (t *tracker) barrier(channel int, b Barrier) {
	if b.ID > t.latest && len(t.open) == 1 {
		// Nothing to count.
		t.task.Trigger(b)
		return
	}
	if i := t.find(b.ID); i >= 0 {
		c := t.pending[i]
		c.aligned[channel] = true
		t.completeIfAll(i)
		return
	}
	if b.ID <= t.latest {
		return
	}
	t.latest = b.ID
	t.pending = append(t.pending, &counted{barrier: b, aligned: map[int]bool{channel: true}, target: len(t.open)})
	if len(t.pending) > maxCheckpointsToTrack {
		t.pending = t.pending[1:]
	}
}

func (t *tracker) completeIfAll(i int) {
	c := t.pending[i]
	if len(c.aligned) < c.target {
		return
	}
	t.pending = slices.Clone(t.pending[i+1:])
	if !c.aborted {
		t.task.Trigger(c.barrier)
	}
}

func (t *tracker) announced(int, int64, Barrier) {}

func (t *tracker) canceled(channel int, id int64) {
	if id > t.latest && len(t.open) == 1 {
		t.task.Abort(id, OnCancellation)
		return
	}
	for len(t.pending) > 0 && t.pending[0].barrier.ID < id {
		c := t.pending[0]
		t.pending = t.pending[1:]
		if !c.aborted {
			c.aborted = true
			t.task.Abort(c.barrier.ID, OnCancellation)
		}
	}
	if len(t.pending) > 0 && t.pending[0].barrier.ID == id {
		c := t.pending[0]
		if !c.aborted {
			c.aborted = true
			t.task.Abort(id, OnCancellation)
		}
		c.aligned[channel] = true
		if len(c.aligned) >= c.target {
			t.pending = t.pending[1:]
		}
		return
	}
	if id > t.latest {
		t.latest = id
		t.task.Abort(id, OnCancellation)
		t.pending = append([]*counted{{barrier: Barrier{ID: id}, aligned: map[int]bool{channel: true}, aborted: true, target: len(t.open)}}, t.pending...)
	}
}

func (t *tracker) ended(channel int) {
	delete(t.open, channel)
	if !t.finishSupport {
		for len(t.pending) > 0 {
			c := t.pending[0]
			t.pending = t.pending[1:]
			if !c.aborted {
				t.task.Abort(c.barrier.ID, InputEndOfStream)
			}
		}
		return
	}
	for i := len(t.pending) - 1; i >= 0; i-- {
		c := t.pending[i]
		c.aligned[channel] = true
		if len(c.aligned) >= c.target {
			t.completeIfAll(i)
			return
		}
	}
}
