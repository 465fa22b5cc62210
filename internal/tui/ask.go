package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/internal/progress"
	"streaminglab/internal/view"
	"streaminglab/quiz"
)

// asking says how an item is asked.
type asking struct {
	lesson, quiz string
	set          *quiz.Set
	seed         uint64
	// feedback shows whether the answer was right, and why, once it is locked.
	feedback bool
	rule     quiz.Rule
	number   string
	// done is called once the answer is locked.
	done func(m *Model, raw string)
}

// ask is one question: it is answered, locked, and then explained.
type ask struct {
	it     *quiz.Item
	shown  *quiz.Item
	q      asking
	labels view.Labels

	at     int      // chosen option
	picked []string // of multiple and order, in order
	line   *input   // of everything that is typed
	hints_ int
	told   func(w int) []string // a hint, or what was not understood
	raw    string               // locked answer
	locked bool
	out    quiz.Outcome
	scroll int
	failed error
}

func newAsk(m *Model, it *quiz.Item, q asking) *ask {
	a := &ask{it: it, q: q}
	a.shown, a.failed = m.marker.Present(m.context(), it, q.seed)
	if a.failed != nil {
		return a
	}
	a.labels = m.questions(m.w).Labels(a.shown, q.seed, q.set)
	switch it.Kind {
	case quiz.Single, quiz.Multiple, quiz.TrueFalse, quiz.Poll, quiz.OrderKind:
	case quiz.Counterexample, quiz.Fix:
		a.line = newInput("> ", 6)
	default:
		a.line = newInput("> ", 1)
	}
	if a.line != nil {
		a.line.focus()
	}
	if q.lesson != "" {
		if old := m.progress().Items[it.ID]; old != nil && len(old.Answers) > 0 {
			last := old.Answers[len(old.Answers)-1]
			a.lock(m, last.Raw)
		}
	}
	return a
}

func (a *ask) relocate(*Model) {}

func (a *ask) title(m *Model) (string, string) {
	name := m.text("tui.live.item", nil)
	if a.it.Kind == quiz.Poll {
		name = m.text("tui.live.poll", nil)
	}
	if a.q.number != "" {
		return a.q.number, ""
	}
	return name, ""
}

func (a *ask) hints(m *Model) []hint {
	if a.locked {
		return []hint{{"↵ n", "tui.key.next"}, {"↑↓", "tui.key.scroll"}, {"L", "tui.key.language"}}
	}
	var clue []hint
	if a.shown != nil && a.hints_ < len(a.shown.Texts[m.lang()].Hints) {
		clue = []hint{{"F2", "tui.key.hint"}}
	}
	if a.line != nil {
		h := []hint{{"↵", "tui.key.answer"}}
		if a.area() {
			h[0].key = "Ctrl+D"
		}
		return append(append(h, clue...), hint{"F3", "tui.key.skip"}, hint{"Esc", "tui.key.back"})
	}
	h := []hint{{"↑↓", "tui.key.choose"}}
	if a.many() {
		h = append(h, hint{"Space", "tui.key.mark"})
	}
	h = append(append(h, hint{"↵", "tui.key.answer"}), clue...)
	return append(h, hint{"F3", "tui.key.skip"}, hint{"L", "tui.key.language"}, hint{"q", "tui.key.back"})
}

func (a *ask) many() bool { return a.it.Kind == quiz.Multiple || a.it.Kind == quiz.OrderKind }

func (a *ask) area() bool { return a.it.Kind == quiz.Counterexample || a.it.Kind == quiz.Fix }

func (a *ask) update(m *Model, msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if x, is := msg.(tea.MouseWheelMsg); is {
		a.scroll += wheel(x)
		return nil, false
	}
	if !ok {
		if a.line != nil && !a.locked {
			return a.line.update(msg), false
		}
		return nil, false
	}
	if a.failed != nil {
		return nil, true
	}
	if a.locked {
		switch key(k) {
		case "enter", "n", "esc", "q", "space":
			return nil, true
		case "up":
			a.scroll--
		case "down":
			a.scroll++
		case "pgdown":
			a.scroll += m.h - 5
		case "pgup":
			a.scroll -= m.h - 5
		case "L":
			m.switchLanguage()
		}
		return nil, false
	}
	switch k.String() {
	case "f2":
		a.hint(m)
		return nil, false
	case "f3":
		a.lockIn(m, "")
		return nil, false
	case "pgdown":
		a.scroll += 5
		return nil, false
	case "pgup":
		a.scroll -= 5
		return nil, false
	}
	if a.line != nil {
		switch k.String() {
		case "esc":
			return nil, true
		case "ctrl+d":
			if a.area() {
				a.answer(m, a.line.value())
				return nil, false
			}
		case "enter":
			if !a.area() {
				a.answer(m, a.line.value())
				return nil, false
			}
		}
		return a.line.update(k), false
	}
	return nil, a.choiceKey(m, key(k))
}

func (a *ask) choiceKey(m *Model, k string) (leave bool) {
	n := len(a.labels.IDs)
	switch k {
	case "up":
		a.at = (a.at + n - 1) % n
	case "down":
		a.at = (a.at + 1) % n
	case "space":
		a.toggle(a.labels.IDs[a.at])
	case "enter":
		a.answer(m, a.chosen())
	case "L":
		m.switchLanguage()
	case "?":
		m.push(newHelp(m))
	case "h":
		a.hint(m)
	case "q", "esc":
		return true
	default:
		if i, err := strconv.Atoi(k); err == nil && i >= 1 && i <= n {
			a.at = i - 1
			if a.many() {
				a.toggle(a.labels.IDs[a.at])
			}
		}
	}
	return false
}

func (a *ask) toggle(id string) {
	if !a.many() {
		return
	}
	if i := slices.Index(a.picked, id); i >= 0 {
		a.picked = slices.Delete(a.picked, i, i+1)
		return
	}
	a.picked = append(a.picked, id)
}

// chosen is the answer as it would be typed.
func (a *ask) chosen() string {
	if !a.many() {
		return strconv.Itoa(a.at + 1)
	}
	var out []string
	for _, id := range a.picked {
		out = append(out, a.labels.Number(id))
	}
	return strings.Join(out, " ")
}

func (a *ask) hint(m *Model) {
	texts := a.shown.Texts[m.lang()].Hints
	if a.hints_ >= len(texts) {
		id := "plain.sim.no-hint"
		if len(texts) == 0 {
			id = "plain.item.no-hint"
		}
		a.tell(func() string { return m.text(id, nil) })
		return
	}
	a.hints_++
	m.keep(progress.HintShown{Item: a.it.ID, Hint: a.hints_})
	n := a.hints_
	a.told = func(w int) []string {
		return m.questions(w).Render(m.text("plain.sim.hint", locale.Args{"N": n, "Text": a.shown.Texts[m.lang()].Hints[n-1]}))
	}
}

// answer marks what was given. Nothing given is a slip: to go on without an
// answer has a key of its own.
func (a *ask) answer(m *Model, typed string) {
	if strings.TrimSpace(typed) == "" {
		a.tell(func() string { return m.text("tui.ask.empty", nil) })
		return
	}
	a.lockIn(m, typed)
}

// tell says something below the question, in the language and the width of the
// moment in which it is drawn.
func (a *ask) tell(text func() string) {
	a.told = func(w int) (out []string) {
		for _, l := range strings.Split(text(), "\n") {
			out = append(out, markdown.Wrap(l, w)...)
		}
		return out
	}
}

// lockIn marks and locks; what cannot be read is asked again.
func (a *ask) lockIn(m *Model, typed string) {
	a.told = nil
	canonical, unclear := m.questions(m.w).Canonical(a.shown, a.labels, typed)
	if unclear != nil {
		a.tell(func() string { return narrate.Problem(m.env.Loc, unclear) })
		return
	}
	out, err := m.marker.Mark(m.context(), a.it, a.q.rule, a.q.seed, m.lang(), canonical)
	if err != nil {
		a.failed = err
		return
	}
	if out.Verdict == quiz.Invalid || out.Unread {
		a.tell(func() string {
			again := m.text("plain.item.again", nil)
			if out.Reason != nil {
				return narrate.Problem(m.env.Loc, *out.Reason) + "\n" + again
			}
			return again
		})
		return
	}
	if c := out.Answer.Canonical(); c != "" {
		canonical = c
	}
	// Locked before anything is shown.
	m.keep(progress.AnswerLocked{Lesson: a.q.lesson, Quiz: a.q.quiz, Item: a.it.ID, Raw: canonical, Hints: a.hints_, Seed: a.q.seed})
	a.out, a.raw, a.locked = out, canonical, true
	if a.q.done != nil {
		a.q.done(m, canonical)
	}
}

// lock shows an answer of before.
func (a *ask) lock(m *Model, raw string) {
	out, err := m.marker.Mark(m.context(), a.it, a.q.rule, a.q.seed, m.lang(), raw)
	if err == nil {
		a.out, a.raw, a.locked = out, raw, true
	}
}

func (a *ask) draw(m *Model, w, h int) ([]string, *tea.Cursor) {
	if a.failed != nil {
		return markdown.Wrap(narrate.Problem(m.env.Loc, a.failed), w-2), nil
	}
	q := m.questions(min(w-4, 100))
	if a.many() {
		q = m.questions(min(w-8, 100))
	}
	q.Loc = m.env.Loc
	text, scenario := q.Text(a.shown), q.Scenario(a.shown, a.q.seed)
	lines := q.Prompts(a.shown)
	focus := -1
	numbered := a.line == nil || a.it.Kind == quiz.Match
	if numbered {
		if len(lines) > 0 && lines[len(lines)-1] != "" || len(scenario) == 0 {
			lines = append(lines, "")
		}
		for i, c := range q.Choices(a.shown, a.labels) {
			for k, l := range c {
				class, lead := view.Plain, "  "
				if !a.locked && a.line == nil && i == a.at {
					class = view.Selected
					focus = len(lines)
					if k == 0 {
						lead = m.signs.Sel + " "
					}
				}
				if k == 0 && a.many() {
					lead += a.box(m, a.labels.IDs[i])
				} else if a.many() {
					lead += "    "
				}
				lines = append(lines, m.style(class, lead+strings.TrimPrefix(l, "  ")))
			}
		}
	}
	if a.locked {
		lines = append(lines, "", m.style(view.Strong, m.text("tui.ask.yours", locale.Args{"Answer": q.Typed(a.shown, a.labels, a.raw)})), "")
		focus = len(lines) + 3
		if a.q.feedback {
			lines = append(lines, q.Feedback(a.shown, &a.out, a.labels, a.q.seed)...)
			focus = len(lines) - 1
		} else {
			lines = append(lines, m.text("plain.item.kept", nil))
		}
	}
	if a.told != nil {
		lines = append(append(lines, ""), a.told(min(w-4, 100))...)
		focus = len(lines) - 1
	}
	if a.line == nil || a.locked {
		return indent(a.arrange(m, text, scenario, lines, focus, h), "  "), nil
	}
	typed, cursor := a.line.draw(w - 4)
	room := h - len(typed) - 1
	out := indent(a.arrange(m, text, scenario, lines, len(lines)-1, room), "  ")
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

// box shows whether an option is marked, and its place in an order.
func (a *ask) box(m *Model, id string) string {
	i := slices.Index(a.picked, id)
	switch {
	case i < 0:
		return "[ ] "
	case a.it.Kind == quiz.OrderKind:
		return "[" + strconv.Itoa(i+1) + "] "
	}
	return "[x] "
}

// arrange puts the question at the top, what can be answered at the bottom, and
// between them as much of the scenario as there is room for; the keys of a page
// move that part. Where even so not all fits, the whole is one long text.
func (a *ask) arrange(m *Model, text, scenario, rest []string, focus, h int) []string {
	if focus >= 0 {
		focus += len(text) + len(scenario)
	}
	all := append(append(append([]string(nil), text...), scenario...), rest...)
	between := h - len(text) - len(rest) - 1
	if len(all) <= h || between < 3 || a.locked {
		return a.fit(m, all, focus, h)
	}
	a.scroll = max(0, min(a.scroll, len(scenario)-between))
	shown := window(scenario, a.scroll, between)
	left := len(scenario) - a.scroll - between
	more := ""
	if left > 0 {
		more = m.style(view.Faint, m.text("tui.more", locale.Args{"Lines": left}))
	}
	return append(append(append(append([]string(nil), text...), shown...), more), rest...)
}

// fit keeps the line of the focus in sight; scroll moves from there.
func (a *ask) fit(m *Model, lines []string, focus, h int) []string {
	if len(lines) <= h {
		a.scroll = 0
		return lines
	}
	from := 0
	if focus >= h {
		from = focus - h + 2
	}
	low, high := -from, len(lines)-h-from
	a.scroll = max(low, min(a.scroll, high))
	return window(lines, from+a.scroll, h)
}
