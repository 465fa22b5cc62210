package quiz

import (
	"errors"
	"math/big"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	validID  = regexp.MustCompile(`^[\p{L}\p{N}._-]{1,64}$`)
	optionID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,15}$`)
	ruleID   = regexp.MustCompile(`^[A-Z]+-?[0-9]+(\.[0-9]+)*[a-z]?$`)
)

// ParseItem reads an item from its file, strictly: a key that this kind does
// not know, a missing key, a text that only one language has are all
// [Problems] with file and line. file is used for positions and must be named
// after the id of the item.
func ParseItem(file string, data []byte) (*Item, error) {
	doc, t := readTOML(file, data)
	if t == nil {
		return nil, doc.problems.orNil()
	}
	it := readItem(t)
	t.close()
	if len(doc.problems) == 0 {
		checkWording(doc, it)
	}
	doc.problems.sort()
	if err := doc.problems.orNil(); err != nil {
		return nil, err
	}
	return it, nil
}

func readItem(t *table) *Item {
	it := &Item{Pos: t.pos(), Texts: map[Lang]Texts{}}
	it.ID = t.identity()
	kinds := make([]string, len(Kinds))
	for i, k := range Kinds {
		kinds[i] = string(k)
	}
	kind := t.text("kind", true)
	if !slices.Contains(kinds, kind) {
		if kind != "" {
			t.fail("kind", errUnknownWord, "Value", kind, "Want", strings.Join(kinds, ", "))
		}
		// Without a kind every other key would be called unknown.
		for key := range t.m {
			t.seen[key] = true
		}
		return it
	}
	it.Kind = Kind(kind)
	it.Covers = t.texts("covers", false)
	it.Rules = t.texts("rules", false)
	for _, r := range it.Rules {
		if !ruleID.MatchString(r) {
			t.fail("rules", errBadID, "Value", r)
		}
	}
	it.Vary = t.text("vary", false)
	if it.Kind != Poll {
		it.Points = t.number("points", true, 1, 1, 100)
		it.Key = readKey(t, it.Kind)
	}
	if it.Vary == "" {
		it.Vary = it.Key.Computed
	}
	switch it.Kind {
	case Single, Multiple, Poll, OrderKind, Match:
		it.KeepOrder = t.flag("keep_order")
		it.Options = readOptions(t, it.Kind)
	case Counterexample, Fix:
		it.Properties = readProperties(t)
		it.Reference = t.text("reference", true)
	}
	switch it.Kind {
	case Multiple:
		if t.has("scoring") {
			it.Scoring = t.rule("scoring")
		}
	case Match:
		it.Prompts = readPrompts(t)
	case Fix:
		it.Replaces = t.text("replaces", true)
		it.Seeds = t.number("seeds", false, 1, 1, 20)
	}
	if it.Kind != Poll {
		it.Answer = readAnswerSpec(t, it.Kind)
	}
	switch it.Kind {
	case TrueFalse, Numeric, TextKind, Output, OrderKind, Match:
		it.Wrong = readWrongModels(t, it.Kind)
	}
	for _, lang := range Languages {
		if lt := t.child(string(lang), true); lt != nil {
			it.Texts[lang] = Texts{
				Stem:    lt.text("stem", true),
				Explain: lt.text("explain", it.Kind != Poll),
				Hints:   lt.texts("hints", false),
			}
			lt.close()
		}
	}
	checkKey(t, it)
	return it
}

// identity reads the id and holds it against the name of the file.
func (t *table) identity() string {
	id := t.text("id", true)
	if id == "" {
		return ""
	}
	if !validID.MatchString(id) {
		t.fail("id", errBadID, "Value", id)
	} else if want := strings.TrimSuffix(path.Base(t.doc.file), ".toml"); id != want {
		t.fail("id", errNameDiffers, "Value", id, "Want", want)
	}
	return id
}

func (t *table) rule(key string) Rule {
	words := make([]string, len(ChoiceRules))
	for i, r := range ChoiceRules {
		words[i] = string(r)
	}
	return Rule(t.word(key, false, words...))
}

func readKey(t *table, kind Kind) Key {
	kt := t.child("key", true)
	if kt == nil {
		return Key{}
	}
	defer kt.close()
	k := Key{Pos: kt.pos()}
	stated, isStated := kt.value("stated", false)
	k.Computed = kt.text("computed", false)
	switch {
	case isStated && kt.has("computed"):
		t.fail("key", errKeyBoth)
	case !isStated && !kt.has("computed"):
		t.fail("key", errKeyNeither)
	case isStated:
		if kind == Output || kind == Counterexample || kind == Fix {
			t.fail("key", errKeyMustCompute, "Kind", string(kind))
		}
		k.Source = kt.text("source", true)
		var ok bool
		if k.Stated, ok = plain(stated); !ok {
			kt.wrongType("stated", "string | number | boolean | list")
		}
	default:
		k.Expression = kt.text("expression", false)
	}
	return k
}

func readOptions(t *table, kind Kind) []Option {
	var out []Option
	for _, ot := range t.children("option", true) {
		o := Option{Pos: ot.pos(), Texts: map[Lang]OptionTexts{}}
		o.ID = ot.optionID(func(id string) bool {
			return slices.ContainsFunc(out, func(o Option) bool { return o.ID == id })
		})
		if kind != Poll {
			o.Value = ot.literal("value")
		}
		if kind == Single || kind == Multiple {
			o.Answers = ot.text("answers", false)
			o.Holds = ot.text("holds", false)
			o.Misconception = ot.text("misconception", false)
			o.RefutedBy = ot.text("refuted_by", false)
			o.Source = ot.text("source", false)
		}
		common := ot.text("text", false)
		for _, lang := range Languages {
			texts := OptionTexts{Text: common}
			if lt := ot.child(string(lang), common == ""); lt != nil {
				if common == "" {
					texts.Text = lt.text("text", true)
				}
				texts.Feedback = lt.text("feedback", false)
				lt.close()
			}
			o.Texts[lang] = texts
		}
		ot.close()
		out = append(out, o)
	}
	if len(out) == 1 || len(out) > 26 {
		t.fail("option", errOptionCount, "Count", len(out), "Min", 2, "Max", 26)
	}
	return out
}

// optionID reads a stable id that no earlier sibling has.
func (t *table) optionID(taken func(string) bool) string {
	id := t.text("id", true)
	switch {
	case id == "":
	case !optionID.MatchString(id):
		t.fail("id", errBadID, "Value", id)
	case taken(id):
		t.fail("id", errDuplicateID, "Value", id)
	}
	return id
}

func (t *table) literal(key string) any {
	v, ok := t.value(key, false)
	if !ok {
		return nil
	}
	p, ok := plain(v)
	if !ok {
		t.wrongType(key, "string | number | boolean | list")
	}
	return p
}

func readPrompts(t *table) []Prompt {
	var out []Prompt
	for _, pt := range t.children("prompt", true) {
		p := Prompt{Pos: pt.pos()}
		p.ID = pt.optionID(func(id string) bool {
			return slices.ContainsFunc(out, func(p Prompt) bool { return p.ID == id })
		})
		p.Answers = pt.text("answers", false)
		p.Texts = pt.wording("text")
		pt.close()
		out = append(out, p)
	}
	return out
}

func readProperties(t *table) []Property {
	var out []Property
	for _, pt := range t.children("property", false) {
		p := Property{Pos: pt.pos()}
		p.ID = pt.optionID(func(id string) bool {
			return slices.ContainsFunc(out, func(p Property) bool { return p.ID == id })
		})
		p.Expression = pt.text("expression", true)
		p.Texts = pt.wording("text")
		pt.close()
		out = append(out, p)
	}
	return out
}

func readWrongModels(t *table, kind Kind) []WrongModel {
	var out []WrongModel
	for _, mt := range t.children("misconception", false) {
		m := WrongModel{Pos: mt.pos()}
		m.Misconception = mt.text("id", true)
		m.Answers = mt.text("answers", false)
		m.Value = mt.literal("value")
		m.RefutedBy = mt.text("refuted_by", false)
		m.Source = mt.text("source", false)
		m.Feedback = mt.wording("feedback")
		switch {
		case m.Answers != "" && m.Value != nil:
			mt.fail("answers", errModelBoth)
		case m.Answers == "" && m.Value == nil && kind != TrueFalse:
			t.doc.add(problem(errModelNeither, mt.pos(), "Value", m.Misconception))
		case m.Answers != "" && (kind == OrderKind || kind == Match || kind == TrueFalse):
			mt.fail("answers", errModelLiteral, "Kind", string(kind))
		}
		mt.close()
		out = append(out, m)
	}
	return out
}

// wording reads one text in every language: either the key itself, for code
// and figures that no language changes, or [es] and [ko] tables with it.
func (t *table) wording(key string) map[Lang]string {
	out := map[Lang]string{}
	common := ""
	if key == "text" {
		common = t.text(key, false)
	}
	for _, lang := range Languages {
		out[lang] = common
		if common != "" {
			continue
		}
		if lt := t.child(string(lang), true); lt != nil {
			out[lang] = lt.text(key, true)
			lt.close()
		}
	}
	return out
}

func readAnswerSpec(t *table, kind Kind) AnswerSpec {
	spec := AnswerSpec{}
	needed := kind == Numeric || kind == Output
	at := t.child("answer", needed)
	if kind == TextKind {
		spec.Type = TypeText
	}
	if at == nil {
		return spec
	}
	defer at.close()
	switch kind {
	case Numeric:
		spec.Type = AnswerType(at.word("type", true, string(TypeInteger), string(TypeDecimal), string(TypeTime), string(TypeDuration)))
	case Output:
		spec.Type = AnswerType(at.word("type", true, string(TypeInteger), string(TypeDecimal), string(TypeTime), string(TypeDuration), string(TypeText), string(TypeBoolean)))
	case TextKind:
	default:
		// How strings in the values of options are read.
		spec.Type = AnswerType(at.word("type", true, string(TypeInteger), string(TypeDecimal), string(TypeTime), string(TypeDuration)))
	}
	switch spec.Type {
	case TypeText:
		spec.Text.ExactCase = at.word("case", false, "fold", "exact") == "exact"
		spec.Text.ExactAccents = at.word("accents", false, "lenient", "exact") == "exact"
		spec.Text.IgnoreSpaces = at.word("spaces", false, "keep", "ignore") == "ignore"
		spec.Glossary = at.flag("glossary")
	case TypeBoolean:
	default:
		spec.Unit = at.text("unit", false)
		if _, known := unitMillis[spec.Unit]; spec.Type == TypeDuration && spec.Unit != "" && !known {
			at.fail("unit", errUnknownWord, "Value", spec.Unit, "Want", "ms, s, min, h")
		}
		spec.Tolerance = at.decimal("tolerance")
		spec.Relative = at.decimal("relative")
		if spec.Type == TypeTime {
			spec.Day = at.text("day", false)
			if _, err := time.Parse(time.DateOnly, spec.Day); spec.Day != "" && err != nil {
				at.fail("day", errTimeFormat, "Value", spec.Day)
			}
		}
	}
	return spec
}

// decimal reads an exact number that is not negative.
func (t *table) decimal(key string) Score {
	switch v := t.literal(key).(type) {
	case int64:
		if v >= 0 {
			return Points(int(v))
		}
		t.fail(key, errOutOfRange, "Value", v, "Min", 0, "Max", "")
	case *big.Rat:
		if v.Sign() >= 0 {
			return Score{v}
		}
		t.fail(key, errOutOfRange, "Value", v.FloatString(4), "Min", 0, "Max", "")
	case nil:
	default:
		t.wrongType(key, "number")
	}
	return Score{}
}

// checkKey holds the key against the kind and the options.
func checkKey(t *table, it *Item) {
	if it.Kind == Poll || it.Key.Computed == "" && it.Key.Stated == nil {
		return
	}
	if it.Key.Computed == "" {
		checkStated(t, it)
		return
	}
	holds, values := 0, 0
	for _, o := range it.Options {
		n := 0
		if o.Value != nil {
			n++
			values++
		}
		if o.Answers != "" {
			n++
			values++
		}
		if o.Holds != "" {
			n++
			holds++
		}
		if n != 1 {
			t.doc.add(problem(errOptionValue, o.Pos, "Value", o.ID))
		}
	}
	needsExpression := true
	switch it.Kind {
	case Single, Multiple:
		if holds > 0 && values > 0 {
			t.fail("option", errOptionMixed)
		}
		needsExpression = holds == 0
	case Match:
		needsExpression = false
		for _, p := range it.Prompts {
			if p.Answers == "" {
				t.doc.add(problem(errMissingKey, p.Pos, "Key", "prompt.answers"))
			}
		}
	case Counterexample, Fix:
		needsExpression = len(it.Properties) == 0
	}
	switch {
	case needsExpression && it.Key.Expression == "":
		t.doc.add(problem(errMissingKey, it.Key.Pos, "Key", "key.expression"))
	case !needsExpression && it.Key.Expression != "":
		t.doc.add(problem(errUnknownKey, it.Key.Pos, "Key", "key.expression", "Nearest", ""))
	}
}

// checkStated reads a stated key once, so that a wrong one is found with its
// line when the file is read and not when a learner answers.
func checkStated(t *table, it *Item) {
	for _, o := range it.Options {
		if o.Value != nil || o.Answers != "" || o.Holds != "" {
			t.doc.add(problem(errOptionNoValue, o.Pos, "Value", o.ID))
		}
	}
	for _, p := range it.Prompts {
		if p.Answers != "" {
			t.doc.add(problem(errOptionNoValue, p.Pos, "Value", p.ID))
		}
	}
	for _, w := range it.Wrong {
		if w.Answers != "" {
			t.doc.add(problem(errModelNoTrace, w.Pos, "Value", w.Misconception))
		}
	}
	if len(placeholders(statedText(it.Key.Stated))) > 0 {
		return // only a seed can tell
	}
	var p Problem
	if _, err := solveStated(it); errors.As(keyProblem(it, err), &p) && p.ID != errKeyMustCompute { // which readKey has said
		t.doc.add(p)
	}
}
