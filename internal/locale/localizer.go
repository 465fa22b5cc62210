package locale

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"text/template"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	i18ntemplate "github.com/nicksnyder/go-i18n/v2/i18n/template"

	"streaminglab/quiz"
)

// Args are the variables of a message.
type Args = map[string]any

// Localizer gives texts in one language. It is safe for concurrent use.
type Localizer struct {
	cat    *Catalogue
	lang   Lang
	day    int64
	report func(error)
	inner  *i18n.Localizer
	parser *parser
}

// Localizer for one language of the catalogue. Defects are passed over in
// silence; see Reporting.
func (c *Catalogue) Localizer(l Lang) *Localizer {
	return &Localizer{
		cat: c, lang: l,
		inner:  i18n.NewLocalizer(c.bundles[l], string(l)),
		parser: newParser(l, 0),
	}
}

// New gives the localizer of the embedded catalogue. A catalogue that does not
// load is a defect of the program that the gate test would have shown.
func New(l Lang) *Localizer {
	c, err := Embedded()
	if err != nil {
		panic(err)
	}
	return c.Localizer(l)
}

// Lang is the language of the texts.
func (l *Localizer) Lang() Lang { return l.lang }

// In gives the same catalogue, day and report in another language.
func (l *Localizer) In(lang Lang) *Localizer {
	n := l.cat.Localizer(lang)
	n.report = l.report
	return n.WithDay(l.day)
}

// WithDay sets the experiment's day, as the midnight in milliseconds since the
// epoch, for the times in messages.
func (l *Localizer) WithDay(midnight int64) *Localizer {
	n := *l
	n.day = midnight
	n.parser = newParser(l.lang, midnight)
	return &n
}

// Reporting calls report with every defect: a missing id, variable or form.
func (l *Localizer) Reporting(report func(error)) *Localizer {
	n := *l
	n.report = report
	return &n
}

// Text is the message in the language. When the message is defective, what is
// shown is its id and, if there is one, the text of the other language: the
// reader can go on, and the report that they send names the defect.
func (l *Localizer) Text(id string, args Args) string {
	return l.show(id, args, func(x *Localizer) (string, error) { return x.text(id, args) })
}

// Plural is Text for a message with plural forms. The count is available to
// the message as .Count.
func (l *Localizer) Plural(id string, count int64, args Args) string {
	return l.show(id, args, func(x *Localizer) (string, error) { return x.plural(id, count, args) })
}

// Has says whether the message exists in this language.
func (l *Localizer) Has(id string) bool { return l.cat.Has(l.lang, id) }

func (l *Localizer) show(id string, args Args, get func(*Localizer) (string, error)) string {
	s, err := get(l)
	if err == nil {
		return s
	}
	if l.report != nil {
		l.report(fmt.Errorf("locale %s: %w", l.lang, err))
	}
	other := l.cat.Localizer(l.lang.Other()).WithDay(l.day)
	if s, err := get(other); err == nil {
		return "[" + id + "] " + s
	}
	return "[" + id + "]"
}

func (l *Localizer) text(id string, args Args) (string, error) {
	if l.cat.isPlural(id) {
		return "", fmt.Errorf("message %q has plural forms: it needs a count", id)
	}
	return l.localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data(args)})
}

func (l *Localizer) plural(id string, count int64, args Args) (string, error) {
	if !l.cat.isPlural(id) && l.cat.Has(ES, id) {
		return "", fmt.Errorf("message %q has no plural forms", id)
	}
	with := data(args)
	with["Count"] = count
	return l.localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: with, PluralCount: count})
}

func (l *Localizer) localize(c *i18n.LocalizeConfig) (string, error) {
	c.TemplateParser = l.parser
	return l.inner.Localize(c)
}

// data makes a missing map an empty one: text/template takes a nil map for
// "no data" and would not complain about a missing variable. What learners and
// files say stands in variables, so here it becomes harmless for a terminal.
func data(args Args) Args {
	out := make(Args, len(args))
	for k, v := range args {
		switch v := v.(type) {
		case string:
			out[k] = quiz.VisibleLines(v)
		case []string:
			seen := make([]string, len(v))
			for i := range v {
				seen[i] = quiz.VisibleLines(v[i])
			}
			out[k] = seen
		default:
			out[k] = v
		}
	}
	return out
}

// parser parses messages with the functions of one language and day, once
// each. go-i18n's own cache is per message and would keep the day of the first
// localizer.
type parser struct {
	funcs template.FuncMap
	mu    sync.Mutex
	cache map[string]i18ntemplate.ParsedTemplate
}

func newParser(l Lang, day int64) *parser {
	return &parser{funcs: funcs(l, day), cache: map[string]i18ntemplate.ParsedTemplate{}}
}

func (p *parser) Cacheable() bool { return false }

func (p *parser) Parse(src, _, _ string) (i18ntemplate.ParsedTemplate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t, ok := p.cache[src]; ok {
		return t, nil
	}
	var parsed i18ntemplate.ParsedTemplate = literal(src)
	if strings.Contains(src, "{{") {
		t, err := template.New("").Option("missingkey=error").Funcs(p.funcs).Parse(src)
		if err != nil {
			return nil, err
		}
		parsed = executable{t}
	}
	p.cache[src] = parsed
	return parsed, nil
}

type literal string

func (l literal) Execute(any) (string, error) { return string(l), nil }

type executable struct{ t *template.Template }

func (e executable) Execute(data any) (string, error) {
	var b strings.Builder
	if err := e.t.Execute(&b, data); err != nil {
		return "", err
	}
	s := b.String()
	if strings.Contains(s, "<no value>") {
		return "", errors.New("a variable of the message has no value")
	}
	return s, nil
}

// TB is the part of testing.TB that Strict needs.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Strict gives a localizer of the embedded catalogue for tests: every defect
// of a message fails the test.
func Strict(tb TB, l Lang) *Localizer {
	tb.Helper()
	return New(l).Reporting(func(err error) {
		tb.Helper()
		tb.Errorf("%v", err)
	})
}
