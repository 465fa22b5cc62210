package script

import "strings"

var verbSet = &Verb{
	Name: "set", Class: World, Usage: "set PATH VALUE",
	Args: []Arg{{Kind: ArgPath}, {Kind: ArgValue}},
	parse: func(l *line) Command {
		path := l.word(ArgPath)
		c := Set{Path: path.text, PathColumn: path.col}
		if !l.more() {
			l.word(ArgValue)
			return c
		}
		// The value is the rest of the line: YAML as in the job file.
		c.ValueColumn = l.words[l.next].col
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
	// Where the two stand in the line.
	PathColumn, ValueColumn int
}
