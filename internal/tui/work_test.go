package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"streaminglab/sim/session"
)

// follow gives a model what a command brings, and what that leads to.
func follow(m tea.Model, cmd tea.Cmd) tea.Model {
	if cmd == nil {
		return m
	}
	switch x := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range x {
			m = follow(m, c)
		}
	case outcome:
		m, cmd = m.Update(x)
		m.View()
		return follow(m, cmd)
	}
	return m
}

func typed(m tea.Model, line string) (tea.Model, tea.Cmd) {
	m = press(m, line)
	m, cmd := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	return m, cmd
}

func shownText(m tea.Model) string {
	return strip(strings.Join(strings.Fields(m.View().Content), " "))
}

// A command that lasts leaves the screen alive: Ctrl-C takes it back as a whole,
// nothing else that is typed acts, and the session goes on as if it had not been.
func TestACommandIsInterrupted(t *testing.T) {
	env := testEnv(t, "es")
	env.Wait = func(<-chan struct{}) bool { return false }
	m := tea.Model(openAt(t, env, "bench:time-1-first"))
	m, _ = m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.View()
	b := m.(*Model).top().(*bench)
	steps, hash := b.s.Trace().Len(), b.s.Trace().Hash()

	m, cmd := typed(m, "advance 3000d")
	if text := shownText(m); !strings.Contains(text, "Ctrl-C lo interrumpe") {
		t.Errorf("what goes on is not said:\n%s", text)
	}
	m = press(m, "advance 1s")
	m, _ = m.Update(tea.WindowSizeMsg{Width: 60, Height: 18})
	if n := strings.Count(m.View().Content, "\n") + 1; n != 18 {
		t.Errorf("%d lines on a screen of 18", n)
	}
	m, _ = m.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	m = follow(m, cmd)
	if text := shownText(m); !strings.Contains(text, "El comando se interrumpió") {
		t.Errorf("it was not interrupted:\n%s", text)
	}
	if b.s.Trace().Len() != steps || b.s.Trace().Hash() != hash || len(b.s.Commands()) != 0 || b.line.value() != "" {
		t.Errorf("%d steps, %v, %q on the line", b.s.Trace().Len(), b.s.Commands(), b.line.value())
	}

	// The next one is not interrupted by what was pressed before.
	m, cmd = typed(m, "advance 100s")
	follow(m, cmd)
	if got := b.s.Commands(); len(got) != 1 || b.s.Trace().Len() <= steps {
		t.Errorf("%v", got)
	}
}

// Pasted lines wait for the one before them.
func TestPastedLinesWait(t *testing.T) {
	for _, wait := range []func(<-chan struct{}) bool{nil, func(<-chan struct{}) bool { return false }} {
		env := testEnv(t, "ko")
		env.Wait = wait
		m := tea.Model(openAt(t, env, "bench:time-1-first"))
		m, _ = m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		m.View()
		m, cmd := m.Update(tea.PasteMsg{Content: "advance 1s\nadvance 2s\nadvace 3s\nadvance 4s\n"})
		m = follow(m, cmd)
		b := m.(*Model).top().(*bench)
		if got := strings.Join(b.s.Commands(), "; "); got != "advance 1s; advance 2s" {
			t.Errorf("%s", got)
		}
		if text := shownText(m); b.line.value() != "advace 3s" || !strings.Contains(text, "advace") {
			t.Errorf("%q\n%s", b.line.value(), text)
		}
	}
}

// A defect in a command is one of the program, not of a goroutine of its own.
func TestADefectEndsWhereAllDo(t *testing.T) {
	env := testEnv(t, "es")
	env.Wait = func(ended <-chan struct{}) bool { <-ended; return true }
	m := New(env)
	defer func() {
		if recover() != "a defect" {
			t.Error("it is lost")
		}
	}()
	m.work(&newBench(m, mustExperiment(t, env, "time-1-first"), "").stop, func() error { panic("a defect") }, func(error) {})
}

func mustExperiment(t *testing.T, env Env, id string) *session.Experiment {
	t.Helper()
	e, err := env.Engine.Experiment(id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
