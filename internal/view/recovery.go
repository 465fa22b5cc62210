package view

import (
	"fmt"
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
	c := newCanvas(p.Width, p.Height)
	if len(r.Fold.Runs) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.recovery.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	c.put(0, 0, Plain, Fit(r.summary(&p), c.w, p.Signs))
	jobs := r.jobs()
	var checkpoints, savepoints []*fold.Snapshot
	for _, x := range r.Fold.Store.Snapshots {
		if x.Savepoint() {
			savepoints = append(savepoints, x)
		} else {
			checkpoints = append(checkpoints, x)
		}
	}
	// A second row for names, where the table keeps its rows.
	lanes := len(jobs) + 2
	if len(savepoints) > 0 {
		lanes++
	}
	table := min(len(r.Fold.Runs), 5) + 1
	named := p.Height >= 2+lanes+len(jobs)+table
	wide := p.Height >= 2+2*lanes+table+2
	if most := max(p.Height/3, 1); len(jobs) > most {
		jobs = jobs[len(jobs)-most:]
	}
	s := r.strip(c, &p, jobs)
	y := 2
	for _, j := range jobs {
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
	legend := r.legend(&p)
	if room := p.Height - y - len(legend); room < len(r.Fold.Runs)+1 && len(legend) > 1 {
		legend = legend[:1]
	}
	if room := p.Height - y - len(legend); room < 2 {
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

// strip makes the axis and writes it into the second row.
func (r *Recovery) strip(c *canvas, p *Picture, jobs []jobRuns) *strip {
	label := 0
	names := []string{
		p.Loc.Text("scene.recovery.checkpoints", nil), p.Loc.Text("scene.recovery.savepoints", nil), p.Loc.Text("scene.recovery.failures", nil),
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
		if x.Restarting != nil {
			high = max(high, x.Restarting.T+x.Delay)
		}
	}
	s := &strip{c, p, NewAxis(low, max(high, low+1), max(p.Width-label, 2)), label}
	last := 0
	for _, t := range s.axis.Ticks(9) {
		if x, text := s.cell(t), locale.Clock(t); x >= last && x+lipgloss.Width(text) <= c.w {
			last = c.put(x, 1, Faint, text) + 1
		}
	}
	return s
}

// Marks of how an attempt ended.
func (r *Recovery) ending(p *Picture, x *fold.Run) (string, Class) {
	switch x.Outcome {
	case fold.RunFailed, fold.RunGaveUp:
		return p.Signs.Fates[Dropped], Bad
	case fold.RunFinished, fold.RunStopped:
		return p.Signs.Fired, Good
	}
	return p.Signs.Cross, Faint
}

// drawJob draws the attempts of a job: bars while it runs, hatched while it
// waits for its restart.
func (r *Recovery) drawJob(s *strip, j jobRuns, y int, named bool) {
	p := s.p
	s.name(y, Strong, j.name)
	for i, x := range j.runs {
		class := Good
		if r.about(p, x) {
			class = Selected
		}
		end := r.Fold.Now
		if x.Ended != nil {
			end = x.Ended.T
		}
		if x.Started != nil {
			a, b := s.cell(x.Started.T), s.cell(end)
			s.c.put(a, y, class, strings.Repeat(p.Signs.Fill, b-a+1))
		}
		if x.Restarting != nil {
			until := x.Restarting.T + x.Delay
			if i+1 < len(j.runs) && j.runs[i+1].Started != nil {
				until = j.runs[i+1].Started.T
			}
			if a, b := s.cell(end)+1, s.cell(until); b >= a {
				s.c.put(a, y, Warn, strings.Repeat(p.Signs.Hatch, b-a+1))
			}
		}
		if x.Ended != nil {
			sign, class := r.ending(p, x)
			s.c.put(s.cell(end), y, class, sign)
		}
	}
	if !named {
		return
	}
	// The newest attempts are named first.
	for i := len(j.runs) - 1; i >= 0; i-- {
		x := j.runs[i]
		at := x.Started
		if at == nil {
			at = x.Ended
		}
		text := fmt.Sprint(x.Attempt)
		if x.From != nil {
			text = r.from(p, x) + p.Signs.To + text
		}
		class := Faint
		if r.about(p, x) {
			class = Selected
		}
		if !s.free(s.cell(at.T), y+1, class, text) {
			s.free(s.cell(at.T), y+1, class, fmt.Sprint(x.Attempt))
		}
	}
}

// about says that the selected step began or ended an attempt.
func (r *Recovery) about(p *Picture, x *fold.Run) bool {
	for _, s := range []*sim.Step{x.Started, x.Ended, x.Restarting} {
		if s != nil && p.Step > 0 && s.Seq == p.Step {
			return true
		}
	}
	return false
}

// drawSnapshots draws checkpoints from their triggers to their ends, with the
// ids below or behind: those that an attempt came back to are marked.
func (r *Recovery) drawSnapshots(s *strip, name string, all []*fold.Snapshot, y int, below bool) int {
	p := s.p
	s.name(y, Plain, name)
	for _, x := range all {
		until := ended(x)
		line, sign, class := p.Signs.Line, p.Signs.Fired, statusClass[x.Status]
		switch x.Status {
		case fold.SnapshotPending:
			until, line, sign = r.Fold.Now, p.Signs.Hatch, p.Signs.Open
		case fold.SnapshotAborted:
			sign = p.Signs.Fates[Dropped]
		}
		if x.Lost && x.Status == fold.SnapshotPending {
			until, sign, class = x.Triggered.T, p.Signs.Deleted, Faint
		}
		a, b := s.cell(x.Triggered.T), s.cell(until)
		s.c.put(a, y, class, strings.Repeat(line, b-a)+sign)
	}
	for _, restored := range []bool{true, false} {
		for i := len(all) - 1; i >= 0; i-- {
			x := all[i]
			if (len(r.Fold.Uses(x)) > 0) != restored {
				continue
			}
			text, class := head(x), Faint
			if restored {
				text, class = p.Signs.Rise+text, Time
			}
			if p.Step > 0 && (x.Triggered.Seq == p.Step || x.Ended != nil && x.Ended.Seq == p.Step) {
				class = Selected
			}
			until := ended(x)
			if x.Status == fold.SnapshotPending && !x.Lost {
				until = r.Fold.Now
			}
			switch at, w := s.cell(until), lipgloss.Width(text); {
			case below:
				s.free(at, y+1, class, text)
			case s.clear(at+1, y, w+1) || at+1+w == s.c.w && s.clear(at+1, y, w):
				s.c.put(at+1, y, class, text)
			}
		}
	}
	if below {
		y++
	}
	return y + 1
}

// drawFailures marks what threw and what was made to fail; where there is room
// it says where.
func (r *Recovery) drawFailures(s *strip, y int) int {
	p := s.p
	s.name(y, Plain, p.Loc.Text("scene.recovery.failures", nil))
	mark := func(step *sim.Step, sign string, class Class) {
		x := s.cell(step.T)
		if p.Step == step.Seq && p.Step > 0 {
			class = Selected
		}
		// A failure goes before the fault that led to it.
		if s.c.at(x, y) == " " || class == Selected {
			s.c.put(x, y, class, sign)
		}
	}
	for _, x := range r.Fold.Runs {
		if f := x.Failure; f != nil {
			mark(f.Step, p.Signs.Fates[Dropped], Bad)
		}
	}
	for _, f := range r.Fold.Faults {
		mark(f.Step, p.Signs.Missing, Warn)
	}
	for i := len(r.Fold.Runs) - 1; i >= 0; i-- {
		f := r.Fold.Runs[i].Failure
		if f == nil {
			continue
		}
		text := f.Place()
		x, w := s.cell(f.Step.T), lipgloss.Width(text)
		if !s.clear(x+1, y, w+1) && (x+1+w != s.c.w || !s.clear(x+1, y, w)) {
			x -= w + 1 // before it
			if x < s.label || !s.clear(x, y, w+1) {
				continue
			}
		}
		s.c.put(x+1, y, Bad, text)
	}
	return y + 1
}

// drawRuns writes a row for each attempt, the one that the step is about in
// sight.
func (r *Recovery) drawRuns(c *canvas, p *Picture, y, room int) int {
	if room < 2 {
		return y
	}
	heads := []string{"scene.recovery.attempt", "scene.recovery.since", "scene.recovery.from", "scene.recovery.again", "scene.recovery.outcome"}
	// The lanes show since when, too.
	since := p.Width >= 100
	if !since {
		heads = append(heads[:1], heads[2:]...)
	}
	var rows [][]string
	for _, x := range r.Fold.Runs {
		row := []string{fmt.Sprintf("%s %d", x.Job, x.Attempt)}
		if since {
			at := ""
			if x.Started != nil {
				at = locale.Clock(x.Started.T)
			}
			row = append(row, at)
		}
		rows = append(rows, append(row, r.from(p, x), r.readAgain(p, x), ""))
	}
	widths := make([]int, len(heads))
	for i, h := range heads {
		heads[i] = p.Loc.Text(h, nil)
		widths[i] = lipgloss.Width(heads[i])
		for _, row := range rows {
			widths[i] = max(widths[i], lipgloss.Width(row[i]))
		}
	}
	from := max(len(rows)-(room-1), 0)
	for i, x := range r.Fold.Runs {
		if r.about(p, x) {
			from = min(from, i)
		}
	}
	x := 0
	for i, h := range heads {
		if before := fmt.Sprintf("↑%d ", from); from > 0 && i == 0 {
			if h = before + h; lipgloss.Width(h) > widths[i]+1 {
				h = before
			}
		}
		c.put(x, y, Faint, h)
		x += widths[i] + 2
	}
	y++
	for i := from; i < min(from+room-1, len(rows)); i++ {
		class := Plain
		if r.about(p, r.Fold.Runs[i]) {
			class = Selected
			c.put(0, y, class, strings.Repeat(" ", c.w))
		}
		x := 0
		for k, text := range rows[i] {
			cl := class
			if k == len(rows[i])-1 && class == Plain {
				_, cl = r.ending(p, r.Fold.Runs[i])
				if r.Fold.Runs[i].Outcome == fold.RunRunning {
					cl = Good
				}
			}
			if k == len(rows[i])-1 {
				text = r.outcome(p, r.Fold.Runs[i], c.w-x)
			}
			c.put(x, y, cl, Fit(text, c.w-x, p.Signs))
			x += widths[k] + 2
		}
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
	args := locale.Args{"T": int64(0), "Delay": x.Delay}
	if x.Ended != nil {
		args["T"] = x.Ended.T
	}
	text := p.Loc.Text("scene.recovery.outcome."+x.Outcome, args)
	var more []string
	if f := x.Failure; f != nil {
		more = append(more, ": "+f.Place(), ", "+f.Class())
	}
	if x.Restarting != nil {
		more = append(more, p.Loc.Text("scene.recovery.restarts", args))
	}
	if f := x.Failure; f != nil && lipgloss.Width(text+more[0]) > room {
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
	starts, failures, again := 0, 0, int64(0)
	for _, x := range r.Fold.Runs {
		if x.Started != nil {
			starts++
		}
		if x.Failure != nil {
			failures++
		}
		again += x.Read
	}
	return p.join([]string{
		p.Loc.Plural("scene.recovery.failed", int64(failures), nil), p.Loc.Plural("scene.recovery.read-again", again, nil),
		p.Loc.Plural("scene.recovery.starts", int64(starts), nil),
	})
}

// legend says what the signs are.
func (r *Recovery) legend(p *Picture) []string {
	entry := func(id, sign string) string {
		return p.Loc.Text("scene.recovery.legend."+id, locale.Args{"Sign": sign})
	}
	entries := []string{
		entry("running", p.Signs.Fill), entry("restarting", p.Signs.Hatch), entry("failed", p.Signs.Fates[Dropped]),
		entry("restored", p.Signs.Rise), entry("completed", p.Signs.Fired),
	}
	if len(r.Fold.Store.Snapshots) > 0 {
		entries = append(entries, entry("attempt", "x"+p.Signs.To+"n"))
	}
	if len(r.Fold.Faults) > 0 {
		entries = append(entries, entry("fault", p.Signs.Missing))
	}
	for _, x := range r.Fold.Runs {
		if x.InFlight > 0 {
			entries = append(entries, entry("in-flight", p.Signs.Fates[Aside]))
			break
		}
	}
	lines, _ := pack(entries, p.Width, 2)
	return lines
}

// pack puts entries of a legend into lines; those that have no room are left
// out, and whole is false.
func pack(entries []string, w, most int) (lines []string, whole bool) {
	whole = true
	for _, e := range entries {
		n := len(lines)
		switch {
		case n > 0 && lipgloss.Width(lines[n-1]+"  "+e) <= w:
			lines[n-1] += "  " + e
		case n < most && lipgloss.Width(e) <= w:
			lines = append(lines, e)
		default:
			whole = false
		}
	}
	return lines, whole
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
		if x.Started != nil {
			args["T"] = x.Started.T
		} else {
			id = "scene.recovery.say.not-started"
		}
		out = append(out, p.Loc.Text(id, args))
	}
	for _, f := range r.Fold.Faults {
		out = append(out, p.Loc.Text("scene.recovery.say.fault", locale.Args{"T": f.Step.T, "At": f.At, "Point": f.Point}))
	}
	return out
}
