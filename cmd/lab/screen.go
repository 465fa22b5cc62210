package main

import (
	"context"
	"errors"
	"os/signal"
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
		NoMotion: e.noMotion, NoMouse: e.noMouse,
	}, nil
}

// fullScreen reports whether the course can take the whole screen.
func (e *env) fullScreen() bool { return !e.byLines() && terminal(e.in) }

// screen opens the course in full screen at what open returns.
func (e *env) screen(seed uint64, open func(tui.Env) (*tui.Model, error)) error {
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
