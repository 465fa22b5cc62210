package narrate

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/fold"
	"streaminglab/sim/kafka"
	"streaminglab/sim/verdict"
)

// verdicts are what happened to data, by name.
func (v viewer) verdicts() Table {
	t := v.table("verdicts", "verdict", "certainty", "~happened", "#step", "rule")
	store := fold.StorageOf(v.run.Trace)
	for _, x := range verdict.Of(v.run.Trace) {
		t.add(x.Kind, v.text("verdict.certainty."+x.Certainty, nil), v.says(x, store), strconv.Itoa(x.Step), x.Rule)
	}
	t.Note = v.text("verdict.runbook", nil)
	return t
}

// says is a verdict as a sentence.
func (v viewer) says(x fold.Verdict, store *fold.Storage) string {
	var records, files, results []string
	for _, r := range x.Records {
		records = append(records, v.text("verdict.record", locale.Args{"Key": r.Key, "Split": r.Split, "Offset": int64(r.Offset)}))
	}
	for _, f := range x.Files {
		files = append(files, path.Base(f))
	}
	for _, o := range x.Outputs {
		if o.End > o.Start {
			results = append(results, v.text("verdict.window", locale.Args{"Key": o.Key, "Window": v.interval(int64(o.Start), int64(o.End))}))
		} else {
			results = append(results, v.result(o))
		}
	}
	id := "verdict." + x.Kind
	switch x.Kind {
	case verdict.Stuck:
		id += "." + v.stuckBy(x)
		if id == "verdict.stuck.lso.hanging" && x.Count == 0 {
			id += "-alone"
		}
	case verdict.DoubledInOutput:
		id += "." + cmp.Or(x.Reader, x.Certainty)
		if x.Reader == "" && x.Rule == "F-2" && x.Certainty == verdict.Yes {
			id = "verdict.doubled-in-output.topic"
		}
	case verdict.Torn:
		id += "." + tornHow(x)
	case verdict.Lost, verdict.LostInOutput, verdict.DoubledInState, verdict.Replayed:
		id += "." + x.Certainty
		if x.Kind == verdict.Lost && x.Partition != "" {
			id = "verdict.lost.input"
		}
		if x.Kind == verdict.LostInOutput && x.ID == "" && x.Rule == kafka.ReplicationRule {
			id = "verdict.lost-in-output.leader"
		}
	}
	args := locale.Args{
		"At": x.At, "Operator": x.Operator, "Snapshot": label(store, x.Snapshot), "Records": v.list(records), "Files": v.list(files),
		"Results": v.list(results), "Names": "", "Region": "", "ID": x.ID, "Partition": x.Partition, "Partitions": v.list(v.partitions(x)),
		"Since": x.Since, "From": int64(x.T), "Until": int64(x.Until), "Count": x.Count,
	}
	switch x.Kind {
	case verdict.Fenced, verdict.Harmless:
		return v.text(id, v.answered(x, args))
	}
	if s := v.run.Trace.Step(x.Cause); s != nil {
		if b, ok := s.Body.(sim.JobStarted); ok {
			args["Region"] = v.list(b.Subtasks)
		}
	}
	if x.Kind == verdict.Stuck && x.Snapshot != "" {
		if s := v.run.Trace.Step(x.Step); s != nil {
			if b, ok := s.Body.(sim.CheckpointTriggered); ok {
				args["Names"] = v.list(unacknowledged(v.run.Trace, b.ID))
			}
		}
	}
	return v.loc.Plural(id, int64(x.Count), args)
}

// result is a result of a verdict by its key, and by its word where it has one: of a
// key there may be several.
func (v viewer) result(o fold.Output) string {
	if s := v.run.Trace.Step(o.First); s != nil {
		if b, ok := s.Body.(sim.ResultWritten); ok && b.Word != "" {
			return o.Key + "=" + b.Word
		}
	}
	return o.Key
}

// partitions are those that the results of a verdict went to.
func (v viewer) partitions(x fold.Verdict) (out []string) {
	for _, o := range x.Outputs {
		s := v.run.Trace.Step(o.First)
		if s == nil {
			continue
		}
		if b, ok := s.Body.(sim.ResultWritten); ok && b.Partition != "" && !slices.Contains(out, b.Partition) {
			out = append(out, b.Partition)
		}
	}
	slices.Sort(out)
	return out
}

// answered adds what a client was told that the verdict is about: the error, or
// the exception, and who took its id.
func (v viewer) answered(x fold.Verdict, args locale.Args) locale.Args {
	args["Who"], args["By"], args["Error"] = x.At, "", ""
	if s := v.run.Trace.Step(x.Step); s != nil {
		args["Who"] = v.by(s.At)
		switch b := s.Body.(type) {
		case sim.RequestRefused:
			args["Error"] = b.Error
		case sim.CommitAttempted:
			args["Error"] = b.Exception
		}
	}
	if s := v.run.Trace.Step(x.Cause); s != nil {
		if b, ok := s.Body.(sim.TransactionChanged); ok {
			args["By"] = v.by(b.By)
		}
	}
	return args
}

// tornHow says how long a part of a checkpoint can be seen without the rest.
func tornHow(x fold.Verdict) string {
	switch {
	case x.Certainty == verdict.Open:
		return "open"
	case x.Until < 0:
		return "ever"
	}
	return "past"
}

// label is how a script calls a snapshot that a verdict names.
func label(store *fold.Storage, name string) string {
	for _, c := range slices.Backward(store.Snapshots) {
		if c.Name == name {
			return store.Label(c)
		}
	}
	return name
}

// stuckBy says what does not move.
func (v viewer) stuckBy(x fold.Verdict) string {
	if x.Partition != "" {
		return v.lsoHeldBy(x)
	}
	switch v.run.Trace.Step(x.Step).Body.(type) {
	case sim.CheckpointTriggered:
		return "checkpoint"
	case sim.WatermarkHeld:
		return "watermark"
	case sim.TaskFailed:
		if v.bench.status == "FAILED" {
			return "loop-over"
		}
		return "loop"
	}
	return "subtask"
}

// lsoHeldBy says what the last stable offset of a partition stands at: a transaction
// that is decided and has no marker there, one that the coordinator does not
// know, one that nobody will end, or one that may go on.
func (v viewer) lsoHeldBy(x fold.Verdict) string {
	if x.Rule == "K-31" {
		return "lso.replica"
	}
	if b, ok := v.run.Trace.Step(x.Step).Body.(sim.BatchAppended); ok {
		for _, t := range v.kafka().Transactions {
			if t.Number == int(b.Log.Transaction) && t.Decided != "" && t.Ended < 0 {
				return "lso.marker"
			}
		}
	}
	switch {
	case x.Until < 0:
		return "lso.hanging"
	case x.Certainty == verdict.Yes:
		return "lso.left"
	}
	return "lso.open"
}

// Totals hold what went in against what operators hold and sinks took. What the
// logs hold is known only at the head.
func Totals(r Run) verdict.Totals {
	all := verdict.TotalsOf(r.Trace)
	if r.Logs == nil {
		return all
	}
	for i := range all.Splits {
		source, name, _ := strings.Cut(all.Splits[i].Split, "/")
		if l := r.Logs.Find(source, name); l != nil {
			all.Splits[i].Log = records(l)
		}
	}
	return all
}

// records counts those of a log, also the ones that nobody has read.
func records(l *flink.Log) (n int) {
	for at := int64(0); ; at++ {
		next, ok := l.Next(at)
		if !ok {
			return n
		}
		if at = next; l.Entry(at).IsRecord() {
			n++
		}
	}
}

func (v viewer) totals() []Table {
	all := Totals(v.run)
	in := v.table("totals", "split", "#in-log", "#read", "#read-again", "#offset")
	for _, s := range all.Splits {
		log := "-"
		if s.Log >= 0 {
			log = strconv.Itoa(s.Log)
		}
		in.add(s.Split, log, strconv.Itoa(s.Read), strconv.Itoa(s.Again), strconv.Itoa(s.Position))
	}
	state := v.table("totals.operators", "operator", "#handled", "#held", "#doubled", "#lost")
	for _, o := range all.Operators {
		name := o.Operator
		switch {
		case o.Gone:
			name = v.text("verdict.operator.gone", locale.Args{"UID": o.UID})
		case o.UID != o.Operator:
			name = v.text("verdict.operator.uid", locale.Args{"Operator": o.Operator, "UID": o.UID})
		}
		state.add(name, strconv.Itoa(o.Handled), strconv.Itoa(o.Held), strconv.Itoa(o.Doubled), strconv.Itoa(o.Lost))
	}
	out := v.table("totals.sinks", "sink", "#results", "#distinct", "#doubled", "#visible")
	for _, s := range all.Sinks {
		out.add(s.Sink, strconv.Itoa(s.Results), strconv.Itoa(s.Distinct), strconv.Itoa(s.Doubled), strconv.Itoa(s.Visible))
	}
	tables := []Table{in}
	for _, t := range []Table{state, out} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// exceptions are what the Exceptions tab of Flink's web UI shows: the root
// exception, and the history, the newest first, with the names of the classes
// without their packages.
func (v viewer) exceptions() []Table {
	root := v.table("exceptions", "fact", "~value")
	history := v.table("exceptions.history", "exception-time", "exception", "~task-name", "location")
	for i, x := range slices.Backward(fold.Exceptions(v.run.Trace)) {
		task, location := x.Task, x.Endpoint
		if task == "" {
			task, location = "-", "-"
		}
		if len(root.Rows) == 0 {
			root.add(v.text("view.column.exception-time", nil), locale.Clock(x.Timestamp))
			root.add(v.text("view.column.exception", nil), x.Name+": "+x.Message)
			root.add(v.text("view.column.task-name", nil), task)
			root.add(v.text("view.column.location", nil), location)
			if i == 0 {
				break
			}
			continue
		}
		history.add(locale.Clock(x.Timestamp), x.Name[strings.LastIndex(x.Name, ".")+1:], task, location)
	}
	if len(history.Rows) == 0 {
		return []Table{root}
	}
	return []Table{root, history}
}
