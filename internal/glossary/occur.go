package glossary

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Place is where a text says a term.
type Place struct {
	Start, End int // bytes of the text
	Term       *Term
}

// everyday are terms whose word our prose also uses in its everyday sense
// ("el paso anterior"): a definition there would mislead.
var everyday = map[string]bool{"upstream": true, "downstream": true}

// Occurrences finds the terms that a text of one language says, in the form of
// our prose: whole words, the longest form where several begin.
func (g *Glossary) Occurrences(lang, text string) []Place {
	low := strings.ToLower(text)
	if len(low) != len(text) { // a letter whose small form has another length
		low = text
	}
	ends := map[int]Place{} // by start
	for i := range g.Terms {
		t := &g.Terms[i]
		f := t.Main(lang)
		// What the word begins with is sought first: it is nearly always missing.
		head, _, _ := strings.Cut(strings.ToLower(f), " ")
		if lang == "es" {
			head = strings.TrimSuffix(head, "ón")
		}
		if everyday[t.ID] || !strings.Contains(low, head) {
			continue
		}
		for _, span := range termPattern(lang, f).FindAllStringIndex(text, -1) {
			if wholeWord(lang, text, span[0], span[1]) && span[1] > ends[span[0]].End {
				ends[span[0]] = Place{span[0], span[1], t}
			}
		}
	}
	var out []Place
	for at := 0; at < len(text); at++ {
		if p, ok := ends[at]; ok {
			out = append(out, p)
			at = p.End - 1
		}
	}
	return out
}

// termPattern finds a form, in Spanish its plural too; words from English take
// an s (watermarks). A form with capitals is found with them only: HA is not ha.
// Patterns are kept: a reader asks page after page.
func termPattern(lang, form string) *regexp.Regexp {
	if p, ok := termPatterns.Load([2]string{lang, form}); ok {
		return p.(*regexp.Regexp)
	}
	p := strings.ReplaceAll(regexp.QuoteMeta(form), " ", `\s+`)
	if lang == "es" {
		p = strings.ReplaceAll(spanishPattern(form), "(?:es)?", "(?:es|s)?")
	}
	if strings.IndexFunc(form, unicode.IsUpper) < 0 {
		p = "(?i)" + p
	}
	re := regexp.MustCompile(p)
	termPatterns.Store([2]string{lang, form}, re)
	return re
}

var termPatterns sync.Map // language and form → *regexp.Regexp
