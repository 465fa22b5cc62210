package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	xansi "github.com/charmbracelet/x/ansi"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/internal/progress"
	"streaminglab/internal/view"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
)

// Env is what the course in full screen stands on.
type Env struct {
	Loc      *locale.Localizer
	Course   *lessons.Course
	Library  *quiz.Library
	Engine   *engine.Engine
	Glossary quiz.Glossary
	Store    *progress.Store
	Now      func() time.Time
	Seed     uint64
	Theme    markdown.Theme
	ASCII    bool
	NoMotion bool
	NoMouse  bool
	Editor   Editor
	// Wait waits for a command of the bench as long as nobody would notice, and
	// reports whether it has ended. One that has not goes on behind the screen,
	// where Ctrl-C interrupts it. Nil: each is waited for.
	Wait func(ended <-chan struct{}) bool
}

// Smallest sizes: below the first nothing is drawn but a line that says so.
const (
	minWidth  = 40
	minHeight = 15
)

// A screen is one page of the course.
type screen interface {
	// update handles a message; leave says that the screen is done.
	update(m *Model, msg tea.Msg) (cmd tea.Cmd, leave bool)
	// draw returns the lines between title and footer, and where the cursor is.
	draw(m *Model, w, h int) ([]string, *tea.Cursor)
	// title is the first line: what this is, and something at its right.
	title(m *Model) (left, right string)
	// hints are the keys that work now.
	hints(m *Model) []hint
	// relocate is called when the language has changed.
	relocate(m *Model)
}

// Model is the Bubble Tea model. It is pure: no clock, no file but through Env.
type Model struct {
	env     Env
	w, h    int
	stack   []screen
	style   view.Style
	signs   view.Signs
	marker  *quiz.Marker
	summary *progress.Summary
	notice  string // one line above the footer: what could not be kept, and the like
	quit    bool
	task    *task    // what goes on behind the screen
	later   tea.Cmd  // what brings its end
	frames  []string // the last frame
}

// New returns the course at its home, or at what open names.
func New(env Env) *Model {
	m := &Model{env: env, w: 80, h: 24, style: styles(env.Theme), signs: view.Unicode}
	if env.ASCII {
		m.signs = view.ASCII
	}
	m.marker = &quiz.Marker{Engine: env.Engine, Glossary: env.Glossary}
	m.push(newHome(m))
	return m
}

func (m *Model) push(s screen) { m.stack = append(m.stack, s) }

func (m *Model) top() screen { return m.stack[len(m.stack)-1] }

func (m *Model) text(id string, args locale.Args) string { return m.env.Loc.Text(id, args) }

func (m *Model) lang() quiz.Lang { return quiz.Lang(m.env.Loc.Lang()) }

// Init implements tea.Model. Nothing ticks.
func (m *Model) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	if m.task != nil {
		cmd = m.working(msg)
	} else {
		cmd = m.handle(msg)
	}
	if m.later != nil {
		cmd, m.later = tea.Batch(cmd, m.later), nil
	}
	return m, cmd
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch x := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = x.Width, x.Height
	case tea.KeyPressMsg:
		m.notice = ""
		switch x.String() {
		case "ctrl+c":
			return tea.Quit
		case "ctrl+z":
			return tea.Suspend
		case "f1":
			if _, ok := m.top().(*help); !ok && !m.tooSmall() {
				m.push(newHelp(m))
			}
			return nil
		}
	}
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		if m.tooSmall() {
			// Nothing is done that nobody sees.
			return nil
		}
	}
	if m.wheelBeside(msg) {
		return nil
	}
	cmd, leave := m.top().update(m, msg)
	if leave {
		// The last screen stays until the end: it is drawn once more.
		if len(m.stack) == 1 || m.quit {
			return tea.Quit
		}
		left := m.top()
		m.stack = m.stack[:len(m.stack)-1]
		m.summary = nil
		m.top().relocate(m)
		if q, ok := m.top().(*quizScreen); ok {
			q.resume(m, left)
		}
	}
	return cmd
}

// switchLanguage changes the language in place and remembers it.
func (m *Model) switchLanguage() {
	to := m.env.Loc.Lang().Other()
	m.env.Loc = m.env.Loc.In(to)
	m.keep(progress.LanguageChosen{Lang: string(to)})
	for _, s := range m.stack {
		s.relocate(m)
	}
}

// keep appends to the progress. What cannot be kept is said; the course goes on.
func (m *Model) keep(e progress.Event) {
	if m.env.Store == nil {
		return
	}
	if err := m.env.Store.Append(m.env.Now(), e); err != nil {
		m.notice = narrate.Problem(m.env.Loc, err)
	}
	m.summary = nil
}

// progress is what was kept.
func (m *Model) progress() *progress.Summary {
	if m.summary == nil {
		m.summary = progress.Fold(nil)
		if m.env.Store != nil {
			if log, err := m.env.Store.Read(); err == nil {
				m.summary = progress.Fold(log.Entries)
			} else {
				m.notice = narrate.Problem(m.env.Loc, err)
			}
		}
	}
	return m.summary
}

// View implements tea.Model.
func (m *Model) View() tea.View {
	var lines []string
	var cursor *tea.Cursor
	if m.task != nil {
		lines = m.workingFrame()
	} else {
		lines, cursor = m.frame()
		m.frames = lines
	}
	// A no-break space has done its work, and some terminals show it as a sign.
	v := tea.NewView(strings.ReplaceAll(strings.Join(lines, "\n"), "\u00a0", " "))
	v.AltScreen = true
	v.WindowTitle = "lab"
	v.Cursor = cursor
	if !m.env.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

func (m *Model) tooSmall() bool { return m.w < minWidth || m.h < minHeight }

// frame is the whole screen as lines: title, body, notice, footer.
func (m *Model) frame() ([]string, *tea.Cursor) {
	if m.tooSmall() {
		out := make([]string, max(m.h, 1))
		if m.w < 8 {
			return out, nil
		}
		copy(out, markdown.Wrap(m.text("tui.too-small", locale.Args{"Width": minWidth, "Height": minHeight}), m.w))
		return out, nil
	}
	s := m.top()
	footer := m.footer(s.hints(m))
	room := m.room()
	notice := m.noticeLines()
	body, cursor := m.body(room)
	for len(body) < room {
		body = append(body, "")
	}
	// The title comes last: drawing has laid out what it speaks of.
	left, right := s.title(m)
	out := []string{m.style(view.Strong, m.bar(" "+left, right+" "))}
	out = append(out, body[:room]...)
	for _, l := range notice {
		out = append(out, m.style(view.Warn, " "+l))
	}
	out = append(out, footer...)
	for i, l := range out {
		// A last net: what is too wide would push the rest of the screen down.
		if lipgloss.Width(l) > m.w {
			out[i] = xansi.Truncate(l, m.w, m.signs.Open)
		}
	}
	if cursor != nil {
		cursor.Position.Y++
		cursor.Position.X = min(cursor.Position.X, m.w-1)
		cursor.Position.Y = min(cursor.Position.Y, m.h-1)
	}
	return out, cursor
}

// room is how many lines a screen has between title and footer.
func (m *Model) room() int {
	return m.h - 1 - len(m.footer(m.top().hints(m))) - len(m.noticeLines())
}

func (m *Model) noticeLines() []string {
	if m.notice == "" {
		return nil
	}
	lines := m.coded(markdown.Wrap(m.notice, m.w-2))
	return lines[:min(len(lines), 4)]
}

// bar puts one text at the left and one at the right of a line.
func (m *Model) bar(left, right string) string {
	gap := m.w - lipgloss.Width(left) - lipgloss.Width(right)
	if gap < 1 {
		left = view.Fit(left, max(m.w-lipgloss.Width(right)-1, 0), m.signs)
		gap = max(m.w-lipgloss.Width(left)-lipgloss.Width(right), 0)
	}
	return left + strings.Repeat(" ", gap) + right
}

// footer is the keys that work now, in at most two lines.
func (m *Model) footer(hints []hint) []string {
	lines := m.footerLines(hints)
	// How to get help and how to leave stay in sight: others give way.
	for len(lines) > 2 && len(hints) > 3 {
		hints = slices.Delete(slices.Clone(hints), len(hints)-3, len(hints)-2)
		lines = m.footerLines(hints)
	}
	if len(lines) > 2 {
		lines = lines[:2]
	}
	for i := range lines {
		lines[i] = m.style(view.Faint, lines[i])
	}
	return lines
}

func (m *Model) footerLines(hints []hint) []string {
	var lines []string
	line := ""
	for _, h := range hints {
		part := m.clean(m.keyName(h.key) + " " + m.text(h.id, nil))
		switch {
		case line == "":
			line = " " + part
		case lipgloss.Width(line)+3+lipgloss.Width(part) <= m.w:
			line += m.clean(" · ") + part
		default:
			lines = append(lines, line)
			line = " " + part
		}
	}
	return append(lines, line)
}

// keyName is what a key is called where the language has a name of its own.
func (m *Model) keyName(key string) string {
	if key == "Space" {
		return m.text("tui.space", nil)
	}
	return key
}

func (m *Model) clean(s string) string {
	if m.env.ASCII {
		return strings.NewReplacer("·", "|", "↑↓", "Up/Down", "←→", "Left/Right", "↵", "Enter", "●", "*", "○", "o", "▸", ">", "✓", "+").Replace(s)
	}
	return s
}

func (m *Model) options(w int) markdown.Options {
	return markdown.Options{Width: w, Theme: m.env.Theme, ASCII: m.env.ASCII}
}

func (m *Model) questions(w int) *view.Questions {
	return &view.Questions{Loc: m.env.Loc, Library: m.env.Library, Engine: m.env.Engine, Marker: m.marker, Options: m.options(w)}
}

func (m *Model) context() context.Context { return context.Background() }

// document reads a lesson in the present language.
func (m *Model) document(l *lessons.Lesson) *markdown.Document {
	if l == nil {
		return nil
	}
	text, err := l.Text(string(m.env.Loc.Lang()))
	if err != nil {
		return nil
	}
	d, _ := markdown.Parse(l.Path(string(m.env.Loc.Lang())), text)
	return d
}
