package world_test

import (
	"fmt"
	"testing"

	"streaminglab/sim/operator"
	"streaminglab/sim/world"
)

const dayJob = `
sources:
  clicks:
    splits: 1
    watermark: {strategy: bounded-out-of-orderness, bound: 1s}
operators:
  - name: totals
    process: sum
sinks:
  - name: results
flinkConfiguration:
  state.backend.type: %s
  execution.checkpointing.interval: 10s
  execution.checkpointing.incremental: true
  execution.checkpointing.dir: s3://lab/checkpoints
`

// BenchmarkCheckpointedDay runs a simulated day of a job of one subtask with a checkpoint
// every ten seconds and a record a minute: 8,640 checkpoints, every step of
// them written down. With files there is an upload for each record.
func BenchmarkCheckpointedDay(b *testing.B) {
	for _, backend := range []string{"hashmap", "rocksdb"} {
		b.Run(backend, func(b *testing.B) {
			for b.Loop() {
				w := world.New(world.Config{Files: map[string][]byte{"job.yaml": fmt.Appendf(nil, dayJob, backend)}, Seed: 1})
				if err := w.Start("job job.yaml", "job.yaml"); err != nil {
					b.Fatal(err)
				}
				for minute := range 24 * 60 {
					r := operator.Record{Name: fmt.Sprintf("key-%d", minute%20), TS: int64(minute) * 60_000, Value: 1}
					if err := w.Produce("produce", world.Target{Source: "clicks", Split: "0"}, r); err != nil {
						b.Fatal(err)
					}
					if err := w.Advance("advance 1m", 60_000); err != nil {
						b.Fatal(err)
					}
				}
				done := w.Job().Completed()
				if last := done[len(done)-1].ID; last < 8639 || last > 8641 {
					b.Fatalf("%d checkpoints", last)
				}
				b.ReportMetric(float64(w.Trace().Len())/8640, "steps/checkpoint")
				w.Close()
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/day")
		})
	}
}
