package verdict

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"streaminglab/sim"
)

// A resultID says which result it is: of what, not with which value. Two
// results with one id are one result that was written twice.
type resultID struct {
	sink string
	// from is what it comes from: the kind of its origin and where that was.
	from, at string
	record   sim.RecordID
	key      string
	start    int64
	end      int64
	// n counts: the firing of its window, and the results of one origin.
	n, nth int
	// word is what a result without a known origin says.
	word string
}

// written is a result that a sink took.
type written struct {
	id     resultID
	step   *sim.Step
	origin *sim.Step
	start  *start
	// began is the start of its origin: a result may become visible only after a
	// restart.
	began *start
}

// A repeat is a result that was written before.
type repeat struct {
	before, now *written
	// reopened: the window that gave it before was done with, and was opened
	// again (EV-8.3). Else it was given again because of a replay.
	reopened bool
	records  []sim.RecordID
}

// results are what sinks took. Nothing takes a result back.
type results struct {
	// last is the newest one of each id.
	last map[resultID]*written
	// order are the ids as they first came.
	order []resultID
	// fired are the firings of windows that may become results, by step.
	fired map[*sim.Step]firing
	// known are the firings that were seen before, with another start.
	known map[firingID]*start
	// nth counts the results of an origin, by sink.
	nth map[origin]int
	// repeats are in order.
	repeats []repeat
	bySink  map[string]*Sink
	sinks   []*Sink
}

type firingID struct {
	operator string
	window   windowID
	n        int
}

// A firing has its number, and, of one that was seen before, the records that
// its window held.
type firing struct {
	n       int
	records []sim.RecordID
}

type origin struct {
	sink string
	step *sim.Step
}

func newResults() *results {
	return &results{
		last: map[resultID]*written{}, fired: map[*sim.Step]firing{}, known: map[firingID]*start{},
		nth: map[origin]int{}, bySink: map[string]*Sink{},
	}
}

// fire notes a firing before the state of its window changes.
func (r *results) fire(o *operator, step *sim.Step, b sim.WindowFired, now *start) {
	id := firingID{o.uid, windowID{b.Key, b.Start, b.End}, 1}
	w := o.state.windows[id.window]
	if w != nil {
		id.n = w.fired + 1
	}
	f := firing{n: id.n}
	if first, ok := r.known[id]; !ok {
		r.known[id] = now
	} else if first != now && w != nil {
		for record := range w.records {
			f.records = append(f.records, record)
		}
		slices.SortFunc(f.records, compareRecords)
	}
	r.fired[step] = f
}

func compareRecords(a, b sim.RecordID) int {
	return cmp.Or(strings.Compare(splitOf(a), splitOf(b)), cmp.Compare(a.Offset, b.Offset))
}

// originOf is the nearest step that a result comes from and that says what it
// is, or nil.
func originOf(step *sim.Step) *sim.Step {
	// A chain of a few operators is looked through, not the whole run.
	const depth = 16
	level := step.Causes
	for range depth {
		var next []*sim.Step
		for _, c := range slices.Backward(level) {
			switch b := c.Body.(type) {
			case sim.WindowFired, sim.TimerFired, sim.JoinMatched:
				return c
			case sim.RecordStamped:
				return c
			case sim.RecordRead:
				return c
			case sim.RecordProcessed:
				if b.Record.Source != "" {
					return c
				}
			case sim.RecordPlaced, sim.RecordLate:
				if r, ok := recordOf(c); ok && r.Source != "" {
					return c
				}
			}
			next = append(next, c.Causes...)
		}
		if len(next) == 0 {
			return nil
		}
		level = next
	}
	return nil
}

// identify gives a result its id.
func (r *results) identify(sink string, step, from *sim.Step, b sim.ResultWritten) resultID {
	id := resultID{sink: sink}
	if from == nil {
		id.key, id.start, id.end, id.n, id.word = b.Key, b.Window.Start, b.Window.End, int(b.Value), b.Word
		return id
	}
	id.from, id.at = from.Type(), nameOf(from.At)
	switch o := from.Body.(type) {
	case sim.WindowFired:
		id.key, id.start, id.end, id.n = o.Key, o.Start, o.End, r.fired[from].n
	case sim.TimerFired:
		id.key, id.start = o.Key, o.Timer
	case sim.JoinMatched:
		id.key, id.start, id.word = o.Key, o.TS, o.Left+"\x00"+o.Right
	case sim.RecordRead:
		id.record = o.Record
	case sim.RecordStamped:
		id.record = o.Record
	default:
		id.record, _ = recordOf(from)
	}
	k := origin{sink, from}
	id.nth = r.nth[k]
	r.nth[k]++
	return id
}

// result notes what a sink took.
func (f *Fold) result(step *sim.Step, b sim.ResultWritten) {
	r, now := f.results, f.now
	name := nameOf(step.At)
	sink := r.bySink[name]
	if sink == nil {
		sink = &Sink{Sink: name}
		r.bySink[name] = sink
		r.sinks = append(r.sinks, sink)
	}
	sink.Results++
	if b.Transaction == 0 && !b.Replaced && b.Partition == "" {
		sink.Visible++
	}
	from := originOf(step)
	w := &written{id: r.identify(name, step, from, b), step: step, origin: from, start: now, began: now}
	if from != nil {
		w.began = f.startOf(from)
	}
	before := r.last[w.id]
	r.last[w.id] = w
	if b.Partition != "" {
		f.topics.sends(w, b)
	}
	if before == nil {
		r.order = append(r.order, w.id)
		sink.Distinct++
		return
	}
	if before.start == now && !zombie(step.At) {
		// One start writes no result twice: two that look alike are two.
		sink.Distinct++
		return
	}
	sink.Doubled++
	x := repeat{before: before, now: w, records: r.fired[from].records}
	if from != nil && from.Type() == (sim.WindowFired{}).StepType() {
		x.reopened = before.stands(now)
	}
	if x.records == nil && w.id.record.Source != "" {
		x.records = []sim.RecordID{w.id.record}
	}
	r.repeats = append(r.repeats, x)
}

// stands reports whether what led to a result is part of the state of a start.
func (w *written) stands(now *start) bool {
	step := w.origin
	if step == nil {
		step = w.step
	}
	return stands(step, w.began, now)
}

// rollBack notes which results come from what a start does not know.
func (f *Fold) rollBack(s *start) {
	for _, id := range f.results.order {
		if w := f.results.last[id]; !w.stands(s) {
			s.pending = append(s.pending, w)
		}
	}
	// Origins of an attempt that is over make no more results.
	maps.DeleteFunc(f.results.nth, func(o origin, _ int) bool { return s.touches(o.step.At) })
}
