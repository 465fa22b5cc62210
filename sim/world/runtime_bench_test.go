package world_test

import (
	"fmt"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/flink"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
	"streaminglab/sim/world"
)

// runtimeJob is the job of the window operator's own benchmark, in a whole job:
// two readers, a keyed exchange, two subtasks, a sink, and barriers.
const runtimeJob = `
sources:
  clicks:
    splits: 2
    parallelism: 2
    watermark: {strategy: bounded-out-of-orderness, bound: 100ms}
operators:
  - name: totals
    window: {assign: tumbling 1s, reduce: sum}
sinks:
  - name: results
flinkConfiguration:
  parallelism.default: 2
  execution.checkpointing.mode: EXACTLY_ONCE
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.delay: 1ms
  restart-strategy.fixed-delay.attempts: 1000000
`

func benchRecord(i int64, keys []string) operator.Record {
	h := uint64(i) * 2654435761
	return operator.Record{Name: keys[(h&^(1<<63))%uint64(len(keys))], TS: i/10 - int64((h>>7)&^(1<<63)%51), Value: 1}
}

func benchKeys(n int) (keys []string) {
	for i := range n {
		keys = append(keys, fmt.Sprintf("key-%d", i))
	}
	return keys
}

// quietWorld has a job that runs and n records in its logs.
func quietWorld(b *testing.B, n int64, keys []string) *world.World {
	bounds := sim.Bounds{Time: sim.DefaultBounds.Time}
	w := world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(runtimeJob)}, Seed: 1, Quiet: true, Bounds: bounds})
	if err := w.Start("job job.yaml", "job.yaml"); err != nil {
		b.Fatal(err)
	}
	for i := range n {
		r := benchRecord(i, keys)
		l := w.Logs().Of("clicks")[i%2]
		r.Source, r.Split, r.Offset = "clicks", l.Split, l.Len()
		w.Logs().Append(l, flink.Entry{Record: r})
	}
	return w
}

// alone is the window operator without anything around it.
func alone(b *testing.B, n int64, keys []string) {
	assigner, err := eventtime.NewTumblingEventTimeWindows(1000, 0, eventtime.Aligned, nil)
	if err != nil {
		b.Fatal(err)
	}
	op := eventtime.NewWindowOperator(eventtime.WindowConfig{Assigner: assigner, Function: eventtime.Reduce})
	interner := state.NewKeys(128)
	ctx := &operator.Context{Name: "sum", Parallelism: 1, State: state.NewStore(state.Heap, interner), Out: discard{}}
	if err := op.Open(ctx); err != nil {
		b.Fatal(err)
	}
	for i := range n {
		r := benchRecord(i, keys)
		r.Key = interner.Intern(r.Name)
		if err := op.ProcessRecord(0, &r); err != nil {
			b.Fatal(err)
		}
		if i%50_000 == 49_999 {
			if err := op.ProcessWatermark(i/10 - 101); err != nil {
				b.Fatal(err)
			}
		}
	}
}

type discard struct{}

func (discard) Record(*operator.Record)       {}
func (discard) Watermark(int64, *sim.Step)    {}
func (discard) Status(bool, *sim.Step)        {}
func (discard) Side(string, *operator.Record) {}

// BenchmarkRuntime takes records through the whole runtime with nobody watching,
// a checkpoint after every tenth of them, against the operator alone:
// runtime/alone is its throughput as a share of that.
func BenchmarkRuntime(b *testing.B) {
	const n = 200_000
	for _, k := range []int{10_000, 100} {
		keys := benchKeys(k)
		perRecord := map[string]float64{}
		b.Run(fmt.Sprintf("K=%d/alone", k), func(b *testing.B) {
			for b.Loop() {
				alone(b, n, keys)
			}
			perRecord["alone"] = b.Elapsed().Seconds() / float64(b.N) / n
			b.ReportMetric(1/perRecord["alone"]/1e6, "Mrec/s")
		})
		b.Run(fmt.Sprintf("K=%d/runtime", k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				w := quietWorld(b, 0, keys)
				b.StartTimer()
				for part := range int64(10) {
					b.StopTimer()
					for i := part * n / 10; i < (part+1)*n/10; i++ {
						r := benchRecord(i, keys)
						l := w.Logs().Of("clicks")[i%2]
						r.Source, r.Split, r.Offset = "clicks", l.Split, l.Len()
						w.Logs().Append(l, flink.Entry{Record: r})
					}
					b.StartTimer()
					if err := w.Advance("advance", 200); err != nil {
						b.Fatal(err)
					}
					if err := w.Checkpoint("checkpoint"); err != nil {
						b.Fatal(err)
					}
				}
				w.Close()
			}
			perRecord["runtime"] = b.Elapsed().Seconds() / float64(b.N) / n
			b.ReportMetric(1/perRecord["runtime"]/1e6, "Mrec/s")
			if perRecord["alone"] > 0 {
				b.ReportMetric(perRecord["alone"]/perRecord["runtime"], "runtime/alone")
			}
		})
	}
}

// BenchmarkCrash crashes a job with 10,000 keys in its state again and again and
// lets it come back to its checkpoint.
func BenchmarkCrash(b *testing.B) {
	w := quietWorld(b, 20_000, benchKeys(10_000))
	defer w.Close()
	if err := w.Advance("advance", 200); err != nil {
		b.Fatal(err)
	}
	if err := w.Checkpoint("checkpoint"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := w.Crash("crash", "totals", ""); err != nil {
			b.Fatal(err)
		}
		if err := w.Advance("advance", 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "crashes/s")
}
