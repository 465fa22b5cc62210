package tui

import (
	"strings"

	"streaminglab/internal/markdown"
	"streaminglab/internal/view"
)

// relay breaks the lines that are wider than w; those that were laid out for it
// stay as they are.
func relay(lines []string, w int) []string {
	var out []string
	for _, l := range lines {
		if at := column(l); at > 0 {
			out = append(out, hang(l, at, w)...)
		} else {
			out = append(out, flow(l, w)...)
		}
	}
	return out
}

// inset is how many blanks a line begins with.
func inset(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// column is where the text of an entry begins behind its name; 0: it has none.
func column(entry string) int {
	body := strings.TrimLeft(entry, " ")
	if i := strings.Index(body, "  "); i > 0 && inset(entry) > 0 {
		return len(entry) - len(strings.TrimLeft(body[i:], " "))
	}
	return 0
}

// flow breaks a text; what does not fit goes on below, a little further in when
// the text stands in.
func flow(text string, w int) []string {
	if markdown.Width(text) <= w {
		return []string{text}
	}
	lead := min(inset(text), w/3)
	below := lead
	if lead > 0 {
		below = lead + 2
	}
	lines := markdown.Wrap(strings.TrimLeft(text, " "), w-below)
	for i := range lines {
		if i == 0 {
			lines[i] = strings.Repeat(" ", lead) + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", below) + lines[i]
		}
	}
	return lines
}

// hang breaks an entry: what does not fit goes on below its text, on a narrow
// screen close to its name.
func hang(entry string, at, w int) []string {
	if markdown.Width(entry) <= w {
		return []string{entry}
	}
	lead := inset(entry)
	name, text, _ := strings.Cut(entry[lead:], "  ")
	if at > w/3 {
		at = lead + 2
	}
	lines := indent(markdown.Wrap(strings.TrimSpace(text), w-at), strings.Repeat(" ", at))
	head := strings.Repeat(" ", lead) + name
	if gap := at - markdown.Width(head); gap >= 2 {
		lines[0] = head + strings.Repeat(" ", gap) + strings.TrimLeft(lines[0], " ")
		return lines
	}
	return append([]string{head}, lines...)
}

// foldCode breaks the lines of code that are wider than the screen, at a blank
// where there is one: nothing is lost, and a sign says that a line goes on.
func foldCode(lines []markdown.Line, w int, signs view.Signs) []markdown.Line {
	w = max(w, 8) // on a screen that is too small nothing of it is drawn
	var out []markdown.Line
	for _, l := range lines {
		if !l.Code || markdown.Width(l.Text) <= w {
			out = append(out, l)
			continue
		}
		plain := plainText(l.Text)
		lead := strings.Repeat(" ", min(len(plain)-len(strings.TrimLeft(plain, " ")), w/3)) + signs.Open + " "
		head, rest := cutCode(plain, w)
		for first := true; head != ""; first = false {
			piece := l
			piece.Text = head
			if !first {
				piece.Text = lead + head
			}
			out = append(out, piece)
			head, rest = cutCode(strings.TrimLeft(rest, " "), w-markdown.Width(lead))
		}
	}
	return out
}

// cutCode cuts a line of code at a width: at its last blank there, if that
// leaves a good part.
func cutCode(s string, w int) (head, rest string) {
	if markdown.Width(s) <= w {
		return s, ""
	}
	head, rest = markdown.Cut(s, w)
	if i := strings.LastIndexByte(head, ' '); i > len(head)/2 && !strings.HasPrefix(rest, " ") {
		return head[:i], head[i+1:] + rest
	}
	return head, rest
}
