package verdict

import (
	"maps"
	"slices"

	"streaminglab/sim"
)

// A windowID is what records are added to: a window of a key; the entries of a
// join with one timestamp; for a process function everything (the zero value).
type windowID struct {
	key        string
	start, end int64
}

// A window holds records.
type window struct {
	// records are those that it holds, with the start of the job in which each
	// came into it.
	records map[sim.RecordID]*start
	// fired counts its firings since its state was created.
	fired int
}

// A doubling is a record that was added to what held it already.
type doubling struct {
	record sim.RecordID
	step   *sim.Step
	// before is the start in which it was added first.
	before *start
}

// state is what all subtasks of an operator hold together: which of them holds
// a record changes with the parallelism and means nothing.
type state struct {
	// handled are the records that it has seen, whatever became of them.
	handled *offsets
	windows map[windowID]*window
	// doubled are records that were counted twice, in order. A window that is
	// gone has given a wrong result: they stay.
	doubled []doubling
}

func newState() *state { return &state{handled: newOffsets(), windows: map[windowID]*window{}} }

func (s *state) clone() *state {
	out := &state{handled: s.handled.clone(), windows: make(map[windowID]*window, len(s.windows)), doubled: slices.Clip(s.doubled)}
	for id, w := range s.windows {
		out.windows[id] = &window{maps.Clone(w.records), w.fired}
	}
	return out
}

func (s *state) window(id windowID) *window {
	w := s.windows[id]
	if w == nil {
		w = &window{records: map[sim.RecordID]*start{}}
		s.windows[id] = w
	}
	return w
}

// add puts a record into a window. One that a snapshot had brought into it is
// counted twice now; twice within one start is the job's own graph (a union of
// a stream with itself).
func (s *state) add(id windowID, r sim.RecordID, step *sim.Step, now *start) {
	if r.Source == "" {
		return
	}
	w := s.window(id)
	if before, ok := w.records[r]; !ok {
		w.records[r] = now
	} else if before != now {
		s.doubled = append(s.doubled, doubling{r, step, before})
	}
}

// apply adds a step of the operator. What is not here changes no state.
func (s *state) apply(step *sim.Step, now *start) {
	switch b := step.Body.(type) {
	case sim.RecordProcessed:
		s.handle(b.Record)
		s.add(windowID{}, b.Record, step, now)
	case sim.RecordPlaced:
		s.handle(b.Record)
		if b.Windows == nil { // a join
			s.add(windowID{b.Key, b.TS, b.TS}, b.Record, step, now)
		}
		for _, w := range b.Windows {
			if w.Fate != sim.FateLate {
				s.add(windowID{b.Key, w.Start, w.End}, b.Record, step, now)
			}
		}
	case sim.RecordDropped:
		s.handle(b.Record)
	case sim.RecordLate:
		s.handle(b.Record)
	case sim.RecordVanished:
		s.handle(b.Record)
	case sim.WindowFired:
		id := windowID{b.Key, b.Start, b.End}
		w := s.window(id)
		w.fired++
		switch {
		case b.Cleaned:
			delete(s.windows, id)
		case b.Purged:
			clear(w.records)
		}
	case sim.WindowCleaned:
		delete(s.windows, windowID{b.Key, b.Start, b.End})
	case sim.WindowMerged:
		s.merge(b)
	case sim.WindowReplaced:
		if w := s.windows[windowID{b.Key, b.Start, b.End}]; w != nil {
			clear(w.records)
		}
	case sim.JoinRemoved:
		delete(s.windows, windowID{b.Key, b.TS, b.TS})
	}
}

func (s *state) handle(r sim.RecordID) {
	if r.Source != "" {
		s.handled.add(r)
	}
}

// merge makes one session of several. The new one has not fired, unless it is
// one of them.
func (s *state) merge(b sim.WindowMerged) {
	to := &window{records: map[sim.RecordID]*start{}}
	result := windowID{b.Key, b.Start, b.End}
	for _, f := range b.From {
		id := windowID{b.Key, f.Start, f.End}
		if w := s.windows[id]; w != nil {
			maps.Copy(to.records, w.records)
			if id == result {
				to.fired = w.fired
			}
			delete(s.windows, id)
		}
	}
	s.windows[result] = to
}

// held are the records that it holds.
func (s *state) held() *offsets {
	out := newOffsets()
	for _, w := range s.windows {
		for r := range w.records {
			out.add(r)
		}
	}
	return out
}
