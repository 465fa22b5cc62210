package tui

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"golang.org/x/text/unicode/norm"

	"streaminglab/quiz"
)

// An input is a line of text with a history and the terminal's own cursor, so
// that an input method draws what is being composed in its place. A text area
// of one row is used because its cursor stands right behind wide characters.
type input struct {
	area    textarea.Model
	prompt  string
	history []string
	at      int
	rows    int
	from    int  // of a line that is wider than its place, the first character in sight
	lead    int  // cells of the mark before it
	kept    bool // the line was refused: it can be mended, or the next one is typed over it
}

// inputLimit is how many characters an input takes.
const inputLimit = 2000

func newInput(prompt string, rows int) *input {
	a := textarea.New()
	a.ShowLineNumbers = false
	a.Prompt = ""
	a.CharLimit = inputLimit
	a.MaxHeight = rows
	a.SetHeight(rows)
	a.SetStyles(textarea.Styles{})
	a.SetVirtualCursor(false)
	a.EndOfBufferCharacter = ' '
	a.KeyMap.InsertNewline.SetEnabled(rows > 1)
	if rows == 1 {
		// One line is never broken: a part of it is in sight.
		a.MaxWidth = 0
		a.SetWidth(4 * inputLimit)
	}
	// A terminal pastes by itself; to ask the system for its clipboard would
	// bring in what is not cleaned.
	a.KeyMap.Paste.SetEnabled(false)
	return &input{area: a, prompt: prompt, rows: rows}
}

func (i *input) focus() { i.area.Focus() }
func (i *input) blur()  { i.area.Blur() }

func (i *input) value() string { return i.area.Value() }

func (i *input) set(s string) {
	i.area.SetValue(s)
	i.area.MoveToEnd()
	i.kept = false
}

// keep leaves a refused line to be mended: the keys that move in it or delete
// edit it, and what is typed begins a new one.
func (i *input) keep(s string) {
	i.set(s)
	i.kept = true
}

func (i *input) update(msg tea.Msg) tea.Cmd {
	switch x := msg.(type) {
	case tea.KeyPressMsg:
		if x.Text != "" {
			if x.Text = i.clean(x.Text); x.Text == "" {
				return nil
			}
			msg = x
			i.over()
		}
		i.kept = false
	case tea.PasteMsg:
		// More than fits is cut before it is looked at: a paste can be huge.
		if x.Content = i.clean(x.Content[:min(len(x.Content), 4*inputLimit)]); x.Content == "" {
			return nil
		}
		msg = x
		i.over()
	}
	var cmd tea.Cmd
	i.area, cmd = i.area.Update(msg)
	return cmd
}

// over makes room for a new line where a refused one stands.
func (i *input) over() {
	if i.kept {
		i.area.Reset()
	}
	i.kept = false
}

// clean is text as a line takes it: composed, without what a terminal would
// obey or nobody can see, and in one line where there is only one.
func (i *input) clean(s string) string {
	s = norm.NFC.String(strings.ToValidUTF8(s, ""))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && i.rows > 1:
			return r
		case r == '\n' || r == '\t':
			return ' '
		case quiz.VisibleLines(string(r)) != string(r):
			return -1
		}
		return r
	}, s)
}

// enter takes the line and keeps it in the history.
func (i *input) enter() string {
	s := strings.TrimSpace(i.area.Value())
	if s != "" && (len(i.history) == 0 || i.history[len(i.history)-1] != s) {
		i.history = append(i.history, s)
	}
	i.at = len(i.history)
	i.area.Reset()
	i.kept = false
	return s
}

// older and newer walk the history.
func (i *input) older() {
	if i.at > 0 {
		i.at--
		i.set(i.history[i.at])
	}
}

func (i *input) newer() {
	if i.at < len(i.history) {
		i.at++
		if i.at == len(i.history) {
			i.area.Reset()
			i.kept = false
		} else {
			i.set(i.history[i.at])
		}
	}
}

// draw returns the rows and where the cursor is in them; nil when the input
// has no focus. cut marks what is out of sight.
func (i *input) draw(w int, cut string) ([]string, *tea.Cursor) {
	p := lipgloss.Width(i.prompt)
	if i.rows == 1 {
		return i.drawLine(max(w-p-1, 5), cut)
	}
	i.area.SetWidth(max(w-p-1, 5))
	lines := strings.Split(i.area.View(), "\n")
	for k := range lines {
		lead := i.prompt
		if k > 0 {
			lead = strings.Repeat(" ", p)
		}
		lines[k] = strings.TrimRight(lead+lines[k], " ")
	}
	if !i.area.Focused() {
		return lines, nil
	}
	c := i.area.Cursor()
	if c != nil {
		c.Position.X += p
	}
	return lines, c
}

// drawLine shows as much of a line as there is room for, with the cursor and
// what is around it.
func (i *input) drawLine(w int, cut string) ([]string, *tea.Cursor) {
	text := []rune(i.area.Value())
	at := min(i.area.Column(), len(text))
	width := func(from, to int) int { return lipgloss.Width(string(text[from:to])) }
	mark := lipgloss.Width(cut)
	lead := func() int { // cells of the mark at the left
		if i.from > 0 {
			return mark
		}
		return 0
	}
	i.from = min(i.from, len(text))
	for i.from > 0 && (at <= i.from || width(i.from-1, len(text))+mark < w) {
		i.from--
	}
	if width(0, len(text)) <= w {
		i.from = 0
	}
	for i.from < at {
		room := w - lead()
		if at < len(text) {
			room -= max(mark, width(at, at+1)) + mark
		}
		if width(i.from, at) <= room {
			break
		}
		i.from++
	}
	to := len(text)
	for to > at && lead()+width(i.from, to) > w {
		to--
	}
	shown := string(text[i.from:to])
	if to < len(text) {
		for to > at && lead()+width(i.from, to)+mark > w {
			to--
		}
		shown = string(text[i.from:to]) + cut
	}
	if i.lead = lead(); i.from > 0 {
		shown = cut + shown
	}
	line := []string{strings.TrimRight(i.prompt+shown, " ")}
	if !i.area.Focused() {
		return line, nil
	}
	c := i.area.Cursor()
	if c != nil {
		c.Position.X, c.Position.Y = lipgloss.Width(i.prompt)+i.lead+width(i.from, at), 0
	}
	return line, c
}

// cell is where a character of the line, counted from 1, stands on the last
// drawing.
func (i *input) cell(column int) int {
	text := []rune(i.area.Value())
	column = max(i.from, min(column-1, len(text)))
	return lipgloss.Width(i.prompt) + i.lead + lipgloss.Width(string(text[min(i.from, len(text)):min(column, len(text))]))
}
