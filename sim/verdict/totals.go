package verdict

import (
	"maps"
	"slices"

	"streaminglab/sim"
)

// Totals hold what went into a job against what its operators hold and what its
// sinks took.
type Totals struct {
	Splits    []Split
	Operators []Operator
	Sinks     []Sink
}

// A Split is what sources read of a log, over all attempts.
type Split struct {
	Split string `json:"split"`
	// Log is how many records the log holds; -1: the trace does not say.
	Log      int `json:"log"`
	Read     int `json:"read"`
	Again    int `json:"again"`
	Position int `json:"position"`
}

// An Operator is what the state of an operator holds.
type Operator struct {
	Operator string `json:"operator"`
	// UID is what its state is found by. Gone: the job has no such operator.
	UID  string `json:"uid"`
	Gone bool   `json:"gone"`
	// Handled are records that the state knows of, also those that it does not
	// hold any more: their windows are over.
	Handled int `json:"handled"`
	Held    int `json:"held"`
	// Doubled is how many times it counted a record that it had counted.
	Doubled int `json:"doubled"`
	Lost    int `json:"lost"`
}

// A Sink is what a sink took: results, of which Distinct are different ones.
type Sink struct {
	Sink     string `json:"sink"`
	Results  int    `json:"results"`
	Distinct int    `json:"distinct"`
	Doubled  int    `json:"doubled"`
	// Visible is what a reader of the sink sees now: of an upsert sink the rows, of
	// a two-phase sink what was committed.
	Visible int `json:"visible"`
}

// TotalsOf are the totals of a trace.
func TotalsOf(t *sim.Trace) Totals {
	f := New()
	f.Update(t)
	return f.Totals()
}

// Totals are those up to the last step that was taken in.
func (f *Fold) Totals() (out Totals) {
	for _, name := range slices.Sorted(maps.Keys(f.splits)) {
		x := f.splits[name]
		out.Splits = append(out.Splits, Split{name, -1, x.read.count(), x.again, f.position(name)})
	}
	lost := map[string]*offsets{}
	path := f.paths()
	for _, s := range slices.Backward(f.starts) {
		for _, l := range f.losses(s, path) {
			if lost[l.uid] == nil {
				lost[l.uid] = newOffsets()
			}
			lost[l.uid].union(l.records)
		}
	}
	for _, o := range f.order {
		mine := f.uids[o.name] == o.uid
		if o.handled.count() == 0 || !mine && lost[o.uid].count() == 0 {
			continue
		}
		out.Operators = append(out.Operators, Operator{
			Operator: o.name, UID: o.uid, Gone: !mine, Handled: o.state.handled.count(), Held: o.state.held().count(), Doubled: len(o.state.doubled), Lost: lost[o.uid].count(),
		})
	}
	visible := map[string]int{}
	for _, x := range f.topics.results {
		if x.visible() {
			visible[x.w.id.sink]++
		}
	}
	for _, s := range f.results.sinks {
		sink := *s
		sink.Visible += visible[s.Sink]
		out.Sinks = append(out.Sinks, sink)
	}
	return out
}

// position is the next offset that the running attempt reads of a split.
func (f *Fold) position(name string) int {
	p := int64(0)
	for s := f.now; s != nil; s = s.others {
		for _, x := range s.read.splits[name] {
			p = max(p, x.to)
		}
		if s.touches(name) {
			p = max(p, s.positions[name])
			break
		}
	}
	return int(p)
}
