package fold

import (
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// A Conjunction is a condition taken apart at its outermost `&&`: Parts hold
// together when it does. Names are what it says in front of them, `let name =
// value` without the word.
type Conjunction struct {
	Names []string
	Parts []string
}

// Conjuncts takes a condition apart. What is not a conjunction, or cannot be
// read, has one part.
func Conjuncts(source string) Conjunction {
	whole := Conjunction{Parts: []string{strings.TrimSpace(source)}}
	tokens, err := lexer.Lex(file.NewSource(source))
	if err != nil {
		return whole
	}
	text := []rune(source)
	cut := func(from, to int) string {
		return strings.TrimSpace(string(text[min(from, len(text)):min(to, len(text))]))
	}
	var out Conjunction
	depth, from := 0, 0
	for _, t := range tokens {
		switch {
		case t.Is(lexer.Bracket, "(", "[", "{"):
			depth++
		case t.Is(lexer.Bracket, ")", "]", "}"):
			depth--
		case depth > 0:
		case t.Is(lexer.Operator, "||", "or", "?", ":", "??"):
			// What binds less than && holds the parts together.
			return whole
		case t.Is(lexer.Operator, ";"):
			name := strings.TrimSpace(strings.TrimPrefix(cut(from, t.From), "let"))
			out.Names, from = append(out.Names, name), t.To
		case t.Is(lexer.Operator, "&&", "and"):
			out.Parts, from = append(out.Parts, cut(from, t.From)), t.To
		}
	}
	out.Parts = append(out.Parts, cut(from, len(text)))
	for _, p := range out.Parts {
		if p == "" {
			return whole
		}
	}
	return out
}

// Condition is one part with the names that it may use, as a condition of its
// own.
func (c Conjunction) Condition(part int) string {
	var b strings.Builder
	for _, n := range c.Names {
		b.WriteString("let " + n + "; ")
	}
	return b.String() + c.Parts[part]
}
