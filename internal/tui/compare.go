package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/view"
	"streaminglab/sim/session"
)

// compare holds two runs on the same records beside each other: their pictures
// on one scale, the outcomes that differ, and what each run paid. The selected
// outcome is marked in both pictures; the first one that differs is selected.
type compare struct {
	loc    *locale.Localizer
	x      *session.Comparison
	scenes [2]*view.Scene
	// snapshots are drawn where a run has no event time to look at.
	snapshots [2]*view.Snapshots
	costs     []view.Cost
	at        int
	scroll    int // of the texts, where they have the screen for themselves
}

// minPictures are the rows that two pictures need, one below the other.
const minPictures = 8

func newCompare(b *bench, m *Model, x *session.Comparison) *compare {
	c := &compare{loc: b.loc(m), x: x, scenes: [2]*view.Scene{view.Build(x.Traces[0]), view.Build(x.Traces[1])}, costs: view.Costs(x)}
	if !view.EventTime(x.Traces[0]) && !view.EventTime(x.Traces[1]) {
		c.snapshots = [2]*view.Snapshots{view.BuildSnapshots(x.Traces[0]), view.BuildSnapshots(x.Traces[1])}
	}
	return c
}

func (c *compare) relocate(m *Model) { c.loc = c.loc.In(m.env.Loc.Lang()) }

func (c *compare) title(m *Model) (string, string) {
	return m.text("tui.compare.title", locale.Args{"Left": c.x.Left, "Right": c.x.Right}),
		m.env.Loc.Plural("tui.compare.count", int64(len(c.x.Differences)), nil)
}

func (c *compare) hints(*Model) []hint {
	return []hint{{"↑↓", "tui.key.choose"}, {"L", "tui.key.language"}, {"?", "tui.key.help"}, {"q", "tui.key.back"}}
}

func (c *compare) update(m *Model, msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	last := max(len(c.x.Differences)-1, 0)
	switch key(k) {
	case "up", "k":
		c.at = max(c.at-1, 0)
	case "down":
		c.at = min(c.at+1, last)
	case "pgup":
		c.scroll -= max(m.h/2, 1)
	case "pgdown":
		c.scroll += max(m.h/2, 1)
	case "home":
		c.at = 0
	case "end":
		c.at = last
	case "L":
		m.switchLanguage()
	case "?":
		m.push(newHelp(m))
	case "esc", "q":
		return nil, true
	}
	return nil, false
}

// span is one scale for both runs.
func (c *compare) span() *view.Span {
	var out *view.Span
	for _, s := range c.scenes {
		low, high, ok := s.Range()
		switch {
		case !ok:
		case out == nil:
			out = &view.Span{Low: low, High: high}
		default:
			out.Low, out.High = min(out.Low, low), max(out.High, high)
		}
	}
	return out
}

func (c *compare) draw(m *Model, w, h int) ([]string, *tea.Cursor) {
	var below []string
	if len(c.x.Differences) == 0 {
		below = append(below, c.loc.Text("plain.compare.same", locale.Args{"Left": c.x.Left, "Right": c.x.Right}))
	}
	// As many outcomes as a third of the screen takes, the selected one in sight.
	room := max(min(len(c.x.Differences), h/5), min(len(c.x.Differences), 2))
	from := max(0, min(c.at-room/2, len(c.x.Differences)-room))
	for i := from; i < from+room; i++ {
		mark, class := "  ", view.Plain
		if i == c.at {
			mark, class = m.signs.Sel+" ", view.Selected
		}
		below = append(below, m.style(class, mark+view.Fit(view.Difference(c.loc, c.x, c.x.Differences[i]), w-4, m.signs)))
	}
	if c.snapshots[0] == nil {
		for side := range c.x.Prices {
			below = append(below, markdown.Wrap(view.Price(c.loc, c.x, side), w-2)...)
		}
	}
	if c.costs != nil {
		p := view.Picture{Loc: c.loc, Width: w - 2, Height: 12, Signs: m.signs, Style: m.style}
		below = append(below, withoutBlanks(view.DrawCosts(p, c.costs))...)
	}
	high := h - len(below) - 1
	if high < minPictures {
		// Two pictures would say nothing: the texts have the screen, and the
		// selected outcome its full length.
		if room > 0 {
			full := markdown.Wrap(m.signs.Sel+" "+view.Difference(c.loc, c.x, c.x.Differences[c.at]), w-2)
			for i := range full {
				full[i] = m.style(view.Selected, full[i])
			}
			below = slices.Replace(below, c.at-from, c.at-from+1, full...)
		}
		c.scroll = max(0, min(c.scroll, len(below)-h))
		shown := window(below, c.scroll, h)
		if left := len(below) - c.scroll - h; left > 0 && h > 0 {
			shown[h-1] = m.more(left + 1)
		}
		return indent(shown, " "), nil
	}
	var out []string
	if w >= 110 {
		half := (w - 5) / 2
		a, b := c.side(m, 0, half, high), c.side(m, 1, half, high)
		for i := range high {
			out = append(out, m.beside(at(a, i), half, at(b, i)))
		}
	} else {
		out = append(c.side(m, 0, w-2, high/2), c.side(m, 1, w-2, high-high/2)...)
	}
	return indent(append(append(out[:min(len(out), high)], ""), below...), " "), nil
}

// side is one run: its name, and its lanes with the selected outcome marked.
func (c *compare) side(m *Model, side, w, h int) []string {
	name := c.x.Left
	if side == 1 {
		name = c.x.Right
	}
	p := view.Picture{Loc: c.loc, Width: w, Height: h - 1, Signs: m.signs, Style: m.style, Span: c.span()}
	if c.at < len(c.x.Differences) {
		d := c.x.Differences[c.at]
		p.Step = d.Left.Step
		if side == 1 {
			p.Step = d.Right.Step
		}
	}
	draw := c.scenes[side].DrawLanes
	if s := c.snapshots[side]; s != nil {
		draw = s.DrawMatrix
	}
	out := append([]string{m.style(view.Strong, name)}, draw(p)...)
	if s := c.snapshots[side]; s != nil {
		out = withoutBlanks(out)
		if p.Height, p.Second = min(h-len(out)-1, planeMost), true; p.Height >= timelineHeight {
			out = append(append(out, ""), s.DrawTimeline(p)...)
		}
	}
	for len(out) < h {
		out = append(out, "")
	}
	for i := range out {
		out[i] = lipgloss.NewStyle().MaxWidth(w).Render(out[i])
	}
	return out[:h]
}
