package view_test

import (
	"testing"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/view"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/session/sessiontest"
)

// Every picture of checkpoints, channels and attempts has as many lines as it was given and none too
// wide, whatever the size, the step and the row that was chosen.
func TestPicturesKeepToTheirSize(t *testing.T) {
	e := sessiontest.Experiment(t, `sources:
  clicks: {}
operators:
  - name: totals
    process: count
sinks:
  - name: out
parallelism: 2
flinkConfiguration:
  state.backend.type: rocksdb
  execution.checkpointing.incremental: true
  execution.checkpointing.data-inline-threshold: 0
  execution.checkpointing.num-retained: 2
  execution.checkpointing.tolerable-failed-checkpoints: 2
`, `slow put 50ms
produce clicks/0 1000 ana 1
checkpoint
advance 1h
produce clicks/0 2000 blas 1
checkpoint
advance 1s
savepoint native
advance 1s
compact totals
fault file.uploaded with=fail
checkpoint
advance 1s
delete checkpoints/job1/shared/
produce clicks/0 3000 caro 1
checkpoint
`)
	r, err := session.Batch(e, func(tt script.Times) ([]*script.Line, error) { return script.Parse("story", "", tt) }, session.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	trace := r.World.Trace()
	n := 0
	for step := 1; step <= trace.Len(); step += 3 {
		s := view.BuildSnapshots(trace.Prefix(step))
		channels, attempts := view.BuildBarriers(trace.Prefix(step)), view.BuildRecovery(trace.Prefix(step))
		for _, w := range []int{1, 7, 20, 38, 44, 45, 57, 59, 60, 70, 78, 118} {
			for _, h := range []int{1, 2, 5, 9, 14, 40} {
				n++
				p := view.Picture{
					Loc: locale.New(locale.Langs[n%2]), Width: w, Height: h, Signs: [2]view.Signs{view.Unicode, view.ASCII}[n/2%2],
					Step: step * (n % 3 / 2), Pick: n % 9,
				}
				for i, lines := range [][]string{
					channels.DrawBarriers(p), attempts.DrawRecovery(p),
					s.DrawMatrix(p), s.DrawTimeline(p), s.DrawLevels(p), s.DrawStore(p), view.DrawCosts(p, []view.Cost{s.Cost("main"), s.Cost("fork-1")}),
				} {
					if len(lines) != h {
						t.Fatalf("picture %d, %d×%d, step %d: %d lines", i, w, h, step, len(lines))
					}
					for _, l := range lines {
						if lipgloss.Width(l) > w {
							t.Fatalf("picture %d, %d×%d, step %d: too wide: %q", i, w, h, step, l)
						}
					}
				}
			}
		}
	}
}
