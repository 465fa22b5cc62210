package glossary

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/BurntSushi/toml"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"

	"streaminglab/assets"
)

// Term is one term in three languages. The first form of a list is the one of
// our prose.
type Term struct {
	ID     string            `toml:"id"`
	Area   string            `toml:"area"`
	EN     []string          `toml:"en"`
	ES     []string          `toml:"es"`
	KO     []string          `toml:"ko"`
	Define map[string]string `toml:"define"` // by language
	Not    []Not             `toml:"not"`
}

// Not is a form that our prose does not use.
type Not struct {
	Form   string   `toml:"form"`
	Also   []string `toml:"also"` // other inflections of it
	Lang   string   `toml:"lang"`
	Answer bool     `toml:"answer"` // vendors' documents say it: right in an answer
	Sense  string   `toml:"sense"`  // wrong only in this sense: reviewers watch it, the lint does not
}

// Main is the form of our prose in a language.
func (t *Term) Main(lang string) string {
	if lang == "ko" {
		return t.KO[0]
	}
	return t.ES[0]
}

// Forms are all the forms that are right in an answer, in whatever language
// it is given.
func (t *Term) Forms() []string {
	var out []string
	for _, list := range [][]string{t.ES, t.KO, t.EN} {
		out = append(out, list...)
	}
	for _, n := range t.Not {
		if n.Answer {
			out = append(out, n.Form)
		}
	}
	return out
}

// Glossary holds the terms.
type Glossary struct {
	Terms []Term
	byID  map[string]*Term
	forms map[string][]*Term // normalised form → terms
	rules []rule
}

// Load reads a glossary and refuses one that is not whole.
func Load(text []byte) (*Glossary, error) {
	var file struct {
		Term []Term `toml:"term"`
	}
	meta, err := toml.Decode(string(text), &file)
	if err != nil {
		return nil, fmt.Errorf("glossary: %w", err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("glossary: unknown key %s", keys[0])
	}
	g := &Glossary{Terms: file.Term, byID: map[string]*Term{}, forms: map[string][]*Term{}}
	for i := range g.Terms {
		t := &g.Terms[i]
		switch {
		case t.ID == "":
			return nil, fmt.Errorf("glossary: term %d has no id", i+1)
		case g.byID[t.ID] != nil:
			return nil, fmt.Errorf("glossary: two terms have the id %q", t.ID)
		case len(t.EN) == 0 || len(t.ES) == 0 || len(t.KO) == 0:
			return nil, fmt.Errorf("glossary: %s lacks a language", t.ID)
		}
		g.byID[t.ID] = t
		for _, f := range t.Forms() {
			k := Normalize(f)
			if !slices.Contains(g.forms[k], t) {
				g.forms[k] = append(g.forms[k], t)
			}
		}
		for _, n := range t.Not {
			if n.Form == "" || n.Lang != "es" && n.Lang != "ko" {
				return nil, fmt.Errorf("glossary: %s: a form under not needs a form and a language", t.ID)
			}
			if n.Sense == "" {
				g.rules = append(g.rules, newRules(t, n)...)
			}
		}
	}
	return g, nil
}

// Embedded gives the glossary of the program.
var Embedded = sync.OnceValues(func() (*Glossary, error) {
	text, err := assets.Glossary()
	if err != nil {
		return nil, err
	}
	return Load(text)
})

// Term finds a term by its id.
func (g *Glossary) Term(id string) (*Term, bool) {
	t, ok := g.byID[id]
	return t, ok
}

// Find gives the terms that a form may mean (정렬 means two).
func (g *Glossary) Find(form string) []*Term { return g.forms[Normalize(form)] }

// Accepts says whether an answer names the term, in any language; spaces,
// hyphens and case aside.
func (g *Glossary) Accepts(id, answer string) bool {
	t, ok := g.byID[id]
	if !ok {
		return false
	}
	k := Normalize(answer)
	return k != "" && slices.ContainsFunc(t.Forms(), func(f string) bool { return Normalize(f) == k })
}

// Normalize is the form in which answers are compared: composed characters,
// full-width letters narrow, case folded, no spaces, hyphens or invisible
// characters. Accents stay: they are a question of the quiz.
func Normalize(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune("-‐‑‒–_`", r) {
			return -1
		}
		return r
	}, norm.NFC.String(width.Fold.String(s)))
	// Composed last: what is left when a blank goes may join.
	return norm.NFC.String(cases.Fold().String(s))
}
