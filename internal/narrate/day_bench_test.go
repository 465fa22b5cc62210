package narrate_test

import (
	"testing"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/sim/fold"
	"streaminglab/sim/operator"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// A day with a checkpoint every ten seconds: 120,000 steps.
func day(b *testing.B) *world.World {
	w := world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(`sources:
  clicks: {splits: 2, watermark: {strategy: none}}
operators:
  - name: totals
    process: count
sinks:
  - name: out
flinkConfiguration:
  execution.checkpointing.interval: 10s
`)}, Seed: 1})
	if err := w.Start("job job.yaml", "job.yaml"); err != nil {
		b.Fatal(err)
	}
	if err := w.Produce("produce", world.Target{Source: "clicks", Split: "0"}, operator.Record{Name: "ana", TS: 1, Value: 1}); err != nil {
		b.Fatal(err)
	}
	if err := w.Advance("advance 1d", 86_400_000); err != nil {
		b.Fatal(err)
	}
	return w
}

// BenchmarkShowADay lays out what a day has to show.
func BenchmarkShowADay(b *testing.B) {
	w, loc := day(b), locale.New("es")
	for _, v := range script.Views {
		b.Run(v, func(b *testing.B) {
			for b.Loop() {
				for _, t := range narrate.Show(loc, narrate.RunOf(w), v, false) {
					t.Lines(80)
				}
			}
		})
	}
}

// BenchmarkFoldADay takes a day in, as the first expression over it does.
func BenchmarkFoldADay(b *testing.B) {
	w := day(b)
	for b.Loop() {
		var f fold.Folds
		f.Update(w.Trace())
	}
}
