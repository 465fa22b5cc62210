package view

import (
	"errors"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// ForkQuestion asks whether a command that was typed before the head may fork
// the list, which is kept under a name.
func ForkQuestion(loc *locale.Localizer, f *session.NeedsFork, name string) string {
	args := locale.Args{"Step": f.Step, "Fixed": f.Fixed, "Verb": f.Line.Verb.Name, "Name": name}
	switch {
	case f.Fixed > 0:
		return loc.Text("plain.fork.fixed", args)
	case f.Step > 0:
		return loc.Text("plain.fork.here", args)
	}
	return loc.Text("plain.fork.head", args)
}

// Yes reads a yes in either language, on either keyboard.
func Yes(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "si", "sí", "1", "네", "예", "응":
		return true
	}
	switch locale.Keys(s) {
	case "s", "y", "yes", "d": // ㄴ is s, ㅛ is y, ㅇ is d
		return true
	}
	return false
}

// Left says what could not be played again behind a change, and why; the list as it
// was stands under name.
func Left(loc *locale.Localizer, l *session.Left, name string) string {
	why := l.Why
	if at := (*script.Error)(nil); errors.As(why, &at) {
		why = at.Problem // where it was typed does not matter any more
	}
	return loc.Plural("plain.fork.left", int64(len(l.Lines)), locale.Args{"Line": l.Lines[0].Text, "Why": narrate.Problem(loc, why), "Name": name})
}
