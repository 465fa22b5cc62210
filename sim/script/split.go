package script

import "streaminglab/sim/world"

var verbSplit = &Verb{
	Name: "split", Class: World, Usage: "split add|remove SOURCE/SPLIT",
	Args: []Arg{{Kind: ArgWord, Words: []string{"add", "remove"}}, {Kind: ArgSplit}},
	parse: func(l *line) Command {
		remove := l.oneOf("add", "remove") == "remove"
		return Split{Remove: remove, Target: l.target(true)}
	},
}

// Split adds or removes a split.
type Split struct {
	command
	Remove bool
	Target world.Target
}

// Apply implements WorldCommand.
func (c Split) Apply(w *world.World, text world.Command, _ Times) error {
	if c.Remove {
		return w.SplitRemove(text, c.Target)
	}
	return w.SplitAdd(text, c.Target)
}
