package narrate

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/verdict"
)

// verdicts are what happened to data, by name.
func (v viewer) verdicts() Table {
	t := v.table("verdicts", "verdict", "certainty", "~happened", "#step", "rule")
	for _, x := range verdict.Of(v.run.Trace) {
		t.add(x.Kind, v.text("verdict.certainty."+x.Certainty, nil), v.says(x), strconv.Itoa(x.Step), x.Rule)
	}
	t.Note = v.text("verdict.runbook", nil)
	return t
}

// says is a verdict as a sentence.
func (v viewer) says(x fold.Verdict) string {
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
			results = append(results, o.Key)
		}
	}
	id := "verdict." + x.Kind
	switch x.Kind {
	case verdict.Stuck:
		id += "." + v.stuckBy(x)
	case verdict.Lost, verdict.DoubledInState, verdict.DoubledInOutput, verdict.Replayed:
		id += "." + x.Certainty
	}
	args := locale.Args{
		"At": x.At, "Operator": x.Operator, "Snapshot": v.calls(x.Snapshot), "Records": v.list(records), "Files": v.list(files),
		"Results": v.list(results), "Names": "",
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

// calls is how a script calls a snapshot that a verdict names.
func (v viewer) calls(name string) string {
	f := fold.StorageOf(v.run.Trace)
	for _, c := range slices.Backward(f.Snapshots) {
		if c.Name == name {
			return f.Label(c)
		}
	}
	return name
}

// stuckBy says what does not move.
func (v viewer) stuckBy(x fold.Verdict) string {
	switch v.run.Trace.Step(x.Step).Body.(type) {
	case sim.CheckpointTriggered:
		return "checkpoint"
	case sim.WatermarkHeld:
		return "watermark"
	case sim.TaskFailed:
		return "loop"
	}
	return "subtask"
}

// totals hold what went in against what operators hold and sinks took.
func (v viewer) totals() []Table {
	all := verdict.TotalsOf(v.run.Trace)
	in := v.table("totals", "split", "#in-log", "#read", "#read-again", "#offset")
	for _, s := range all.Splits {
		in.add(s.Split, v.inLog(s.Split), strconv.Itoa(s.Read), strconv.Itoa(s.Again), strconv.Itoa(s.Position))
	}
	state := v.table("totals.operators", "operator", "#handled", "#held", "#doubled", "#lost")
	for _, o := range all.Operators {
		state.add(o.Operator, strconv.Itoa(o.Handled), strconv.Itoa(o.Held), strconv.Itoa(o.Doubled), strconv.Itoa(o.Lost))
	}
	out := v.table("totals.sinks", "sink", "#results", "#distinct", "#doubled")
	for _, s := range all.Sinks {
		out.add(s.Sink, strconv.Itoa(s.Results), strconv.Itoa(s.Distinct), strconv.Itoa(s.Doubled))
	}
	tables := []Table{in}
	for _, t := range []Table{state, out} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// inLog is how many records a log holds, also those that nobody has read; it is
// known only at the head.
func (v viewer) inLog(split string) string {
	if v.run.Logs == nil {
		return "-"
	}
	source, name, _ := strings.Cut(split, "/")
	l := v.run.Logs.Find(source, name)
	if l == nil {
		return "-"
	}
	n := 0
	for i := range l.Len() {
		if l.Entry(i).IsRecord() {
			n++
		}
	}
	return strconv.Itoa(n)
}

// exceptions are Flink's exception history, the newest first.
func (v viewer) exceptions() Table {
	t := v.table("exceptions", "#exception-time", "~exception", "~task-name", "location")
	for _, x := range slices.Backward(fold.Exceptions(v.run.Trace)) {
		task, location := x.Task, x.Endpoint
		if task == "" {
			task, location = "-", "-"
		}
		t.add(locale.Clock(x.Timestamp), x.Name+": "+x.Message, task, location)
	}
	return t
}
