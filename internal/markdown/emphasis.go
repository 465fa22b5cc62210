package markdown

import (
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// CommonMark closes no ** that stands between punctuation and a letter, so in
// **워터마크(watermark)**가 the asterisks stay: Korean writes particles without
// a space (commonmark-spec issue 650). Authors write **워터마크**(watermark)가,
// and a lint says so; this parser is the net below, so that a learner never
// sees the asterisks. It comes before goldmark's own parser and differs from
// it in the two conditions on Hangul, Han and kana only.
type cjkEmphasis struct{}

type emphasisDelimiters struct{}

func (emphasisDelimiters) IsDelimiter(b byte) bool { return b == '*' || b == '_' }
func (emphasisDelimiters) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}
func (emphasisDelimiters) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

func (cjkEmphasis) Trigger() []byte { return []byte{'*', '_'} }

func (cjkEmphasis) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, emphasisDelimiters{})
	if d == nil {
		return nil
	}
	if line[0] == '*' {
		after := ' '
		if d.OriginalLength < len(line) {
			after = util.ToRune(line, d.OriginalLength)
		}
		if cjk(after) && !util.IsSpaceRune(before) {
			d.CanClose = true
		}
		if cjk(before) && !util.IsSpaceRune(after) {
			d.CanOpen = true
		}
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

func cjk(r rune) bool {
	return unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
