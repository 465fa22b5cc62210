package flink

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// A stream is one thing that a subtask writes for its snapshot.
type stream struct {
	// dir and name say where it goes when it is not small.
	dir, name string
	relative  bool
	body      func() (objectstore.Body, error)
	// table is the table file that it is, empty: it is none.
	table string
	// stored takes the handle.
	stored func(checkpoint.Handle)
}

// A part is the asynchronous half of a subtask's snapshot: streams that are
// written one by one, and what is acknowledged in the end.
type part struct {
	// sync is how long the synchronous half took, in ms.
	sync    int64
	streams []stream
	// finish returns the state once all streams are written.
	finish func() (checkpoint.TaskState, error)
	// discard gives the snapshot up.
	discard func()
	// triggered is the step of the trigger.
	triggered *sim.Step
	// written are the handles of the streams that are written.
	written []checkpoint.Handle
	// began is when the asynchronous half did, in ms.
	began int64
	// collecting: elements in flight are to come, with which waiting goes on;
	// inFlight is how many there were; dropped: nobody wants it any more.
	collecting, dropped bool
	waiting             func()
	inFlight            int
}

// upload writes the streams of a part, each in its time, and acknowledges.
func (j *Job) upload(n int, id int64, p *part) {
	if s := j.pending[id]; s != nil {
		p.triggered = s.triggered
	}
	p.began = j.kernel.Now()
	j.process(n).put(nil, func() { j.write(n, id, p, 0) })
}

func (j *Job) write(n int, id int64, p *part, i int) {
	if p.dropped {
		j.discard(n, p)
		return
	}
	if i == len(p.streams) && p.collecting {
		p.waiting = func() { j.write(n, id, p, i) }
		return
	}
	if i == len(p.streams) {
		state, err := p.finish()
		if err != nil {
			j.must(err)
			return
		}
		j.acknowledge(n, id, p, state)
		return
	}
	s := &p.streams[i]
	body, err := s.body()
	if err != nil {
		j.must(err)
		return
	}
	storage := j.coordinator.Storage()
	inline := body.Bytes != nil && body.Size <= storage.InlineThreshold && storage.InlineThreshold > 0
	var done func()
	done = func() {
		if j.process(n).isFrozen(done) {
			return
		}
		h, _, err := storage.Write(s.dir, s.name, body, s.relative, j.ID+" "+j.nameOf(n))
		if err != nil {
			j.uploadFailed(n, id, p, err)
			return
		}
		s.stored(h)
		p.written = append(p.written, h)
		if h.Kind == checkpoint.File {
			j.kernel.Emit(j.nameOf(n), "CP-1.3", sim.FileUploaded{Checkpoint: id, Path: h.Path, Table: s.table, Size: h.Size}, p.triggered)
			if f := j.kernel.Fault(sim.PointUpload, j.all[n].places()...); f != nil {
				if f.Kind == sim.FaultCrash {
					j.crash(j.nameOf(n), f)
					return
				}
				j.cause = j.kernel.Emit(j.nameOf(n), "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
				j.uploadFailed(n, id, p, &sim.Exception{Class: "java.io.IOException", Message: "Could not flush to file and close the file system output stream to " + h.Path + " in order to obtain the stream state handle"})
				return
			}
		}
		j.write(n, id, p, i+1)
	}
	took := int64(0)
	if !inline {
		took = j.cluster.Store.Took(objectstore.OpPut, s.dir+"/"+s.name, body.Size)
	}
	if took == 0 {
		done()
		return
	}
	j.process(n).due(j.kernel.Now()+took, false, done)
}

// uploadFailed declines the checkpoint: the asynchronous part failed. What it
// had written the task deletes itself (cleanupIncompleteSnapshot,
// OperatorSnapshotFutures.cancel); what it may not delete stays.
func (j *Job) uploadFailed(n int, id int64, p *part, err error) {
	j.discard(n, p)
	e, ok := isException(err)
	if !ok {
		e = &sim.Exception{Class: "java.io.IOException", Message: err.Error()}
	}
	if x, ok := err.(*objectstore.Error); ok {
		e = x.Exception()
	}
	j.decline(n, id, checkpoint.AsyncException, nil, e)
}

// discard deletes what was written of a part.
func (j *Job) discard(n int, p *part) {
	if p.discard != nil {
		p.discard()
	}
	for _, h := range p.written {
		if j.cluster.Store.Has(h.Path) && j.coordinator.Storage().Discard(h) {
			j.kernel.Emit(j.nameOf(n), "CP-1.3", sim.ObjectDeleted{Path: h.Path, Size: h.Size, By: "task"}, j.cause)
		}
	}
	j.cluster.Forget()
}

// decline tells the coordinator that a task cannot take part.
func (j *Job) decline(n int, id int64, reason checkpoint.FailureReason, f *sim.Fault, e *sim.Exception) {
	cause := j.cause
	if f != nil {
		cause = j.kernel.Emit(j.nameOf(n), "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
	}
	j.cause = j.kernel.Emit(j.nameOf(n), "CP-3.2", sim.CheckpointDeclined{ID: id, Exception: *e}, cause)
	j.coordinator.Decline(id, n, reason)
	j.cause = nil
}

// readerState is the name of a source reader's list state.
const readerState = "SourceReaderState"

// snapshotState saves the positions of a reader.
func (r *reader) snapshotState(s *snapshotting) *part {
	text := []byte{} // of a reader without splits, too
	positions := r.snapshot()
	for _, o := range positions {
		if o.Log.Split != "" || o.Offset > 0 {
			s.offsets = append(s.offsets, sim.SplitOffset{Split: o.Log.Name(), Offset: o.Offset})
		}
	}
	text = appendSplits(text, positions)
	p := &part{}
	var out checkpoint.SubtaskState
	p.streams = append(p.streams, stream{
		dir: s.directory, name: fmt.Sprintf("%s-%d-splits", r.spec.Name, r.index), relative: s.typ.Savepoint(),
		body: func() (objectstore.Body, error) { return objectstore.Bytes(text), nil },
		stored: func(h checkpoint.Handle) {
			out.Operator = append(out.Operator, checkpoint.NamedHandle{Name: readerState, Handle: h})
		},
	})
	p.finish = func() (checkpoint.TaskState, error) {
		out.Finished = r.finished
		return checkpoint.TaskState{{UID: r.spec.ID(), State: out}}, nil
	}
	return p
}

// appendSplits writes positions.
func appendSplits(data []byte, positions []SplitOffset) []byte {
	for _, o := range positions {
		data = state.String{}.Append(data, o.Log.Split)
		data = binary.AppendUvarint(data, uint64(o.Offset))
	}
	return data
}

// readSplits reads the positions of a reader.
func (j *Job) readSplits(source string, data []byte) ([]SplitOffset, error) {
	var out []SplitOffset
	for len(data) > 0 {
		split, rest, err := state.String{}.Read(data)
		if err != nil {
			return nil, err
		}
		offset, w := binary.Uvarint(rest)
		if w <= 0 {
			return nil, state.ErrCodec
		}
		data = rest[w:]
		if l := j.Logs.Find(source, split); l != nil {
			out = append(out, SplitOffset{l, int64(offset)})
		}
	}
	return out, nil
}

// operatorLists is the name of the stream with an operator's list state.
const operatorLists = "lists"

// snapshot is the synchronous half of a subtask's snapshot; the rest follows
// on its own time (CP-1.3). With collect it waits for elements in flight.
func (t *task) snapshot(b barrier.Barrier, collect bool) error {
	id := b.ID
	if t.Dead || t.zombie {
		return nil
	}
	s := t.job.pending[id]
	if s == nil {
		// It was given up meanwhile: the consumers must not wait for the barrier.
		t.chain.cancel(id)
		return nil
	}
	f := t.taskFault(sim.PointSnapshot)
	switch {
	case f == nil || f.Kind == sim.FaultDelay:
	case f.Kind == sim.FaultCrash:
		t.job.crash(t.at, f)
		return nil
	default:
		// The barrier goes on: others need not know.
		t.chain.barrier(b)
		t.job.decline(t.number, id, checkpoint.Declined, f, &sim.Exception{
			Class: "org.apache.flink.runtime.checkpoint.CheckpointException", Message: "Checkpoint was declined.",
		})
		return nil
	}
	if collect {
		t.InFlight(id, 0, nil)
	}
	because := s.triggered
	if a := s.arrivals[t.number]; a != nil {
		because = a.last
	}
	t.chain.because(because)
	return t.chain.prepare(id, func() error {
		if t.job.pending[id] != s {
			t.chain.cancel(id)
			return nil
		}
		step := t.taken(b, s)
		for _, m := range t.chain.tasks {
			s.sent[m.at] = step
		}
		t.chain.barrier(b)
		p, out, err := t.chain.snapshot(id, s, nil)
		if err != nil {
			return err
		}
		if collect {
			t.collect(id, p, out)
		}
		finish := func() { t.stand(p.sync, func() { t.job.upload(t.number, id, p) }) }
		if f == nil {
			finish()
			return nil
		}
		t.standing++
		t.job.hold(t.at, f, func() {
			t.rise()
			finish()
		})
		return nil
	})
}

// taken writes the step of the synchronous half.
func (t *task) taken(b barrier.Barrier, s *snapshotting) *sim.Step {
	now := t.job.kernel.Now()
	body := sim.SnapshotTaken{ID: b.ID, Unaligned: b.Unaligned, Last: len(t.routes) == 0}
	cause := s.triggered
	if a := s.arrivals[t.number]; a != nil {
		body.StartDelay, body.Alignment = a.first-b.Timestamp, now-a.first
		cause = a.last
	}
	if c := t.collecting[b.ID]; c != nil {
		body.InFlight = c.len()
	}
	step := t.job.kernel.Step(t.at, "CP-1.3", body, cause)
	t.put(step, nil)
	return step
}

// keyed takes the state of the subtask: on the heap, all rows into one stream.
func (t *task) keyed(id int64, s *snapshotting, out *checkpoint.SubtaskState) (*part, error) {
	store := t.ctx.State
	p := &part{}
	db := t.tree()
	var rows *state.Snapshot
	if db == nil {
		rows = store.SnapshotAll()
	} else {
		rows = &state.Snapshot{Lists: store.ListItems()}
	}
	if s != nil {
		cells, timers := store.Cells()
		s.cells += cells
		s.timers += timers
		for _, l := range rows.Lists {
			s.items += l.Len()
		}
	}
	add := func(name string, data []byte, stored func(checkpoint.Handle)) {
		p.streams = append(p.streams, stream{
			dir: s.directory, name: fmt.Sprintf("%s-%d-%s", t.spec.ID(), t.index, name), relative: s.typ.Savepoint(),
			body: func() (objectstore.Body, error) { return objectstore.Bytes(data), nil }, stored: stored,
		})
	}
	if len(rows.Tables)+len(rows.Timers) > 0 {
		groups, err := t.groups()
		if err != nil {
			return nil, err
		}
		backend := store.Backend().Name
		data := state.AppendCanonical(nil, groups, rows)
		var digest []byte
		if s.format == Canonical {
			// A backend with files holds what it reads against it.
			sum := sha256.Sum256(data)
			backend, digest = Canonical, sum[:]
		}
		add("keyed", data, func(h checkpoint.Handle) {
			out.Keyed = append(out.Keyed, checkpoint.KeyedState{
				Backend: backend, First: groups.First, Last: groups.Last,
				Private: []checkpoint.NamedHandle{{Name: lsm.FileCanonical, Handle: h, Digest: digest}},
			})
		})
	}
	if len(rows.Lists) > 0 {
		add(operatorLists, state.AppendLists(nil, rows.Lists), func(h checkpoint.Handle) {
			out.Operator = append(out.Operator, checkpoint.NamedHandle{Name: operatorLists, Handle: h})
		})
	}
	p.sync = t.syncTime(nil, int64(store.Entries()))
	if db != nil {
		return p, t.treeFiles(db, id, s, p, out)
	}
	p.finish = func() (checkpoint.TaskState, error) {
		out.Finished = t.finished
		return checkpoint.TaskState{{UID: t.spec.ID(), State: *out}}, nil
	}
	return p, nil
}

// groups are the key groups of the subtask.
func (t *task) groups() (state.KeyGroupRange, error) {
	return state.KeyGroupRangeOf(t.index, t.job.maxParallelism(t.spec), t.job.Spec.Parallelism)
}

func (t *task) notifyComplete(id int64) error {
	if db := t.tree(); db != nil {
		db.NotifyComplete(id)
	}
	return t.op.NotifyComplete(id)
}

func (t *task) notifyAborted(id int64) error {
	t.drop(id)
	if db := t.tree(); db != nil {
		db.NotifyAborted(id)
	}
	return t.op.NotifyAborted(id)
}
