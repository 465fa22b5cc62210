package narrate

import "strings"

// narrow reports whether the columns cannot stand beside each other: one that
// is kept whole would be cut, or even squeezed columns are too wide.
func (t Table) narrow(width int) bool {
	if width <= 0 {
		return false
	}
	least := 0
	for i, c := range t.Columns {
		n, word := headerWord(c), 0
		for _, r := range t.Rows {
			n = max(n, columns(r[i]))
			for _, w := range strings.Fields(r[i]) {
				word = max(word, columns(w))
			}
		}
		if c.Wrap {
			// A long name is not cut into pieces, if half a line has room for it.
			n = min(n, max(minColumn, min(word, width/2)))
		}
		least += n + 2
	}
	return least > width
}

// stacked lays each row out as lines of its own, a header and its cell in
// each; empty cells say nothing.
func (t Table) stacked(width int) []string {
	var out []string
	for i, r := range t.Rows {
		if i > 0 {
			out = append(out, "")
		}
		first := true
		for k, c := range r {
			if strings.TrimSpace(c) == "" {
				continue
			}
			lead := "    "
			if first {
				lead, first = "  ", false
			}
			out = append(out, hang(lead, "      ", t.Columns[k].Header+": "+c, width)...)
		}
	}
	return out
}
