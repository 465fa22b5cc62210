package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Passage is the text of one paragraph, heading or cell without marks, for
// lints that look at words. Code spans are in it or not, as asked; each byte
// of Text knows where it stands in the source.
type Passage struct {
	Text string

	doc     *Document
	offsets []int
}

// Place gives line and column of a byte of Text.
func (p Passage) Place(i int) (line, col int) {
	if i >= len(p.offsets) {
		i = len(p.offsets) - 1
	}
	if i < 0 {
		return 1, 1
	}
	return p.doc.place(p.offsets[i])
}

// Passages gives the prose of the document in order. Code blocks are never in
// it. Without code, a span leaves a no-break space, so that the words on both
// sides of it stay apart.
func (d *Document) Passages(withCode bool) []Passage { return d.passages(d.tree(), withCode) }

func (d *Document) passages(root ast.Node, withCode bool) []Passage {
	var out []Passage
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading, *east.TableCell:
			if p := d.passage(n, withCode); strings.TrimSpace(p.Text) != "" {
				out = append(out, p)
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return out
}

func (d *Document) passage(n ast.Node, withCode bool) Passage {
	var b strings.Builder
	p := Passage{doc: d}
	add := func(s string, from int, same bool) {
		for i := range len(s) {
			at := from
			if same {
				at += i
			}
			p.offsets = append(p.offsets, at)
		}
		b.WriteString(s)
	}
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			add(string(c.Segment.Value(d.src)), c.Segment.Start, true)
			if c.SoftLineBreak() || c.HardLineBreak() {
				add(" ", c.Segment.Stop, false)
			}
		case *ast.CodeSpan:
			if !withCode {
				add("\u00a0", c.Pos(), false)
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, nil
	})
	p.Text = b.String()
	return p
}
