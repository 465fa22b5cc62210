package flink_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/fold"
	"streaminglab/sim/kafka"
	"streaminglab/sim/script"
	"streaminglab/sim/verdict"
	"streaminglab/sim/world"
)

// Three twins play one story with one fault: what the rules promise, and the
// two ways in which they say that it fails.
const (
	exactlyOnce = "EXACTLY_ONCE"
	atLeastOnce = "AT_LEAST_ONCE"
)

// A twinFault is a way to fail at a fault point, and what the rules say of it.
type twinFault struct {
	point, kind string
	// completes: the checkpoint that it hits is completed all the same, and the
	// job goes back to it; else to the one before.
	completes bool
	// lags : the barrier of the reader of clicks/0 starts a second later, so that
	// what had come by then is in front of it.
	lags bool
	// data : data pass the point, so that it can also be hit between checkpoints.
	data bool
	// producer : it changes what stands in the log, and ends no attempt.
	producer bool
	// poison : no attempt comes past the record.
	poison bool
	// why is the rule.
	why string
}

// twinFaults has a row for each kind of each fault point. All kinds of crash are
// also played with the JobManager as their victim.
var twinFaults = []twinFault{
	{point: sim.PointSourceRead, kind: sim.FaultCrash, data: true, why: "EV-8.2: read and not sent is read again"},
	{point: sim.PointTaskRecord, kind: sim.FaultCrash, data: true, why: "EV-8.2"},
	{point: sim.PointTaskEmit, kind: sim.FaultCrash, data: true, why: "EV-8.2"},
	{point: sim.PointTaskWatermark, kind: sim.FaultCrash, data: true, why: "EV-8.3: it is in no snapshot"},
	{point: sim.PointCoordinator, kind: sim.FaultCrash, why: "CP-1.1: no task was told"},
	{point: sim.PointCoordinator, kind: sim.FaultFail, why: "CP-1.1: no task was told"},
	{point: sim.PointCoordinator, kind: sim.FaultDelay, completes: true, lags: true, why: "CP-1.1: tasks are told afterwards"},
	{point: sim.PointTrigger, kind: sim.FaultCrash, why: "CP-11.4: a subtask that has not acknowledged"},
	{point: sim.PointTrigger, kind: sim.FaultDelay, completes: true, lags: true, why: "CP-1.3: the barrier starts where the reader is"},
	{point: sim.PointSourceSnapshot, kind: sim.FaultCrash, why: "CP-11.4"},
	{point: sim.PointSourceSnapshot, kind: sim.FaultDelay, completes: true, why: "CP-1.3: the barrier is sent"},
	{point: sim.PointBarrier, kind: sim.FaultCrash, why: "CP-11.4"},
	{point: sim.PointSnapshot, kind: sim.FaultCrash, why: "CP-11.4"},
	{point: sim.PointSnapshot, kind: sim.FaultDecline, why: "CP-3.2: counted, and none is tolerated"},
	{point: sim.PointSnapshot, kind: sim.FaultDelay, completes: true, why: "CP-1.3: the synchronous part takes longer"},
	{point: sim.PointDisk, kind: sim.FaultFail, why: "CP-3.3: the synchronous part fails, and so does the task"},
	{point: sim.PointUpload, kind: sim.FaultCrash, why: "CP-5.8"},
	{point: sim.PointUpload, kind: sim.FaultFail, why: "CP-11.4: an upload fails, and none is tolerated"},
	{point: sim.PointTaskAck, kind: sim.FaultCrash, why: "CP-11.4: after its own acknowledgement, another one missing"},
	{point: sim.PointTaskAck, kind: sim.FaultLose, why: "CP-1.1: it waits for the acknowledgement until its timeout"},
	{point: sim.PointTaskAck, kind: sim.FaultDelay, completes: true, why: "CP-1.4"},
	{point: sim.PointCheckpointAck, kind: sim.FaultCrash, why: "CP-11.4: all acknowledgements are in, and nothing is written"},
	{point: sim.PointMetadata, kind: sim.FaultCrash, why: "CP-11.4"},
	{point: sim.PointMetadata, kind: sim.FaultFail, why: "CP-11.4: the completion fails, and none is tolerated"},
	{point: sim.PointHA, kind: sim.FaultFail, why: "CP-11.4"},
	{point: sim.PointHA, kind: sim.FaultUnknown, why: "CP-11.4: its directory stays, and nobody knows it"},
	{point: sim.PointCheckpointDone, kind: sim.FaultCrash, completes: true, why: "CP-11.4: complete, though nobody was told"},
	{point: sim.PointNotify, kind: sim.FaultCrash, completes: true, why: "CP-11.4"},
	{point: sim.PointNotify, kind: sim.FaultLose, completes: true, why: "CP-1.5: what the restore commits is the same"},
	{point: sim.PointNotify, kind: sim.FaultDelay, completes: true, why: "CP-1.5"},
	{point: sim.PointNotify, kind: sim.FaultDouble, completes: true, why: "CP-1.5"},
	{point: sim.PointResumed, kind: sim.FaultEarly, completes: true, why: "F-16: the epoch moves on sooner, no record does"},
	{point: sim.PointPrecommit, kind: sim.FaultCrash, why: "CP-11.4: a subtask that has not acknowledged"},
	{point: sim.PointCommit, kind: sim.FaultCrash, completes: true, why: "F-15: what the restore commits is the same"},
	{point: sim.PointCommitted, kind: sim.FaultCrash, completes: true, why: "F-16: the commit that is repeated changes nothing"},
	{point: sim.PointRequest, kind: sim.FaultLose, why: "F-9: the flush waits for the answer, and the barrier with it"},
	{point: sim.PointAnswer, kind: sim.FaultLose, why: "K-17: the batch that is sent again is a duplicate"},
	{point: sim.PointMarker, kind: sim.FaultDelay, completes: true, why: "K-5: the decision stands, readers see it later"},
	{point: sim.PointMarker, kind: sim.FaultLose, completes: true, why: "K-5: the marker is sent again until it is written"},
	{point: sim.PointTimestamp, kind: sim.FaultSkewed, completes: true, producer: true, why: "EV-1.5: each attempt reads the same"},
	{point: sim.PointTimestamp, kind: sim.FaultFuture, completes: true, producer: true, why: "EV-1.5: each attempt reads the same"},
	{point: sim.PointTimestamp, kind: sim.FaultMissing, producer: true, poison: true, why: "EV-1.5: no window for it, in no attempt"},
}

// overtakers are the records that the story has behind the barrier of the faster
// channel, by checkpoint; afterSecond are those that come more than a second after
// it was asked for.
var (
	overtakers  = map[int][]string{1: {"clicks/0@1"}, 2: {"clicks/0@2", "clicks/0@3"}}
	afterSecond = map[int][]string{2: {"clicks/0@3"}}
)

// A twinCase is a fault and the checkpoint that it is to hit; 3: none, it comes
// behind both.
type twinCase struct {
	twinFault
	victim string
	hits   int
}

func twinCases() (out []twinCase) {
	for _, f := range twinFaults {
		victims := []string{""}
		if f.kind == sim.FaultCrash {
			victims = append(victims, flink.JobManagerName)
		}
		for _, victim := range victims {
			for hits := 1; hits <= 3; hits++ {
				if hits < 3 || f.data {
					out = append(out, twinCase{f, victim, hits})
				}
			}
		}
	}
	return out
}

func (c twinCase) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%s %s %s", c.point, c.kind, c.victim), " ")
}

// command arms the fault.
func (c twinCase) command() string {
	if c.victim != "" {
		return fmt.Sprintf("crash %s at %s", c.victim, c.point)
	}
	text := fmt.Sprintf("fault %s with=%s", c.point, c.kind)
	switch c.kind {
	case sim.FaultDelay, sim.FaultSkewed, sim.FaultFuture:
		text += " for=1s"
	}
	return text
}

// back is the checkpoint that the rules send the job back to; 0: none.
func (c twinCase) back() int64 {
	if c.completes {
		return int64(c.hits)
	}
	return int64(c.hits - 1)
}

// doubled are the records that AT_LEAST_ONCE counts twice by CP-4.2. A job that
// goes back to nothing begins with empty state: there is nothing to double.
func (c twinCase) doubled() []string {
	if c.lags {
		return afterSecond[c.hits]
	}
	return overtakers[int(c.back())]
}

// A deviation is what the third twin does otherwise than the run without a fault.
type deviation struct {
	// reopened are results of windows that had been cleaned up, with the record
	// that each of them holds.
	reopened map[string]string
	// dropped are records that were in time before.
	dropped []string
	// lost and won are the results of windows that nobody saw, and that nobody
	// would have seen.
	lost, won []string
}

// late is what EV-8.3 says. The window [0,10000) of lea is done with before the
// first checkpoint, and a record of it, clicks/0@3, is behind the barrier:
// dropped, unless the job comes back to that checkpoint. Then its watermark
// begins at MIN, and the record is read before the next mark. The window
// [10000,20000) and clicks/0@8 are the same for the second checkpoint. And
// clicks/0@6 is out of order, and in time only because clicks/1 was behind:
// when both are read again, what clicks/1 has to say about time is known before.
func (c twinCase) late() (l deviation) {
	switch {
	case c.lags || c.back() == 0:
		// It is in front of the barrier and dropped for good; or time has come to
		// where it was when the record is read.
	case c.hits == 3:
		// There is a mark in clicks/1 already.
	case c.back() == 1:
		l.reopened = map[string]string{"lea [0,10000) 7": "clicks/0@3"}
		l.won = []string{"lea [0,10000) 7"}
	case c.back() == 2:
		l.reopened = map[string]string{"lea [10000,20000) 5": "clicks/0@8"}
		l.won = []string{"lea [10000,20000) 5"}
	}
	if c.hits == 2 && c.back() == 1 {
		l.dropped = []string{"clicks/0@6"}
		l.lost, l.won = []string{"leo [10000,20000) 4"}, append(l.won, "leo [10000,20000) 1")
	}
	return l
}

// A twinStory is what testdata/twins.txt says.
type twinStory struct{ job, script string }

// A twinRun is what is compared.
type twinRun struct {
	trace *sim.Trace
	dump  []string
	// committed are the results that transactions made visible, table what an
	// upsert sink shows.
	committed []string
	// topic are the records that a read_committed reader of the topic gets.
	topic    []string
	table    map[string]string
	verdicts []fold.Verdict
}

// play plays the story as a twin; without a case, without a fault. calm leaves
// out the crash behind a fault that ended no attempt.
func (s *twinStory) play(mode string, late bool, c *twinCase, calm bool, plant defect) (*twinRun, error) {
	job := s.job + "  execution.checkpointing.mode: " + mode + "\n"
	if c != nil && c.point == sim.PointDisk {
		job += "  state.backend.type: rocksdb\n"
	}
	w := world.New(world.Config{
		Files: map[string][]byte{"job.yaml": []byte(job)}, Seed: 1,
		Alter: func(spec *flink.Spec) { spec.Restoring = plant },
	})
	defer w.Close()
	armed := 0
	for _, text := range strings.Split("job job.yaml\n"+s.script, "\n") {
		if rest, ok := strings.CutPrefix(text, "late "); ok {
			if !late {
				continue
			}
			text = rest
		}
		if at, ok := strings.CutPrefix(text, "fault "); ok {
			if c == nil || at != strconv.Itoa(c.hits) {
				continue
			}
			armed, text = w.Trace().Len(), c.command()
		}
		if at, ok := strings.CutPrefix(text, "crash "); ok && len(at) == 1 {
			if calm || c == nil || at != strconv.Itoa(c.hits) || ended(w.Trace().Steps()[armed:]) {
				continue
			}
			text = "crash totals"
		}
		l, perr := script.ParseLine("twins.txt", 1, text, script.Times{})
		if perr != nil {
			return nil, perr
		}
		err := l.Command.(script.WorldCommand).Apply(w, world.Command(text), script.Times{})
		var refused *sim.Problem
		if c != nil && c.poison && errors.As(err, &refused) && refused.ID == "world.not-running" {
			continue // it restarts for ever
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	out := &twinRun{trace: w.Trace(), table: map[string]string{}, verdicts: verdict.Of(w.Trace())}
	for _, row := range w.Dump() {
		out.dump = append(out.dump, row.String())
	}
	for _, r := range w.Broker().Partition(kafka.TopicPartition{Topic: "results"}).ReadCommitted(0) {
		out.topic = append(out.topic, r.Record.String())
	}
	slices.Sort(out.topic)
	written := map[int64][]string{}
	for _, x := range w.Trace().Steps() {
		switch b := x.Body.(type) {
		case sim.ResultWritten:
			of, value := resultOf(b)
			if place(x.At) == "table" {
				out.table[of] = value
			}
			if b.Transaction != 0 {
				written[b.Transaction] = append(written[b.Transaction], of+" "+value)
			}
		case sim.TransactionCommitted:
			if !b.Again {
				out.committed = append(out.committed, written[b.ID]...)
				delete(written, b.ID)
			}
		}
	}
	slices.Sort(out.committed)
	return out, nil
}

// ended reports whether steps end an attempt.
func ended(steps []*sim.Step) bool {
	return slices.ContainsFunc(steps, func(x *sim.Step) bool {
		switch x.Body.(type) {
		case sim.TaskFailed, sim.JobManagerLost:
			return true
		}
		return false
	})
}

// resultOf says of what a result is, and what it is.
func resultOf(b sim.ResultWritten) (of, value string) {
	if b.Window == (sim.Interval{}) {
		return b.Key, fmt.Sprintf("#%d", b.Count)
	}
	return fmt.Sprintf("%s [%d,%d)", b.Key, b.Window.Start, b.Window.End), strconv.FormatInt(b.Value, 10)
}

// place is the vertex of a subtask.
func place(at string) string {
	vertex, _, _ := strings.Cut(at, "[")
	return vertex
}

func nameOf(r sim.RecordID) string { return fmt.Sprintf("%s/%s@%d", r.Source, r.Split, r.Offset) }

// counted is the record that a step of an operator counts.
func counted(x *sim.Step) (sim.RecordID, bool) {
	switch b := x.Body.(type) {
	case sim.RecordProcessed:
		return b.Record, true
	case sim.RecordPlaced:
		return b.Record, true
	}
	return sim.RecordID{}, false
}

// A restored attempt is one on the way to the state that there is at the end:
// the last one, the one that took the checkpoint it comes from, and so on.
type restored struct {
	// began and to are its first step and the last one that counts: of a former
	// attempt, what its subtasks did before their parts of the checkpoint does.
	began *sim.Step
	// from is the checkpoint that it was restored from, 0: none; positions are
	// those of that checkpoint, reads those that it began to read at.
	from             int64
	positions, reads map[string]int64
	// cuts are the steps with which subtasks of the attempt before it took their
	// parts of the checkpoint.
	cuts map[string]int
}

// lineage finds those attempts, the last one first, in job.started,
// checkpoint.completed and snapshot.taken.
func (r *twinRun) lineage() (out []restored) {
	steps := r.trace.Steps()
	for end := len(steps); end > 0; {
		var a restored
		for _, x := range slices.Backward(steps[:end]) {
			if b, ok := x.Body.(sim.JobStarted); ok {
				a = restored{began: x, from: b.Restored, positions: map[string]int64{}, reads: map[string]int64{}, cuts: map[string]int{}}
				for _, sp := range b.Splits {
					a.reads[sp.Split] = sp.Offset
				}
				break
			}
		}
		if a.began == nil {
			break
		}
		end = 0
		for _, x := range steps {
			switch b := x.Body.(type) {
			case sim.CheckpointCompleted:
				if b.ID != a.from {
					continue
				}
				end = x.Seq
				for _, o := range b.Offsets {
					a.positions[o.Split] = o.Offset
				}
			case sim.SnapshotTaken:
				if b.ID == a.from {
					a.cuts[x.At] = x.Seq
				}
			}
		}
		out = append(out, a)
	}
	return out
}

// predictDoubled says by CP-4.2 what the state of an operator counts twice: of
// each checkpoint on the way, the records that a subtask counted before its
// part of it and that lie at or behind the position of their split.
func (r *twinRun) predictDoubled(operator string) (out []string) {
	way := r.lineage()
	for i := 0; i+1 < len(way); i++ {
		to, taken := way[i], way[i+1]
		for _, x := range r.trace.Steps()[taken.began.Seq:] {
			record, ok := counted(x)
			if !ok || place(x.At) != operator || x.Seq > to.cuts[x.At] {
				continue
			}
			if record.Offset >= to.positions[record.Source+"/"+record.Split] {
				out = append(out, nameOf(record))
			}
		}
	}
	slices.Sort(out)
	return out
}

// predictCommitted says by CP-4.2 how many results of counts the transactions of
// AT_LEAST_ONCE hold that come from records which are to be read again: the sink
// does not wait for barriers either.
func (r *twinRun) predictCommitted() (n int) {
	way := r.lineage()
	for i := 0; i+1 < len(way); i++ {
		to, taken := way[i], way[i+1]
		for _, x := range r.trace.Steps()[taken.began.Seq:] {
			if _, ok := x.Body.(sim.ResultWritten); !ok || place(x.At) != "ledger" || x.Seq > to.cuts[x.At] {
				continue
			}
			for _, cause := range x.Causes {
				b, ok := cause.Body.(sim.RecordProcessed)
				if ok && b.Record.Offset >= to.positions[b.Record.Source+"/"+b.Record.Split] {
					n++
				}
			}
		}
	}
	return n
}

// committedOf are the committed results of windows, or those of counts.
func (r *twinRun) committedOf(windows bool) (out []string) {
	for _, result := range r.committed {
		if strings.Contains(result, "[") == windows {
			out = append(out, result)
		}
	}
	return out
}

// judgedDoubled is what the verdicts say of it.
func (r *twinRun) judgedDoubled(operator string) (out []string) {
	for _, v := range r.verdicts {
		if v.Kind == verdict.DoubledInState && v.Operator == operator {
			for _, l := range v.Records {
				out = append(out, fmt.Sprintf("%s@%d", l.Split, l.Offset))
			}
			if v.Certainty != verdict.Yes || v.Rule != "CP-4.2" || v.Count != len(v.Records) {
				out = append(out, fmt.Sprintf("%+v", v))
			}
		}
	}
	slices.Sort(out)
	return out
}

// predictLate says by EV-8.3 which windows are opened again in the last attempt,
// with their records, and which records of it come too late. It looks at which
// windows were done with before the restore and at the marks, which make the
// watermark, from MIN on; not at what became of the records in windows.
func (r *twinRun) predictLate() (reopened map[string]string, late []string) {
	way := r.lineage()
	done := map[string]bool{}
	for i := len(way) - 1; i > 0; i-- {
		for _, x := range r.trace.Steps()[way[i].began.Seq:] {
			if b, ok := x.Body.(sim.WindowFired); ok && b.Cleaned && x.Seq <= way[i-1].cuts[x.At] {
				done[fmt.Sprintf("%s [%d,%d)", b.Key, b.Start, b.End)] = true
			}
		}
	}
	reopened = map[string]string{}
	// The watermark of windows is the least of what both subtasks of clean sent:
	// the highest mark of the records that came from each before. In which order
	// they came shows at totals, which gets the same ones and asks for no time.
	marks := map[string]int64{"0": sim.MinTime, "1": sim.MinTime}
	const size = 10_000
	for _, x := range r.trace.Steps()[way[0].began.Seq:] {
		b, ok := x.Body.(sim.RecordProcessed)
		if !ok || place(x.At) != "totals" {
			continue
		}
		key, _, mark := r.typed(b.Record)
		start := b.TS / size * size
		window := fmt.Sprintf("%s [%d,%d)", key, start, start+size)
		switch watermark := min(marks["0"], marks["1"]); {
		case start+size-1 <= watermark:
			late = append(late, nameOf(b.Record))
		case done[window]:
			reopened[window] = nameOf(b.Record)
		}
		if mark {
			marks[b.Record.Split] = max(marks[b.Record.Split], b.TS)
		}
	}
	slices.Sort(late)
	return reopened, late
}

// typed is what was typed of a record: its key, its value and whether it is
// marked.
func (r *twinRun) typed(id sim.RecordID) (key string, value int64, mark bool) {
	n := int64(0)
	for _, x := range r.trace.Steps() {
		b, ok := x.Body.(sim.CommandGiven)
		f := strings.Fields(b.Command)
		if !ok || f[0] != "produce" || f[1] != id.Source+"/"+id.Split {
			continue
		}
		if n == id.Offset {
			value, _ = strconv.ParseInt(f[4], 10, 64)
			return f[3], value, slices.Contains(f, "mark")
		}
		n++
	}
	return "", 0, false
}

// judgedReopened is what the verdicts say of a sink.
func (r *twinRun) judgedReopened(sink string) map[string]string {
	out := map[string]string{}
	for _, v := range r.verdicts {
		if v.Kind != verdict.DoubledInOutput || v.Operator != sink || v.Rule != "EV-8.3" {
			continue
		}
		var records []string
		for _, l := range v.Records {
			records = append(records, fmt.Sprintf("%s@%d", l.Split, l.Offset))
		}
		for _, o := range v.Outputs {
			out[fmt.Sprintf("%s [%d,%d) %d", o.Key, o.Start, o.End, o.Value)] = strings.Join(records, " ")
		}
	}
	return out
}

// dropped are the records that the last attempt drops.
func (r *twinRun) dropped() (out []string) {
	for _, x := range r.trace.Steps()[r.lineage()[0].began.Seq:] {
		if b, ok := x.Body.(sim.RecordDropped); ok {
			out = append(out, nameOf(b.Record))
		}
	}
	slices.Sort(out)
	return out
}

// count adds up verdicts.
func (r *twinRun) count(kind, operator string) (n int) {
	for _, v := range r.verdicts {
		if v.Kind == kind && (operator == "" || v.Operator == operator) {
			n += v.Count
		}
	}
	return n
}

// rowsOf keeps the rows of some operators, or, with not, those of all others.
func rowsOf(dump []string, not bool, operators ...string) (out []string) {
	for _, row := range dump {
		operator, _, _ := strings.Cut(row, "\t")
		if slices.Contains(operators, operator) != not {
			out = append(out, row)
		}
	}
	return out
}

// counts are the counts by key in the state of an operator.
func counts(t *testing.T, dump []string, operator string) map[string]int {
	out := map[string]int{}
	for _, row := range dump {
		f := strings.Split(row, "\t")
		if f[0] != operator || f[1] != "count" {
			continue
		}
		n, err := strconv.Atoi(f[5])
		if err != nil {
			t.Fatalf("%q is no count", row)
		}
		out[f[3]] += n
	}
	return out
}

// A teller gathers what is wrong with a case.
type teller struct {
	t *testing.T
	c twinCase
}

func (l teller) wrong(form string, args ...any) {
	l.t.Errorf("%s, checkpoint %d (%s): %s", l.c, l.c.hits, l.c.why, fmt.Sprintf(form, args...))
}

func (l teller) same(what string, got, want []string) {
	if !slices.Equal(got, want) {
		l.wrong("%s: %q, and the rules say %q", what, got, want)
	}
}

// goesBack checks the checkpoint that the last attempt came from.
func (l teller) goesBack(twin string, r *twinRun) {
	hit := slices.ContainsFunc(r.trace.Steps(), func(x *sim.Step) bool {
		b, ok := x.Body.(sim.FaultInjected)
		return ok && b.Point == l.c.point && b.Kind == l.c.kind
	})
	if !hit {
		l.wrong("%s: the fault did not come", twin)
	}
	lost := slices.ContainsFunc(r.trace.Steps(), func(x *sim.Step) bool { _, ok := x.Body.(sim.JobManagerLost); return ok })
	if lost != (l.c.victim == flink.JobManagerName) {
		l.wrong("%s: the JobManager is lost: %t", twin, lost)
	}
	if way := r.lineage(); way[0].from != l.c.back() || way[0].began.Body.(sim.JobStarted).Attempt == 0 {
		l.wrong("%s: back to checkpoint %d, and the rules say %d", twin, way[0].from, l.c.back())
	}
	for _, a := range r.lineage() {
		if a.from > 0 && !maps.Equal(a.positions, a.reads) {
			l.wrong("%s: checkpoint %d says %v, and the job reads from %v", twin, a.from, a.positions, a.reads)
		}
	}
	if n := r.count(verdict.Lost, ""); n > 0 {
		l.wrong("%s: %d records are lost", twin, n)
	}
}

// exactly : nothing of the fault is left.
func (l teller) exactly(got, want *twinRun) bool {
	return firstDifference(want.dump, got.dump) == "" && slices.Equal(want.committed, got.committed) && slices.Equal(want.topic, got.topic) && maps.Equal(want.table, got.table) &&
		got.count(verdict.DoubledInState, "") == 0
}

// atLeast : the records that overtook the barrier are counted twice, no other.
func (l teller) atLeast(got, want *twinRun) {
	for _, operator := range []string{"totals", "windows", "alone"} {
		doubled := l.c.doubled()
		if operator == "alone" {
			doubled = nil // with one channel there is nothing to overtake
		}
		l.same("at least once, predicted of "+operator, got.predictDoubled(operator), doubled)
		l.same("at least once, judged of "+operator, got.judgedDoubled(operator), doubled)
		counted, shown := counts(l.t, want.dump, operator), maps.Clone(want.table)
		for _, name := range doubled {
			var id sim.RecordID
			if _, err := fmt.Sscanf(strings.NewReplacer("/", " ", "@", " ").Replace(name), "%s %s %d", &id.Source, &id.Split, &id.Offset); err != nil {
				l.t.Fatal(err)
			}
			key, value, _ := got.typed(id)
			if operator == "windows" {
				of := fmt.Sprintf("%s [%d,%d)", key, l.timeOf(got, id)/10_000*10_000, l.timeOf(got, id)/10_000*10_000+10_000)
				before, _ := strconv.ParseInt(shown[of], 10, 64)
				shown[of] = strconv.FormatInt(before+value, 10)
			} else {
				counted[key]++
			}
		}
		if operator == "windows" {
			var results []string
			for of, value := range shown {
				if !strings.Contains(of, "[") {
					continue
				}
				results = append(results, of+" "+value)
				if got.table[of] != value {
					l.wrong("at least once: the result of %s is %s, and the rules say %s", of, got.table[of], value)
				}
			}
			slices.Sort(results)
			l.same("at least once, committed of windows", got.committedOf(true), results)
		} else if has := counts(l.t, got.dump, operator); !maps.Equal(has, counted) {
			l.wrong("at least once: the state of %s counts %v, and the rules say %v", operator, has, counted)
		}
	}
	again := got.predictCommitted()
	if c := len(got.committedOf(false)) - len(want.committedOf(false)); c != again {
		l.wrong("at least once: %d results of counts are committed again, and the rules say %d", c, again)
	}
	if d := firstDifference(rowsOf(want.dump, true, "totals"), rowsOf(got.dump, true, "totals")); d != "" {
		l.wrong("at least once: state differs: %s", d)
	}
}

// timeOf is the timestamp that a record was read with.
func (l teller) timeOf(r *twinRun, id sim.RecordID) int64 {
	for _, x := range r.trace.Steps() {
		if b, ok := x.Body.(sim.RecordRead); ok && b.Record == id {
			return b.TS
		}
	}
	l.t.Fatalf("%s was never read", nameOf(id))
	return 0
}

// lately : what depends on event time is otherwise as EV-8.3 says, what does not
// is the same.
func (l teller) lately(got, want *twinRun) {
	says := l.c.late()
	windows := map[string]string{}
	for result, record := range says.reopened {
		windows[result[:strings.LastIndex(result, " ")]] = record
	}
	reopened, late := got.predictLate()
	if !maps.Equal(reopened, windows) {
		l.wrong("late: predicted to open again %v, and the rules say %v", reopened, windows)
	}
	for _, sink := range []string{"journal", "table", "ledger"} {
		if judged := got.judgedReopened(sink); !maps.Equal(judged, says.reopened) {
			l.wrong("late: judged of %s to open again %v, and the rules say %v", sink, judged, says.reopened)
		}
	}
	l.same("late: dropped", got.dropped(), late)
	for _, name := range says.dropped {
		if !slices.Contains(late, name) || slices.Contains(want.dropped(), name) {
			l.wrong("late: %s was to be in time before and late after", name)
		}
	}
	committed := slices.Clone(want.committed)
	for _, result := range says.lost {
		i := slices.Index(committed, result)
		if i < 0 {
			l.wrong("late: without a fault there is no %s", result)
			continue
		}
		committed = slices.Delete(committed, i, i+1)
	}
	committed = append(committed, says.won...)
	slices.Sort(committed)
	if d := firstDifference(committed, got.committed); d != "" {
		l.wrong("late: committed: %s", d)
	}
	if d := firstDifference(want.dump, got.dump); d != "" {
		l.wrong("late: state: %s", d)
	}
}

// poisoned : no attempt comes past the record, whatever the mode.
func (l teller) poisoned(twin string, r *twinRun) {
	last := ""
	for _, x := range r.trace.Steps() {
		if b, ok := x.Body.(sim.TaskFailed); ok && place(x.At) == "windows" && b.Record != nil {
			last = nameOf(*b.Record)
		}
	}
	if last == "" || !slices.ContainsFunc(r.verdicts, func(v fold.Verdict) bool { return v.Kind == verdict.Stuck && v.Rule == "CP-11.3" }) {
		l.wrong("%s: it is not stuck", twin)
	}
	if r.count(verdict.Lost, "") > 0 {
		l.wrong("%s: records are lost", twin)
	}
}

// tell is the line of a case.
func (c twinCase) tell(exact, least, late *twinRun) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, ", c)
	if c.hits == 3 {
		b.WriteString("behind both")
	} else {
		fmt.Fprintf(&b, "checkpoint %d", c.hits)
	}
	if c.poison {
		return b.String() + ": restarts for ever\n"
	}
	back := "nothing"
	if c.back() > 0 {
		back = fmt.Sprintf("chk-%d", c.back())
	}
	orNone := func(in []string) string {
		if len(in) == 0 {
			return "none"
		}
		return strings.Join(in, " ")
	}
	fmt.Fprintf(&b, ": back to %s | exactly once: replayed %d, in journal twice %d", back, exact.count(verdict.Replayed, ""), exact.count(verdict.DoubledInOutput, "journal"))
	fmt.Fprintf(&b, " | at least once: doubled %s, replayed %d, in journal twice %d, committed twice %d", orNone(least.judgedDoubled("totals")), least.count(verdict.Replayed, ""), least.count(verdict.DoubledInOutput, "journal"), least.predictCommitted())
	var reopened []string
	for result, record := range late.judgedReopened("ledger") {
		reopened = append(reopened, fmt.Sprintf("%s (%s)", result, record))
	}
	slices.Sort(reopened)
	fmt.Fprintf(&b, " | late: reopened %s, dropped after the restart %s\n", orNone(reopened), orNone(late.dropped()))
	return b.String()
}

// Every fault point has its twins: with EXACTLY_ONCE nothing of the fault is
// left; with AT_LEAST_ONCE those records are counted twice that CP-4.2 names; and
// with records out of order those windows are opened again, and those records
// dropped, that EV-8.3 names.
func TestTwins(t *testing.T) {
	s := &twinStory{}
	datadriven.RunTest(t, "testdata/twins.txt", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "job":
			s.job = d.Input + "\n"
		case "script":
			s.script = d.Input
		case "twins":
			return s.twins(t)
		default:
			d.Fatalf(t, "unknown directive %q", d.Cmd)
		}
		return ""
	})
}

func (s *twinStory) must(t *testing.T, mode string, late bool, c *twinCase, calm bool, plant defect) *twinRun {
	t.Helper()
	r, err := s.play(mode, late, c, calm, plant)
	if err != nil {
		t.Fatalf("%s %s: %v", mode, c, err)
	}
	return r
}

func (s *twinStory) twins(t *testing.T) string {
	everyPointHasARow(t)
	calm, calmLate := s.must(t, exactlyOnce, false, nil, false, nil), s.must(t, exactlyOnce, true, nil, false, nil)
	// Without a fault the mode makes no difference to state and results.
	if d := firstDifference(calm.dump, s.must(t, atLeastOnce, false, nil, false, nil).dump); d != "" {
		t.Errorf("without a fault: %s", d)
	}
	var b strings.Builder
	differs, caught := map[string]bool{}, 0
	cases := twinCases()
	for _, c := range cases {
		l := teller{t, c}
		exact, least, late := s.must(t, exactlyOnce, false, &c, false, nil), s.must(t, atLeastOnce, false, &c, false, nil), s.must(t, exactlyOnce, true, &c, false, nil)
		b.WriteString(c.tell(exact, least, late))
		if c.poison {
			l.poisoned("exactly once", exact)
			l.poisoned("at least once", least)
			l.poisoned("late", late)
			if exact.count(verdict.DoubledInState, "") > 0 || late.count(verdict.DoubledInState, "") > 0 {
				l.wrong("exactly once, and records are doubled")
			}
			continue
		}
		l.goesBack("exactly once", exact)
		l.goesBack("at least once", least)
		l.goesBack("late", late)
		want, wantLate := calm, calmLate
		if c.producer {
			// The log is another one: it is the crash that must leave nothing.
			want, wantLate = s.must(t, exactlyOnce, false, &c, true, nil), s.must(t, exactlyOnce, true, &c, true, nil)
		}
		if !l.exactly(exact, want) {
			l.wrong("exactly once: state: %s; committed: %s; in the topic: %s; doubled %d", firstDifference(want.dump, exact.dump), firstDifference(want.committed, exact.committed), firstDifference(want.topic, exact.topic), exact.count(verdict.DoubledInState, ""))
		}
		l.atLeast(least, want)
		for name, r := range map[string]*twinRun{"exactly once": exact, "at least once": least, "late": late} {
			// The job is one: what its two sinks have committed is as much.
			if len(r.topic) != len(r.committed) || len(r.topic) == 0 {
				l.wrong("%s: %d results in the topic, %d committed by the other sink", name, len(r.topic), len(r.committed))
			}
		}
		l.lately(late, wantLate)
		// The comparison can fail: at least once does not pass for exactly once.
		if (firstDifference(want.dump, least.dump) == "") != (len(c.doubled()) == 0) || len(c.doubled()) > 0 && l.exactly(least, want) {
			l.wrong("the comparison of exactly once does not tell the twin apart")
		}
		if len(c.doubled()) > 0 {
			differs[c.point] = true
		}
		// Nor does an offset that is too high by one, or too low, where the job goes
		// back to a checkpoint.
		for _, by := range []int64{1, -1} {
			if c.back() == 0 {
				continue
			}
			r, err := s.play(exactlyOnce, false, &c, false, func(x *flink.Restored) { shiftClicks(x, by) })
			if err == nil && l.exactly(r, want) {
				l.wrong("a position that is wrong by %d shows nowhere", by)
			}
			caught++
		}
	}
	if len(differs) != len(sim.FaultPoints()) {
		t.Errorf("at %d of %d points at-least-once differs from exactly-once", len(differs), len(sim.FaultPoints()))
	}
	if caught < len(cases) {
		t.Errorf("%d planted defects in %d cases", caught, len(cases))
	}
	return b.String()
}

// shiftClicks moves the position of clicks/0, behind which there always is
// something.
func shiftClicks(c *flink.Restored, by int64) {
	for _, splits := range c.Readers["clicks"] {
		for i := range splits {
			if splits[i].Log.Split == "0" {
				splits[i].Offset += by
			}
		}
	}
}

// everyPointHasARow : somebody who adds a fault point, or a way to fail at one,
// says here what the rules predict.
func everyPointHasARow(t *testing.T) {
	t.Helper()
	var want, have []string
	for _, p := range sim.FaultPoints() {
		for _, kind := range p.Kinds {
			want = append(want, p.Name+" "+kind)
		}
	}
	for _, f := range twinFaults {
		have = append(have, f.point+" "+f.kind)
	}
	slices.Sort(want)
	slices.Sort(have)
	if d := firstDifference(want, have); d != "" {
		t.Fatalf("fault points and their rows: %s", d)
	}
}
