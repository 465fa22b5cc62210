package session_test

import (
	"testing"

	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/session/sessiontest"
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

const views = `job pairs.yaml
produce views/0 3000 ana v1
produce clicks/0 5001 blas c2
produce views/0 5001 blas v2
advance 200ms
produce clicks/0 5000 ana c1
produce clicks/0 2000 carl c3
advance 200ms
-- pairs.yaml --
sources:
  clicks: {watermark: {strategy: bounded-out-of-orderness, bound: 0s}}
  views: {watermark: {strategy: bounded-out-of-orderness, bound: 0s}}
operators:
  - name: pairs
    inputs: [clicks, views]
    interval-join: {lower: -2s, upper: 1s}
sinks:
  - name: out
`

// What a join emits are pairs: one that only one of the runs has differs, a record
// that only one of them stored does too, and the price is what it stored, not
// windows. The words of a pair are not numbers that a sink took.
func TestComparisonOfAnIntervalJoinComparesPairs(t *testing.T) {
	e, err := session.ParseExperiment("views", "views", []byte(views))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(e, 1, nil, session.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Fork("tight", 0); err != nil {
		t.Fatal(err)
	}
	l, perr := script.ParseLine("", 1, "set sources.clicks.watermark.bound 4s", e.Times())
	if perr != nil {
		t.Fatal(perr)
	}
	if err := s.Do(l); err != nil {
		t.Fatal(err)
	}
	c, err := s.Compare("tight")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) != 2 {
		t.Fatalf("differences %+v", c.Differences)
	}
	if d := c.Differences[0]; d.Kind != "pair" || d.Key != "ana" || d.PairLeft != "c1" || d.PairRight != "v1" || d.Start != 5000 ||
		d.Left.Fate != "paired" || len(d.Left.Times) != 1 || d.Right.Step != 0 {
		t.Errorf("pair %+v", d)
	}
	if d := c.Differences[1]; d.Kind != "record" || d.Key != "carl" || d.Left.Fate != "joined" || d.Right.Fate != "vanished" {
		t.Errorf("record %+v", d)
	}
	wide, tight := c.Prices[0], c.Prices[1]
	if !wide.Joins || wide.Windows || wide.Pairs != 2 || wide.Kept != 5 || wide.Records != 5 || wide.Lost != 0 {
		t.Errorf("price %+v", wide)
	}
	// v1 was removed when the watermark reached 5000; c1 was stored, c3 came too late.
	if tight.Pairs != 1 || tight.Kept != 3 || tight.Lost != 1 || tight.KeptFor != 200+400+400+200 {
		t.Errorf("price %+v", tight)
	}
}

const orders = `kafka:
  topics: {orders: 1}
sources:
  in: {}
sinks:
  - {name: out, kind: kafka, topic: orders, delivery-guarantee: EXACTLY_ONCE, transactional-id-prefix: J, properties: {transaction.timeout.ms: 60s}}
flinkConfiguration:
  execution.checkpointing.interval: 24h
`

// One run commits a record, the other lets its transaction expire: both sinks took
// the same, but no reader of committed records gets it from the second.
func TestComparisonOfLogsCountsWhatReadersGet(t *testing.T) {
	e := sessiontest.Experiment(t, orders, "produce in/0 1s a r1\n")
	s, err := session.Open(e, 1, nil, session.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Fork("expired", 0); err != nil {
		t.Fatal(err)
	}
	do := func(text string) {
		t.Helper()
		l, perr := script.ParseLine("", 1, text, e.Times())
		if perr != nil {
			t.Fatal(perr)
		}
		if err := s.Do(l); err != nil {
			t.Fatal(err)
		}
	}
	do("checkpoint")
	if err := s.Switch("expired"); err != nil {
		t.Fatal(err)
	}
	do("advance 80s")
	do("checkpoint")
	c, err := s.Compare("main")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) != 1 || c.First.Kind != "logged" || c.First.Split != "orders/0" || c.First.Key != "a=r1" {
		t.Fatalf("differences %+v", c.Differences)
	}
	if l, r := c.First.Left, c.First.Right; l.Committed != 0 || l.Uncommitted != 1 || r.Committed != 1 || r.Uncommitted != 1 {
		t.Errorf("%+v and %+v", l, r)
	}
}
