package view

import (
	"fmt"
	"sort"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// maxLevel is the last level of a tree.
const maxLevel = 6

// DrawLevels draws the trees: for each column family of a subtask the levels
// that have files, as bars of their bytes.
func (s *Snapshots) DrawLevels(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	type row struct {
		tree  *fold.Tree
		level int
		files []sim.TableFile
		bytes int64
	}
	var rows []row
	var empty []string
	var most int64
	f, exact := s.focusOf(p.Step)
	at := -1
	for _, t := range s.Store.Trees {
		if len(t.Tables) == 0 {
			empty = append(empty, t.At+" "+t.Family)
			continue
		}
		if f.Tree == [2]string{t.At, t.Family} {
			at = len(rows)
		}
		rows = append(rows, row{tree: t, level: -1, bytes: t.Bytes()})
		for level := range maxLevel + 1 {
			r := row{tree: t, level: level}
			for _, x := range t.Tables {
				if x.Level == level {
					r.files = append(r.files, x)
					r.bytes += x.Size
				}
			}
			if len(r.files) > 0 {
				sort.SliceStable(r.files, func(i, j int) bool { return shorterFirst(r.files[i].Name, r.files[j].Name) })
				rows = append(rows, r)
				most = max(most, r.bytes)
			}
		}
	}
	if len(rows) == 0 && len(empty) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.snap.no-tables", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	room := p.Height
	if len(empty) > 0 {
		room--
	}
	more := len(rows) > room
	if more {
		room--
	}
	from := 0
	if more {
		// The tree of the selected step in sight; else the first ones.
		from = max(0, min(at-1, len(rows)-room))
		if p.Pick > 0 {
			from = max(0, min(p.Pick-1, len(rows)-room))
		}
	}
	bar := max(min(c.w/4, 24), 6)
	y := 0
	for i := from; i < min(from+room, len(rows)); i++ {
		r := rows[i]
		selected := exact && f.Tree == [2]string{r.tree.At, r.tree.Family}
		if r.level < 0 {
			class := Strong
			if selected {
				class = Selected
			}
			x := c.put(0, y, class, Fit(r.tree.At+" "+r.tree.Family, c.w/2, p.Signs))
			// As much of what happened to it as has room.
			text := p.Loc.Plural("scene.snap.tree", int64(len(r.tree.Tables)), locale.Args{"Size": p.size(r.bytes)})
			for _, more := range []string{
				p.Loc.Text("scene.snap.tree-edits", locale.Args{"Flushes": r.tree.Flushes, "Compactions": r.tree.Compactions}),
				p.Loc.Text("scene.snap.tree-bytes", locale.Args{"In": p.size(r.tree.BytesIn), "Out": p.size(r.tree.BytesOut)}),
			} {
				if longer := text + " " + p.Signs.Dots + " " + more; x+2+lipgloss.Width(longer) <= c.w {
					text = longer
				}
			}
			c.put(x+2, y, Faint, Fit(text, c.w-x-2, p.Signs))
			y++
			continue
		}
		c.put(2, y, Plain, fmt.Sprintf("L%d", r.level))
		n := 1
		if most > 0 {
			n = max(int(r.bytes*int64(bar)/most), 1)
		}
		c.put(5, y, Time, strings.Repeat(p.Signs.Fill, n))
		size := p.size(r.bytes)
		x := 5 + bar + 1
		c.put(x+7-lipgloss.Width(size), y, Plain, size)
		x += 9
		for k, file := range r.files {
			class := Plain
			if selected && f.names(file.Name) {
				class = Selected
			}
			text := file.Name
			if c.w >= 60 {
				text += " " + p.size(file.Size)
			}
			left := len(r.files) - k
			rest := fmt.Sprintf("+%d", left)
			need := lipgloss.Width(text)
			if left > 1 {
				need += 2 + lipgloss.Width(rest)
			}
			if x+need > c.w {
				c.put(x, y, Faint, rest)
				break
			}
			x = c.put(x, y, class, text) + 2
		}
		y++
	}
	if more {
		c.put(0, y, Faint, Fit(p.Loc.Plural("scene.snap.more-rows", int64(len(rows)-room), nil), c.w, p.Signs))
		y++
	}
	if len(empty) > 0 && y < c.h {
		c.put(0, y, Faint, Fit(p.Loc.Text("scene.snap.empty-trees", locale.Args{"Names": strings.Join(empty, ", ")}), c.w, p.Signs))
	}
	return c.lines(p.style())
}

// LevelRows is how many rows there are to walk through.
func (s *Snapshots) LevelRows() (n int) {
	for _, t := range s.Store.Trees {
		levels := map[int]bool{}
		for _, f := range t.Tables {
			levels[f.Level] = true
		}
		if len(levels) > 0 {
			n += 1 + len(levels)
		}
	}
	return n
}

// shorterFirst puts f2 before f10.
func shorterFirst(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}
