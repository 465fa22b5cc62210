package narrate

import (
	"slices"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// remark says of a step about a checkpoint what its causes leave unsaid: who
// was waited for, what is counted from where, who deleted what is missing.
func remark(loc *locale.Localizer, r Run, s *sim.Step) string {
	w := words{loc}
	switch b := s.Body.(type) {
	case sim.CheckpointAborted:
		if missing := unacknowledged(r.Trace.Prefix(s.Seq), b.ID); b.Reason == "CHECKPOINT_EXPIRED" && len(missing) > 0 {
			return loc.Plural("why.unacknowledged", int64(len(missing)), locale.Args{"Names": w.list(missing)})
		}
	case sim.CheckpointDropped:
		if c := lastCompleted(r.Trace.Prefix(s.Seq)); c != nil {
			x := c.Body.(sim.CheckpointCompleted)
			return w.text("why.pause", locale.Args{"What": w.asked(c, x.ID), "Step": c.Seq})
		}
	case sim.SharedStateUnregistered:
		if id, ok := fold.StorageOf(r.Trace.Prefix(s.Seq)).Lowest(); ok {
			return w.text("why.lowest", locale.Args{"ID": id})
		}
	case sim.TaskFailed:
		return w.deletion(r.Trace.Prefix(s.Seq), b.Exception.Message)
	case sim.JobFailed:
		return w.deletion(r.Trace.Prefix(s.Seq), b.Exception.Message)
	}
	return ""
}

// unacknowledged are the subtasks whose acknowledgement a checkpoint lacks.
func unacknowledged(t *sim.Trace, id int64) (out []string) {
	acknowledged := map[string]bool{}
	for s := range t.Main() {
		switch b := s.Body.(type) {
		case sim.JobStarted:
			if len(b.Subtasks) > 0 {
				continue // the same job
			}
			out, acknowledged = fold.Tasks(b), map[string]bool{}
		case sim.CheckpointAcknowledged:
			if b.ID == id {
				acknowledged[place(s.At)] = true
			}
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return acknowledged[name] })
}

func lastCompleted(t *sim.Trace) *sim.Step {
	steps := t.Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if _, ok := steps[i].Body.(sim.CheckpointCompleted); ok && steps[i].Job == "" {
			return steps[i]
		}
	}
	return nil
}

// deletion says who deleted the object that a message names.
func (w words) deletion(t *sim.Trace, message string) string {
	steps := t.Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		b, ok := steps[i].Body.(sim.ObjectDeleted)
		if ok && strings.Contains(message, b.Path) {
			return w.text("why.deletion", locale.Args{"Step": steps[i].Seq, "Text": Step(w.loc, steps[i])})
		}
	}
	return ""
}
