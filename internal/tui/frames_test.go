package tui

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/cockroachdb/datadriven"

	"streaminglab/assets"
	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/progress"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
	"streaminglab/sim/session"
)

func testEnv(t testing.TB, lang string) Env {
	t.Helper()
	course, err := lessons.Load(lessons.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	library, err := quiz.Load(quiz.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := fs.Sub(assets.FS(), "experiments")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	return Env{
		Loc: locale.New(locale.Lang(lang)), Course: course, Library: library, Engine: engine.New(tree),
		Store: progress.Open(t.TempDir()), Now: func() time.Time { now = now.Add(time.Second); return now },
		Seed: 1, Theme: markdown.Mono, NoMotion: true,
	}
}

// press turns the name of a key into a message; anything else is typed text.
func press(m tea.Model, word string) tea.Model {
	named := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "up": {Code: tea.KeyUp},
		"down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "pgdown": {Code: tea.KeyPgDown},
		"pgup": {Code: tea.KeyPgUp}, "space": {Code: tea.KeySpace, Text: " "}, "f1": {Code: tea.KeyF1}, "f2": {Code: tea.KeyF2},
		"f3": {Code: tea.KeyF3}, "backspace": {Code: tea.KeyBackspace}, "end": {Code: tea.KeyEnd}, "home": {Code: tea.KeyHome},
		"ctrl+d": {Code: 'd', Mod: tea.ModCtrl},
	}
	if k, ok := named[word]; ok {
		m, _ = m.Update(k)
		m.View() // a frame is laid out after every message
		return m
	}
	for _, r := range word {
		m, _ = m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		m.View()
	}
	return m
}

// Frames of the pure model. Directives:
//
//	start lang=es w=80 h=24 open=KIND:ID ascii dark
//	                          a fresh learner, at the home or at what is opened
//	experiment                an experiment of its own, for open=experiment
//	keys                      one key or one text a line
//	frame                     the screen as text: [ before what is selected, _ before what is underlined
//	size w=40 h=15
func TestFrames(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var m tea.Model
		own := ""
		size := func(d *datadriven.TestData) (w, h int) {
			w, h = 80, 24
			d.MaybeScanArgs(t, "w", &w)
			d.MaybeScanArgs(t, "h", &h)
			return w, h
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "experiment":
				own = d.Input
			case "start":
				lang := "es"
				d.MaybeScanArgs(t, "lang", &lang)
				env := testEnv(t, lang)
				env.ASCII = d.HasArg("ascii")
				if d.HasArg("dark") {
					env.Theme = markdown.Dark
				}
				open := ""
				d.MaybeScanArgs(t, "open", &open)
				if open == "experiment" {
					e, err := session.ParseExperiment("own", "own", []byte(own+"\n"))
					if err != nil {
						t.Fatal(err)
					}
					m = Open(env, e)
				} else {
					m = openAt(t, env, open)
				}
				w, h := size(d)
				m, _ = m.Update(tea.WindowSizeMsg{Width: w, Height: h})
				m.View()
			case "size":
				w, h := size(d)
				m, _ = m.Update(tea.WindowSizeMsg{Width: w, Height: h})
				m.View()
			case "keys":
				for _, l := range strings.Split(d.Input, "\n") {
					m = press(m, l)
				}
			case "paste":
				m, _ = m.Update(tea.PasteMsg{Content: d.Input})
				m.View()
			case "frame":
				return frameText(t, m.(*Model))
			}
			return ""
		})
	})
}

// openAt opens the course at lesson:ID, quiz:ID, item:ID or bench:ID.
func openAt(t *testing.T, env Env, what string) *Model {
	t.Helper()
	kind, id, _ := strings.Cut(what, ":")
	switch kind {
	case "lesson":
		return Lesson(env, env.Course.Lesson(id))
	case "quiz":
		return Quiz(env, env.Library.Set(id))
	case "item":
		m := New(env)
		m.push(newAsk(m, env.Library.Item(id), asking{seed: 1, feedback: true}))
		return m
	case "bench":
		e, err := env.Engine.Experiment(id)
		if err != nil {
			t.Fatal(err)
		}
		return Open(env, e)
	}
	return New(env)
}

func frameText(t *testing.T, m *Model) string {
	t.Helper()
	v := m.View()
	lines := strings.Split(v.Content, "\n")
	if len(lines) != m.h {
		t.Errorf("%d lines on a screen of %d", len(lines), m.h)
	}
	var b strings.Builder
	for i, l := range lines {
		if w := lipgloss.Width(l); w > m.w {
			t.Errorf("line %d has %d cells on a screen of %d: %s", i, w, m.w, strip(l))
		}
		l = strings.NewReplacer("\x1b[7m", "[", "\x1b[4;7m", "[", "\x1b[4m", "_", "\x1b[m", "").Replace(l)
		b.WriteString(strings.TrimRight(strip(l), " ") + "\n")
	}
	if c := v.Cursor; c != nil {
		fmt.Fprintf(&b, "cursor %d,%d\n", c.Position.X, c.Position.Y)
	}
	return strings.ReplaceAll(b.String(), "\n\n", "\n.\n")
}
