package fold

import (
	"maps"
	"sort"
	"strings"

	"streaminglab/sim"
)

// Folds are the folds over a trace up to some step.
type Folds struct {
	Records      []Record       `expr:"records" doc:"records as window operators and joins handled them, in order"`
	Reads        []Read         `expr:"reads" doc:"records as sources read them"`
	Firings      []Firing       `expr:"firings" doc:"results of windows"`
	Results      []Result       `expr:"results" doc:"what the sinks took"`
	Watermarks   []Watermark    `expr:"watermarks" doc:"rises of watermarks: of splits, sources, operators"`
	Statuses     []Status       `expr:"statuses" doc:"changes between idle and active"`
	Holds        []Hold         `expr:"holds" doc:"answers to who holds a watermark back, written when they change"`
	Cleanups     []Cleanup      `expr:"cleanups" doc:"windows whose state was deleted without output"`
	Merges       []Merge        `expr:"merges" doc:"sessions that became one"`
	Timers       []Timer        `expr:"timers" doc:"event timers of process functions that fired"`
	Pairs        []Pair         `expr:"pairs" doc:"results of interval joins"`
	Checkpoints  []*Checkpoint  `expr:"checkpoints" doc:"checkpoints and savepoints that ended: completed or aborted"`
	Objects      []*Object      `expr:"objects" doc:"objects that lay in the store at some time"`
	Edits        []Edit         `expr:"edits" doc:"SSTs that trees wrote and replaced"`
	Restores     []Restore      `expr:"restores" doc:"starts of the job from a snapshot, also those that failed"`
	Retained     []string       `expr:"retained" doc:"completed checkpoints that jobs keep or left behind, by name, oldest first; not those that were subsumed or deleted by a JobManager"`
	Starts       []Start        `expr:"starts" doc:"starts of the job"`
	Failures     []Failure      `expr:"failures" doc:"tasks that failed"`
	Partitions   []*Partition   `expr:"partitions" doc:"partitions of topics"`
	Batches      []*Batch       `expr:"batches" doc:"batches that stand in the logs of partitions, or stood there, in order"`
	Markers      []Marker       `expr:"markers" doc:"markers of transactions that were written, in order"`
	Transactions []*Transaction `expr:"transactions" doc:"transactions of the broker, by their numbers"`
	Polls        []Poll         `expr:"polls" doc:"what polls of consumers did, one for each partition"`
	Consumed     []Consumed     `expr:"consumed" doc:"records as consumers got them, in order"`
	Refusals     []Refusal      `expr:"refusals" doc:"errors that the broker answered with"`
	Delays       []*Delay       `expr:"delays" doc:"records of topics, in the order in which they were written: how long each waited until read_committed gets it"`
	Verdicts     []Verdict      `expr:"verdicts" doc:"what happened to data, by name: lost, doubled, replayed, stuck…"`
	Beside       []*Beside      `expr:"beside" doc:"jobs beside the one of the experiment, on the same broker"`
	Steps        []Step         `expr:"steps" doc:"all steps, but those of jobs beside"`
	Status       string         `expr:"status" doc:"state of the job: CREATED, RUNNING, RESTARTING, SUSPENDED (no JobManager leads it), FAILED, CANCELED, FINISHED"`
	Now          int            `expr:"now" doc:"virtual time, ms"`

	// Judge fills Verdicts; without one no expression may read them.
	Judge Judge

	trace      *sim.Trace
	storage    *Storage
	kafka      *Kafka
	visibility visibility
	// starting is the step of the last start from a snapshot; 0: it was none.
	starting int
	seen     int
	last     *sim.Step
	attempt  int
	regions  Regions
	marks    map[string]int
	idle     map[string]bool
	held     map[string][]string
	// Counters of the running attempt, and of all attempts, by subtask and metric.
	metrics, totals map[string]int
	gauges          gauges
	// places are the names of vertices, subtasks and splits that steps have shown.
	places map[string]bool
}

// Of returns the folds over a trace.
func Of(t *sim.Trace) *Folds {
	f := &Folds{}
	f.Update(t)
	return f
}

// UpdateAt is Update at a virtual time in ms, which may have gone on since the last
// step.
func (f *Folds) UpdateAt(t *sim.Trace, now int64) {
	f.Update(t)
	f.Now = max(f.Now, int(now))
}

// OfAt returns the folds over a trace at a virtual time in ms.
func OfAt(t *sim.Trace, now int64) *Folds {
	f := &Folds{}
	f.UpdateAt(t, now)
	return f
}

func (f *Folds) reset() {
	*f = Folds{
		Judge: f.Judge, Status: "CREATED", marks: map[string]int{}, idle: map[string]bool{}, held: map[string][]string{},
		metrics: map[string]int{}, totals: map[string]int{}, places: map[string]bool{},
		storage: NewStorage(), kafka: NewKafka(), visibility: newVisibility(),
	}
}

// Update takes in the steps that came since the last call; a trace that is
// another one is folded from its start.
func (f *Folds) Update(t *sim.Trace) {
	if f.marks == nil || f.seen > t.Len() || f.last != nil && t.Step(f.seen) != f.last {
		f.reset()
	}
	for _, s := range t.Steps()[f.seen:] {
		if s.Job == "" {
			f.add(s)
		} else {
			f.Beside = besideStep(f.Beside, s)
		}
		f.last = s
	}
	k := f.kafka
	f.Partitions, f.Batches, f.Markers, f.Transactions = k.Partitions, k.Batches, k.Markers, k.Transactions
	f.Polls, f.Consumed, f.Refusals, f.Delays = k.Polls, k.Consumed, k.Refusals, k.Delays
	f.seen, f.trace = t.Len(), t
}

// place splits "totals[0]" into its name and number.
func place(at string) (name string, subtask int) {
	name, rest, ok := strings.Cut(at, "[")
	if !ok {
		return at, 0
	}
	// Behind the bracket a zombie says what it is.
	number, _, _ := strings.Cut(rest, "]")
	for _, c := range number {
		subtask = subtask*10 + int(c-'0')
	}
	return name, subtask
}

// committables are the counters of a committer, by the result of a call.
var committables = map[string]string{
	sim.CommitOK: "successfulCommittables", sim.CommitRetry: "retriedCommittables",
	sim.CommitFailedKnown: "failedCommittables", sim.CommitFailedUnknown: "failedCommittables",
}

func (f *Folds) count(at, metric string, n int) {
	f.metrics[at+"."+metric] += n
	f.totals[at+"."+metric] += n
}

func (f *Folds) add(s *sim.Step) {
	f.Steps = append(f.Steps, Step{Seq: s.Seq, T: int(s.T), Type: s.Type(), At: s.At, Rule: s.Rule})
	f.Now = int(s.T)
	name, subtask := place(s.At)
	at := strings.TrimPrefix(s.At, "split:")
	f.places[at] = true
	f.snapshotSteps(s)
	f.regions.Add(s)
	f.gauges.add(s)
	f.kafka.Add(s)
	switch b := s.Body.(type) {
	case sim.RecordRead:
		f.Reads = append(f.Reads, Read{
			Key: b.Key, TS: int(b.TS), Value: int(b.Value), Word: b.Word, Split: at,
			Offset: int(b.Record.Offset), Again: b.Again, Attempt: f.attempt, Step: s.Seq, T: int(s.T),
		})
	case sim.RecordPlaced:
		f.placed(s, sim.Placement(b), func(r *Record) { r.Accepted = true })
		f.count(s.At, "numRecordsIn", 1)
	case sim.RecordDropped:
		f.placed(s, sim.Placement(b), func(r *Record) { r.Dropped = true })
		f.count(s.At, "numRecordsIn", 1)
		f.count(s.At, "numLateRecordsDropped", 1)
	case sim.RecordLate:
		f.placed(s, sim.Placement(b), func(r *Record) { r.Late = true })
		f.count(s.At, "numRecordsIn", 1)
	case sim.RecordVanished:
		f.placed(s, sim.Placement(b), func(r *Record) { r.Vanished = true })
		f.count(s.At, "numRecordsIn", 1)
	case sim.RecordProcessed:
		f.count(s.At, "numRecordsIn", 1)
	case sim.WindowFired:
		f.Firings = append(f.Firings, Firing{
			Operator: name, Subtask: subtask, Key: b.Key, Start: int(b.Start), End: int(b.End), Value: int(b.Value),
			Values: ints(b.Values), Count: int(b.Count), Reason: b.Reason, Watermark: int(b.Watermark),
			Attempt: f.attempt, Step: s.Seq, T: int(s.T),
		})
		f.count(s.At, "numRecordsOut", 1)
	case sim.ResultWritten:
		f.Results = append(f.Results, Result{
			Sink: name, Key: b.Key, TS: int(b.TS), Start: int(b.Window.Start), End: int(b.Window.End),
			Value: int(b.Value), Word: b.Word, Values: ints(b.Values), Count: int(b.Count), Partition: b.Partition, Offset: -1, Attempt: f.attempt, Step: s.Seq, T: int(s.T),
		})
		f.written(name, s.Seq, &b)
		f.count(s.At, "numRecordsIn", 1)
	case sim.CommitAttempted:
		f.count(s.At, committables[b.Result], 1)
	case sim.TransactionCommitted:
		f.committed(b.ID)
	case sim.BatchAppended:
		f.appended(s)
	case sim.MarkerWritten:
		f.decided(b.Partition)
	case sim.HighWatermarkAdvanced:
		f.decided(b.Partition)
	case sim.LeaderChanged:
		f.gone(b.Partition, int(b.End))
	case sim.SplitWatermark:
		f.mark(s, at, b.Watermark, b.Previous)
	case sim.WatermarkEmitted:
		f.mark(s, at, b.Watermark, b.Previous)
	case sim.WatermarkAdvanced:
		f.mark(s, at, b.Watermark, b.Previous)
	case sim.SplitStatus:
		f.status(s, at, b.Status)
	case sim.StatusChanged:
		f.status(s, at, b.Status)
	case sim.WatermarkHeld:
		f.Holds = append(f.Holds, Hold{At: s.At, By: b.By, Watermark: int(b.Watermark), Ahead: int(b.Ahead), Step: s.Seq, T: int(s.T)})
		f.held[s.At] = b.By
	case sim.WindowCleaned:
		f.Cleanups = append(f.Cleanups, Cleanup{Operator: name, Key: b.Key, Start: int(b.Start), End: int(b.End), Unfired: int(b.Unfired), Step: s.Seq, T: int(s.T)})
	case sim.WindowMerged:
		f.Merges = append(f.Merges, Merge{Operator: name, Key: b.Key, Start: int(b.Start), End: int(b.End), From: len(b.From), Step: s.Seq, T: int(s.T)})
	case sim.TimerFired:
		f.Timers = append(f.Timers, Timer{Operator: name, Key: b.Key, Timer: int(b.Timer), Step: s.Seq, T: int(s.T)})
	case sim.JoinMatched:
		f.Pairs = append(f.Pairs, Pair{Operator: name, Key: b.Key, Left: b.Left, Right: b.Right, TS: int(b.TS), Step: s.Seq, T: int(s.T)})
		f.count(s.At, "numRecordsOut", 1)
	case sim.TaskFailed:
		f.Failures = append(f.Failures, Failure{At: s.At, Class: b.Exception.Class, Message: b.Exception.Message, Step: s.Seq, T: int(s.T)})
	case sim.JobStarted:
		f.attempt = b.Attempt
		f.Starts = append(f.Starts, Start{Attempt: b.Attempt, Restored: int(b.Restored), Parallelism: b.Parallelism, Spare: len(b.Spare), Step: s.Seq, T: int(s.T)})
		touched := func(at string) bool { return Touches(b.Subtasks, b.Splits, at) }
		maps.DeleteFunc(f.metrics, func(k string, _ int) bool {
			at, _, _ := cutLast(k, ".")
			return touched(at)
		})
		maps.DeleteFunc(f.marks, func(at string, _ int) bool { return touched(at) })
		maps.DeleteFunc(f.idle, func(at string, _ bool) bool { return touched(at) })
		maps.DeleteFunc(f.held, func(at string, _ []string) bool { return touched(at) })
		for _, v := range b.Vertices {
			f.places[v] = true
		}
		for _, v := range b.Spare {
			f.marks[v] = int(sim.MinTime)
		}
	}
	if status := statusAfter(s, &f.regions); status != "" {
		f.Status = status
	}
}

func (f *Folds) placed(s *sim.Step, p sim.Placement, is func(*Record)) {
	name, subtask := place(s.At)
	r := Record{
		Key: p.Key, TS: int(p.TS), Value: int(p.Value), Word: p.Word, Offset: int(p.Record.Offset),
		Operator: name, Subtask: subtask, WatermarkBefore: int(p.WatermarkBefore), Behind: p.TS <= p.WatermarkBefore,
		Attempt: f.attempt, Step: s.Seq, T: int(s.T),
	}
	if p.Record.Source != "" {
		r.Split = strings.TrimSuffix(p.Record.Source+"/"+p.Record.Split, "/")
	}
	for _, w := range p.Windows {
		r.Windows = append(r.Windows, Window{Start: int(w.Start), End: int(w.End), Fate: w.Fate})
	}
	is(&r)
	f.Records = append(f.Records, r)
}

func (f *Folds) mark(s *sim.Step, at string, w, previous int64) {
	f.Watermarks = append(f.Watermarks, Watermark{At: at, Watermark: int(w), Previous: int(previous), Step: s.Seq, T: int(s.T)})
	f.marks[at] = int(w)
}

func (f *Folds) status(s *sim.Step, at, status string) {
	idle := status == sim.StatusIdle
	f.Statuses = append(f.Statuses, Status{At: at, Idle: idle, Step: s.Seq, T: int(s.T)})
	f.idle[at] = idle
}

func ints(in []int64) []int {
	out := make([]int, len(in))
	for i, v := range in {
		out[i] = int(v)
	}
	return out
}

// Known reports whether a vertex, subtask or split has shown in the trace.
func (f *Folds) Known(at string) bool { return f.places[at] }

// WatermarkOf returns the watermark of a split, a subtask, or the lowest of
// the subtasks of a source or operator; MIN when none was emitted. Known is
// false for a name that no step has shown.
func (f *Folds) WatermarkOf(at string) (wm int, known bool) {
	if w, ok := f.marks[at]; ok {
		return w, true
	}
	low, found := int(sim.MaxTime), false
	for k, w := range f.marks {
		if name, _ := place(k); name == at && name != k {
			low, found = min(low, w), true
		}
	}
	if found {
		return low, true
	}
	return int(sim.MinTime), false
}

// IdleOf reports whether a split, source subtask or operator subtask is idle;
// a source or operator is idle when all its subtasks are.
func (f *Folds) IdleOf(at string) bool {
	if v, ok := f.idle[at]; ok {
		return v
	}
	found, idle := false, true
	for k, v := range f.idle {
		if name, _ := place(k); name == at && name != k {
			found, idle = true, idle && v
		}
	}
	return found && idle
}

// HeldBy returns who holds the watermark of a subtask ("totals[0]"), or of
// any subtask of that name.
func (f *Folds) HeldBy(at string) []string {
	if v, ok := f.held[at]; ok {
		return v
	}
	for i := len(f.Holds) - 1; i >= 0; i-- {
		if name, _ := place(f.Holds[i].At); name == at {
			return f.held[f.Holds[i].At]
		}
	}
	return nil
}

// Metric returns a metric of the running attempt: of a subtask
// ("totals[0].numLateRecordsDropped") or summed over subtasks; of the job
// ("jm.numRestarts"); the largest one of an operator's subtasks, where a sum says
// nothing.
func (f *Folds) Metric(path string) (int, bool) {
	at, metric, ok := cutLast(path, ".")
	if !ok {
		return 0, false
	}
	switch metric {
	case "currentInputWatermark", "currentOutputWatermark":
		w, _ := f.WatermarkOf(at)
		return w, true
	}
	if at == JobManager {
		return f.jobMetric(metric)
	}
	if n, ok := f.taskMetric(at, metric); ok {
		return n, true
	}
	return sum(f.metrics, at, metric)
}

// Total returns a counter over all attempts.
func (f *Folds) Total(path string) (int, bool) {
	at, metric, ok := cutLast(path, ".")
	if !ok {
		return 0, false
	}
	return sum(f.totals, at, metric)
}

func sum(counters map[string]int, at, metric string) (n int, ok bool) {
	for _, m := range counterNames {
		ok = ok || m == metric
	}
	for k, v := range counters {
		where, m, _ := cutLast(k, ".")
		if m != metric {
			continue
		}
		if name, _ := place(where); where == at || name == at {
			n += v
		}
	}
	return n, ok
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// Counter is one metric of a subtask of the running attempt.
type Counter struct {
	At     string
	Metric string
	Value  int
}

// Counters lists the counters of the running attempt, ordered by subtask and
// name.
func (f *Folds) Counters() []Counter {
	var out []Counter
	for k, v := range f.metrics {
		at, metric, _ := cutLast(k, ".")
		out = append(out, Counter{at, metric, v})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].At != out[j].At {
			return out[i].At < out[j].At
		}
		return out[i].Metric < out[j].Metric
	})
	return out
}
