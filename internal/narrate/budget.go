package narrate

import (
	"streaminglab/internal/locale"
	"streaminglab/sim/connector/kafka"
	"streaminglab/sim/flink"
	"streaminglab/sim/fold"
	broker "streaminglab/sim/kafka"
	"streaminglab/sim/script"
)

// Where a part of a budget comes from.
const (
	budgetGiven    = "given"
	budgetJob      = "job"
	budgetMeasured = "measured"
	budgetDefault  = "default"
)

// BudgetParts are the parts of a budget, in the order in which it is shown.
var budgetParts = []string{
	script.BudgetInterval, script.BudgetDuration, script.BudgetCommit, script.BudgetFailed, script.BudgetRestart, script.BudgetTimeout, script.BudgetMaximum,
}

// BudgetOf is what a sink needs of its timeouts: what is given, else what the job
// says, else what the run has shown.
func BudgetOf(r Run, given map[string]int64) kafka.Budget {
	b, _ := budgetOf(r, given)
	return b
}

func budgetOf(r Run, given map[string]int64) (kafka.Budget, map[string]string) {
	d := fold.DurationsOf(r.Trace)
	from := map[string]string{}
	part := func(name string, value int64, origin string) int64 {
		if v, ok := given[name]; ok {
			value, origin = v, budgetGiven
		}
		from[name] = origin
		return value
	}
	interval, origin, pause, timeout := d.Interval, budgetMeasured, int64(0), int64(0)
	if r.Spec != nil {
		if r.Spec.Checkpointing.Interval > 0 {
			interval, origin = r.Spec.Checkpointing.Interval, budgetJob
		}
		pause = r.Spec.Checkpointing.MinPause
		timeout = sinkTimeout(r.Spec)
	}
	maximum := broker.DefaultConfig().MaxTransactionTimeout
	if d.Maximum > 0 {
		maximum = d.Maximum
	}
	return kafka.Budget{
		Interval: part(script.BudgetInterval, interval, origin),
		Duration: part(script.BudgetDuration, d.Checkpoint, budgetMeasured),
		Commit:   part(script.BudgetCommit, d.Commit, budgetMeasured),
		Failed:   part(script.BudgetFailed, d.Failed, budgetMeasured),
		Restart:  part(script.BudgetRestart, d.Restart, budgetMeasured),
		Timeout:  part(script.BudgetTimeout, timeout, budgetJob),
		Maximum:  part(script.BudgetMaximum, maximum, budgetDefault),
		MinPause: pause, FailedDuration: d.FailedDuration,
	}, from
}

// sinkTimeout is the smallest transaction.timeout.ms of the sinks that have
// transactions, 0: there is none.
func sinkTimeout(spec *flink.Spec) (least int64) {
	for _, s := range spec.Sinks {
		k, ok := s.Connector.(*kafka.Sink)
		if !ok || k.Config.Guarantee != kafka.ExactlyOnce {
			continue
		}
		timeout := k.Config.Timeout
		if timeout == 0 {
			timeout = kafka.DefaultTimeout
		}
		if least == 0 || timeout < least {
			least = timeout
		}
	}
	return least
}

// Budget is that as a table: the parts with where they come from, and what
// follows.
func Budget(loc *locale.Localizer, r Run, given map[string]int64) Table {
	v := viewer{words{loc}, r, nil}
	b, from := budgetOf(r, given)
	t := v.table("budget", "~part", "#value", "from")
	values := map[string]int64{
		script.BudgetInterval: b.Interval, script.BudgetDuration: b.Duration, script.BudgetCommit: b.Commit, script.BudgetRestart: b.Restart,
		script.BudgetTimeout: b.Timeout, script.BudgetMaximum: b.Maximum,
	}
	for _, p := range budgetParts {
		value := v.text("narrate.duration", locale.Args{"D": values[p]})
		if p == script.BudgetFailed {
			value = v.text("budget.times", locale.Args{"N": b.Failed})
		}
		if p == script.BudgetInterval && b.Interval == 0 || p == script.BudgetTimeout && b.Timeout == 0 {
			value = v.text("budget.none", nil)
		}
		t.add(v.text("budget.part."+p, nil), value, v.text("budget.from."+from[p], nil))
		if p == script.BudgetInterval && b.MinPause > 0 {
			t.add(v.text("budget.part.min-pause", nil), v.text("narrate.duration", locale.Args{"D": b.MinPause}), v.text("budget.from.job", nil))
		}
		if p == script.BudgetFailed && b.Failed > 0 {
			t.add(v.text("budget.part.failed-duration", nil), v.text("narrate.duration", locale.Args{"D": b.FailedDuration}), v.text("budget.from.measured", nil))
		}
	}
	row := func(id string, ms int64) {
		t.add(v.text("budget.part."+id, nil), v.text("narrate.duration", locale.Args{"D": ms}), "")
	}
	if b.Outcome() == kafka.BudgetUnknown {
		t.Note = v.text("budget.unknown", nil)
		return t
	}
	row("required", b.Required())
	row("delay", b.Delay())
	row("with-restart", b.WithRestart())
	if b.Timeout == 0 {
		t.Note = v.text("budget.no-sink", nil)
		return t
	}
	t.Note = v.text("budget."+b.Outcome(), locale.Args{"Required": b.Required(), "Timeout": b.Timeout, "Maximum": b.Maximum, "Missing": b.Required() - b.Timeout})
	return t
}
