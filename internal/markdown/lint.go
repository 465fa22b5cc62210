package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	xansi "github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/text/unicode/norm"
)

// Widths are the ones at which every text must fit.
var Widths = []int{40, 60, 80, 120}

// Lint looks at the text itself: characters, literal asterisks, HTML, images,
// lines that do not fit. Structure and words are compared elsewhere.
func (d *Document) Lint() []Problem {
	var ps []Problem
	ps = append(ps, d.lintCharacters()...)
	ps = append(ps, d.lintMarks()...)
	ps = append(ps, d.lintNodes()...)
	ps = append(ps, d.lintWidths()...)
	return sortProblems(ps)
}

func (d *Document) lintCharacters() []Problem {
	var ps []Problem
	if !norm.NFC.IsNormal(d.raw) {
		ps = append(ps, d.problem(notNormal(d.raw), "markdown.nfc", nil))
	}
	for i := 0; i < len(d.raw); {
		r, n := utf8.DecodeRune(d.raw[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			ps = append(ps, d.problem(i, "markdown.utf8", nil))
		case r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0 || invisible(r)):
			ps = append(ps, d.problem(i, "markdown.character", map[string]any{"Character": fmt.Sprintf("U+%04X", r)}))
		}
		i += n
	}
	for _, m := range entity.FindAllIndex(d.raw, -1) {
		if !bytes.Equal(d.raw[m[0]:m[1]], d.src[m[0]:m[1]]) && m[0] >= d.bodyStart() {
			ps = append(ps, d.problem(m[0], "markdown.character", map[string]any{"Character": string(d.raw[m[0]:m[1]])}))
		}
	}
	return ps
}

// bodyStart is where the blanked front matter ends.
func (d *Document) bodyStart() int {
	for i := range d.src {
		if d.src[i] != ' ' && d.src[i] != '\n' {
			return i
		}
	}
	return len(d.src)
}

// notNormal gives the offset of the first character that is not composed. The
// normal form agrees byte for byte up to there.
func notNormal(raw []byte) int {
	composed := norm.NFC.Bytes(raw)
	n := 0
	for n < len(raw) && n < len(composed) && raw[n] == composed[n] {
		n++
	}
	for n > 0 && n < len(raw) && !utf8.RuneStart(raw[n]) {
		n--
	}
	return n
}

// lintMarks finds ** that CommonMark leaves in the text. Our own parser may
// well show them as bold, other programs that show the file do not.
func (d *Document) lintMarks() []Problem {
	var ps []Problem
	for _, p := range d.passages(strict.Parse(text.NewReader(d.src)), false) {
		for at := 0; ; {
			i := strings.Index(p.Text[at:], "**")
			if i < 0 {
				break
			}
			at += i
			line, col := p.Place(at)
			ps = append(ps, Problem{File: d.File, Line: line, Col: col, ID: "markdown.asterisks",
				Args: map[string]any{"Text": firstLine(p.Text[at:])}})
			at += 2
		}
	}
	return ps
}

func (d *Document) lintNodes() []Problem {
	var ps []Problem
	_ = ast.Walk(d.tree(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock:
			if n.HTMLBlockType != ast.HTMLBlockType2 { // a comment
				ps = append(ps, d.problem(n.Pos(), "markdown.html", nil))
			}
		case *ast.RawHTML:
			if s := n.Segments.At(0); !bytes.HasPrefix(s.Value(d.src), []byte("<!--")) {
				ps = append(ps, d.problem(s.Start, "markdown.html", nil))
			}
		case *ast.Image:
			ps = append(ps, d.problem(n.Pos(), "markdown.image", nil))
		}
		return ast.WalkContinue, nil
	})
	return ps
}

func (d *Document) lintWidths() []Problem {
	var ps []Problem
	reported := map[int]bool{}
	for _, w := range Widths {
		for _, plain := range []bool{false, true} {
			for _, l := range d.Render(Options{Width: w, Theme: Mono, Plain: plain}) {
				if l.Code || xansi.StringWidth(l.Text) <= w || reported[l.Block] {
					continue
				}
				reported[l.Block] = true
				line := 1
				if l.Block >= 0 && l.Block < len(d.Blocks) {
					line = d.Blocks[l.Block].Line
				}
				ps = append(ps, Problem{File: d.File, Line: line, Col: 1, ID: "markdown.width",
					Args: map[string]any{"Width": w, "Text": firstLine(xansi.Strip(l.Text))}})
			}
		}
	}
	return ps
}
