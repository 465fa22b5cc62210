package narrate

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// bench is the fold behind the views and the picture: what stands on each
// split, who holds time, what each window contains. Like every view it reads
// the trace and nothing else.
type bench struct {
	now         int64
	status      string
	attempt     int
	parallelism int
	restored    int64
	checkpoint  int64
	vertices    []string
	// chains are the vertices of each task that has several, its head first.
	chains [][]string
	// splits, readers and operator subtasks in the order in which they showed.
	splits  []*benchSplit
	readers []*benchPlace
	tasks   []*benchPlace
	windows []*benchWindow
	late    []lateRecord
	blocked []string
	regions fold.Regions
	// subtasks are all of the job.
	subtasks []string
	// saved are the windows that a completed checkpoint holds.
	saved map[int64][]*benchWindow
}

type benchSplit struct {
	name, reader string
	read         []readRecord
	next         int64
	watermark    int64
	idle         bool
	paused       *sim.Step
	aligned      *sim.Step
	slow         int64
	removed      bool
	// top is the largest timestamp that the present generator saw: a restore
	// makes a new one, which has seen nothing (EV-8.2).
	top int64
}

type readRecord struct {
	offset, ts, value int64
	key, word         string
	fate              string
}

// benchPlace is a subtask that has a watermark.
type benchPlace struct {
	at        string
	watermark int64
	idle      bool
	spare     bool
	ended     bool
	held      *sim.Step
}

type benchWindow struct {
	operator, at, key string
	start, end        int64
	records           int64
	fired             int
	result            string
	// counted says that a count trigger fired it.
	counted bool
	cleaned bool
}

// lateRecord is a record that found no window, in the order of arrival.
type lateRecord struct {
	step *sim.Step
	fate string
	p    sim.Placement
}

// Fates of a record in the words of the catalogue.
const (
	fateIn       = "in"
	fateDropped  = "dropped"
	fateLate     = "late"
	fateVanished = "vanished"
)

// created is the status before the first job.
const created = "CREATED"

func benchOf(t *sim.Trace) *bench {
	b := &bench{status: created, saved: map[int64][]*benchWindow{}}
	for s := range t.Main() {
		b.add(s)
	}
	return b
}

func (b *bench) add(s *sim.Step) {
	b.now = s.T
	b.regions.Add(s)
	at := place(s.At)
	switch x := s.Body.(type) {
	case sim.JobStarted:
		b.start(x)
		if x.Attempt == 0 {
			// Its JobManager knows none of another job (CP-11.5).
			b.checkpoint = 0
		}
	case sim.JobManagerLost:
		b.status = "SUSPENDED"
	case sim.JobFailed:
		b.status = "FAILED"
	case sim.JobRestarting:
		b.status = "RESTARTING"
	case sim.JobFinished, sim.JobStopped:
		b.status = "FINISHED"
	case sim.JobCanceled:
		b.status = "CANCELED"
	case sim.CheckpointCompleted:
		if !isSavepoint(x.Kind) {
			b.checkpoint = x.ID
		}
		b.saved[x.ID] = copyWindows(b.windows)
	case sim.SplitAdded:
		sp := b.split(at)
		sp.reader, sp.next, sp.removed, sp.watermark, sp.idle, sp.top = reader(at, x.Reader), x.Offset, false, sim.MinTime, false, sim.MinTime
		if r := b.find(b.readers, sp.reader); r != nil {
			r.spare = false
		}
	case sim.SplitRemoved:
		b.split(at).removed = true
	case sim.SplitPaused:
		if x.Reason == sim.PauseAlignment {
			b.split(at).aligned = s
		} else {
			b.split(at).paused = s
		}
	case sim.SplitResumed:
		if x.Reason == sim.PauseAlignment {
			b.split(at).aligned = nil
		} else {
			b.split(at).paused = nil
		}
	case sim.Slowed:
		b.split(at).slow = x.PerRecord
	case sim.SplitWatermark:
		b.split(at).watermark = x.Watermark
	case sim.SplitStatus:
		b.split(at).idle = x.Status == sim.StatusIdle
	case sim.SourceEnded:
		b.at(at).ended = true
	case sim.WatermarkEmitted:
		b.at(at).watermark = x.Watermark
	case sim.WatermarkAdvanced:
		b.at(at).watermark = x.Watermark
	case sim.StatusChanged:
		b.at(at).idle = x.Status == sim.StatusIdle
	case sim.WatermarkHeld:
		p := b.at(at)
		if p.held = s; len(x.By) == 0 {
			p.held = nil
		}
	case sim.BackpressureChanged:
		b.blocked = slices.DeleteFunc(b.blocked, func(n string) bool { return n == at })
		if x.On {
			b.blocked = append(b.blocked, at)
		}
	case sim.RecordRead:
		b.readRecord(at, x)
	default:
		b.addRecord(s, at)
		b.addWindow(s, at)
	}
}

// start makes what an attempt begins with: positions and windows of its
// checkpoint, no watermark, nobody idle. Other regions stay as they are.
func (b *bench) start(x sim.JobStarted) {
	b.status, b.attempt, b.parallelism, b.restored, b.vertices = b.regions.Status(), x.Attempt, x.Parallelism, x.Restored, x.Vertices
	b.chains = x.Chains
	touched := func(at string) bool { return fold.Touches(x.Subtasks, x.Splits, at) }
	windows := slices.DeleteFunc(copyWindows(b.windows), func(w *benchWindow) bool { return touched(w.at) })
	for _, w := range copyWindows(b.saved[x.Restored]) {
		if touched(w.at) {
			windows = append(windows, w)
		}
	}
	b.windows = windows
	if len(x.Subtasks) == 0 {
		b.subtasks = fold.Subtasks(x)
	}
	b.readers = slices.DeleteFunc(b.readers, func(p *benchPlace) bool { return touched(p.at) })
	b.tasks = slices.DeleteFunc(b.tasks, func(p *benchPlace) bool { return touched(p.at) })
	old := slices.Clone(b.splits)
	b.splits = slices.DeleteFunc(b.splits, func(sp *benchSplit) bool { return touched(sp.name) })
	for _, st := range x.Splits {
		sp := b.split(st.Split)
		for _, o := range old {
			if o.name == sp.name {
				*sp = *o
			}
		}
		sp.reader, sp.next, sp.watermark, sp.idle, sp.aligned, sp.top = reader(st.Split, st.Reader), st.Offset, sim.MinTime, false, nil, sim.MinTime
		if b.find(b.readers, sp.reader) == nil {
			b.readers = append(b.readers, &benchPlace{at: sp.reader, watermark: sim.MinTime})
		}
	}
	for _, n := range x.Spare {
		b.readers = append(b.readers, &benchPlace{at: n, watermark: sim.MinTime, spare: true})
	}
	sort.SliceStable(b.readers, func(i, j int) bool {
		return vertexIndex(x.Vertices, b.readers[i]) < vertexIndex(x.Vertices, b.readers[j])
	})
}

func vertexIndex(vertices []string, p *benchPlace) int { return slices.Index(vertices, vertex(p.at)) }

func copyWindows(in []*benchWindow) []*benchWindow {
	out := make([]*benchWindow, len(in))
	for i, w := range in {
		c := *w
		out[i] = &c
	}
	return out
}

func (b *bench) split(name string) *benchSplit {
	for _, s := range b.splits {
		if s.name == name {
			return s
		}
	}
	s := &benchSplit{name: name, watermark: sim.MinTime}
	b.splits = append(b.splits, s)
	return s
}

func (b *bench) find(in []*benchPlace, at string) *benchPlace {
	for _, p := range in {
		if p.at == at {
			return p
		}
	}
	return nil
}

// at is a reader, or the subtask of an operator.
func (b *bench) at(name string) *benchPlace {
	if p := b.find(b.readers, name); p != nil {
		return p
	}
	if p := b.find(b.tasks, name); p != nil {
		return p
	}
	p := &benchPlace{at: name, watermark: sim.MinTime}
	for _, s := range b.splits {
		if vertex(name) == sourceOf(s.name) {
			b.readers = append(b.readers, p)
			return p
		}
	}
	b.tasks = append(b.tasks, p)
	sort.SliceStable(b.tasks, func(i, j int) bool {
		x, y := vertexIndex(b.vertices, b.tasks[i]), vertexIndex(b.vertices, b.tasks[j])
		return x < y || x == y && b.tasks[i].at < b.tasks[j].at
	})
	return p
}

func sourceOf(split string) string {
	if i := strings.IndexByte(split, '/'); i >= 0 {
		return split[:i]
	}
	return split
}

func (b *bench) readRecord(at string, x sim.RecordRead) {
	s := b.split(at)
	s.next = x.Record.Offset + 1
	s.top = max(s.top, x.TS)
	r := readRecord{offset: x.Record.Offset, ts: x.TS, value: x.Value, key: x.Key, word: x.Word}
	for i := range s.read {
		if s.read[i].offset == r.offset {
			s.read[i] = r
			return
		}
	}
	s.read = append(s.read, r)
}

// addRecord notes what became of a record.
func (b *bench) addRecord(s *sim.Step, at string) {
	var p sim.Placement
	fate := ""
	switch x := s.Body.(type) {
	case sim.RecordPlaced:
		p, fate = sim.Placement(x), fateIn
	case sim.RecordDropped:
		p, fate = sim.Placement(x), fateDropped
	case sim.RecordLate:
		p, fate = sim.Placement(x), fateLate
	case sim.RecordVanished:
		p, fate = sim.Placement(x), fateVanished
	default:
		return
	}
	if sp := b.split(splitName(p.Record)); p.Record.Source != "" {
		for i := range sp.read {
			if sp.read[i].offset == p.Record.Offset {
				sp.read[i].fate = fate
			}
		}
	}
	if fate != fateIn {
		b.late = append(b.late, lateRecord{s, fate, p})
		return
	}
	for _, f := range p.Windows {
		if f.Fate != sim.FateLate {
			w := b.window(vertex(at), p.Key, f.Start, f.End)
			w.at, w.cleaned = at, false
			w.records++
		}
	}
}

func (b *bench) window(operator, key string, start, end int64) *benchWindow {
	for _, w := range b.windows {
		if w.operator == operator && w.key == key && w.start == start && w.end == end {
			return w
		}
	}
	w := &benchWindow{operator: operator, key: key, start: start, end: end}
	b.windows = append(b.windows, w)
	return w
}

func (b *bench) addWindow(s *sim.Step, at string) {
	operator := vertex(at)
	switch x := s.Body.(type) {
	case sim.WindowFired:
		w := b.window(operator, x.Key, x.Start, x.End)
		w.at = at
		w.fired++
		w.result = result(x.Value, "", x.Values, x.Null)
		w.counted = w.counted || x.Reason == sim.ReasonCount
		if x.Purged {
			w.records = 0
		}
		w.cleaned = w.cleaned || x.Cleaned
	case sim.WindowCleaned:
		w := b.window(operator, x.Key, x.Start, x.End)
		w.at, w.cleaned = at, true
	case sim.WindowMerged:
		var records int64
		fired := 0
		for _, f := range x.From {
			old := b.window(operator, x.Key, f.Start, f.End)
			records, fired = records+old.records, max(fired, old.fired)
			b.windows = slices.DeleteFunc(b.windows, func(w *benchWindow) bool { return w == old })
		}
		w := b.window(operator, x.Key, x.Start, x.End)
		w.at, w.records, w.fired, w.cleaned = at, records, fired, false
	case sim.WindowReplaced:
		w := b.window(operator, x.Key, x.Start, x.End)
		w.records = 0
	}
}

// open reports whether a window has contents, or waits for its cleanup.
func (w *benchWindow) open() bool { return !w.cleaned && (w.records > 0 || w.fired > 0) }

// sorted are the windows by operator in the order of the job, then by time and
// key.
func (b *bench) sorted() []*benchWindow {
	out := slices.Clone(b.windows)
	sort.SliceStable(out, func(i, j int) bool {
		x, y := out[i], out[j]
		if x.operator != y.operator {
			return slices.Index(b.vertices, x.operator) < slices.Index(b.vertices, y.operator)
		}
		if x.start != y.start {
			return x.start < y.start
		}
		if x.end != y.end {
			return x.end < y.end
		}
		return x.key < y.key
	})
	return out
}

// operators are the names of what has windows, in the order of the job.
func (b *bench) operators() []string {
	seen := map[string]bool{}
	for _, w := range b.windows {
		seen[w.operator] = true
	}
	out := slices.Sorted(maps.Keys(seen))
	sort.SliceStable(out, func(i, j int) bool { return slices.Index(b.vertices, out[i]) < slices.Index(b.vertices, out[j]) })
	return out
}
