package narrate

import (
	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// Step is one sentence about a step, without its number, time and rule.
func Step(loc *locale.Localizer, s *sim.Step) string { return s.Type() }

// Line is a step as one line of a run: number, virtual time, sentence, rule.
func Line(loc *locale.Localizer, s *sim.Step) string { return Step(loc, s) }
