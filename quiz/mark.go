package quiz

import (
	"context"
	"errors"
	"slices"
)

// Verdict says what became of one answer.
type Verdict string

// The verdicts.
const (
	Right    Verdict = "right"
	Partly   Verdict = "partial"
	WrongOne Verdict = "wrong"
	Blank    Verdict = "blank"    // nothing was answered: 0 points, and not a try
	Invalid  Verdict = "invalid"  // not of the form that the question asks for: to be asked again; in a file 0 points
	Recorded Verdict = "recorded" // a poll
)

// Outcome is the result of marking one answer.
type Outcome struct {
	Verdict  Verdict
	Fraction Score
	// Reason says why an answer is invalid, or why a script could not be run.
	Reason *Problem
	// Unread is true when Reason says why a script or a job file could not be
	// read or carried out: at a terminal it is mended, in a file it is wrong.
	Unread bool
	// Options are the picked options whose feedback is to be shown, Wrong the
	// indexes into [Item.Wrong] of the wrong models that give this answer.
	Options []string
	Wrong   []int
	// Misconceptions are the ids that Options and Wrong name, each once.
	Misconceptions []string
	// Held are the ids of the properties that the answer made true.
	Held []string
	// Accents is true when the answer is right but for its accents.
	Accents bool
	// Answer is the answer as it was read.
	Answer Answer
}

// Marker computes variants, solutions and outcomes, and remembers them: thirty
// learners with the same seed cost one run of each experiment. Not for
// concurrent use.
type Marker struct {
	Engine   Engine
	Glossary Glossary // may be nil

	variants map[variantKey]*variant
}

type variantKey struct {
	item *Item
	seed uint64
}

type variant struct {
	item     *Item
	solution Solution
	err      error
}

// Present gives the item as a learner with this seed sees it: every ${name}
// filled, in options also ${value}.
func (m *Marker) Present(ctx context.Context, it *Item, seed uint64) (*Item, error) {
	v := m.variant(ctx, it, seed)
	if v.item == nil {
		return nil, v.err
	}
	return v.item, nil
}

// Solve gives the right answer of the item for a seed.
func (m *Marker) Solve(ctx context.Context, it *Item, seed uint64) (Solution, error) {
	v := m.variant(ctx, it, seed)
	return v.solution, v.err
}

func (m *Marker) variant(ctx context.Context, it *Item, seed uint64) *variant {
	if len(it.Names()) == 0 && it.Key.Computed == "" {
		seed = 0 // nothing depends on it
	}
	key := variantKey{it, seed}
	if v, ok := m.variants[key]; ok {
		return v
	}
	v := m.compute(ctx, it, seed)
	if ctx.Err() == nil { // an interrupted run says nothing about the item
		if m.variants == nil {
			m.variants = map[variantKey]*variant{}
		}
		m.variants[key] = v
	}
	return v
}

func (m *Marker) compute(ctx context.Context, it *Item, seed uint64) *variant {
	filled := it
	if len(it.Names()) > 0 {
		if m.Engine == nil {
			return &variant{err: problem(errNoEngine, it.Pos, "Item", it.ID)}
		}
		if it.Vary == "" {
			return &variant{err: problem(errPlaceholder, it.Pos, "Value", it.Names()[0])}
		}
		drawn, err := m.Engine.Vary(it.Vary, seed)
		if err != nil {
			return &variant{err: problem(errExperiment, it.Pos, "Item", it.ID, "Experiment", it.Vary, "Detail", err.Error(), "Cause", err)}
		}
		if filled, err = it.Fill(drawn); err != nil {
			return &variant{err: err}
		}
	}
	solution, err := solve(filled, m.Glossary, runner(ctx, m.Engine, filled, seed))
	if err != nil {
		return &variant{item: filled, err: err}
	}
	shown := withValues(filled, solution)
	if it.Kind == OrderKind {
		known := *shown
		known.right = &solution.Order
		shown = &known
	}
	return &variant{item: shown, solution: solution}
}

// withValues fills ${value} in the texts of options.
func withValues(it *Item, s Solution) *Item {
	if len(s.Values) == 0 {
		return it
	}
	out := *it
	out.Options = slices.Clone(it.Options)
	for i := range out.Options {
		shown := map[string]string{valueName: showValue(s.Values[i], it.Answer)}
		texts := map[Lang]OptionTexts{}
		for _, l := range Languages {
			t := it.Options[i].Texts[l]
			texts[l] = OptionTexts{Text: fill(t.Text, shown), Feedback: fill(t.Feedback, shown)}
		}
		out.Options[i].Texts = texts
	}
	return &out
}

// Mark marks one raw answer. rule is for kind multiple; the item's own rule
// goes before it. The error is a defect of the content or of lab, never
// something that the learner did.
func (m *Marker) Mark(ctx context.Context, it *Item, rule Rule, seed uint64, lang Lang, raw string) (Outcome, error) {
	answer, err := ParseAnswer(it, lang, raw)
	var p Problem
	switch {
	case errors.As(err, &p):
		return Outcome{Verdict: Invalid, Reason: &p}, nil
	case err != nil:
		return Outcome{}, err
	case answer.Blank:
		return Outcome{Verdict: Blank, Answer: answer}, nil
	case it.Kind == Poll:
		return Outcome{Verdict: Recorded, Answer: answer, Options: answer.Choice}, nil
	}
	v := m.variant(ctx, it, seed)
	if v.err != nil {
		return Outcome{}, v.err
	}
	out := Outcome{Answer: answer}
	if it.Scoring != "" {
		rule = it.Scoring
	}
	if it.Kind == Counterexample || it.Kind == Fix {
		err = m.try(ctx, it, seed, answer.Text, &out)
	} else {
		v.judge(rule, &out)
	}
	if err != nil {
		return Outcome{}, err
	}
	switch {
	case out.Fraction.Cmp(Points(1)) >= 0:
		out.Verdict = Right
	case out.Fraction.Cmp(Score{}) > 0:
		out.Verdict = Partly
	default:
		out.Verdict = WrongOne
	}
	v.explain(&out)
	return out, nil
}

// judge compares an answer with the solution.
func (v *variant) judge(rule Rule, out *Outcome) {
	it, s, a := v.item, v.solution, out.Answer
	right := false
	switch it.Kind {
	case Single:
		right = slices.Equal(a.Choice, s.Correct)
	case Multiple:
		t := 0
		for _, id := range a.Choice {
			if slices.Contains(s.Correct, id) {
				t++
			}
		}
		out.Fraction = rule.Choice(len(s.Correct), len(it.Options)-len(s.Correct), t, len(a.Choice)-t)
		return
	case OrderKind:
		out.Fraction = s.Order.Fraction(a.Order)
		return
	case Match:
		hits := 0
		for _, p := range a.Pairs {
			if slices.Contains(s.Pairs, p) {
				hits++
			}
		}
		out.Fraction = Ratio(hits, max(1, len(s.Pairs)))
		return
	case TrueFalse:
		right = a.True == s.True
	case TextKind:
		right, out.Accents = it.accepts(s.Forms, a.Text)
	case Numeric, Output:
		switch it.Answer.Type {
		case TypeBoolean:
			right = a.True == s.True
		case TypeText:
			right, out.Accents = it.accepts(s.Forms, a.Text)
		default:
			right = WithinTolerance(a.Quantity, s.Quantity, it.Answer.Tolerance, it.Answer.Relative)
		}
	}
	if right {
		out.Fraction = Points(1)
	}
}

// accepts compares a text with every accepted form. A form of the glossary is
// compared without its spaces, as the glossary promises.
func (it *Item) accepts(forms []string, text string) (right, accents bool) {
	rule := it.Answer.Text
	if it.Answer.Glossary {
		rule.IgnoreSpaces = true
	}
	for _, form := range forms {
		same, forgiven := SameText(form, text, rule)
		if same && !forgiven {
			return true, false
		}
		right, accents = right || same, accents || forgiven
	}
	return right, accents
}

// try runs what the learner wrote and counts the properties that hold. On each
// seed they say what was drawn for it, as the experiment does.
func (m *Marker) try(ctx context.Context, it *Item, seed uint64, text string, out *Outcome) error {
	if m.Engine == nil {
		return problem(errNoEngine, it.Pos, "Item", it.ID)
	}
	held := make([]bool, len(it.goals()))
	for i := range held {
		held[i] = true
	}
	for n := range max(1, it.Seeds) {
		filled, err := m.Present(ctx, it, seed+uint64(n))
		if err != nil {
			return err
		}
		run := Run{Experiment: it.Key.Computed, Seed: seed + uint64(n)}
		if it.Kind == Fix {
			run.Files = map[string]string{it.Replaces: text}
		} else {
			run.Script = text
		}
		tr, err := m.Engine.Run(ctx, run)
		var learner *LearnerError
		switch {
		case errors.As(err, &learner):
			p := problem(errLearnerScript, Pos{}, "Detail", learner.Error(), "Cause", learner.Err)
			out.Reason, out.Unread, out.Held, out.Fraction = &p, true, nil, Score{}
			return nil
		case err != nil:
			return problem(errExperiment, it.Key.Pos, "Item", it.ID, "Experiment", run.Experiment, "Detail", err.Error(), "Cause", err)
		}
		for i, g := range filled.goals() {
			v, err := tr.Evaluate(g.Expression)
			if err != nil {
				return evaluation(it, g.Pos, g.Expression, err)
			}
			holds, ok := boolOf(v)
			if !ok {
				return problem(errShapeBool, g.Pos, "Item", it.ID)
			}
			held[i] = held[i] && holds
		}
	}
	for i, g := range it.goals() {
		if held[i] {
			out.Held = append(out.Held, g.ID)
		}
	}
	out.Fraction = Ratio(len(out.Held), len(held))
	return nil
}

// explain finds the feedback that belongs to the answer.
func (v *variant) explain(out *Outcome) {
	name := func(id string) {
		if id != "" && !slices.Contains(out.Misconceptions, id) {
			out.Misconceptions = append(out.Misconceptions, id)
		}
	}
	out.Options = out.Answer.Choice
	for _, id := range out.Options {
		if !slices.Contains(v.solution.Correct, id) {
			name(v.item.Option(id).Misconception)
		}
	}
	if out.Verdict == Right {
		return
	}
	for i, w := range v.item.Wrong {
		if i < len(v.solution.Wrong) && v.item.answeredBy(v.solution.Wrong[i], out.Answer) {
			out.Wrong = append(out.Wrong, i)
			name(w.Misconception)
		}
	}
}

// answeredBy says whether a wrong model's value is this answer.
func (it *Item) answeredBy(value any, a Answer) bool {
	switch it.Kind {
	case TrueFalse: // there is only one wrong answer
		return true
	case OrderKind:
		first, second, ok := cutPair(value, "<")
		i, j := slices.Index(a.Order, first), slices.Index(a.Order, second)
		return ok && i >= 0 && j >= 0 && i < j
	case Match:
		left, right, ok := cutPair(value, "=")
		return ok && slices.Contains(a.Pairs, [2]string{left, right})
	case TextKind:
		text, ok := value.(string)
		same, _ := SameText(text, a.Text, it.Answer.Text)
		return ok && same
	}
	switch it.Answer.Type {
	case TypeBoolean:
		b, ok := boolOf(value)
		return ok && b == a.True
	case TypeText:
		text, ok := value.(string)
		same, _ := SameText(text, a.Text, it.Answer.Text)
		return ok && same
	}
	q, ok := quantityOf(value, it.Answer)
	return ok && q.equal(a.Quantity)
}
