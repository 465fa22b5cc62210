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

// Phases is what the picture of two-phase commit shows: the job with its
// checkpoints, and below them the transactions of its sinks at the broker.
type Phases struct {
	Recovery *Recovery
	Broker   *Broker

	checkpoints  []*phaseCheckpoint
	transactions []*phaseTransaction
	channels     *fold.Channels
}

// A phaseCheckpoint is a checkpoint with the times of its phases, −1: not yet.
type phaseCheckpoint struct {
	snapshot *fold.Snapshot
	id       int64
	// barrier is when the last writer had its barrier, ack the last one, notified
	// when the last committer was told.
	barrier, ack, notified int64
	acks                   int
}

// A phaseTransaction is a transaction of a writer.
type phaseTransaction struct {
	id       string
	number   int // 0: the broker knows of none yet
	by       string
	opened   int64 // when its id was initialised; the clock does not run
	start    int64 // first record at the broker; −1: none
	timeout  int64
	records  int64
	barrier  int64 // when a barrier closed it, −1: not yet
	snapshot *phaseCheckpoint
	attempts []attempt
	decided  string
	why      string
	at       int64 // when it was decided
	steps    map[int]bool
	gone     bool // without records, and nobody will use it
}

// An attempt is a call of commitTransaction.
type attempt struct {
	t    int64
	body sim.CommitAttempted
}

// deadline is when the timeout ends.
func (x *phaseTransaction) deadline() int64 { return x.start + x.timeout }

// lost reports whether a checkpoint holds a transaction that was aborted.
func (x *phaseTransaction) lost() bool {
	return x.decided == sim.ResultAbort && x.snapshot != nil && x.snapshot.snapshot.Status == fold.SnapshotCompleted && x.why != sim.WhyRequest
}

// tried is the last attempt to commit it that failed, or nil.
func (x *phaseTransaction) tried() *attempt {
	for i := len(x.attempts) - 1; i >= 0; i-- {
		if x.attempts[i].body.Result != "OK" {
			return &x.attempts[i]
		}
	}
	return nil
}

// BuildPhases folds a trace into checkpoints and transactions of sinks.
func BuildPhases(t *sim.Trace) *Phases {
	f := &Phases{Recovery: BuildRecovery(t), Broker: BuildBroker(t), channels: fold.ChannelsOf(t)}
	triggered := map[*sim.Step]*fold.Snapshot{}
	for _, x := range f.Recovery.Fold.Store.Snapshots {
		triggered[x.Triggered] = x
	}
	numbers, ids := map[int]*phaseTransaction{}, map[string]*phaseTransaction{}
	checkpoint := func(id int64) *phaseCheckpoint {
		for _, c := range slices.Backward(f.checkpoints) {
			if c.id == id {
				return c
			}
		}
		return nil
	}
	writers := map[string]bool{}
	for s := range t.Main() {
		switch b := s.Body.(type) {
		case sim.CheckpointTriggered:
			if x := triggered[s]; x != nil {
				f.checkpoints = append(f.checkpoints, &phaseCheckpoint{snapshot: x, id: b.ID, barrier: -1, ack: -1, notified: -1})
			}
		case sim.SnapshotTaken:
			if c := checkpoint(b.ID); c != nil && writers[s.At] {
				c.barrier = s.T
			}
		case sim.CheckpointAcknowledged:
			if c := checkpoint(b.ID); c != nil {
				c.acks++
				c.ack = s.T
			}
		case sim.CheckpointNotified:
			if c := checkpoint(b.ID); c != nil && !b.Aborted {
				c.notified = s.T
			}
		case sim.TransactionChanged:
			if !subtask(b.By) && numbers[int(b.Transaction)] == nil {
				continue
			}
			f.changed(s, b, numbers, ids, writers)
		case sim.TaskFailed:
			// What a writer had opened and not used is gone with it.
			for _, x := range f.transactions {
				x.gone = x.gone || x.number == 0 && fold.Touches(b.Subtasks, nil, x.by)
			}
		case sim.CommittableEmitted:
			x := numbers[int(b.Transaction)]
			if x == nil {
				x = ids[b.ID]
			}
			if x == nil {
				continue
			}
			x.barrier, x.records, x.snapshot = s.T, b.Records, checkpoint(b.Checkpoint)
			x.steps[s.Seq] = true
			if x.snapshot != nil {
				x.snapshot.barrier = s.T
			}
		case sim.CommitAttempted:
			if x := numbers[int(b.Transaction)]; x != nil {
				x.attempts = append(x.attempts, attempt{s.T, b})
				x.records = b.Records
				x.steps[s.Seq] = true
			}
		case sim.BatchAppended:
			if x := numbers[int(b.Log.Transaction)]; x != nil {
				x.steps[s.Seq] = true
				if x.barrier < 0 {
					x.records += int64(len(b.Records))
				}
			}
		case sim.MarkerWritten:
			if x := numbers[int(b.Transaction)]; x != nil {
				x.steps[s.Seq] = true
			}
		}
	}
	f.transactions = slices.DeleteFunc(f.transactions, func(x *phaseTransaction) bool { return x.number == 0 && x.gone })
	return f
}

// changed takes in what the coordinator knows of a transactional id.
func (f *Phases) changed(s *sim.Step, b sim.TransactionChanged, numbers map[int]*phaseTransaction, ids map[string]*phaseTransaction, writers map[string]bool) {
	x := numbers[int(b.Transaction)]
	switch {
	case b.State == stateEmpty:
		// What the same writer had opened before it will not be used.
		for _, old := range f.transactions {
			if old.by == b.By && old.number == 0 {
				old.gone = true
			}
		}
		x = &phaseTransaction{id: b.ID, by: b.By, opened: s.T, start: -1, barrier: -1, at: -1, timeout: b.Timeout, steps: map[int]bool{}}
		ids[b.ID] = x
		f.transactions = append(f.transactions, x)
		writers[b.By] = true
	case b.State == stateOngoing && x == nil:
		if x = ids[b.ID]; x == nil || x.number != 0 {
			x = &phaseTransaction{id: b.ID, by: b.By, opened: b.Start, barrier: -1, at: -1, steps: map[int]bool{}}
			f.transactions = append(f.transactions, x)
		}
		x.number, x.start, x.timeout, x.gone = int(b.Transaction), b.Start, b.Timeout, false
		numbers[x.number] = x
		delete(ids, b.ID)
	case x != nil && x.decided == "" && (b.State == statePrepareCommit || b.State == statePrepareAbort):
		x.decided, x.why, x.at = sim.ResultCommit, b.Why, s.T
		if b.State == statePrepareAbort {
			x.decided = sim.ResultAbort
		}
	}
	if x != nil {
		x.steps[s.Seq] = true
	}
}

// headline says what a learner has to see first: what was lost, what waits, until
// when.
func (f *Phases) headline(p *Picture) (string, Class) {
	pick := func(is func(x *phaseTransaction) bool) *phaseTransaction {
		for _, x := range slices.Backward(f.transactions) {
			if is(x) {
				return x
			}
		}
		return nil
	}
	say := func(id string, x *phaseTransaction, class Class) (string, Class) {
		args := locale.Args{
			"Letter": letter(x.number), "ID": x.id, "T": x.at, "Scan": scanOf(x.deadline()), "N": x.records, "Checkpoint": "", "Barrier": x.barrier, "Done": int64(-1),
		}
		if x.snapshot != nil {
			args["Checkpoint"] = f.label(x.snapshot)
			if e := x.snapshot.snapshot.Ended; e != nil {
				args["Done"] = e.T
			}
		}
		if p.Width < narrowLegend {
			id += "-short"
		}
		return p.Loc.Plural("scene.phases."+id, x.records, args), class
	}
	if x := pick(func(x *phaseTransaction) bool { return x.lost() && x.tried() != nil }); x != nil {
		return say("lost", x, Bad)
	}
	if x := pick((*phaseTransaction).lost); x != nil {
		return say("will-lose", x, Bad)
	}
	open := func(x *phaseTransaction) bool { return x.number > 0 && x.decided == "" }
	if x := pick(func(x *phaseTransaction) bool { return open(x) && x.barrier >= 0 }); x != nil {
		if x.snapshot != nil && x.snapshot.snapshot.Status == fold.SnapshotCompleted {
			return say("complete", x, Warn)
		}
		return say("precommitted", x, Warn)
	}
	if x := pick(func(x *phaseTransaction) bool {
		return x.decided == sim.ResultAbort && x.why == sim.WhyTimeout && x.snapshot == nil && !slices.ContainsFunc(f.Recovery.Fold.Failures, func(t *fold.Thrown) bool { return t.Step.T > x.start })
	}); x != nil {
		return say("expired", x, Warn)
	}
	if x := pick(func(x *phaseTransaction) bool {
		return x.decided == sim.ResultAbort && x.why == sim.WhyFence && x.records > 0
	}); x != nil && !slices.ContainsFunc(f.transactions, open) {
		return say("fenced", x, Plain)
	}
	if x := pick(func(x *phaseTransaction) bool {
		a := x.tried()
		return a != nil && a.body.Result == "FAILED_KNOWN" && x.decided == sim.ResultCommit
	}); x != nil && !slices.ContainsFunc(f.transactions, open) {
		return say("false-alarm", x, Plain)
	}
	if x := pick(open); x != nil {
		return say("open", x, Plain)
	}
	if !slices.ContainsFunc(f.transactions, func(x *phaseTransaction) bool { return x.number > 0 }) {
		return p.Loc.Text("scene.phases.waiting-for-records", nil), Faint
	}
	return p.Loc.Text("scene.phases.quiet", nil), Good
}

// label is what a script calls a checkpoint.
func (f *Phases) label(c *phaseCheckpoint) string { return f.Recovery.Fold.Store.Label(c.snapshot) }

// outcome is how a transaction stands, with its times.
func (f *Phases) outcome(p *Picture, x *phaseTransaction) (string, Class) {
	args := locale.Args{"T": x.at, "Scan": int64(0), "Barrier": x.barrier}
	if x.start >= 0 {
		args["Scan"] = scanOf(x.deadline())
	}
	text := func(id string) string { return p.Loc.Plural("scene.phases.outcome."+id, x.records, args) }
	tried := x.tried()
	if tried != nil {
		args["Tried"] = tried.t
	}
	switch {
	case x.number == 0:
		return text("empty"), Faint
	case x.decided == sim.ResultCommit && tried != nil && tried.body.Result == "FAILED_KNOWN":
		return text("false-alarm"), Good
	case x.decided == sim.ResultCommit:
		return text("committed"), Good
	case x.lost() && tried != nil:
		return text("lost"), Bad
	case x.decided == sim.ResultAbort && x.why == sim.WhyTimeout:
		return text("expired"), Bad
	case x.decided == sim.ResultAbort && x.why == sim.WhyFence:
		return text("fenced"), Bad
	case x.decided == sim.ResultAbort:
		return text("aborted"), Bad
	case x.barrier >= 0:
		return text("waits"), Warn
	}
	return text("open"), Warn
}

// DrawPhases draws virtual time from left to right: the attempts of the job, its
// checkpoints, the scans of the coordinator, and a lane for each transaction of a
// sink from its first record to its end.
func (f *Phases) DrawPhases(p Picture) []string {
	if len(f.transactions) == 0 {
		c := newCanvas(p.Width, p.Height)
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.phases.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	for rows := 0; ; rows++ {
		c := newCanvas(p.Width, p.Height)
		s, y := f.draw(c, &p, p.Height-rows)
		legend := f.legend(s)
		if len(legend) > rows && rows < legendRows(&p) && p.Height >= 7+rows {
			continue
		}
		bottom := p.Height - rows
		if y < bottom {
			bottom = y + min(1, bottom-y)
		}
		for i, l := range legend[:min(rows, len(legend))] {
			c.put(0, bottom+i, Faint, l)
		}
		return c.lines(p.style())
	}
}

// legendRows are the rows that a legend takes at most.
func legendRows(p *Picture) int {
	if p.Height >= 12 {
		return 4
	}
	return 3
}

// outcomeCells are those of the column that says how transactions ended.
func (f *Phases) outcomeCells(p *Picture) int {
	n := lipgloss.Width(p.Loc.Text("scene.phases.every", locale.Args{"D": int64(scanInterval)}))
	for _, x := range f.transactions {
		text, _ := f.outcome(p, x)
		n = max(n, lipgloss.Width(text))
	}
	return min(n+1, 29)
}

func (f *Phases) draw(c *canvas, p *Picture, room int) (*strip, int) {
	y := 0
	text, class := f.headline(p)
	if x := f.picked(p); x != nil {
		text, class = f.say(p, x), Strong
	}
	if room >= 6 {
		for _, l := range p.caption(class, text) {
			c.put(0, y, l.class, l.text)
			y++
		}
	}
	now := p.now(f.Broker.Now)
	f.Recovery.Fold.Now = now // an attempt goes on as long as time does
	right := 0
	if p.Width >= 70 {
		right = f.outcomeCells(p)
	}
	// Rows, the least needed goes first: clocks, phases of checkpoints, scans, job.
	lanes := 0 // those with records have room first
	for _, x := range f.transactions {
		if x.number > 0 {
			lanes++
		}
	}
	left := room - y - 1
	rows := map[string]int{"job": 1, "checkpoints": 1, "scans": 1, "phases": min(len(f.checkpoints), 1), "clocks": 1}
	need := func() (n int) {
		for _, k := range rows {
			n += k
		}
		return n
	}
	for _, id := range []string{"clocks", "phases", "scans", "job", "checkpoints"} {
		least := 3
		if id == "clocks" {
			least = 5
		}
		if need()+min(lanes, least) > left {
			rows[id] = 0
		}
	}
	if rows["phases"] > 0 {
		rows["phases"] = max(min(len(f.checkpoints), left-need()-lanes+1, 3), 1)
	}
	shown := f.visible(p, max(left-need(), 1))
	s := f.strip(c, p, shown, right, now)
	last := 0
	for _, t := range s.axis.Ticks(9) {
		if x, text := s.cell(t), locale.Clock(t); x >= last && x+lipgloss.Width(text) <= c.w-right {
			last = c.put(x, y, Faint, text) + 1
		}
	}
	if hidden := len(f.transactions) - len(shown); hidden > 0 {
		c.put(0, y, Faint, p.before(hidden))
	}
	y++
	if rows["job"] > 0 {
		jobs := f.Recovery.jobs()
		for _, j := range jobs {
			f.Recovery.drawJob(s, j, y, false)
		}
		name := ""
		if len(jobs) > 0 {
			name = jobs[len(jobs)-1].name
		}
		s.name(y, Strong, name)
		f.faults(s, y)
		y++
	}
	if rows["checkpoints"] > 0 {
		f.Recovery.drawSnapshots(s, p.Loc.Text(p.row("checkpoints"), nil), f.Recovery.Fold.Store.Snapshots, y, false)
		y++
	}
	if rows["scans"] > 0 {
		f.drawScans(s, y, right)
		y++
	}
	for _, x := range shown {
		f.drawTransaction(s, x, y, right, now)
		y++
	}
	from := max(len(f.checkpoints)-rows["phases"], 0)
	for _, k := range f.checkpoints[from:] {
		if rows["phases"] == 0 {
			break
		}
		class := Plain
		if k.snapshot.Status == fold.SnapshotAborted {
			class = Bad
		}
		c.put(0, y, class, Fit(f.phases(p, k), c.w, p.Signs))
		y++
	}
	if rows["clocks"] > 0 {
		c.put(0, y, Faint, Fit(f.clocks(p), c.w, p.Signs))
		y++
	}
	return s, y
}

// visible are the transactions that have room: those that the step is about, that
// are open or lost go before those that ended well.
func (f *Phases) visible(p *Picture, room int) []*phaseTransaction {
	if len(f.transactions) <= room {
		return f.transactions
	}
	weight := func(i int) int {
		x := f.transactions[i]
		switch {
		case f.chosen(p, x):
			return 0
		case x.lost():
			return 1
		case x.number > 0 && x.decided == "":
			return 2
		case x.number == 0:
			return 4
		}
		return 3
	}
	order := make([]int, len(f.transactions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if w := weight(a) - weight(b); w != 0 {
			return w
		}
		return b - a
	})
	kept := order[:room]
	slices.Sort(kept)
	var out []*phaseTransaction
	for _, i := range kept {
		out = append(out, f.transactions[i])
	}
	return out
}

func (f *Phases) laneName(x *phaseTransaction) string {
	l := letter(x.number)
	return l + strings.Repeat(" ", f.Broker.letterCells()-len(l)+1) + x.id
}

// strip makes the axis: from the first start of the job to now, to a restart that
// is planned, and to scans that are not too far away.
func (f *Phases) strip(c *canvas, p *Picture, shown []*phaseTransaction, right int, now int64) *strip {
	label := max(lipgloss.Width(p.Loc.Text(p.row("checkpoints"), nil)), lipgloss.Width(p.Loc.Text(p.row("scans"), nil))) + 1
	for _, x := range shown {
		label = max(label, lipgloss.Width(f.laneName(x))+1)
	}
	label = min(label, max(p.Width/3, 4))
	low, high := now, now
	for _, x := range f.Recovery.Fold.Runs {
		if x.Started != nil {
			low = min(low, x.Started.T)
		}
		if x.Failure != nil && x.Failure.Restarting != nil {
			high = max(high, waitsUntil(x.Failure))
		}
	}
	for _, x := range f.transactions {
		low = min(low, x.opened)
	}
	far := low + 8*max(high-low, scanInterval)
	for _, x := range shown {
		if x.number > 0 && x.decided == "" {
			if scan := scanOf(x.deadline()); scan <= far {
				high = max(high, scan)
			}
		}
	}
	axis := NewAxis(low, max(high, low+1), max(p.Width-label-right, 2))
	return &strip{c: c, p: p, axis: axis, label: label, marks: map[[2]int]string{}}
}

// row is the message with the name of a row, in fewer words where there is little
// room.
func (p *Picture) row(id string) string {
	if p.Width < narrowLegend {
		id += "-short"
	}
	return "scene.phases." + id
}

// faults marks what was made to fail in the row of the job, where it hides no end
// of an attempt.
func (f *Phases) faults(s *strip, y int) {
	for _, x := range f.Recovery.Fold.Faults {
		at := s.cell(x.Step.T)
		if m := s.marks[[2]int{at, y}]; m == "" || m == "running" {
			s.mark(at, y, Warn, "fault", s.p.Signs.Missing)
		}
	}
}

// drawScans marks the scans of the coordinator, where they are apart.
func (f *Phases) drawScans(s *strip, y, right int) {
	p := s.p
	s.name(y, Plain, p.Loc.Text(p.row("scans"), nil))
	s.c.put(s.label, y, Faint, strings.Repeat(p.Signs.Line, max(s.axis.Cells, 0)))
	if s.axis.Step*2 > scanInterval {
		s.c.put(s.label, y, Faint, Fit(p.Loc.Text("scene.phases.dense", nil)+" ", s.axis.Cells, p.Signs))
		return
	}
	for t := (s.axis.Low + scanInterval - 1) / scanInterval * scanInterval; ; t += scanInterval {
		x, ok := s.axis.Cell(t)
		if !ok {
			break
		}
		s.mark(s.label+x, y, Faint, "scan", p.Signs.Tick)
	}
	if right > 0 {
		s.c.put(s.c.w-right+1, y, Faint, Fit(p.Loc.Text("scene.phases.every", locale.Args{"D": int64(scanInterval)}), right-1, p.Signs))
	}
}

// drawTransaction draws a lane: the id without records, the first record with
// which the clock starts, the barrier, and how it ended.
func (f *Phases) drawTransaction(s *strip, x *phaseTransaction, y, right int, now int64) {
	p := s.p
	class := Plain
	if f.chosen(p, x) {
		class = Selected
	}
	s.name(y, class, f.laneName(x))
	text, look := f.outcome(p, x)
	if right > 0 {
		if class == Selected {
			look = Selected
		}
		s.c.put(s.c.w-right+1, y, look, Fit(text, right-1, p.Signs))
	}
	line := func(from, to int64, class Class, id, sign string) {
		a, b := s.cell(from), s.cell(to)
		if b > a || id == "first" {
			s.mark(a, y, class, id, strings.Repeat(sign, max(b-a, 1)))
		}
	}
	until := now
	if x.decided != "" {
		until = x.at
	}
	if x.number == 0 {
		line(x.opened, until, Faint, "empty", p.Signs.Dots)
		if s.cell(x.opened) == s.cell(until) {
			s.mark(s.cell(until), y, Faint, "empty", p.Signs.Dots)
		}
		return
	}
	line(x.opened, x.start, Faint, "empty", p.Signs.Dots)
	end := until
	if x.decided == "" {
		end++ // its last cell, too
	}
	line(x.start, end, Warn, "open", p.Signs.Line)
	if x.barrier >= 0 && x.barrier < end {
		line(x.barrier, end, Time, "precommitted", p.Signs.Double)
	}
	if d := x.deadline(); d < end {
		line(d, end, Bad, "overdue", p.Signs.Part)
	}
	s.mark(s.cell(x.start), y, Warn, "first", p.Signs.Fates[OnTime])
	if x.barrier >= 0 && s.cell(x.barrier) != s.cell(x.start) {
		s.mark(s.cell(x.barrier), y, Time, "barrier", p.Signs.Bar)
	}
	for _, a := range x.attempts {
		if a.body.Result != "OK" {
			s.mark(s.cell(a.t), y, Bad, "tried", p.Signs.Missing)
		}
	}
	switch x.decided {
	case sim.ResultCommit:
		s.mark(s.cell(x.at), y, Good, "committed", p.Signs.Fired)
	case sim.ResultAbort:
		s.mark(s.cell(x.at), y, Bad, "aborted", p.Signs.Fates[Dropped])
	default:
		scan := scanOf(x.deadline())
		if cell, ok := s.axis.Cell(scan); ok && scan > now {
			s.mark(s.label+cell, y, Bad, "planned", p.Signs.Fates[Behind])
		} else if right == 0 {
			s.beside(s.cell(now), y, Faint, p.Signs.To+locale.Clock(scan))
		}
	}
}

// phases are those of a checkpoint in one line: each with its time where that is
// not the one before.
func (f *Phases) phases(p *Picture, k *phaseCheckpoint) string {
	x := k.snapshot
	if x.Status == fold.SnapshotAborted {
		return p.Loc.Text("scene.phases.phases-aborted", locale.Args{"Label": f.label(k), "Trigger": x.Triggered.T, "Acks": k.acks, "Reason": x.Reason})
	}
	done := int64(-1)
	if x.Status == fold.SnapshotCompleted {
		done = x.Ended.T
	}
	acks := fmt.Sprint(k.acks)
	if done >= 0 {
		acks = fmt.Sprintf("%d/%d", k.acks, k.acks)
	}
	if c := f.channels.Shown(); c != nil && c.ID == k.id && k == f.checkpoints[len(f.checkpoints)-1] {
		acks = fmt.Sprintf("%d/%d", len(c.Acknowledged), c.All())
	}
	type part struct {
		id string
		t  int64
	}
	parts := []part{{"trigger", x.Triggered.T}, {"barrier", k.barrier}, {"ack", k.ack}, {"done", done}, {"notified", k.notified}}
	if p.Width < narrowLegend {
		// How far it came, and what comes next.
		reached := 0
		for i, x := range parts {
			if x.t >= 0 {
				reached = i
			}
		}
		parts = parts[reached:min(reached+2, len(parts))]
	}
	text, last := f.label(k)+":", int64(-1)
	for i, part := range parts {
		if i > 0 {
			text += " " + p.Signs.To
		}
		text += " " + p.Loc.Text("scene.phases.phase."+part.id, locale.Args{"Acks": acks})
		switch {
		case part.t < 0:
			text += " " + p.Signs.Open
		case part.t != last:
			text += " " + locale.Clock(part.t)
			last = part.t
		}
	}
	return text
}

// manual reports whether somebody asked for a checkpoint: no clock of the job
// triggers it.
func (k *phaseCheckpoint) manual() bool {
	return slices.ContainsFunc(k.snapshot.Triggered.Causes, func(s *sim.Step) bool {
		c, ok := s.Body.(sim.CommandGiven)
		verb, _, _ := strings.Cut(c.Command, " ")
		return ok && verb == "checkpoint"
	})
}

// clocks are the three that run side by side. How often the job takes a checkpoint
// is known when it has taken two by itself.
func (f *Phases) clocks(p *Picture) string {
	var triggers []int64
	manual := false
	for _, k := range f.checkpoints {
		switch {
		case k.snapshot.Savepoint():
		case k.manual():
			manual = true
		default:
			triggers = append(triggers, k.snapshot.Triggered.T)
		}
	}
	args := locale.Args{"Interval": int64(0), "Timeout": f.transactions[len(f.transactions)-1].timeout, "Scan": int64(scanInterval)}
	id := "scene.phases.clocks"
	switch n := len(triggers); {
	case n > 1:
		// A failure, or a checkpoint that lasts, makes a gap longer, nothing shorter.
		least := triggers[1] - triggers[0]
		for i := 2; i < n; i++ {
			least = min(least, triggers[i]-triggers[i-1])
		}
		args["Interval"] = least
	case n == 0 && manual:
		id += "-manual"
	default:
		id += "-once"
	}
	if p.Width < narrowLegend {
		id += "-short"
	}
	return p.Loc.Text(id, args)
}

// legend explains what is to be seen.
func (f *Phases) legend(s *strip) []string {
	p := s.p
	var signs []string
	words := map[string][]string{}
	for _, e := range []struct{ id, sign string }{
		{"first", p.Signs.Fates[OnTime]}, {"precommitted", p.Signs.Double}, {"overdue", p.Signs.Part},
		{"committed", p.Signs.Fired}, {"aborted", p.Signs.Fates[Dropped]}, {"tried", p.Signs.Missing}, {"planned", p.Signs.Fates[Behind]},
		{"failed", p.Signs.Fates[Dropped]}, {"restarting", p.Signs.Hatch}, {"part", p.Signs.Part}, {"completed", p.Signs.Fired}, {"fault", p.Signs.Missing}, {"restored", p.Signs.Rise},
		{"barrier", p.Signs.Bar}, {"empty", p.Signs.Dots}, {"pending", p.Signs.Open}, {"lost", p.Signs.Deleted}, {"ended", p.Signs.Cross},
	} {
		if !s.has(e.id) {
			continue
		}
		if words[e.sign] == nil {
			signs = append(signs, e.sign)
		}
		word := strings.TrimPrefix(p.entry("scene.phases.legend", e.id, e.sign), e.sign+" ")
		if !slices.Contains(words[e.sign], word) {
			words[e.sign] = append(words[e.sign], word)
		}
	}
	// One sign may stand in two rows: it is explained once.
	var entries []string
	for _, sign := range signs {
		entries = append(entries, sign+" "+strings.Join(words[sign], " / "))
	}
	out := pack(entries, p.Width, legendRows(p))
	if s.has("open") {
		// A plain line says little: it takes no row of its own.
		return pack(append(entries, p.entry("scene.phases.legend", "open", p.Signs.Line)), p.Width, len(out))
	}
	return out
}

// Sentences say all that the picture shows.
func (f *Phases) Sentences(p Picture) (out []string) {
	if len(f.transactions) == 0 {
		return nil
	}
	text, _ := f.headline(&p)
	out = append(out, text)
	from := max(len(f.checkpoints)-most, 0)
	if from > 0 {
		out = append(out, p.Loc.Plural("scene.phases.say-checkpoints", int64(from), nil))
	}
	for _, k := range f.checkpoints[from:] {
		out = append(out, f.phases(&p, k)+".")
	}
	shown := f.visible(&p, most)
	if n := len(f.transactions) - len(shown); n > 0 {
		out = append(out, p.Loc.Plural("scene.phases.say-transactions", int64(n), nil))
	}
	for _, x := range shown {
		out = append(out, f.say(&p, x))
	}
	return append(out, f.clocks(&p)+".")
}

// say says all about a transaction.
func (f *Phases) say(p *Picture, x *phaseTransaction) string {
	args := locale.Args{
		"Letter": letter(x.number), "ID": x.id, "By": p.client(x.by), "Opened": x.opened, "Start": x.start, "Deadline": x.deadline(), "Barrier": x.barrier,
		"Checkpoint": "", "Known": x.number > 0, "Tried": int64(-1), "Exception": "",
	}
	if x.snapshot != nil {
		args["Checkpoint"] = f.label(x.snapshot)
	}
	if a := x.tried(); a != nil {
		args["Tried"], args["Exception"] = a.t, a.body.Exception
	}
	args["Outcome"], _ = f.outcome(p, x)
	return p.Loc.Text("scene.phases.say", args)
}

// TransactionRows is how many lanes can be chosen.
func (f *Phases) TransactionRows() int { return len(f.transactions) }

// picked is the transaction that was chosen by hand, or nil.
func (f *Phases) picked(p *Picture) *phaseTransaction {
	if p.Pick > 0 && len(f.transactions) > 0 {
		return f.transactions[min(p.Pick, len(f.transactions))-1]
	}
	return nil
}

// chosen reports whether a lane was chosen, or the selected step is about it.
func (f *Phases) chosen(p *Picture, x *phaseTransaction) bool {
	if picked := f.picked(p); picked != nil {
		return x == picked
	}
	return p.Step > 0 && x.steps[p.Step]
}
