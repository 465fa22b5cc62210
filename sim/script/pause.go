package script

import "streaminglab/sim/world"

var verbPause = &Verb{
	Name: "pause", Class: World, Usage: "pause SOURCE[/SPLIT]", Args: []Arg{{Kind: ArgTarget}},
	parse: func(l *line) Command { return Pause{Target: l.target(false)} },
}

var verbResume = &Verb{
	Name: "resume", Class: World, Usage: "resume SOURCE[/SPLIT] | SUBTASK", Args: []Arg{{Kind: ArgTarget}},
	parse: func(l *line) Command { return Pause{Target: l.target(false), Resume: true} },
}

// Pause stops the reading of splits, or lets it go on.
type Pause struct {
	command
	Target world.Target
	Resume bool
}

// Apply implements WorldCommand.
func (c Pause) Apply(w *world.World, text world.Command, _ Times) error {
	if c.Resume {
		return w.Resume(text, c.Target)
	}
	return w.Pause(text, c.Target)
}
