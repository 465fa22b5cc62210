package world_test

import (
	"fmt"
	"testing"

	"streaminglab/sim/operator"
	"streaminglab/sim/world"
)

const benchJob = `
sources:
  clicks:
    splits: 2
    watermark: {strategy: bounded-out-of-orderness, bound: 1s}
operators:
  - name: totals
    window: {assign: tumbling 5s, reduce: sum}
sinks:
  - name: results
`

// BenchmarkTraced drives a whole world with everything watched: commands,
// sources, exchange, windows, sink, every step with its causes.
func BenchmarkTraced(b *testing.B) {
	const records = 2000
	b.ReportAllocs()
	steps := 0
	for b.Loop() {
		w := world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(benchJob)}, Seed: 1})
		if err := w.Start("job job.yaml", "job.yaml"); err != nil {
			b.Fatal(err)
		}
		for i := range records {
			r := operator.Record{Name: fmt.Sprintf("key-%d", i%20), TS: int64(i * 100), Value: 1}
			t := world.Target{Source: "clicks", Split: fmt.Sprint(i % 2)}
			if err := w.Produce("produce", t, r); err != nil {
				b.Fatal(err)
			}
			if i%20 == 19 {
				if err := w.Advance("advance 200ms", 200); err != nil {
					b.Fatal(err)
				}
			}
		}
		steps = w.Trace().Len()
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(steps)/seconds, "steps/s")
	b.ReportMetric(float64(records)/seconds, "records/s")
	b.ReportMetric(float64(steps)/records, "steps/record")
}
