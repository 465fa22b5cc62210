package narrate

import (
	"slices"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// Show is a view (script.Views) as tables. all shows every row of the state
// (show state --dump); of is the partition of a log. An unknown view has none.
func Show(loc *locale.Localizer, r Run, view string, all bool, of ...string) []Table {
	v := viewer{words{loc}, r, benchOf(r.Trace)}
	switch view {
	case "watermarks":
		return []Table{v.watermarks()}
	case "windows":
		return []Table{v.windows()}
	case "records":
		return []Table{v.records()}
	case "steps":
		return []Table{v.steps()}
	case "sources":
		return []Table{v.sources()}
	case "state":
		if all {
			return []Table{v.dump()}
		}
		return []Table{v.state()}
	case "job":
		return []Table{v.job()}
	case "metrics":
		return v.metrics()
	case "checkpoints":
		return v.checkpoints()
	case "objects":
		return v.objects()
	case "registry":
		return []Table{v.registry()}
	case "lsm":
		return []Table{v.lsm()}
	case "keygroups":
		return v.keygroups()
	case "memory":
		return []Table{v.memory()}
	case "verdicts":
		return []Table{v.verdicts()}
	case "totals":
		return v.totals()
	case "exceptions":
		return v.exceptions()
	case "topics":
		return []Table{v.topics()}
	case "log":
		return v.logs(strings.Join(of, ""))
	case "transactions":
		return []Table{v.transactionIDs()}
	case "producers":
		return []Table{v.producers()}
	case "consumers":
		return v.consumers()
	case "tool":
		return []Table{v.tool()}
	}
	return nil
}

type viewer struct {
	words
	run   Run
	bench *bench
}

// table makes a table whose headers are the messages view.column.NAME; a name
// that begins with "#" is a column of figures, one with "~" is text that may
// wrap.
func (v viewer) table(view string, names ...string) Table {
	t := Table{Title: View(v.loc, view), Empty: v.text("view."+view+".empty", nil)}
	for _, n := range names {
		bare := strings.TrimLeft(n, "#~")
		t.Columns = append(t.Columns, Column{Header: v.text("view.column."+bare, nil), Right: n[0] == '#', Wrap: n[0] == '~'})
	}
	return t
}

func (t *Table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

// status is that of a place; who waits for the restart of its region has none.
func (v viewer) status(at string, idle bool) string {
	if v.bench.regions.Down(at) {
		return v.text("view.down", nil)
	}
	if idle {
		return v.text("view.idle", nil)
	}
	return v.text("view.active", nil)
}

func (v viewer) heldBy(p *benchPlace) string {
	if p.held == nil {
		return ""
	}
	return v.list(places(p.held.Body.(sim.WatermarkHeld).By))
}

func (v viewer) watermarks() Table {
	t := v.table("watermarks", "place", "watermark", "status", "~held-by")
	for _, s := range v.bench.splits {
		if !s.removed {
			t.add(s.name, v.watermark(s.watermark), v.status(s.reader, s.idle), "")
		}
	}
	for _, list := range [][]*benchPlace{v.bench.readers, v.bench.tasks} {
		for _, p := range list {
			t.add(p.at, v.watermark(p.watermark), v.status(p.at, p.idle), v.heldBy(p))
		}
	}
	return t
}

func (v viewer) windows() Table {
	t := v.table("windows", "operator", "key", "window", "#records", "~result", "~what")
	for _, w := range v.bench.sorted() {
		t.add(w.operator, w.key, v.interval(w.start, w.end), strconv.FormatInt(w.records, 10), w.result, v.windowState(w))
	}
	return t
}

// windowState says what a window has done and what it waits for.
func (v viewer) windowState(w *benchWindow) string {
	wm, byTime := due(v.run.Spec, w)
	switch {
	case w.cleaned && w.fired == 0:
		return v.text("view.window.cleaned-unfired", nil)
	case w.cleaned:
		return v.text("view.window.cleaned", nil)
	case w.fired > 0:
		return v.loc.Plural("view.window.fired", int64(w.fired), nil)
	case !byTime:
		return v.text("view.window.waits-for-records", nil)
	}
	return v.text("view.window.waits", locale.Args{"WM": wm})
}

func (v viewer) records() Table {
	t := v.table("records", "#step", "operator", "record", "watermark-before", "~fate")
	f := *fold.OfAt(v.run.Trace, v.run.Now)
	f.Now = max(f.Now, int(v.run.Now))
	for _, r := range f.Records {
		fate := fateIn
		switch {
		case r.Dropped:
			fate = fateDropped
		case r.Late:
			fate = fateLate
		case r.Vanished:
			fate = fateVanished
		}
		text := v.fate(fate)
		if fate == fateIn && r.Behind {
			text = v.text("view.fate.in-behind", nil)
		}
		t.add(strconv.Itoa(r.Step), r.Operator, v.record(r.Key, int64(r.Value), r.Word, int64(r.TS)),
			v.watermark(int64(r.WatermarkBefore)), text)
	}
	return t
}

// steps are all steps, as a run tells them.
func (v viewer) steps() Table {
	t := v.table("steps", "#step", "#time", "~happened", "rule")
	for _, s := range v.run.Trace.Steps() {
		rule := s.Rule
		if rule == commandRule {
			rule = ""
		}
		t.add(strconv.Itoa(s.Seq), locale.Clock(s.T), Step(v.loc, s), rule)
	}
	return t
}

func (v viewer) fate(f string) string { return v.text("view.fate."+f, nil) }

func (v viewer) sources() Table {
	t := v.table("sources", "split", "reader", "#offset", "#waiting", "watermark", "~what")
	for _, s := range v.bench.splits {
		if s.removed {
			continue
		}
		t.add(s.name, s.reader, strconv.FormatInt(s.next, 10), v.waiting(s), v.watermark(s.watermark), v.splitState(s))
	}
	for _, p := range v.bench.readers {
		if p.spare {
			t.add("-", p.at, "", "", v.watermark(p.watermark), v.text("view.spare", nil))
		}
	}
	return t
}

// waiting is how many entries of the log nobody has read yet; it is known only
// at the head.
func (v viewer) waiting(s *benchSplit) string {
	if n, ok := v.unread(s); ok {
		return strconv.FormatInt(n, 10)
	}
	return "-"
}

func (v viewer) unread(s *benchSplit) (int64, bool) {
	if v.run.Logs == nil {
		return 0, false
	}
	source := sourceOf(s.name)
	name := ""
	if len(s.name) > len(source) {
		name = s.name[len(source)+1:]
	}
	l := v.run.Logs.Find(source, name)
	if l == nil {
		return 0, false
	}
	// Emissions of a scripted generator are entries too: what was read of them
	// makes no step, so the log's own count is asked.
	return l.Len() - max(l.Read(), s.next), true
}

func (v viewer) splitState(s *benchSplit) string {
	switch {
	case s.paused != nil:
		return v.text("view.split.paused", locale.Args{"Step": s.paused.Seq})
	case s.aligned != nil:
		return v.text("view.split.aligned", nil)
	case s.slow > 0:
		return v.text("view.split.slow", locale.Args{"PerRecord": s.slow})
	}
	return v.status(s.reader, s.idle)
}

// stateTable is a table of state, which stands at the head only.
func (v viewer) stateTable(names ...string) Table {
	t := v.table("state", names...)
	if v.run.Earlier {
		t.Empty = v.text("view.state.earlier", nil)
	}
	return t
}

// state counts the rows of each state.
func (v viewer) state() Table {
	t := v.stateTable("operator", "state", "#rows")
	var operator, state string
	n := 0
	flush := func() {
		if n > 0 {
			t.add(operator, state, strconv.Itoa(n))
		}
	}
	for _, d := range v.run.Dump {
		if d.Operator != operator || d.State != state {
			flush()
			operator, state, n = d.Operator, d.State, 0
		}
		n++
	}
	flush()
	return t
}

func (v viewer) dump() Table {
	t := v.stateTable("operator", "state", "#group", "key", "namespace", "~value")
	for _, d := range v.run.Dump {
		group := strconv.Itoa(d.Group)
		if d.Group < 0 {
			group = ""
		}
		t.add(d.Operator, d.State, group, d.Key, d.Namespace, d.Value)
	}
	return t
}

func (v viewer) job() Table {
	t := v.table("job", "fact", "~value")
	if len(v.bench.vertices) == 0 {
		return t
	}
	fact := func(id, value string) { t.add(v.text("view.job."+id, nil), value) }
	b := v.bench
	if s := v.run.Spec; s != nil {
		fact("name", s.Name)
	}
	fact("status", b.status)
	if down := b.regions.Waits(); len(down) > 0 {
		fact("waiting", v.listUpTo(down, 8))
	}
	fact("time", locale.Clock(max(b.now, v.run.Now)))
	fact("attempt", strconv.Itoa(b.attempt))
	fact("vertices", v.listUpTo(b.vertices, 8))
	if len(b.chains) > 0 {
		chains := make([]string, len(b.chains))
		for i, names := range b.chains {
			chains[i] = strings.Join(names, "+")
		}
		fact("chains", v.listUpTo(chains, 8))
	}
	fact("parallelism", strconv.Itoa(b.parallelism))
	if s := v.run.Spec; s != nil {
		fact("max-parallelism", strconv.Itoa(s.MaxParallelism))
		fact("interval", v.text("narrate.duration", locale.Args{"D": s.Interval}))
		fact("restart", s.Restart.Type)
	}
	if b.checkpoint > 0 {
		fact("checkpoint", strconv.FormatInt(b.checkpoint, 10))
	} else {
		fact("checkpoint", v.text("view.none", nil))
	}
	if b.restored > 0 {
		fact("restored", strconv.FormatInt(b.restored, 10))
	}
	if len(b.blocked) > 0 {
		fact("blocked", v.listUpTo(b.blocked, 8))
	}
	for _, x := range fold.BesideOf(v.run.Trace) {
		t.add(v.text("view.job.beside", locale.Args{"Name": x.Name}), v.loc.Plural("view.job.beside-is", int64(x.Failures), locale.Args{"Status": x.Status}))
	}
	return t
}

// metrics are Flink's names. Watermarks are metrics too: the output of a
// source, the input of an operator.
func (v viewer) metrics() []Table {
	t := v.table("metrics", "subtask", "metric", "#value")
	job := v.table("metrics.job", "metric", "#value")
	f := fold.OfAt(v.run.Trace, v.run.Now)
	for _, p := range v.bench.readers {
		t.add(p.at, "currentOutputWatermark", v.mark(p.watermark))
	}
	byPlace := map[string][][]string{}
	var order []string
	note := func(at, metric, value string) {
		if byPlace[at] == nil {
			order = append(order, at)
		}
		byPlace[at] = append(byPlace[at], []string{at, metric, value})
	}
	for _, p := range v.bench.tasks {
		note(p.at, "currentInputWatermark", v.mark(p.watermark))
	}
	counters := f.Counters()
	for _, at := range v.countLate() {
		if !slices.ContainsFunc(counters, func(c fold.Counter) bool { return c.At == at && c.Metric == lateDropped }) {
			counters = append(counters, fold.Counter{At: at, Metric: lateDropped})
		}
	}
	for _, c := range counters {
		note(c.At, c.Metric, strconv.Itoa(c.Value))
	}
	for _, c := range f.Gauges() {
		if c.At == fold.JobManager {
			job.add(c.Metric, strconv.Itoa(c.Value))
			continue
		}
		note(c.At, c.Metric, strconv.Itoa(c.Value))
	}
	for _, at := range order {
		t.Rows = append(t.Rows, byPlace[at]...)
	}
	if len(job.Rows) == 0 {
		return []Table{t}
	}
	return []Table{t, job}
}

const lateDropped = "numLateRecordsDropped"

// countLate are the subtasks that register the counter of late records: it
// exists, at 0, before the first one is dropped.
func (v viewer) countLate() (out []string) {
	if v.run.Spec == nil || len(v.bench.vertices) == 0 {
		return nil
	}
	for _, o := range v.run.Spec.Operators {
		if o.Kind != "window" && o.Kind != "sql-window" {
			continue
		}
		for i := range v.run.Spec.Parallelism {
			out = append(out, o.Name+"["+strconv.Itoa(i)+"]")
		}
	}
	return out
}

// mark is a watermark as a metric: MIN, not a word, before the first.
func (v viewer) mark(t int64) string { return v.time(t) }
