package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/tui"
)

// screenEnv is what the course in full screen stands on.
func (e *env) screenEnv(seed uint64) (tui.Env, error) {
	a, err := e.app(seed)
	if err != nil {
		return tui.Env{}, err
	}
	return tui.Env{
		Loc: e.localizer(), Course: a.Course, Library: a.Library, Engine: a.Engine, Glossary: a.Glossary,
		Store: a.Store, Now: time.Now, Seed: seed, Theme: e.markdownTheme(), ASCII: e.ascii,
		NoMotion: e.noMotion, NoMouse: e.noMouse, Editor: editor(), Wait: patience,
	}, nil
}

// patience waits for a command for a moment.
func patience(ended <-chan struct{}) bool {
	select {
	case <-ended:
		return true
	case <-time.After(200 * time.Millisecond):
		return false
	}
}

// editor opens a text with $VISUAL or $EDITOR, which may hold flags.
func editor() tui.Editor {
	words := strings.Fields(os.Getenv("VISUAL"))
	if len(words) == 0 {
		words = strings.Fields(os.Getenv("EDITOR"))
	}
	if len(words) == 0 {
		return nil
	}
	return func(name string, text []byte) tea.Cmd {
		failed := func(err error) tea.Cmd { return func() tea.Msg { return tui.Edited{Err: err} } }
		dir, err := os.MkdirTemp("", "lab")
		if err != nil {
			return failed(err)
		}
		file := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return failed(err)
		}
		return tea.ExecProcess(exec.Command(words[0], append(words[1:], file)...), func(err error) tea.Msg {
			defer os.RemoveAll(dir)
			if err != nil {
				return tui.Edited{Err: err}
			}
			edited, err := os.ReadFile(file)
			return tui.Edited{Text: edited, Err: err}
		})
	}
}

// fullScreen reports whether the course can take the whole screen.
func (e *env) fullScreen() bool { return !e.byLines() && terminal(e.in) }

// screen opens the course in full screen at what open returns.
func (e *env) screen(seed uint64, open func(tui.Env) (*tui.Model, error)) error {
	// A screen that waits for keys has time to collect and, thirty times on one
	// host of a workshop, no memory to give away.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
	env, err := e.screenEnv(seed)
	if err != nil {
		return err
	}
	m, err := open(env)
	if err != nil {
		return err
	}
	return e.show(m)
}

// show runs a model on the terminal. A hangup ends it as a key would: what was
// typed has been kept with every command.
func (e *env) show(m *tui.Model) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGTERM)
	defer stop()
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(e.in), tea.WithOutput(e.out.w), tea.WithFPS(120)).Run()
	switch {
	case err == nil, errors.Is(err, tea.ErrProgramKilled), errors.Is(err, context.Canceled):
		return nil
	case errors.Is(err, tea.ErrInterrupted):
		return exitError(exitInterrupted)
	}
	return defect{err}
}
