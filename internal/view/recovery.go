package view

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// Recovery is what the picture of attempts shows.
type Recovery struct {
	Fold *fold.Recovery
}

// BuildRecovery folds a trace into the attempts of its jobs.
func BuildRecovery(t *sim.Trace) *Recovery { return &Recovery{fold.RecoveryOf(t)} }

// A strip is the part of a picture that lies over virtual time.
type strip struct {
	c     *canvas
	p     *Picture
	axis  Axis
	label int
	// marks are the messages that explain what cells show: the legend says no more
	// and no less.
	marks map[[2]int]string
	// labeled says that attempts are named with what they came from.
	labeled bool
}

// mark puts signs into cells; id is the message that explains them.
func (s *strip) mark(x, y int, class Class, id, sign string) {
	end := s.c.put(x, y, class, sign)
	for ; x < end; x++ {
		s.marks[[2]int{x, y}] = id
	}
}

// has reports whether a mark is to be seen.
func (s *strip) has(id string) bool {
	for _, m := range s.marks {
		if m == id {
			return true
		}
	}
	return false
}

// beside writes a text behind a cell where there is room for it and one cell
// more, else before it, and reports whether there was.
func (s *strip) beside(x, y int, class Class, text string) bool {
	w := lipgloss.Width(text)
	if s.clear(x+1, y, w+1) || x+1+w == s.c.w && s.clear(x+1, y, w) {
		s.c.put(x+1, y, class, text)
		return true
	}
	return false
}

// cell is where a time stands on the canvas.
func (s *strip) cell(t int64) int {
	x, _ := s.axis.Cell(t)
	return s.label + x
}

// name writes the name of a lane.
func (s *strip) name(y int, class Class, text string) {
	s.c.put(0, y, class, Fit(text, s.label-1, s.p.Signs))
}

// free writes a text where its row is empty, also one cell before and behind it,
// and reports whether there was room.
func (s *strip) free(x, y int, class Class, text string) bool {
	w := lipgloss.Width(text)
	x = min(x, s.c.w-w)
	from := max(x-1, s.label)
	if x < s.label || !s.clear(from, y, min(x+w+1, s.c.w)-from) {
		return false
	}
	s.c.put(x, y, class, text)
	return true
}

// clear reports whether cells are on the canvas and empty.
func (s *strip) clear(x, y, w int) bool {
	for i := range w {
		if s.c.at(x+i, y) != " " {
			return false
		}
	}
	return true
}

// A job is the attempts of one start.
type jobRuns struct {
	name string
	runs []*fold.Run
}

func (r *Recovery) jobs() (out []jobRuns) {
	for _, x := range r.Fold.Runs {
		if n := len(out); n == 0 || out[n-1].name != x.Job {
			out = append(out, jobRuns{name: x.Job})
		}
		last := &out[len(out)-1]
		last.runs = append(last.runs, x)
	}
	return out
}

// DrawRecovery draws virtual time from left to right: the attempts of each job,
// its checkpoints and savepoints, what failed; and below it each attempt with
// what it came back to and how much was read again.
func (r *Recovery) DrawRecovery(p Picture) []string {
	if len(r.Fold.Runs) == 0 {
		c := newCanvas(p.Width, p.Height)
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.recovery.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	jobs := r.jobs()
	var checkpoints, savepoints []*fold.Snapshot
	for _, x := range r.Fold.Store.Snapshots {
		if x.Savepoint() {
			savepoints = append(savepoints, x)
		} else {
			checkpoints = append(checkpoints, x)
		}
	}
	// A second row for names, where the table keeps its rows and the legend two.
	lanes := len(jobs) + 2
	if len(savepoints) > 0 {
		lanes++
	}
	table := min(len(r.Fold.Runs), 5) + 1
	named := p.Height >= 2+lanes+len(jobs)+table+2
	wide := p.Height >= 2+2*lanes+table+2
	// Where not all has room, the rows of older jobs go first, for what failed in
	// them is told below all the same, then the summary.
	for most, top := min(len(jobs), max(p.Height/3, 1)), 1; ; {
		c := newCanvas(p.Width, p.Height)
		if top > 0 {
			c.put(0, 0, Plain, Fit(r.summary(&p), c.w, p.Signs))
		}
		hidden := len(jobs) - most
		s := r.strip(c, &p, jobs[hidden:], top)
		y := top + 1
		for i, j := range jobs[hidden:] {
			name := j.name
			if i == 0 && hidden > 0 {
				name = p.before(hidden) + " " + name
			}
			s.name(y, Strong, name)
			r.drawJob(s, j, y, named)
			y++
			if named {
				y++
			}
		}
		if len(checkpoints) > 0 {
			y = r.drawSnapshots(s, p.Loc.Text("scene.recovery.checkpoints", nil), checkpoints, y, wide)
		}
		if len(savepoints) > 0 {
			y = r.drawSnapshots(s, p.Loc.Text("scene.recovery.savepoints", nil), savepoints, y, wide)
		}
		y = r.drawFailures(s, y)
		legend := r.legend(s)
		if p.Height-y < len(legend) {
			switch {
			case most > 1:
				most--
				continue
			case top > 0:
				top = 0
				continue
			}
			legend = nil
		}
		room := p.Height - y - len(legend)
		if room > len(r.Fold.Runs)+2 {
			y++
			room--
		}
		y = r.drawRuns(c, &p, y, room)
		bottom := min(y+1, c.h-len(legend))
		for _, l := range legend {
			c.put(0, bottom, Faint, l)
			bottom++
		}
		return c.lines(p.style())
	}
}

// strip makes the axis and writes it into a row.
func (r *Recovery) strip(c *canvas, p *Picture, jobs []jobRuns, y int) *strip {
	label := 0
	names := []string{
		p.Loc.Text("scene.recovery.checkpoints", nil), p.Loc.Text("scene.recovery.savepoints", nil), p.Loc.Text("scene.recovery.failures", nil),
		p.Loc.Text("scene.recovery.faults", nil),
	}
	for _, j := range jobs {
		names = append(names, j.name)
	}
	for _, n := range names {
		label = max(label, lipgloss.Width(n)+1)
	}
	label = min(label, max(p.Width/3, 4))
	low, high := r.Fold.Now, r.Fold.Now
	for _, x := range r.Fold.Runs {
		for _, at := range []*sim.Step{x.Started, x.Ended} {
			if at != nil {
				low = min(low, at.T)
			}
		}
		if x.Failure != nil && x.Failure.Restarting != nil {
			high = max(high, waitsUntil(x.Failure))
		}
	}
	s := &strip{c: c, p: p, axis: NewAxis(low, max(high, low+1), max(p.Width-label, 2)), label: label, marks: map[[2]int]string{}}
	last := 0
	for _, t := range s.axis.Ticks(9) {
		if x, text := s.cell(t), locale.Clock(t); x >= last && x+lipgloss.Width(text) <= c.w {
			last = c.put(x, y, Faint, text) + 1
		}
	}
	return s
}

// Marks of how an attempt ended.
func (r *Recovery) ending(p *Picture, x *fold.Run) (id, sign string, class Class) {
	switch x.Outcome {
	case fold.RunFailed, fold.RunGaveUp:
		return "failed", p.Signs.Fates[Dropped], Bad
	case fold.RunFinished, fold.RunStopped:
		return "completed", p.Signs.Fired, Good
	}
	return "ended", p.Signs.Cross, Faint
}

// waitsUntil is when a wait for a restart ended, or will.
func waitsUntil(f *fold.Thrown) int64 {
	if f.Waited != nil {
		return f.Waited.T
	}
	return f.Restarting.T + f.Delay
}

// until is when a run ended, or as far as the picture goes.
func (r *Recovery) until(x *fold.Run) int64 {
	if x.Ended != nil {
		return x.Ended.T
	}
	return r.Fold.Now
}

// drawJob draws the attempts of a job: bars while it runs, hatched while it
// waits for its restart, with a sign of its own where a region waits and others
// go on. Where several things fall into one cell, a failure goes before another
// end, and that before what goes on.
func (r *Recovery) drawJob(s *strip, j jobRuns, y int, named bool) {
	p := s.p
	type end struct {
		x        int
		id, sign string
		class    Class
	}
	var ends []end
	for _, selected := range []bool{false, true} {
		for _, x := range j.runs {
			if x.Started == nil || r.about(p, x) != selected {
				continue
			}
			class := Good
			if selected {
				class = Selected
			}
			a, b := s.cell(x.Started.T), s.cell(r.until(x))
			s.mark(a, y, class, "running", strings.Repeat(p.Signs.Fill, b-a+1))
		}
	}
	for _, x := range j.runs {
		if x.Ended == nil {
			continue
		}
		id, sign, class := r.ending(p, x)
		ends = append(ends, end{s.cell(x.Ended.T), id, sign, class})
		if x.Failure == nil || x.Failure.Restarting == nil {
			continue
		}
		last := s.cell(waitsUntil(x.Failure))
		if x.Failure.Waited != nil && x.Failure.Restarts() {
			last-- // what comes back has its own bar
		}
		now := s.cell(r.Fold.Now)
		for c := s.cell(x.Ended.T) + 1; c <= last; c++ {
			if x.Failure.Waited == nil && c > now {
				s.mark(c, y, Faint, "planned", p.Signs.Dots)
			} else if r.goesOn(s, j, x, c) {
				s.mark(c, y, Warn, "part", p.Signs.Part)
			} else {
				s.mark(c, y, Warn, "restarting", p.Signs.Hatch)
			}
		}
	}
	for _, failed := range []bool{false, true} {
		for _, e := range ends {
			if (e.id == "failed") == failed {
				s.mark(e.x, y, e.class, e.id, e.sign)
			}
		}
	}
	if !named {
		return
	}
	// The newest attempts are named first, those that began together at once.
	for i := len(j.runs) - 1; i >= 0; i-- {
		x := j.runs[i]
		at := x.Started
		if at == nil {
			at = x.Ended
		}
		numbers, class := []string{fmt.Sprint(x.Attempt)}, Faint
		if r.about(p, x) {
			class = Selected
		}
		for ; i > 0 && x.Started != nil && j.runs[i-1].Started != nil && j.runs[i-1].From == x.From && s.cell(j.runs[i-1].Started.T) == s.cell(at.T); i-- {
			before := j.runs[i-1]
			if n := fmt.Sprint(before.Attempt); n != numbers[0] && (!x.Whole() || !before.Whole()) {
				numbers = append([]string{n}, numbers...)
			} else if n != numbers[0] {
				break
			}
			if r.about(p, before) {
				class = Selected
			}
		}
		short := strings.Join(numbers, ",")
		text := short
		if x.From != nil {
			text = r.from(p, x) + p.Signs.To + text
		}
		if s.free(s.cell(at.T), y+1, class, text) {
			s.labeled = s.labeled || x.From != nil
		} else {
			s.free(s.cell(at.T), y+1, class, short)
		}
	}
}

// goesOn reports whether others run in a cell while a run waits for its restart.
func (r *Recovery) goesOn(s *strip, j jobRuns, waits *fold.Run, c int) bool {
	return slices.ContainsFunc(j.runs, func(x *fold.Run) bool {
		if x.Started == nil || x.Ended != nil && c > s.cell(x.Ended.T) {
			return false
		}
		before := x.Started.T <= waits.Ended.T && (x.Ended == nil || x.Ended.T > waits.Ended.T)
		return before || s.cell(x.Started.T) < c
	})
}

// about says that the selected step began or ended an attempt.
func (r *Recovery) about(p *Picture, x *fold.Run) bool {
	about := []*sim.Step{x.Started, x.Ended}
	if x.Failure != nil {
		about = append(about, x.Failure.Restarting)
	}
	for _, s := range about {
		if s != nil && p.Step > 0 && s.Seq == p.Step {
			return true
		}
	}
	return false
}

// end is when a snapshot ended, or as far as the picture goes.
func (r *Recovery) end(x *fold.Snapshot) int64 {
	switch {
	case x.Status != fold.SnapshotPending:
		return ended(x)
	case x.Lost:
		return x.Triggered.T
	}
	return r.Fold.Now
}

// snapshotEnd is the mark of how a snapshot ended.
func snapshotEnd(p *Picture, x *fold.Snapshot) (id, sign string, class Class) {
	class = statusClass[x.Status]
	switch {
	case x.Status == fold.SnapshotAborted:
		return "failed", p.Signs.Fates[Dropped], class
	case x.Status == fold.SnapshotPending && x.Lost:
		return "lost", p.Signs.Deleted, Faint
	case x.Status == fold.SnapshotPending:
		return "pending", p.Signs.Open, class
	}
	return "completed", p.Signs.Fired, class
}

// drawSnapshots draws checkpoints from their triggers to their ends, with the
// ids below or behind: those that an attempt came back to are marked. Where
// several fall into one cell, one that failed goes before the others; where that
// would hide what an attempt came back to, there is a second row.
func (r *Recovery) drawSnapshots(s *strip, name string, all []*fold.Snapshot, y int, below bool) int {
	p := s.p
	s.name(y, Plain, name)
	failed, restored := map[int]bool{}, map[int]bool{}
	for _, x := range all {
		a, b := s.cell(x.Triggered.T), s.cell(r.end(x))
		s.c.put(a, y, statusClass[x.Status], strings.Repeat(p.Signs.Line, b-a))
		failed[b] = failed[b] || x.Status == fold.SnapshotAborted
		restored[b] = restored[b] || len(r.Fold.Uses(x)) > 0
		below = below || failed[b] && restored[b]
	}
	for _, mark := range []string{"lost", "completed", "pending", "failed"} {
		for _, x := range all {
			if id, sign, class := snapshotEnd(p, x); id == mark {
				s.mark(s.cell(r.end(x)), y, class, id, sign)
			}
		}
	}
	if below {
		// All marks before the first name: a name hides none of them.
		for x, is := range restored {
			if is {
				s.mark(x, y+1, Time, "restored", p.Signs.Rise)
			}
		}
	}
	for _, used := range []bool{true, false} {
		for i := len(all) - 1; i >= 0; i-- {
			x := all[i]
			if (len(r.Fold.Uses(x)) > 0) != used {
				continue
			}
			text, class := head(x), Faint
			if used {
				class = Time
			}
			if p.Step > 0 && (x.Triggered.Seq == p.Step || x.Ended != nil && x.Ended.Seq == p.Step) {
				class = Selected
			}
			at := s.cell(r.end(x))
			switch {
			case below && used:
				if class == Selected {
					s.mark(at, y+1, class, "restored", p.Signs.Rise)
				}
				if w := lipgloss.Width(text); !s.beside(at, y+1, class, text) && at-w-1 >= s.label && s.clear(at-w-1, y+1, w+1) {
					s.c.put(at-w, y+1, class, text)
				}
			case below:
				s.free(at, y+1, class, text)
			case used && s.beside(at, y, class, p.Signs.Rise+text):
				s.marks[[2]int{at + 1, y}] = "restored"
			case used:
				// No room: that an attempt came back to it says that it was completed.
				s.mark(at, y, class, "restored", p.Signs.Rise)
			default:
				s.beside(at, y, class, text)
			}
		}
	}
	if below {
		y++
	}
	return y + 1
}

// drawFailures marks what threw and what was made to fail, as many as there are
// in a cell; where there is room it says where. What falls into the cell of a
// failure has a row of its own.
func (r *Recovery) drawFailures(s *strip, y int) int {
	p := s.p
	s.name(y, Plain, p.Loc.Text("scene.recovery.failures", nil))
	failures, faults := map[int][]*sim.Step{}, map[int][]*sim.Step{}
	for _, f := range r.Fold.Failures {
		at := s.cell(f.Step.T)
		failures[at] = append(failures[at], f.Step)
	}
	second := false
	for _, f := range r.Fold.Faults {
		at := s.cell(f.Step.T)
		faults[at] = append(faults[at], f.Step)
		second = second || len(failures[at]) > 0 || len(faults[at]) > 1
	}
	draw := func(cells map[int][]*sim.Step, y int, id, sign string, class Class) {
		for x, steps := range cells {
			class := class
			for _, step := range steps {
				if p.Step > 0 && p.Step == step.Seq {
					class = Selected
				}
			}
			switch n := len(steps); {
			case n == 1:
				s.mark(x, y, class, id, sign)
			case n > 9:
				s.mark(x, y, class, "plenty", plenty)
			default:
				s.mark(x, y, class, "several", fmt.Sprint(n))
			}
		}
	}
	draw(failures, y, "failed", p.Signs.Fates[Dropped], Bad)
	if second {
		s.name(y+1, Plain, p.Loc.Text("scene.recovery.faults", nil))
		draw(faults, y+1, "fault", p.Signs.Missing, Warn)
	} else {
		draw(faults, y, "fault", p.Signs.Missing, Warn)
	}
	for i := len(r.Fold.Failures) - 1; i >= 0; i-- {
		f := r.Fold.Failures[i]
		x := s.cell(f.Step.T)
		if len(failures[x]) > 1 {
			continue // the table says where
		}
		text := f.Place()
		if w := lipgloss.Width(text); !s.beside(x, y, Bad, text) && x-w-1 >= s.label && s.clear(x-w-1, y, w+1) {
			s.c.put(x-w, y, Bad, text) // before it
		}
	}
	if second {
		y++
	}
	return y + 1
}

// plenty stands where more than nine of something fall into a cell.
const plenty = "*"

// A column of the table of attempts.
type column struct {
	head string
	cell func(x *fold.Run) string
}

// columns are those of the table, without the last one.
func (r *Recovery) columns(p *Picture) []column {
	out := []column{{"attempt", func(x *fold.Run) string { return fmt.Sprintf("%s %d", x.Job, x.Attempt) }}}
	regions := r.regions()
	if regions {
		out = append(out, column{"subtasks", func(x *fold.Run) string { return r.subtasks(p, x) }})
	}
	// The lanes show since when, too.
	if p.Width >= 100 {
		out = append(out, column{"since", func(x *fold.Run) string {
			if x.Started == nil {
				return ""
			}
			return locale.Clock(x.Started.T)
		}})
	}
	out = append(out, column{"from", func(x *fold.Run) string { return r.from(p, x) }}, column{"again", func(x *fold.Run) string { return r.readAgain(p, x) }})
	// How it stands goes before what it came from.
	for regions && len(out) > 2 && p.Width-r.widths(p, out).sum() < leastOutcome {
		out = out[:len(out)-1]
	}
	return out
}

// leastOutcome are the cells that name a subtask that failed.
const leastOutcome = 11

// widths of columns.
type widths []int

func (r *Recovery) widths(p *Picture, columns []column) (out widths) {
	for _, c := range columns {
		w := lipgloss.Width(p.Loc.Text("scene.recovery."+c.head, nil))
		for _, x := range r.Fold.Runs {
			w = max(w, lipgloss.Width(c.cell(x)))
		}
		out = append(out, w)
	}
	return out
}

// sum are the cells of columns with what is between them.
func (w widths) sum() (n int) {
	for _, x := range w {
		n += x + 2
	}
	return n
}

// regions reports whether some subtasks had another fate than others.
func (r *Recovery) regions() bool {
	return slices.ContainsFunc(r.Fold.Runs, func(x *fold.Run) bool { return !x.Whole() })
}

// subtasks names those that a run is about: two where there is room, else the
// first one, and how many more.
func (r *Recovery) subtasks(p *Picture, x *fold.Run) string {
	switch n := len(x.Subtasks); n {
	case 0:
		return p.Loc.Text("scene.recovery.all", nil)
	case 1:
		return x.Subtasks[0]
	default:
		if n == 2 && p.Width >= narrowLegend {
			return strings.Join(x.Subtasks, ", ")
		}
		return p.Loc.Text("scene.recovery.more", locale.Args{"Name": x.Subtasks[0], "N": n - 1})
	}
}

// rows are the runs as the table has them: what goes on after what has ended.
func (r *Recovery) rows() []*fold.Run {
	out := slices.Clone(r.Fold.Runs)
	slices.SortStableFunc(out, func(a, b *fold.Run) int {
		switch {
		case a.Ended != nil && b.Ended == nil:
			return -1
		case a.Ended == nil && b.Ended != nil:
			return 1
		}
		return 0
	})
	return out
}

// drawRuns writes a row for each attempt, the one that the step is about in
// sight.
func (r *Recovery) drawRuns(c *canvas, p *Picture, y, room int) int {
	if room < 2 {
		return y
	}
	columns, rows := r.columns(p), r.rows()
	widths := r.widths(p, columns)
	from := max(len(rows)-(room-1), 0)
	for i, x := range rows {
		if r.about(p, x) {
			from = min(from, i)
		}
	}
	x := 0
	for i, col := range columns {
		h := p.Loc.Text("scene.recovery."+col.head, nil)
		if before := p.before(from) + " "; from > 0 && i == 0 {
			if h = before + h; lipgloss.Width(h) > widths[i]+1 {
				h = before
			}
		}
		c.put(x, y, Faint, h)
		x += widths[i] + 2
	}
	c.put(x, y, Faint, p.Loc.Text("scene.recovery.outcome", nil))
	y++
	for _, run := range rows[from:min(from+room-1, len(rows))] {
		class := Plain
		_, _, last := r.ending(p, run)
		if run.Outcome == fold.RunRunning {
			last = Good
		}
		if r.about(p, run) {
			class, last = Selected, Selected
			c.put(0, y, class, strings.Repeat(" ", c.w))
		}
		x := 0
		for i, col := range columns {
			c.put(x, y, class, Fit(col.cell(run), c.w-x, p.Signs))
			x += widths[i] + 2
		}
		c.put(x, y, last, Fit(r.outcome(p, run, c.w-x), c.w-x, p.Signs))
		y++
	}
	return y
}

// from names the snapshot that an attempt came from.
func (r *Recovery) from(p *Picture, x *fold.Run) string {
	if x.From == nil {
		return p.Loc.Text("scene.recovery.fresh", nil)
	}
	return strings.TrimPrefix(x.From.Name, x.Job+"/")
}

// readAgain is how much an attempt reads again; what came back with the
// checkpoint itself is counted beside.
func (r *Recovery) readAgain(p *Picture, x *fold.Run) string {
	text := p.Loc.Text("scene.number", locale.Args{"N": x.Again})
	if x.Read < x.Again {
		text = p.Loc.Text("scene.recovery.some", locale.Args{"N": x.Read, "Of": x.Again})
	}
	if x.InFlight > 0 {
		text += fmt.Sprintf(" +%d%s", x.InFlight, p.Signs.Fates[Aside])
	}
	return text
}

// outcome is how an attempt stands or ended, with as much of why as has room.
func (r *Recovery) outcome(p *Picture, x *fold.Run, room int) string {
	args := locale.Args{"T": int64(0), "Delay": int64(0)}
	if x.Ended != nil {
		args["T"] = x.Ended.T
	}
	text := p.Loc.Text("scene.recovery.outcome."+x.Outcome, args)
	var more []string
	if f := x.Failure; f != nil && x.Outcome != fold.RunLost {
		more = append(more, ": "+f.Place(), ", "+f.Class())
	}
	if f := x.Failure; f != nil && f.Restarts() {
		args["Delay"] = f.Delay
		more = append(more, p.Loc.Text("scene.recovery.restarts", args))
	}
	if f := x.Failure; f != nil && len(more) > 0 && lipgloss.Width(text+more[0]) > room {
		return p.Signs.Fates[Dropped] + " " + f.Place()
	}
	for _, m := range more {
		if lipgloss.Width(text+m) > room {
			break
		}
		text += m
	}
	return text
}

// summary counts starts, failures and what was read again.
func (r *Recovery) summary(p *Picture) string {
	starts, regions, again := map[*sim.Step]bool{}, map[*sim.Step]bool{}, int64(0)
	for _, x := range r.Fold.Runs {
		if x.Started != nil {
			starts[x.Started] = true
			if b, ok := x.Started.Body.(sim.JobStarted); ok && len(b.Subtasks) > 0 {
				regions[x.Started] = true
			}
		}
		again += x.Read
	}
	parts := []string{
		p.Loc.Plural("scene.recovery.failed", int64(len(r.Fold.Failures)), nil), p.Loc.Plural("scene.recovery.read-again", again, nil),
		p.Loc.Plural("scene.recovery.starts", int64(len(starts)-len(regions)), nil),
	}
	if n := len(regions); n > 0 {
		parts = append(parts, p.Loc.Plural("scene.recovery.region-starts", int64(n), nil))
	}
	return p.join(parts)
}

// legend says what the signs are that are in the picture.
func (r *Recovery) legend(s *strip) []string {
	p := s.p
	var entries []string
	entry := func(id, sign string, used bool) {
		if used {
			entries = append(entries, p.entry("scene.recovery.legend", id, sign))
		}
	}
	marked := func(id, sign string) { entry(id, sign, s.has(id)) }
	marked("running", p.Signs.Fill)
	marked("restarting", p.Signs.Hatch)
	marked("part", p.Signs.Part)
	marked("planned", p.Signs.Dots)
	marked("failed", p.Signs.Fates[Dropped])
	marked("restored", p.Signs.Rise)
	marked("completed", p.Signs.Fired)
	marked("fault", p.Signs.Missing)
	marked("several", "2"+p.Signs.Open)
	marked("plenty", plenty)
	marked("pending", p.Signs.Open)
	marked("lost", p.Signs.Deleted)
	marked("ended", p.Signs.Cross)
	entry("attempt", "x"+p.Signs.To+"n", s.labeled)
	entry("in-flight", p.Signs.Fates[Aside], slices.ContainsFunc(r.Fold.Runs, func(x *fold.Run) bool { return x.InFlight > 0 }))
	return pack(entries, p.Width, len(entries))
}

// narrowLegend are the cells below which legends have shorter words.
const narrowLegend = 60

// before says how many rows are above those that are to be seen.
func (p *Picture) before(n int) string {
	if p.Signs == ASCII {
		return fmt.Sprintf("-%d", n)
	}
	return fmt.Sprintf("↑%d", n)
}

// entry is an entry of a legend, in fewer words where there is little room.
func (p *Picture) entry(legend, id, sign string) string {
	if p.Width < narrowLegend {
		legend += "-short"
	}
	return p.Loc.Text(legend+"."+id, locale.Args{"Sign": sign})
}

// pack puts entries of a legend into lines, each into the first one that has
// room. Those that have none in so many lines are left out.
func pack(entries []string, w, most int) (lines []string) {
	for _, e := range entries {
		i := slices.IndexFunc(lines, func(l string) bool { return lipgloss.Width(l+"  "+e) <= w })
		switch {
		case i >= 0:
			lines[i] += "  " + e
		case len(lines) < most && lipgloss.Width(e) <= w:
			lines = append(lines, e)
		}
	}
	return lines
}

// Sentences say all that the picture shows, attempt by attempt.
func (r *Recovery) Sentences(p Picture) (out []string) {
	if len(r.Fold.Runs) == 0 {
		return nil
	}
	out = append(out, r.summary(&p))
	for _, x := range r.Fold.Runs {
		id, args := "scene.recovery.say.started", locale.Args{
			"Job": x.Job, "Attempt": x.Attempt, "From": r.from(&p, x), "Fresh": x.From == nil, "Outcome": r.outcome(&p, x, 1<<20),
			"Read": x.Read, "Again": x.Again, "InFlight": x.InFlight, "T": int64(0),
		}
		args["Names"] = few(x.Subtasks)
		if x.Started != nil {
			args["T"] = x.Started.T
		}
		switch {
		case x.Started == nil:
			id = "scene.recovery.say.not-started"
		case x.Rest:
			id = "scene.recovery.say.rest"
		case !x.Whole() && len(x.Started.Body.(sim.JobStarted).Subtasks) == 0:
			id = "scene.recovery.say.part"
		case !x.Whole():
			id = "scene.recovery.say.region"
		}
		out = append(out, p.Loc.Text(id, args))
	}
	for _, f := range r.Fold.Faults {
		out = append(out, p.Loc.Text("scene.recovery.say.fault", locale.Args{"T": f.Step.T, "At": f.At, "Point": f.Point}))
	}
	return out
}
