package flink

import (
	"errors"
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// Restored is what a job is started from: the state in a snapshot, by operator
// and by subtask. Nil subtasks had finished.
type Restored struct {
	ID int64
	// Readers are the positions of each reader of each source.
	Readers map[string][][]SplitOffset
	// Operators are the states of all subtasks, by uid.
	Operators map[string][]*state.Snapshot
	// Exhausted are splits of readers that had come to their end, as the
	// enumerators know them: nobody gets them again (CP-1.7).
	Exhausted map[*Log]bool

	// keyed are the handles of keyed state, by uid, which a tree reads itself.
	keyed map[string][]*checkpoint.KeyedState
	// inFlight are the elements that were on their way, by uid and subtask.
	inFlight map[string][][]flight
	step     *sim.Step
}

// keyedOf are the handles of an operator's keyed state.
func (r *Restored) keyedOf(o *OperatorSpec) []*checkpoint.KeyedState {
	if r == nil {
		return nil
	}
	return r.keyed[o.ID()]
}

// of is the state of an operator; nil: the job does not come from a snapshot.
func (r *Restored) of(o *OperatorSpec) []*state.Snapshot {
	if r == nil {
		return nil
	}
	if s := r.Operators[o.ID()]; s != nil {
		return s
	}
	return []*state.Snapshot{}
}

// read reads what a snapshot holds for subtasks that start. A part of it that
// cannot be read fails who reads it; with it its region, so that nothing more
// is read for that one.
func (j *Job) read(c *checkpoint.CompletedCheckpoint, in func(vertex string, subtask int) bool) (*Restored, []unreadable, error) {
	out := &Restored{ID: c.ID(), Readers: map[string][][]SplitOffset{}, Operators: map[string][]*state.Snapshot{}, Exhausted: map[*Log]bool{}, keyed: map[string][]*checkpoint.KeyedState{}, inFlight: map[string][][]flight{}}
	if known := j.cluster.in(c.Location.Directory); known != nil {
		out.step = known.Step
	}
	sources := map[string]*SourceSpec{}
	for _, s := range j.Spec.Sources {
		sources[s.ID()] = s
	}
	vertices := map[string]*OperatorSpec{}
	for _, v := range j.vertices() {
		vertices[v.ID()] = v
	}
	var failed []unreadable
	var defect error
	// fails takes note of an error and reports whether nobody can go on.
	fails := func(at string, err error) bool {
		e, ok := isException(err)
		if !ok {
			defect = err
			return true
		}
		failed = append(failed, unreadable{at, e})
		return j.regions == 1 || j.subtask(at) == nil
	}
	down := func(at string) bool {
		return slices.ContainsFunc(failed, func(u unreadable) bool {
			o := j.subtask(at)
			return o != nil && j.subtask(u.at).region == o.region
		})
	}
	for i := range c.Metadata.Operators {
		o := &c.Metadata.Operators[i]
		if s := sources[o.UID]; s != nil {
			done, err := j.readSplits(s.Name, o.Coordinator)
			if err != nil {
				return out, failed, err
			}
			for _, d := range done {
				out.Exhausted[d.Log] = true
			}
			for k, sub := range o.Subtasks {
				at := subtaskName(s.Name, k)
				if len(o.Subtasks) == j.readersOf(s) && !in(s.Name, k) || down(at) {
					sub = nil
				}
				splits, err := j.readReader(s.Name, sub, j.reading(k, j.readersOf(s)))
				if err != nil && fails(at, err) {
					return out, failed, defect
				}
				out.Readers[s.Name] = append(out.Readers[s.Name], splits)
			}
		}
		if v := vertices[o.UID]; v != nil {
			for k, sub := range o.Subtasks {
				at := subtaskName(v.Name, k)
				if len(o.Subtasks) == j.Spec.Parallelism && !in(v.Name, k) || down(at) {
					sub = listsOf(sub)
				}
				if err := j.readTask(out, v, k, sub); err != nil && fails(at, err) {
					return out, failed, defect
				}
			}
		}
	}
	if f := j.Spec.Restoring; f != nil {
		f(out)
	}
	return out, failed, defect
}

// listsOf is what a subtask that does not start has for others: its list state
// may belong to all.
func listsOf(sub *checkpoint.SubtaskState) *checkpoint.SubtaskState {
	if sub == nil {
		return nil
	}
	return &checkpoint.SubtaskState{Operator: sub.Operator, Finished: sub.Finished}
}

// readTask reads the state of an old subtask of an operator or sink.
func (j *Job) readTask(out *Restored, v *OperatorSpec, k int, sub *checkpoint.SubtaskState) error {
	uid := v.ID()
	host := j.reading(k, j.Spec.Parallelism)
	snap, err := j.readSubtask(sub, host, j.localOf(v.Name, k, out.ID, sub))
	out.Operators[uid] = append(out.Operators[uid], snap)
	if err != nil {
		out.inFlight[uid] = append(out.inFlight[uid], nil)
		return err
	}
	flights, err := j.readFlights(sub, host)
	out.inFlight[uid] = append(out.inFlight[uid], flights)
	if err != nil {
		return err
	}
	if sub != nil {
		for n := range sub.Keyed {
			out.keyed[uid] = append(out.keyed[uid], &sub.Keyed[n])
		}
	}
	return nil
}

// reading is the process that reads the state of an old subtask.
func (j *Job) reading(subtask, parallelism int) string {
	return j.taskManager(subtask % max(1, parallelism))
}

func (j *Job) readReader(source string, sub *checkpoint.SubtaskState, host string) ([]SplitOffset, error) {
	if sub == nil {
		return nil, nil
	}
	var out []SplitOffset
	for _, h := range sub.Operator {
		data, err := j.fetch(h.Handle, host)
		if err != nil {
			return nil, err
		}
		splits, err := j.readSplits(source, data)
		if err != nil {
			return nil, err
		}
		out = append(out, splits...)
	}
	return out, nil
}

// readSubtask reads the rows and lists of one subtask.
// localOf are the copies of a subtask's keyed state on its TaskManager.
func (j *Job) localOf(vertex string, subtask int, id int64, sub *checkpoint.SubtaskState) map[string][]byte {
	if sub == nil || len(sub.Keyed) != 1 {
		return nil
	}
	return j.local(subtaskName(vertex, subtask), id, sub.Keyed[0].First, sub.Keyed[0].Last)
}

func (j *Job) readSubtask(sub *checkpoint.SubtaskState, host string, local map[string][]byte) (*state.Snapshot, error) {
	if sub == nil || sub.Finished {
		return nil, nil
	}
	out := &state.Snapshot{}
	for _, k := range sub.Keyed {
		if k.Backend != Canonical && k.Backend != j.Spec.Backend.Name && !(onTrees(j.Spec.Backend) && k.Instance != "") {
			return nil, wrongBackend(&k, j.Spec.Backend)
		}
		if onTrees(j.Spec.Backend) {
			for _, h := range append(slices.Clone(k.Shared), k.Private...) {
				if err := j.elsewhere(h.Handle, host); err != nil {
					return nil, err
				}
			}
			continue
		}
		for _, h := range k.Private {
			data, known := local[h.Handle.Path]
			if !known {
				var err error
				if data, err = j.fetch(h.Handle, host); err != nil {
					return nil, err
				}
			}
			_, rows, err := state.ReadCanonical(data)
			if err != nil {
				return nil, err
			}
			out.Tables, out.Timers = rows.Tables, rows.Timers
		}
	}
	for _, h := range sub.Operator {
		data, err := j.fetch(h.Handle, host)
		if err != nil {
			return nil, err
		}
		if out.Lists, err = state.ReadLists(data); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (j *Job) readFlights(sub *checkpoint.SubtaskState, host string) (out []flight, err error) {
	if sub == nil {
		return nil, nil
	}
	for _, h := range sub.Input {
		data, err := j.fetch(h.Handle, host)
		if err != nil {
			return nil, err
		}
		part, err := readInFlight(data)
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
	}
	return out, nil
}

// wrongBackend is what restoring from the files of another backend throws: the
// root of it as recorded (forst-async-to-hashmap-…, forst-from-hashmap-…). What
// RocksDB says of a heap's rows is not recorded.
func wrongBackend(from *checkpoint.KeyedState, to state.Backend) error {
	switch {
	case !onTrees(to) && from.Instance != "":
		return HandleOf(from, 0).OnHeap()
	case to.Name == ForSt.Name:
		return lsm.ErrForStForm
	}
	return &sim.Exception{
		Class:   "org.apache.flink.runtime.state.BackendBuildingException",
		Message: "Failed when trying to restore " + to.Name + " backend from the files of " + from.Backend + ".", Rule: "CP-8.2",
	}
}

// fetch reads the bytes of a handle; what is missing is an exception.
func (j *Job) fetch(h checkpoint.Handle, host string) ([]byte, error) {
	if err := j.elsewhere(h, host); err != nil {
		return nil, err
	}
	b, _, err := j.coordinator.Storage().Read(h)
	var e *objectstore.Error
	if errors.As(err, &e) {
		return nil, e.Exception()
	}
	return b.Bytes, err
}

// RestoreOptions are what a person may say when a job is started from a
// snapshot. Zero values are Flink's defaults.
type RestoreOptions struct {
	// AllowNonRestoredState drops the state of operators that the job does not
	// have (CP-9.5).
	AllowNonRestoredState bool
	// ClaimMode says who may delete the snapshot (CP-8.7, CP-8.8); empty:
	// NO_CLAIM.
	ClaimMode checkpoint.ClaimMode
}

// Restore starts a new job from a snapshot, or from nothing. The former job is
// gone with its JobManager: nobody cleans up behind it.
func (j *Job) Restore(spec *Spec, from *Checkpoint) error {
	return j.RestoreWith(spec, from, RestoreOptions{})
}

// RestoreWith is Restore with options. A snapshot that the job cannot start
// from fails it, in the words of Flink.
func (j *Job) RestoreWith(spec *Spec, from *Checkpoint, o RestoreOptions) error {
	j.lose()
	j.submitted = submission{spec, from, o}
	j.backoff = j.newBackoff()
	return j.submit(spec, from, o, nil)
}

// submit hands a job to a JobManager.
func (j *Job) submit(spec *Spec, from *Checkpoint, o RestoreOptions, cause *sim.Step) error {
	j.Spec = spec
	j.Attempt = 0
	j.newID()
	j.claim = o.ClaimMode
	if j.claim == "" {
		j.claim = checkpoint.NoClaim
	}
	j.newCoordinator()
	j.snapshot = ""
	if from == nil {
		return j.Start(nil, cause)
	}
	j.snapshot = from.Directory
	// What does not fit is never registered: it stays whose it was.
	m, err := j.coordinator.Storage().ReadMetadata(from.Directory)
	if err == nil {
		err = j.mapState(m, from, o)
	}
	if err == nil {
		var c *checkpoint.CompletedCheckpoint
		if c, err = j.coordinator.RestoreSnapshot(from.Directory, o.ClaimMode); err == nil {
			return j.Start(c, from.Step, cause)
		}
	}
	return j.refused(err, from.Step, cause)
}

// refused ends a job that cannot start from its snapshot.
func (j *Job) refused(err error, causes ...*sim.Step) error {
	e, ok := isException(err)
	if !ok {
		e = &sim.Exception{Class: "java.io.IOException", Message: err.Error(), Rule: "CP-5.1"}
	}
	j.Status = Failed
	rule := e.Rule
	if rule == "" {
		rule = "CP-8.6"
	}
	j.kernel.Emit("jm", rule, sim.JobFailed{
		Job:      j.ID,
		Strategy: j.Spec.Restart.Type, Exception: *e, Snapshot: j.snapshot, ClaimMode: string(j.claim),
	}, causes...)
	return nil
}

// mapState holds a snapshot against the job: its operators, and their max
// parallelism, which the job adopts where nobody set one (CP-9.3, CP-9.5).
func (j *Job) mapState(m *checkpoint.Metadata, from *Checkpoint, o RestoreOptions) error {
	p := checkpoint.Program{AllowNonRestoredState: o.AllowNonRestoredState}
	p.Vertices = j.graph().Vertices
	for i := range p.Vertices {
		if !j.Spec.MaxParallelismSet {
			p.Vertices[i].MaxParallelism = 0
		}
		p.Vertices[i].MaxParallelismSet = j.Spec.MaxParallelismSet
	}
	a, err := m.Assign(from.Directory, p)
	if err != nil {
		return err
	}
	spec := *j.Spec
	spec.Operators = nil
	adopted := map[string]int{}
	for i, v := range a.Vertices {
		adopted[p.Vertices[i].Name] = v.MaxParallelism
	}
	for _, op := range j.Spec.Operators {
		c := *op
		c.MaxParallelism = adopted[j.headOf(op.Name)]
		spec.Operators = append(spec.Operators, &c)
	}
	j.Spec = &spec
	for i, uid := range a.Skipped {
		if a.Dropped[i] {
			j.kernel.Emit("jm", "CP-9.5", sim.StateSkipped{UID: uid}, from.Step)
		}
	}
	return nil
}

// Replace ends a job that another one takes the place of: it is canceled, or, while
// no JobManager leads it, none will.
func (j *Job) Replace() {
	switch j.Status {
	case Running, Restarting:
		j.Cancel()
	case Suspended:
		j.lose()
	}
}

// lose ends a job that has not ended: its JobManager is gone.
func (j *Job) lose() {
	if j.Status == Running || j.Status == Restarting {
		j.kernel.Emit("jm", "CP-11.5", sim.JobManagerLost{Job: j.ID, Replaced: true})
	}
	j.stop(wholeJob)
	j.coordinator.Crash()
}

// assign gives each reader its splits: those of a snapshot where it knows
// them, whether the job file lists them or not, and those that the source
// discovers in turn. A reader's splits are list state of mode split
// (CP-9.4): with the same number of readers each keeps its own.
func (j *Job) assign(s *SourceSpec, n int, from *Restored) [][]SplitOffset {
	out := make([][]SplitOffset, n)
	logs := j.Logs.Of(s.Name)
	known := map[*Log]bool{}
	main, done := int64(0), map[*Log]bool{}
	if from != nil {
		done = from.Exhausted
		var old []state.Lists[SplitOffset]
		for _, splits := range from.Readers[s.Name] {
			list := []SplitOffset{}
			for _, o := range splits {
				switch {
				case o.Log.Split == "":
					main, known[o.Log] = o.Offset, true
				case !o.Log.Removed:
					list = append(list, o)
					known[o.Log] = true
				}
			}
			sortSplits(list, logs)
			old = append(old, state.Lists[SplitOffset]{readerState: list})
		}
		parts := state.Repartition(old, []state.ListInfo{{Name: readerState, Mode: state.SplitDistribute}}, n)
		for i := range out {
			out[i] = parts[i][readerState]
			sortSplits(out[i], logs)
		}
	}
	for i, l := range logs {
		if !known[l] && !done[l] && s.discovers(l) {
			out[i%n] = append(out[i%n], SplitOffset{l, 0})
		}
	}
	// The log of the main output belongs to the first reader.
	if m := j.Logs.Find(s.Name, ""); m != nil && (known[m] || !done[m]) {
		out[0] = append(out[0], SplitOffset{m, main})
	}
	return out
}

// A SplitOffset is the position of a split.
type SplitOffset struct {
	Log    *Log
	Offset int64
}

// sortSplits orders the splits of a reader as they were added to the source.
func sortSplits(list []SplitOffset, logs []*Log) {
	slices.SortStableFunc(list, func(a, b SplitOffset) int { return slices.Index(logs, a.Log) - slices.Index(logs, b.Log) })
}
