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
}

func (i *input) update(msg tea.Msg) tea.Cmd {
	switch x := msg.(type) {
	case tea.KeyPressMsg:
		if x.Text != "" {
			if x.Text = i.clean(x.Text); x.Text == "" {
				return nil
			}
			msg = x
		}
	case tea.PasteMsg:
		// More than fits is cut before it is looked at: a paste can be huge.
		if x.Content = i.clean(x.Content[:min(len(x.Content), 4*inputLimit)]); x.Content == "" {
			return nil
		}
		msg = x
	}
	var cmd tea.Cmd
	i.area, cmd = i.area.Update(msg)
	return cmd
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
		} else {
			i.set(i.history[i.at])
		}
	}
}

// draw returns the rows and where the cursor is in them; nil when the input
// has no focus.
func (i *input) draw(w int) ([]string, *tea.Cursor) {
	p := lipgloss.Width(i.prompt)
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
