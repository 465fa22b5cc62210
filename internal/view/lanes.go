package view

import (
	"fmt"
	"sort"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// A Picture is what a drawing needs beside the scene.
type Picture struct {
	Loc           *locale.Localizer
	Width, Height int
	Signs         Signs
	Style         Style
	// Codes says that Style shows code: backquotes are left out.
	Codes bool
	// Step is the selected step: what it is about is marked.
	Step int
	// Pick is the row that was chosen by hand, counted from 1; 0: that of Step.
	Pick int
	// Partition is the one whose log is being looked at: it stays in sight while
	// steps are about others. Empty: none yet.
	Partition string
	// Second says that a picture above says what is selected.
	Second bool
	// Whole says that nothing else tells the selected step in full.
	Whole bool
	// Full says that every step of a list takes the lines that it needs.
	Full bool
	// Span is the part of event time to draw; nil: all of it.
	Span *Span
	// Now is the virtual time where it went on behind the last step; 0: it did not.
	Now int64
}

// now is the virtual time of a picture whose last step was at a time.
func (p *Picture) now(last int64) int64 { return max(p.Now, last) }

// A Span is a part of event time, in ms.
type Span struct{ Low, High int64 }

// Zoom is the span around a point that is shorter (n > 1) or longer (n < 1) by
// a factor; nil when it holds all of the range.
func (s Span) Zoom(around int64, n float64, low, high int64) *Span {
	around = min(max(around, s.Low), s.High)
	length := max(int64(float64(s.High-s.Low)/n), 4)
	share := float64(around-s.Low) / float64(max(s.High-s.Low, 1))
	from := around - int64(share*float64(length))
	out := Span{from, from + length}
	if out.Low <= low && out.High >= high {
		return nil
	}
	return &out
}

// Shift moves a span by a share of its length, no farther than the range.
func (s Span) Shift(share float64, low, high int64) *Span {
	by := int64(share * float64(s.High-s.Low))
	by = max(min(by, high-s.High), low-s.Low)
	return &Span{s.Low + by, s.High + by}
}

// span is what is drawn of a scene.
func (p *Picture) span(s *Scene) (low, high int64, ok bool) {
	if low, high, ok = s.Range(); ok && p.Span != nil {
		return p.Span.Low, p.Span.High, true
	}
	return low, high, ok
}

func (p *Picture) style() Style {
	if p.Style == nil {
		return Unstyled
	}
	return p.Style
}

func (p *Picture) time(t int64) string {
	switch t {
	case sim.MinTime:
		return "–"
	case sim.MaxTime:
		return "MAX"
	}
	return p.Loc.Text("scene.time", locale.Args{"T": t})
}

var fateClass = [6]Class{Faint, Good, Warn, Bad, Warn, Bad}

// DrawLanes draws event time from left to right: a lane for each split with its
// records where their timestamps are and its watermark below, the combined
// watermark, the windows with what they hold and emitted, and the late records.
func (s *Scene) DrawLanes(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	label := 12
	for _, l := range s.Lanes {
		label = max(label, lipgloss.Width(l.Name)+2)
	}
	label = min(label, max(p.Width/3, 6))
	low, high, ok := p.span(s)
	if !ok {
		c.put(0, 0, Faint, p.Loc.Text("scene.empty", nil))
		return c.lines(p.style())
	}
	axis := NewAxis(low, high, p.Width-label-1)
	y := s.drawAxis(c, p, axis, label)
	// The picture keeps room for windows and late records; lanes that do not
	// fit are counted.
	rows := p.Height - y
	windows := min(len(s.Windows), max(rows/3, 1))
	perLane := 2
	if len(s.Lanes)*2+2+windows+2 > rows {
		perLane = 1
	}
	room := max((rows-windows-4)/perLane, 1)
	for i, l := range s.Lanes {
		if i == room && i < len(s.Lanes) {
			c.put(0, y, Faint, p.Loc.Plural("scene.more-splits", int64(len(s.Lanes)-i), nil))
			y++
			break
		}
		y = s.drawLane(c, p, axis, label, y, &l, perLane)
	}
	y = s.drawWatermark(c, p, axis, label, y)
	// What the lanes left over is for the windows, and for late records if any.
	late := 0
	for _, l := range s.Lanes {
		for _, m := range l.Marks {
			if m.Fate >= Dropped {
				late++
			}
		}
	}
	y = s.drawWindows(c, p, y+1, p.Height-y-1-min(late, 2))
	s.drawLate(c, p, y)
	return c.lines(p.style())
}

func (s *Scene) drawAxis(c *canvas, p Picture, axis Axis, label int) int {
	c.put(0, 0, Faint, Fit(p.Loc.Text("scene.event-time", nil), label-1, p.Signs))
	last := -1
	for _, t := range axis.Ticks(9) {
		x, _ := axis.Cell(t)
		text := p.time(t)
		if label+x <= last || label+x+lipgloss.Width(text) > c.w {
			continue
		}
		last = c.put(label+x, 0, Faint, text)
	}
	return 1
}

func (s *Scene) drawLane(c *canvas, p Picture, axis Axis, label, y int, l *Lane, perLane int) int {
	name := l.Name
	class := Plain
	note := ""
	switch {
	case l.Paused:
		note, class = p.Loc.Text("scene.paused", nil), Warn
	case l.Idle:
		note, class = p.Loc.Text("scene.idle", nil), Faint
	case l.Holds:
		note, class = p.Loc.Text("scene.holds", nil), Warn
	}
	if l.Step == p.Step && p.Step > 0 {
		class = Selected
	}
	c.put(0, y, class, Fit(name, label-1, p.Signs))
	c.put(label, y, Faint, strings.Repeat(p.Signs.Line, max(axis.Cells, 0)))
	for _, t := range axis.Ticks(9) {
		if x, ok := axis.Cell(t); ok {
			c.put(label+x, y, Faint, p.Signs.Tick)
		}
	}
	before, behind := 0, 0
	for _, m := range l.Marks {
		x, ok := axis.Cell(m.TS)
		if !ok {
			if m.TS < axis.Low {
				before++
			} else {
				behind++
			}
			continue
		}
		class := fateClass[m.Fate]
		if m.Step == p.Step || m.Read == p.Step {
			class = Selected
		}
		c.put(label+x, y, class, p.Signs.Fates[m.Fate])
	}
	// What lies outside a part of time is counted at its ends.
	if before > 0 {
		c.put(label, y, Faint, fmt.Sprintf("<%d", before))
	}
	if behind > 0 {
		n := fmt.Sprintf("%d>", behind)
		c.put(label+axis.Cells-len(n), y, Faint, n)
	}
	if perLane < 2 {
		if x, ok := axis.Cell(l.Watermark); ok && l.Watermark != sim.MinTime {
			c.put(label+x, y, Time, p.Signs.Rise)
		}
		if note != "" {
			c.put(c.w-lipgloss.Width(note)-1, y, class, " "+note)
		}
		return y + 1
	}
	y++
	text := ""
	if l.Watermark == sim.MinTime {
		text = p.Loc.Text("scene.no-watermark", nil)
	} else {
		text = p.Signs.Rise + " " + p.time(l.Watermark)
	}
	if note != "" {
		text += "  " + note
	}
	x := 0
	if cell, ok := axis.Cell(l.Watermark); ok && l.Watermark != sim.MinTime {
		x = cell
	}
	if x+lipgloss.Width(text) > axis.Cells {
		// The sign stays in its place, its words go to the left of it.
		words := strings.TrimPrefix(text, p.Signs.Rise+" ")
		c.put(label+max(x-lipgloss.Width(words)-1, 0), y, Time, words)
		c.put(label+x, y, Time, p.Signs.Rise)
	} else {
		c.put(label+x, y, Time, text)
	}
	return y + 1
}

func (s *Scene) drawWatermark(c *canvas, p Picture, axis Axis, label, y int) int {
	name := p.Loc.Text("scene.watermark", nil)
	if s.At != "" {
		name = s.At
	}
	c.put(0, y, Strong, Fit(name, label-1, p.Signs))
	if s.Watermark == sim.MinTime {
		c.put(label, y, Time, p.Loc.Text("scene.no-watermark", nil))
		return y + 1
	}
	x, ok := axis.Cell(s.Watermark)
	if s.Watermark == sim.MaxTime {
		x, ok = axis.Cells-1, true
	}
	if !ok {
		x = 0
	}
	text := p.Signs.Arrow + " " + p.time(s.Watermark)
	from := label + x
	if from+lipgloss.Width(text) > c.w {
		from = c.w - lipgloss.Width(text)
	}
	c.put(label, y, Time, strings.Repeat(p.Signs.Double, max(from-label, 0)))
	c.put(from, y, Time, text)
	return y + 1
}

// drawWindows writes one row for each window: its keys with how many records
// they hold and what they emitted. The newest windows are kept in sight.
func (s *Scene) drawWindows(c *canvas, p Picture, y, rows int) int {
	if rows < 2 || len(s.Windows) == 0 {
		return y
	}
	c.put(0, y, Strong, p.Loc.Text("scene.windows", nil))
	y++
	shown := s.Windows
	if extra := len(shown) - (rows - 1); extra > 0 {
		// The latest ones, unless the selected one is earlier.
		from := extra
		for i, w := range shown {
			if w.Step == p.Step && p.Step > 0 {
				from = min(from, i)
			}
		}
		shown = shown[from : from+rows-1]
		if from > 0 {
			c.put(14, y-1, Faint, p.Loc.Plural("scene.more-windows", int64(from), nil))
		}
	}
	names := 0
	interval := func(w Window) string {
		return "[" + p.time(w.Start) + ", " + p.time(w.End) + ")"
	}
	for _, w := range shown {
		names = max(names, lipgloss.Width(interval(w)))
	}
	for i, w := range shown {
		if y >= c.h {
			break
		}
		class := Plain
		if w.Step == p.Step && p.Step > 0 {
			class = Selected
		}
		x := c.put(0, y, class, interval(w))
		x = max(x, names) + 2
		for _, cl := range w.Cells {
			text, class := p.cellText(cl)
			if cl.Step == p.Step && p.Step > 0 {
				class = Selected
			}
			if x+lipgloss.Width(text) > c.w && x > names+2 && y+len(shown)-i < c.h {
				// The next key goes below, as long as every window has its row.
				x, y = names+2, y+1
			}
			if x+lipgloss.Width(text) > c.w {
				// The first key is cut, so that something is said of the window.
				if x == names+2 {
					c.put(x, y, class, Fit(text, c.w-x, p.Signs))
				} else {
					c.put(x, y, Faint, p.Signs.Open)
				}
				break
			}
			x = c.put(x, y, class, text) + 3
		}
		y++
	}
	return y
}

// cellText is one key of a window: how full it is, and what came out when.
func (p *Picture) cellText(cl Cell) (string, Class) {
	bar := strings.Repeat(p.Signs.Fill, min(cl.Records, 5))
	text := fmt.Sprintf("%s %s %d", cl.Key, bar, cl.Records)
	if bar == "" {
		text = fmt.Sprintf("%s %d", cl.Key, cl.Records)
	}
	if n := len(cl.Results); n > 0 {
		last := cl.Results[n-1]
		// What a window answered, one answer after the other.
		var values []string
		for _, r := range cl.Results[max(n-3, 0):] {
			value := fmt.Sprint(r.Value)
			if len(r.Values) > 0 {
				value = strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Values), " ", ","), "[]")
			}
			values = append(values, value)
		}
		value := strings.Join(values, " "+p.Signs.To+" ")
		text += " " + p.Signs.Fired + " " + p.Loc.Text("scene.fired", locale.Args{"Value": value, "WM": p.time(last.Watermark)})
		if n > 3 {
			text += " " + p.Loc.Plural("scene.fired-times", int64(n), nil)
		}
		if cl.Cleaned {
			return text + " " + p.Loc.Text("scene.closed", nil), Good
		}
		return text, Good
	}
	if cl.Cleaned {
		return text + " " + p.Loc.Text("scene.closed", nil), Faint
	}
	return text + " " + p.Loc.Text("scene.open", nil), Plain
}

// drawLate writes the latest late record and the counters.
func (s *Scene) drawLate(c *canvas, p Picture, y int) {
	if y >= c.h {
		return
	}
	var late []struct {
		m    Mark
		lane string
	}
	for _, l := range s.Lanes {
		for _, m := range l.Marks {
			if m.Fate >= Dropped {
				late = append(late, struct {
					m    Mark
					lane string
				}{m, l.Name})
			}
		}
	}
	if len(late) == 0 {
		return
	}
	sort.SliceStable(late, func(i, j int) bool { return late[i].m.Step > late[j].m.Step })
	for _, x := range late {
		if y >= c.h {
			return
		}
		id := [6]string{3: "scene.dropped", 4: "scene.aside", 5: "scene.vanished"}[x.m.Fate]
		class := fateClass[x.m.Fate]
		if x.m.Step == p.Step {
			class = Selected
		}
		text := p.Signs.Fates[x.m.Fate] + " " + p.Loc.Text(id, locale.Args{
			"TS": p.time(x.m.TS), "Key": x.m.Key, "Split": x.lane, "Wait": x.m.Wait, "Dropped": s.Dropped,
		})
		c.put(0, y, class, Fit(text, c.w, p.Signs))
		y++
	}
}
