package script

import "streaminglab/sim/world"

var verbEnd = &Verb{
	Name: "end", Class: World, Usage: "end SOURCE", Args: []Arg{{Kind: ArgSource}},
	parse: func(l *line) Command { return End{Source: l.word(ArgSource).text} },
}

// End says that a source gets no more records.
type End struct {
	command
	Source string
}

// Apply implements WorldCommand.
func (c End) Apply(w *world.World, text world.Command, _ Times) error { return w.End(text, c.Source) }

var verbStop = &Verb{
	Name: "stop", Class: World, Usage: "stop [--drain]",
	Args: []Arg{{Kind: ArgWord, Words: []string{"--drain"}, Optional: true}},
	parse: func(l *line) Command {
		if !l.more() {
			return Stop{}
		}
		l.oneOf("--drain")
		return Stop{Drain: true}
	},
}

// Stop takes a savepoint and ends the job; with Drain the sources first send
// the end of event time.
type Stop struct {
	command
	Drain bool
}

// Apply implements WorldCommand.
func (c Stop) Apply(w *world.World, text world.Command, _ Times) error { return w.Stop(text, c.Drain) }
