package narrate

import (
	"streaminglab/sim/eventtime"
	"streaminglab/sim/flink"
)

// due is the watermark that a window waits for before its result comes out;
// ok is false when no watermark brings it: a count trigger waits for records.
func due(spec *flink.Spec, w *benchWindow) (wm int64, ok bool) {
	if w.counted {
		return 0, false
	}
	if spec == nil {
		return w.end - 1, true
	}
	for _, o := range spec.Operators {
		if o.Name != w.operator || o.New == nil {
			continue
		}
		op, err := o.New()
		if err != nil {
			break
		}
		switch op := op.(type) {
		case *eventtime.WindowOperator:
			t := op.Trigger
			if p, isPurging := t.(*eventtime.PurgingTrigger); isPurging {
				t = p.Trigger
			}
			if _, counts := t.(*eventtime.CountTrigger); counts {
				return 0, false
			}
		case *eventtime.SQLWindowOperator:
			return eventtime.ToEpochMillsForTimer(w.end-1, op.Zone), true
		}
	}
	return w.end - 1, true
}

func sourceSpec(spec *flink.Spec, name string) *flink.SourceSpec {
	if spec == nil {
		return nil
	}
	for _, s := range spec.Sources {
		if s.Name == name {
			return s
		}
	}
	return nil
}
