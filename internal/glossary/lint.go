package glossary

import (
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hit is a form in a text that our prose does not use.
type Hit struct {
	Start, End int    // bytes of the text
	Text       string // as it stands there
	Form       string // the form of the glossary
	Term       string // id of the term
	Use        string // what to write instead
}

type rule struct {
	lang    string
	form    string
	term    *Term
	pattern *regexp.Regexp
}

func newRules(t *Term, n Not) []rule {
	var out []rule
	for _, f := range append([]string{n.Form}, n.Also...) {
		p := regexp.QuoteMeta(f)
		if n.Lang == "es" {
			p = spanishPattern(f)
		}
		out = append(out, rule{n.Lang, n.Form, t, regexp.MustCompile(`(?i)` + p)})
	}
	return out
}

// spanishPattern finds the plural too: every word of the form may have its
// ending (puntos de control, conmutaciones por error).
func spanishPattern(form string) string {
	words := strings.Fields(form)
	for i, w := range words {
		p := regexp.QuoteMeta(w)
		switch {
		case strings.HasSuffix(w, "ión"):
			p = strings.TrimSuffix(p, "ón") + "(?:ón|ones)"
		case len(w) > 3 && strings.ContainsAny(w[len(w)-1:], "aeiou"):
			p += "s?"
		case len(w) > 3:
			p += "(?:es)?"
		}
		words[i] = p
	}
	return strings.Join(words, `[\s\x{a0}]+`)
}

// Lint finds the forms in a text of one language ("es", "ko"): whole words of
// prose only. What stands in backquotes, in a fenced block or in the braces of
// a template is code.
func (g *Glossary) Lint(lang, text string) []Hit {
	prose := maskCode(text)
	var hits []Hit
	for _, r := range g.rules {
		if r.lang != lang {
			continue
		}
		for _, at := range r.pattern.FindAllStringIndex(prose, -1) {
			if !wholeWord(lang, prose, at[0], at[1]) {
				continue
			}
			hits = append(hits, Hit{at[0], at[1], text[at[0]:at[1]], r.form, r.term.ID, r.term.Main(lang)})
		}
	}
	sort.Slice(hits, func(i, j int) bool {
		a, b := hits[i], hits[j]
		if a.Start != b.Start {
			return a.Start < b.Start
		}
		return a.End > b.End
	})
	// "reloj de la pared" inside a longer form is one hit.
	out := hits[:0]
	for _, h := range hits {
		if len(out) > 0 && h.Start < out[len(out)-1].End {
			continue
		}
		out = append(out, h)
	}
	return out
}

// tails are the syllables that a particle or an ending after a Korean noun
// begins with: 장벽은 is the word 장벽, 장벽돌 is another one.
const tails = "은는이가을를과와의에로으도만부까보처마들나라랑입하되했됐된한할합됩시적였란인며고께서"

func wholeWord(lang, s string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, _ := utf8.DecodeRuneInString(s[end:])
	if start > 0 && inWord(before) {
		return false
	}
	if end == len(s) || !inWord(after) {
		return true
	}
	return lang == "ko" && strings.ContainsRune(tails, after)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

var codeParts = []*regexp.Regexp{
	regexp.MustCompile("(?ms)^[ \t]*```.*?(?:^[ \t]*```|\\z)"),
	regexp.MustCompile("``[^`]+``|`[^`]+`"),
	regexp.MustCompile(`\{\{.*?\}\}`),
	regexp.MustCompile(`https?://[^\s)>]+`),
}

// maskCode blanks code out, keeping every offset.
func maskCode(s string) string {
	for _, p := range codeParts {
		s = p.ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat("`", len(m)) })
	}
	return s
}
