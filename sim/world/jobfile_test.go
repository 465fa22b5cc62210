package world_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/world"
)

// Every mistake in a job file is named with its place and, where one is near,
// the real key; nothing of the file is used.
func TestMistakesInAJobFile(t *testing.T) {
	const head = "sources:\n  clicks:\n    watermark: {strategy: monotonous}\n"
	for _, c := range []struct{ text, want string }{
		{"", "job.yaml:1:1: job.one-document"},
		{"sources: [", "job.yaml:1:10: job.yaml"},
		{"source:\n  clicks: {}\n", `job.yaml:1:1: job.unknown-key Key=source Nearest=sources`},
		{"sources:\n  clicks:\n    split: 2\n", `job.yaml:3:5: job.unknown-key Key=split Nearest=splits`},
		{"sources:\n  clicks:\n    watermark: {strategy: bounded, bound: 2s}\n", `job.yaml:3:27: job.unknown-word`},
		{"sources:\n  clicks:\n    watermark: {strategy: monotonous, bound: 2s}\n", `job.yaml:3:46: job.only-with Key=bound`},
		{"sources:\n  clicks:\n    watermark: {strategy: bounded-out-of-orderness, bound: 2}\n", `job.yaml:3:60: job.want-duration Value=2`},
		{"sources:\n  clicks:\n    splits: many\n", `job.yaml:3:13: job.want-integer`},
		{"sources:\n  clicks: {}\n  clicks: {}\n", `job.yaml:3:3: job`},
		{head + "flinkConfiguration:\n  pipeline.auto-watermark-intervall: 100ms\n", `job.yaml:5:3: job.unknown-key Key=pipeline.auto-watermark-intervall Nearest=pipeline.auto-watermark-interval`},
		{head + "flinkConfiguration:\n  table.exec.mini-batch.enabled: true\n", `job.yaml:5:3: job.later Chapter=sql`},
		{head + "flinkConfiguration:\n  execution.checkpointing.data-inline-threshold: 2mb\n", `job.yaml:5:50: job.want-memory`},
		{head + "flinkConfiguration:\n  restart-strategy.type: exponential-delay\n  restart-strategy.exponential-delay.backoff-multiplier: x1\n", `job.yaml:6:58: job.want-decimal Value=x1`},
		{head + "flinkConfiguration:\n  restart-strategy.type: exponential-delay\n  restart-strategy.exponential-delay.backoff-multiplier: 1\n", `job.refused Class=java.lang.IllegalArgumentException Message=Backoff multiplier must be greater than 1.`},
		{head + "operators:\n  - name: totals\n    window: {assign: tumbling 10s}\n", `job.yaml:6:14: job.missing-key Key=reduce`},
		{head + "operators:\n  - name: totals\n    window: {assign: tumblin 10s, reduce: sum}\n", `job.yaml:6:22: job.form`},
		{head + "operators:\n  - name: totals\n    window: {assign: tumbling 10s, reduce: sum}\n    offset: 10s\n", `job.refused Class=java.lang.IllegalArgumentException Message=TumblingEventTimeWindows parameters must satisfy abs(offset) < size`},
		{head + "operators:\n  - name: totals\n    window: {assign: session 10s, reduce: sum}\n    offset: 1s\n", `job.yaml:7:13: job.only-with Key=offset`},
		{head + "operators:\n  - name: totals\n    inputs: [click]\n    process: count\n", `job.yaml:6:13: job.unknown-input`},
		{head + "operators:\n  - name: a\n    process: count\n    window: {assign: tumbling 1s, reduce: sum}\n", `job.two-kinds`},
		{head + "operators:\n  - name: a\n", `job.no-kind`},
		{head + "flinkConfiguration:\n  execution.checkpointing.max-concurrent-checkpoints: 2\n  execution.checkpointing.unaligned.enabled: true\n", `job.refused Class=java.lang.IllegalArgumentException`},
		{head + "operators:\n  - name: clicks\n    process: count\n", `job.duplicate-name`},
		{head + "operators:\n  - name: j\n    interval-join: {lower: -1s, upper: 1s}\n", `job.two-inputs`},
		{head + "operators:\n  - name: s\n    sql-window: hop 10s 4s\n", `job.refused`},
		{head + "operators:\n  - name: s\n    sql-window: tumble 1d\n    zone: Asia/Seul\n", `job.zone Zone=Asia/Seul`},
	} {
		_, err := world.ReadJob("job.yaml", []byte(c.text), nil, sim.DefaultBounds)
		var p *sim.Problem
		if err == nil || !errors.As(err, &p) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n  got  %s\n  want %s", c.text, err, c.want)
		}
	}
}

func FuzzJobFile(f *testing.F) {
	f.Add("sources:\n  clicks:\n    splits: 2\n    watermark: {strategy: bounded-out-of-orderness, bound: 2s, idleness: 1s}\noperators:\n  - name: t\n    window: {assign: sliding 10s 2s, reduce: sum}\n    lateness: 1s\nflinkConfiguration:\n  parallelism.default: 2\n")
	f.Add("sources: {a: {}, b: {}}\noperators:\n  - name: j\n    inputs: [a, b]\n    interval-join: {lower: -1s, upper: 1s}\n")
	f.Add("sources: {a: {watermark: {strategy: sql, delay: 1s}}}\noperators:\n  - name: s\n    sql-window: cumulate 10s 2s\n    zone: America/New_York\n")
	f.Fuzz(func(t *testing.T, text string) {
		bounds := sim.Bounds{Steps: 3000, Records: 100, Windows: 50, Entries: 500, Time: 1_000_000_000, Actions: 30_000}
		w := world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(text)}, Seed: 1, Bounds: bounds})
		if err := w.Start("job job.yaml", "job.yaml"); err != nil {
			var p *sim.Problem
			if !errors.As(err, &p) {
				t.Fatalf("not a problem of the user: %v", err)
			}
			return
		}
		for i, name := range w.SplitNames() {
			source, split, _ := strings.Cut(name, "/")
			r := operator.Record{Name: fmt.Sprint(i), TS: int64(i * 1000), Value: 1}
			if err := w.Produce("produce", world.Target{Source: source, Split: split}, r); err != nil {
				var p *sim.Problem
				if !errors.As(err, &p) {
					t.Fatal(err)
				}
			}
		}
		if err := w.Advance("advance 5s", 5000); err != nil {
			var p *sim.Problem
			if !errors.As(err, &p) {
				t.Fatal(err)
			}
		}
	})
}
