package narrate

import (
	"streaminglab/internal/locale"
	"streaminglab/sim/connector/kafka"
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
	interval, timeout := int64(0), int64(kafka.DefaultTimeout)
	if r.Spec != nil {
		interval = r.Spec.Checkpointing.Interval
		for _, s := range r.Spec.Sinks {
			if k, ok := s.Connector.(*kafka.Sink); ok && k.Config.Timeout > 0 {
				timeout = k.Config.Timeout
			}
		}
	}
	maximum := broker.DefaultConfig().MaxTransactionTimeout
	if d.Maximum > 0 {
		maximum = d.Maximum
	}
	return kafka.Budget{
		Interval: part(script.BudgetInterval, interval, budgetJob),
		Duration: part(script.BudgetDuration, d.Checkpoint, budgetMeasured),
		Commit:   part(script.BudgetCommit, 0, budgetMeasured),
		Failed:   part(script.BudgetFailed, d.Failed, budgetMeasured),
		Restart:  part(script.BudgetRestart, d.Restart, budgetMeasured),
		Timeout:  part(script.BudgetTimeout, timeout, budgetJob),
		Maximum:  part(script.BudgetMaximum, maximum, budgetDefault),
	}, from
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
		t.add(v.text("budget.part."+p, nil), value, v.text("budget.from."+from[p], nil))
	}
	row := func(id string, ms int64) {
		t.add(v.text("budget.part."+id, nil), v.text("narrate.duration", locale.Args{"D": ms}), "")
	}
	row("required", b.Required())
	row("delay", b.Delay())
	row("with-restart", b.WithRestart())
	t.Note = v.text("budget."+b.Outcome(), locale.Args{"Required": b.Required(), "Timeout": b.Timeout, "Maximum": b.Maximum, "Missing": b.Required() - b.Timeout})
	return t
}
