package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/quiz"
)

// help explains the keys, which mean the same everywhere, and the commands.
type help struct {
	scroll int
	script bool // commands are being written: they come first
	lines  []string
	width  int
}

func newHelp(m *Model) *help {
	a, ok := m.top().(*ask)
	return &help{script: ok && a.it.Kind == quiz.Counterexample && !a.locked}
}

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
	commands := indent(relay(narrate.Help(m.env.Loc, "", w-2), w-2), " ")
	if h.script {
		h.lines = append(commands, "")
	}
	for _, k := range allKeys {
		h.lines = append(h.lines, indent(hang(m.clean(pad(m.keyName(k.key), 9)+m.text(k.id, nil)), 9, w-2), " ")...)
	}
	h.lines = append(h.lines, "")
	for _, l := range strings.Split(m.text("tui.help.text", nil), "\n") {
		h.lines = append(h.lines, indent(markdown.Wrap(l, w-2), " ")...)
	}
	if !h.script {
		h.lines = append(append(h.lines, ""), commands...)
	}
	h.lines = m.coded(h.lines)
}

// allKeys is every key of the product with its one meaning.
var allKeys = []hint{
	{"↑↓", "tui.help.key.move"}, {"←→ [ ]", "tui.help.key.step"}, {"↵", "tui.help.key.enter"}, {":", "tui.help.key.line"},
	{"Esc", "tui.help.key.back"}, {"Tab", "tui.help.key.tab"}, {"Space", "tui.help.key.mark"},
	{"p", "tui.help.key.play"}, {"v", "tui.help.key.view"}, {"+ -", "tui.help.key.zoom"}, {"< >", "tui.help.key.shift"}, {"w", "tui.help.key.why"},
	{"f", "tui.help.key.fork"}, {"c", "tui.help.key.compare"}, {"j", "tui.help.key.job"}, {"e", "tui.help.key.edit"}, {"h F2", "tui.help.key.hint"},
	{"F3", "tui.help.key.skip"}, {"t", "tui.help.key.contents"}, {"g", "tui.help.key.glossary"}, {"/", "tui.help.key.search"},
	{"n", "tui.help.key.next"}, {"L", "tui.help.key.language"}, {"? F1", "tui.help.key.help"}, {"q", "tui.help.key.leave"},
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
		case "pgdown":
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
	out := window(h.lines, h.scroll, height)
	if below := len(h.lines) - h.scroll - height; below > 0 && len(out) > 0 {
		out[len(out)-1] = " " + m.more(below+1)
	}
	return out, nil
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
