package script

import (
	"slices"

	"streaminglab/sim/objectstore"
	"streaminglab/sim/world"
)

var verbSlow = &Verb{
	Name: "slow", Class: World, Usage: "slow SOURCE[/SPLIT]|OPERATOR|put|get|list|delete DURATION|off",
	Args: []Arg{{Kind: ArgTarget, Words: operations[:len(operations)-1]}, {Kind: ArgDuration, Words: []string{"off"}}},
	parse: func(l *line) Command {
		if op := l.peek(); slices.Contains(operations[:len(operations)-1], op) {
			l.word(ArgTarget)
			return SlowStore{Operation: objectstore.Op(op), Extra: l.slowness()}
		}
		return Slow{Target: l.target(false), PerRecord: l.slowness()}
	},
}

// slowness takes a duration that is not 0, or off, which is 0.
func (l *line) slowness() int64 {
	if l.peek() == "off" {
		l.word(ArgDuration)
		return 0
	}
	w := l.word(ArgDuration)
	d := l.durationOf(w.text, w.col)
	if d == 0 {
		l.fail(w.col, "script.negative", "Value", w.text)
	}
	return d
}

// Slow makes each record of splits, or of an operator, take a time; 0 ends that.
type Slow struct {
	command
	Target world.Target
	// PerRecord is in ms.
	PerRecord int64
}

// Apply implements WorldCommand.
func (c Slow) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Slow(text, c.Target, c.PerRecord)
}

// SlowStore makes each request to the store take longer; 0 ends that.
type SlowStore struct {
	command
	Operation objectstore.Op
	// Extra is in ms.
	Extra int64
}

// Apply implements WorldCommand.
func (c SlowStore) Apply(w *world.World, text world.Command, _ Times) error {
	return w.SlowStore(text, c.Operation, c.Extra)
}
