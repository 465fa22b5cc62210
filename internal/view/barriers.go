package view

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// Barriers is what the picture of channels shows: the subtasks of the job from
// left to right, and what is in the channels between them.
type Barriers struct {
	Channels *fold.Channels
}

// BuildBarriers folds a trace into the channels of its job.
func BuildBarriers(t *sim.Trace) *Barriers { return &Barriers{fold.ChannelsOf(t)} }

// Cells of the state of a subtask, and of one that can keep what is in flight;
// those below which a pipe says nothing, and those beyond which it only is
// longer.
const stateCells, keptCells, leastPipe, mostPipe = 12, 14, 6, 20

// A pipeRow is a channel with the subtask at its end; a source has none.
type pipeRow struct {
	channel *fold.Channel
	subtask *fold.Subtask
	// first: it is the first row of its subtask.
	first bool
}

// A stage is a column of the graph: vertices that are equally far from a source.
type stage struct {
	vertices []*fold.Vertex
	rows     []pipeRow
	// from says that rows name their sender.
	from bool
}

// stages puts the vertices into columns.
func (b *Barriers) stages() (out []stage) {
	level := map[*fold.Vertex]int{}
	for _, v := range b.Channels.Vertices {
		n := 0
		if len(v.Subtasks) > 0 {
			for _, c := range v.Subtasks[0].In {
				n = max(n, level[c.From.Vertex]+1)
			}
		}
		level[v] = n
		for len(out) <= n {
			out = append(out, stage{})
		}
		s := &out[n]
		s.vertices = append(s.vertices, v)
		for _, t := range v.Subtasks {
			if len(t.In) == 0 {
				s.rows = append(s.rows, pipeRow{subtask: t, first: true})
			}
			for i, c := range t.In {
				s.rows = append(s.rows, pipeRow{channel: c, subtask: t, first: i == 0})
				s.from = s.from || c.Exchange != sim.ExchangeForward
			}
		}
	}
	return out
}

// DrawBarriers draws the job graph: channels as pipes with the records and
// barriers in them, and how far each subtask is with the checkpoint.
func (b *Barriers) DrawBarriers(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	if len(b.Channels.Vertices) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.barriers.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	y := 0
	say := func(class Class, text string) {
		// Three sentences share the room of a caption.
		lines := p.wrap(class, text)
		if p.Height < 12 {
			lines = p.clip(lines, 1)
		}
		for _, l := range p.clip(lines, 2) {
			c.put(0, y, l.class, l.text)
			y++
		}
	}
	if over := b.over(&p); over != "" {
		say(Warn, over)
	}
	if text, class := b.status(&p); y == 0 || p.Height >= 8 {
		say(class, text)
	}
	legend := b.legend(&p)
	if room := p.Height - y - len(legend); room < 4 {
		legend = nil
	}
	if line, class := b.waiting(&p); p.Height >= 10 {
		say(class, line)
	}
	if p.Height >= 14 {
		y++
	}
	room := max(p.Height-y-len(legend), 1)
	stages := b.stages()
	if pipes := pipeWidths(stages, p.Width); pipes != nil {
		y = b.drawGraph(c, &p, stages, pipes, y, room)
	} else {
		y = b.drawList(c, &p, stages, y, room)
	}
	bottom := min(y+1, c.h-len(legend))
	for _, l := range legend {
		c.put(0, bottom, Faint, l)
		bottom++
	}
	return c.lines(p.style())
}

// pipeWidths are the cells of the pipes in front of each stage, nil: they have
// no room beside each other.
func pipeWidths(stages []stage, w int) []int {
	room := w
	for i, s := range stages {
		if i > 0 {
			room--
		}
		room -= s.fixed()
	}
	n := len(stages) - 1
	if n == 0 || room < n*leastPipe {
		return nil
	}
	out := []int{0}
	for i := range n {
		part := room / (n - i)
		out = append(out, min(part, mostPipe))
		room -= part
	}
	return out
}

// fixed are the cells of a stage without its pipes.
func (s *stage) fixed() int {
	n := s.receiver() + 1 + stateCells
	if s.from {
		n = s.receiver() + 1 + keptCells
	}
	if s.rows[0].channel != nil {
		return n + s.sender() + 1
	}
	return n + 1 // what a source has sent
}

// sender and receiver are the cells of the names at the ends of the pipes.
func (s *stage) sender() (n int) {
	for _, r := range s.rows {
		if r.channel != nil && s.from {
			n = max(n, lipgloss.Width(sender(r.channel)))
		}
	}
	return n
}

func (s *stage) receiver() (n int) {
	for _, r := range s.rows {
		n = max(n, lipgloss.Width(number(r.subtask)))
	}
	return n
}

// sender names the subtask that sends, with its vertex where there are several.
func sender(c *fold.Channel) string {
	if c.To.Vertex.In > 1 {
		return c.From.Name
	}
	return number(c.From)
}

// number is a subtask without the name of its vertex.
func number(s *fold.Subtask) string { return strings.TrimPrefix(s.Name, s.Vertex.Name) }

// drawGraph draws the stages beside each other.
func (b *Barriers) drawGraph(c *canvas, p *Picture, stages []stage, pipes []int, y, room int) int {
	left, bottom := 0, y
	for i := range stages {
		s := &stages[i]
		width := s.fixed() + pipes[i]
		at := left
		if s.rows[0].channel != nil {
			at += s.sender() + pipes[i] + 1
		}
		row, end := y, y+room
		groups := s.groups()
		share := shares(groups, room-len(groups))
		for k, v := range s.vertices {
			if row >= end {
				break
			}
			c.put(at, row, Strong, Fit(b.heading(p, v), left+width-at, p.Signs))
			row++
			shown, hidden := b.visible(p, groups[k], share[k])
			if hidden > 0 && share[k] > 1 {
				shown, hidden = b.visible(p, groups[k], share[k]-1)
			}
			for _, r := range shown {
				x := left
				if r.channel != nil {
					if s.from && r.channel.Exchange != sim.ExchangeForward {
						c.put(x, row, b.about(p, r.channel.Step, Faint), sender(r.channel))
					}
					x += s.sender()
					b.pipe(c, p, x, row, pipes[i], r.channel)
					x = at
				}
				b.end(c, p, x, row, s.receiver(), left+width-x, r, number(r.subtask))
				row++
			}
			if hidden > 0 && row < end {
				c.put(left, row, Faint, Fit(p.Loc.Plural("scene.snap.more-rows", int64(hidden), nil), width, p.Signs))
				row++
			}
		}
		bottom = max(bottom, row)
		left += width + 1
	}
	return bottom
}

// groups are the rows of a stage by vertex.
func (s *stage) groups() (out [][]pipeRow) {
	for _, v := range s.vertices {
		var rows []pipeRow
		for _, r := range s.rows {
			if r.subtask.Vertex == v {
				rows = append(rows, r)
			}
		}
		out = append(out, rows)
	}
	return out
}

// shares divides rows among groups: each one has as many as the others, as far
// as it needs them. After the first row of each, exchanges that go across come
// first, and what lies inside of a task last.
func shares(groups [][]pipeRow, room int) []int {
	out, inner := make([]int, len(groups)), make([]int, len(groups))
	across := make([]bool, len(groups))
	for i, g := range groups {
		for _, r := range g {
			switch {
			case r.channel != nil && r.channel.Chained:
				inner[i]++
			case r.channel != nil && r.channel.Exchange != sim.ExchangeForward:
				across[i] = true
			}
		}
	}
	fill := func(most func(i int) int) {
		for more := true; more && room > 0; {
			more = false
			for i := range groups {
				if out[i] < most(i) && room > 0 {
					out[i]++
					room--
					more = true
				}
			}
		}
	}
	outer := func(i int) int { return len(groups[i]) - inner[i] }
	fill(func(i int) int { return min(outer(i), 1) })
	fill(func(i int) int {
		if across[i] {
			return outer(i)
		}
		return 0
	})
	fill(outer)
	fill(func(i int) int { return len(groups[i]) })
	return out
}

// drawList draws the stages below each other, where they have no room beside.
func (b *Barriers) drawList(c *canvas, p *Picture, stages []stage, y, room int) int {
	var rows []pipeRow
	var groups [][]pipeRow
	sender, receiver := 0, 0
	for _, s := range stages {
		rows = append(rows, s.rows...)
		groups = append(groups, s.groups()...)
	}
	short := p.Width < 60
	from := func(s *fold.Subtask) string {
		if short && len(stages) > 1 && len(stages[0].vertices) == 1 {
			return number(s)
		}
		return s.Name
	}
	for _, r := range rows {
		receiver = max(receiver, lipgloss.Width(r.subtask.Name))
		if r.channel != nil {
			sender = max(sender, lipgloss.Width(from(r.channel.From)))
		}
	}
	receiver = min(receiver, p.Width/3)
	if len(rows) > room {
		room = max(room-1, 1) // one says how many are hidden
	}
	var shown []pipeRow
	for i, n := range shares(groups, room) {
		part, _ := b.visible(p, groups[i], n)
		shown = append(shown, part...)
	}
	hidden := len(rows) - len(shown)
	for _, r := range shown {
		x := 0
		if r.channel != nil {
			c.put(0, y, b.about(p, r.channel.Step, Faint), from(r.channel.From))
			n := max(min(p.Width-sender-1-receiver-1-keptCells, 2*mostPipe), 3)
			b.pipe(c, p, sender, y, n, r.channel)
			x = sender + n + 1
		}
		b.end(c, p, x, y, receiver, c.w-x, r, r.subtask.Name)
		y++
	}
	if hidden > 0 && y < c.h {
		c.put(0, y, Faint, Fit(p.Loc.Plural("scene.snap.more-rows", int64(hidden), nil), c.w, p.Signs))
		y++
	}
	return y
}

// heading is the name of a vertex, and that it takes nothing.
func (b *Barriers) heading(p *Picture, v *fold.Vertex) string {
	if v.Full {
		return v.Name + " " + p.Signs.Dots + " backpressure"
	}
	return v.Name
}

// about marks what the selected step is about.
func (b *Barriers) about(p *Picture, step int, class Class) Class {
	if p.Step > 0 && step == p.Step {
		return Selected
	}
	return class
}

// visible are the rows that have room: what the step is about and where
// something is to be seen go before what is quiet.
func (b *Barriers) visible(p *Picture, rows []pipeRow, room int) (shown []pipeRow, hidden int) {
	if len(rows) <= room {
		return rows, 0
	}
	weight := func(r pipeRow) int {
		switch {
		case p.Step > 0 && (r.first && r.subtask.Step == p.Step || r.channel != nil && r.channel.Step == p.Step):
			return 0
		case r.channel != nil && r.channel.Chained && !b.loud(r.subtask):
			return 5
		case r.channel != nil && len(r.channel.Items) > 0:
			return 1
		case r.first && b.loud(r.subtask):
			return 2
		case r.channel != nil && !quiet(r.channel):
			return 3
		case r.first:
			return 4
		}
		return 5
	}
	for w := 0; w <= 5 && len(shown) < room; w++ {
		for _, r := range rows {
			if weight(r) == w && len(shown) < room {
				shown = append(shown, r)
			}
		}
	}
	kept := map[pipeRow]bool{}
	for _, r := range shown {
		kept[r] = true
	}
	shown = slices.DeleteFunc(slices.Clone(rows), func(r pipeRow) bool { return !kept[r] })
	// Each subtask is named once.
	for i := range shown {
		shown[i].first = i == 0 || shown[i-1].subtask != shown[i].subtask
	}
	return shown, len(rows) - len(shown)
}

// quiet says that nothing is in a channel.
func quiet(c *fold.Channel) bool { return len(c.Items) == 0 && c.Blocked == 0 && c.Collecting == 0 }

// loud says that a pending checkpoint waits for a subtask, or that it failed or
// waits for its restart.
func (b *Barriers) loud(s *fold.Subtask) bool {
	x := b.Channels.Shown()
	return s.Failed || s.Down || s.Head == nil && x != nil && x.Status == fold.SnapshotPending && s.Part(x.ID).Phase != fold.PhaseAcknowledged
}

// end writes the subtask at the end of a pipe and its state, once.
func (b *Barriers) end(c *canvas, p *Picture, x, y, name, width int, r pipeRow, text string) {
	if !r.first {
		c.put(x, y, Faint, Fit(text, name, p.Signs))
		return
	}
	c.put(x, y, b.about(p, r.subtask.Step, Plain), Fit(text, name, p.Signs))
	at := name + 1
	if r.channel == nil {
		// A record that it has read, on its way: the step behind says where to.
		if r.subtask.Sent != nil {
			c.put(x+name, y, b.about(p, r.subtask.Sent.Step, Plain), p.Signs.Fates[OnTime])
		}
		at++
	}
	state, class := b.state(p, r.subtask, width-at)
	c.put(x+at, y, class, Fit(state, width-at, p.Signs))
}

// A token is what stands in a pipe.
type token struct {
	text  string
	class Class
}

// pipe draws a channel: what comes out next is at its right end.
func (b *Barriers) pipe(c *canvas, p *Picture, x, y, width int, ch *fold.Channel) {
	line, class := p.Signs.Line, Faint
	switch {
	case ch.Chained:
		// Nothing is between them.
		c.put(x+width/2, y, Faint, chainSign)
		return
	case ch.Blocked != 0:
		line, class = p.Signs.Hatch, Warn
	case ch.Collecting != 0:
		line, class = p.Signs.Double, Time
	case !b.Channels.Live || ch.From.Down || ch.To.Down:
		line = p.Signs.Dots
	}
	c.put(x, y, b.about(p, ch.Step, class), strings.Repeat(line, width))
	c.put(x+width, y, b.about(p, ch.Step, class), p.Signs.Arrow)
	tokens := b.tokens(p, ch, 3)
	if tokensWidth(tokens) > width {
		tokens = b.tokens(p, ch, 1)
	}
	at := x + width
	for i, t := range tokens {
		n := lipgloss.Width(t.text)
		if i > 0 {
			at--
		}
		if at-n < x || at-n < x+lipgloss.Width(p.Signs.Open) && i+1 < len(tokens) {
			c.put(x, y, Faint, p.Signs.Open)
			return
		}
		at -= n
		c.put(at, y, t.class, t.text)
	}
}

// chainSign stands between two operators of one task.
const chainSign = "+"

func tokensWidth(in []token) int {
	n := max(len(in)-1, 0)
	for _, t := range in {
		n += lipgloss.Width(t.text)
	}
	return n
}

// tokens are what is in a channel, the one that comes out first in front;
// longer runs of records than most are a number.
func (b *Barriers) tokens(p *Picture, ch *fold.Channel, most int) (out []token) {
	if ch.Blocked != 0 {
		out = append(out, token{b.plate(p, ch.Blocked), Warn})
	}
	for i := 0; i < len(ch.Items); {
		x := ch.Items[i]
		if x.Barrier != 0 {
			out = append(out, token{b.plate(p, x.Barrier), b.about(p, x.Step, Time)})
			i++
			continue
		}
		sign, class := p.recordSign(x)
		n := 0
		for i < len(ch.Items) {
			next := ch.Items[i]
			if s, _ := p.recordSign(next); next.Barrier != 0 || s != sign {
				break
			}
			if p.Step > 0 && next.Step == p.Step {
				class = Selected
			}
			n++
			i++
		}
		text := strings.Repeat(sign, n)
		if n > most {
			text = p.Loc.Text("scene.number", locale.Args{"N": n}) + sign
		}
		out = append(out, token{text, class})
	}
	return out
}

// recordSign is the mark of a record in a pipe: one that belongs to an unaligned
// checkpoint, or came back with one, has its own.
func (p *Picture) recordSign(x fold.Item) (string, Class) {
	if x.InFlight != 0 || x.Why == fold.WaitRestored {
		return p.Signs.Fates[Aside], Time
	}
	return p.Signs.Fates[OnTime], Plain
}

// plate is a barrier.
func (b *Barriers) plate(p *Picture, id int64) string {
	return p.Signs.Bar + strings.TrimPrefix(b.label(id), "chk-") + p.Signs.Bar
}

// label is how a script calls a checkpoint that is pending or was last.
func (b *Barriers) label(id int64) string {
	for _, x := range append(slices.Clone(b.Channels.Pending), b.Channels.Last) {
		if x != nil && x.ID == id {
			return x.Label()
		}
	}
	return (&fold.PendingCheckpoint{ID: id}).Label()
}
