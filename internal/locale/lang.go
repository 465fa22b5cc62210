package locale

import (
	"strings"

	"golang.org/x/text/language"
)

// Lang is one of the languages of the course.
type Lang string

const (
	ES Lang = "es"
	KO Lang = "ko"
)

// Langs lists the languages in the order in which they are shown; the first
// one is what a reader gets when nothing says otherwise.
var Langs = []Lang{ES, KO}

// Other is the language to fall back to.
func (l Lang) Other() Lang {
	if l == KO {
		return ES
	}
	return KO
}

// ParseLang reads what a person typed after --lang: only the two ids count,
// because a typo that silently becomes Spanish would be worse than an error.
func ParseLang(s string) (Lang, bool) {
	for _, l := range Langs {
		if strings.EqualFold(strings.TrimSpace(s), string(l)) {
			return l, true
		}
	}
	return ES, false
}

var (
	matcher = language.NewMatcher([]language.Tag{language.Spanish, language.Korean})
	// What POSIX calls "no language": not a wish for English.
	noLocale = map[string]bool{"C": true, "POSIX": true}
)

// match reads a POSIX locale ("ko_KR.UTF-8", "es_MX@euro") or a plain id.
// Any region counts: ko_KP is Korean, es_419 is Spanish.
func match(v string) (Lang, bool) {
	v, _, _ = strings.Cut(v, ".")
	v, _, _ = strings.Cut(v, "@")
	v = strings.TrimSpace(v)
	if v == "" || noLocale[v] {
		return ES, false
	}
	tag, err := language.Parse(strings.ReplaceAll(v, "_", "-"))
	if err != nil {
		return ES, false
	}
	_, i, confidence := matcher.Match(tag)
	if confidence == language.No {
		return ES, false
	}
	return Langs[i], true
}

// Detect chooses the language: flag (--lang, already validated), LAB_LANG, the
// saved choice, LC_ALL, LC_MESSAGES, LANG, then Spanish. The second result
// says whether any of them named a language that we have; if not, the caller
// may ask once. A value that names another language, or none (C), is passed
// over and does not hide the next one: with only Spanish and Korean on offer,
// LC_ALL=en_US beside LANG=ko_KR still tells which of the two is wanted.
func Detect(flag string, getenv func(string) string, saved string) (Lang, bool) {
	for _, v := range []string{
		flag, getenv("LAB_LANG"), saved,
		getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG"),
	} {
		if l, ok := match(v); ok {
			return l, true
		}
	}
	return ES, false
}
