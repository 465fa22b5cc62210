package view

import (
	"maps"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// Fate is what became of a record: the mark that it has in every picture.
type Fate int

// The fates.
const (
	// Read : no operator has handled it.
	Read Fate = iota
	OnTime
	// Behind : at or below the watermark, and yet in its window.
	Behind
	Dropped
	// Aside : sent to the late side output.
	Aside
	Vanished
)

// A Mark is one record of a lane.
type Mark struct {
	TS, T int64
	Key   string
	Value int64
	Word  string
	Fate  Fate
	// Step is the last step about it, Read the step in which it was read.
	Step, Read int
	// Wait is how far the watermark was ahead of it, in ms, when it was late.
	Wait int64
}

// A Lane is one split.
type Lane struct {
	Name      string
	Marks     []Mark
	Watermark int64
	Idle      bool
	Paused    bool
	// Holds says that the split holds its source back.
	Holds bool
	Step  int
}

// A Rise is one value of the combined watermark.
type Rise struct {
	T, Watermark int64
	Step         int
}

// A Window is a window of an operator over all keys.
type Window struct {
	Operator   string
	Start, End int64
	Cells      []Cell
	Step       int
}

// A Cell is a window of one key.
type Cell struct {
	Key     string
	Records int
	Results []Firing
	Cleaned bool
	Step    int
}

// A Firing is one result.
type Firing struct {
	T, Watermark, Value int64
	Values              []int64
	Step                int
}

// A Scene is everything that the pictures of event time show.
type Scene struct {
	Lanes []Lane
	// Rises are those of the first operator, or of the source without one.
	Rises     []Rise
	Watermark int64
	At        string
	Windows   []Window
	Keys      []string
	Dropped   int
	Aside     int
	Lost      int
	Status    string
	Now       int64
	Steps     int
}

type windowKey struct {
	operator   string
	start, end int64
}

type sceneFold struct {
	scene *Scene
	lanes map[string]int
	// places is where the record of an offset stands in the marks of a lane,
	// plus 1: offsets of a split are dense.
	places  [][]int32
	windows map[windowKey]map[string]*Cell
	order   map[windowKey]int
	marks   map[string]int64
	source  map[string]int64
	held    map[string][]string
	regions fold.Regions
}

// Build folds a trace into a scene.
func Build(t *sim.Trace) *Scene {
	f := &sceneFold{
		scene:   &Scene{Watermark: sim.MinTime, Status: "CREATED", Steps: t.Len()},
		lanes:   map[string]int{},
		windows: map[windowKey]map[string]*Cell{}, order: map[windowKey]int{},
		marks: map[string]int64{}, source: map[string]int64{}, held: map[string][]string{},
	}
	for s := range t.Main() {
		f.add(s)
	}
	return f.done()
}

func (f *sceneFold) lane(name string) *Lane {
	i, ok := f.lanes[name]
	if !ok {
		i = len(f.scene.Lanes)
		f.lanes[name] = i
		f.scene.Lanes = append(f.scene.Lanes, Lane{Name: name, Watermark: sim.MinTime})
		f.places = append(f.places, nil)
	}
	return &f.scene.Lanes[i]
}

// mark is the record of an offset, or nil.
func (f *sceneFold) mark(split string, offset int64) *Mark {
	lane, ok := f.lanes[split]
	if !ok || offset < 0 || offset >= int64(len(f.places[lane])) || f.places[lane][offset] == 0 {
		return nil
	}
	return &f.scene.Lanes[lane].Marks[f.places[lane][offset]-1]
}

func vertex(at string) string {
	name, _, _ := strings.Cut(at, "[")
	return name
}

func (f *sceneFold) add(s *sim.Step) {
	sc := f.scene
	sc.Now = s.T
	split := strings.TrimSuffix(strings.TrimPrefix(s.At, "split:"), "/")
	switch b := s.Body.(type) {
	case sim.JobStarted:
		f.regions.Add(s)
		sc.Status = f.regions.Status()
		for _, x := range b.Splits {
			l := f.lane(x.Split)
			l.Watermark, l.Idle, l.Step = sim.MinTime, false, s.Seq
		}
		touched := func(at string) bool { return fold.Touches(b.Subtasks, b.Splits, at) }
		maps.DeleteFunc(f.marks, func(at string, _ int64) bool { return touched(at) })
		maps.DeleteFunc(f.held, func(at string, _ []string) bool { return touched(at) })
		if len(f.marks) == 0 {
			sc.Watermark = sim.MinTime
		}
	case sim.TaskFailed:
		f.regions.Add(s)
	case sim.JobFailed:
		sc.Status = "FAILED"
	case sim.JobRestarting:
		sc.Status = "RESTARTING"
	case sim.JobFinished, sim.JobStopped:
		sc.Status = "FINISHED"
	case sim.SplitAdded:
		f.lane(split).Step = s.Seq
	case sim.RecordRead:
		l := f.lane(split)
		m := Mark{TS: b.TS, T: s.T, Key: b.Key, Value: b.Value, Word: b.Word, Step: s.Seq, Read: s.Seq}
		if old := f.mark(split, b.Record.Offset); old != nil {
			*old = m
			return
		}
		l.Marks = append(l.Marks, m)
		at := &f.places[f.lanes[split]]
		for int64(len(*at)) <= b.Record.Offset {
			*at = append(*at, 0)
		}
		(*at)[b.Record.Offset] = int32(len(l.Marks))
	case sim.RecordPlaced:
		f.placed(s, sim.Placement(b), OnTime)
	case sim.RecordDropped:
		sc.Dropped++
		f.placed(s, sim.Placement(b), Dropped)
	case sim.RecordLate:
		sc.Aside++
		f.placed(s, sim.Placement(b), Aside)
	case sim.RecordVanished:
		sc.Lost++
		f.placed(s, sim.Placement(b), Vanished)
	case sim.SplitWatermark:
		l := f.lane(split)
		l.Watermark, l.Step = b.Watermark, s.Seq
	case sim.SplitStatus:
		l := f.lane(split)
		l.Idle, l.Step = b.Status == sim.StatusIdle, s.Seq
	case sim.SplitPaused:
		f.lane(split).Paused = true
	case sim.SplitResumed:
		f.lane(split).Paused = false
	case sim.WatermarkHeld:
		f.held[s.At] = b.By
	case sim.WatermarkEmitted:
		f.rise(s, b.Watermark, false)
	case sim.WatermarkAdvanced:
		f.rise(s, b.Watermark, true)
	case sim.WindowFired:
		c := f.cell(windowKey{vertex(s.At), b.Start, b.End}, b.Key)
		c.Results = append(c.Results, Firing{T: s.T, Watermark: b.Watermark, Value: b.Value, Values: b.Values, Step: s.Seq})
		c.Cleaned = c.Cleaned || b.Cleaned
		c.Step = s.Seq
	case sim.WindowCleaned:
		c := f.cell(windowKey{vertex(s.At), b.Start, b.End}, b.Key)
		c.Cleaned, c.Step = true, s.Seq
	case sim.WindowMerged:
		into := f.cell(windowKey{vertex(s.At), b.Start, b.End}, b.Key)
		into.Step = s.Seq
		for _, w := range b.From {
			k := windowKey{vertex(s.At), w.Start, w.End}
			if k == (windowKey{vertex(s.At), b.Start, b.End}) {
				continue
			}
			if old := f.windows[k][b.Key]; old != nil {
				into.Records += old.Records
				delete(f.windows[k], b.Key)
			}
		}
	}
}

func (f *sceneFold) placed(s *sim.Step, p sim.Placement, fate Fate) {
	split := p.Record.Source
	if p.Record.Split != "" {
		split += "/" + p.Record.Split
	}
	if m := f.mark(split, p.Record.Offset); m != nil {
		m.Step, m.TS = s.Seq, p.TS
		if fate == OnTime && p.TS <= p.WatermarkBefore {
			fate = Behind
		}
		if m.Fate < fate || m.Fate == Read {
			m.Fate = fate
		}
		if p.WatermarkBefore > p.TS && p.WatermarkBefore != sim.MaxTime {
			m.Wait = p.WatermarkBefore - p.TS
		}
	}
	for _, w := range p.Windows {
		if w.Fate == sim.FateLate {
			continue
		}
		c := f.cell(windowKey{vertex(s.At), w.Start, w.End}, p.Key)
		c.Records++
		c.Cleaned = false
		c.Step = s.Seq
	}
}

func (f *sceneFold) cell(k windowKey, key string) *Cell {
	cells := f.windows[k]
	if cells == nil {
		cells = map[string]*Cell{}
		f.windows[k] = cells
		f.order[k] = len(f.order)
	}
	c := cells[key]
	if c == nil {
		c = &Cell{Key: key}
		cells[key] = c
	}
	return c
}

// rise keeps the watermark of the first operator; a job without one shows that
// of its source.
func (f *sceneFold) rise(s *sim.Step, wm int64, operator bool) {
	if operator {
		f.marks[s.At] = wm
	} else {
		f.source[s.At] = wm
	}
	marks := f.marks
	if len(marks) == 0 {
		marks = f.source
	}
	low := sim.MaxTime
	first := ""
	for at := range marks {
		if first == "" || at < first {
			first = at
		}
	}
	for at, w := range marks {
		if vertex(at) == vertex(first) {
			low = min(low, w)
		}
	}
	f.scene.At = vertex(first)
	if low != f.scene.Watermark {
		f.scene.Watermark = low
		f.scene.Rises = append(f.scene.Rises, Rise{T: s.T, Watermark: low, Step: s.Seq})
	}
}

func (f *sceneFold) done() *Scene {
	sc := f.scene
	for _, by := range f.held {
		for _, name := range by {
			if i, ok := f.lanes[name]; ok {
				sc.Lanes[i].Holds = true
			}
		}
	}
	sort.SliceStable(sc.Lanes, func(i, j int) bool { return sc.Lanes[i].Name < sc.Lanes[j].Name })
	keys := map[string]bool{}
	for k, cells := range f.windows {
		if len(cells) == 0 {
			continue
		}
		w := Window{Operator: k.operator, Start: k.start, End: k.end}
		for _, c := range cells {
			w.Cells = append(w.Cells, *c)
			w.Step = max(w.Step, c.Step)
			keys[c.Key] = true
		}
		sort.Slice(w.Cells, func(i, j int) bool { return w.Cells[i].Key < w.Cells[j].Key })
		sc.Windows = append(sc.Windows, w)
	}
	sort.Slice(sc.Windows, func(i, j int) bool {
		a, b := sc.Windows[i], sc.Windows[j]
		if a.Operator != b.Operator {
			return a.Operator < b.Operator
		}
		if a.Start != b.Start {
			return a.Start < b.Start
		}
		return a.End < b.End
	})
	for k := range keys {
		sc.Keys = append(sc.Keys, k)
	}
	sort.Strings(sc.Keys)
	return sc
}

// Range is the event time that a picture must show.
func (s *Scene) Range() (low, high int64, ok bool) {
	low, high = sim.MaxTime, sim.MinTime
	see := func(t int64) {
		if t != sim.MinTime && t != sim.MaxTime {
			low, high = min(low, t), max(high, t)
		}
	}
	for _, l := range s.Lanes {
		for _, m := range l.Marks {
			see(m.TS)
		}
		see(l.Watermark)
	}
	for _, w := range s.Windows {
		see(w.Start)
		see(w.End)
	}
	see(s.Watermark)
	if low > high {
		return 0, 0, false
	}
	if low == high {
		high++
	}
	return low, high, true
}
