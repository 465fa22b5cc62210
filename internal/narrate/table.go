package narrate

import "strings"

// A Table is a view as facts: callers lay it out.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]string
	// Empty is what to say when there are no rows, Note what to say below them.
	Empty, Note string
}

// A Column has a header; figures stand at the right. Wrap says that its cells
// are text that may go on below; the others are kept whole if there is room.
type Column struct {
	Header string
	Right  bool
	Wrap   bool
}

// minColumn is the width under which a column is not squeezed.
const minColumn = 10

// Lines lays the table out as plain text without lines or boxes. Cells that are
// too wide for width continue below; where the columns have no room beside each
// other, each row is a list. Width 0 means no limit.
func (t Table) Lines(width int) []string {
	out := t.lines(width)
	switch {
	case len(t.Rows) == 0 || t.Note == "":
		return out
	case width <= 0:
		return append(out, "  "+t.Note)
	}
	return append(out, hang("  ", "  ", t.Note, width)...)
}

func (t Table) lines(width int) []string {
	out := []string{t.Title}
	if len(t.Rows) == 0 {
		if width <= 0 {
			return append(out, "  "+t.Empty)
		}
		return append(out, hang("  ", "  ", t.Empty, width)...)
	}
	if t.narrow(width) {
		return append(out, t.stacked(width)...)
	}
	widths := t.widths(width)
	head := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = c.Header
	}
	out = append(out, t.row(head, widths)...)
	for _, r := range t.Rows {
		out = append(out, t.row(r, widths)...)
	}
	return out
}

// widths gives each column what it needs, and takes from the widest ones what
// does not fit.
func (t Table) widths(width int) []int {
	out, least := make([]int, len(t.Columns)), make([]int, len(t.Columns))
	for i, c := range t.Columns {
		least[i] = headerWord(c)
		for _, r := range t.Rows {
			least[i] = max(least[i], columns(r[i]))
		}
		out[i] = max(least[i], columns(c.Header))
	}
	for width > 0 {
		total := 0
		for _, w := range out {
			total += w + 2
		}
		if total <= width {
			break
		}
		if i := slack(out, least); i >= 0 {
			out[i]--
			continue
		}
		widest := t.widest(out)
		if out[widest] <= minColumn {
			break
		}
		out[widest]--
	}
	return out
}

// slack is the widest column that only its header makes wider than the least, or
// -1: a header may stand in several lines.
func slack(widths, least []int) int {
	best := -1
	for i, w := range widths {
		if w > least[i] && (best < 0 || w > widths[best]) {
			best = i
		}
	}
	return best
}

// headerWord is the width of the longest word of a header.
func headerWord(c Column) int {
	n := 0
	for _, w := range strings.Fields(c.Header) {
		n = max(n, columns(w))
	}
	return n
}

// widest is the column that gives way: one that may wrap, as long as there is
// one that has more than the least.
func (t Table) widest(widths []int) int {
	best, wraps := 0, false
	for i, c := range t.Columns {
		can := c.Wrap && widths[i] > minColumn
		if can && !wraps || can == wraps && widths[i] > widths[best] {
			best, wraps = i, wraps || can
		}
	}
	return best
}

func (t Table) row(cells []string, widths []int) []string {
	parts := make([][]string, len(cells))
	height := 1
	for i, c := range cells {
		parts[i] = wrap(c, widths[i])
		height = max(height, len(parts[i]))
	}
	out := make([]string, height)
	for k := range out {
		var b strings.Builder
		for i := range parts {
			cell := ""
			if k < len(parts[i]) {
				cell = parts[i][k]
			}
			b.WriteString("  " + pad(cell, widths[i], t.Columns[i].Right))
		}
		out[k] = strings.TrimRight(b.String(), " ")
	}
	return out
}
