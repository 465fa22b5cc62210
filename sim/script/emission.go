package script

import (
	"streaminglab/sim/eventtime"
	"streaminglab/sim/world"
)

var verbWatermark = &Verb{
	Name: "watermark", Class: World, Usage: "watermark SOURCE/SPLIT TIME",
	Args: []Arg{{Kind: ArgSplit}, {Kind: ArgTime}},
	parse: func(l *line) Command {
		t := l.target(false)
		return Emission{Target: t, Emission: eventtime.Emission{Kind: eventtime.EmitsWatermark, Watermark: l.time()}}
	},
}

var verbIdle = &Verb{
	Name: "idle", Class: World, Usage: "idle SOURCE/SPLIT", Args: []Arg{{Kind: ArgSplit}},
	parse: func(l *line) Command {
		return Emission{Target: l.target(false), Emission: eventtime.Emission{Kind: eventtime.EmitsIdle}}
	},
}

var verbActive = &Verb{
	Name: "active", Class: World, Usage: "active SOURCE/SPLIT", Args: []Arg{{Kind: ArgSplit}},
	parse: func(l *line) Command {
		return Emission{Target: l.target(false), Emission: eventtime.Emission{Kind: eventtime.EmitsActive}}
	},
}

// Emission makes a split's own generator emit (strategy scripted).
type Emission struct {
	command
	Target   world.Target
	Emission eventtime.Emission
}

// Apply implements WorldCommand.
func (c Emission) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Emission(text, c.Target, c.Emission)
}
