package view

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
	"streaminglab/sim"
	"streaminglab/sim/session"
)

// Questions draws items: how they are asked, what a learner may type, and what
// is said about an answer. Both front ends use it.
type Questions struct {
	Loc     *locale.Localizer
	Library *quiz.Library
	Engine  *engine.Engine
	Marker  *quiz.Marker
	Options markdown.Options
}

// Labels are what a learner types for the options: numbers in the order shown,
// or letters where what they belong to has numbers.
type Labels struct {
	IDs     []string // by number - 1
	Letters bool
}

// label is the label of the option at i.
func (l Labels) label(i int) string {
	if l.Letters {
		return string(rune('a' + i))
	}
	return strconv.Itoa(i + 1)
}

// ID is the option of a label. A number is taken where letters are shown, too,
// and a letter also with a Korean input method on.
func (l Labels) ID(n string) (string, bool) {
	if l.Letters {
		n = strings.ToLower(locale.Keys(n))
		for i, id := range l.IDs {
			if n == l.label(i) {
				return id, true
			}
		}
	}
	i, err := strconv.Atoi(n)
	if err != nil || i < 1 || i > len(l.IDs) {
		return "", false
	}
	return l.IDs[i-1], true
}

// Number is what is typed for an option.
func (l Labels) Number(id string) string {
	for i, x := range l.IDs {
		if x == id {
			return l.label(i)
		}
	}
	return id
}

func (q *Questions) lang() quiz.Lang { return quiz.Lang(q.Loc.Lang()) }

func (q *Questions) text(id string, args locale.Args) string { return q.Loc.Text(id, args) }

// Number says which question of a quiz an item is, and what it is worth.
func (q *Questions) Number(it *quiz.Item, n, of int) string {
	args := locale.Args{"N": n, "Items": of}
	if it.Points == 0 {
		return q.text("plain.quiz.number", args)
	}
	return q.Loc.Plural("plain.quiz.number-points", int64(it.Points), args)
}

// Score writes points as briefly as they are.
func Score(s quiz.Score) string { return strings.TrimSuffix(s.Decimal(1), ".0") }

// Render lays out Markdown.
func (q *Questions) Render(text string) []string {
	d, _ := markdown.ParseText("", []byte(text))
	lines := d.Render(q.Options)
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Text
	}
	return out
}

// Labels are the labels of an item as a learner with this seed sees it.
func (q *Questions) Labels(it *quiz.Item, seed uint64, set *quiz.Set) Labels {
	if it.Kind == quiz.TrueFalse {
		return Labels{IDs: []string{"true", "false"}}
	}
	return Labels{IDs: set.OptionOrder(it, seed), Letters: it.Kind == quiz.Match}
}

// Stem is the question with the script and the job file that it is about.
func (q *Questions) Stem(it *quiz.Item, seed uint64) []string {
	return append(q.Text(it), q.Scenario(it, seed)...)
}

// Text is the question alone.
func (q *Questions) Text(it *quiz.Item) []string { return q.Render(it.Texts[q.lang()].Stem) }

// Prompts are the left sides of a match, and the properties that an answer
// must make true.
func (q *Questions) Prompts(it *quiz.Item) []string {
	var out []string
	if it.Kind == quiz.Match {
		for _, p := range it.Prompts {
			out = append(out, q.marked(p.ID+")", p.Texts[q.lang()])...)
		}
		out = append(out, "")
	}
	if len(it.Properties) > 0 {
		out = append(out, q.text("plain.item.properties", nil))
	}
	for _, p := range it.Properties {
		out = append(out, q.marked("-", p.Texts[q.lang()])...)
	}
	return out
}

// Choices are the options, each as lines, in the order of the labels.
func (q *Questions) Choices(it *quiz.Item, l Labels) [][]string {
	if it.Kind == quiz.TrueFalse {
		return [][]string{{"  1. " + q.text("plain.true", nil)}, {"  2. " + q.text("plain.false", nil)}}
	}
	var out [][]string
	for i, id := range l.IDs {
		if o := it.Option(id); o != nil {
			out = append(out, q.marked(l.label(i)+".", o.Texts[q.lang()].Text))
		}
	}
	return out
}

func (q *Questions) marked(mark, text string) []string {
	narrow := *q
	narrow.Options.Width -= len(mark) + 3
	lines := narrow.Render(text)
	for i, l := range lines {
		if i == 0 {
			lines[i] = "  " + mark + " " + l
		} else {
			lines[i] = "  " + strings.Repeat(" ", len(mark)+1) + l
		}
	}
	return lines
}

// Scenario is the script and the job file that a question is about.
func (q *Questions) Scenario(it *quiz.Item, seed uint64) []string {
	if it.Key.Computed == "" {
		return nil
	}
	e, err := q.Engine.Experiment(it.Key.Computed)
	if err != nil {
		return nil
	}
	inst, _, err := e.Instance(seed)
	if err != nil {
		return nil
	}
	out := []string{"", q.text("plain.item.script", nil)}
	for _, l := range strings.Split(strings.TrimSpace(inst.Prefix), "\n") {
		if !strings.HasPrefix(strings.TrimSpace(l), "#") {
			out = append(out, "    "+l)
		}
	}
	return append(out, JobFiles(q.Loc, inst)...)
}

// JobFiles are the job files of an experiment as lines.
func JobFiles(loc *locale.Localizer, e *session.Experiment) []string {
	var names, out []string
	for n := range e.Files {
		names = append(names, n)
	}
	// Those of the script in the order in which it names them: the first one runs.
	named := func(n string) int {
		if i := strings.Index(e.Prefix, n); i >= 0 {
			return i
		}
		return len(e.Prefix)
	}
	sort.Slice(names, func(i, k int) bool {
		if a, b := named(names[i]), named(names[k]); a != b {
			return a < b
		}
		return names[i] < names[k]
	})
	for _, n := range names {
		out = append(out, "", loc.Text("plain.sim.file", locale.Args{"Name": n}))
		for _, l := range strings.Split(strings.TrimRight(string(e.Files[n]), "\n"), "\n") {
			out = append(out, "    "+quiz.VisibleLines(l))
		}
	}
	return append(out, "")
}

// Canonical turns what was typed into the form of answer files: numbers of
// options become their ids. A *sim.Problem says what was not understood.
func (q *Questions) Canonical(it *quiz.Item, l Labels, raw string) (string, *sim.Problem) {
	fields := strings.FieldsFunc(raw, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	wrong := func(w string) (string, *sim.Problem) {
		if l.Letters {
			return "", sim.NewProblem("plain.item.choose-letter", "Typed", quiz.Visible(w), "Last", l.label(len(l.IDs)-1))
		}
		return "", sim.NewProblem("plain.item.choose", "Typed", quiz.Visible(w), "Max", len(l.IDs))
	}
	if it.Kind == quiz.TrueFalse || it.Answer.Type == quiz.TypeBoolean {
		if id, ok := q.truth(raw); ok {
			return id, nil
		}
	}
	switch it.Kind {
	case quiz.Single, quiz.Poll, quiz.TrueFalse:
		if len(fields) == 0 {
			return "", nil
		}
		id, ok := l.ID(fields[0])
		if (!ok || len(fields) > 1) && it.Kind == quiz.TrueFalse {
			return "", sim.NewProblem("plain.item.choose-truth", "Typed", quiz.Visible(raw))
		}
		if !ok || len(fields) > 1 {
			return wrong(raw)
		}
		return id, nil
	case quiz.Multiple, quiz.OrderKind:
		var ids []string
		for _, f := range fields {
			id, ok := l.ID(f)
			if !ok {
				return wrong(f)
			}
			ids = append(ids, id)
		}
		if it.Kind == quiz.OrderKind {
			if len(ids) > 0 && len(ids) < len(l.IDs) {
				return "", sim.NewProblem("plain.item.order-part", "Typed", len(ids), "All", len(l.IDs))
			}
			return strings.Join(ids, " "), nil
		}
		return strings.Join(ids, ","), nil
	case quiz.Match:
		var pairs []string
		paired := map[string]bool{}
		for _, f := range fields {
			prompt, n, ok := strings.Cut(f, "=")
			if !ok {
				return "", sim.NewProblem("plain.item.pairs", "Typed", quiz.Visible(f))
			}
			id, known := l.ID(n)
			if !known {
				return wrong(n)
			}
			pairs = append(pairs, prompt+"="+id)
			paired[prompt] = true
		}
		for _, p := range it.Prompts {
			if len(pairs) > 0 && !paired[p.ID] {
				return "", sim.NewProblem("plain.item.match-part", "Prompt", p.ID)
			}
		}
		return strings.Join(pairs, ","), nil
	}
	return raw, nil
}

// truth reads the words for true and false, of either language: who has just
// switched may still think in the other one.
func (q *Questions) truth(raw string) (id string, ok bool) {
	clean, ok := quiz.CleanText(raw)
	if !ok || clean == "" {
		return "", false
	}
	clean = strings.TrimRight(strings.ToLower(clean), ".!")
	for _, lang := range locale.Langs {
		loc := q.Loc.In(lang)
		for id, words := range map[string]string{"true": loc.Text("plain.true.typed", nil), "false": loc.Text("plain.false.typed", nil)} {
			if slices.Contains(strings.Fields(words), clean) {
				return id, true
			}
		}
	}
	return "", false
}

// Typed shows a canonical answer as it would be typed.
func (q *Questions) Typed(it *quiz.Item, l Labels, raw string) string {
	switch it.Kind {
	case quiz.Single, quiz.Poll, quiz.TrueFalse, quiz.Multiple, quiz.OrderKind:
		parts := strings.FieldsFunc(raw, func(r rune) bool { return r == ',' || r == ' ' })
		for i, p := range parts {
			parts[i] = l.Number(p)
		}
		if it.Kind == quiz.Multiple { // a set: in the order in which it is read
			sort.Strings(parts)
		}
		return strings.Join(parts, " ")
	case quiz.Match:
		parts := strings.Split(raw, ",")
		for i, p := range parts {
			if prompt, id, ok := strings.Cut(p, "="); ok {
				parts[i] = prompt + "=" + l.Number(id)
			}
		}
		return strings.Join(parts, " ")
	case quiz.Numeric, quiz.Output:
		// A duration is kept in ms: it is shown in the unit of the question.
		if a, err := quiz.ParseAnswer(it, q.lang(), raw); err == nil && it.Answer.Type == quiz.TypeDuration {
			return a.Quantity.Text(it.Answer)
		}
	}
	return quiz.VisibleLines(raw)
}

// Feedback says whether an answer was right, what the choice means, and why.
func (q *Questions) Feedback(it *quiz.Item, out *quiz.Outcome, l Labels, seed uint64) []string {
	var lines []string
	say := func(id string, args locale.Args) { lines = append(lines, q.Render(q.text(id, args))...) }
	if out.Verdict == quiz.Recorded {
		say("plain.item.poll", nil)
	} else {
		say("plain.verdict."+string(out.Verdict), locale.Args{"Percent": out.Fraction.Times(quiz.Points(100)).Decimal(0)})
	}
	if out.Accents {
		say("plain.item.accents", nil)
	}
	if out.Reason != nil {
		lines = append(lines, markdown.Wrap(narrate.Problem(q.Loc, *out.Reason), q.Options.Width)...)
	}
	if out.Verdict != quiz.Right && out.Reason == nil && len(it.Properties) > 1 {
		for _, p := range it.Properties {
			id := "plain.item.not-held"
			if slices.Contains(out.Held, p.ID) {
				id = "plain.item.held"
			}
			lines = append(lines, q.marked("-", q.text(id, locale.Args{"Property": p.Texts[q.lang()]}))...)
		}
	}
	refuted := func(experiment string) {
		if experiment != "" {
			say("plain.item.refuted", locale.Args{"ID": experiment})
		}
	}
	for _, id := range out.Options {
		if o := it.Option(id); o != nil && o.Texts[q.lang()].Feedback != "" {
			lines = append(lines, q.Render(o.Texts[q.lang()].Feedback)...)
			refuted(o.RefutedBy)
		}
	}
	for _, i := range out.Wrong {
		lines = append(lines, q.Render(it.Wrong[i].Feedback[q.lang()])...)
		refuted(it.Wrong[i].RefutedBy)
	}
	if s := q.Solution(it, l, seed); s != "" && out.Verdict != quiz.Right && out.Verdict != quiz.Recorded {
		lines = append(lines, markdown.Wrap(q.text("plain.item.solution", locale.Args{"Answer": s}), q.Options.Width)...)
	}
	if e := it.Texts[q.lang()].Explain; e != "" {
		lines = append(lines, q.Render(e)...)
	}
	return lines
}

// Recall is what was answered to a poll, to look back on it at the end.
func (q *Questions) Recall(it *quiz.Item, raw string) []string {
	o := it.Option(raw)
	if o == nil {
		return nil
	}
	return q.Render(q.text("plain.item.recall", locale.Args{"Answer": o.Texts[q.lang()].Text}))
}

// Solution is the right answer as it would be typed; empty: there is none.
func (q *Questions) Solution(it *quiz.Item, l Labels, seed uint64) string {
	orig := q.Library.Item(it.ID)
	if orig == nil || it.Kind == quiz.Poll {
		return ""
	}
	s, err := q.Marker.Solve(context.Background(), orig, seed)
	if err != nil {
		return ""
	}
	switch it.Kind {
	case quiz.Single, quiz.Multiple:
		return q.Typed(it, l, strings.Join(s.Correct, ","))
	case quiz.TrueFalse:
		return q.Typed(it, l, strconv.FormatBool(s.True))
	case quiz.Match:
		var pairs []string
		for _, p := range s.Pairs {
			pairs = append(pairs, p[0]+"="+p[1])
		}
		return q.Typed(it, l, strings.Join(pairs, ","))
	case quiz.OrderKind:
		return q.Typed(it, l, strings.Join(s.Order.Example(), " "))
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
