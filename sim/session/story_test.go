package session_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// Stories of a learner at the bench. Directives:
//
//	open          the input is an experiment (txtar); its steps are printed
//	do            commands of the language, one a line
//	list          the commands of the list
//	log           the session log
//	token         encodes, decodes and replays: prints whether the trace is equal
//	paste         replays the printed list in a fresh session: likewise
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var s *session.Session
		var out strings.Builder
		observer := session.Observer{
			Steps: func(steps []*sim.Step) {
				for _, st := range steps {
					fmt.Fprintf(&out, "%d %s %s\n", st.Seq, st.At, st.Type())
				}
			},
			Question: func(_ *session.Run, a *session.Answer) {
				fmt.Fprintf(&out, "%s at %d: held=%v\n", a.Kind, a.Seq, a.Held)
			},
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out.Reset()
			switch d.Cmd {
			case "open":
				// Sections are indented by one blank, so that a story can hold them.
				text := strings.ReplaceAll("\n"+d.Input, "\n ", "\n")[1:] + "\n"
				e, err := session.ParseExperiment("story", "story.txtar", []byte(text))
				if err != nil {
					return err.Error()
				}
				if s, err = session.Open(e, 1, nil, observer); err != nil {
					return err.Error()
				}
				s.Observe(observer)
			case "do":
				for i, l := range strings.Split(d.Input, "\n") {
					if err := do(s, i+1, l); err != nil {
						fmt.Fprintln(&out, err)
					}
				}
			case "list":
				fmt.Fprintln(&out, strings.Join(s.Commands(), "\n"))
			case "log":
				for _, c := range s.Log() {
					fmt.Fprintf(&out, "%s %d\n", c.What, len(c.Before))
				}
			case "token":
				text, err := s.Token(false).Encode()
				if err != nil {
					return err.Error()
				}
				k, err := session.DecodeToken(text)
				if err != nil {
					return err.Error()
				}
				e, err := session.ParseExperiment("token", "token", []byte(k.Source))
				if err != nil {
					return err.Error()
				}
				fmt.Fprintf(&out, "equal=%v\n", replay(t, e, k.Commands) == k.Trace)
			case "paste":
				fmt.Fprintf(&out, "equal=%v\n", replay(t, s.Experiment, s.Commands()) == s.Trace().Hash())
			default:
				t.Fatalf("unknown directive %q", d.Cmd)
			}
			return out.String()
		})
	})
}

func replay(t *testing.T, e *session.Experiment, commands []string) string {
	t.Helper()
	lines, err := script.Parse("paste", strings.Join(commands, "\n"), e.Times())
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(e, 1, lines, session.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Trace().Hash()
}

// leftOut says what a change at the head left out: the change itself was made.
type leftOut struct{ *session.Left }

func (l leftOut) Error() string {
	return fmt.Sprintf("left out: %s and %d more, %v", l.Lines[0].Text, len(l.Lines)-1, l.Why)
}

// do carries out a line as a front end does; a question whether to fork is
// answered with yes.
func do(s *session.Session, n int, text string) error {
	l, perr := script.ParseLine("", n, text, s.Experiment.Times())
	if perr != nil {
		return perr
	}
	if l == nil {
		return nil
	}
	c, ok := l.Command.(script.SessionCommand)
	if !ok {
		err := s.Do(l)
		var fork *session.NeedsFork
		if !errors.As(err, &fork) {
			return err
		}
		err = s.ForkFor("before-"+strconv.Itoa(len(s.Forks())), fork)
		if err == nil && fork.Left != nil {
			return leftOut{fork.Left}
		}
		return err
	}
	switch c.Verb {
	case "undo":
		return s.Undo()
	case "redo":
		return s.Redo()
	case "reset":
		return s.Reset()
	case "back":
		s.Back(c.N)
	case "forward":
		s.Forward(c.N)
	case "goto":
		return s.Goto(c.N)
	case "fork":
		return s.Fork(c.Name, s.Cursor())
	case "switch":
		return s.Switch(c.Name)
	}
	return nil
}
