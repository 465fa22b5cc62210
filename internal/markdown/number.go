package markdown

import (
	"regexp"
	"sort"
	"strings"
	"sync"
)

// lazy compiles a pattern when it is first used: repetitions and classes take
// milliseconds, and a start needs none of them.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// ruleID matches the ids of the ledger of rules.
var ruleID = lazy(`\b(?:EV|CP|ICE|LAB)-[0-9]+(?:\.[0-9]+)*[a-z]?\b|\b[KFQL][0-9]{1,3}(?:\.[0-9]+)*\b`)

var (
	figure   = lazy(`[0-9]+(?:[.,:\x{00a0}\x{202f}][0-9]+)*`)
	bounds   = lazy(`[\[(]-?[0-9][0-9.:]*,-?[0-9][0-9.:]*[\])]`)
	pointed  = lazy(`^[1-9][0-9]{0,2}(?:\.[0-9]{3})+$`)
	commaed  = lazy(`^[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?$`)
	spaced   = lazy(`^[1-9][0-9]{0,2}(?:[\x{00a0}\x{202f}][0-9]{3})+(?:,[0-9]+)?$`)
	thinness = strings.NewReplacer("\u00a0", "", "\u202f", "")
)

// figures gives the numbers of a text in one form for both languages. comma
// says that the text is Spanish prose: a decimal comma, points or spaces
// between thousands. In code, figures mean what they are for the machine.
func figures(text string, comma bool) []string {
	text = ruleID().ReplaceAllString(text, " ")
	text = bounds().ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, ",", ", ") })
	var out []string
	for _, at := range figure().FindAllStringIndex(text, -1) {
		if at[0] > 0 && nameByte(text[at[0]-1]) {
			continue // S3, v2: a part of a name
		}
		out = append(out, normalFigures(text[at[0]:at[1]], comma)...)
	}
	return out
}

func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_'
}

func normalFigures(s string, comma bool) []string {
	switch {
	case comma && spaced().MatchString(s):
		s = strings.Replace(thinness.Replace(s), ",", ".", 1)
	case comma && pointed().MatchString(s):
		s = strings.ReplaceAll(s, ".", "")
	case comma && strings.Count(s, ",") == 1 && !strings.ContainsAny(s, ":\u00a0\u202f"):
		whole, frac, _ := strings.Cut(s, ",")
		if pointed().MatchString(whole) {
			whole = strings.ReplaceAll(whole, ".", "")
		}
		s = whole + "." + frac
	case !comma && commaed().MatchString(s):
		s = strings.ReplaceAll(s, ",", "")
	}
	var out []string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '\u00a0' || r == '\u202f' }) {
		out = append(out, bare(part))
	}
	return out
}

// bare drops what two writings of one number may differ in: leading zeros of
// an integer ("09" of a date), zeros that end a decimal.
func bare(s string) string {
	if strings.Contains(s, ":") {
		return s
	}
	if strings.Count(s, ".") == 1 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		return s
	}
	if t := strings.TrimLeft(s, "0"); t != "" {
		return t
	}
	return "0"
}

// spelled are the numbers that a sentence may write as a word where the other
// language has a figure (un milisegundo, 1밀리초).
var spelled = map[string][]string{
	"1":  {"un", "uno", "una", "primer", "primera", "primero", "enero", "한", "하나", "첫", "1월"},
	"2":  {"dos", "segundo", "segunda", "ambos", "ambas", "doble", "febrero", "두", "둘", "둘째"},
	"3":  {"tres", "tercer", "tercera", "tercero", "marzo", "세", "셋", "셋째"},
	"4":  {"cuatro", "cuarto", "cuarta", "abril", "네", "넷", "넷째"},
	"5":  {"cinco", "quinto", "quinta", "mayo", "다섯", "다섯째"},
	"6":  {"seis", "sexto", "sexta", "junio", "여섯"},
	"7":  {"siete", "séptimo", "séptima", "julio", "일곱"},
	"8":  {"ocho", "octavo", "octava", "agosto", "여덟"},
	"9":  {"nueve", "noveno", "novena", "septiembre", "아홉"},
	"10": {"diez", "décimo", "décima", "octubre", "열"},
	"11": {"once", "noviembre"},
	"12": {"doce", "diciembre"},
}

// spelledIn finds the numbers that a text writes as words. Korean number words
// stand before a counter and may carry it, so their prefix counts.
func spelledIn(text string) map[string]bool {
	found := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r <= ' ' || strings.ContainsRune(".,;:!?()[]«»“”‘’\u00a0\"'", r)
	}) {
		for n, words := range spelled {
			for _, s := range words {
				if w == s || s[0] >= 0x80 && strings.HasPrefix(w, s) && hangul(s) {
					found[n] = true
				}
			}
		}
	}
	return found
}

func hangul(s string) bool {
	for _, r := range s {
		return r >= '가' && r <= '힣'
	}
	return false
}

func sortedSet(items []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range items {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	sort.Strings(out)
	return out
}
