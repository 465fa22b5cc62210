package view

import (
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// DrawPlane draws event time against processing time: records as points, the
// watermark as a staircase, what lies below it hatched, the borders of the
// windows as dotted lines.
func (s *Scene) DrawPlane(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	low, high, ok := p.span(s)
	if !ok || p.Height < 6 || p.Width < 20 {
		c.put(0, 0, Faint, p.Loc.Text("scene.empty", nil))
		return c.lines(p.style())
	}
	label := 10
	for _, t := range []int64{low, high} {
		label = max(label, lipgloss.Width(p.time(t))+2)
	}
	label = min(label, p.Width/3)
	c.put(0, 0, Faint, p.Loc.Text("scene.event-time", nil))
	rows := p.Height - 4
	up := NewAxis(low, high, rows)
	along := NewAxis(0, max(s.Now, 1), p.Width-label-1)
	row := func(t int64) (int, bool) {
		y, ok := up.Cell(t)
		return rows - y, ok
	}
	// The late region first, so that everything else is drawn over it.
	s.drawLateRegion(c, p, up, along, label, rows)
	for _, w := range s.Windows {
		if y, ok := row(w.End); ok {
			for x := 0; x < along.Cells; x += 2 {
				c.put(label+x, y, Faint, p.Signs.Dots)
			}
		}
	}
	for _, t := range up.Ticks(2) {
		if y, ok := row(t); ok {
			c.put(0, y, Faint, Fit(p.time(t), label-2, p.Signs))
		}
	}
	for y := 1; y <= rows; y++ {
		c.put(label-1, y, Faint, p.Signs.Cross)
	}
	s.drawStair(c, p, along, label, row)
	for _, l := range s.Lanes {
		for _, m := range l.Marks {
			y, okY := row(m.TS)
			x, okX := along.Cell(m.T)
			if !okX || !okY {
				continue
			}
			class := fateClass[m.Fate]
			if m.Step == p.Step || m.Read == p.Step {
				class = Selected
			}
			c.put(label+x, y, class, p.Signs.Fates[m.Fate])
		}
	}
	y := rows + 1
	c.put(label-1, y, Faint, p.Signs.Tick+strings.Repeat(p.Signs.Line, along.Cells))
	last := 0
	for _, t := range along.Ticks(9) {
		x, _ := along.Cell(t)
		text := locale.Clock(t)
		if label+x >= last && label+x+lipgloss.Width(text) <= c.w {
			c.put(label+x, y, Faint, p.Signs.Tick)
			last = c.put(label+x, y+1, Faint, text) + 1
		}
	}
	name := p.Loc.Text("scene.processing-time", nil)
	if x := c.w - lipgloss.Width(name); x > last {
		c.put(x, y+1, Faint, name)
	}
	c.put(0, y+2, Plain, Fit(p.Loc.Text("scene.legend", locale.Args{
		"OnTime": p.Signs.Fates[OnTime], "Behind": p.Signs.Fates[Behind], "Dropped": p.Signs.Fates[Dropped],
		"Stair": p.Signs.Stair, "Dots": p.Signs.Dots, "Hatch": p.Signs.Hatch,
	}), c.w, p.Signs))
	return c.lines(p.style())
}

// at is the combined watermark at a processing time.
func (s *Scene) at(t int64) int64 {
	wm := sim.MinTime
	for _, r := range s.Rises {
		if r.T > t {
			break
		}
		wm = r.Watermark
	}
	return wm
}

func (s *Scene) drawLateRegion(c *canvas, p Picture, up, along Axis, label, rows int) {
	for x := range along.Cells {
		wm := s.at(along.Low + int64(x)*along.Step)
		if wm == sim.MinTime {
			continue
		}
		top := 0
		if y, ok := up.Cell(wm); ok {
			top = rows - y + 1
		} else if wm < up.Low {
			continue
		} else {
			top = 1
		}
		for y := top; y <= rows; y++ {
			if (x+y)%4 == 0 {
				c.put(label+x, y, Faint, p.Signs.Hatch)
			}
		}
	}
}

func (s *Scene) drawStair(c *canvas, p Picture, along Axis, label int, row func(int64) (int, bool)) {
	before := -1
	for x := range along.Cells {
		end := along.Low + int64(x+1)*along.Step - 1
		wm := s.at(min(end, s.Now))
		if wm == sim.MinTime || along.Low+int64(x)*along.Step > s.Now {
			continue
		}
		y, ok := row(wm)
		if !ok {
			continue
		}
		c.put(label+x, y, Time, p.Signs.Stair)
		for k := y + 1; before > 0 && k < before; k++ {
			c.put(label+x, k, Time, p.Signs.Bar)
		}
		if before < 0 || y != before {
			text := " " + p.time(wm)
			if label+x+1+lipgloss.Width(text) <= c.w && y > 1 {
				c.put(label+x+1, y-1, Time, strings.TrimSpace(text))
			}
		}
		before = y
	}
}
