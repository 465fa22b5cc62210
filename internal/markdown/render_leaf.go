package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"charm.land/glamour/v2/ansi"
	xansi "github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	gmrenderer "github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

type renderer struct {
	src   []byte
	opt   Options
	style ansi.StyleConfig
	tied  map[int][]byte // src for lines of a width
}

// tie is src for lines of a width.
func (r *renderer) tie(width int) []byte {
	if r.tied[width] == nil {
		if r.tied == nil {
			r.tied = map[int][]byte{}
		}
		r.tied[width] = tie(r.src, width)
	}
	return r.tied[width]
}

// paragraph lays out running text. A hard break starts a new line; glamour
// would make it a blank.
func (r *renderer) paragraph(n ast.Node, width int) []Line {
	var out []Line
	p := ast.NewParagraph()
	flush := func() {
		if p.FirstChild() != nil {
			out = append(out, r.leaf(p, width)...)
			p = ast.NewParagraph()
		}
	}
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		p.AppendChild(p, c) // takes it out of n
		if t, ok := c.(*ast.Text); ok && t.HardLineBreak() {
			t.SetHardLineBreak(false)
			flush()
		}
		c = next
	}
	flush()
	return out
}

// leaf gives a block without blocks inside to glamour, which wraps Hangul at
// the right cell.
func (r *renderer) leaf(n ast.Node, width int) []Line {
	doc := ast.NewDocument()
	doc.AppendChild(doc, n)
	var b bytes.Buffer
	g := gmrenderer.NewRenderer(gmrenderer.WithNodeRenderers(util.Prioritized(
		ansi.NewRenderer(ansi.Options{WordWrap: width, Styles: r.style}), 1000)))
	if err := g.Render(&b, r.tie(width), doc); err != nil {
		// glamour fails only when its writer fails, and a buffer does not.
		return plainLines(Wrap(plainText(n, r.src), width))
	}
	text := untie(b.String())
	if r.opt.Plain {
		text = xansi.Strip(text)
	}
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	out := make([]Line, 0, len(lines))
	for _, l := range lines {
		for _, l := range fit(trimBlanks(l), width) {
			out = append(out, Line{Text: l})
		}
	}
	for len(out) > 0 && strings.TrimSpace(xansi.Strip(out[0].Text)) == "" {
		out = out[1:]
	}
	for len(out) > 0 && strings.TrimSpace(xansi.Strip(out[len(out)-1].Text)) == "" {
		out = out[:len(out)-1]
	}
	return out
}

// cellWidth is more than a cell of a table needs. glamour fills lines up to
// the width that it is given, so "without limit" would be slow.
const cellWidth = 400

// fit is a net: with marks that combine with a blank, a wrapped line can come
// out a cell too wide.
func fit(line string, width int) []string {
	if xansi.StringWidth(line) <= width {
		return []string{line}
	}
	return strings.Split(xansi.Hardwrap(line, width, true), "\n")
}

// inline gives the content of a node as one line, for cells.
func (r *renderer) inline(n ast.Node) string {
	p := ast.NewParagraph()
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		if t, ok := c.(*ast.Text); ok {
			t.SetHardLineBreak(false)
		}
		p.AppendChild(p, c)
		c = next
	}
	if p.FirstChild() == nil {
		return ""
	}
	var parts []string
	for _, l := range r.leaf(p, cellWidth) {
		parts = append(parts, l.Text)
	}
	return strings.Join(parts, " ")
}

// padding is what glamour fills a line up with: blanks, each in the style of
// the block.
var padding = regexp.MustCompile(`(?:\x1b\[[0-9;]*m| )+$`)

// trimBlanks removes the padding. It hides nothing, because no style here has
// a background; left in place, it would draw an underline to the margin.
func trimBlanks(s string) string {
	kept := padding.ReplaceAllString(s, "")
	if open := strings.LastIndex(kept, "\x1b["); open >= 0 && !strings.HasPrefix(kept[open:], "\x1b[m") {
		return kept + "\x1b[m"
	}
	return kept
}
