package quiz

import (
	"context"
	"slices"
	"strings"
)

// CheckRequest says what to check a library against. A nil function skips its
// question.
type CheckRequest struct {
	Library  *Library
	Engine   Engine // nil: only what needs no run
	Glossary Glossary
	Seeds    int // how many seeds of an item with variants are tried; 0 is 20

	// Progress is called before each item with the number of items done.
	Progress func(done, total int, item string)

	HasExperiment func(id string) bool
	Broken        func(id string) bool // of experiments: what depends on them is not tried
	// Refutes says whether an experiment declares that it refutes a
	// misconception; that it does is proved with the experiment.
	Refutes      func(experiment, misconception string) bool
	HasStatement func(id string) bool // of the coverage map
	HasRule      func(id string) bool // of the ledger
}

// Check finds what is wrong with items that were read without errors: keys
// that cannot be computed, wrong models that agree with the key, wrong choices
// that name no misconception, nothing that refutes it or what does not, wrong
// models that are written down instead of computed, names of experiments,
// statements and rules that do not exist; and of the whole bank, right options
// that stand mostly at one place. Sorted by file and line. It stops early when
// ctx ends.
func Check(ctx context.Context, req CheckRequest) Problems {
	if req.Seeds == 0 {
		req.Seeds = 20
	}
	c := &checker{req: req, marker: &Marker{Engine: req.Engine, Glossary: req.Glossary}, places: map[int][]Pos{}}
	items := req.Library.Items()
	for i, it := range items {
		if ctx.Err() != nil {
			break
		}
		if req.Progress != nil {
			req.Progress(i, len(items), it.ID)
		}
		c.names(it)
		c.glossary(it)
		c.choices(it)
		if req.Engine != nil && c.usable(it.Key.Computed) && c.usable(it.Vary) {
			c.keys(ctx, it)
			c.experimentsMatter(ctx, it)
		}
	}
	if ctx.Err() == nil {
		c.guessable()
	}
	c.found.sort()
	return slices.CompactFunc(c.found, func(a, b Problem) bool { return a.Error() == b.Error() })
}

// Rule is the last part of a problem's id, for lists of findings.
func (p Problem) Rule() string { return p.ID[strings.LastIndexByte(p.ID, '.')+1:] }

type checker struct {
	req    CheckRequest
	marker *Marker
	found  Problems
	places map[int][]Pos // of single items: which option is right, counted from 1, and where it is written
}

func (c *checker) add(id string, pos Pos, pairs ...any) {
	c.found = append(c.found, problem(id, pos, pairs...))
}

// usable reports whether an experiment can be run; whoever finds that it
// cannot says so, once.
func (c *checker) usable(id string) bool {
	if id == "" {
		return true
	}
	return (c.req.HasExperiment == nil || c.req.HasExperiment(id)) && (c.req.Broken == nil || !c.req.Broken(id))
}

func (c *checker) experiment(it *Item, pos Pos, id string) {
	if id != "" && c.req.HasExperiment != nil && !c.req.HasExperiment(id) {
		c.add(errNoExperiment, pos, "Item", it.ID, "Experiment", id)
	}
}

// refutation wants the experiment that an item sends a learner to to be one
// that refutes the misconception.
func (c *checker) refutation(it *Item, pos Pos, experiment, misconception string) {
	c.experiment(it, pos, experiment)
	if experiment != "" && misconception != "" && c.usable(experiment) &&
		c.req.Refutes != nil && !c.req.Refutes(experiment, misconception) {
		c.add(errRefutedElsewhere, pos, "Item", it.ID, "Misconception", misconception, "Experiment", experiment)
	}
}

// names looks every name up that the library itself does not hold.
func (c *checker) names(it *Item) {
	c.experiment(it, it.Key.Pos, it.Key.Computed)
	if it.Vary != it.Key.Computed {
		c.experiment(it, it.Pos, it.Vary)
	}
	for _, o := range it.Options {
		c.refutation(it, o.Pos, o.RefutedBy, o.Misconception)
	}
	for _, w := range it.Wrong {
		c.refutation(it, w.Pos, w.RefutedBy, w.Misconception)
	}
	for _, s := range it.Covers {
		if c.req.HasStatement != nil && !c.req.HasStatement(s) {
			c.add(errNoStatement, it.Pos, "Item", it.ID, "Value", s)
		}
	}
	for _, r := range it.Rules {
		if c.req.HasRule != nil && !c.req.HasRule(r) {
			c.add(errNoRule, it.Pos, "Item", it.ID, "Value", r)
		}
	}
}

// glossary wants at least one stated form to be a term that it knows.
func (c *checker) glossary(it *Item) {
	if !it.Answer.Glossary || c.req.Glossary == nil || it.Key.Stated == nil || it.Kind != TextKind {
		return
	}
	s, err := solveStated(it)
	if err != nil {
		return
	}
	if !slices.ContainsFunc(s.Forms, func(f string) bool { _, ok := c.req.Glossary.Forms(f); return ok }) {
		c.add(errNoTerm, it.Key.Pos, "Item", it.ID, "Value", strings.Join(s.Forms, ", "))
	}
}

// choices wants a name and a refutation for what a learner can get wrong.
func (c *checker) choices(it *Item) {
	for _, w := range it.Wrong {
		if it.Key.Computed != "" && w.Value != nil {
			c.add(errModelValue, w.Pos, "Item", it.ID, "Value", w.Misconception)
		}
		if !refuted(it, w.RefutedBy, w.Source) {
			c.add(errNotRefuted, w.Pos, "Item", it.ID, "Value", w.Misconception)
		}
	}
	computed := it.Key.Computed != "" && (it.Kind == Numeric || it.Kind == Output)
	if len(it.Wrong) == 0 && (computed || it.Kind == TrueFalse) {
		c.add(errNoWrongModel, it.Pos, "Item", it.ID)
	}
	if it.Kind != Single && it.Kind != Multiple {
		return
	}
	var correct []string
	if it.Key.Computed == "" {
		if s, err := solveStated(it); err == nil {
			correct = s.Correct
		}
	}
	for _, o := range it.Options {
		wrong := o.Misconception != "" || it.Key.Computed == "" && !slices.Contains(correct, o.ID)
		if wrong {
			c.wrongOption(it, o)
		}
	}
}

// refuted wants an experiment; where the key itself is only stated, a source
// will do.
func refuted(it *Item, experiment, source string) bool {
	return experiment != "" || source != "" && it.Key.Computed == ""
}

func (c *checker) wrongOption(it *Item, o Option) {
	if o.Misconception == "" {
		c.add(errNotNamed, o.Pos, "Item", it.ID, "Value", o.ID)
	}
	if it.Key.Computed != "" && o.Value != nil {
		c.add(errModelValue, o.Pos, "Item", it.ID, "Value", o.ID)
	}
	if !refuted(it, o.RefutedBy, o.Source) {
		c.add(errNotRefuted, o.Pos, "Item", it.ID, "Value", o.ID)
	}
	for _, l := range Languages {
		if o.Texts[l].Feedback == "" {
			c.add(errNoFeedback, o.Pos, "Item", it.ID, "Value", o.ID, "Lang", string(l))
		}
	}
}

// keys computes the key, for an item with variants over many seeds.
func (c *checker) keys(ctx context.Context, it *Item) {
	seeds := 1
	if len(it.Names()) > 0 {
		seeds = c.req.Seeds
	}
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		if it.Kind == Counterexample || it.Kind == Fix {
			c.reference(ctx, it, seed)
			continue
		}
		s, err := c.marker.Solve(ctx, it, seed)
		if err != nil {
			p := *firstProblem(err, it.Pos.File)
			p.Args["Seed"] = seed
			c.found = append(c.found, p)
			return // the next seed would say the same
		}
		filled, err := c.marker.Present(ctx, it, seed)
		if err != nil {
			return
		}
		if p := conflict(filled, s); p != nil {
			p.Args["Seed"] = seed
			c.found = append(c.found, *p)
			return
		}
		if seed == 1 {
			c.place(it, s)
		}
		if it.Key.Computed == "" {
			continue
		}
		for _, o := range filled.Options {
			if (it.Kind == Single || it.Kind == Multiple) && !slices.Contains(s.Correct, o.ID) {
				c.wrongOption(it, *it.Option(o.ID))
			}
		}
	}
}

// fewSingle is the number of single items below which nobody sees a habit.
const fewSingle = 4

// place notes where the right option of a single item stands.
func (c *checker) place(it *Item, s Solution) {
	if it.Kind != Single {
		return
	}
	for i, o := range it.Options {
		if slices.Contains(s.Correct, o.ID) {
			c.places[i+1] = append(c.places[i+1], o.Pos)
		}
	}
}

// guessable wants the right options of single items not to stand at one place
// in more than half of them: lessons show options as they are written, and who
// takes always the same number would pass.
func (c *checker) guessable() {
	all := 0
	for _, at := range c.places {
		all += len(at)
	}
	for place, at := range c.places {
		if all >= fewSingle && 2*len(at) > all {
			first := slices.MinFunc(at, func(a, b Pos) int { return strings.Compare(a.File, b.File) })
			c.add(errGuessable, first, "Place", place, "Count", len(at), "All", all)
		}
	}
}

// conflict finds a wrong model that gives the right answer: then the item
// cannot tell the two apart.
func conflict(it *Item, s Solution) *Problem {
	same := func(pos Pos, name string, value any) *Problem {
		p := problem(errModelEqualsKey, pos, "Item", it.ID, "Misconception", name, "Value", showValue(value, it.Answer))
		return &p
	}
	for _, o := range it.Options {
		if o.Misconception != "" && slices.Contains(s.Correct, o.ID) {
			return same(o.Pos, o.Misconception, o.ID)
		}
	}
	for i, w := range it.Wrong {
		if i >= len(s.Wrong) {
			break
		}
		v := s.Wrong[i]
		equal := false
		switch it.Kind {
		case OrderKind:
			a, b, ok := cutPair(v, "<")
			equal = !ok || s.Order.Before(a, b) || !s.Order.Before(b, a)
		case Match:
			a, b, ok := cutPair(v, "=")
			equal = !ok || slices.Contains(s.Pairs, [2]string{a, b})
		case TextKind:
			text, ok := v.(string)
			right, _ := it.accepts(s.Forms, text)
			equal = !ok || right
		case Numeric, Output:
			switch it.Answer.Type {
			case TypeBoolean:
				b, ok := boolOf(v)
				equal = !ok || b == s.True
			case TypeText:
				text, ok := v.(string)
				right, _ := it.accepts(s.Forms, text)
				equal = !ok || right
			default:
				q, ok := quantityOf(v, it.Answer)
				equal = !ok || WithinTolerance(q, s.Quantity, it.Answer.Tolerance, it.Answer.Relative)
			}
		}
		if equal {
			return same(w.Pos, w.Misconception, v)
		}
	}
	for i, o := range it.Options {
		for j, other := range it.Options[:i] {
			if len(s.Values) > 0 && o.Holds == "" && other.Holds == "" && sameValue(s.Values[i], s.Values[j], it.Answer) {
				p := problem(errOptionsEqual, o.Pos, "Item", it.ID, "Value", o.ID, "Other", other.ID)
				return &p
			}
		}
	}
	return nil
}

// reference wants the reference answer to be right and an answer that changes
// nothing not to be.
func (c *checker) reference(ctx context.Context, it *Item, seed uint64) {
	for _, changed := range []bool{true, false} {
		filled, err := c.marker.Present(ctx, it, seed)
		if err == nil {
			var out Outcome
			if changed {
				err = c.marker.try(ctx, it, seed, filled.Reference, &out)
			} else {
				out, err = c.untouched(ctx, it, seed)
			}
			right := out.Fraction.Cmp(Points(1)) == 0
			switch {
			case err != nil:
			case changed && !right:
				detail := ""
				if out.Reason != nil {
					detail, _ = out.Reason.Args["Detail"].(string)
				}
				c.add(errReferenceFails, it.Key.Pos, "Item", it.ID, "Seed", seed, "Detail", detail)
			case !changed && right:
				c.add(errAlreadyHolds, it.Key.Pos, "Item", it.ID, "Seed", seed)
			}
		}
		if err != nil {
			p := *firstProblem(err, it.Pos.File)
			p.Args["Seed"] = seed
			c.found = append(c.found, p)
			return
		}
	}
}

// untouched marks the experiment as it is.
func (c *checker) untouched(ctx context.Context, it *Item, seed uint64) (Outcome, error) {
	as := *it
	as.Kind = Counterexample // an empty script replaces no file
	var out Outcome
	err := c.marker.try(ctx, &as, seed, "", &out)
	return out, err
}

// experimentsMatter wants every expression to read the trace, the key to change
// when some line of the experiment is gone, and each wrong answer to be another
// one there or on some other experiment.
func (c *checker) experimentsMatter(ctx context.Context, it *Item) {
	d, ok := c.req.Engine.(Dissector)
	if !ok || it.Key.Computed == "" {
		return
	}
	filled, err := c.marker.Present(ctx, it, 1)
	if err != nil {
		return // keys has said so
	}
	var keys []string
	reads := func(pos Pos, expression string, key bool) {
		if expression == "" {
			return
		}
		reads, err := d.ReadsFold(expression)
		switch {
		case err != nil:
			c.found = append(c.found, *firstProblem(evaluation(it, pos, expression, err), it.Pos.File))
		case !reads:
			c.add(errConstant, pos, "Item", it.ID, "Expression", expression)
		case key:
			keys = append(keys, expression)
		}
	}
	reads(filled.Key.Pos, filled.Key.Expression, true)
	for _, o := range filled.Options {
		reads(o.Pos, o.Answers, false)
		reads(o.Pos, o.Holds, true)
	}
	for _, p := range filled.Prompts {
		reads(p.Pos, p.Answers, true)
	}
	for _, w := range filled.Wrong {
		reads(w.Pos, w.Answers, false)
	}
	for _, p := range filled.Properties {
		reads(p.Pos, p.Expression, false)
	}
	if it.Kind == Counterexample || it.Kind == Fix || len(keys) == 0 {
		return
	}
	// A wrong answer that stays whatever the run is was written down, not
	// derived: `0 * len(reads) + 5`.
	derived := func(pos Pos, expression, name string) {
		if reads, err := d.ReadsFold(expression); err != nil || !reads {
			return // said above
		}
		if depends, err := d.DependsOn(ctx, it.Key.Computed, 1, expression); err != nil || depends {
			return
		}
		// What a belief expects may be the same near this run, such as a counter
		// that stays 0: then it must be another one on other runs.
		if varies, err := d.Varies(ctx, expression); err == nil && !varies {
			c.add(errModelIndependent, pos, "Item", it.ID, "Value", name)
		}
	}
	for _, o := range filled.Options {
		if o.Misconception != "" && o.Answers != "" {
			derived(o.Pos, o.Answers, o.ID)
		}
	}
	for _, w := range filled.Wrong {
		if w.Answers != "" {
			derived(w.Pos, w.Answers, w.Misconception)
		}
	}
	for _, expression := range keys {
		depends, err := d.DependsOn(ctx, it.Key.Computed, 1, expression)
		if err != nil {
			c.found = append(c.found, *firstProblem(evaluation(it, it.Key.Pos, expression, err), it.Pos.File))
			return
		}
		if depends {
			return
		}
	}
	c.add(errKeyIndependent, it.Key.Pos, "Item", it.ID, "Experiment", it.Key.Computed)
}

// UsableSeed gives the first seed from `from` on for which no wrong model of
// any member gives the right answer, looking at no more than `most` seeds.
// With a list of seeds in the quiz it takes one of those. ok is false when
// there is none, which [Check] would have found.
func (m *Marker) UsableSeed(ctx context.Context, lib *Library, s *Set, from uint64, most int) (seed uint64, ok bool) {
	for n := range most {
		seed = from + uint64(n)
		if len(s.Seeds) > 0 {
			if n >= len(s.Seeds) {
				return 0, false
			}
			seed = s.Seeds[(from%uint64(len(s.Seeds))+uint64(n))%uint64(len(s.Seeds))]
		}
		if m.usable(ctx, lib, s, seed) {
			return seed, true
		}
	}
	return 0, false
}

func (m *Marker) usable(ctx context.Context, lib *Library, s *Set, seed uint64) bool {
	for _, it := range lib.Members(s) {
		solution, err := m.Solve(ctx, it, seed)
		if err != nil {
			return false
		}
		filled, err := m.Present(ctx, it, seed)
		if err != nil || conflict(filled, solution) != nil {
			return false
		}
	}
	return true
}
