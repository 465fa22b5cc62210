package tui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/sim/session"
)

// An Editor opens a text in the learner's own editor; what comes back is an
// Edited. Nil: there is none.
type Editor func(name string, text []byte) tea.Cmd

// Edited is what an editor left.
type Edited struct {
	Text []byte
	Err  error
}

// edit opens the job file in the editor.
func (b *bench) edit(m *Model) tea.Cmd {
	if m.env.Editor == nil {
		b.show(m.says("tui.bench.no-editor", nil))
		return nil
	}
	name, text, err := b.s.JobFile()
	if err != nil {
		b.show(b.problem(m, err))
		return nil
	}
	return m.env.Editor(name, text)
}

// edited carries out an edited job file as the set commands that it means.
func (b *bench) edited(m *Model, x Edited) {
	if x.Err != nil {
		b.show(func(int) []string {
			return []string{m.text("tui.bench.editor-failed", locale.Args{"Detail": narrate.System(m.env.Loc, x.Err)})}
		})
		return
	}
	lines, err := b.s.Edit(x.Text)
	var fork *session.NeedsFork
	switch {
	case err != nil:
		b.show(b.problem(m, err))
		return
	case len(lines) == 0:
		b.show(m.says("tui.bench.not-edited", nil))
		return
	}
	settings := func(int) []string {
		out := []string{m.text("tui.bench.edited", nil)}
		for _, l := range lines {
			out = append(out, "  "+l.Text)
		}
		return out
	}
	err = b.s.DoAll(lines)
	switch {
	case errors.As(err, &fork):
		b.pending = fork
		b.show(settings, b.forkQuestion(m, fork))
		b.onLine = true
		b.line.focus()
	case err != nil:
		b.show(b.problem(m, err))
	default:
		b.show(settings)
		b.save(m)
		b.checkGoal(m)
	}
}
