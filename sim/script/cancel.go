package script

import "streaminglab/sim/world"

var verbCancel = &Verb{
	Name: "cancel", Class: World, Usage: "cancel [NAME]", Args: []Arg{{Kind: ArgJob, Optional: true}},
	parse: func(l *line) Command {
		if !l.more() {
			return Cancel{}
		}
		return Cancel{Beside: l.word(ArgJob).text}
	},
}

// Cancel ends the job without a savepoint.
type Cancel struct {
	command
	// Beside is the name of a job beside that of the experiment; empty: it is that.
	Beside string
}

// Apply implements WorldCommand.
func (c Cancel) Apply(w *world.World, text world.Command, _ Times) error {
	if c.Beside != "" {
		return w.CancelBeside(text, c.Beside)
	}
	return w.Cancel(text)
}
