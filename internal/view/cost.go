package view

import (
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim/fold"
	"streaminglab/sim/session"
)

// A Cost is what a run paid for its checkpoints.
type Cost struct {
	Name string
	// Uploaded are the bytes that were written to the store and Puts the
	// requests: files and _metadata of all checkpoints, also of those that failed,
	// and the tables of a database that lives there.
	Uploaded int64
	Puts     int
	// Reads and Gets are those of a restore from the last snapshot that is
	// retained; From is its label, empty: there is none.
	Reads int64
	Gets  int
	From  string
	// Longest is the longest duration of a completed checkpoint, by the model.
	Longest int64
	// Restored is the longest restore of a subtask, by the model.
	Restored int64
}

// Cost of a run.
func (s *Snapshots) Cost(name string) Cost {
	c := Cost{Name: name, Uploaded: s.uploaded, Puts: s.puts, Restored: s.restored}
	for _, x := range s.Store.Snapshots {
		if x.Status == fold.SnapshotCompleted {
			c.Longest = max(c.Longest, int64(x.Duration))
		}
		if s.Store.Retained(x) {
			c.From = s.Store.Label(x)
			reads, gets := s.Store.RestoreReads(x)
			c.Reads, c.Gets = int64(reads), gets
		}
	}
	return c
}

// Costs are those of the runs of a comparison, nil: neither has checkpoints.
func Costs(x *session.Comparison) []Cost {
	names := [2]string{x.Left, x.Right}
	var out []Cost
	some := false
	for i, t := range x.Traces {
		s := BuildSnapshots(t)
		some = some || len(s.Store.Snapshots) > 0
		out = append(out, s.Cost(names[i]))
	}
	if !some {
		return nil
	}
	return out
}

// DrawCosts draws what runs paid as a table. Durations are named as what they
// are: the model's.
func DrawCosts(p Picture, costs []Cost) []string {
	c := newCanvas(p.Width, p.Height)
	heads := []string{
		p.Loc.Text("scene.cost.run", nil), p.Loc.Text("scene.cost.uploaded", nil), "PUT",
		p.Loc.Text("scene.cost.reads", nil), "GET", p.Loc.Text("scene.cost.longest", nil),
	}
	var rows [][]string
	for _, x := range costs {
		row := []string{x.Name, p.size(x.Uploaded), p.Loc.Text("scene.number", locale.Args{"N": x.Puts}), "–", "–", p.Loc.Text("scene.duration", locale.Args{"T": x.Longest})}
		if x.From != "" {
			row[3], row[4] = p.size(x.Reads)+" ("+x.From+")", p.Loc.Text("scene.number", locale.Args{"N": x.Gets})
		} else if p.Signs.Line == "-" {
			row[3], row[4] = "-", "-"
		}
		rows = append(rows, row)
	}
	named := len(costs) != 1 || costs[0].Name != ""
	if !named {
		// One run needs no name.
		heads, rows[0] = heads[1:], rows[0][1:]
	}
	widths := make([]int, len(heads))
	total := 0
	for i, h := range heads {
		widths[i] = lipgloss.Width(h)
		for _, r := range rows {
			widths[i] = max(widths[i], lipgloss.Width(r[i]))
		}
		total += widths[i] + 2
	}
	if total-2 > c.w {
		// No room for a table: a line for each figure.
		y := 0
		for _, r := range rows {
			for i, h := range heads {
				c.put(2, y, Plain, Fit(h+": "+r[i], c.w-2, p.Signs))
				y++
			}
		}
		if text := p.restored(costs); text != "" {
			c.put(2, y, Plain, Fit(text, c.w-2, p.Signs))
		}
		return c.lines(p.style())
	}
	put := func(y int, class Class, row []string) {
		x := 0
		for i, text := range row {
			if i == 0 && named {
				c.put(x, y, class, text)
			} else {
				c.put(x+widths[i]-lipgloss.Width(text), y, class, text)
			}
			x += widths[i] + 2
		}
	}
	put(0, Faint, heads)
	for i, r := range rows {
		put(1+i, Plain, r)
	}
	if text := p.restored(costs); text != "" {
		c.put(0, 1+len(rows), Plain, Fit(text, c.w, p.Signs))
	}
	return c.lines(p.style())
}

// restored says how long restores took, empty: nothing was restored in any time.
func (p *Picture) restored(costs []Cost) string {
	var of []string
	for _, x := range costs {
		if x.Restored > 0 {
			of = append(of, strings.TrimSpace(x.Name+" "+p.Loc.Text("scene.duration", locale.Args{"T": x.Restored})))
		}
	}
	if of == nil {
		return ""
	}
	return p.Loc.Text("scene.cost.restored", locale.Args{"Of": of})
}
