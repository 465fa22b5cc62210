package plain

import (
	"strings"

	"streaminglab/internal/narrate"
	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/session"
	"streaminglab/sim/verdict"
)

// answerJSON writes the outcome of a question as one object, the same in every
// language. seq is the last step of the world; the answer is not counted.
func answerJSON(r *session.Run, x *session.Answer) string {
	b := []byte(`{"seq":`)
	b = sim.AppendTime(b, int64(x.Seq))
	put := func(key, value string) {
		b = append(b, ',')
		b = sim.AppendString(b, key)
		b = append(b, ':')
		b = append(b, value...)
	}
	str := func(s string) string { return string(sim.AppendString(nil, s)) }
	switch x.Kind {
	case "expect", "predict":
		outcome := ".failed"
		if x.Held {
			outcome = ".held"
		}
		put("type", str(x.Kind+outcome))
		put("expression", str(strings.TrimPrefix(x.Line.Text, x.Line.Verb.Name+" ")))
		if x.Problem != nil {
			put("problem", str(x.Problem.Error()))
		}
	case "why":
		put("type", str("why"))
		put("step", sim.JSON(int64(x.Why)))
		put("causes", sim.JSON(chain(r.World.Trace(), x.Why)))
	case "runbook":
		put("type", str("runbook"))
		put("kinds", sim.JSON(narrate.RunbookKinds(narrate.RunOf(r.World), x.Runbook)))
	case "budget":
		put("type", str("budget"))
		put("budget", sim.JSON(narrate.BudgetOf(narrate.RunOf(r.World), x.Budget)))
	default:
		put("type", str("show."+x.Show.View))
		f := fold.OfAt(r.World.Trace(), r.World.Now())
		switch x.Show.View {
		case "records":
			put("records", sim.JSON(f.Records))
		case "windows":
			put("firings", sim.JSON(f.Firings))
			put("cleanups", sim.JSON(f.Cleanups))
		case "watermarks":
			put("watermarks", sim.JSON(f.Watermarks))
			put("holds", sim.JSON(f.Holds))
		case "sources":
			put("reads", sim.JSON(f.Reads))
		case "steps":
			put("steps", sim.JSON(f.Steps))
		case "state":
			put("rows", sim.JSON(r.World.Dump()))
		case "job":
			put("status", str(f.Status))
			put("starts", sim.JSON(f.Starts))
			put("checkpoints", sim.JSON(f.Checkpoints))
		case "checkpoints":
			put("checkpoints", sim.JSON(f.Checkpoints))
		case "objects":
			put("objects", sim.JSON(f.Objects))
		case "registry":
			put("shared", sim.JSON(fold.StorageOf(r.World.Trace()).Shared))
		case "lsm":
			put("trees", sim.JSON(fold.StorageOf(r.World.Trace()).Trees))
		case "keygroups":
			subtasks, keys := narrate.KeyGroups(narrate.RunOf(r.World))
			put("subtasks", sim.JSON(subtasks))
			put("keys", sim.JSON(keys))
		case "memory":
			put("memory", sim.JSON(narrate.Memory(narrate.RunOf(r.World))))
		case "metrics":
			now := *f
			now.Now = int(r.World.Now())
			put("metrics", sim.JSON(append(now.Counters(), now.Gauges()...)))
		case "verdicts":
			put("verdicts", sim.JSON(verdict.Of(r.World.Trace())))
		case "totals":
			t := narrate.Totals(narrate.RunOf(r.World))
			put("splits", sim.JSON(t.Splits))
			put("operators", sim.JSON(t.Operators))
			put("sinks", sim.JSON(t.Sinks))
		case "exceptions":
			put("exceptions", sim.JSON(fold.Exceptions(r.World.Trace())))
		}
	}
	return string(append(b, '}'))
}

// chain lists the steps that led to a step, each once, the nearest first. With
// step 0 it begins at the last one.
func chain(t *sim.Trace, seq int) []int {
	if seq == 0 {
		seq = t.Len()
	}
	var out []int
	seen := map[*sim.Step]bool{}
	next := []*sim.Step{t.Step(seq)}
	for len(next) > 0 {
		s := next[0]
		next = next[1:]
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		out = append(out, s.Seq)
		next = append(next, fold.Causes(t, s)...)
	}
	return out
}
