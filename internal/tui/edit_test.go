package tui

import (
	"bytes"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// What an editor leaves of the job file becomes set commands: nothing is done
// that a transcript does not hold.
func TestAnEditedJobFileIsSetCommands(t *testing.T) {
	for _, c := range []struct {
		name     string
		edit     func([]byte) []byte
		answer   string
		commands string
		shown    string
	}{
		{"one value", func(b []byte) []byte { return bytes.Replace(b, []byte("bound: 2s"), []byte("bound: 20s"), 1) }, "1", "set sources.clicks.watermark.bound 20s", ""},
		{"declined", func(b []byte) []byte { return bytes.Replace(b, []byte("bound: 2s"), []byte("bound: 20s"), 1) }, "n", "advance 200ms", ""},
		{"nothing", func(b []byte) []byte { return b }, "", "advance 200ms", "igual"},
		{"no job", func(b []byte) []byte { return bytes.Replace(b, []byte("bound"), []byte("bond"), 1) }, "", "advance 200ms", "bond"},
	} {
		env := testEnv(t, "es")
		env.Editor = func(_ string, text []byte) tea.Cmd {
			return func() tea.Msg { return Edited{Text: c.edit(bytes.Clone(text))} }
		}
		e, err := env.Engine.Experiment("time-1-break")
		if err != nil {
			t.Fatal(err)
		}
		m := Open(env, e)
		var next tea.Model = m
		for _, k := range []string{"advance 200ms", "enter", "esc"} {
			next = press(next, k)
		}
		next, cmd := next.Update(tea.KeyPressMsg{Code: 'e', Text: "e"})
		if cmd == nil {
			t.Fatalf("%s: no editor was opened", c.name)
		}
		next, _ = next.Update(cmd())
		if text := strip(next.View().Content); !strings.Contains(text, c.shown) {
			t.Errorf("%s: %q is not said:\n%s", c.name, c.shown, text)
		}
		if c.answer != "" {
			press(press(next, c.answer), "enter")
		}
		if got := m.top().(*bench).s.Commands()[0]; got != c.commands {
			t.Errorf("%s: the list begins with %q, not with %q", c.name, got, c.commands)
		}
	}
}
