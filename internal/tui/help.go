package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
)

// help explains the keys, which mean the same everywhere, and the commands.
type help struct {
	scroll int
	lines  []string
	width  int
}

func newHelp(m *Model) *help { return &help{} }

func (h *help) relocate(*Model) { h.lines = nil }

func (h *help) title(m *Model) (string, string) { return m.text("tui.help.title", nil), "" }

func (h *help) hints(*Model) []hint {
	return []hint{{"↑↓", "tui.key.scroll"}, {"Esc", "tui.key.back"}}
}

func (h *help) build(m *Model, w int) {
	if h.lines != nil && h.width == w {
		return
	}
	h.width = w
	h.lines = nil
	for _, k := range allKeys {
		h.lines = append(h.lines, m.clean(" "+pad(k.key, 8)+" "+m.text(k.id, nil)))
	}
	h.lines = append(h.lines, "")
	for _, l := range strings.Split(m.text("tui.help.text", nil), "\n") {
		h.lines = append(h.lines, indent(markdown.Wrap(l, w-2), " ")...)
	}
	h.lines = append(h.lines, "")
	for _, l := range narrate.Help(m.env.Loc, "") {
		h.lines = append(h.lines, indent(markdown.Wrap(l, w-2), " ")...)
	}
}

// allKeys is every key of the product with its one meaning.
var allKeys = []hint{
	{"↑↓", "tui.key.choose"}, {"←→ [ ]", "tui.key.step"}, {"Space", "tui.key.play"}, {"↵ :", "tui.key.line"},
	{"Esc", "tui.key.back"}, {"Tab", "tui.key.complete"}, {"v", "tui.key.view"},
	{"+-", "tui.key.zoom"}, {"<>", "tui.key.shift"}, {"w", "tui.key.why"},
	{"f", "tui.key.fork"}, {"c", "tui.key.compare"}, {"j", "tui.key.job"}, {"h F2", "tui.key.hint"},
	{"t", "tui.key.contents"}, {"/", "tui.key.search"}, {"n", "tui.key.next"}, {"L", "tui.key.language"},
	{"? F1", "tui.key.help"}, {"q", "tui.key.leave"},
}

func (h *help) update(m *Model, msg tea.Msg) (tea.Cmd, bool) {
	switch x := msg.(type) {
	case tea.MouseWheelMsg:
		h.scroll += wheel(x)
	case tea.KeyPressMsg:
		switch key(x) {
		case "up":
			h.scroll--
		case "down":
			h.scroll++
		case "pgup":
			h.scroll -= m.h - 4
		case "pgdown", "space":
			h.scroll += m.h - 4
		case "home":
			h.scroll = 0
		case "end":
			h.scroll = len(h.lines)
		case "L":
			m.switchLanguage()
		case "esc", "q", "f1", "?":
			return nil, true
		}
	}
	return nil, false
}

func (h *help) draw(m *Model, w, height int) ([]string, *tea.Cursor) {
	h.build(m, w)
	h.scroll = max(0, min(h.scroll, len(h.lines)-height))
	return window(h.lines, h.scroll, height), nil
}

// window is a part of lines.
func window(lines []string, from, n int) []string {
	from = max(0, min(from, len(lines)))
	out := append([]string(nil), lines[from:min(from+n, len(lines))]...)
	return out
}

func indent(lines []string, by string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = by + l
	}
	return out
}

func pad(s string, w int) string {
	if n := w - len([]rune(s)); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}
