package script

import (
	"math"
	"slices"

	"streaminglab/sim/fold"
	"streaminglab/sim/verdict"
	"streaminglab/sim/world"
)

var verbRun = &Verb{
	Name: "run", Class: World, Usage: "run [until CONDITION|until step N]",
	Args: []Arg{{Kind: ArgWord, Words: []string{"until"}, Optional: true}, {Kind: ArgExpression, Optional: true}},
	parse: func(l *line) Command {
		if !l.more() {
			return Run{}
		}
		l.oneOf("until")
		if l.peek() == "step" {
			l.word(ArgWord)
			return Run{Step: int(l.integer(ArgStep, 1, math.MaxInt32))}
		}
		return Run{Until: l.condition()}
	},
}

// Run lets time pass: until only periodic work is left, until a condition
// holds, or until the trace has Step steps.
type Run struct {
	command
	Until *fold.Program
	Step  int
}

// Apply implements WorldCommand.
func (c Run) Apply(w *world.World, text world.Command, times Times) error {
	switch {
	case c.Step > 0:
		return w.RunToStep(text, c.Step)
	case c.Until != nil:
		f := fold.Folds{Judge: verdict.New()}
		timed := slices.ContainsFunc(c.Until.Reads(), func(name string) bool { return name == "now" || name == "metric" })
		return w.RunUntil(text, timed, func() (bool, error) {
			f.UpdateAt(w.Trace(), w.Now())
			return c.Until.Holds(&f, times)
		})
	}
	return w.Run(text)
}
