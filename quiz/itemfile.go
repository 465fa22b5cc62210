package quiz

import (
	"path"
	"slices"
	"strings"
)

var (
	validID  = lazy(`^[\p{L}\p{N}._-]{1,64}$`)
	optionID = lazy(`^[a-z0-9][a-z0-9-]{0,15}$`)
	ruleID   = lazy(`^[A-Z]+-?[0-9]+(\.[0-9]+)*[a-z]?$`)
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
		if !ruleID().MatchString(r) {
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
		it.Wrong = readWrongModels(t, it.Kind, it.Prompts)
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
	if !validID().MatchString(id) {
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
