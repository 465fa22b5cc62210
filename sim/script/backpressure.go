package script

import "streaminglab/sim/world"

var verbBackpressure = &Verb{
	Name: "backpressure", Class: World, Usage: "backpressure OPERATOR on|off",
	Args: []Arg{{Kind: ArgOperator}, {Kind: ArgWord, Words: []string{"on", "off"}}},
	parse: func(l *line) Command {
		name := l.word(ArgOperator).text
		return Backpressure{Operator: name, On: l.oneOf("on", "off") == "on"}
	},
}

// Backpressure makes an operator take nothing, or go on.
type Backpressure struct {
	command
	Operator string
	On       bool
}

// Apply implements WorldCommand.
func (c Backpressure) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Backpressure(text, c.Operator, c.On)
}
