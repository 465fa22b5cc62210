package eventtime

import (
	"sort"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// SQLWindowConfig configures a SQLWindowOperator: SUM and COUNT of the values,
// GROUP BY key and window over a window TVF.
type SQLWindowConfig struct {
	// Slices is the assigner of TUMBLE, HOP and CUMULATE; nil means SESSION.
	Slices SliceAssigner
	// Gap is the session gap in ms.
	Gap int64
	// Zone shifts rowtimes of TIMESTAMP_LTZ; nil reads them as UTC.
	Zone *Zone
	// CountStar says that the planner added a COUNT(*) to know empty windows,
	// which it does for HOP.
	CountStar bool
}

// Accumulator holds SUM and COUNT of a slice or session.
type Accumulator struct {
	Sum, Count int64
	// Some says that a row was added since the accumulator was made: SUM is
	// not NULL.
	Some bool
}

// SQLWindowOperator is the window aggregate of a window TVF (EV-7.2, EV-7.9,
// EV-8.4). It mirrors WindowAggOperator of
// org.apache.flink.table.runtime.operators.window.tvf.common with its slicing
// processors, its records buffer and its session processor.
type SQLWindowOperator struct {
	operator.Base
	SQLWindowConfig

	acc      *state.Table[Accumulator]
	sets     *state.Table[[]mapping]
	restored *state.OperatorList

	// current is the operator's own watermark, which outlives a restart
	// (EV-8.4); progress is what the processor has seen.
	current, progress, nextTrigger int64
	buffer                         []bufferedRow
	minSliceEnd                    int64

	slices []int64
	latest map[latestKey]*sim.Step
	out    operator.Record
}

// bufferedRow waits for a flush.
type bufferedRow struct {
	key   *state.Key
	slice int64
	value int64
	back  bool
	step  *sim.Step
}

// WindowsOfRow is the largest number of windows that a row may belong to.
func (c *SQLWindowConfig) WindowsOfRow() int64 {
	if c.Slices == nil {
		return 1
	}
	end := c.Slices.AssignSliceEnd(c.Slices.WindowStart(c.Slices.AssignSliceEnd(0)))
	return (c.Slices.LastWindowEnd(end)-end)/c.Slices.SliceEndInterval() + 1
}

// NewSQLWindowOperator returns an operator that is not open yet.
func NewSQLWindowOperator(c SQLWindowConfig) *SQLWindowOperator {
	return &SQLWindowOperator{SQLWindowConfig: c}
}

// Open declares state and timers.
func (o *SQLWindowOperator) Open(c *operator.Context) error {
	o.Init(c, state.OpenTimers(c.State, "window-timers"), o.onEventTime)
	o.acc = state.Open(c.State, "window-aggs", accumulatorCodec{})
	if o.Slices == nil {
		o.sets = state.Open(c.State, "session-window-mapping", state.List[mapping]{Of: mappingCodec{}})
	}
	o.restored = state.OpenList(c.State, "watermark", state.UnionMode)
	o.current, o.progress, o.nextTrigger = sim.MinTime, sim.MinTime, sim.MinTime
	o.minSliceEnd = sim.MaxTime
	if c.Trace != nil {
		o.latest = map[latestKey]*sim.Step{}
	}
	return nil
}

// Restored takes the lowest watermark that any subtask had saved (EV-8.4).
func (o *SQLWindowOperator) Restored() error {
	items, ok := o.restored.Restored()
	if !ok {
		return nil
	}
	low := items[0]
	for _, w := range items {
		low = min(low, w)
	}
	o.current, o.progress, o.Watermark = low, low, low
	return nil
}

// Snapshot saves the watermark.
func (o *SQLWindowOperator) Snapshot(int64) error {
	o.restored.Set(o.current)
	return nil
}

// ProcessWatermark lets the buffer see the watermark, fires due timers and
// forwards it. One that is not above the current one goes out as the current
// one.
func (o *SQLWindowOperator) ProcessWatermark(t int64) error {
	if t <= o.current {
		t = o.current
	} else {
		o.advanceProgress(t)
		o.current = t
	}
	return o.Base.ProcessWatermark(t)
}

func (o *SQLWindowOperator) advanceProgress(t int64) {
	if o.Slices == nil {
		return
	}
	o.progress = t
	if t < o.nextTrigger {
		return
	}
	o.nextTrigger = NextTriggerWatermark(t, o.Slices.SliceEndInterval(), o.Zone)
	if IsWindowFired(o.minSliceEnd, t, o.Zone) {
		o.flush(false)
	}
}

// PrepareBarrier empties the buffer: rows belong to the checkpoint.
func (o *SQLWindowOperator) PrepareBarrier(int64) error {
	o.flush(true)
	return nil
}

// ProcessRecord puts a row into its slice or session.
func (o *SQLWindowOperator) ProcessRecord(_ int, r *operator.Record) error {
	o.Metrics.NumRecordsIn++
	if r.TS == sim.MinTime {
		return by("EV-7.8", runtimeException("RowTime field should not be null, please convert it to a non-null long value."))
	}
	ts := ToUTCTimestampMills(r.TS, o.Zone)
	if o.Slices == nil {
		o.processSession(r, ts)
		return nil
	}
	sliceEnd := o.Slices.AssignSliceEnd(ts)
	if !IsWindowFired(sliceEnd, o.progress, o.Zone) {
		o.enqueue(r, sliceEnd, sliceEnd)
		return nil
	}
	last := o.Slices.LastWindowEnd(sliceEnd)
	if IsWindowFired(last, o.progress, o.Zone) {
		o.drop(r, sliceEnd)
		return nil
	}
	target := sliceEnd
	if o.Slices.Shared() {
		if _, into, kept := o.Slices.MergeSlices(nil, sliceEnd); kept {
			target = into
		}
	}
	o.enqueue(r, sliceEnd, target)
	first := sliceEnd
	for IsWindowFired(first, o.progress, o.Zone) {
		first += o.Slices.SliceEndInterval()
	}
	o.register(r.Key, first)
	return nil
}

// enqueue puts a row of a slice into the buffer, under the slice whose state
// it will change.
func (o *SQLWindowOperator) enqueue(r *operator.Record, sliceEnd, target int64) {
	row := bufferedRow{key: r.Key, slice: target, value: r.Value, back: r.Kind.Retracts()}
	if o.Trace != nil {
		row.step = o.Step("EV-7.2", sim.RecordPlaced(o.placement(r, sliceEnd, false)))
	}
	o.buffer = append(o.buffer, row)
	o.minSliceEnd = min(o.minSliceEnd, target)
}

func (o *SQLWindowOperator) drop(r *operator.Record, sliceEnd int64) {
	o.Metrics.NumLateRecordsDropped++
	if o.Trace != nil {
		o.Step("EV-7.2", sim.RecordDropped(o.placement(r, sliceEnd, true)))
	}
}

// placement lists the windows that a slice belongs to.
func (o *SQLWindowOperator) placement(r *operator.Record, sliceEnd int64, late bool) sim.Placement {
	p := sim.Placement{
		Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
		Key:    r.Key.Name, TS: r.TS, Value: r.Value, WatermarkBefore: o.Watermark,
		Dropped: o.Metrics.NumLateRecordsDropped,
	}
	eachEnd(sliceEnd, o.Slices.LastWindowEnd(sliceEnd), o.Slices.SliceEndInterval(), func(end int64) {
		fate := sim.FateBuffered
		if late || IsWindowFired(end, o.progress, o.Zone) {
			fate = sim.FateLate
		}
		p.Windows = append(p.Windows, sim.WindowFate{Start: o.Slices.WindowStart(end), End: end, Fate: fate})
	})
	return p
}

// eachEnd calls f for the ends from first to last, also where the next one
// would be behind the end of time.
func eachEnd(first, last, step int64, f func(end int64)) {
	for end := first; end <= last; end += step {
		f(end)
		if end > sim.MaxTime-step {
			return
		}
	}
}

// slice is the namespace of the state of a slice and of the timer of a window
// with that end.
func (o *SQLWindowOperator) slice(end int64) state.Namespace {
	return state.Namespace{Start: end - o.Slices.SliceEndInterval(), End: end}
}

func (o *SQLWindowOperator) register(k *state.Key, windowEnd int64) {
	o.Timers().Register(ToEpochMillsForTimer(windowEnd-1, o.Zone), k, o.slice(windowEnd))
}

// flush moves the buffered rows into state. A slice end that the operator's
// watermark covers already gets no timer: here rows on time can be lost
// (FLINK-36664).
func (o *SQLWindowOperator) flush(checkpoint bool) {
	if len(o.buffer) == 0 {
		return
	}
	var lost int64
	var causes []*sim.Step
	for _, row := range o.buffer {
		ns := o.slice(row.slice)
		o.acc.Update(row.key, ns, func(a *Accumulator) { a.add(row.value, row.back) })
		if IsWindowFired(row.slice, o.Watermark, o.Zone) {
			lost++
		} else {
			o.register(row.key, row.slice)
		}
		if o.Trace != nil {
			o.latest[latestKey{row.key, ns}] = row.step
			causes = append(causes, row.step)
		}
	}
	if o.Trace != nil {
		o.Step("EV-7.2", sim.BufferFlushed{
			Rows: int64(len(o.buffer)), Lost: lost, Watermark: o.Watermark,
			NextTrigger: o.nextTrigger, Checkpoint: checkpoint,
		}, append(causes, o.Cause)...)
	}
	o.buffer = o.buffer[:0]
	o.minSliceEnd = sim.MaxTime
}

func (a *Accumulator) add(v int64, back bool) {
	if back {
		a.Sum, a.Count = a.Sum-v, a.Count-1
	} else {
		a.Sum, a.Count, a.Some = a.Sum+v, a.Count+1, true
	}
}

func (a *Accumulator) merge(b Accumulator) {
	a.Sum, a.Count, a.Some = a.Sum+b.Sum, a.Count+b.Count, a.Some || b.Some
}

func (o *SQLWindowOperator) onEventTime(t state.Timer) error {
	if o.Slices == nil {
		o.fireSession(t)
		return nil
	}
	end := t.Namespace.End
	var acc Accumulator
	if !o.Slices.Shared() {
		acc, _ = o.acc.Get(t.Key, o.slice(end))
	} else {
		acc = o.mergeSlices(t.Key, end)
	}
	empty := o.CountStar && acc.Count == 0
	if !empty {
		o.emit(t, state.Namespace{Start: o.Slices.WindowStart(end), End: end}, acc)
	}
	if o.Slices.Shared() {
		if next, ok := o.Slices.NextTriggerWindow(end, empty); ok {
			o.register(t.Key, next)
		}
	}
	o.slices = o.Slices.ExpiredSlices(o.slices[:0], end)
	for _, s := range o.slices {
		o.acc.Delete(t.Key, o.slice(s))
		if o.latest != nil {
			delete(o.latest, latestKey{t.Key, o.slice(s)})
		}
	}
	return nil
}

// mergeSlices computes the accumulator of a window from its slices; a
// cumulative window keeps the result under its first slice.
func (o *SQLWindowOperator) mergeSlices(k *state.Key, end int64) Accumulator {
	slices, target, kept := o.Slices.MergeSlices(o.slices[:0], end)
	o.slices = slices
	var acc Accumulator
	if kept {
		acc, _ = o.acc.Get(k, o.slice(target))
	}
	for _, s := range slices {
		if v, ok := o.acc.Get(k, o.slice(s)); ok {
			acc.merge(v)
		}
	}
	if kept {
		o.acc.Put(k, o.slice(target), acc)
	}
	return acc
}

func (o *SQLWindowOperator) emit(t state.Timer, w state.Namespace, acc Accumulator) {
	o.out = operator.Record{
		Key: t.Key, TS: w.End - 1, Window: w, Timer: t.Time,
		Value: acc.Sum, Count: acc.Count, NullSum: !acc.Some,
	}
	o.Metrics.NumRecordsOut++
	if o.Trace != nil {
		body := sim.WindowFired{
			Key: t.Key.Name, Start: w.Start, End: w.End, Value: acc.Sum, Count: acc.Count, Null: !acc.Some,
			Reason: sim.ReasonWatermark, Timer: t.Time, Watermark: o.Watermark, Cleaned: true,
		}
		causes := []*sim.Step{o.Cause}
		if o.Slices != nil {
			eachEnd(w.Start+o.Slices.SliceEndInterval(), w.End, o.Slices.SliceEndInterval(), func(end int64) {
				causes = append(causes, o.latest[latestKey{t.Key, o.slice(end)}])
			})
		} else {
			causes = append(causes, o.latest[latestKey{t.Key, w}])
		}
		o.out.Step = o.Step("EV-7.2", body, causes...)
	}
	o.Out.Record(&o.out)
}

type accumulatorCodec struct{}

func (accumulatorCodec) Append(dst []byte, a Accumulator) []byte {
	dst = state.Int64{}.Append(state.Int64{}.Append(dst, a.Sum), a.Count)
	if a.Some {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func (accumulatorCodec) Read(src []byte) (a Accumulator, rest []byte, err error) {
	if a.Sum, src, err = (state.Int64{}).Read(src); err != nil {
		return a, nil, err
	}
	if a.Count, src, err = (state.Int64{}).Read(src); err != nil {
		return a, nil, err
	}
	if len(src) == 0 {
		return a, nil, state.ErrCodec
	}
	a.Some = src[0] == 1
	return a, src[1:], nil
}

func (accumulatorCodec) Format(a Accumulator) string {
	if !a.Some {
		return "sum=NULL count=" + state.Int64{}.Format(a.Count)
	}
	return "sum=" + state.Int64{}.Format(a.Sum) + " count=" + state.Int64{}.Format(a.Count)
}

// processSession adds a row to the session that its own window belongs to
// after merging (EV-7.9).
func (o *SQLWindowOperator) processSession(r *operator.Record, ts int64) {
	own := state.Namespace{Start: ts, End: ts + o.Gap}
	set := o.set(r.Key)
	w, from, keep := own, []mapping(nil), own
	rest := mergingSet{}
	for _, m := range set {
		if w.Start <= m.Window.End && w.End >= m.Window.Start {
			w = state.Namespace{Start: min(w.Start, m.Window.Start), End: max(w.End, m.Window.End)}
			from = append(from, m)
		} else {
			rest = append(rest, m)
		}
	}
	if len(from) > 0 {
		keep = from[0].State
	}
	if merged := len(from) > 1 || len(from) == 1 && from[0].Window != w; merged {
		o.mergeSessions(r, w, from)
	}
	if o.sessionLate(w) {
		o.persist(r.Key, rest)
		o.dropSession(r, w)
		return
	}
	o.persist(r.Key, append(rest, mapping{w, keep}))
	o.acc.Update(r.Key, keep, func(a *Accumulator) { a.add(r.Value, r.Kind.Retracts()) })
	if o.Trace != nil {
		step := o.Step("EV-7.9", sim.RecordPlaced(o.sessionPlacement(r, w, sim.FateAdded)))
		o.latest[latestKey{r.Key, w}] = step
		o.Cause = step
	}
	end := ToEpochMillsForTimer(w.End-1, o.Zone)
	if end <= o.Watermark {
		acc, _ := o.acc.Get(r.Key, keep)
		o.emit(state.Timer{Time: end, Key: r.Key, Namespace: w}, w, acc)
	}
	o.Timers().Register(end, r.Key, w)
}

func (o *SQLWindowOperator) set(k *state.Key) mergingSet {
	s, _ := o.sets.Get(k, state.Void)
	return mergingSet(s)
}

func (o *SQLWindowOperator) persist(k *state.Key, s mergingSet) {
	if len(s) == 0 {
		o.sets.Delete(k, state.Void)
		return
	}
	sort.Slice(s, func(i, j int) bool { return s[i].Window.Less(s[j].Window) })
	o.sets.Put(k, state.Void, append([]mapping(nil), s...))
}

func (o *SQLWindowOperator) sessionLate(w state.Namespace) bool {
	return ToEpochMillsForTimer(w.End-1, o.Zone) <= o.Watermark
}

func (o *SQLWindowOperator) dropSession(r *operator.Record, w state.Namespace) {
	o.Metrics.NumLateRecordsDropped++
	if o.Trace != nil {
		o.Step("EV-7.9", sim.RecordDropped(o.sessionPlacement(r, w, sim.FateLate)))
	}
}

func (o *SQLWindowOperator) sessionPlacement(r *operator.Record, w state.Namespace, fate string) sim.Placement {
	return sim.Placement{
		Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
		Key:    r.Key.Name, TS: r.TS, Value: r.Value, WatermarkBefore: o.Watermark,
		Windows: []sim.WindowFate{{Start: w.Start, End: w.End, Fate: fate}},
		Dropped: o.Metrics.NumLateRecordsDropped,
	}
}

// mergeSessions merges the contents of sessions under the state of the first
// and removes their timers.
func (o *SQLWindowOperator) mergeSessions(r *operator.Record, w state.Namespace, from []mapping) {
	body := sim.WindowMerged{
		Key: r.Key.Name, Start: w.Start, End: w.End,
		Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
	}
	causes := []*sim.Step{o.Cause}
	for i, m := range from {
		o.Timers().Delete(ToEpochMillsForTimer(m.Window.End-1, o.Zone), r.Key, m.Window)
		if i > 0 {
			if v, ok := o.acc.Get(r.Key, m.State); ok {
				o.acc.Delete(r.Key, m.State)
				o.acc.Update(r.Key, from[0].State, func(a *Accumulator) { a.merge(v) })
			}
		}
		if o.Trace != nil {
			body.From = append(body.From, sim.Interval{Start: m.Window.Start, End: m.Window.End})
			causes = append(causes, o.latest[latestKey{r.Key, m.Window}])
		}
	}
	if o.Trace != nil {
		o.Cause = o.Step("EV-7.9", body, causes...)
	}
	if end := ToEpochMillsForTimer(w.End-1, o.Zone); end > o.Watermark {
		o.Timers().Register(end, r.Key, w)
	}
}

// fireSession emits a session and deletes its state.
func (o *SQLWindowOperator) fireSession(t state.Timer) {
	set := o.set(t.Key)
	keep, ok := set.stateWindow(t.Namespace)
	if !ok {
		return
	}
	acc, _ := o.acc.Get(t.Key, keep)
	o.emit(t, t.Namespace, acc)
	o.acc.Delete(t.Key, keep)
	o.persist(t.Key, set.retire(t.Namespace))
	if o.latest != nil {
		delete(o.latest, latestKey{t.Key, t.Namespace})
	}
}
