package script

import "streaminglab/sim/world"

var verbDelete = &Verb{
	Name: "delete", Class: World, Usage: "delete PATH", Args: []Arg{{Kind: ArgObject}},
	parse: func(l *line) Command { return Delete{Path: l.word(ArgPath).text} },
}

// Delete deletes an object as a person does, or with a slash at the end all
// objects below it.
type Delete struct {
	command
	Path string
}

// Apply implements WorldCommand.
func (c Delete) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Delete(text, c.Path)
}
