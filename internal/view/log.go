package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// A ruler says where the offsets of a partition stand. Those that have no room are
// counted in a column of their own, offset −1.
type ruler struct {
	from, to int // offsets of the log
	cell     int // cells of a column
	left     int
	columns  []rulerColumn
}

type rulerColumn struct{ offset, hidden int }

// x is the cell of the sign of column i.
func (r *ruler) x(i int) int { return r.left + (i+1)*r.cell - 1 }

// at is the cell of an offset, also of the one behind the last; a hidden one
// stands where it is counted.
func (r *ruler) at(offset int) int {
	for i, c := range r.columns {
		if c.offset == offset || c.offset < 0 && i+1 < len(r.columns) && r.columns[i+1].offset > offset || c.offset > offset {
			return r.x(i)
		}
	}
	return r.x(len(r.columns))
}

// newRuler fits the offsets of a partition into cells. Where not all have room,
// what stands around the last stable offset and at the end of the log is shown.
func newRuler(p *Picture, x *fold.Partition, left, cell int) *ruler {
	r := &ruler{from: x.Start, to: end(x), left: left, cell: cell}
	// One column stays for what stands behind the last record.
	most := max((p.Width-left)/cell-1, 2)
	add := func(from, to int) {
		for o := max(from, r.from); o < min(to, r.to); o++ {
			r.columns = append(r.columns, rulerColumn{offset: o})
		}
	}
	hide := func(n int) {
		if n > 0 {
			r.columns = append(r.columns, rulerColumn{offset: -1, hidden: n})
		}
	}
	n := r.to - r.from
	if n <= most {
		add(r.from, r.to)
		return r
	}
	lead := min(3, most/3)
	first := max(x.LSO-lead, r.from)
	if r.to-first <= most-1 || x.LSO >= r.to {
		first = r.to - (most - 1)
		hide(first - r.from)
		add(first, r.to)
		return r
	}
	room := most - 1
	if first > r.from {
		room--
	}
	tail := 0
	if room >= 6 {
		tail = room / 3
	}
	if first == r.from+1 {
		first = r.from // one column is worth as much as its count
		room++
	}
	hide(first - r.from)
	add(first, first+room-tail)
	hide(r.to - tail - (first + room - tail))
	add(r.to-tail, r.to)
	return r
}

// A logRow is one row of a partition: what stands there, or what a reader gets.
type logRow struct {
	kind      string // "ruler", "log", "bounds", "reader"
	partition *fold.Partition
	committed bool
	consumer  *fold.ConsumerClient
}

// A logStrip is the drawing of one picture of logs.
type logStrip struct {
	b       *Broker
	c       *canvas
	p       *Picture
	left    int
	cell    int
	used    map[string]bool // entries of the legend
	letters map[int]bool
	// short: not even one partition has room for both isolation levels.
	short bool
}

// DrawLog draws the logs of partitions from left to right, offset by offset: what
// stands there, where the last stable offset and the high watermark are, and what
// readers of both isolation levels get; below it what the coordinator knows.
func (b *Broker) DrawLog(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	all := b.partitions()
	if len(all) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.log.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	// The lines of the legend are known when the rest is drawn.
	for n := 0; ; n++ {
		c = newCanvas(p.Width, p.Height)
		s := &logStrip{b: b, c: c, p: &p, used: map[string]bool{}, letters: map[int]bool{}}
		y := s.draw(all, p.Height-n)
		legend := s.legend()
		if len(legend) > n && n < legendRows(&p) && p.Height >= 6+n {
			continue
		}
		bottom := p.Height - n
		if y < bottom {
			bottom = y + min(1, bottom-y)
		}
		for i, l := range legend {
			if i < n {
				c.put(0, bottom+i, Faint, l)
			}
		}
		return c.lines(p.style())
	}
}

// draw draws all but the legend into so many rows, and returns the next one.
func (s *logStrip) draw(all []*fold.Partition, room int) int {
	p, b := s.p, s.b
	y := 0
	if text, class := b.waiting(p); room >= 5 {
		lines := p.caption(class, text)
		if p.Width < narrowLegend && room < 9 {
			lines = p.clip(lines, 1) // what is said there is short
		}
		for _, l := range lines {
			s.c.put(0, y, l.class, l.text)
			y++
		}
		if room >= 14 {
			y++
		}
	}
	s.measure(all)
	var rows []logRow
	hidden := 0
	coordinator := len(b.Kafka.IDs) > 0
	least := 0
	if coordinator {
		least = 2 + min(max(len(b.openIDs()), 1), 3)
	}
	s.short = room-y < 5
	for detail := range 4 {
		rows, hidden = s.rows(all, room-y, detail)
		n := len(rows)
		if hidden == 0 && (n+least <= room-y || n <= room-y && detail == 0 && room-y-n < least && room < 12) {
			break
		}
		if hidden == 0 && n <= room-y && detail >= 1 {
			break
		}
	}
	b.Hidden = hidden
	for i, r := range rows {
		s.row(r, y)
		if hidden > 0 && i == 0 && r.kind == "ruler" {
			s.c.put(0, y, Faint, s.place(all, rows, s.left))
			hidden = 0
		}
		y++
	}
	if hidden > 0 && y < room {
		s.c.put(0, y, Faint, s.place(all, rows, s.c.w+1))
		y++
	}
	if left := room - y; coordinator && left >= 3 {
		part := *p
		y = b.drawCoordinator(s.c, &part, y+1, left-1, false)
	}
	return y
}

// place says which partitions are shown of how many, and how to come to the others,
// in less than so many cells.
func (s *logStrip) place(all []*fold.Partition, rows []logRow, room int) string {
	var numbers []string
	for i, x := range all {
		if slices.ContainsFunc(rows, func(r logRow) bool { return r.partition == x }) {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	args := locale.Args{"Shown": strings.Join(numbers, ","), "All": len(all), "Keys": s.p.Signs.UpDown}
	for _, id := range []string{"scene.log.place", "scene.log.place-short"} {
		if text := s.p.Loc.Text(id, args); lipgloss.Width(text) < room {
			return text
		}
	}
	return Fit(args["Shown"].(string)+"/"+strconv.Itoa(len(all)), room-1, s.p.Signs)
}

// measure finds how many cells names and columns take.
func (s *logStrip) measure(all []*fold.Partition) {
	p := s.p
	s.left, s.cell = 0, 3
	for _, x := range all {
		s.left = max(s.left, lipgloss.Width(x.Name))
		s.cell = max(s.cell, len(strconv.Itoa(end(x)))+1)
		for _, e := range x.Entries {
			s.cell = max(s.cell, lipgloss.Width(s.entry(e))+1)
		}
	}
	for _, r := range s.readers(all[0], 0) {
		s.left = max(s.left, lipgloss.Width(s.readerName(r)))
	}
	s.left = min(s.left+1, max(p.Width*2/5, 4))
}

// entry is what stands in a column of the log.
func (s *logStrip) entry(e fold.Entry) string {
	if m := e.Marker; m != nil {
		of := ""
		if m.Transaction > 0 {
			of = letter(m.Transaction)
		} else if m.First >= 0 {
			of = hangingSign
		}
		return m.Result[:1] + of
	}
	return s.b.sign(s.p, e.Batch)
}

// readers are the rows of what readers get: each consumer, and each isolation
// level without one.
func (s *logStrip) readers(x *fold.Partition, detail int) (out []logRow) {
	for _, committed := range []bool{true, false} {
		if !committed && (detail == 2 || detail == 3 && s.short) {
			continue
		}
		n := len(out)
		for _, c := range s.b.Kafka.Consumers {
			if _, reads := c.Positions[x.Name]; !c.Gone && reads && (c.Isolation == readCommitted) == committed {
				out = append(out, logRow{kind: "reader", partition: x, committed: committed, consumer: c})
			}
			if detail >= 1 && len(out) > n {
				break
			}
		}
		if len(out) == n {
			out = append(out, logRow{kind: "reader", partition: x, committed: committed})
		}
	}
	return out
}

// rows are those that have room: with less detail, fewer for each partition.
func (s *logStrip) rows(all []*fold.Partition, room, detail int) (out []logRow, hidden int) {
	shown := all
	for n := len(all); n > 0; n-- {
		shown = nil
		chosen := s.b.order(s.p, all)[:n]
		for _, x := range all {
			if slices.Contains(chosen, x) {
				shown = append(shown, x)
			}
		}
		out = nil
		for _, x := range shown {
			if end(x) == x.Start {
				out = append(out, logRow{kind: "log", partition: x})
				continue
			}
			if detail < 3 || room >= 5 {
				out = append(out, logRow{kind: "ruler", partition: x})
			}
			out = append(out, logRow{kind: "log", partition: x}, logRow{kind: "bounds", partition: x})
			out = append(out, s.readers(x, detail)...)
		}
		hidden = len(all) - n
		need := len(out)
		if hidden > 0 && out[0].kind != "ruler" {
			need++
		}
		if detail < 3 || need <= room {
			break
		}
	}
	return out, hidden
}

func (s *logStrip) readerName(r logRow) string {
	level := readUncommitted
	short := "RU"
	if r.committed {
		level, short = readCommitted, "RC"
	}
	if s.p.Width < narrowLegend || r.consumer != nil && len(r.consumer.Name) > 3 {
		level = short
	}
	if r.consumer == nil {
		return level
	}
	return r.consumer.Name + " " + level
}

// row draws one row.
func (s *logStrip) row(r logRow, y int) {
	p, x := s.p, r.partition
	g := newRuler(p, x, s.left, s.cell)
	name := func(class Class, text string) { s.c.put(0, y, class, Fit(text, s.left-1, p.Signs)) }
	switch r.kind {
	case "ruler":
		for i, c := range g.columns {
			if c.offset >= 0 {
				text := strconv.Itoa(c.offset)
				s.c.put(g.x(i)+1-len(text), y, Faint, text)
			}
		}
	case "log":
		class := Strong
		if s.b.about(p, x) {
			class = Selected
		}
		name(class, x.Name)
		s.drawEntries(g, x, y)
	case "bounds":
		s.drawBounds(g, x, y)
	case "reader":
		text := s.readerName(r)
		name(Faint, text)
		for _, short := range []string{"RC", "RU"} {
			s.used[short] = s.used[short] || strings.HasSuffix(text, short)
		}
		s.drawReader(g, r, y)
	}
}

// contents are the entries of a partition by offset.
func (b *Broker) contents(x *fold.Partition) map[int]fold.Entry {
	if out := b.entries[x]; out != nil {
		return out
	}
	out := map[int]fold.Entry{}
	if b.entries == nil {
		b.entries = map[*fold.Partition]map[int]fold.Entry{}
	}
	b.entries[x] = out
	for _, e := range x.Entries {
		if e.Marker != nil {
			out[e.Marker.Offset] = e
			continue
		}
		for i := range e.Batch.Values {
			out[e.Batch.Offset+i] = e
		}
	}
	return out
}

func (s *logStrip) drawEntries(g *ruler, x *fold.Partition, y int) {
	p := s.p
	at := s.b.contents(x)
	if len(at) == 0 {
		s.c.put(s.left, y, Faint, Fit(p.Loc.Text("scene.log.no-records", nil), s.c.w-s.left, p.Signs))
		return
	}
	for i, c := range g.columns {
		if c.offset < 0 {
			text := p.Signs.Open + strconv.Itoa(c.hidden)
			if w := lipgloss.Width(text); w > g.cell {
				text = p.Signs.Open
			}
			s.used["hidden"] = true
			s.c.put(g.x(i)+1-lipgloss.Width(text), y, Faint, text)
			continue
		}
		e, ok := at[c.offset]
		if !ok {
			continue
		}
		text, class := s.entry(e), Plain
		step := 0
		switch {
		case e.Marker != nil:
			class, step = Good, e.Marker.Step
			if e.Marker.Result == sim.ResultAbort {
				class = Bad
			}
			s.used[e.Marker.Result] = true
		default:
			step = e.Batch.Step
			switch {
			case e.Batch.ID == "":
				s.used["plain"] = true
			case e.Batch.Transaction == 0:
				s.used["hanging"] = true
			default:
				s.letters[e.Batch.Transaction] = true
			}
			switch e.Batch.State {
			case fold.BatchOpen:
				class = Warn
			case fold.BatchAborted:
				class = Faint
			}
		}
		if p.Step > 0 && step == p.Step {
			class = Selected
		}
		s.c.put(g.x(i)+1-lipgloss.Width(text), y, class, text)
	}
}

// drawBounds says where the last stable offset and the high watermark are, and
// who holds the one back.
func (s *logStrip) drawBounds(g *ruler, x *fold.Partition, y int) {
	p := s.p
	rise := p.Signs.Rise
	put := func(at int, class Class, text string) {
		if w := lipgloss.Width(text); at+1+w+1 <= s.c.w {
			s.c.put(at, y, class, rise)
			s.c.put(at+2, y, class, text)
		} else {
			s.c.put(min(at, s.c.w-1), y, class, rise)
			s.c.put(max(min(at, s.c.w-1)-1-w, 0), y, class, text)
		}
	}
	lso, hw := g.at(x.LSO), g.at(x.HW)
	h := s.b.held(x)
	if h == nil {
		put(lso, Good, fmt.Sprintf("LSO = HW %d", x.HW))
		return
	}
	who := ""
	switch {
	case h.batch == nil:
		who = p.Loc.Text("scene.log.waits-replicas", nil)
	case h.transaction == nil:
		who = p.Loc.Text("scene.log.waits", locale.Args{"Letter": hangingSign})
	default:
		who = p.Loc.Text("scene.log.waits", locale.Args{"Letter": letter(h.transaction.Number)})
	}
	left := fmt.Sprintf(" LSO %d ", x.LSO)
	right := fmt.Sprintf(" HW %d ", x.HW)
	if hw >= s.c.w {
		hw = s.c.w - 1
	}
	room := hw - lso - 1
	class := Warn
	if h.batch != nil && h.transaction == nil {
		class = Bad
	}
	switch full := left[:len(left)-1] + ": " + who + " "; {
	case lipgloss.Width(full+right) <= room:
		left = full
		fallthrough
	case len(left+right) <= room:
		s.c.put(lso, y, class, rise+left+strings.Repeat(p.Signs.Line, room-lipgloss.Width(left+right))+right+rise)
	default:
		// Little room between them: one on each side, or one behind the other.
		text := strings.TrimSpace(left) + " " + rise
		if at := lso - lipgloss.Width(text) + 1; at >= 0 {
			s.c.put(at, y, class, text)
			put(hw, Faint, strings.TrimSpace(right))
			return
		}
		s.c.put(lso, y, class, Fit(rise+left, s.c.w-lso, p.Signs))
		if at := lso + 1 + len(left); at+len(right) < s.c.w {
			s.c.put(at, y, Faint, rise+right)
		}
	}
}

// drawReader says what a reader gets of each offset.
func (s *logStrip) drawReader(g *ruler, r logRow, y int) {
	p, x := s.p, r.partition
	at := s.b.contents(x)
	got := map[int]bool{}
	position := -1
	if c := r.consumer; c != nil {
		position = int(c.Positions[x.Name])
		for _, k := range s.b.Kafka.Consumed {
			if k.Consumer == c.Name && k.Partition == x.Name {
				got[k.Offset] = true
			}
		}
	}
	for i, c := range g.columns {
		e, ok := at[c.offset]
		if c.offset < 0 || !ok || e.Batch == nil {
			continue
		}
		id, sign, class := "readable", p.Signs.Fired, Good
		switch {
		case got[c.offset]:
			id, sign = "got", p.Signs.Fates[OnTime]
		case c.offset >= x.HW:
			id, sign, class = "replicas", p.Signs.Part, Faint
		case r.committed && c.offset >= x.LSO:
			id, sign, class = "waits", p.Signs.Hatch, Warn
		case r.committed && e.Batch.State == fold.BatchAborted:
			id, sign, class = "aborted", p.Signs.Fates[Dropped], Bad
		case c.offset < position:
			continue // its position was already behind it
		}
		s.used[id] = true
		s.c.put(g.x(i), y, class, sign)
	}
	if position < 0 {
		return
	}
	last := min(g.at(position), s.c.w-1)
	s.used["position"] = true
	s.c.put(last-1, y, Time, p.Signs.Arrow)
	bound := x.HW
	if r.committed {
		bound = x.LSO
	}
	text := "lag " + strconv.Itoa(bound-position)
	if behind := s.left + (len(g.columns)+1)*g.cell; behind+1+len(text) <= s.c.w {
		s.c.put(behind+1, y, Faint, text)
	}
}

// legend explains what is to be seen.
func (s *logStrip) legend() []string {
	p := s.p
	var entries []string
	entry := func(id, sign string) {
		if s.used[id] {
			entries = append(entries, p.entry("scene.log.legend", id, sign))
		}
	}
	if n := len(s.letters); n > 0 {
		first := 0
		for t := range s.letters {
			if first == 0 || t < first {
				first = t
			}
		}
		sign := letter(first)
		if n > 1 {
			sign += p.Signs.Open
		}
		entries = append(entries, p.entry("scene.log.legend", "letters", sign))
	}
	entry("plain", p.Signs.Dots)
	entry("hanging", hangingSign)
	switch {
	case s.used[sim.ResultCommit] && s.used[sim.ResultAbort]:
		entries = append(entries, p.entry("scene.log.legend", "both", "C/A"))
	default:
		entry(sim.ResultCommit, "C")
		entry(sim.ResultAbort, "A")
	}
	entry("readable", p.Signs.Fired)
	entry("got", p.Signs.Fates[OnTime])
	entry("aborted", p.Signs.Fates[Dropped])
	entry("waits", p.Signs.Hatch)
	entry("replicas", p.Signs.Part)
	entry("position", p.Signs.Arrow)
	entry("hidden", p.Signs.Open+"n")
	entry("RC", "RC")
	entry("RU", "RU")
	return pack(entries, p.Width, legendRows(p))
}

// LogSentences say what the picture of logs shows, partition by partition.
func (b *Broker) LogSentences(p Picture) (out []string) {
	for _, x := range b.partitions() {
		if len(x.Entries) == 0 {
			continue
		}
		args := locale.Args{"Partition": x.Name, "Start": x.Start, "LSO": x.LSO, "HW": x.HW, "End": end(x), "What": b.runs(&p, x)}
		out = append(out, p.Loc.Text("scene.log.say.partition", args))
		if h := b.held(x); h != nil {
			text, _ := b.holds(&p, h)
			out = append(out, text)
		}
		for _, committed := range []bool{true, false} {
			out = append(out, b.sayReader(&p, x, committed))
		}
		for _, c := range b.Kafka.Consumers {
			position, reads := c.Positions[x.Name]
			if c.Gone || !reads {
				continue
			}
			bound := x.HW
			if c.Isolation == readCommitted {
				bound = x.LSO
			}
			var got []int
			for _, k := range b.Kafka.Consumed {
				if k.Consumer == c.Name && k.Partition == x.Name {
					got = append(got, k.Offset)
				}
			}
			out = append(out, p.Loc.Text("scene.log.say.consumer", locale.Args{
				"Name": c.Name, "Isolation": c.Isolation, "Partition": x.Name, "Position": position, "Lag": int64(bound) - position, "Got": spans(&p, got),
			}))
		}
	}
	return out
}

// runs is what stands in a log, what is alike together.
func (b *Broker) runs(p *Picture, x *fold.Partition) string {
	var parts []string
	for i := 0; i < len(x.Entries); {
		e := x.Entries[i]
		if m := e.Marker; m != nil {
			id := m.ID
			if m.Transaction > 0 {
				id = letter(m.Transaction)
			}
			if m.Offset >= x.Start {
				parts = append(parts, p.Loc.Text("scene.log.say.marker", locale.Args{"Offset": m.Offset, "Result": m.Result, "Letter": id}))
			}
			i++
			continue
		}
		var offsets []int
		first := e.Batch
		for ; i < len(x.Entries); i++ {
			k := x.Entries[i].Batch
			if k == nil || k.ID != first.ID || k.Transaction != first.Transaction {
				break
			}
			for n := range k.Values {
				if o := k.Offset + n; o >= x.Start {
					offsets = append(offsets, o)
				}
			}
		}
		if len(offsets) == 0 {
			continue
		}
		args := locale.Args{"Offsets": spans(p, offsets), "Letter": letter(first.Transaction), "ID": first.ID, "State": first.State}
		id := "scene.log.say.batch"
		switch {
		case first.ID == "":
			id = "scene.log.say.plain"
		case first.Transaction == 0:
			id = "scene.log.say.hanging"
		}
		parts = append(parts, p.Loc.Text(id, args))
	}
	// What came long before is told by the table of the log.
	if n := len(parts) - most; n > 0 {
		parts = append([]string{p.Loc.Plural("scene.log.say.before", int64(n), nil)}, parts[n:]...)
	}
	return strings.Join(parts, "; ")
}

// most is how many of something sentences name.
const most = 12

// sayReader says which offsets a reader of an isolation level gets now.
func (b *Broker) sayReader(p *Picture, x *fold.Partition, committed bool) string {
	var gets, aborted, waits, replicas []int
	for _, e := range x.Entries {
		if e.Batch == nil {
			continue
		}
		for i := range e.Batch.Values {
			o := e.Batch.Offset + i
			switch {
			case o < x.Start:
			case o >= x.HW:
				replicas = append(replicas, o)
			case committed && o >= x.LSO:
				waits = append(waits, o)
			case committed && e.Batch.State == fold.BatchAborted:
				aborted = append(aborted, o)
			default:
				gets = append(gets, o)
			}
		}
	}
	level := readUncommitted
	if committed {
		level = readCommitted
	}
	return p.Loc.Text("scene.log.say.reader", locale.Args{
		"Isolation": level, "Gets": spans(p, gets), "Aborted": spans(p, aborted), "Waits": spans(p, waits), "Replicas": spans(p, replicas),
	})
}
