package session_test

import (
	"errors"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/session/sessiontest"
)

// An interrupted command is taken back as a whole, wherever it is interrupted;
// what comes later makes the same trace as if it had never been.
func TestAnInterruptedCommandLeavesNothing(t *testing.T) {
	e := sessiontest.Experiment(t, `sources:
  clicks: {}
operators:
  - name: totals
    process: count
sinks:
  - name: out
flinkConfiguration:
  state.backend.type: rocksdb
  execution.checkpointing.interval: 10s
  execution.checkpointing.incremental: true
`, `produce clicks/0 1000 a 1
`)
	line := func(text string) *script.Line {
		l, perr := script.ParseLine("", 1, text, e.Times())
		if perr != nil {
			t.Fatal(perr)
		}
		return l
	}
	open := func() *session.Session {
		s, err := session.Open(e, 1, nil, session.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	plain := open()
	before := plain.Trace().Hash()
	if err := plain.Do(line("advance 30s")); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int{1, 2, 7, 40} {
		s, asked := open(), 0
		s.Interruptible(func() bool { asked++; return asked >= after })
		err := s.Do(line("advance 1h"))
		var p *sim.Problem
		if !errors.As(err, &p) || p.ID != "world.interrupted" {
			t.Fatalf("after %d: %v", after, err)
		}
		if s.Trace().Hash() != before || len(s.Commands()) != 0 || asked != after {
			t.Errorf("after %d: %d steps, %v, asked %d times", after, s.Trace().Len(), s.Commands(), asked)
		}
		s.Interruptible(func() bool { return false })
		if err := s.Do(line("advance 30s")); err != nil || s.Trace().Hash() != plain.Trace().Hash() {
			t.Errorf("after %d: another trace (%v)", after, err)
		}
	}
}
