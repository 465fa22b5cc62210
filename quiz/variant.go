package quiz

import (
	"maps"
	"slices"
)

// valueName is the placeholder in the text of an option for what the option's
// expression gave. It is filled by [Marker.Present], not drawn from a seed.
const valueName = "value"

// Names lists the ${names} that the item uses anywhere: texts, values,
// expressions. Without any the item has no variants.
func (it *Item) Names() []string {
	var out []string
	it.mapText(func(s string) string {
		for _, n := range placeholders(s) {
			if n != valueName {
				out = append(out, n)
			}
		}
		return s
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// Fill gives the variant of the item in which every ${name} is replaced by
// what was drawn for it. A name that was not drawn is a [Problem].
func (it *Item) Fill(drawn map[string]string) (*Item, error) {
	for _, name := range it.Names() {
		if _, ok := drawn[name]; !ok {
			return nil, problem(errPlaceholder, it.Pos, "Value", name)
		}
	}
	return it.mapText(func(s string) string { return fill(s, drawn) }), nil
}

func fill(s string, drawn map[string]string) string {
	return nameInText.ReplaceAllStringFunc(s, func(m string) string {
		if v, ok := drawn[m[2:len(m)-1]]; ok {
			return v
		}
		return m
	})
}

// mapText copies the item with f applied to every string that a seed may
// change. The original is shared between learners and never written to.
func (it *Item) mapText(f func(string) string) *Item {
	out := *it
	out.Texts = map[Lang]Texts{}
	for _, l := range Languages {
		t := it.Texts[l]
		hints := make([]string, len(t.Hints))
		for i, h := range t.Hints {
			hints[i] = f(h)
		}
		out.Texts[l] = Texts{Stem: f(t.Stem), Explain: f(t.Explain), Hints: hints}
	}
	out.Key.Expression = f(it.Key.Expression)
	out.Key.Stated = mapValue(it.Key.Stated, f)
	out.Reference = f(it.Reference)
	out.Options = slices.Clone(it.Options)
	for i := range out.Options {
		o := &out.Options[i]
		o.Value, o.Answers, o.Holds = mapValue(o.Value, f), f(o.Answers), f(o.Holds)
		o.Texts = maps.Clone(o.Texts)
		for _, l := range Languages {
			o.Texts[l] = OptionTexts{Text: f(o.Texts[l].Text), Feedback: f(o.Texts[l].Feedback)}
		}
	}
	out.Prompts = slices.Clone(it.Prompts)
	for i := range out.Prompts {
		p := &out.Prompts[i]
		p.Answers, p.Texts = f(p.Answers), mapTexts(p.Texts, f)
	}
	out.Wrong = slices.Clone(it.Wrong)
	for i := range out.Wrong {
		w := &out.Wrong[i]
		w.Answers, w.Value, w.Feedback = f(w.Answers), mapValue(w.Value, f), mapTexts(w.Feedback, f)
	}
	out.Properties = slices.Clone(it.Properties)
	for i := range out.Properties {
		p := &out.Properties[i]
		p.Expression, p.Texts = f(p.Expression), mapTexts(p.Texts, f)
	}
	return &out
}

func mapTexts(texts map[Lang]string, f func(string) string) map[Lang]string {
	out := map[Lang]string{}
	for _, l := range Languages {
		out[l] = f(texts[l])
	}
	return out
}

func mapValue(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = mapValue(e, f)
		}
		return out
	}
	return v
}
