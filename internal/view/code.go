package view

import "strings"

// A codeRun is a piece of a line that is code or is not.
type codeRun struct {
	text string
	code bool
}

// codeRuns take what stands between backquotes out of them. Code may go on in
// the next line; a backquote that nothing closes is a sign like any other.
func codeRuns(lines []string) [][]codeRun {
	out := make([][]codeRun, len(lines))
	open := false
	for i, l := range lines {
		parts := strings.Split(l, "`")
		last := len(parts) - 1
		for k, text := range parts {
			code := open
			if text != "" {
				out[i] = append(out[i], codeRun{text, code})
			}
			if k == last {
				break
			}
			if !open && k == last-1 && cutShort(parts[last]) {
				// The line was cut within code.
				out[i] = append(out[i], codeRun{parts[last], true})
				break
			}
			if !open && k == last-1 && !closes(lines[i+1:]) {
				// The last one of the line, and none below belongs to it.
				out[i] = append(out[i], codeRun{"`" + parts[last], false})
				break
			}
			open = !open
		}
	}
	return out
}

// cutShort reports whether a line ends where it was cut.
func cutShort(end string) bool { return strings.HasSuffix(end, "…") || strings.HasSuffix(end, "...") }

// closes reports whether the next backquote of some lines closes code that began
// before them: the line that has it has an odd number.
func closes(lines []string) bool {
	for _, l := range lines {
		if n := strings.Count(l, "`"); n > 0 {
			return n%2 == 1
		}
	}
	return false
}

// Coded gives code between backquotes a look instead of them. Columns behind it
// stay where they are; lines that have a look already are left alone.
func Coded(lines []string, look func(string) string) []string {
	out := make([]string, len(lines))
	for i, runs := range codeRuns(lines) {
		if strings.Contains(lines[i], "\x1b") || !strings.Contains(lines[i], "`") && (len(runs) == 0 || !runs[0].code) {
			out[i] = lines[i]
			continue
		}
		missing := strings.Count(lines[i], "`")
		for _, r := range runs {
			missing -= strings.Count(r.text, "`")
		}
		var b strings.Builder
		for _, r := range runs {
			switch {
			case r.code:
				b.WriteString(look(r.text))
			default:
				text := r.text
				if k := strings.Index(text, "  "); k >= 0 && b.Len() > 0 {
					text = text[:k] + strings.Repeat(" ", missing) + text[k:]
					missing = 0
				}
				b.WriteString(text)
			}
		}
		out[i] = b.String()
	}
	return out
}

// putLines writes lines below each other; where the style shows code, without
// the backquotes.
func (c *canvas) putLines(p *Picture, x, y int, class Class, lines []string) {
	if !p.Codes {
		for i, l := range lines {
			c.put(x, y+i, class, l)
		}
		return
	}
	for i, runs := range codeRuns(lines) {
		at := x
		for _, r := range runs {
			look := class
			if r.code && class == Plain {
				look = Code
			}
			at = c.put(at, y+i, look, r.text)
		}
	}
}
