package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim/fold"
)

// openIDs are the ids with a transaction that nobody has ended.
func (b *Broker) openIDs() (out []*fold.TransactionalID) {
	for _, x := range b.Kafka.IDs {
		if undecided(x.Last.State) {
			out = append(out, x)
		}
	}
	return out
}

// sortedIDs are the ids as the picture has them: open transactions, those that
// ended, the newest first, ids without one.
func (b *Broker) sortedIDs() []*fold.TransactionalID {
	weight := func(x *fold.TransactionalID) int {
		switch {
		case undecided(x.Last.State):
			return 0
		case x.Last.State != stateEmpty:
			return 1
		}
		return 2
	}
	out := slices.Clone(b.Kafka.IDs)
	slices.SortStableFunc(out, func(x, y *fold.TransactionalID) int {
		a, c := weight(x), weight(y)
		by := cmp.Compare(b.last[x.Last.ID], b.last[y.Last.ID])
		if a == 1 {
			by = -by
		}
		return cmp.Or(cmp.Compare(a, c), by)
	})
	return out
}

// DrawTransactions draws what the transaction coordinator knows: a row for each
// transactional id, with the age of its transaction and the scan that will abort
// it.
func (b *Broker) DrawTransactions(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	if len(b.Kafka.IDs) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.transactions.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	y := 0
	if p.Height >= 6 {
		text, class := b.open(&p)
		if x := b.pickedID(&p); x != nil {
			text, class = b.sayID(&p, x), Strong
		}
		for _, l := range p.caption(class, text) {
			c.put(0, y, l.class, l.text)
			y++
		}
		if p.Height >= 12 {
			y++
		}
	}
	var legend []string
	if p.Height >= 5 {
		legend = b.coordinatorLegend(&p)
	}
	y = b.drawCoordinator(c, &p, y, p.Height-y-len(legend), true)
	bottom := min(y+1, p.Height-len(legend))
	for _, l := range legend {
		c.put(0, bottom, Faint, l)
		bottom++
	}
	return c.lines(p.style())
}

// TransactionRows is how many rows can be chosen.
func (b *Broker) TransactionRows() int { return len(b.Kafka.IDs) }

// pickedID is the id that was chosen by hand, or nil.
func (b *Broker) pickedID(p *Picture) *fold.TransactionalID {
	if ids := b.sortedIDs(); p.Pick > 0 && len(ids) > 0 {
		return ids[min(p.Pick, len(ids))-1]
	}
	return nil
}

// open says how many transactions are open, which one ends first by itself, and
// when the coordinator looks next.
func (b *Broker) open(p *Picture) (string, Class) {
	k := b.Kafka.Coordinator
	var first *fold.TransactionalID
	open := b.openIDs()
	for _, x := range open {
		if x.Last.State == stateOngoing && (first == nil || x.Last.Start+x.Last.Timeout < first.Last.Start+first.Last.Timeout) {
			first = x
		}
	}
	if len(open) == 0 && !k.Away && !k.Held {
		return p.Loc.Text("scene.transactions.none", nil), Good
	}
	text := p.Loc.Plural("scene.transactions.open", int64(len(open)), nil)
	class := Good
	if len(open) > 0 {
		class = Warn
	}
	switch {
	case k.Away:
		return text + " " + p.Loc.Text("scene.transactions.away", nil), Bad
	case k.Held:
		text += " " + p.Loc.Text("scene.transactions.held", nil)
		class = Bad
	}
	if first != nil {
		scan := scanOf(first.Last.Start + first.Last.Timeout)
		id := "scene.transactions.first"
		if p.Width < narrowLegend {
			id += "-short"
		}
		text += " " + p.Loc.Text(id, locale.Args{"Letter": letter(b.last[first.Last.ID]), "Scan": scan})
	}
	return text, class
}

// ageText is the age of an open transaction against its timeout.
func ageText(age, timeout int64) string {
	return locale.Clock(age) + "/" + locale.Clock(timeout)
}

// barCells are the cells of the bar of an age.
const barCells = 12

// A txnColumn is a column of the table of transactional ids.
type txnColumn struct {
	head  string
	right bool
	cell  func(x *fold.TransactionalID) (string, Class)
}

func (b *Broker) txnColumns(p *Picture) []txnColumn {
	plain := func(of func(x *fold.TransactionalID) string) func(*fold.TransactionalID) (string, Class) {
		return func(x *fold.TransactionalID) (string, Class) { return of(x), Plain }
	}
	id := txnColumn{"id", false, plain(func(x *fold.TransactionalID) string {
		name := x.Last.ID
		l := ""
		if x.Last.State != stateEmpty {
			l = letter(b.last[x.Last.ID])
		}
		return l + strings.Repeat(" ", max(b.letterCells()-len(l), 0)) + " " + name
	})}
	state := txnColumn{"state", false, func(x *fold.TransactionalID) (string, Class) {
		class := Faint
		switch x.Last.State {
		case stateOngoing, statePrepareCommit, statePrepareAbort:
			class = Warn
		case "CompleteCommit":
			class = Good
		case "CompleteAbort":
			class = Bad
		}
		return x.Last.State, class
	}}
	pid := txnColumn{"pid", true, plain(func(x *fold.TransactionalID) string { return strconv.FormatInt(x.Last.Producer, 10) })}
	epoch := txnColumn{"epoch", true, plain(func(x *fold.TransactionalID) string { return strconv.FormatInt(x.Last.Epoch, 10) })}
	age := txnColumn{"age", false, func(x *fold.TransactionalID) (string, Class) {
		if x.Last.Start < 0 || !undecided(x.Last.State) {
			return "", Plain
		}
		return ageText(p.now(b.Now)-x.Last.Start, x.Last.Timeout), Plain
	}}
	bar := txnColumn{"bar", false, func(x *fold.TransactionalID) (string, Class) {
		if x.Last.Start < 0 || x.Last.State != stateOngoing {
			return "", Plain
		}
		return b.bar(p, x, barCells)
	}}
	scan := txnColumn{"scan", false, func(x *fold.TransactionalID) (string, Class) {
		switch {
		case x.Last.State == stateOngoing:
			return locale.Clock(scanOf(x.Last.Start + x.Last.Timeout)), Bad
		case undecided(x.Last.State):
			return p.Loc.Text("scene.transactions.marker", nil), Warn
		}
		return "", Plain
	}}
	if p.Width < narrowLegend {
		return []txnColumn{id, state, scan}
	}
	return []txnColumn{id, state, pid, epoch, age, bar, scan}
}

// bar is the age of an open transaction in so many cells.
func (b *Broker) bar(p *Picture, x *fold.TransactionalID, cells int) (string, Class) {
	n := int(min((p.now(b.Now)-x.Last.Start)*int64(cells)/max(x.Last.Timeout, 1), int64(cells)))
	class := Time
	if n == cells {
		class = Bad
	}
	return strings.Repeat(p.Signs.Fill, n) + strings.Repeat(p.Signs.Line, cells-n), class
}

// letterCells are the cells of the longest letter.
func (b *Broker) letterCells() int {
	n := 1
	for _, t := range b.Kafka.Transactions {
		n = max(n, len(letter(t.Number)))
	}
	return n
}

// fitColumns are the columns that have room: the producer id goes first.
func (b *Broker) fitColumns(p *Picture, ids []*fold.TransactionalID) (columns []txnColumn, widths []int) {
	columns = b.txnColumns(p)
	for {
		widths = make([]int, len(columns))
		total := -2
		for i, col := range columns {
			if col.head != "bar" {
				widths[i] = lipgloss.Width(p.Loc.Text("scene.transactions."+col.head, nil))
			}
			if col.head == "id" {
				widths[i] += b.letterCells() + 1
			}
			for _, x := range ids {
				text, _ := col.cell(x)
				widths[i] = max(widths[i], lipgloss.Width(text))
			}
			if col.head == "bar" && widths[i] == 0 {
				widths[i] = -2 // no bar, no column
			}
			total += widths[i] + 2
		}
		i := slices.IndexFunc(columns, func(t txnColumn) bool { return t.head == "pid" })
		if total-barCells/2 <= p.Width || i < 0 {
			return columns, widths
		}
		columns = slices.Delete(columns, i, i+1)
	}
}

// client is a client of the broker in words; subtasks have their names.
func (p *Picture) client(at string) string {
	if name, ok := strings.CutPrefix(at, "producer:"); ok {
		return p.Loc.Text("scene.transactions.producer", locale.Args{"Name": name})
	}
	return at
}

// drawCoordinator writes the table of ids into so many rows and returns the next
// one. With details, open ones have a second row where there is room.
func (b *Broker) drawCoordinator(c *canvas, p *Picture, y, room int, details bool) int {
	if room < 2 {
		return y
	}
	ids := b.sortedIDs()
	more, hidden := 0, 0 // counted in a row, or behind the heads
	picked := b.pickedID(p)
	if !details {
		picked = nil
	}
	selected := func(x *fold.TransactionalID) bool {
		if picked != nil {
			return x == picked
		}
		return p.Step > 0 && b.ids[p.Step] == x.Last.ID
	}
	if len(ids) > room-1 {
		// The last row counts those that have none; what the step is about stays.
		keep := max(room-2, 1)
		more = len(ids) - keep
		if room < 3 {
			hidden, more = more, 0
		}
		if i := slices.IndexFunc(ids, selected); i >= keep {
			ids[keep-1] = ids[i]
		}
		ids = ids[:keep]
	}
	rows := len(ids)
	if more > 0 {
		rows++
	}
	extra := room - 1 - rows
	columns, widths := b.fitColumns(p, ids)
	// The bar gives way to figures, and the id to what is said about it.
	total := 0
	for _, w := range widths {
		total += w + 2
	}
	bar := barCells
	if over := total - 2 - c.w; over > 0 {
		if i := slices.IndexFunc(columns, func(t txnColumn) bool { return t.head == "bar" }); i >= 0 && widths[i] > 0 {
			bar = max(barCells-over, barCells/2)
			widths[i] = bar
			over -= barCells - bar
		}
		widths[0] = max(widths[0]-max(over, 0), 8)
	}
	x := 0
	for i, col := range columns {
		text := ""
		if col.head != "bar" {
			text = p.Loc.Text("scene.transactions."+col.head, nil)
		}
		at := x
		if col.head == "id" {
			at += b.letterCells() + 1
		}
		if col.right {
			at = x + widths[i] - lipgloss.Width(text)
		}
		c.put(at, y, Faint, Fit(text, max(min(c.w-at, x+widths[i]-at), 0), p.Signs))
		x += widths[i] + 2
	}
	if text := fmt.Sprintf("+%d", hidden); hidden > 0 && x+len(text) <= c.w {
		c.put(c.w-len(text), y, Faint, text)
	}
	y++
	for _, id := range ids {
		chosen := selected(id)
		if chosen {
			c.put(0, y, Selected, strings.Repeat(" ", c.w))
		}
		x := 0
		for i, col := range columns {
			text, class := col.cell(id)
			if col.head == "bar" && text != "" {
				text, class = b.bar(p, id, bar)
			}
			if chosen {
				class = Selected
			}
			at := x
			if col.right {
				at = x + widths[i] - lipgloss.Width(text)
			}
			if widths[i] > 0 {
				c.put(at, y, class, Fit(text, max(min(widths[i], c.w-at), 0), p.Signs))
			}
			x += widths[i] + 2
		}
		y++
		if details && extra > 0 && undecided(id.Last.State) {
			n := b.last[id.Last.ID]
			text := p.Loc.Text("scene.transactions.detail", locale.Args{"By": p.client(b.began[n]), "T": id.Last.Start, "Partitions": id.Last.Partitions})
			c.put(b.letterCells()+1, y, Faint, Fit(text, c.w-b.letterCells()-1, p.Signs))
			y++
			extra--
		}
	}
	if more > 0 {
		c.put(b.letterCells()+1, y, Faint, Fit(p.Loc.Plural("scene.transactions.more", int64(more), nil), c.w-b.letterCells()-1, p.Signs))
		y++
	}
	return y
}

func (b *Broker) coordinatorLegend(p *Picture) []string {
	entries := []string{p.entry("scene.transactions.legend", "letter", "a")}
	if slices.ContainsFunc(b.Kafka.IDs, func(x *fold.TransactionalID) bool { return x.Last.State == stateOngoing }) {
		if p.Width >= narrowLegend {
			entries = append(entries, p.entry("scene.transactions.legend", "age", p.Signs.Fill+p.Signs.Line))
		}
		entries = append(entries, p.entry("scene.transactions.legend", "scan", p.Loc.Text("scene.transactions.scan", nil)))
	}
	return pack(entries, p.Width, 3)
}

// TransactionSentences say what the table of the coordinator shows.
func (b *Broker) TransactionSentences(p Picture) (out []string) {
	if len(b.Kafka.IDs) == 0 {
		return nil
	}
	text, _ := b.open(&p)
	out = append(out, text)
	ids := b.sortedIDs()
	for i, x := range ids {
		if i >= most && !undecided(x.Last.State) {
			return append(out, p.Loc.Plural("scene.transactions.say-more", int64(len(ids)-i), nil))
		}
		out = append(out, b.sayID(&p, x))
	}
	return out
}

// sayID says what the coordinator knows of an id.
func (b *Broker) sayID(p *Picture, x *fold.TransactionalID) string {
	n := b.last[x.Last.ID]
	return p.Loc.Text("scene.transactions.say", locale.Args{
		"ID": x.Last.ID, "State": x.Last.State, "Producer": x.Last.Producer, "Epoch": x.Last.Epoch, "Letter": letter(n), "Ongoing": x.Last.State == stateOngoing,
		"Open": undecided(x.Last.State), "Age": max(p.now(b.Now)-x.Last.Start, 0), "Timeout": x.Last.Timeout, "Scan": scanOf(x.Last.Start + x.Last.Timeout),
		"Partitions": x.Last.Partitions, "By": p.client(b.began[n]), "T": x.Last.Start, "Empty": x.Last.State == stateEmpty,
	})
}
