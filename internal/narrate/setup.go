package narrate

import (
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// Bounds of a set-up that is told whole: what is longer keeps the steps that it
// is about, and a stretch of records that only pass through is counted. Whatever
// it is made of, no more than lastSetup of its pieces are told.
const (
	wholeSetup = 60
	minStretch = 12
	lastSetup  = 120
)

// A Piece of a set-up is one step, or a stretch of steps that is counted.
type Piece struct {
	Step *sim.Step
	// Steps are those of a stretch, in their order.
	Steps []*sim.Step
}

// Setup parts the steps that an experiment begins with into what is told and
// what is counted.
func Setup(steps []*sim.Step) (out []Piece) {
	if len(steps) <= wholeSetup {
		return single(steps)
	}
	for i := 0; i < len(steps); {
		n := 0
		for i+n < len(steps) && traffic(steps[i+n]) {
			n++
		}
		switch {
		case n >= minStretch:
			out = append(out, Piece{Steps: steps[i : i+n]})
		default:
			n = max(n, 1)
			out = append(out, single(steps[i:i+n])...)
		}
		i += n
	}
	if cut := len(out) - lastSetup; cut > 0 {
		first := steps[0].Seq
		next := out[cut].first().Seq
		out = append([]Piece{{Steps: steps[:next-first]}}, out[cut:]...)
	}
	return out
}

func single(steps []*sim.Step) []Piece {
	out := make([]Piece, len(steps))
	for i, s := range steps {
		out[i].Step = s
	}
	return out
}

func (p Piece) first() *sim.Step {
	if p.Step != nil {
		return p.Step
	}
	return p.Steps[0]
}

// traffic reports whether a step is a record on its way, or the command that
// brought it.
func traffic(s *sim.Step) bool { return kindOf(s) != "other" }

// kindOf is the kind under which a step of a stretch is counted.
func kindOf(s *sim.Step) string {
	switch b := s.Body.(type) {
	case sim.CommandGiven:
		if strings.HasPrefix(b.Command, "produce ") {
			return "command"
		}
	case sim.RecordRead:
		return "read"
	case sim.RecordProcessed:
		return "processed"
	case sim.ResultWritten:
		return "result"
	}
	return "other"
}

// Stretch says which steps a stretch has, by kind.
func Stretch(loc *locale.Localizer, steps []*sim.Step) string {
	count := map[string]int64{}
	for _, s := range steps {
		count[kindOf(s)]++
	}
	var kinds []string
	for _, k := range []string{"command", "read", "processed", "result", "other"} {
		if count[k] > 0 {
			kinds = append(kinds, loc.Plural("narrate.stretch."+k, count[k], nil))
		}
	}
	return loc.Text("narrate.stretch", locale.Args{
		"First": steps[0].Seq, "Last": steps[len(steps)-1].Seq, "Count": len(steps), "Kinds": kinds,
	})
}
