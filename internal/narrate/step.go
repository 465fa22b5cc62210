package narrate

import (
	"fmt"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// Step is one sentence about a step, without its number, time and rule.
func Step(loc *locale.Localizer, s *sim.Step) string {
	text := sentence(words{loc}, s)
	if s.Job != "" && !strings.Contains(s.At, s.Job+".") {
		return s.Job + ": " + text // its JobManager's: no name in it says whose
	}
	return text
}

func sentence(w words, s *sim.Step) string {
	for _, tell := range []func(*sim.Step) (string, bool){w.job, w.checkpoint, w.record_, w.time_, w.window, w.kafka, w.replication} {
		if text, ok := tell(s); ok {
			return text
		}
	}
	return w.text("step.unknown", locale.Args{"Type": s.Type(), "At": place(s.At)})
}

// commandRule is the rule of a command: it says nothing.
const commandRule = "LAB-1"

// Line is a step as one line of a run: number, virtual time, sentence, rule.
func Line(loc *locale.Localizer, s *sim.Step) string {
	line := fmt.Sprintf("%4d  %7s  %s", s.Seq, locale.Clock(s.T), Step(loc, s))
	if s.Rule == commandRule {
		return line
	}
	return line + "  [" + s.Rule + "]"
}
