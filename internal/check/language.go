package check

import (
	"strings"
	"unicode"
)

// english are words that sentences in English can hardly do without, and that
// are none in Spanish.
var english = map[string]bool{
	"the": true, "of": true, "is": true, "are": true, "and": true, "to": true, "that": true, "this": true, "with": true,
	"for": true, "which": true, "from": true, "by": true, "was": true, "its": true, "it": true,
}

// foreign says that a passage is not in its language: Spanish in a text for
// Korean readers, Korean in one for Spanish readers, English in either. Names
// and a quoted message are not taken for a passage.
func foreign(lang, text string) bool {
	hangul, latin, words, said := 0, 0, 0, 0
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' && r != '.' }) {
		lower := true
		for _, r := range w {
			switch {
			case unicode.Is(unicode.Hangul, r):
				hangul++
			case unicode.IsLetter(r):
				latin++
			}
			lower = lower && (unicode.IsLower(r) && r != '-')
		}
		if lower {
			words++
		}
		if english[strings.ToLower(w)] {
			said++
		}
	}
	switch {
	case said >= 3 && said*10 >= words:
		return true
	case lang == "ko":
		return hangul == 0 && words >= 4
	}
	return hangul > latin
}

// beginning is how a passage begins, to find it again.
func beginning(text string) string {
	words := strings.Fields(text)
	if len(words) > 6 {
		return strings.Join(words[:6], " ") + " …"
	}
	return strings.Join(words, " ")
}
