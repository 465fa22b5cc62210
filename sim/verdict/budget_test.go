package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/connector/kafka"
	"streaminglab/sim/script"
	"streaminglab/sim/verdict"
	"streaminglab/sim/world"
)

// The calculator of a sink's timeout is right about the worst that can happen: a
// record right behind a barrier, a wait for the next one, checkpoints that fail, a
// long one, and a crash before anybody is told. With the timeout that it asks for
// nothing is lost. With one that is shorter by the grid of the coordinator's scan
// the record is.
func TestBudgetAgainstTheSimulator(t *testing.T) {
	lost, kept := 0, 0
	for seed := range uint64(200) {
		d := sim.NewStream(seed, "verdict", "budget")
		b := kafka.Budget{
			Interval: 1000 * (20 + d.Below(40)), Duration: 1000 * (1 + d.Below(15)), Restart: 1000 * (1 + d.Below(100)), Failed: d.Below(3), Maximum: 1 << 40,
		}
		for _, short := range []bool{false, true} {
			x := b
			x.Timeout = b.Required()
			if short {
				// Between two scans a transaction is safe although its time is over.
				x.Timeout -= 10_001
			}
			n, err := playBudget(x)
			switch {
			case err != nil:
				t.Fatalf("%+v: %v", x, err)
			case short && n == 0:
				t.Errorf("%+v: nothing is lost with less than is required", x)
			case !short && n > 0:
				t.Errorf("%+v: %d lost with what is required", x, n)
			case short:
				lost++
			default:
				kept++
			}
			if got := x.Outcome() == kafka.BudgetHolds; got == short {
				t.Errorf("%+v: %s", x, x.Outcome())
			}
		}
	}
	t.Logf("kept with what is required: %d; lost with less: %d", kept, lost)
}

// playBudget lets the worst of a budget happen and counts what is lost.
func playBudget(b kafka.Budget) (lost int, err error) {
	job := fmt.Sprintf(`kafka: {transaction.max.timeout.ms: %d, topics: {orders: 1}}
sources:
  in: {watermark: {strategy: none}}
sinks:
  - name: out
    kind: kafka
    topic: orders
    delivery-guarantee: EXACTLY_ONCE
    transactional-id-prefix: J
    properties: {transaction.timeout.ms: %d}
flinkConfiguration:
  execution.checkpointing.interval: 1000h
  execution.checkpointing.tolerable-failed-checkpoints: 100
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 3
  restart-strategy.fixed-delay.delay: %dms
`, b.Maximum, b.Timeout, b.Restart)
	lines := []string{"job job.yaml", "checkpoint", "produce in/0 1 a r1"}
	gap := max(b.Interval, b.Duration)
	for range b.Failed {
		lines = append(lines, fmt.Sprintf("advance %dms", gap), "fault metadata.write with=fail", "checkpoint")
	}
	lines = append(lines,
		fmt.Sprintf("advance %dms", gap), fmt.Sprintf("fault task.acknowledged at=in[0] with=delay for=%dms", b.Duration),
		"crash out[0] at checkpoint.notify", "checkpoint", fmt.Sprintf("advance %dms", b.Duration+b.Restart+1000))
	w := world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(job)}, Seed: 1})
	defer w.Close()
	parsed, err := script.Parse("budget", strings.Join(lines, "\n"), script.Times{})
	if err != nil {
		return 0, err
	}
	for _, l := range parsed {
		if err := l.Command.(script.WorldCommand).Apply(w, world.Command(l.Text), script.Times{}); err != nil {
			return 0, fmt.Errorf("%s: %w", l.Text, err)
		}
	}
	for _, v := range verdict.Of(w.Trace()) {
		if v.Kind == verdict.LostInOutput && v.Certainty == verdict.Yes {
			lost += v.Count
		}
	}
	return lost, nil
}
