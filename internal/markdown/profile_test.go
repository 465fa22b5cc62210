package markdown

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// What reaches a terminal goes through a colorprofile writer; these are the
// promises that depend on both.
func TestTerminalsGetWhatTheyCanShow(t *testing.T) {
	d, _ := Parse("sample.es.md", read(t, "sample.es.md"))
	through := func(p colorprofile.Profile, theme Theme) string {
		var b bytes.Buffer
		w := &colorprofile.Writer{Forward: &b, Profile: p}
		if _, err := w.WriteString(Text(d.Render(Options{Width: 60, Theme: theme.Under(p)}))); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if s := through(colorprofile.NoTTY, Dark); strings.Contains(s, "\x1b") {
		t.Error("a terminal that knows nothing (TERM=dumb, a pipe) got an escape sequence")
	}
	s := through(colorprofile.ASCII, Dark)
	if strings.Contains(s, "\x1b[3") && strings.Contains(s, "38;") || strings.Contains(s, "[36m") {
		t.Error("NO_COLOR, and yet a colour")
	}
	if !strings.Contains(s, "\x1b[1m") || !strings.Contains(s, "`clicks/0`") {
		t.Error("without colours, bold and the backquotes of code remain")
	}
	if s := through(colorprofile.ANSI, Dark); strings.Contains(s, "38;5") || strings.Contains(s, "38;2") {
		t.Error("a terminal of sixteen colours got another one")
	}
	if s := through(colorprofile.ANSI256, Dark); !strings.Contains(s, "38;5;179") {
		t.Error("where there are colours, they are used")
	}
	for _, env := range []struct {
		vars []string
		want Theme
	}{
		{[]string{"TERM=xterm-256color", "NO_COLOR=1"}, Mono},
		{[]string{"TERM=dumb"}, Mono},
		{[]string{"TERM=xterm-256color"}, Light},
		{[]string{"TERM=xterm"}, ANSI16},
	} {
		if got := Light.Under(colorprofile.Env(append(env.vars, "CLICOLOR_FORCE="))); got != env.want {
			t.Errorf("%v: theme %d, want %d", env.vars, got, env.want)
		}
	}
}
