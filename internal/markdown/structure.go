package markdown

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Structure is what the two languages of a lesson must have in common.
// Paragraphs are free.
type Structure struct {
	Parts   []Part   // headings, live blocks, code, tables in order
	Rules   []string // ids of rules, each once, sorted
	Numbers []string // figures in one form, each once, sorted

	spelled map[string]bool // numbers that stand as words
	lines   map[string]int  // where a rule or number stands first
}

// Part is one element of the skeleton.
type Part struct {
	Line  int
	Shape string // "h2", "sim time-1-first", "code yaml", "table 3"
	Body  string // of code, comments left out: those are prose; of tables, rows
}

// Structure takes the document apart. comma says that its prose has a decimal
// comma (Spanish).
func (d *Document) Structure(comma bool) Structure {
	s := Structure{spelled: map[string]bool{}, lines: map[string]int{}}
	first := func(p Passage, found []string) []string {
		for _, f := range found {
			if _, ok := s.lines[f]; !ok {
				// Figures are found in one form; the passage is near enough.
				line, _ := p.Place(max(0, strings.Index(p.Text, f)))
				s.lines[f] = line
			}
		}
		return found
	}
	root := d.tree()
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			if p, ok := d.part(n); ok {
				s.Parts = append(s.Parts, p)
			}
		}
		return ast.WalkContinue, nil
	})
	var rules, numbers []string
	for _, p := range d.passages(root, true) {
		rules = append(rules, first(p, ruleID().FindAllString(p.Text, -1))...)
	}
	for _, p := range d.passages(root, false) {
		numbers = append(numbers, first(p, figures(p.Text, comma))...)
		for n := range spelledIn(p.Text) {
			s.spelled[n] = true
		}
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, ok := n.(*ast.CodeSpan); ok && entering {
			found := figures(plainText(n, d.src), false)
			for _, f := range found {
				if _, ok := s.lines[f]; !ok {
					s.lines[f], _ = d.place(n.Pos())
				}
			}
			numbers = append(numbers, found...)
		}
		return ast.WalkContinue, nil
	})
	s.Rules, s.Numbers = sortedSet(rules), sortedSet(numbers)
	return s
}

func (d *Document) part(n ast.Node) (Part, bool) {
	line, _ := d.place(n.Pos())
	switch n := n.(type) {
	case *ast.Heading:
		return Part{line, fmt.Sprintf("h%d", n.Level), ""}, true
	case *ast.FencedCodeBlock:
		first, rest := d.fence(n)
		if live(first) {
			return Part{line, first + " " + rest, ""}, true
		}
		return Part{line, strings.TrimSpace("code " + first), withoutComments(first, codeOf(n, d.src))}, true
	case *ast.CodeBlock:
		return Part{line, "code", withoutComments("", codeOf(n, d.src))}, true
	case *east.Table:
		rows := 0
		for r := n.FirstChild(); r != nil; r = r.NextSibling() {
			rows++
		}
		return Part{line, fmt.Sprintf("table %d", len(n.Alignments)), fmt.Sprint(rows)}, true
	}
	return Part{}, false
}

// comment marks by language of the fence: what stands behind them is prose in
// the language of the lesson.
var comment = map[string]string{
	"": "#", "script": "#", "yaml": "#", "toml": "#", "sh": "#", "bash": "#", "python": "#", "properties": "#",
	"sql": "--", "java": "//", "go": "//", "scala": "//",
}

func withoutComments(lang, code string) string {
	mark, ok := comment[lang]
	var out []string
	for _, line := range strings.Split(code, "\n") {
		if ok {
			if i := strings.Index(" "+line, " "+mark); i >= 0 {
				line = (" " + line)[:i]
				line = strings.TrimPrefix(line, " ")
			}
		}
		out = append(out, strings.TrimRight(line, " \t"))
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// Compare says where other is not the same lesson as d. Places are those of
// other, the one that the author is asked to look at.
func Compare(d, other *Document, dComma, otherComma bool) []Problem {
	a, b := d.Structure(dComma), other.Structure(otherComma)
	var ps []Problem
	add := func(line int, id string, args map[string]any) {
		ps = append(ps, Problem{File: other.File, Line: line, Col: 1, ID: id, Args: args})
	}
	for i := 0; i < len(a.Parts) || i < len(b.Parts); i++ {
		switch {
		case i >= len(b.Parts):
			add(len(other.lines), "markdown.parity.missing", map[string]any{"Part": a.Parts[i].Shape, "Other": d.File, "Line": a.Parts[i].Line})
		case i >= len(a.Parts):
			add(b.Parts[i].Line, "markdown.parity.extra", map[string]any{"Part": b.Parts[i].Shape, "Other": d.File})
		case a.Parts[i].Shape != b.Parts[i].Shape:
			add(b.Parts[i].Line, "markdown.parity.part", map[string]any{
				"Part": b.Parts[i].Shape, "Want": a.Parts[i].Shape, "Other": d.File, "Line": a.Parts[i].Line})
		case a.Parts[i].Body != b.Parts[i].Body:
			add(b.Parts[i].Line, "markdown.parity.body", map[string]any{
				"Part": b.Parts[i].Shape, "Other": d.File, "Line": a.Parts[i].Line})
		default:
			continue
		}
		break // what follows the first difference is a consequence of it
	}
	for _, side := range []struct {
		have, lack Structure
		id         string
		line       func(string) int
	}{
		{a, b, "lacks", func(s string) int { return counterpart(a, b, a.lines[s]) }},
		{b, a, "has", func(s string) int { return max(1, b.lines[s]) }},
	} {
		for _, r := range without(side.have.Rules, side.lack.Rules) {
			add(side.line(r), "markdown.parity.rule."+side.id, map[string]any{"Rule": r, "Other": d.File})
		}
		for _, n := range without(side.have.Numbers, side.lack.Numbers) {
			if n == "1" || side.lack.spelled[n] {
				continue
			}
			add(side.line(n), "markdown.parity.number."+side.id, map[string]any{"Number": n, "Other": d.File})
		}
	}
	return ps
}

// counterpart is the line in b of the last part before a line of a: what is
// missing there is looked for behind it.
func counterpart(a, b Structure, line int) int {
	at := 1
	for i, p := range a.Parts {
		if p.Line > line || i >= len(b.Parts) {
			break
		}
		at = b.Parts[i].Line
	}
	return at
}

func without(have, lack []string) []string {
	in := map[string]bool{}
	for _, s := range lack {
		in[s] = true
	}
	var out []string
	for _, s := range have {
		if !in[s] {
			out = append(out, s)
		}
	}
	return out
}
