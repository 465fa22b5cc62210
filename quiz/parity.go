package quiz

import (
	"regexp"
	"slices"
	"strings"
)

var (
	codeSpan   = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	figure     = regexp.MustCompile(`[0-9]+(?:[.,:][0-9]+)*`)
	nameInText = regexp.MustCompile(`\$\{([^}]*)\}`)
	validName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
)

// wording is one text of an item in every language, with the path of its key.
type wording struct {
	path  func(Lang) string
	texts map[Lang]string
}

// wordings lists every text that a learner reads, in the order of the file.
func (it *Item) wordings() []wording {
	var out []wording
	add := func(before, after string, get func(Lang) string) {
		w := wording{texts: map[Lang]string{}}
		w.path = func(l Lang) string { return before + string(l) + after }
		for _, l := range Languages {
			w.texts[l] = get(l)
		}
		out = append(out, w)
	}
	add("", ".stem", func(l Lang) string { return it.Texts[l].Stem })
	add("", ".explain", func(l Lang) string { return it.Texts[l].Explain })
	for i := range it.Texts[Languages[0]].Hints {
		add("", ".hints"+index(i), func(l Lang) string {
			if hints := it.Texts[l].Hints; i < len(hints) {
				return hints[i]
			}
			return ""
		})
	}
	for i, o := range it.Options {
		at := "option" + index(i) + "."
		add(at, ".text", func(l Lang) string { return o.Texts[l].Text })
		add(at, ".feedback", func(l Lang) string { return o.Texts[l].Feedback })
	}
	for i, p := range it.Prompts {
		add("prompt"+index(i)+".", ".text", func(l Lang) string { return p.Texts[l] })
	}
	for i, w := range it.Wrong {
		add("misconception"+index(i)+".", ".feedback", func(l Lang) string { return w.Feedback[l] })
	}
	for i, p := range it.Properties {
		add("property"+index(i)+".", ".text", func(l Lang) string { return p.Texts[l] })
	}
	return out
}

// checkWording refuses texts that do not say the same in every language, as
// far as that can be seen: a text that only one has, other placeholders, other
// code, other figures (decimal comma and point aside). Sentences are free.
func checkWording(doc *document, it *Item) {
	first := Languages[0]
	for _, lang := range Languages[1:] {
		if a, b := len(it.Texts[first].Hints), len(it.Texts[lang].Hints); a != b {
			doc.add(problem(errParityHints, doc.pos(string(lang)+".hints"), "Lang", string(lang), "Want", a, "Count", b))
		}
	}
	for _, w := range it.wordings() {
		base := w.texts[first]
		for _, lang := range Languages[1:] {
			text := w.texts[lang]
			path := w.path(lang)
			pos := doc.pos(path)
			if (text == "") != (base == "") {
				missing := lang
				if base == "" {
					missing = first
				}
				doc.add(problem(errParityMissing, doc.pos(w.path(missing)), "Key", w.path(missing), "Lang", string(missing)))
				continue
			}
			compare := func(id string, of func(string) []string) {
				a, b := of(base), of(text)
				if !slices.Equal(a, b) {
					doc.add(problem(id, pos, "Key", path, "Want", strings.Join(a, " "), "Value", strings.Join(b, " ")))
				}
			}
			compare(errParityNames, placeholders)
			compare(errParityCode, codeIn)
			compare(errParityNumbers, figuresIn)
		}
		for _, lang := range Languages {
			for _, name := range placeholders(w.texts[lang]) {
				if !validName.MatchString(name) {
					doc.add(problem(errPlaceholder, doc.pos(w.path(lang)), "Value", name))
				}
			}
		}
	}
}

// placeholders lists the names in ${…}, sorted, each once.
func placeholders(text string) []string {
	var out []string
	for _, m := range nameInText.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func codeIn(text string) []string {
	out := codeSpan.FindAllString(text, -1)
	slices.Sort(out)
	return slices.Compact(out)
}

func figuresIn(text string) []string {
	text = codeSpan.ReplaceAllString(text, " ")
	text = nameInText.ReplaceAllString(text, " ")
	out := figure.FindAllString(text, -1)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], ",", ".")
	}
	slices.Sort(out)
	return slices.Compact(out)
}
