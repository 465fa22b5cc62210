package script

import "math"

// SessionCommand is a verb that acts on the list of commands. It is parsed
// here and carried out by package session.
type SessionCommand struct {
	command
	Verb string
	// Name is the argument of fork, switch, compare, save and help.
	Name string
	// N is the argument of back, forward and goto.
	N int
}

func plain(name string) *Verb {
	return &Verb{Name: name, Class: Session, Usage: name, parse: func(*line) Command { return SessionCommand{Verb: name} }}
}

func named(name, usage string, kind ArgKind, optional bool) *Verb {
	return &Verb{
		Name: name, Class: Session, Usage: usage, Args: []Arg{{Kind: kind, Optional: optional}},
		parse: func(l *line) Command {
			c := SessionCommand{Verb: name}
			if !optional || l.more() {
				c.Name = l.word(kind).text
			}
			return c
		},
	}
}

func counted(name, usage string, kind ArgKind, optional bool) *Verb {
	return &Verb{
		Name: name, Class: Session, Usage: usage, Args: []Arg{{Kind: kind, Optional: optional}},
		parse: func(l *line) Command {
			c := SessionCommand{Verb: name, N: 1}
			if !optional || l.more() {
				c.N = int(l.integer(kind, 1, math.MaxInt32))
			}
			return c
		},
	}
}

var sessionVerbs = []*Verb{
	plain("undo"), plain("redo"), plain("reset"),
	counted("back", "back [N]", ArgNumber, true),
	counted("forward", "forward [N]", ArgNumber, true),
	counted("goto", "goto STEP", ArgStep, false),
	named("fork", "fork NAME", ArgName, false),
	named("switch", "switch NAME", ArgName, false),
	named("compare", "compare NAME", ArgName, false),
	plain("goal"), plain("hint"), plain("solution"), plain("token"),
	named("save", "save FILE", ArgFile, false),
	named("help", "help [VERB]", ArgVerb, true),
	plain("quit"),
}

// laterVerbs are words of later chapters: reserved from the start.
var laterVerbs = func() []*Verb {
	var out []*Verb
	for _, c := range []struct {
		chapter string
		verbs   []string
	}{} {
		for _, v := range c.verbs {
			out = append(out, &Verb{Name: v, Class: World, Usage: v, Chapter: c.chapter})
		}
	}
	return out
}()
