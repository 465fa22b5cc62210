package session_test

import (
	"testing"

	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

const twoBounds = `job clicks.yaml
produce clicks/0 1s ana 1
produce clicks/0 9s ana 1
advance 200ms
produce clicks/0 2s ana 1
produce clicks/0 30s ana 1
advance 200ms
-- clicks.yaml --
sources:
  clicks:
    watermark: {strategy: bounded-out-of-orderness, bound: 1s}
operators:
  - name: totals
    window: {assign: tumbling 5s, reduce: sum}
`

// The same records under two bounds: the comparison names the record that one
// run lost first, and then the window whose result differs because of it.
func TestComparisonNamesTheFirstDifferentOutcome(t *testing.T) {
	e, err := session.ParseExperiment("two", "two", []byte(twoBounds))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(e, 1, nil, session.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	l, perr := script.ParseLine("", 1, "set sources.clicks.watermark.bound 8s", e.Times())
	if perr != nil {
		t.Fatal(perr)
	}
	if err := s.Fork("one-second", 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Do(l); err != nil {
		t.Fatal(err)
	}
	c, err := s.Compare("one-second")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) != 2 || c.First.Kind != "record" || c.First.Offset != 2 || c.First.Left.Fate != "accepted" || c.First.Right.Fate != "dropped" {
		t.Errorf("differences %+v", c.Differences)
	}
	if w := c.Differences[1]; w.Kind != "window" || w.Start != 0 || w.Left.Values[0] != 2 || w.Right.Values[0] != 1 {
		t.Errorf("window %+v", w)
	}
	if c.Prices[0].Lost != 0 || c.Prices[1].Lost != 1 {
		t.Errorf("prices %+v", c.Prices)
	}
}

const sums = `job old.yaml
produce shop/0 1s ana 30
produce shop/0 2s blas 20
savepoint
cancel
restore sp1 new.yaml --allow-non-restored-state
produce shop/0 3s ana 5
-- old.yaml --
sources:
  shop: {}
operators:
  - name: totals
    uid: a
    process: sum
sinks:
  - name: results
-- new.yaml --
sources:
  shop: {}
operators:
  - name: totals
    uid: b
    process: sum
sinks:
  - name: results
`

// Without windows it is what the sinks took that differs, although each record
// was handled in both runs.
func TestComparisonWithoutWindowsComparesWhatTheSinksTook(t *testing.T) {
	e, err := session.ParseExperiment("sums", "sums", []byte(sums))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(e, 1, nil, session.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Fork("broken", 0); err != nil {
		t.Fatal(err)
	}
	l, perr := script.ParseLine("", 1, "set operators.totals.uid a", e.Times())
	if perr != nil {
		t.Fatal(perr)
	}
	if err := s.Do(l); err != nil {
		t.Fatal(err)
	}
	c, err := s.Compare("broken")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) != 1 || c.First.Kind != "result" || c.First.Operator != "results" || c.First.Key != "ana" {
		t.Fatalf("differences %+v", c.Differences)
	}
	if l, r := c.First.Left.Values, c.First.Right.Values; len(l) != 2 || l[1] != 35 || len(r) != 2 || r[1] != 5 {
		t.Errorf("values %v and %v", l, r)
	}
}
