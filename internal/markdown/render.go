package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	xansi "github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Options say how a document is laid out.
type Options struct {
	Width int // in cells; at least MinWidth
	Theme Theme
	// Plain is for pipes and screen readers: no escape sequences, no boxes,
	// tables as "heading: value".
	Plain bool
	// ASCII draws bars and rules with ASCII only.
	ASCII bool
	// Live lays out a live block. Without it, its kind and id stand there.
	Live func(b Block, width int) []string
}

// MinWidth is the narrowest layout; narrower wishes get it all the same.
const MinWidth = 20

// Line is one line on the screen.
type Line struct {
	Text  string
	Block int  // index in Document.Blocks
	Code  bool // of a code block: not wrapped, may be wider than the width
}

// Render lays out the whole document. Blocks are separated by one empty line.
func (d *Document) Render(o Options) []Line { return d.render(o, -1) }

// RenderBlock lays out one block.
func (d *Document) RenderBlock(i int, o Options) []Line { return d.render(o, i) }

// Text joins lines.
func Text(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

func (d *Document) render(o Options, only int) []Line {
	if o.Width < MinWidth {
		o.Width = MinWidth
	}
	r := &renderer{src: d.src, opt: o, style: style(o.Theme, o.Plain)}
	// The tree is read anew, because handing a node to glamour takes it out of
	// its tree; a document stays unchanged and can be shared.
	root := d.tree()
	var out []Line
	i := -1
	for n := root.FirstChild(); n != nil; {
		next := n.NextSibling()
		if skipped(n) {
			n = next
			continue
		}
		i++
		if only < 0 || only == i {
			lines := d.renderTop(r, n, d.Blocks[i])
			if len(out) > 0 && len(lines) > 0 {
				out = append(out, Line{Block: i})
			}
			for _, l := range lines {
				l.Block = i
				out = append(out, l)
			}
		}
		n = next
	}
	return out
}

func (d *Document) renderTop(r *renderer, n ast.Node, b Block) []Line {
	if b.Kind != Live {
		return r.block(n, r.opt.Width)
	}
	if r.opt.Live != nil {
		return plainLines(r.opt.Live(b, r.opt.Width))
	}
	return plainLines(Wrap("["+b.Live+" "+b.ID+"]", r.opt.Width))
}

func plainLines(texts []string) []Line {
	out := make([]Line, len(texts))
	for i, s := range texts {
		out[i].Text = s
	}
	return out
}

// Wrap breaks a text of one paragraph into lines of at most width cells.
func Wrap(s string, width int) []string {
	return strings.Split(untie(lipgloss.Wrap(string(tie([]byte(parted(s, width)), width)), width, "")), "\n")
}

// parted puts a blank where a word that is wider than a line is broken: behind a
// point, a hyphen or another sign inside a name; where a part between those has
// no room either, before a capital of CamelCase, and else anywhere. What stands on
// both sides of such a blank never has room in one line.
func parted(s string, width int) string {
	wide := false
	for _, w := range strings.Fields(s) {
		wide = wide || xansi.StringWidth(w) > width
	}
	if !wide || width < 1 {
		return s
	}
	var out strings.Builder
	var part []string
	at := 0 // cells of the word in its present line
	add := func(text string) {
		w := xansi.StringWidth(text)
		if at > 0 && at+w > width {
			out.WriteByte(' ')
			at = 0
		}
		out.WriteString(text)
		at += w
	}
	flush := func() {
		text := strings.Join(part, "")
		if xansi.StringWidth(text) <= width {
			add(text)
			part = part[:0]
			return
		}
		chunks := chunksOf(part, width)
		// It begins a line, unless its beginning would stand behind what is there
		// with the blank in between.
		first := 0
		for _, c := range chunks {
			if w := xansi.StringWidth(c); first+w <= width {
				first += w
				continue
			}
			break
		}
		if at > 0 && at+first > width {
			out.WriteByte(' ')
			at = 0
		}
		for _, c := range chunks {
			add(c)
		}
		part = part[:0]
	}
	for _, p := range pieces(s) {
		if p == " " || p == "\n" {
			flush()
			out.WriteString(p)
			at = 0
			continue
		}
		part = append(part, p)
		if r := visible(p); r != 0 && strings.ContainsRune(".-/_|:=,", r) {
			flush()
		}
	}
	flush()
	return out.String()
}

// chunksOf are the words of CamelCase of a name, in single pieces where one has no
// room in a line.
func chunksOf(part []string, width int) (out []string) {
	chunk := func(pieces []string) {
		if text := strings.Join(pieces, ""); xansi.StringWidth(text) <= width {
			out = append(out, text)
			return
		}
		out = append(out, pieces...)
	}
	from, before := 0, rune(0)
	for i, p := range part {
		if r := visible(p); r != 0 {
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				chunk(part[from:i])
				from = i
			}
			before = r
		}
	}
	chunk(part[from:])
	return out
}

// visible is the first character of a piece that is no escape sequence, else 0.
func visible(piece string) rune {
	if piece[0] == '\x1b' {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(piece)
	return r
}

// pieces are the graphemes and the escape sequences of a text.
func pieces(s string) (out []string) {
	var state byte
	for len(s) > 0 {
		_, _, n, next := xansi.DecodeSequence(s, state, nil)
		if n == 0 {
			n = len(s)
		}
		out, s, state = append(out, s[:n]), s[n:], next
	}
	return out
}

// Width is the number of cells that a text takes.
func Width(s string) int { return lipgloss.Width(s) }

// Cut parts a text after a number of cells.
func Cut(s string, cells int) (head, rest string) {
	return xansi.Truncate(s, cells, ""), xansi.TruncateLeft(s, cells, "")
}

// Names of options and files ("data-inline-threshold"), ids of rules ("EV-1.2")
// and windows ("[12:00:00, 12:00:05)") are one word to a reader, but line
// breaking parts words at a hyphen and at a space: while lines are broken, another
// sign of the same size stands in their place. A word that has no room in a whole
// line keeps its hyphens to be broken at.
const tiedHyphen = '\x1f'

var (
	word        = regexp.MustCompile(`\S*-\S*`)
	window      = regexp.MustCompile(`\[(-?[\d:.]+), (-?[\d:.]+)\)`)
	tiedWindow  = regexp.MustCompile(`\[(-?[\d:.]+),_(-?[\d:.]+)\)`)
	letterDigit = regexp.MustCompile(`[\pL\pN]`)
)

// tie keeps the number of bytes.
func tie(s []byte, width int) []byte {
	s = window.ReplaceAll(s, []byte("[${1},_${2})"))
	return word.ReplaceAllFunc(s, func(w []byte) []byte {
		if !letterDigit.Match(w) || xansi.StringWidth(string(w)) > width {
			return w
		}
		return bytes.ReplaceAll(w, []byte("-"), []byte{tiedHyphen})
	})
}

func untie(s string) string {
	s = strings.ReplaceAll(s, string(tiedHyphen), "-")
	return tiedWindow.ReplaceAllString(s, "[${1}, ${2})")
}

// narrowest is the least that a nested block keeps; deeper nesting stops
// indenting instead of getting thinner.
const narrowest = 12

func (r *renderer) block(n ast.Node, width int) []Line {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		lang := ""
		if l := n.Language(r.src); l != nil {
			lang = string(l)
		}
		return r.code(codeOf(n, r.src), lang)
	case *ast.CodeBlock:
		return r.code(codeOf(n, r.src), "")
	case *ast.List:
		return r.list(n, width)
	case *ast.Blockquote:
		return r.quote(n, width)
	case *ast.ThematicBreak:
		return plainLines([]string{strings.Repeat(r.sign("─", "-"), min(width, 20))})
	case *east.Table:
		return r.table(n, width)
	case *ast.HTMLBlock, *ast.LinkReferenceDefinition:
		return nil
	case *ast.TextBlock, *ast.Paragraph:
		return r.paragraph(n, width)
	case *ast.Heading:
		return r.leaf(n, width)
	}
	return r.leaf(n, width)
}

// blocks lays out the children of a container.
func (r *renderer) blocks(parent ast.Node, width int, tight bool) []Line {
	var out []Line
	for n := parent.FirstChild(); n != nil; {
		next := n.NextSibling()
		lines := r.block(n, width)
		if len(out) > 0 && len(lines) > 0 && !tight {
			out = append(out, Line{})
		}
		out = append(out, lines...)
		n = next
	}
	return out
}

func (r *renderer) quote(n *ast.Blockquote, width int) []Line {
	mark := r.sign("│ ", "> ")
	if width-2 < narrowest {
		return r.blocks(n, width, false)
	}
	out := r.blocks(n, width-2, false)
	for i := range out {
		out[i].Text = strings.TrimRight(mark+out[i].Text, " ")
	}
	return out
}

// sign chooses between a drawn mark and one for plain and ASCII output.
func (r *renderer) sign(drawn, ascii string) string {
	if r.opt.Plain || r.opt.ASCII {
		return ascii
	}
	return drawn
}
