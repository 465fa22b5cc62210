package view

import (
	"strings"
	"testing"

	"streaminglab/internal/locale"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/session/sessiontest"
)

// A lifecycle rule for a prefix that nothing has and nobody writes to is taken,
// and said to be that.
func TestALifecycleRuleForNothing(t *testing.T) {
	e := sessiontest.Experiment(t, `sources:
  clicks:
    splits: 1
operators:
  - name: totals
    process: count
sinks:
  - name: out
flinkConfiguration:
  execution.checkpointing.savepoint-dir: safe
`, `produce clicks/0 1000 ana 1
`)
	s, err := session.Open(e, 1, nil, session.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	for prefix, nowhere := range map[string]bool{
		"shared/": false, "checkpoints/": false, "checkpoints/job1/": false, "checkpoints/job1/shared/": false, "chk-": false, "chk-9/": false,
		"taskowned/": false, "job1/": false, "job2/shared/": false, "safe/": false, "safe/sp1/": false,
		"share/": true, "checkpoint/": true, "checkpoints/job1/share/": true, "x": true,
	} {
		l, perr := script.ParseLine("", 1, "lifecycle "+prefix+" 1h", e.Times())
		if perr != nil {
			t.Fatal(perr)
		}
		for _, lang := range locale.Langs {
			if got := Nowhere(locale.New(lang), s.Run().World, l); (got != "") != nowhere || nowhere && !strings.Contains(got, "`"+prefix+"`") {
				t.Errorf("%s: %q", prefix, got)
			}
		}
	}
}
