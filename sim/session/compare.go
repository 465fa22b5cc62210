package session

import (
	"maps"
	"sort"

	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/script"
)

// A Comparison holds two runs of the same experiment against each other. What
// is compared is aligned by identity, never by position: a record by where it
// stands in a log, a window by operator, key and bounds, a pair of an interval
// join by operator, key, words and timestamp, a record in the log of a topic by
// partition, key and value. Where neither run has windows, what other sinks took of
// each key, and what of it is visible, is compared too.
type Comparison struct {
	// Left and Right are the names of the lists.
	Left, Right string
	// First is the first outcome that differs, in the order of the left run's
	// time; nil: no outcome differs.
	First *Difference
	// Differences are all outcomes that differ.
	Differences []Difference
	// Prices are what each run paid.
	Prices [2]Price
	// Traces are the two runs.
	Traces [2]*sim.Trace
}

// A Difference is one outcome that differs. A missing side has Step 0.
type Difference struct {
	// Kind is record, window, pair, result or logged.
	Kind string
	// Split and Offset identify a record; Operator, Key, Start, End a window;
	// Operator, Key, PairLeft, PairRight and Start, which is its timestamp, a pair;
	// Operator, which is the sink, and Key what that sink took; Split, which is the
	// partition, and Key, which is the record, what is in a log.
	Split         string
	Offset        int
	Operator, Key string
	PairLeft      string
	PairRight     string
	Start, End    int
	Left, Right   Outcome
	t             int
}

// An Outcome is what became of a record or a window.
type Outcome struct {
	// Step is the last step that says so.
	Step int
	// Fate of a record: accepted, joined (a join stored it), dropped, late or
	// vanished; of a pair: paired.
	Fate string
	// Values are the results of a window, or those that a sink took, in order,
	// Times when they, or a pair, came (ms).
	Values []int
	Times  []int
	// Hidden is how many of the results that a sink took nobody sees.
	Hidden int
	// Committed and Uncommitted are how often a reader with isolation.level
	// read_committed or read_uncommitted gets a record of a log.
	Committed, Uncommitted int
}

// Price is what a run paid, in one line.
type Price struct {
	// Lost records were dropped or vanished; Side went to a side output.
	Lost, Side, Records int
	// Wait is the longest virtual time in ms from the first record of a window to
	// its first result. Silent is the number of windows that had none, one for
	// each key.
	Wait, Silent int
	// Results is the number of results.
	Results int
	// Held is the largest number of windows that were in state at one time, one
	// for each key; HeldFor is how long all of them were there together, in ms of
	// virtual time.
	Held, HeldFor int
	// Windows says that there were windows, Joins that there were interval joins.
	Windows, Joins bool
	// Pairs is the number of pairs that interval joins emitted; Kept and KeptFor are
	// of the records that they stored what Held and HeldFor are of windows.
	Pairs, Kept, KeptFor int
}

// Compare holds the present list against a kept one.
func (s *Session) Compare(name string) (*Comparison, error) {
	list, ok := s.forks[name]
	if !ok {
		return nil, s.unknownFork(name)
	}
	other := &Session{Experiment: s.Experiment, Seed: s.Seed, list: list, forks: map[string][]*script.Line{}, bounds: s.bounds}
	if err := other.replay(); err != nil {
		return nil, err
	}
	return compare(side{s.name, s.Trace(), s.run.World.Now()}, side{name, other.Trace(), other.run.World.Now()}), nil
}

// A side is one run of a comparison: its name, its trace, and its virtual time.
type side struct {
	name  string
	trace *sim.Trace
	now   int64
}

func compare(a, b side) *Comparison {
	x, y := outcomes(fold.Of(a.trace)), outcomes(fold.Of(b.trace))
	x.price.Held, x.price.HeldFor = held(a)
	y.price.Held, y.price.HeldFor = held(b)
	x.price.Kept, x.price.KeptFor = kept(a)
	y.price.Kept, y.price.KeptFor = kept(b)
	if !x.price.Windows && !y.price.Windows {
		maps.Copy(x.all, x.taken)
		maps.Copy(y.all, y.taken)
	}
	maps.Copy(x.all, logged(a.trace))
	maps.Copy(y.all, logged(b.trace))
	c := &Comparison{Left: a.name, Right: b.name, Prices: [2]Price{x.price, y.price}, Traces: [2]*sim.Trace{a.trace, b.trace}}
	for k, d := range x.all {
		o, ok := y.all[k]
		d.Right = o.Left
		if ok && same(d.Left, d.Right) {
			continue
		}
		c.Differences = append(c.Differences, d)
	}
	for k, d := range y.all {
		if _, ok := x.all[k]; !ok {
			d.Left, d.Right = Outcome{}, d.Left
			c.Differences = append(c.Differences, d)
		}
	}
	sort.Slice(c.Differences, func(i, j int) bool { return c.Differences[i].before(&c.Differences[j]) })
	if len(c.Differences) > 0 {
		c.First = &c.Differences[0]
	}
	return c
}

// held is the largest number of windows in state at one time, and for how long
// they were there in all. A restart goes on with those of its checkpoint, which
// are no more than there were.
func held(run side) (most, inAll int) {
	open := map[identity]int64{} // since when
	id := func(at, key string, start, end int64) identity {
		return identity{kind: "window", where: at, key: key, a: int(start), b: int(end)}
	}
	now := int64(0)
	add := func(i identity) {
		if _, ok := open[i]; !ok {
			open[i] = now
		}
	}
	remove := func(i identity) {
		if since, ok := open[i]; ok {
			inAll += int(now - since)
			delete(open, i)
		}
	}
	for _, s := range run.trace.Steps() {
		now = s.T
		switch b := s.Body.(type) {
		case sim.RecordPlaced:
			for _, w := range b.Windows {
				if w.Fate != sim.FateLate {
					add(id(s.At, b.Key, w.Start, w.End))
				}
			}
		case sim.WindowMerged:
			for _, w := range b.From {
				remove(id(s.At, b.Key, w.Start, w.End))
			}
			add(id(s.At, b.Key, b.Start, b.End))
		case sim.WindowFired:
			if b.Cleaned {
				remove(id(s.At, b.Key, b.Start, b.End))
			}
		case sim.WindowCleaned:
			remove(id(s.At, b.Key, b.Start, b.End))
		}
		most = max(most, len(open))
	}
	for _, since := range open {
		inAll += int(max(run.now, now) - since)
	}
	return most, inAll
}

func (d *Difference) before(o *Difference) bool {
	if d.t != o.t {
		return d.t < o.t
	}
	if d.Kind != o.Kind {
		return d.Kind < o.Kind
	}
	if d.Split != o.Split {
		return d.Split < o.Split
	}
	if d.Offset != o.Offset {
		return d.Offset < o.Offset
	}
	if d.Operator != o.Operator {
		return d.Operator < o.Operator
	}
	if d.Key != o.Key {
		return d.Key < o.Key
	}
	if d.Start != o.Start {
		return d.Start < o.Start
	}
	if d.PairLeft != o.PairLeft {
		return d.PairLeft < o.PairLeft
	}
	if d.PairRight != o.PairRight {
		return d.PairRight < o.PairRight
	}
	return d.End < o.End
}

func same(a, b Outcome) bool {
	if a.Fate != b.Fate || len(a.Values) != len(b.Values) || len(a.Times) != len(b.Times) {
		return false
	}
	if a.Hidden != b.Hidden || a.Committed != b.Committed || a.Uncommitted != b.Uncommitted {
		return false
	}
	for i := range a.Values {
		if a.Values[i] != b.Values[i] {
			return false
		}
	}
	return true
}

type identity struct {
	kind, where, key string
	a, b             int
	left, right      string // of a pair
}

type found struct {
	all   map[identity]Difference
	price Price
	// taken is what the sinks took: where there are windows, their results say it
	// already.
	taken map[identity]Difference
}

func outcomes(f *fold.Folds) found {
	out := found{all: pairs(f), taken: taken(f)}
	out.price.Windows, out.price.Pairs = len(f.Firings) > 0, len(f.Pairs)
	reads := map[identity]int{}
	for _, r := range f.Reads {
		reads[identity{kind: "record", where: r.Split, a: r.Offset}] = r.T
	}
	began := map[identity]int{} // when a window got its first record
	for _, r := range f.Records {
		id := identity{kind: "record", where: r.Split, a: r.Offset, key: r.Operator}
		fate := "accepted"
		if out.price.Windows = out.price.Windows || len(r.Windows) > 0; r.Accepted && len(r.Windows) == 0 {
			fate, out.price.Joins = "joined", true
		}
		switch {
		case r.Dropped:
			fate = "dropped"
		case r.Late:
			fate = "late"
		case r.Vanished:
			fate = "vanished"
		}
		out.all[id] = Difference{Kind: "record", Split: r.Split, Offset: r.Offset, Operator: r.Operator, Key: r.Key, Left: Outcome{Step: r.Step, Fate: fate}, t: r.T}
		for _, w := range r.Windows {
			id := identity{kind: "window", where: r.Operator, key: r.Key, a: w.Start, b: w.End}
			if _, ok := began[id]; !ok && w.Fate != sim.FateLate {
				began[id] = r.T
			}
		}
	}
	// A session began with the first record of those that it was merged from.
	for _, m := range f.Merges {
		into := identity{kind: "window", where: m.Operator, key: m.Key, a: m.Start, b: m.End}
		for id, t := range began {
			if id == into || id.where != m.Operator || id.key != m.Key || id.a < m.Start || id.b > m.End {
				continue
			}
			if since, ok := began[into]; !ok || t < since {
				began[into] = t
			}
			delete(began, id)
		}
	}
	for _, d := range out.all {
		if d.Kind != "record" {
			continue
		}
		out.price.Records++
		switch d.Left.Fate {
		case "dropped", "vanished":
			out.price.Lost++
		case "late":
			out.price.Side++
		}
	}
	for _, w := range f.Firings {
		id := identity{kind: "window", where: w.Operator, key: w.Key, a: w.Start, b: w.End}
		d, ok := out.all[id]
		if !ok {
			d = Difference{Kind: "window", Operator: w.Operator, Key: w.Key, Start: w.Start, End: w.End, t: w.T}
			if t, ok := began[id]; ok {
				out.price.Wait = max(out.price.Wait, w.T-t)
			}
			delete(began, id)
		}
		d.Left.Step = w.Step
		d.Left.Values = append(d.Left.Values, w.Value)
		d.Left.Times = append(d.Left.Times, w.T)
		out.all[id] = d
		out.price.Results++
	}
	out.price.Silent = len(began)
	return out
}

// taken is what each sink took of each key, but for KafkaSinks: what they wrote is
// in the log. A count is compared as the count, and words are not compared.
func taken(f *fold.Folds) map[identity]Difference {
	out := map[identity]Difference{}
	for _, r := range f.Results {
		if r.Word != "" || r.Partition != "" {
			continue
		}
		id := identity{kind: "result", where: r.Sink, key: r.Key}
		d, ok := out[id]
		if !ok {
			d = Difference{Kind: "result", Operator: r.Sink, Key: r.Key, t: r.T}
		}
		v := r.Value
		if r.Count > 0 {
			v = r.Count
		}
		d.Left.Step = r.Step
		d.Left.Values = append(d.Left.Values, v)
		d.Left.Times = append(d.Left.Times, r.T)
		if !r.Visible {
			d.Left.Hidden++
		}
		out[id] = d
	}
	return out
}
