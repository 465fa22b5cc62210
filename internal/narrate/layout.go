package narrate

import (
	"strings"

	xansi "github.com/charmbracelet/x/ansi"
)

// columns is the width of text on a terminal: Hangul takes two.
func columns(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return xansi.StringWidth(s)
		}
	}
	return len(s) // most cells, and there may be a hundred thousand
}

func pad(s string, n int, right bool) string {
	space := strings.Repeat(" ", max(0, n-columns(s)))
	if right {
		return space + s
	}
	return s + space
}

// wrap breaks text at blanks so that no line is wider than width; a word that
// is wider by itself is cut.
func wrap(text string, width int) []string {
	if width <= 0 || columns(text) <= width {
		return []string{text}
	}
	var out []string
	line := ""
	for _, word := range strings.Split(text, " ") {
		switch {
		case line == "":
			line = word
		case columns(line)+1+columns(word) <= width:
			line += " " + word
		default:
			out = append(out, line)
			line = word
		}
		for columns(line) > width {
			head := xansi.Truncate(line, width, "")
			out = append(out, head)
			line = strings.TrimPrefix(line, head)
		}
	}
	return append(out, line)
}

// hang wraps text behind a first indent; the lines below begin at another.
func hang(first, below, text string, width int) []string {
	out := wrap(text, max(20, width-max(columns(first), columns(below))))
	for i := range out {
		if i == 0 {
			out[i] = first + out[i]
		} else {
			out[i] = below + out[i]
		}
	}
	return out
}

// pictureWidth is what every line of the picture fits into.
const pictureWidth = 80
