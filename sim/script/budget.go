package script

import (
	"slices"
	"strconv"
)

var verbBudget = &Verb{
	Name: "budget", Class: Question,
	Usage: "budget [interval=DURATION] [duration=DURATION] [restart=DURATION] [failed=N] [commit=DURATION] [timeout=DURATION] [maximum=DURATION]",
	Args:  []Arg{{Kind: ArgWord, Optional: true, Words: []string{"interval=", "duration=", "restart=", "failed=", "commit=", "timeout=", "maximum="}}},
	parse: func(l *line) Command {
		c := Budget{Given: map[string]int64{}}
		options := map[string]func(string, int){
			BudgetFailed: func(v string, col int) {
				n, err := strconv.ParseInt(v, 10, 64)
				if err != nil || n < 0 || n > 1000 {
					l.fail(col, "script.integer", "Value", v, "Low", int64(0), "High", int64(1000))
				}
				c.Given[BudgetFailed] = n
			},
		}
		order := []string{BudgetInterval, BudgetDuration, BudgetRestart, BudgetFailed, BudgetCommit, BudgetTimeout, BudgetMaximum}
		for _, name := range order {
			if name != BudgetFailed {
				options[name] = func(v string, col int) {
					if c.Given[name] = l.durationOf(v, col); c.Given[name] == 0 && slices.Contains(positive, name) {
						l.fail(col, "script.negative", "Value", v)
					}
				}
			}
		}
		l.options(options, order)
		return c
	},
}

// Parts of a budget that can be given.
const (
	BudgetInterval = "interval"
	BudgetDuration = "duration"
	BudgetRestart  = "restart"
	BudgetFailed   = "failed"
	BudgetCommit   = "commit"
	BudgetTimeout  = "timeout"
	BudgetMaximum  = "maximum"
)

// positive are the parts that cannot be nothing.
var positive = []string{BudgetInterval, BudgetTimeout, BudgetMaximum}

// Budget asks which transaction.timeout.ms a sink needs, and how long a record may
// wait. What is not given is that of the job, or was measured in the run.
type Budget struct {
	command
	// Given are the parts that were typed: ms, or a number.
	Given map[string]int64
}
