package script

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"streaminglab/sim"
)

// A word is one word of a line with its column, counted in characters from 1.
type word struct {
	text string
	col  int
	end  int // byte offset behind it
	at   int // byte offset of its first byte
}

// maxLine is the longest line in bytes.
const maxLine = 2000

// lex splits a line into words. Quotes keep blanks together; # begins a
// comment at the start of a line or behind white space. Within brackets it is the
// element of an expression's closure.
func lex(text string) (words []word, code string, problem *sim.Problem, col int) {
	if len(text) > maxLine {
		return nil, "", sim.NewProblem("script.line-too-long", "Max", maxLine), 1
	}
	if !utf8.ValidString(text) {
		return nil, "", sim.NewProblem("script.not-utf8"), 1
	}
	col = 0
	i, depth := 0, 0
	step := func() rune {
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		col++
		return r
	}
	for i < len(text) {
		r, _ := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) && !unseen(r) || r == '\t' {
			step()
			continue
		}
		if r == '#' && depth <= 0 {
			return words, strings.TrimSpace(text[:i]), nil, 0
		}
		w := word{col: col + 1, at: i}
		var b strings.Builder
		for i < len(text) {
			r, _ := utf8.DecodeRuneInString(text[i:])
			if unicode.IsSpace(r) && !unseen(r) || r == '\t' {
				break
			}
			if r != '"' && r != '\'' {
				if unseen(r) {
					return nil, "", sim.NewProblem("script.control"), col + 1
				}
				switch r {
				case '(', '[', '{':
					depth++
				case ')', ']', '}':
					depth--
				}
				b.WriteRune(step())
				continue
			}
			quote, from := step(), col
			closed := false
			for i < len(text) {
				r := step()
				if r == quote {
					closed = true
					break
				}
				if unseen(r) {
					return nil, "", sim.NewProblem("script.control"), col
				}
				b.WriteRune(r)
			}
			if !closed {
				return nil, "", sim.NewProblem("script.quote"), from
			}
		}
		w.text, w.end = b.String(), i
		words = append(words, w)
	}
	return words, strings.TrimSpace(text), nil, 0
}

// unseen characters act on a terminal or on the eye without being seen: with
// them a printed transcript would not be what was typed.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// canonical is the line without comment and with single blanks between words,
// quotes kept: what a transcript shows and reads back.
func canonical(code string) string {
	var b strings.Builder
	var quote rune
	blank := false
	for _, r := range code {
		if quote == 0 && unicode.IsSpace(r) {
			blank = true
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		}
		b.WriteRune(r)
	}
	return b.String()
}
