package tui

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/markdown"
	"streaminglab/internal/progress"
)

// The home reads what was kept and replays nothing: a transcript that no longer
// fits is noticed when its bench opens, and not before.
func TestTranscriptsAreReplayedWhenTheyAreOpened(t *testing.T) {
	env := testEnv(t, "es")
	e, err := env.Engine.Experiment("time-1-break")
	if err != nil {
		t.Fatal(err)
	}
	gone := progress.ExperimentRun{
		Lesson: "time-1", Experiment: e.ID, Version: e.Version, Seed: 1, Commands: []string{"produce gone/0 12:00:01 ana 1"},
	}
	if err := env.Store.Append(env.Now(), gone); err != nil {
		t.Fatal(err)
	}
	m := New(env)
	m.View()
	if m.notice != "" {
		t.Fatalf("the home replays: %s", m.notice)
	}
	m.push(newBench(m, e, "time-1"))
	if m.notice == "" {
		t.Error("the bench does not replay what was kept")
	}
}

// Every theme shows the same text; without colour there is none.
func TestThemesShowTheSameText(t *testing.T) {
	colour := regexp.MustCompile(`\x1b\[[0-9;]*[34][0-9][0-9;:]*m`)
	keys := "enter g g esc / idle enter pgdown tab tab enter down enter esc q down down enter advance esc left w v v v q ? q"
	frames := func(theme markdown.Theme) (out []string) {
		env := testEnv(t, "es")
		env.Theme = theme
		var m tea.Model = New(env)
		for _, k := range strings.Fields(keys) {
			m = press(m, k)
			out = append(out, m.View().Content)
		}
		return out
	}
	mono := frames(markdown.Mono)
	for i, f := range mono {
		if c := colour.FindString(f); c != "" {
			t.Errorf("without colour, key %d: %q", i, c)
		}
	}
	// Without colour code stands in backquotes: there words are broken elsewhere.
	dark := frames(markdown.Dark)
	for _, theme := range []markdown.Theme{markdown.Light, markdown.ANSI16} {
		for i, f := range frames(theme) {
			if strip(f) != strip(dark[i]) {
				t.Errorf("theme %d, key %d:\n%s\nnot\n%s", theme, i, strip(f), strip(dark[i]))
			}
		}
	}
}

// The mouse chooses a row of the home, and a second click opens it; the wheel
// scrolls a lesson. Without a mouse the terminal keeps its own selection.
func TestMouse(t *testing.T) {
	env := testEnv(t, "es")
	m := New(env)
	if m.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("no mouse is asked for")
	}
	y := -1
	for i, l := range strings.Split(strip(m.View().Content), "\n") {
		if strings.Contains(l, "El último milisegundo") {
			y = i
		}
	}
	click := tea.MouseClickMsg{X: 10, Y: y, Button: tea.MouseLeft}
	m.Update(click)
	if l := strings.Split(strip(m.View().Content), "\n")[y]; !strings.HasPrefix(l, " ▸") {
		t.Errorf("a click chose nothing: %s", l)
	}
	m.Update(click)
	if _, ok := m.top().(*bench); !ok {
		t.Errorf("a second click opened %T", m.top())
	}
	m = Lesson(env, env.Course.Lesson("time-1"))
	m.View()
	m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if got := m.top().(*lesson).top; got != wheelLines {
		t.Errorf("the wheel moved the text by %d", got)
	}
	env.NoMouse = true
	if New(env).View().MouseMode != tea.MouseModeNone {
		t.Error("--no-mouse asks for the mouse")
	}
}

// What a learner wrote outside of lab, into the file of the progress, is shown
// and not obeyed.
func TestWrittenTextIsHarmless(t *testing.T) {
	const evil = "a\x1b[2J\x1b]0;x\a\u202e\u200b"
	env := testEnv(t, "ko")
	e, err := env.Engine.Experiment("time-1-break")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []progress.Event{
		progress.AnswerLocked{Lesson: "time-1", Item: "time-1-holder", Raw: evil, Seed: 1},
		progress.AnswerLocked{Lesson: "time-1", Item: "time-1-bound", Raw: evil, Seed: 1},
		progress.AnswerLocked{Lesson: "time-1", Item: "time-1-order", Raw: evil, Seed: 1},
		progress.ExperimentRun{Lesson: "time-1", Experiment: e.ID, Version: e.Version, Seed: 1, Commands: []string{"produce clicks/0 12:00:05 " + evil + " 1"}},
		progress.LessonOpened{Lesson: evil},
	} {
		if err := env.Store.Append(env.Now(), x); err != nil {
			t.Fatal(err)
		}
	}
	m := New(env)
	whole(t, m)
	for _, id := range []string{"time-1-holder", "time-1-bound", "time-1-order"} {
		m.push(newAsk(m, env.Library.Item(id), asking{lesson: "time-1", seed: 1, feedback: true}))
		whole(t, m)
	}
	m.push(newBench(m, e, "time-1"))
	for _, k := range strings.Fields("esc w v v v j c") {
		press(m, k)
		whole(t, m)
	}
	press(m, "enter")
	for _, c := range []string{"show records", "show state", "fork " + evil, evil, "predict " + evil} {
		m.Update(tea.PasteMsg{Content: c})
		press(m, "enter")
		whole(t, m)
	}
}

// Tab goes to the first exercise below the top of the screen, also after
// scrolling, and then from one to the next; behind the text stands the quiz.
func TestTabInALesson(t *testing.T) {
	env := testEnv(t, "es")
	m := Lesson(env, env.Course.Lesson("time-1"))
	m.View()
	l := m.top().(*lesson)
	lives := l.lives()
	at := func(keys string, want int) {
		t.Helper()
		for _, k := range strings.Fields(keys) {
			press(m, k)
		}
		if !l.chosen || l.live != want || !l.seen(want) {
			t.Errorf("%s: chosen %v %d, not %d", keys, l.chosen, l.live, want)
		}
	}
	if l.chosen {
		t.Error("something is chosen before anybody did")
	}
	at("tab", 0)
	at("tab", 1)
	// In sight after scrolling are others: none of them is skipped.
	for range 3 {
		press(m, "pgdown")
		next := l.below()
		if l.chosen {
			t.Fatalf("%d stays chosen out of sight", l.live)
		}
		at("tab", next)
		at("tab", next+1)
	}
	press(m, "end")
	at("tab tab tab tab", len(lives)-1)
	if press(m, "enter"); len(m.stack) != 3 {
		t.Fatalf("%d screens", len(m.stack))
	}
	if q, ok := m.top().(*quizScreen); !ok || q.s.ID != "time-1" {
		t.Errorf("the end of a lesson opened %T", m.top())
	}
	// Enter shows what is not in sight before it opens it.
	m = Lesson(env, env.Course.Lesson("state-incidents"))
	m.Update(tea.WindowSizeMsg{Width: 40, Height: 15})
	m.View()
	if l = m.top().(*lesson); l.seen(0) {
		t.Fatal("the first exercise is on the first page")
	}
	at("enter", 0)
	if press(m, "enter"); len(m.stack) != 3 {
		t.Error("Enter opens nothing")
	}
}

// At the head the clock of the bench is that of the world, which goes on behind
// the last step; before it, that of the step.
func TestTheClockOfTheBenchIsTheWorlds(t *testing.T) {
	m := openAt(t, testEnv(t, "es"), "bench:time-1-break")
	press(press(m, "advance 4h"), "enter")
	b := m.top().(*bench)
	if _, at := b.title(m); !strings.HasSuffix(at, "t=4h0.2s") {
		t.Errorf("behind four hours: %s", at)
	}
	press(press(m, "esc"), "home")
	if _, at := b.title(m); !strings.HasSuffix(at, "t=0s") {
		t.Errorf("at the first step: %s", at)
	}
}
