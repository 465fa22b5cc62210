package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/internal/progress"
	"streaminglab/internal/view"
	"streaminglab/quiz"
)

// quizScreen asks a quiz, one question after the other, and shows the review
// of the answers at its end.
type quizScreen struct {
	s       *quiz.Set
	seed    uint64
	order   []string
	answers map[string]string
	at      int // in the review
	failed  error
	percent string
	passed  bool
	pointsS string
	maxS    string
}

func newQuiz(m *Model, s *quiz.Set) *quizScreen {
	q := &quizScreen{s: s, answers: map[string]string{}, seed: m.env.Seed}
	if !s.AllowsSeed(q.seed) {
		q.seed = s.Seeds[0]
	}
	hash, err := m.env.Library.Hash(s, m.env.Engine)
	if err != nil {
		q.failed = err
		return q
	}
	old := m.progress().Quizzes[s.ID]
	if old != nil && old.Finished.IsZero() && old.Hash == hash {
		q.seed = old.Seed
		for _, a := range old.Answers {
			q.answers[a.Item] = a.Raw
		}
	} else {
		m.keep(progress.QuizStarted{Quiz: s.ID, QuizHash: hash, Seed: q.seed, Mode: string(quiz.Practice)})
	}
	q.order = s.Order(q.seed)
	return q
}

// Quiz opens the course on a quiz.
func Quiz(env Env, s *quiz.Set) *Model {
	m := New(env)
	m.push(newQuiz(m, s))
	return m
}

func (q *quizScreen) relocate(*Model) {}

func (q *quizScreen) title(m *Model) (string, string) {
	return m.text("plain.quiz.title", locale.Args{"Title": q.s.Titles[m.lang()]}),
		m.text("tui.quiz.done", locale.Args{"Done": len(q.answers), "Items": len(q.order)})
}

func (q *quizScreen) finished() bool { return len(q.answers) >= len(q.order) }

func (q *quizScreen) hints(*Model) []hint {
	if q.finished() {
		return []hint{{"↑↓", "tui.key.choose"}, {"↵", "tui.key.open"}, {"L", "tui.key.language"}, {"?", "tui.key.help"}, {"q", "tui.key.back"}}
	}
	enter := "tui.key.begin"
	if len(q.answers) > 0 {
		enter = "tui.key.next"
	}
	return []hint{{"↵", enter}, {"L", "tui.key.language"}, {"?", "tui.key.help"}, {"q", "tui.key.back"}}
}

// resume goes on with the next question when one was answered.
func (q *quizScreen) resume(m *Model, left screen) {
	if a, ok := left.(*ask); ok && a.onward && !q.finished() {
		q.next(m)
	}
}

// next asks the first question that has no answer.
func (q *quizScreen) next(m *Model) {
	for i, id := range q.order {
		if _, ok := q.answers[id]; ok {
			continue
		}
		it := m.env.Library.Item(id)
		m.push(newAsk(m, it, asking{
			quiz: q.s.ID, set: q.s, seed: q.seed, rule: q.s.Scoring, feedback: true,
			number: m.questions(m.w).Number(it, i+1, len(q.order)),
			done: func(m *Model, raw string) {
				q.answers[id] = raw
				if q.finished() {
					m.keep(progress.QuizFinished{Quiz: q.s.ID})
					q.score(m)
				}
			},
		}))
		return
	}
}

func (q *quizScreen) score(m *Model) {
	points, most := quiz.Points(0), quiz.Points(0)
	for _, it := range m.env.Library.Members(q.s) {
		if it.Kind == quiz.Poll {
			continue
		}
		most = most.Plus(quiz.Points(it.Points))
		out, err := m.marker.Mark(m.context(), it, q.s.Scoring, q.seed, m.lang(), q.answers[it.ID])
		if err != nil {
			q.failed = err
			return
		}
		points = points.Plus(quiz.Tries(q.s.Tries, []quiz.Score{out.Fraction}).Times(quiz.Points(it.Points)))
	}
	percent := quiz.Points(0)
	if most.Cmp(quiz.Points(0)) > 0 {
		percent = points.Times(quiz.Points(100)).Over(most)
	}
	q.passed = percent.Cmp(quiz.Points(q.s.Pass)) >= 0
	q.percent, q.pointsS, q.maxS = percent.Decimal(0), view.Score(points), most.Decimal(0)
}

func (q *quizScreen) update(m *Model, msg tea.Msg) (tea.Cmd, bool) {
	k := ""
	switch x := msg.(type) {
	case tea.KeyPressMsg:
		if q.failed != nil {
			return nil, true
		}
		k = key(x)
	case tea.MouseWheelMsg:
		k = wheelKey(x)
	}
	switch k {
	case "enter", "n":
		if !q.finished() {
			q.next(m)
			return nil, false
		}
		it := m.env.Library.Item(q.order[q.at])
		a := newAsk(m, it, asking{
			set: q.s, seed: q.seed, rule: q.s.Scoring, feedback: true,
			number: m.questions(m.w).Number(it, q.at+1, len(q.order)),
		})
		a.lock(m, q.answers[it.ID])
		m.push(a)
	case "up":
		q.at = max(0, q.at-1)
	case "down":
		q.at = min(len(q.order)-1, q.at+1)
	case "L":
		m.switchLanguage()
	case "?":
		m.push(newHelp(m))
	case "q", "esc":
		return nil, true
	}
	return nil, false
}

func (q *quizScreen) draw(m *Model, w, h int) ([]string, *tea.Cursor) {
	if q.failed != nil {
		return markdown.Wrap(narrate.Problem(m.env.Loc, q.failed), w-2), nil
	}
	out := []string{""}
	if !q.finished() {
		out = append(out, indent(markdown.Wrap(m.text("plain.quiz.intro", locale.Args{"Items": len(q.order), "Pass": q.s.Pass}), w-4), "  ")...)
		if n := len(q.answers); n > 0 {
			out = append(out, "", "  "+m.text("plain.quiz.resumed", locale.Args{"Done": n, "Items": len(q.order)}))
		}
		return out, nil
	}
	if q.percent == "" {
		q.score(m)
	}
	id := "plain.quiz.passed"
	if !q.passed {
		id = "plain.quiz.failed"
	}
	out = append(out, indent(markdown.Wrap(m.text(id, locale.Args{"Points": q.pointsS, "Max": q.maxS, "Percent": q.percent, "Pass": q.s.Pass}), w-4), "  ")...)
	out = append(out, "")
	for i, id := range q.order {
		it := m.env.Library.Item(id)
		res, err := m.marker.Mark(m.context(), it, q.s.Scoring, q.seed, m.lang(), q.answers[id])
		if err != nil {
			continue
		}
		shown, err := m.marker.Present(m.context(), it, q.seed)
		if err != nil {
			continue
		}
		ask := m.questions(w)
		ask.Options.Plain = true
		stem := strings.ReplaceAll(strip(joinLines(ask.Render(shown.Texts[m.lang()].Stem))), "`", "")
		mark := map[quiz.Verdict]string{quiz.Right: m.signs.Fired, quiz.Partly: m.signs.Fates[view.Behind]}[res.Verdict]
		if mark == "" {
			mark = m.signs.Fates[view.Dropped]
		}
		lead, class := "   ", view.Plain
		if i == q.at {
			lead, class = " "+m.signs.Sel+" ", view.Selected
		}
		verdict := m.text("tui.verdict."+string(res.Verdict), nil)
		line := *m
		line.w = w - 1
		out = append(out, m.style(class, line.bar(lead+mark+" "+stem, verdict)))
	}
	return window(out, max(0, q.at+6-h), h), nil
}

func joinLines(lines []string) string {
	out := ""
	for i, l := range lines {
		if i > 0 {
			out += " "
		}
		out += l
	}
	return out
}
