package script

import "strings"

var verbSet = &Verb{
	Name: "set", Class: World, Usage: "set PATH VALUE",
	Args: []Arg{{Kind: ArgPath}, {Kind: ArgValue}},
	parse: func(l *line) Command {
		c := Set{Path: l.word(ArgPath).text}
		if !l.more() {
			l.word(ArgValue)
			return c
		}
		// The value is the rest of the line: YAML as in the job file.
		c.Value = strings.TrimSpace(l.code[min(l.words[l.next].at, len(l.code)):])
		l.next = len(l.words)
		return c
	},
}

// Set changes the job file. It stands at the head of a list and is carried out
// by whoever makes the world.
type Set struct {
	command
	Path, Value string
}
