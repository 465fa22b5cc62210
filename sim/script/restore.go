package script

import "streaminglab/sim/world"

var verbRestore = &Verb{
	Name: "restore", Class: World, Usage: "restore [SNAPSHOT]",
	Args: []Arg{{Kind: ArgSnapshot, Optional: true}},
	parse: func(l *line) Command {
		c := Restore{}
		if l.more() {
			c.Snapshot = l.word(ArgSnapshot).text
		}
		if l.more() {
			if w := l.word(ArgWord); w.text == "claim" || w.text == "noclaim" {
				l.fail(w.col, "script.later", "Verb", w.text, "Chapter", "state")
			} else {
				l.next--
			}
		}
		return c
	},
}

// Restore starts the job again from a checkpoint or savepoint.
type Restore struct {
	command
	Snapshot string
}

// Apply implements WorldCommand.
func (c Restore) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Restore(text, c.Snapshot)
}
