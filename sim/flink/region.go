package flink

import (
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/operator"
)

// wholeJob stands for all regions.
const wholeJob = -1

// Runs reports whether subtasks of the job run: all of them, or those of some
// regions while others wait for their restart.
func (j *Job) Runs() bool {
	return j.Status == Running || j.Status == Restarting && len(j.tasks)+len(j.readers) > 0
}

// subtasks are all subtasks of the attempt, readers first.
func (j *Job) subtasks() (out []*outputs) {
	for _, r := range j.readers {
		out = append(out, &r.outputs)
	}
	for _, t := range j.tasks {
		out = append(out, &t.outputs)
	}
	return out
}

// subtask finds a subtask of the attempt by its name, nil: there is none.
func (j *Job) subtask(at string) *outputs {
	for _, o := range j.subtasks() {
		if o.at == at {
			return o
		}
	}
	return nil
}

// findRegions numbers the pipelined regions of the job (CP-11.2): subtasks that
// a channel connects fail together. A region has the number of its first
// subtask.
func (j *Job) findRegions() {
	all := j.subtasks()
	parent := make([]int, len(all))
	index := map[*outputs]int{}
	for i, o := range all {
		parent[i] = i
		index[o] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, o := range all {
		o.each(func(c *channel) {
			a, b := find(i), find(index[&c.to.outputs])
			parent[max(a, b)] = min(a, b)
		})
	}
	j.regions = 0
	for i, o := range all {
		if o.region = find(i); o.region == i {
			j.regions++
		}
	}
}

// names are the subtasks of a region.
func (j *Job) names(region int) (out []string) {
	for _, o := range j.subtasks() {
		if o.region == region {
			out = append(out, o.at)
		}
	}
	return out
}

// stop throws away everything that belongs to the attempt of a region, or of
// all of them, and returns when all subtasks are canceled.
func (j *Job) stop(region int) (canceled int64) {
	all := region == wholeJob
	now := map[*outputs]bool{}
	for _, o := range j.subtasks() {
		if o.Dead || !all && o.region != region {
			continue
		}
		o.Dead, now[o] = true, true
		delete(j.held, o.at)
	}
	left := j.events[:0]
	for _, e := range j.events {
		if all || e.by != nil && e.by.Dead {
			e.Cancel()
		} else {
			left = append(left, e)
		}
	}
	clear(j.events[len(left):])
	j.events = left
	if all {
		j.kernel.Discard()
	} else {
		j.kernel.DiscardDead()
	}
	canceled = j.abandon()
	for _, t := range j.tasks {
		// Who died before has nothing left to tidy up.
		if now[&t.outputs] && !t.zombie {
			lost := j.taskManager(t.index) == j.lost
			if x, ok := t.op.(operator.Canceler); ok && !lost && !t.finished {
				x.Cancel()
			}
			t.closeStore(lost)
		}
	}
	j.lost = ""
	for n := range j.coordinator.Graph().Tasks() {
		if o := j.process(n); all || o != nil && o.Dead {
			j.coordinator.Graph().Set(n, checkpoint.Deploying)
		}
	}
	if !all {
		return canceled
	}
	j.starts++
	for _, e := range j.restarts {
		e.Cancel()
	}
	j.restarts = nil
	j.tasks, j.readers, j.all, j.ready, j.head = nil, nil, nil, nil, 0
	j.pending, j.savepoints, j.stopping = map[int64]*snapshotting{}, map[int]asked{}, false
	j.completing, j.kept, j.held = false, nil, nil
	return canceled
}

// restartRegion starts the subtasks of a region again; the others go on where
// they are.
func (j *Job) restartRegion(region int, c *checkpoint.CompletedCheckpoint, cause *sim.Step) error {
	err := j.comeBack(region, c, cause)
	if err != nil {
		// Half a job must not go on.
		j.stop(wholeJob)
		j.Status = Failed
	}
	return err
}

func (j *Job) comeBack(region int, c *checkpoint.CompletedCheckpoint, cause *sim.Step) error {
	part := map[string]bool{}
	for _, at := range j.names(region) {
		part[at] = true
	}
	in := func(vertex string, subtask int) bool { return part[subtaskName(vertex, subtask)] }
	readers, tasks, err := j.build()
	if err != nil {
		return err
	}
	d, err := j.prepare(c, readers, tasks, in, j.reassign)
	if err != nil {
		return err
	}
	for _, r := range d.readers {
		r.region = region
		j.readers[slices.Index(readers, r)] = r
	}
	for _, t := range d.tasks {
		t.region = region
		j.tasks[slices.Index(tasks, t)] = t
	}
	j.exhaust(d.from)
	for n, c := range makeChains(readers, tasks) {
		if c.head().region == region && part[c.head().at] {
			j.all[n] = c
		}
	}
	if err := j.deploy(d, []*sim.Step{cause}); err != nil {
		return err
	}
	j.settle()
	// The end of data may have waited for the region.
	j.kernel.Put(nil, j.endOfData)
	return nil
}

// reassign gives the readers of a region that comes back the splits that they
// had: where the snapshot says, or from their beginning where it does not know
// them (SourceCoordinator#subtaskReset, CP-10.1). Of those that it knows to be
// done none is read again.
func (j *Job) reassign(s *SourceSpec, n int, from *Restored) [][]SplitOffset {
	offsets, done := map[*Log]int64{}, map[*Log]bool{}
	if from != nil {
		done = from.Exhausted
		for _, splits := range from.Readers[s.Name] {
			for _, o := range splits {
				offsets[o.Log] = o.Offset
			}
		}
	}
	out := make([][]SplitOffset, n)
	for _, r := range j.readersFor(s) {
		if !r.Dead {
			continue
		}
		for _, split := range r.splits {
			if offset, known := offsets[split.log]; known || !done[split.log] {
				out[r.index] = append(out[r.index], SplitOffset{split.log, offset})
			}
		}
	}
	return out
}
