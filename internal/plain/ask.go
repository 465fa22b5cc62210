package plain

import (
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/progress"
	"streaminglab/internal/view"
	"streaminglab/quiz"
)

// asking says how an item is asked.
type asking struct {
	lesson, quiz string
	set          *quiz.Set
	seed         uint64
	// feedback shows whether the answer was right, and why, after it is locked.
	feedback bool
	rule     quiz.Rule
	number   string
}

// questions draws items in the present language.
func (a *App) questions() *view.Questions {
	return &view.Questions{Loc: a.Loc, Library: a.Library, Engine: a.Engine, Marker: a.mark(), Options: a.options()}
}

// signs are those of the pictures.
func (a *App) signs() view.Signs {
	if a.ASCII {
		return view.ASCII
	}
	return view.Unicode
}

// question prints an item as a learner with this seed sees it.
func (a *App) question(it *quiz.Item, seed uint64, set *quiz.Set) view.Labels {
	q := a.questions()
	l := q.Labels(it, seed, set)
	a.print(q.Stem(it, seed)...)
	a.print(q.Prompts(it)...)
	for _, c := range q.Choices(it, l) {
		a.print(c...)
	}
	return l
}

// ask asks an item, locks the answer and returns how it was marked.
func (a *App) ask(it *quiz.Item, q asking) (*quiz.Outcome, error) {
	shown, err := a.mark().Present(a.context(), it, q.seed)
	if err != nil {
		return nil, err
	}
	if q.number != "" {
		a.print(q.number)
	}
	l := a.question(shown, q.seed, q.set)
	hints, skipped := 0, false
	hint := func() {
		texts := shown.Texts[a.lang()].Hints
		switch {
		case len(texts) == 0:
			a.say("plain.item.no-hint", nil)
		case hints >= len(texts):
			a.say("plain.sim.no-hint", nil)
		default:
			hints++
			a.keep(progress.HintShown{Item: it.ID, Hint: hints})
			a.print(a.render(a.text("plain.sim.hint", locale.Args{"N": hints, "Text": texts[hints-1]}))...)
		}
	}
	for {
		raw, err := a.answerTo(shown, hint)
		if err != nil {
			return nil, err
		}
		switch {
		case switches(raw):
			return nil, errLanguage
		case strings.TrimSpace(raw) == "?":
			hint()
			continue
		case quits(raw):
			return nil, errQuit
		case strings.TrimSpace(raw) == "" && a.Prompting && !skipped:
			// One slip of Enter is not an answer; two are.
			skipped = true
			a.say("plain.item.skip", nil)
			continue
		}
		skipped = false
		canonical, unclear := a.questions().Canonical(shown, l, raw)
		if unclear != nil {
			a.problem(unclear)
			continue
		}
		out, err := a.mark().Mark(a.context(), it, q.rule, q.seed, a.lang(), canonical)
		if err != nil {
			return nil, err
		}
		if out.Verdict == quiz.Invalid || out.Unread {
			if out.Reason != nil {
				a.problem(*out.Reason)
			}
			a.say("plain.item.again", nil)
			continue
		}
		if c := out.Answer.Canonical(); c != "" {
			canonical = c
		}
		// Locked before anything is shown.
		a.keep(progress.AnswerLocked{Lesson: q.lesson, Quiz: q.quiz, Item: it.ID, Raw: canonical, Hints: hints, Seed: q.seed})
		if q.feedback {
			a.print(a.questions().Feedback(shown, &out, l, q.seed)...)
		} else {
			a.say("plain.item.kept", nil)
		}
		return &out, nil
	}
}

// answerTo reads an answer: one line, or several for a script or a file, where
// hint answers a ? between them.
func (a *App) answerTo(it *quiz.Item, hint func()) (string, error) {
	prompt := a.text("plain.item.prompt."+string(it.Kind), nil)
	if it.Kind != quiz.Counterexample && it.Kind != quiz.Fix {
		return a.read(prompt)
	}
	if a.Prompting {
		a.print(prompt)
	}
	var lines []string
	for {
		line, err := a.read(">")
		if err != nil {
			if len(lines) > 0 {
				break
			}
			return "", err
		}
		if len(lines) == 0 && (switches(line) || quits(line)) {
			return line, nil
		}
		switch strings.TrimSpace(line) {
		case "?":
			hint()
			continue
		case ".":
			return strings.Join(lines, "\n"), nil
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), nil
}

// again shows what was answered before, with the explanation.
func (a *App) again(it *quiz.Item, old progress.Answer) error {
	shown, err := a.mark().Present(a.context(), it, old.Seed)
	if err != nil {
		return err
	}
	l := a.question(shown, old.Seed, nil)
	out, err := a.mark().Mark(a.context(), it, "", old.Seed, a.lang(), old.Raw)
	if err != nil {
		return err
	}
	a.say("plain.item.before", locale.Args{"Answer": a.questions().Typed(shown, l, old.Raw)})
	a.print(a.questions().Feedback(shown, &out, l, old.Seed)...)
	return nil
}
