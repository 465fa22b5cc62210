package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/internal/view"
	"streaminglab/sim"
)

// picture folds the trace up to the cursor, once for each position.
func (b *bench) picture() *view.Scene {
	if at := b.at(); b.scene == nil || b.sceneOf != at {
		b.scene, b.sceneOf = view.Build(b.s.Trace().Prefix(b.s.Cursor())), at
	}
	return b.scene
}

// at is the head and the cursor. A list that was run anew has other steps, and
// maybe as many.
func (b *bench) at() [2]*sim.Step {
	t := b.s.Trace()
	return [2]*sim.Step{t.Step(t.Len()), t.Step(b.s.Cursor())}
}

// checkpoints folds the trace up to the cursor into its snapshots.
func (b *bench) checkpoints() *view.Snapshots {
	if at := b.at(); b.snapshots == nil || b.snapshotsOf != at {
		b.snapshots, b.snapshotsOf = view.BuildSnapshots(b.s.Trace().Prefix(b.s.Cursor())), at
	}
	return b.snapshots
}

// channels folds the trace up to the cursor into its channels.
func (b *bench) channels() *view.Barriers {
	if at := b.at(); b.barriers == nil || b.barriersOf != at {
		b.barriers, b.barriersOf = view.BuildBarriers(b.s.Trace().Prefix(b.s.Cursor())), at
	}
	return b.barriers
}

// attempts folds the trace up to the cursor into the attempts of its jobs.
func (b *bench) attempts() *view.Recovery {
	if at := b.at(); b.recovery == nil || b.recoveryOf != at {
		b.recovery, b.recoveryOf = view.BuildRecovery(b.s.Trace().Prefix(b.s.Cursor())), at
	}
	return b.recovery
}

// topics folds the trace up to the cursor into its topics and transactions.
func (b *bench) topics() *view.Broker {
	if at := b.at(); b.broker == nil || b.brokerOf != at {
		b.broker, b.brokerOf = view.BuildBroker(b.s.Trace().Prefix(b.s.Cursor())), at
	}
	return b.broker
}

// commits folds the trace up to the cursor into the phases of its transactions.
func (b *bench) commits() *view.Phases {
	if at := b.at(); b.phases == nil || b.phasesOf != at {
		b.phases, b.phasesOf = view.BuildPhases(b.s.Trace().Prefix(b.s.Cursor())), at
	}
	return b.phases
}

// delays folds the trace up to the cursor into how long records wait.
func (b *bench) delays() *view.Latency {
	if at := b.at(); b.latency == nil || b.latencyOf != at {
		b.latency, b.latencyOf = view.BuildLatency(b.s.Trace().Prefix(b.s.Cursor())), at
	}
	return b.latency
}

// offer lists the views that have something to show: what the whole list has,
// so that a view does not come and go with the cursor.
func (b *bench) offer() []int {
	head := b.at()[0]
	if b.offered != nil && b.offeredOf == head {
		return b.offered
	}
	has := view.Contents(b.s.Trace())
	snapshots, windows := has.Snapshots, has.Windows
	time := windows || !snapshots && hasWatermarks(b.s.Trace())
	// A broker without a job has no time of events.
	broker := has.Topics || has.Transactions
	time = time && (has.Splits || !broker)
	own := func(v int) bool { return b.original.View == viewNames[v] }
	var out []int
	if (windows || !snapshots) && (has.Splits || !broker && !own(viewLog) && !own(viewTransactions)) {
		out = append(out, viewLanes)
	}
	if time {
		out = append(out, viewPlane)
	}
	if snapshots {
		out = append(out, viewMatrix, viewTimeline)
	}
	if has.Trees {
		out = append(out, viewLevels)
	}
	if snapshots {
		out = append(out, viewStore)
	}
	// The picture that the experiment is about is there from the beginning.
	for _, x := range []struct {
		view int
		has  bool
	}{
		{viewBarriers, has.Channels}, {viewRecovery, has.Attempts},
		{viewLog, has.Topics}, {viewTransactions, has.Transactions}, {viewPhases, has.Phases}, {viewLatency, has.Delays},
	} {
		if x.has || own(x.view) {
			out = append(out, x.view)
		}
	}
	b.tables = nil
	if time {
		b.tables = append(b.tables, "watermarks", "windows", "records")
	}
	if snapshots {
		b.tables = append(b.tables, "checkpoints", "objects")
	}
	if broker {
		b.tables = append(b.tables, "topics", "transactions", "producers", "consumers")
	}
	if len(b.tables) == 0 {
		b.tables = []string{"sources", "state"}
	}
	b.offered, b.offeredOf = append(out, viewTable, viewSteps), head
	return b.offered
}

// hasWatermarks reports whether somebody has emitted a watermark.
func hasWatermarks(t *sim.Trace) bool {
	return slices.ContainsFunc(t.Steps(), func(s *sim.Step) bool {
		_, ok := s.Body.(sim.WatermarkEmitted)
		return ok
	})
}

// facts are the tables of what there is to see, those with rows; when there is
// none, the first one says so.
func (b *bench) facts(m *Model, width int) (lines []string) {
	var first []string
	for _, name := range b.tables {
		for _, t := range narrate.Show(b.loc(m), b.run(), name, false) {
			text := t.Lines(width)
			switch {
			case len(t.Rows) == 0 && first == nil:
				first = text
			case len(t.Rows) > 0:
				lines = append(lines, text...)
			}
		}
	}
	if lines == nil {
		return first
	}
	return lines
}

// shown is the view on the screen: the chosen one while it has something to
// show, else the first.
func (b *bench) shown() int {
	offer := b.offer()
	if slices.Contains(offer, b.view) {
		return b.view
	}
	return offer[0]
}

// next shows the view behind the present one.
func (b *bench) next() {
	offer := b.offer()
	b.view = offer[(slices.Index(offer, b.shown())+1)%len(offer)]
	b.pick = 0
}

// chosen is the row that was chosen by hand, while the cursor stays.
func (b *bench) chosen() int {
	if b.pickOf != b.at()[1] {
		b.pick = 0
	}
	return b.pick
}

// choose goes up or down: in what is written, else in the rows of the picture.
func (b *bench) choose(by int) {
	rows := 0
	if len(b.said) == 0 {
		switch b.shown() {
		case viewMatrix:
			rows = b.checkpoints().MatrixRows()
		case viewStore:
			rows = b.checkpoints().StoreRows()
		case viewLevels:
			rows = b.checkpoints().LevelRows()
		case viewLog:
			rows = b.topics().LogRows()
		case viewTransactions:
			rows = b.topics().TransactionRows()
		case viewPhases:
			rows = b.commits().TransactionRows()
		}
	}
	if rows == 0 {
		b.scroll += by
		return
	}
	at := b.chosen()
	if at == 0 && b.shown() == viewLog && b.topics().Hidden > 0 {
		// From the one that is looked at to the others.
		at = b.topics().LogRow(b.log)
	}
	switch {
	case at == 0 && by < 0:
		at = rows
	case at == 0:
		at = 1
	default:
		at = max(1, min(at+by, rows))
	}
	b.pick, b.pickOf = at, b.at()[1]
}

func (b *bench) draw(m *Model, w, h int) ([]string, *tea.Cursor) {
	if b.s == nil {
		return indent(b.written(m, w-2), " "), nil
	}
	out := b.goalLines(m, w)
	cursorRows := 1
	list := 4
	if h < 18 {
		list = 2
	}
	wide := w >= 110
	room := h - len(out) - cursorRows
	if b.mark > 0 {
		room--
	}
	p := view.Picture{Loc: b.loc(m), Width: w - 2, Height: room, Signs: m.signs, Style: m.style, Codes: m.codes(), Step: b.s.Cursor(), Pick: b.chosen(), Span: b.span}
	if b.s.AtHead() {
		p.Now = b.s.Run().World.Now()
	}
	if b.s.AtHead() && b.onLine {
		p.Step = 0
	}
	var body []string
	switch {
	case wide:
		left := p
		left.Width = w*3/5 - 2
		right := p
		right.Width = w - left.Width - 5
		a, d := b.main(m, left), b.detail(m, left.Width)
		right.Full = true
		c := view.DrawSteps(b.s.Trace(), right)
		if len(withoutBlanks(a))+len(d) < room {
			a = b.below(m, withoutBlanks(a), left, room-len(d))
			for len(a) < room-len(d) {
				a = append(a, "")
			}
			a = append(a, d...)
		}
		for i := range room {
			body = append(body, m.beside(at(a, i), left.Width, at(c, i)))
		}
	case b.shown() == viewSteps:
		panel := b.panelLines(m, room/2)
		p.Height = room - len(panel)
		p.Whole = true
		body = view.DrawSteps(b.s.Trace(), p)
		for len(body) < p.Height {
			body = append(body, "")
		}
		body = append(body, panel...)
	default:
		panel := b.panelLines(m, room/2)
		p.Height = room - list - len(panel) - 1
		if p.Height < 8 {
			p.Height = room - len(panel)
			list = 0
		}
		body = b.main(m, p)
		body = append(body, panel...)
		if list > 0 {
			d := b.detail(m, w-2)
			if len(withoutBlanks(body))+len(d) >= room-list {
				d = nil
			} else {
				body = withoutBlanks(body)
			}
			for len(body) < room-list-len(d) {
				body = append(body, "")
			}
			body = append(body, d...)
			steps := p
			steps.Height, steps.Whole = list, d == nil
			body = append(body, view.DrawSteps(b.s.Trace(), steps)...)
		}
	}
	for len(body) < room {
		body = append(body, "")
	}
	body = body[:room]
	if wide {
		// The panel lies over the end of the picture.
		panel := b.panelLines(m, room/2)
		copy(body[room-len(panel):], panel)
	}
	out = append(out, indent(body, " ")...)
	lines, cursor := b.line.draw(w-2, m.signs.Open)
	if cursor != nil {
		cursor.Position.X++
		cursor.Position.Y += len(out)
	}
	if b.line.kept {
		lines[0] = m.style(view.Faint, lines[0])
	}
	out = append(out, " "+lines[0])
	if b.mark > 0 {
		out = append(out, m.style(view.Bad, strings.Repeat(" ", 1+b.line.cell(b.mark))+"^"))
	}
	return out, cursor
}

// planeHeight are the rows that the plane needs to be worth looking at, and
// those beyond which it only spreads.
const planeHeight, planeMost = 10, 20

// below puts a second picture under the first where the screen has room for
// both: the plane under the lanes, the matrix under the levels, the history and
// the cost under the matrix, the attempts or the history under the channels and the other way
// round.
func (b *bench) below(m *Model, above []string, p view.Picture, room int) []string {
	p.Height = min(room-len(above)-2, planeMost)
	switch b.shown() {
	case viewLanes:
		if p.Height >= planeHeight {
			return append(append(above, ""), withoutBlanks(b.picture().DrawPlane(p))...)
		}
	case viewLevels:
		// What became of the tables of the trees in the snapshots.
		if p.Height >= planeHeight {
			p.Second = true
			return append(append(above, ""), withoutBlanks(b.checkpoints().DrawMatrix(p))...)
		}
	case viewBarriers:
		if p.Height < planeHeight {
			return above
		}
		draw := b.checkpoints().DrawTimeline
		if slices.Contains(b.offer(), viewRecovery) {
			draw = b.attempts().DrawRecovery
		}
		p.Second = true
		return append(append(above, ""), withoutBlanks(draw(p))...)
	case viewRecovery:
		if p.Height >= planeHeight && slices.Contains(b.offer(), viewBarriers) {
			return append(append(above, ""), withoutBlanks(b.channels().DrawBarriers(p))...)
		}
	case viewLog, viewPhases, viewTransactions, viewLatency:
		// What stands in the log under the phases, and the other way round.
		if p.Height < planeHeight {
			return above
		}
		p.Partition = b.log
		draw := b.topics().DrawLog
		if b.shown() == viewLog {
			draw = b.delays().DrawLatency
			if slices.Contains(b.offer(), viewPhases) {
				draw = b.commits().DrawPhases
			}
		}
		p.Pick = 0
		return append(append(above, ""), withoutBlanks(draw(p))...)
	case viewMatrix, viewTimeline, viewStore:
		costs := p
		costs.Height = min(costHeight, p.Height)
		if costs.Height < costHeight {
			return above
		}
		cost := withoutBlanks(view.DrawCosts(costs, []view.Cost{b.checkpoints().Cost("")}))
		p.Height, p.Second = p.Height-len(cost)-1, true
		if b.shown() == viewMatrix && p.Height >= timelineHeight {
			above = append(append(above, ""), withoutBlanks(b.checkpoints().DrawTimeline(p))...)
		}
		return append(append(above, ""), cost...)
	}
	return above
}

// costHeight are the rows that the cost of a run needs at most, timelineHeight
// those that make a history worth looking at.
const costHeight, timelineHeight = 6, 6

// withoutBlanks are lines without the empty ones at their end.
func withoutBlanks(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// detail is the selected step in full, with its rule: the list cuts it. It is
// for looking back, when nothing else is asked.
func (b *bench) detail(m *Model, w int) []string {
	s := b.s.Trace().Step(b.s.Cursor())
	if b.onLine || len(b.said) > 0 || s == nil {
		return nil
	}
	var out []string
	for _, l := range m.uncoded(markdown.Wrap(narrate.Step(b.loc(m), s), w)) {
		out = append(out, m.style(view.Strong, l))
	}
	for _, rule := range narrate.Rule(b.loc(m), s.Rule) {
		for _, l := range m.uncoded(markdown.Wrap(rule, w)) {
			out = append(out, m.style(view.Faint, l))
		}
	}
	return append(out, "")
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// beside puts two texts next to each other with a line between.
func (m *Model) beside(a string, w int, b string) string {
	return a + strings.Repeat(" ", max(w-lipgloss.Width(a), 0)) + " " + m.style(view.Faint, m.signs.Bar) + " " + b
}

func (b *bench) goalLines(m *Model, w int) []string {
	goal := b.texts(m).Goal
	if goal == "" {
		return nil
	}
	mark, class, text := m.signs.Fates[view.Behind], view.Plain, "plain.sim.goal"
	switch {
	case b.reached:
		mark, class = m.signs.Fired, view.Good
	case b.once && b.goalOf != nil && b.goalOf == b.s.Trace().Step(b.goalAt):
		mark, text = m.signs.Fired, "tui.bench.goal-at"
	case b.once:
		mark, text = m.signs.Fired, "tui.bench.goal-once"
	}
	var out []string
	lines := m.questions(w - 4).Render(m.text(text, locale.Args{"Goal": goal, "Step": b.goalAt}))
	b.cut = false
	if n := 3; len(lines) > n {
		b.cut = true
		// The picture needs the rest of the screen: the last line says that more
		// follows, and how to read it.
		more := m.signs.Open + " " + m.coded([]string{m.text("tui.bench.goal-more", nil)})[0]
		last, _ := markdown.Cut(lines[n-1], w-4-markdown.Width(more))
		plain := ansi.Strip(last)
		if i := strings.LastIndexByte(plain, ' '); i > 0 && markdown.Width(last) < markdown.Width(lines[n-1]) {
			last, _ = markdown.Cut(last, markdown.Width(plain[:i])) // no half words
		}
		lines = append(lines[:n-1:n-1], last+more)
	}
	if class != view.Plain {
		// The look of the whole is what counts.
		for i := range lines {
			lines[i] = ansi.Strip(lines[i])
		}
	}
	for i, l := range lines {
		lead := " " + mark + " "
		if i > 0 {
			lead = "   "
		}
		out = append(out, m.style(class, lead+l))
	}
	return out
}

// panelLines is the panel in at most n lines, with a mark where more is.
func (b *bench) panelLines(m *Model, n int) []string {
	w := max(m.w-2, 20)
	lines := b.written(m, w)
	if len(b.said) == 0 && b.onLine && b.typed == "" && len(b.s.Commands()) == 0 {
		// Before anything was typed, how to begin.
		lines = m.coded(relay([]string{m.text("tui.bench.how", nil)}, w))
	}
	if len(lines) == 0 {
		return nil
	}
	n = max(n, 3)
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	b.scroll = max(0, min(b.scroll, len(lines)-n))
	shown := window(lines, b.scroll, n)
	if b.scroll+n < len(lines) && len(shown) > 0 {
		shown[len(shown)-1] = m.more(len(lines) - b.scroll - n + 1)
	}
	return append([]string{m.style(view.Faint, strings.Repeat(m.signs.Line, max(m.w-2, 1)))}, shown...)
}

// main is the picture or the table that the view asks for.
func (b *bench) main(m *Model, p view.Picture) []string {
	switch b.shown() {
	case viewMatrix:
		return b.checkpoints().DrawMatrix(p)
	case viewTimeline:
		return b.checkpoints().DrawTimeline(p)
	case viewLevels:
		return b.checkpoints().DrawLevels(p)
	case viewStore:
		return b.checkpoints().DrawStore(p)
	case viewBarriers:
		return b.channels().DrawBarriers(p)
	case viewRecovery:
		return b.attempts().DrawRecovery(p)
	case viewLog:
		// It stays while steps are about others, until the learner chooses one.
		if focus := b.topics().LogFocus(p); b.log == "" || p.Pick > 0 {
			b.log, b.logPick = focus, b.logPick || p.Pick > 0
		}
		p.Partition = b.log
		return b.topics().DrawLog(p)
	case viewTransactions:
		return b.topics().DrawTransactions(p)
	case viewPhases:
		return b.commits().DrawPhases(p)
	case viewLatency:
		return b.delays().DrawLatency(p)
	case viewPlane:
		return b.picture().DrawPlane(p)
	case viewTable:
		lines := b.facts(m, p.Width)
		b.scroll = max(0, min(b.scroll, len(lines)-p.Height))
		return window(lines, b.scroll, p.Height)
	}
	return b.picture().DrawLanes(p)
}
