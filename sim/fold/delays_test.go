package fold_test

import (
	"fmt"
	"slices"
	"testing"

	"streaminglab/sim/fold"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/session/sessiontest"
)

// V18: a record waits for the end of the checkpoint that holds its transaction;
// what nobody decided is open, what was aborted is never read.
func TestDelays(t *testing.T) {
	e := sessiontest.Experiment(t, `kafka:
  topics: {orders: 1}
sources:
  in: {}
sinks:
  - name: out
    kind: kafka
    topic: orders
    delivery-guarantee: EXACTLY_ONCE
    transactional-id-prefix: J
    properties: {transaction.timeout.ms: 60s}
`, `advance 1s
produce in/0 1s a r1
advance 1s
produce in/0 2s a r2
advance 8s
fault task.acknowledged at=in with=delay for=1s
checkpoint
advance 500ms
produce in/0 3s a r3
advance 10s
checkpoint
producer p new id=P
producer p init
producer p begin
producer p send orders k=x
producer p abort
producer q new plain
producer p begin
producer p send orders k=y
producer q send orders k=z
advance 2s
`)
	r, err := session.Batch(e, func(tt script.Times) ([]*script.Line, error) { return script.Parse("story", "", tt) }, session.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	f := fold.Of(r.World.Trace())
	var got []string
	for _, d := range f.Delays {
		got = append(got, fmt.Sprintf("%d %s=%s %d %d %d %s", d.Offset, d.Key, d.Value, d.Written, d.Readable, d.Delay, d.State))
	}
	want := []string{
		"0 a=r1 1000 11000 10000 readable", "1 a=r2 2000 11000 9000 readable", "2 a=r3 10500 20500 10000 readable",
		"5 k=x 20500 -1 -1 aborted", "7 k=y 20500 -1 -1 open", "8 k=z 20500 -1 -1 behind",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	s := fold.Summary(f.Delays, int64(f.Now))
	if s.Percentile(50) != 10000 || s.Percentile(95) != 10000 || s.Percentile(1) != 9000 || s.Waiting != 2 || s.Never != 1 {
		t.Errorf("%+v", s)
	}
	p, err := fold.Compile(`max(map(filter(delays, .readable >= 0), .delay)) == 10000 && count(delays, .state == "open") == 1`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := p.Holds(f, nil); !ok || err != nil {
		t.Error(ok, err)
	}
	if (fold.DelayOf{}).Percentile(50) != 0 {
		t.Error("a percentile of nothing")
	}
}
