package markdown

import (
	"strings"

	xansi "github.com/charmbracelet/x/ansi"
	east "github.com/yuin/goldmark/extension/ast"
)

// table sets its columns as wide as they need to be, takes from the widest
// what the line does not have, and wraps in the cells.
func (r *renderer) table(n *east.Table, width int) []Line {
	var rows [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, r.inline(c))
		}
		for len(cells) < len(n.Alignments) {
			cells = append(cells, "")
		}
		rows = append(rows, cells[:len(n.Alignments)])
	}
	if len(rows) == 0 || len(n.Alignments) == 0 {
		return nil
	}
	if r.opt.Plain {
		return rowsAsLines(rows, width)
	}
	widths, ok := columnWidths(rows, width)
	if !ok {
		return rowsAsLines(rows, width) // too many columns for the line
	}
	var out []Line
	for i, row := range rows {
		for _, l := range r.tableRow(row, widths, n.Alignments) {
			out = append(out, Line{Text: l})
		}
		if i == 0 {
			parts := make([]string, len(widths))
			for c, w := range widths {
				parts[c] = strings.Repeat(r.sign("─", "-"), w)
			}
			bar := r.sign("─", "-")
			out = append(out, Line{Text: strings.Join(parts, bar+r.sign("┼", "+")+bar)})
		}
	}
	return out
}

// gap is what stands between two columns: a blank, a bar, a blank.
const gap = 3

// leastColumn is the narrowest column that can still be read.
const leastColumn = 6

// columnWidths takes room from the widest column whose words still have it, so
// that prose gives way before the name of an option or a class is broken; only
// where no column can wrap between words any more, from the widest of all.
func columnWidths(rows [][]string, width int) ([]int, bool) {
	widths, words := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, row := range rows {
		for c, cell := range row {
			widths[c] = max(widths[c], xansi.StringWidth(cell), 1)
			for _, w := range strings.Fields(cell) {
				words[c] = max(words[c], xansi.StringWidth(w))
			}
		}
	}
	room := width - gap*(len(widths)-1)
	for {
		sum, widest, wraps := 0, 0, -1
		for c, w := range widths {
			sum += w
			if w > widths[widest] {
				widest = c
			}
			if w > max(words[c], leastColumn) && (wraps < 0 || w > widths[wraps]) {
				wraps = c
			}
		}
		switch {
		case sum <= room:
			return widths, true
		case wraps >= 0:
			widths[wraps]--
		case widths[widest] <= leastColumn:
			return nil, false
		default:
			widths[widest]--
		}
	}
}

func (r *renderer) tableRow(row []string, widths []int, align []east.Alignment) []string {
	cells := make([][]string, len(row))
	height := 1
	for c, cell := range row {
		cells[c] = Wrap(cell, widths[c])
		height = max(height, len(cells[c]))
	}
	out := make([]string, height)
	for i := range out {
		parts := make([]string, len(row))
		for c := range row {
			text := ""
			if i < len(cells[c]) {
				text = strings.Trim(cells[c][i], " ")
			}
			parts[c] = pad(text, widths[c], align[c])
		}
		out[i] = strings.TrimRight(strings.Join(parts, " "+r.sign("│", "|")+" "), " ")
	}
	return out
}

func pad(s string, width int, a east.Alignment) string {
	blank := max(0, width-xansi.StringWidth(s))
	switch a {
	case east.AlignRight:
		return strings.Repeat(" ", blank) + s
	case east.AlignCenter:
		return strings.Repeat(" ", blank/2) + s + strings.Repeat(" ", blank-blank/2)
	}
	return s + strings.Repeat(" ", blank)
}

// rowsAsLines reads a table aloud: each value after the name of its column.
func rowsAsLines(rows [][]string, width int) []Line {
	var out []Line
	for i, row := range rows[1:] {
		if i > 0 {
			out = append(out, Line{})
		}
		for c, cell := range row {
			text := cell
			if head := rows[0][c]; head != "" {
				text = head + ": " + cell
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			for j, l := range Wrap(text, width-2) {
				l = strings.Trim(l, " ")
				if j > 0 {
					l = "  " + l
				}
				out = append(out, Line{Text: l})
			}
		}
	}
	if len(rows) == 1 {
		for _, l := range Wrap(strings.Join(rows[0], ", "), width) {
			out = append(out, Line{Text: l})
		}
	}
	return out
}
