package narrate

import (
	"cmp"
	"slices"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/flink"
	"streaminglab/sim/fold"
	"streaminglab/sim/verdict"
)

// nothing answers "why is nothing coming out?": what the windows wait for, who
// keeps time from getting there, and what would bring it.
func nothing(loc *locale.Localizer, r Run, width int) []string {
	v := viewer{words{loc}, r, benchOf(r.Trace)}
	n := &answer{viewer: v, width: width}
	switch {
	case len(v.bench.vertices) == 0 && v.bench.status == created:
		n.say(0, "why.no-job", nil)
		return n.lines
	case n.part():
		n.regions()
		n.unread()
		if n.windowed() {
			if waiting := n.windows(); len(waiting) > 0 {
				n.spare(n.holders())
				n.idle()
				n.needed(waiting)
			}
		}
		return n.lines
	case v.bench.status != "RUNNING":
		n.say(0, "why.status", locale.Args{"Status": v.bench.status})
		if n.bench.regions.Waiting() {
			n.restarts()
			return n.lines
		}
		n.last(func(s *sim.Step) bool {
			switch s.Body.(type) {
			case sim.JobFailed, sim.JobRestarting, sim.JobFinished, sim.JobStopped, sim.JobCanceled:
				return true
			}
			return false
		})
		return n.lines
	}
	for _, b := range v.bench.blocked {
		n.say(0, "why.blocked", locale.Args{"At": b})
	}
	n.unread()
	held := n.held() || n.lost()
	if !n.windowed() {
		n.nothingRead()
		if !held {
			n.latest()
		}
		return n.lines
	}
	waiting := n.windows()
	if len(waiting) == 0 {
		n.say(0, "why.no-window", nil)
		n.nothingRead()
		n.lateOnes()
		return n.lines
	}
	n.spare(n.holders())
	n.idle()
	n.needed(waiting)
	return n.lines
}

type answer struct {
	viewer
	width int
	lines []string
}

func (n *answer) say(depth int, id string, args locale.Args) { n.put(depth, n.text(id, args)) }

func (n *answer) put(depth int, text string) {
	in := strings.Repeat("  ", depth)
	n.lines = append(n.lines, hang(in, in+"  ", text, n.width)...)
}

// step names a step with its number.
func (n *answer) step(depth int, s *sim.Step) {
	n.put(depth, n.text("why.cause", locale.Args{"Seq": s.Seq, "Text": Step(n.loc, s), "Rule": s.Rule}))
}

// part reports whether regions wait for their restart while others go on.
func (n *answer) part() bool {
	down := n.bench.regions.Waits()
	return len(down) > 0 && len(down) < len(n.bench.subtasks)
}

// regions says which subtasks wait for their restart, and why.
func (n *answer) regions() {
	down := n.bench.regions.Waits()
	n.put(0, n.loc.Plural("why.region", int64(len(down)), locale.Args{"Subtasks": n.list(down)}))
	n.restarts()
}

// restarts shows what each region waits for that is down, and what led to it.
func (n *answer) restarts() {
	waits := map[string]*sim.Step{}
	for s := range n.run.Trace.Main() {
		if b, ok := s.Body.(sim.JobRestarting); ok && len(b.Subtasks) > 0 {
			waits[b.Subtasks[0]] = s
		}
	}
	c := &chain{loc: n.loc, trace: n.run.Trace, width: n.width, told: map[int]bool{}}
	for _, at := range n.bench.regions.Waits() {
		if s := waits[at]; s != nil {
			c.walk(s, 1)
		}
	}
	n.lines = append(n.lines, c.lines...)
}

// down reports whether a place waits for the restart of its region.
func (n *answer) down(at string) bool { return n.bench.regions.Down(at) }

// last shows the last step that is so, and what led to it.
func (n *answer) last(is func(*sim.Step) bool) {
	steps := n.run.Trace.Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Job == "" && is(steps[i]) {
			c := &chain{loc: n.loc, trace: n.run.Trace, width: n.width, told: map[int]bool{}}
			c.walk(steps[i], 1)
			if remark := remark(n.loc, n.run, steps[i]); remark != "" {
				c.say(1, remark)
			}
			n.lines = append(n.lines, c.lines...)
			return
		}
	}
}

// windowed reports whether results of the job wait for time: there is an
// operator with windows or a join.
func (n *answer) windowed() bool {
	if n.run.Spec == nil || len(n.bench.windows) > 0 {
		return true
	}
	return slices.ContainsFunc(n.run.Spec.Operators, func(o *flink.OperatorSpec) bool {
		switch o.Kind {
		case "window", "sql-window", "interval-join":
			return true
		}
		return false
	})
}

// held says which partitions readers of committed records wait for, and since which
// step. It reports whether there are any.
func (n *answer) held() bool {
	store := fold.StorageOf(n.run.Trace)
	any := false
	for _, x := range verdict.Of(n.run.Trace) {
		if x.Kind != verdict.Stuck || x.Partition == "" {
			continue
		}
		any = true
		n.put(0, n.says(x, store))
		c := &chain{loc: n.loc, trace: n.run.Trace, width: n.width, told: map[int]bool{}}
		for _, seq := range []int{x.Step, x.Cause} {
			if !c.told[seq] {
				c.walk(n.run.Trace.Step(seq), 1)
			}
		}
		n.lines = append(n.lines, c.lines...)
	}
	return any
}

// lost says what nobody will see any more, and where that is explained. It reports
// whether there is anything.
func (n *answer) lost() bool {
	store := fold.StorageOf(n.run.Trace)
	any := false
	for _, x := range verdict.Of(n.run.Trace) {
		if x.Kind == verdict.Lost || x.Kind == verdict.LostInOutput {
			any = true
			n.put(0, n.says(x, store)+" "+n.text("why.lost", locale.Args{"Step": x.Step}))
		}
	}
	return any
}

// latest explains what was last decided about the state of a job whose results
// wait for nothing: a snapshot that was taken or not, a deletion, a restore.
func (n *answer) latest() {
	steps := n.run.Trace.Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Job == "" && decided(steps[i]) {
			n.say(0, "why.latest", locale.Args{"Step": steps[i].Seq})
			n.lines = append(n.lines, Why(n.loc, n.run, steps[i].Seq, n.width)...)
			return
		}
	}
	n.say(0, "why.nothing-decided", nil)
}

func decided(s *sim.Step) bool {
	switch b := s.Body.(type) {
	case sim.CheckpointCompleted, sim.CheckpointAborted, sim.CheckpointRejected,
		sim.SharedStateUnregistered, sim.ObjectDeleted, sim.CleanUpFailed, sim.StateRestored, sim.TaskFailed, sim.JobFailed:
		return true
	case sim.CheckpointDiscarded:
		return b.Error != ""
	}
	return false
}

// unread says where records wait to be read.
func (n *answer) unread() {
	for _, s := range n.bench.splits {
		if left, ok := n.viewer.unread(s); ok && left > 0 {
			n.put(0, n.loc.Plural("why.unread", left, locale.Args{"Split": s.name}))
		}
	}
}

// nothingRead says so when no source has read anything.
func (n *answer) nothingRead() {
	for _, s := range n.bench.splits {
		if len(s.read) > 0 {
			return
		}
	}
	n.say(0, "why.nothing-read-yet", nil)
}

// wanted is what an operator waits for.
type wanted struct {
	first *benchWindow
	due   int64
	have  int64
}

// windows says, for each operator, which window is next and how far time has
// come there. A window whose time has come without a result is one of SQL: its
// rows wait in the buffer, or got no timer (EV-7.2).
func (n *answer) windows() (out []wanted) {
	for _, name := range n.bench.operators() {
		var waits, passed []wanted
		counted := 0
		for _, w := range n.bench.sorted() {
			if w.operator != name || !w.open() || w.fired > 0 || n.down(w.at) {
				continue
			}
			at, ok := due(n.run.Spec, w)
			have := sim.MinTime
			if p := n.bench.find(n.bench.tasks, w.at); p != nil {
				have = p.watermark
			}
			switch {
			case !ok:
				counted++
			case have >= at:
				passed = append(passed, wanted{w, at, have})
			default:
				waits = append(waits, wanted{w, at, have})
			}
		}
		if counted > 0 {
			n.put(0, n.loc.Plural("why.counts", int64(counted), locale.Args{"Operator": name}))
		}
		if len(passed) > 0 {
			n.put(0, n.loc.Plural("why.passed", int64(len(passed)), n.about(passed[0])))
		}
		if len(waits) > 0 {
			first := slices.MinFunc(waits, func(a, b wanted) int { return cmp.Compare(a.due, b.due) })
			n.put(0, n.loc.Plural("why.waits", int64(len(waits)), n.about(first)))
			out = append(out, first)
		}
	}
	return out
}

func (n *answer) about(w wanted) locale.Args {
	return locale.Args{
		"At": w.first.at, "Window": n.interval(w.first.start, w.first.end), "Key": w.first.key,
		"Due": w.due, "Have": n.watermark(w.have),
	}
}

// holders says who holds the watermark and why, and returns whom it named.
func (n *answer) holders() (said map[string]bool) {
	said = map[string]bool{}
	for _, list := range [][]*benchPlace{n.bench.tasks, n.bench.readers} {
		for _, p := range list {
			if p.held == nil || n.down(p.at) {
				continue
			}
			by := p.held.Body.(sim.WatermarkHeld).By
			// The step tells the figures of when it was written.
			n.put(0, n.loc.Plural("why.held", int64(len(by)), locale.Args{
				"By": n.list(places(by)), "At": p.at, "WM": n.watermark(p.watermark), "Step": p.held.Seq, "Rule": p.held.Rule,
			}))
			for _, by := range by {
				if !said[by] {
					said[by] = true
					n.holder(place(by))
				}
			}
		}
	}
	return said
}

// spare names the readers without a split that hold everyone back although no
// watermark has come yet that they could hold.
func (n *answer) spare(said map[string]bool) {
	for _, p := range n.bench.readers {
		if p.spare && !p.ended && !p.idle && !said[p.at] && !n.down(p.at) {
			n.say(0, "why.spare", locale.Args{"At": p.at})
		}
	}
}

// holder says what keeps a split or a reader behind.
func (n *answer) holder(name string) {
	if p := n.bench.find(n.bench.readers, name); p != nil && p.spare {
		n.say(1, "why.spare", locale.Args{"At": name})
		return
	}
	for _, s := range n.bench.splits {
		if s.name != name {
			continue
		}
		args := locale.Args{"Split": name}
		switch {
		case s.paused != nil:
			n.step(1, s.paused)
			for _, c := range s.paused.Causes {
				n.step(2, c)
			}
		case s.aligned != nil:
			n.step(1, s.aligned)
		case s.slow > 0:
			args["PerRecord"] = s.slow
			n.say(1, "why.slow", args)
		case len(s.read) == 0:
			n.say(1, "why.nothing-read", args)
		case s.top == sim.MinTime:
			n.say(1, "why.restarted", args)
		default:
			args["Max"] = s.top
			n.say(1, "why.behind", args)
		}
		if spec := sourceSpec(n.run.Spec, sourceOf(name)); spec != nil && spec.Strategy.IdleTimeout == 0 && spec.Strategy.Generator != eventtime.None {
			n.say(1, "why.no-idleness", locale.Args{"Split": name, "Source": spec.Name})
		}
	}
}

// idle says when nobody is there to move time.
func (n *answer) idle() {
	for _, p := range n.bench.readers {
		if !p.idle && !n.down(p.at) {
			return
		}
	}
	if len(n.bench.readers) > 0 {
		n.say(0, "why.all-idle", nil)
	}
}

// needed says which record or which probe would bring the first window.
func (n *answer) needed(waiting []wanted) {
	first := waiting[0]
	for _, w := range waiting {
		if w.due < first.due {
			first = w
		}
	}
	if n.run.Spec == nil {
		return
	}
	for _, o := range n.run.Spec.Operators {
		if o.Kind == "assign-timestamps" || o.Kind == "sql-watermark" {
			n.say(0, "why.assigner", locale.Args{"Operator": o.Name})
			return
		}
	}
	for _, need := range n.needs(first.due) {
		need.args["Splits"] = n.list(need.splits)
		n.put(0, n.loc.Plural(need.id, int64(len(need.splits)), need.args))
	}
}

// a need is what some splits of a source lack.
type need struct {
	id     string
	ts     int64
	splits []string
	args   locale.Args
}

// needs asks each split that is behind; equal answers are one.
func (n *answer) needs(due int64) (out []*need) {
	for _, s := range n.bench.splits {
		spec := sourceSpec(n.run.Spec, sourceOf(s.name))
		if spec == nil || s.removed || s.watermark >= due || s.idle || n.down(s.reader) {
			continue
		}
		id, ts := n.need(spec, s, due)
		found := false
		for _, x := range out {
			if x.id == id && x.ts == ts && x.args["Source"] == spec.Name {
				x.splits, found = append(x.splits, s.name), true
			}
		}
		if !found {
			out = append(out, &need{id, ts, []string{s.name}, locale.Args{
				"Source": spec.Name, "Due": due, "TS": ts, "Interval": n.run.Spec.Interval,
			}})
		}
	}
	return out
}

// need inverts a generator: which timestamp makes a split reach due.
func (n *answer) need(spec *flink.SourceSpec, s *benchSplit, due int64) (id string, ts int64) {
	switch spec.Strategy.Generator {
	case eventtime.None:
		return "why.no-strategy", due
	case eventtime.Scripted:
		return "why.scripted", due
	case eventtime.Punctuated:
		return "why.punctuated", due
	case eventtime.Bounded:
		ts = due + spec.Strategy.Delay + 1
	case eventtime.Monotonous:
		ts = due + 1
	case eventtime.SQLExpression:
		ts = due + spec.Strategy.Delay
	}
	switch {
	case n.run.Spec.Interval == 0 && !spec.Strategy.OnEvent:
		return "why.no-probes", ts
	case s.top >= ts:
		return "why.probe", ts
	}
	return "why.record", ts
}

// lateOnes points at records that came too late, when nothing is open.
func (n *answer) lateOnes() {
	if k := len(n.bench.late); k > 0 {
		n.put(0, n.loc.Plural("why.late", int64(k), nil))
		n.step(1, n.bench.late[k-1].step)
	}
}
