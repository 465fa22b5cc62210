package quiz

import (
	"slices"
	"strings"
)

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
	case !optionID().MatchString(id):
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

func promptIDs(prompts []Prompt) string {
	it := Item{Prompts: prompts}
	return strings.Join(it.PromptIDs(), ", ")
}

func readWrongModels(t *table, kind Kind, prompts []Prompt) []WrongModel {
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
		case m.Answers != "" && kind == TrueFalse:
			mt.fail("answers", errModelLiteral, "Kind", string(kind))
		case m.Answers != "" && kind == Match:
			m.Prompt = mt.text("prompt", true)
			if m.Prompt != "" && !slices.ContainsFunc(prompts, func(p Prompt) bool { return p.ID == m.Prompt }) {
				mt.fail("prompt", errUnknownWord, "Value", m.Prompt, "Want", promptIDs(prompts))
			}
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
