package markdown

import (
	"bytes"
	"html"
	"regexp"
	"unicode/utf8"
)

var entity = regexp.MustCompile(`&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);`)

// harmless gives a text of the same length and the same lines in which no byte
// can move a cursor or switch a terminal: a lesson is content, and content
// must not be able to do that, not even as &#27;. Carriage returns, control
// characters and broken UTF-8 become blanks; the lint reports them.
func harmless(raw []byte) []byte {
	src := bytes.Clone(raw)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			src[i] = ' '
		}
	}
	lineStart := true
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			src[i] = ' '
			n = 1
		case r == '\n':
			lineStart = true
			i++
			continue
		case r == '\t' && lineStart: // indentation keeps its meaning
			i++
			continue
		case r < ' ' || r >= 0x7f && r < 0xa0 || invisible(r):
			blank(i, i+n)
		}
		if r != ' ' {
			lineStart = false
		}
		i += n
	}
	for _, m := range entity.FindAllIndex(src, -1) {
		for _, r := range html.UnescapeString(string(src[m[0]:m[1]])) {
			if r < ' ' || r >= 0x7f && r < 0xa0 || invisible(r) {
				blank(m[0], m[1])
				break
			}
		}
	}
	return src
}

// invisible characters have no width of their own, join others or turn the
// direction of text: columns could not be trusted.
func invisible(r rune) bool {
	switch {
	case r == 0xad, r == 0x61c, r == 0x180e, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e,
		r >= 0x2060 && r <= 0x206f, r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff,
		r >= 0xfff0 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}
