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
	failed error
	onward bool // the learner goes on, not back

	file     string // of a job that is to be mended: what the answer begins with
	fileRows int    // how many lines of the scenario show it
	scroll   int
	follow   bool // what was chosen or said last comes into sight
	seen     bool // the chosen option is in sight: no key answers what nobody saw
	part     int  // 0: the whole scrolls; else the scenario does, with so many lines in sight
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
	case quiz.Counterexample:
		a.line = newInput("> ", areaRows)
	case quiz.Fix:
		a.line = newInput("> ", areaRows)
		a.openFile(m)
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

// areaRows is how many lines an answer of several lines may have.
const areaRows = 60

// openFile puts the file that is to be mended into the answer: who mends a
// file begins with the file.
func (a *ask) openFile(m *Model) {
	e, err := m.env.Engine.Experiment(a.shown.Key.Computed)
	if err != nil {
		return
	}
	inst, _, err := e.Instance(a.q.seed)
	if err != nil {
		return
	}
	a.file = strings.TrimRight(string(inst.Files[a.it.Replaces]), "\n")
	a.fileRows = len(view.JobFiles(m.env.Loc, inst))
	a.line.set(a.file)
	a.line.area.MoveToBegin()
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
		return []hint{{"↵ n", "tui.key.next"}, {"↑↓", "tui.key.scroll"}, {"L", "tui.key.language"}, {"?", "tui.key.help"}, {"q", "tui.key.back"}}
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
		return append(append(h, clue...), hint{"F3", "tui.key.skip"}, hint{"F1", "tui.key.help"}, hint{"Esc", "tui.key.back"})
	}
	h := []hint{{"↑↓", "tui.key.choose"}}
	switch {
	case a.it.Kind == quiz.OrderKind:
		h = append(h, hint{"Space", "tui.key.place"})
	case a.many():
		h = append(h, hint{"Space", "tui.key.mark"})
	}
	h = append(append(h, hint{"↵", "tui.key.answer"}), clue...)
	return append(h, hint{"F3", "tui.key.skip"}, hint{"L", "tui.key.language"}, hint{"?", "tui.key.help"}, hint{"q", "tui.key.back"})
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
		case "enter", "n":
			a.onward = true
			return nil, true
		case "esc", "q":
			return nil, true
		case "up":
			a.scroll--
		case "down":
			a.scroll++
		case "pgdown":
			a.scroll += m.h - 5
		case "pgup":
			a.scroll -= m.h - 5
		case "?":
			m.push(newHelp(m))
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
		if !a.area() {
			// A line has nowhere to go up: the arrows move the question.
			switch k.String() {
			case "up":
				a.scroll--
				return nil, false
			case "down":
				a.scroll++
				return nil, false
			}
		}
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
	if k == "enter" || k == "space" {
		// Keys may come faster than frames: what is in sight is laid out now.
		if a.draw(m, m.w, m.room()); !a.seen {
			a.follow = true
			return false
		}
	}
	switch k {
	case "up":
		a.at, a.follow = (a.at+n-1)%n, true
	case "down":
		a.at, a.follow = (a.at+1)%n, true
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
			a.at, a.follow = i-1, true
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
	a.follow = true
	a.told = func(w int) []string {
		return m.questions(w).Render(m.text("plain.sim.hint", locale.Args{"N": n, "Text": a.shown.Texts[m.lang()].Hints[n-1]}))
	}
}

// answer marks what was given. Nothing given is a slip: to go on without an
// answer has a key of its own.
func (a *ask) answer(m *Model, typed string) {
	if t := strings.TrimSpace(typed); t == "" || t == strings.TrimSpace(a.file) {
		a.tell(func() string { return m.text("tui.ask.empty", nil) })
		return
	}
	a.lockIn(m, typed)
}

// tell says something below the question, in the language and the width of the
// moment in which it is drawn.
func (a *ask) tell(text func() string) {
	a.follow = true
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
	a.out, a.raw, a.locked, a.follow = out, canonical, true, true
	if a.q.done != nil {
		a.q.done(m, canonical)
	}
}

// lock shows an answer of before.
func (a *ask) lock(m *Model, raw string) {
	out, err := m.marker.Mark(m.context(), a.it, a.q.rule, a.q.seed, m.lang(), raw)
	if err != nil {
		return
	}
	a.out, a.raw, a.locked, a.follow = out, raw, true, true
	ids := strings.FieldsFunc(raw, func(r rune) bool { return r == ',' || r == ' ' })
	if a.many() {
		a.picked = ids
	} else if a.line == nil && len(ids) == 1 {
		a.at = slices.Index(a.labels.IDs, ids[0])
	}
}
