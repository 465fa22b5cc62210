package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var (
	// lenient is what learners see; strict is what everybody else's CommonMark
	// shows, for the lint.
	lenient = newParser(true)
	strict  = newParser(false)
)

func newParser(net bool) parser.Parser {
	opts := []goldmark.Option{goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)}
	if net {
		opts = append(opts, goldmark.WithParserOptions(
			parser.WithInlineParsers(util.Prioritized(cjkEmphasis{}, 400)))) // goldmark's own stands at 500
	}
	return goldmark.New(opts...).Parser()
}

// Parse reads a lesson: front matter and body. It always gives a document,
// with whatever could be read, beside the problems.
func Parse(file string, source []byte) (*Document, []Problem) {
	d := newDocument(file, source)
	ps := d.front()
	return d, sortProblems(append(ps, d.body()...))
}

// ParseText reads a text without front matter: a stem, an explanation, a note.
func ParseText(file string, source []byte) (*Document, []Problem) {
	d := newDocument(file, source)
	return d, sortProblems(d.body())
}

func newDocument(file string, source []byte) *Document {
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	src := harmless(source)
	return &Document{File: file, src: src, raw: source, lines: lineStarts(src)}
}

func (d *Document) tree() ast.Node { return lenient.Parse(text.NewReader(d.src)) }

var liveID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (d *Document) body() []Problem {
	var ps []Problem
	root := d.tree()
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if skipped(n) {
			continue
		}
		b := d.block(n)
		if b.Kind == Live {
			ps = append(ps, d.checkLive(n.(*ast.FencedCodeBlock), b)...)
		}
		d.Blocks = append(d.Blocks, b)
	}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		b.End = len(d.lines)
		if i+1 < len(d.Blocks) {
			b.End = max(b.Line, d.Blocks[i+1].Line-1)
		}
		for b.End > b.Line && d.blankLine(b.End) {
			b.End--
		}
	}
	// A live fence inside a list or a quotation would not come to life.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := n.(*ast.FencedCodeBlock); ok && entering && f.Parent() != root {
			if kind, _ := d.fence(f); live(kind) {
				ps = append(ps, d.problem(f.Pos(), "markdown.live.nested", map[string]any{"Kind": kind}))
			}
		}
		return ast.WalkContinue, nil
	})
	return ps
}

// skipped blocks leave nothing on the screen: HTML (comments, in practice)
// and definitions of links.
func skipped(n ast.Node) bool {
	switch n.Kind() {
	case ast.KindHTMLBlock, ast.KindLinkReferenceDefinition:
		return true
	}
	return false
}

func (d *Document) blankLine(line int) bool {
	from := d.lines[line-1]
	to := len(d.src)
	if line < len(d.lines) {
		to = d.lines[line]
	}
	return len(bytes.TrimSpace(d.src[from:to])) == 0
}

func (d *Document) block(n ast.Node) Block {
	line, _ := d.place(n.Pos())
	b := Block{Kind: Prose, Line: line}
	switch n := n.(type) {
	case *ast.Heading:
		b.Kind, b.Level, b.Text = Heading, n.Level, plainText(n, d.src)
	case *east.Table:
		b.Kind = Table
		// One that follows a text without a blank line has the place of that text.
		if t := firstText(n); t != nil {
			b.Line, _ = d.place(t.Segment.Start)
		}
	case *ast.FencedCodeBlock:
		kind, id := d.fence(n)
		b.Kind, b.Lang, b.Code = Code, kind, codeOf(n, d.src)
		if live(kind) {
			b = Block{Kind: Live, Line: line, Live: kind, ID: id}
		}
	case *ast.CodeBlock:
		b.Kind, b.Code = Code, codeOf(n, d.src)
	default:
		b.Text = plainText(n, d.src)
	}
	return b
}

func firstText(n ast.Node) (first *ast.Text) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			first = t
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return first
}

func live(kind string) bool { return kind == Sim || kind == Item || kind == Poll }

// fence splits the info string: the language or kind, and the rest.
func (d *Document) fence(n *ast.FencedCodeBlock) (first, rest string) {
	if n.Info == nil {
		return "", ""
	}
	info := strings.TrimSpace(string(n.Info.Segment.Value(d.src)))
	first, rest, _ = strings.Cut(info, " ")
	return first, strings.TrimSpace(rest)
}

func (d *Document) checkLive(n *ast.FencedCodeBlock, b Block) []Problem {
	var ps []Problem
	at := n.Info.Segment.Start
	if !liveID.MatchString(b.ID) {
		ps = append(ps, d.problem(at, "markdown.live.name", map[string]any{"Kind": b.Live, "Text": firstLine(b.ID)}))
	}
	if strings.TrimSpace(codeOf(n, d.src)) != "" {
		ps = append(ps, d.problem(n.Lines().At(0).Start, "markdown.live.body", map[string]any{"Kind": b.Live}))
	}
	return ps
}

func codeOf(n ast.Node, src []byte) string {
	var b strings.Builder
	for i := 0; i < n.Lines().Len(); i++ {
		s := n.Lines().At(i)
		b.Write(s.Value(src))
	}
	return b.String()
}

// plainText gives the text of a node without marks; code spans keep theirs.
func plainText(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(src))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.CodeSpan:
			b.WriteByte('`')
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(src))
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			return ast.WalkSkipChildren, nil
		default:
			if !entering && n.Type() == ast.TypeBlock && n.NextSibling() != nil {
				b.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}
