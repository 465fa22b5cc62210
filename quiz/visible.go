package quiz

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes text that a learner wrote harmless for a terminal and for the
// eye: every control character (C0, C1, so every escape sequence too), every
// mark that changes the direction of text or that cannot be seen, and every
// byte that is not UTF-8 is shown as \x1b or \u{202e}. Line ends and tabs are
// shown as well, so the result is always one line.
func Visible(s string) string { return visible(s, false) }

// VisibleLines is Visible for scripts and files: line ends (\n) and tabs stay.
func VisibleLines(s string) string { return visible(s, true) }

func visible(s string, lines bool) string {
	var b strings.Builder
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[at])
		case lines && (r == '\n' || r == '\t'):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case hidden(r):
			fmt.Fprintf(&b, `\u{%04x}`, r)
		default:
			b.WriteRune(r)
		}
		at += size
	}
	return b.String()
}

// hidden runes act without being seen: directions, joiners, separators, tags,
// variation selectors, interlinear and filler characters.
func hidden(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	case r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 || r == 0x034F:
		return true
	}
	return false
}
