package view

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/sim"
)

// DrawSteps draws the end of a list of steps: one line a step, the selected one
// marked and in sight. With Whole the selected one, or the last, takes the lines
// that its sentence needs.
func DrawSteps(t *sim.Trace, p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	n := t.Len()
	at := p.Step
	if at == 0 || at > n {
		at = n
	}
	digits := len(fmt.Sprint(n))
	clock := 0
	for i := at - p.Height; i <= at+p.Height; i++ {
		if s := t.Step(i); s != nil {
			clock = max(clock, clockWidth(s.T))
		}
	}
	if p.Full {
		drawSteps(c, t, p, at, digits, clock)
		return c.lines(p.style())
	}
	var whole []string
	rows := p.Height
	if s := t.Step(at); s != nil && p.Whole {
		room := p.Width - 1 - digits - clock - 3
		if whole = markdown.Wrap(narrate.Step(p.Loc, s), max(room, markdown.MinWidth)); len(whole) > max(rows/2, 1) {
			whole = whole[:max(rows/2, 1)]
			last := &whole[len(whole)-1]
			*last = Fit(*last+strings.Repeat(" ", room), room, p.Signs)
		}
		rows -= len(whole) - 1
	}
	from := max(1, min(at-rows/2, n-rows+1))
	y := 0
	for i := range rows {
		s := t.Step(from + i)
		if s == nil {
			break
		}
		class, mark := Plain, " "
		if s.Seq == at && p.Step > 0 {
			class, mark = Selected, p.Signs.Sel
		} else if _, ok := s.Body.(sim.CommandGiven); ok {
			class = Faint
		}
		time := locale.Clock(s.T)
		if prev := t.Step(s.Seq - 1); s.T != 0 && i > 0 && prev != nil && prev.T == s.T {
			time = ""
		}
		head := fmt.Sprintf("%s%*d %*s  ", mark, digits, s.Seq, clock, time)
		rule := " " + s.Rule
		text := narrate.Step(p.Loc, s)
		room := p.Width - lipgloss.Width(head)
		inLine := lipgloss.Width(text)+lipgloss.Width(rule) <= room
		switch {
		case s.Seq == at && !inLine && len(whole) > 1:
			c.putLines(&p, 0, y, class, headed(head, whole))
			y += len(whole) - 1
		case inLine && class != Faint:
			c.putLines(&p, 0, y, class, []string{head + text})
			c.put(p.Width-lipgloss.Width(s.Rule), y, Faint, s.Rule)
		default:
			c.putLines(&p, 0, y, class, []string{head + Fit(text, room, p.Signs)})
		}
		y++
	}
	return c.lines(p.style())
}

// drawSteps writes the steps around one in full: those before it and behind it
// have the same room, as far as there are any.
func drawSteps(c *canvas, t *sim.Trace, p Picture, at, digits, clock int) {
	room := p.Width - 1 - digits - clock - 3
	entry := func(s *sim.Step) []string {
		lines := markdown.Wrap(narrate.Step(p.Loc, s), max(room, markdown.MinWidth))
		if s.Seq == at && !fits(lines[len(lines)-1], s.Rule, room) {
			lines = append(lines, "")
		}
		return lines
	}
	if t.Step(at) == nil {
		return
	}
	entries := map[int][]string{at: entry(t.Step(at))}
	from, to, used := at, at, len(entries[at])
	add := func(i int) bool {
		s := t.Step(i)
		if s == nil {
			return false
		}
		lines := entry(s)
		if used+len(lines) > p.Height {
			return false
		}
		entries[i] = lines
		used += len(lines)
		return true
	}
	for up, down := true, true; up || down; {
		if up = up && add(from-1); up {
			from--
		}
		if down = down && add(to+1); down {
			to++
		}
	}
	y := 0
	for i := from; i <= to; i++ {
		s := t.Step(i)
		class, mark := Plain, " "
		if i == at && p.Step > 0 {
			class, mark = Selected, p.Signs.Sel
		} else if _, ok := s.Body.(sim.CommandGiven); ok {
			class = Faint
		}
		time := locale.Clock(s.T)
		if prev := t.Step(i - 1); s.T != 0 && i > from && prev != nil && prev.T == s.T {
			time = ""
		}
		head := fmt.Sprintf("%s%*d %*s  ", mark, digits, s.Seq, clock, time)
		c.putLines(&p, 0, y, class, headed(head, entries[i]))
		for k, l := range entries[i] {
			if k == len(entries[i])-1 && class != Faint && fits(l, s.Rule, room) {
				c.put(p.Width-lipgloss.Width(s.Rule), y, Faint, s.Rule)
			}
			y++
		}
	}
}

// headed are lines behind a head, which the first one shows.
func headed(head string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = head + l
		head = strings.Repeat(" ", lipgloss.Width(head))
	}
	return out
}

// fits reports whether a rule has room behind a text.
func fits(text, rule string, room int) bool {
	return lipgloss.Width(text)+1+lipgloss.Width(rule) <= room
}

// clockWidth is the column of a virtual time: it does not move with the cursor,
// few times are longer.
func clockWidth(t int64) int { return max(7, len(locale.Clock(t))) }
