package markdown

import (
	"bytes"
	"strings"
)

// front reads the front matter, which holds the title and nothing else, and
// blanks it out so that what follows keeps its offsets. The order, the ids and
// the minutes of lessons live in one place, the course file, and not here.
func (d *Document) front() []Problem {
	fence := func(line []byte) bool { return string(bytes.TrimRight(line, " \r")) == "---" }
	lines := bytes.SplitAfter(d.src, []byte("\n"))
	if !fence(bytes.TrimSuffix(lines[0], []byte("\n"))) {
		return []Problem{d.problem(0, "markdown.front.missing", nil)}
	}
	var ps []Problem
	offset := len(lines[0])
	closed := false
	for _, line := range lines[1:] {
		start := offset
		offset += len(line)
		text := strings.TrimRight(string(line), " \r\n")
		if fence([]byte(text)) {
			closed = true
			break
		}
		if text == "" {
			continue
		}
		key, value, ok := strings.Cut(text, ":")
		switch {
		case !ok:
			ps = append(ps, d.problem(start, "markdown.front.syntax", map[string]any{"Text": firstLine(text)}))
		case strings.TrimSpace(key) != "title":
			ps = append(ps, d.problem(start, "markdown.front.key", map[string]any{"Key": strings.TrimSpace(key)}))
		case d.Title != "":
			ps = append(ps, d.problem(start, "markdown.front.twice", nil))
		default:
			d.Title = unquote(strings.TrimSpace(value))
		}
	}
	if !closed {
		d.Title = ""
		return append(ps, d.problem(0, "markdown.front.open", nil))
	}
	if d.Title == "" {
		ps = append(ps, d.problem(0, "markdown.front.title", nil))
	}
	for i := 0; i < offset; i++ {
		if d.src[i] != '\n' {
			d.src[i] = ' '
		}
	}
	return ps
}

func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
