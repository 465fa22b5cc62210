package plain

import (
	"fmt"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/progress"
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

// labels are what a learner types for the options: numbers in the order shown.
type labels struct {
	ids []string // by number - 1
}

func (l labels) id(n string) (string, bool) {
	i, err := strconv.Atoi(n)
	if err != nil || i < 1 || i > len(l.ids) {
		return "", false
	}
	return l.ids[i-1], true
}

func (l labels) number(id string) string {
	for i, x := range l.ids {
		if x == id {
			return strconv.Itoa(i + 1)
		}
	}
	return id
}

// question prints an item as a learner with this seed sees it.
func (a *App) question(it *quiz.Item, seed uint64, set *quiz.Set) labels {
	t := it.Texts[a.lang()]
	a.print(a.render(t.Stem)...)
	a.scenario(it, seed)
	l := labels{ids: set.OptionOrder(it, seed)}
	if it.Kind == quiz.TrueFalse {
		a.print("  1. "+a.text("plain.true", nil), "  2. "+a.text("plain.false", nil))
		return labels{ids: []string{"true", "false"}}
	}
	if it.Kind == quiz.Match {
		for _, p := range it.Prompts {
			a.option(p.ID+")", p.Texts[a.lang()])
		}
		a.print("")
	}
	for i, id := range l.ids {
		o := it.Option(id)
		a.option(fmt.Sprintf("%d.", i+1), o.Texts[a.lang()].Text)
	}
	if len(it.Properties) > 0 {
		for _, p := range it.Properties {
			a.option("-", p.Texts[a.lang()])
		}
	}
	return l
}

func (a *App) option(mark, text string) {
	lines := a.render(text)
	for i, l := range lines {
		if i == 0 {
			a.print("  " + mark + " " + l)
		} else {
			a.print("  " + strings.Repeat(" ", len(mark)+1) + l)
		}
	}
}

// scenario prints the script and the job file that a question is about.
func (a *App) scenario(it *quiz.Item, seed uint64) {
	switch it.Kind {
	case quiz.Output, quiz.Counterexample, quiz.Fix:
	default:
		if it.Key.Computed == "" {
			return
		}
	}
	e, err := a.experiment(it.Key.Computed)
	if err != nil {
		return
	}
	inst, _, err := e.Instance(seed)
	if err != nil {
		return
	}
	a.print("", a.text("plain.item.script", nil))
	for _, l := range strings.Split(strings.TrimSpace(inst.Prefix), "\n") {
		if !strings.HasPrefix(strings.TrimSpace(l), "#") {
			a.print("    " + l)
		}
	}
	for _, n := range jobFiles(inst) {
		a.print("", a.text("plain.sim.file", locale.Args{"Name": n}))
		for _, l := range strings.Split(strings.TrimRight(string(inst.Files[n]), "\n"), "\n") {
			a.print("    " + l)
		}
	}
	a.print("")
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
	hints := 0
	for {
		raw, err := a.answerTo(shown, l)
		if err != nil {
			return nil, err
		}
		switch {
		case switches(raw):
			return nil, errLanguage
		case strings.TrimSpace(raw) == "?":
			texts := shown.Texts[a.lang()].Hints
			if hints >= len(texts) {
				a.say("plain.sim.no-hint", nil)
				continue
			}
			hints++
			a.keep(progress.HintShown{Item: it.ID, Hint: hints})
			a.print(a.render(a.text("plain.sim.hint", locale.Args{"N": hints, "Text": texts[hints-1]}))...)
			continue
		case strings.EqualFold(strings.TrimSpace(raw), "quit"):
			return nil, errQuit
		}
		canonical, ok := a.canonical(shown, l, raw)
		if !ok {
			continue
		}
		out, err := a.mark().Mark(a.context(), it, q.rule, q.seed, a.lang(), canonical)
		if err != nil {
			return nil, err
		}
		if out.Verdict == quiz.Invalid {
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
			a.feedback(shown, &out, l, q.seed)
		} else {
			a.say("plain.item.kept", nil)
		}
		return &out, nil
	}
}

// answerTo reads an answer: one line, or several for a script or a file.
func (a *App) answerTo(it *quiz.Item, l labels) (string, error) {
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
		if len(lines) == 0 && (switches(line) || strings.TrimSpace(line) == "?" || strings.EqualFold(strings.TrimSpace(line), "quit")) {
			return line, nil
		}
		if strings.TrimSpace(line) == "." {
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), nil
}

// canonical turns what was typed into the form of answer files: numbers of
// options become their ids.
func (a *App) canonical(it *quiz.Item, l labels, raw string) (string, bool) {
	fields := strings.FieldsFunc(raw, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	wrong := func(w string) (string, bool) {
		a.say("plain.item.choose", locale.Args{"Typed": quiz.Visible(w), "Max": len(l.ids)})
		return "", false
	}
	switch it.Kind {
	case quiz.Single, quiz.Poll, quiz.TrueFalse:
		if len(fields) == 0 {
			return "", true
		}
		id, ok := l.id(fields[0])
		if !ok || len(fields) > 1 {
			return wrong(raw)
		}
		return id, true
	case quiz.Multiple, quiz.OrderKind:
		var ids []string
		for _, f := range fields {
			id, ok := l.id(f)
			if !ok {
				return wrong(f)
			}
			ids = append(ids, id)
		}
		if it.Kind == quiz.OrderKind {
			return strings.Join(ids, " "), true
		}
		return strings.Join(ids, ","), true
	case quiz.Match:
		var pairs []string
		for _, f := range fields {
			prompt, n, ok := strings.Cut(f, "=")
			if !ok {
				a.say("plain.item.pairs", locale.Args{"Typed": quiz.Visible(f)})
				return "", false
			}
			id, known := l.id(n)
			if !known {
				return wrong(n)
			}
			pairs = append(pairs, prompt+"="+id)
		}
		return strings.Join(pairs, ","), true
	}
	return raw, true
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
	a.say("plain.item.before", locale.Args{"Answer": a.typed(shown, l, old.Raw)})
	a.feedback(shown, &out, l, old.Seed)
	return nil
}

// typed shows a canonical answer as it would be typed.
func (a *App) typed(it *quiz.Item, l labels, raw string) string {
	switch it.Kind {
	case quiz.Single, quiz.Poll, quiz.TrueFalse, quiz.Multiple, quiz.OrderKind:
		parts := strings.FieldsFunc(raw, func(r rune) bool { return r == ',' || r == ' ' })
		for i, p := range parts {
			parts[i] = l.number(p)
		}
		return strings.Join(parts, " ")
	case quiz.Match:
		parts := strings.Split(raw, ",")
		for i, p := range parts {
			if prompt, id, ok := strings.Cut(p, "="); ok {
				parts[i] = prompt + "=" + l.number(id)
			}
		}
		return strings.Join(parts, " ")
	}
	return quiz.VisibleLines(raw)
}

// feedback says whether the answer was right, what the choice means, and why.
func (a *App) feedback(it *quiz.Item, out *quiz.Outcome, l labels, seed uint64) {
	if out.Verdict == quiz.Recorded {
		a.say("plain.item.poll", nil)
	} else {
		a.say("plain.verdict."+string(out.Verdict), locale.Args{"Percent": out.Fraction.Times(quiz.Points(100)).Decimal(0)})
	}
	if out.Accents {
		a.say("plain.item.accents", nil)
	}
	if out.Reason != nil {
		a.problem(*out.Reason)
	}
	lang := a.lang()
	for _, id := range out.Options {
		if o := it.Option(id); o != nil && o.Texts[lang].Feedback != "" {
			a.print(a.render(o.Texts[lang].Feedback)...)
			a.refuted(o.RefutedBy)
		}
	}
	for _, i := range out.Wrong {
		a.print(a.render(it.Wrong[i].Feedback[lang])...)
		a.refuted(it.Wrong[i].RefutedBy)
	}
	if s := a.solution(it, l, seed); s != "" && out.Verdict != quiz.Right && out.Verdict != quiz.Recorded {
		a.say("plain.item.solution", locale.Args{"Answer": s})
	}
	if e := it.Texts[lang].Explain; e != "" {
		a.print(a.render(e)...)
	}
}

func (a *App) refuted(experiment string) {
	if experiment != "" {
		a.print(a.render(a.text("plain.item.refuted", locale.Args{"ID": experiment}))...)
	}
}

// solution is the right answer as it would be typed.
func (a *App) solution(it *quiz.Item, l labels, seed uint64) string {
	orig := a.Library.Item(it.ID)
	if orig == nil || it.Kind == quiz.Poll {
		return ""
	}
	s, err := a.mark().Solve(a.context(), orig, seed)
	if err != nil {
		return ""
	}
	switch it.Kind {
	case quiz.Single, quiz.Multiple:
		return a.typed(it, l, strings.Join(s.Correct, ","))
	case quiz.TrueFalse:
		return a.typed(it, l, strconv.FormatBool(s.True))
	case quiz.Match:
		var pairs []string
		for _, p := range s.Pairs {
			pairs = append(pairs, p[0]+"="+p[1])
		}
		return a.typed(it, l, strings.Join(pairs, ","))
	case quiz.OrderKind:
		return a.typed(it, l, strings.Join(s.Order.Example(), " "))
	case quiz.TextKind:
		if len(s.Forms) > 0 {
			return s.Forms[0]
		}
	case quiz.Numeric, quiz.Output:
		if len(s.Forms) > 0 {
			return s.Forms[0]
		}
		return s.Quantity.Text(it.Answer)
	case quiz.Counterexample:
		return "\n" + strings.TrimSpace(it.Reference)
	}
	return ""
}
