package tui

import (
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	xansi "github.com/charmbracelet/x/ansi"

	"streaminglab/internal/view"
)

// A task is work that goes on behind the screen: nothing but the task touches
// what it works on, so the last frame stands until it has ended.
type task struct {
	stop   *atomic.Bool
	finish func(error)
	frame  []string
}

// An outcome is how the work of a task ended.
type outcome struct {
	task     *task
	err      error
	panicked any
}

// work does something that may last, and finishes with what came of it. stop is
// set when the learner interrupts it. Without Env.Wait it is done at once.
func (m *Model) work(stop *atomic.Bool, do func() error, finish func(error)) {
	stop.Store(false)
	if m.env.Wait == nil {
		finish(do())
		return
	}
	t := &task{stop: stop, finish: finish, frame: m.frames}
	ended, result := make(chan struct{}), outcome{task: t}
	go func() {
		defer close(ended)
		// A defect ends the program where all defects do, not here.
		defer func() { result.panicked = recover() }()
		result.err = do()
	}()
	if m.env.Wait(ended) {
		result.finish()
		return
	}
	m.task = t
	m.later = func() tea.Msg {
		<-ended
		return result
	}
}

func (o outcome) finish() {
	if o.panicked != nil {
		panic(o.panicked)
	}
	o.task.finish(o.err)
}

// working handles a message while a task runs: Ctrl-C interrupts it, once more
// leaves. What else is typed is dropped, as it would act on what nobody sees yet.
func (m *Model) working(msg tea.Msg) tea.Cmd {
	switch x := msg.(type) {
	case outcome:
		if x.task == m.task {
			m.task = nil
			x.finish()
		}
	case tea.WindowSizeMsg:
		m.w, m.h = x.Width, x.Height
	case tea.KeyPressMsg:
		switch {
		case x.String() == "ctrl+z":
			return tea.Suspend
		case x.String() != "ctrl+c":
		case m.task.stop.Load():
			return tea.Quit
		default:
			m.task.stop.Store(true)
		}
	}
	return nil
}

// workingFrame is the frame before the task, with a line that says what goes on.
func (m *Model) workingFrame() []string {
	out := make([]string, max(m.h, 1))
	copy(out, m.task.frame)
	id := "tui.working"
	if m.task.stop.Load() {
		id = "tui.stopping"
	}
	out[len(out)-1] = m.style(view.Warn, " "+m.text(id, nil))
	for i, l := range out {
		out[i] = xansi.Truncate(l, m.w, m.signs.Open)
	}
	return out
}
