package flink

import (
	"fmt"
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/state"
)

// A SplitOffset is the position of a split.
type SplitOffset struct {
	Log    *Log
	Offset int64
}

// A Checkpoint is everything that EV-8.2 saves: positions, keyed state with
// timers and merging sets, and operator state. No watermark, no idleness, no
// generator.
type Checkpoint struct {
	ID int64
	// Name is the savepoint's name, empty for a checkpoint.
	Name string
	// Readers are the positions of each reader of each source.
	Readers map[string][][]SplitOffset
	// Operators are the states of all subtasks, by operator id.
	Operators map[string][]*state.Snapshot
	// Backend is the only one that can read it; empty: a canonical savepoint,
	// which any can (CP-8.1).
	Backend string
	// Step is the step of its completion.
	Step *sim.Step
}

// Savepoint reports whether it was asked for by a person: a job that fails
// never goes back to one by itself.
func (c *Checkpoint) Savepoint() bool { return c.Name != "" }

// Formats of a savepoint.
const (
	Canonical = "canonical"
	Native    = "native"
)

func (c *Checkpoint) of(o *OperatorSpec) []*state.Snapshot {
	if c == nil {
		return nil
	}
	s := c.Operators[o.ID()]
	if s == nil {
		return []*state.Snapshot{}
	}
	return s
}

type checkpoints struct {
	next      int64
	completed []*Checkpoint
	pending   *pending
	savepoint int
	// fallback is what a failover goes back to.
	fallback *Checkpoint
	// claimed is a snapshot that belongs to this job, which deletes it with its
	// own when a newer one is complete.
	claimed *Checkpoint
}

// subsume deletes the claimed snapshot: the lab keeps one checkpoint of a
// claimed line (execution.checkpointing.num-retained is 1 by default; CP-8.8).
func (c *checkpoints) subsume() {
	// Whoever holds the list keeps what it saw.
	c.completed = slices.DeleteFunc(slices.Clone(c.completed), func(x *Checkpoint) bool { return x == c.claimed })
	c.claimed = nil
}

func (c *checkpoints) stopping() bool { return c.pending != nil && c.pending.stop }

type pending struct {
	*Checkpoint
	step    *sim.Step
	waiting map[*task]bool
	acks    map[*task]*state.Snapshot
	stop    bool
	drain   bool
}

// Completed returns the completed checkpoints and savepoints, oldest first.
func (j *Job) Completed() []*Checkpoint { return j.checkpoint.completed }

// Pending is the id of the checkpoint that waits for acknowledgements, or 0.
func (j *Job) Pending() int64 {
	if j.checkpoint.pending == nil {
		return 0
	}
	return j.checkpoint.pending.ID
}

// Latest returns what a failover goes back to: the last checkpoint that this
// job completed, else the snapshot that it was started from, else nil. A
// savepoint that was taken meanwhile does not count (CP-11.1, V17).
func (j *Job) Latest() *Checkpoint { return j.checkpoint.fallback }

// Trigger starts a checkpoint: every reader saves its positions and sends a
// barrier.
func (j *Job) Trigger() { j.trigger("", j.Spec.Backend.Name, false, false) }

// Savepoint takes a savepoint; the job goes on and hears nothing of it, so
// that it commits nothing.
func (j *Job) Savepoint(format string) {
	name, backend := j.newSavepoint(format)
	j.trigger(name, backend, false, false)
}

// Stop takes a canonical savepoint and ends the job. With drain the sources
// first send the end of event time (EV-4.3).
func (j *Job) Stop(drain bool) { j.StopWith(drain, Canonical) }

// StopWith is Stop with a format.
func (j *Job) StopWith(drain bool, format string) {
	name, backend := j.newSavepoint(format)
	j.trigger(name, backend, true, drain)
}

func (j *Job) newSavepoint(format string) (name, backend string) {
	j.checkpoint.savepoint++
	if format == Native {
		backend = j.Spec.Backend.Name
	}
	return fmt.Sprintf("sp%d", j.checkpoint.savepoint), backend
}

func (j *Job) trigger(savepoint, backend string, stop, drain bool) {
	id := j.checkpoint.next
	j.checkpoint.next++
	p := &pending{
		Checkpoint: &Checkpoint{
			ID: id, Name: savepoint, Backend: backend,
			Readers: map[string][][]SplitOffset{}, Operators: map[string][]*state.Snapshot{},
		},
		waiting: map[*task]bool{}, acks: map[*task]*state.Snapshot{}, stop: stop, drain: drain,
	}
	p.step = j.kernel.Emit("jm", "EV-8.1", sim.CheckpointTriggered{ID: id})
	j.checkpoint.pending = p
	for _, t := range j.tasks {
		if !t.finished {
			p.waiting[t] = true
		}
	}
	for _, r := range j.readers {
		p.Readers[r.spec.Name] = append(p.Readers[r.spec.Name], r.snapshot())
		if r.finished {
			continue
		}
		if drain && !r.ended {
			// The end of data goes before the barrier: windows fire, operators
			// finish, and the savepoint shows what is left.
			r.sendMax("EV-4.3", p.step)
			r.outputs.endOfData()
		}
		r.outputs.barrier(id)
		if stop {
			r.ended = true
		}
	}
	j.maybeComplete()
}

// acknowledge takes the state of a subtask.
func (j *Job) acknowledge(t *task, id int64, snap *state.Snapshot) {
	p := j.checkpoint.pending
	if p == nil || p.ID != id {
		return
	}
	delete(p.waiting, t)
	p.acks[t] = snap
	j.maybeComplete()
}

func (j *Job) maybeComplete() {
	p := j.checkpoint.pending
	if p == nil || len(p.waiting) > 0 {
		return
	}
	if f := j.kernel.Faults.Pass(sim.PointCheckpointAck, "jm"); f != nil {
		j.crash("jm", f)
		return
	}
	body := sim.CheckpointCompleted{ID: p.ID}
	for _, t := range j.tasks {
		snap := p.acks[t]
		if snap == nil {
			continue
		}
		p.Operators[t.spec.ID()] = append(p.Operators[t.spec.ID()], snap)
		cells, timers := snap.Size()
		body.Cells += cells
		body.Timers += timers
	}
	for _, s := range j.Spec.Sources {
		for _, splits := range p.Readers[s.Name] {
			for _, o := range splits {
				if o.Log.Split != "" || o.Offset > 0 {
					body.Offsets = append(body.Offsets, sim.SplitOffset{Split: o.Log.Name(), Offset: o.Offset})
				}
			}
		}
	}
	j.checkpoint.pending = nil
	p.Step = j.kernel.Emit("jm", "EV-8.1", body, p.step)
	j.checkpoint.completed = append(j.checkpoint.completed, p.Checkpoint)
	if !p.Savepoint() {
		j.checkpoint.fallback = p.Checkpoint
		j.checkpoint.subsume()
	}
	if f := j.kernel.Faults.Pass(sim.PointCheckpointDone, "jm"); f != nil {
		j.crash("jm", f)
		return
	}
	if !p.Savepoint() || p.stop {
		for _, t := range j.tasks {
			if !t.finished {
				if err := t.op.NotifyComplete(p.ID); err != nil {
					t.fail(err)
					return
				}
			}
		}
	}
	if j.final {
		j.closeReaders()
	} else {
		// The end of data may have waited for this one.
		j.kernel.Put(nil, j.endOfData)
	}
	if p.stop {
		j.Status = Finished
		j.kernel.Emit("jm", "EV-4.3", sim.JobStopped{Savepoint: p.Name, ID: p.ID, Drain: p.drain}, p.Step)
		j.stopAttempt()
	}
}

// abort gives the pending checkpoint up.
func (j *Job) abort(reason string, cause *sim.Step) {
	p := j.checkpoint.pending
	if p == nil {
		return
	}
	j.checkpoint.pending = nil
	j.kernel.Emit("jm", "EV-8.1", sim.CheckpointAborted{ID: p.ID, Reason: reason}, p.step, cause)
}

// assign gives each reader its splits: those of a checkpoint where it knows
// them, new ones in turn. With the same number of readers each keeps its
// splits; with another, the lists are joined and cut into contiguous parts,
// the first ones longer by one (rule CP-9.4, recorded with whole jobs).
func (j *Job) assign(s *SourceSpec, n int, from *Checkpoint) [][]SplitOffset {
	out := make([][]SplitOffset, n)
	logs := j.Logs.Of(s.Name)
	known := map[*Log]bool{}
	if from != nil {
		var kept [][]SplitOffset
		for _, splits := range from.Readers[s.Name] {
			var list []SplitOffset
			for _, o := range splits {
				if !o.Log.Removed && o.Log.Split != "" {
					list = append(list, o)
					known[o.Log] = true
				}
			}
			sortSplits(list, logs)
			kept = append(kept, list)
		}
		if len(kept) == n {
			out = kept
		} else {
			var all []SplitOffset
			for _, l := range kept {
				all = append(all, l...)
			}
			size, extra := len(all)/n, len(all)%n
			for i := range n {
				take := size
				if i < extra {
					take++
				}
				out[i] = append(out[i], all[:take]...)
				all = all[take:]
				sortSplits(out[i], logs)
			}
		}
	}
	for i, l := range logs {
		if !known[l] {
			out[i%n] = append(out[i%n], SplitOffset{l, 0})
		}
	}
	// The log of the main output belongs to the first reader.
	if m := j.Logs.Find(s.Name, ""); m != nil {
		offset := int64(0)
		if from != nil {
			for _, splits := range from.Readers[s.Name] {
				for _, o := range splits {
					if o.Log == m {
						offset = o.Offset
					}
				}
			}
		}
		out[0] = append(out[0], SplitOffset{m, offset})
	}
	return out
}

// sortSplits orders the splits of a reader as they were added to the source.
func sortSplits(list []SplitOffset, logs []*Log) {
	slices.SortStableFunc(list, func(a, b SplitOffset) int { return slices.Index(logs, a.Log) - slices.Index(logs, b.Log) })
}

// Label is how a script names the checkpoint: "chk-3", "sp1".
func (c *Checkpoint) Label() string {
	if c.Name != "" {
		return c.Name
	}
	return fmt.Sprintf("chk-%d", c.ID)
}
