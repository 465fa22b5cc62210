package script

import (
	"strconv"

	"streaminglab/sim/world"
)

var verbFault = &Verb{
	Name: "fault", Class: World, Usage: "fault FAULTPOINT [at=WHAT] [nth=N] [for=DURATION] [with=KIND]",
	Args: []Arg{{Kind: ArgFaultPoint}, {Kind: ArgWord, Optional: true, Words: []string{"at=", "nth=", "for=", "with="}}},
	parse: func(l *line) Command {
		c := Fault{Point: l.word(ArgFaultPoint).text, Nth: 1}
		l.options(map[string]func(string, int){
			"at": func(v string, _ int) { c.At = v },
			"nth": func(v string, col int) {
				n, err := strconv.Atoi(v)
				if err != nil || n < 1 {
					l.fail(col, "script.integer", "Value", v, "Low", int64(1), "High", int64(1<<31))
				}
				c.Nth = n
			},
			"for":  func(v string, col int) { c.For = l.durationOf(v, col) },
			"with": func(v string, _ int) { c.Kind = v },
		}, []string{"at", "nth", "for", "with"})
		return c
	},
}

// Fault arms a fault at a fault point.
type Fault struct {
	command
	Point, At, Kind string
	Nth             int
	// For is in ms.
	For int64
}

// Apply implements WorldCommand.
func (c Fault) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Fault(text, c.Point, c.At, c.Kind, c.Nth, c.For)
}
