package view

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/sim"
)

// DrawSteps draws the end of a list of steps: one line a step, the selected
// one marked and in sight.
func DrawSteps(t *sim.Trace, p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	n := t.Len()
	at := p.Step
	if at == 0 || at > n {
		at = n
	}
	from := max(1, min(at-p.Height/2, n-p.Height+1))
	digits := len(fmt.Sprint(n))
	clock := 7 // a column that does not move with the cursor; few times are longer
	for y := range p.Height {
		if s := t.Step(from + y); s != nil {
			clock = max(clock, len(locale.Clock(s.T)))
		}
	}
	for y := range p.Height {
		s := t.Step(from + y)
		if s == nil {
			break
		}
		class, mark := Plain, " "
		if s.Seq == at && p.Step > 0 {
			class, mark = Selected, p.Signs.Sel
		} else if _, ok := s.Body.(sim.CommandGiven); ok {
			class = Faint
		}
		head := fmt.Sprintf("%s%*d %*s  ", mark, digits, s.Seq, clock, locale.Clock(s.T))
		if s.T != 0 && from+y > 1 {
			if prev := t.Step(s.Seq - 1); prev != nil && prev.T == s.T && y > 0 {
				head = fmt.Sprintf("%s%*d %*s  ", mark, digits, s.Seq, clock, "")
			}
		}
		rule := " " + s.Rule
		text := narrate.Step(p.Loc, s)
		room := p.Width - lipgloss.Width(head)
		if lipgloss.Width(text)+lipgloss.Width(rule) <= room && class != Faint {
			c.put(0, y, class, head+text)
			c.put(p.Width-lipgloss.Width(s.Rule), y, Faint, s.Rule)
		} else {
			c.put(0, y, class, head+Fit(text, room, p.Signs))
		}
	}
	return c.lines(p.style())
}
