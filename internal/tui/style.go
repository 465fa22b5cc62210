package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/markdown"
	"streaminglab/internal/view"
)

// styles gives the classes of the pictures a look. The colours are those of
// Okabe and Ito, or the sixteen of the reader's own palette; Mono has none.
func styles(t markdown.Theme) view.Style {
	look := map[view.Class]lipgloss.Style{
		view.Plain:    lipgloss.NewStyle(),
		view.Faint:    lipgloss.NewStyle().Faint(true),
		view.Strong:   lipgloss.NewStyle().Bold(true),
		view.Good:     lipgloss.NewStyle(),
		view.Warn:     lipgloss.NewStyle(),
		view.Bad:      lipgloss.NewStyle().Bold(true),
		view.Time:     lipgloss.NewStyle(),
		view.Selected: lipgloss.NewStyle().Reverse(true),
	}
	colours := map[markdown.Theme][4]color.Color{
		markdown.Dark:   {lipgloss.Color("#56B4E9"), lipgloss.Color("#E69F00"), lipgloss.Color("#D55E00"), lipgloss.Color("#009E73")},
		markdown.Light:  {lipgloss.Color("#0072B2"), lipgloss.Color("#B87A00"), lipgloss.Color("#B24A00"), lipgloss.Color("#007A59")},
		markdown.ANSI16: {lipgloss.Color("6"), lipgloss.Color("3"), lipgloss.Color("1"), lipgloss.Color("2")},
	}
	if c, ok := colours[t]; ok {
		look[view.Time] = look[view.Time].Foreground(c[0])
		look[view.Warn] = look[view.Warn].Foreground(c[1])
		look[view.Bad] = look[view.Bad].Foreground(c[2])
		look[view.Good] = look[view.Good].Foreground(c[3])
		look[view.Code] = lipgloss.NewStyle().Foreground(lipgloss.Color(markdown.CodeColour(t)))
		if t == markdown.ANSI16 {
			look[view.Faint] = lipgloss.NewStyle().Foreground(lipgloss.Color("8"))
		}
	}
	return func(c view.Class, s string) string {
		if c == view.Plain {
			return s
		}
		return look[c].Render(s)
	}
}

// codes says that code has a look of its own: then backquotes are not needed.
func (m *Model) codes() bool { return markdown.CodeColour(m.env.Theme) != "" }

// coded gives code the look that a lesson gives it.
func (m *Model) coded(lines []string) []string {
	if !m.codes() {
		return lines
	}
	return view.Coded(lines, func(s string) string { return m.style(view.Code, s) })
}

// uncoded leaves the backquotes out of lines that have a look of their own.
func (m *Model) uncoded(lines []string) []string {
	if !m.codes() {
		return lines
	}
	return view.Coded(lines, func(s string) string { return s })
}
