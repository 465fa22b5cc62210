package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/internal/view"
	"streaminglab/quiz"
)

// span is a run of lines; to is behind it.
type span struct{ from, to int }

func (a *ask) draw(m *Model, w, h int) ([]string, *tea.Cursor) {
	if a.failed != nil {
		return indent(markdown.Wrap(narrate.Problem(m.env.Loc, a.failed), w-2), " "), nil
	}
	text, scenario, rest, focus := a.parts(m, w)
	if a.line == nil || a.locked {
		return indent(a.arrange(m, text, scenario, rest, focus, h), "  "), nil
	}
	typed, cursor := a.drawLine(m, w, h)
	room := h - len(typed) - 1
	out := indent(a.arrange(m, text, scenario, rest, focus, room), "  ")
	for len(out) < room {
		out = append(out, "")
	}
	out = append(out, "")
	if cursor != nil {
		cursor.Position.X += 2
		cursor.Position.Y += len(out)
	}
	return append(out, indent(typed, "  ")...), cursor
}

// drawLine is where the answer is typed, with how it is written.
func (a *ask) drawLine(m *Model, w, h int) ([]string, *tea.Cursor) {
	a.line.prompt = m.text("plain.item.prompt."+string(a.it.Kind), nil) + " "
	if !a.area() {
		if markdown.Width(a.line.prompt) > w/2 {
			a.line.prompt = "> "
		}
		return a.line.draw(w-4, m.signs.Open)
	}
	a.line.prompt = "> "
	rows := max(3, min(strings.Count(a.line.value(), "\n")+2, h/2))
	a.line.area.SetHeight(rows)
	how := markdown.Wrap(m.text("tui.ask."+string(a.it.Kind), nil), w-4)
	for i := range how {
		how[i] = m.style(view.Strong, how[i])
	}
	typed, cursor := a.line.draw(w-4, m.signs.Open)
	if cursor != nil {
		cursor.Position.Y += len(how)
	}
	return append(how, typed...), cursor
}

// typedRows is how many lines an answer may have to come into sight with what
// is said about it.
const typedRows = 4

// parts are the question, what it is about, and what is answered to it; focus
// is what of the last part must be in sight.
func (a *ask) parts(m *Model, w int) (text, scenario, rest []string, focus span) {
	q := m.questions(min(w-4, 100))
	if a.many() {
		q = m.questions(min(w-8, 100))
	}
	text, scenario = q.Text(a.shown), a.scenario(m, q, w)
	rest = q.Prompts(a.shown)
	if len(rest) > 0 && len(scenario) == 0 {
		rest = append([]string{""}, rest...)
	}
	if a.line == nil || a.it.Kind == quiz.Match {
		if len(rest) > 0 && rest[len(rest)-1] != "" || len(scenario) == 0 {
			rest = append(rest, "")
		}
		if a.it.Kind == quiz.OrderKind && !a.locked {
			for _, l := range markdown.Wrap(m.text("tui.ask.order", nil), min(w-4, 100)) {
				rest = append(rest, m.style(view.Strong, l))
			}
		}
		for i, c := range q.Choices(a.shown, a.labels) {
			if i == a.at {
				focus = span{len(rest), len(rest) + len(c)}
			}
			rest = append(rest, a.choice(m, i, c)...)
		}
	}
	if a.locked {
		rest = append(rest, "")
		focus = span{len(rest), 0}
		typed := q.Typed(a.shown, a.labels, a.raw)
		if strings.Contains(typed, "\n") {
			typed = "\n" + typed
		}
		for i, l := range strings.Split(m.text("tui.ask.yours", locale.Args{"Answer": typed}), "\n") {
			if i > 0 {
				l = "    " + l
			}
			for _, part := range markdown.Wrap(l, w-4) {
				rest = append(rest, m.style(view.Strong, part))
			}
		}
		rest = append(rest, "")
		if len(rest)-focus.from > typedRows {
			// Of a long answer, the learner knows what it says: what became of it
			// is what comes into sight.
			focus.from = len(rest)
		}
		if a.q.feedback {
			rest = append(rest, q.Feedback(a.shown, &a.out, a.labels, a.q.seed)...)
		} else {
			rest = append(rest, m.text("plain.item.kept", nil))
		}
		focus.to = len(rest)
		return text, scenario, rest, focus
	}
	if a.told != nil {
		rest = append(rest, "")
		focus = span{len(rest), 0}
		rest = append(rest, a.told(min(w-4, 100))...)
		focus.to = len(rest)
	}
	return text, scenario, rest, focus
}

// choice is one option: the chosen one and the marked ones have a sign.
func (a *ask) choice(m *Model, i int, lines []string) []string {
	var out []string
	for k, l := range lines {
		class, lead := view.Plain, "  "
		if a.line == nil && i == a.at && !(a.locked && (a.many() || a.raw == "")) {
			if !a.locked {
				class = view.Selected
			}
			if k == 0 {
				lead = m.signs.Sel + " "
			}
		}
		if k == 0 && a.many() {
			lead += a.box(a.labels.IDs[i])
		} else if a.many() {
			lead += "    "
		}
		out = append(out, m.style(class, lead+strings.TrimPrefix(l, "  ")))
	}
	return out
}

// box shows whether an option is marked, and its place in an order.
func (a *ask) box(id string) string {
	i := slices.Index(a.picked, id)
	switch {
	case i < 0:
		return "[ ] "
	case a.it.Kind == quiz.OrderKind:
		return "[" + strconv.Itoa(i+1) + "] "
	}
	return "[x] "
}

// scenario is what the question is about. A file that stands in the answer is
// not shown twice, and lines that are wider than the screen go on below.
func (a *ask) scenario(m *Model, q *view.Questions, w int) []string {
	lines := q.Scenario(a.shown, a.q.seed)
	if !a.locked && a.fileRows > 0 && a.fileRows < len(lines) {
		lines = lines[:len(lines)-a.fileRows]
	}
	code := make([]markdown.Line, len(lines))
	for i, l := range lines {
		code[i] = markdown.Line{Text: l, Code: true}
	}
	var out []string
	for _, l := range foldCode(code, w-4, m.signs) {
		out = append(out, l.Text)
	}
	return out
}

// arrange puts the question at the top, what can be answered at the bottom, and
// between them as much of the scenario as there is room for; the keys of a page
// move that part. Where even so not all fits, the whole is one long text.
func (a *ask) arrange(m *Model, text, scenario, rest []string, focus span, h int) []string {
	before := len(text) + len(scenario)
	if n := len(scenario); n > 0 && len(rest) > 0 && strings.TrimSpace(scenario[n-1]) != "" && rest[0] != "" {
		rest = append([]string{""}, rest...)
		focus.from, focus.to = focus.from+1, focus.to+1
	}
	all := slices.Concat(text, scenario, rest)
	between := h - len(text) - len(rest) - 1
	if len(all) <= h || between < 3 || a.locked {
		if a.part != 0 {
			a.scroll, a.part = 0, 0
		}
		return a.fit(m, all, span{focus.from + before, focus.to + before}, h)
	}
	a.part, a.seen, a.follow = between, true, false
	a.scroll = max(0, min(a.scroll, len(scenario)-between))
	return slices.Concat(text, window(scenario, a.scroll, between), []string{m.more(len(scenario) - a.scroll - between)}, rest)
}

// fit shows a part of a long text. It begins at its top, because a question is
// read first; what was chosen or said last comes into sight.
func (a *ask) fit(m *Model, lines []string, focus span, h int) []string {
	a.seen = true
	if len(lines) <= h {
		a.scroll, a.follow = 0, false
		return lines
	}
	if a.follow {
		a.follow = false
		// The last line of the window may say how much is below.
		if focus.to > a.scroll+h-1 {
			a.scroll = focus.to - h + 1
		}
		if focus.from < a.scroll {
			a.scroll = focus.from
		}
	}
	a.scroll = max(0, min(a.scroll, len(lines)-h))
	out := window(lines, a.scroll, h)
	end := a.scroll + h
	if below := len(lines) - end; below > 0 {
		out[h-1] = m.more(below + 1)
		end--
	}
	a.seen = a.line != nil || focus.from >= a.scroll && focus.from < end
	return out
}

// more says how many lines there are below; nothing, where there are none.
func (m *Model) more(lines int) string {
	if lines <= 0 {
		return ""
	}
	return m.style(view.Faint, m.text("tui.more", locale.Args{"Lines": lines}))
}
