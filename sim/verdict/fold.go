package verdict

import (
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// A Fold follows a trace. It takes in only what is new, so that an expression
// may be asked after every step.
type Fold struct {
	storage *fold.Storage
	seen    int
	last    *sim.Step

	// job is the present one; alive: it has not ended.
	job   string
	alive bool
	// starts are the attempts of all jobs; now is the present one, nil before the
	// first.
	starts []*start
	now    *start
	// uids are those of the vertices of the present job, by name.
	uids map[string]string
	// chains are its tasks of several vertices.
	chains [][]string
	// operators are those of all jobs, by uid, and in the order of appearance.
	operators map[string]*operator
	order     []*operator
	// taken are the parts of snapshots.
	taken map[*fold.Snapshot]*part
	// skipped are the uids whose state the present job left behind, skipping
	// those of the job that is being started.
	skipped, skipping map[string]*sim.Step
	splits            map[string]*split
	results           *results

	watch
	litter
	topics topics
}

// A split is a log as sources read it.
type split struct {
	name string
	// read are offsets that some attempt has read, keys the keys of its records.
	read  *offsets
	keys  map[int64]string
	again int
}

// New returns a fold that has seen nothing.
func New() *Fold {
	f := &Fold{}
	f.reset()
	return f
}

// Of returns the verdicts of a trace.
func Of(t *sim.Trace) []fold.Verdict { return New().Verdicts(t) }

func (f *Fold) reset() {
	*f = Fold{
		storage: fold.NewStorage(), operators: map[string]*operator{}, taken: map[*fold.Snapshot]*part{},
		skipped: map[string]*sim.Step{}, skipping: map[string]*sim.Step{}, splits: map[string]*split{}, results: newResults(),
		watch: newWatch(), litter: newLitter(), topics: newTopics(),
	}
}

// Update takes in the steps that came since the last call; a trace that is
// another one is folded from its start.
func (f *Fold) Update(t *sim.Trace) {
	if f.seen > t.Len() || f.last != nil && t.Step(f.seen) != f.last {
		f.reset()
	}
	for _, s := range t.Steps()[f.seen:] {
		if s.Job == "" {
			f.add(s)
		} else {
			f.topics.besideSteps(s)
		}
		f.last = s
	}
	f.seen = t.Len()
}

// zombie reports whether a subtask's TaskManager was given up: what it does to
// its state is nobody's state any more, what it hands to a sink is (CP-11.8).
func zombie(at string) bool { return strings.HasSuffix(at, sim.Zombie) }

// nameOf is a place without its subtask: totals of totals[0].
func nameOf(at string) string {
	name, _, _ := strings.Cut(at, "[")
	return name
}

// operator is the operator of a subtask; nil: none that has done anything.
func (f *Fold) operator(at string) *operator { return f.operators[f.uids[nameOf(at)]] }

// known is the operator of a subtask, which is a new one if need be.
func (f *Fold) known(at string) *operator {
	name := nameOf(at)
	uid := f.uids[name]
	if uid == "" {
		return nil
	}
	o := f.operators[uid]
	if o == nil {
		o = &operator{uid: uid, name: name, handled: newOffsets(), waited: newOffsets()}
		o.begin(&contents{})
		f.operators[uid] = o
		f.order = append(f.order, o)
	}
	return o
}

// add takes in a step. The storage comes first: it knows the snapshots that the
// step names.
func (f *Fold) add(s *sim.Step) {
	f.storage.Add(s)
	f.litterSteps(s)
	f.topicSteps(s)
	f.calm(s)
	if f.now != nil {
		f.ranSince(s)
	}
	if changesState(s) && !zombie(s.At) {
		if o := f.known(s.At); o != nil {
			if b, ok := s.Body.(sim.WindowFired); ok {
				f.results.fire(o, s, b, f.now)
			}
			o.take(s, f.now)
		}
	}
	switch b := s.Body.(type) {
	case sim.JobStarted:
		if b.Job != f.job {
			f.skipped = f.skipping
			f.skipping = map[string]*sim.Step{}
		}
		f.started(s, b)
	case sim.StateSkipped:
		f.skipping[b.UID] = s
	case sim.InFlightRestored:
		f.inFlight(s, b)
	case sim.RecordRead:
		f.read(s, b)
	case sim.OffsetReset:
		f.outOfRange(s, b)
	case sim.RecordWaiting:
		if o := f.known(s.At); o != nil {
			o.waited.add(b.Record)
			o.waiting.add(b.Record)
		}
	case sim.ResultWritten:
		f.result(s, b)
	case sim.TransactionCommitted:
		if sink := f.results.bySink[nameOf(s.At)]; sink != nil {
			sink.Visible += b.Results
		}
	case sim.BarrierEmitted:
		f.snapshot(s, b.ID)
	case sim.SnapshotTaken:
		f.snapshot(s, b.ID)
	case sim.CheckpointCompleted:
		f.completed(b.ID)
		f.loop = nil
	case sim.JobFailed:
		f.skipping = map[string]*sim.Step{}
		f.alive = false
		f.gaveUp = f.loops()
	case sim.JobCanceled, sim.JobFinished, sim.JobStopped, sim.JobManagerLost:
		f.alive = false
	default:
		f.watchSteps(s)
	}
}

// ranSince notes that an attempt has done something: what it was to get back
// it has.
func (f *Fold) ranSince(s *sim.Step) {
	switch s.Body.(type) {
	case sim.RecordRead, sim.RecordWaiting, sim.ResultWritten, sim.CheckpointTriggered, sim.SplitWatermark, sim.WatermarkAdvanced, sim.InFlightRestored:
		f.now.ran = true
	}
	if _, ok := recordOf(s); ok {
		f.now.ran = true
	}
}

func (f *Fold) inFlight(s *sim.Step, b sim.InFlightRestored) {
	uid := f.uids[nameOf(s.At)]
	if f.now == nil || uid == "" {
		return
	}
	set := f.now.inFlight[uid]
	if set == nil {
		set = newOffsets()
		f.now.inFlight[uid] = set
	}
	for _, r := range b.Lines {
		set.add(r)
	}
}

func (f *Fold) read(s *sim.Step, b sim.RecordRead) {
	x := f.splitOf(splitOf(b.Record))
	if f.now != nil {
		f.skips(s, b.Record)
		if x.read.has(b.Record) {
			x.again++
			reads := f.now.reads(s.At)
			reads.again.add(b.Record)
			if reads.firstAgain == nil {
				reads.firstAgain = s
			}
		}
		f.now.read.add(b.Record)
	}
	x.read.add(b.Record)
	x.keys[b.Record.Offset] = b.Key
}

// splitOf is the split of a name, which appears with its first record.
func (f *Fold) splitOf(name string) *split {
	x := f.splits[name]
	if x == nil {
		x = &split{name: name, read: newOffsets(), keys: map[int64]string{}}
		f.splits[name] = x
	}
	return x
}
