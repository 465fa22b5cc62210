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
