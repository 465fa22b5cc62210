package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/view"
)

// How a place of a lesson is found: its contents and its search.

func (s *lesson) contentsKey(k string) tea.Cmd {
	contents := s.doc.Contents()
	switch k {
	case "up":
		s.at = max(0, s.at-1)
	case "down":
		s.at = min(len(contents)-1, s.at+1)
	case "enter":
		s.toc = false
		if s.at < len(contents) {
			s.stand(contents[s.at].Block)
		}
	case "t", "esc", "q":
		s.toc = false
	}
	return nil
}

// seek goes to the next line that holds what is searched.
func (s *lesson) seek(m *Model, from int) {
	if s.find == "" {
		return
	}
	want := strings.ToLower(s.find)
	for i := range s.lines {
		k := (from + i) % len(s.lines)
		if strings.Contains(strings.ToLower(plainText(s.lines[k].Text)), want) {
			s.top = k
			return
		}
	}
	m.notice = m.text("tui.lesson.not-found", locale.Args{"Text": s.find})
}

// highlight marks what was searched for.
func (s *lesson) highlight(m *Model, text string) string {
	plain := plainText(text)
	low := strings.ToLower(plain)
	want := strings.ToLower(s.find)
	if want == "" || len(low) != len(plain) {
		return text
	}
	var runs []run
	for at := 0; ; {
		i := strings.Index(low[at:], want)
		if i < 0 {
			return repaint(text, runs)
		}
		from := lipgloss.Width(plain[:at+i])
		runs = append(runs, run{from, from + lipgloss.Width(plain[at+i:at+i+len(want)]), func(x string) string { return m.style(view.Selected, x) }})
		at += i + len(want)
	}
}

func (s *lesson) drawContents(m *Model, w, h int) []string {
	out := []string{"", " " + m.style(view.Strong, m.text("tui.lesson.contents", nil)), ""}
	for i, c := range s.doc.Contents() {
		mark, class := "   ", view.Plain
		if i == s.at {
			mark, class = " "+m.signs.Sel+" ", view.Selected
		}
		out = append(out, m.style(class, view.Fit(mark+strings.Repeat("  ", max(c.Level-1, 0))+c.Text, w-1, m.signs)))
		if len(out) == h {
			break
		}
	}
	return out
}

// plainText is a line without escape sequences.
func plainText(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	return strip(s)
}
