package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"streaminglab/sim/session/sessiontest"
)

// BenchmarkCheckpointFrames steps through a job with a hundred checkpoints at
// 120×40, in each of its pictures: from a key to the frame.
func BenchmarkCheckpointFrames(b *testing.B) {
	var script strings.Builder
	for i := range 100 {
		fmt.Fprintf(&script, "produce clicks/0 %d k%d 1\ncheckpoint\nadvance 1s\n", 1000*i+1000, i%7)
	}
	e := sessiontest.Experiment(b, `sources:
  clicks: {}
operators:
  - name: totals
    process: count
sinks:
  - name: out
parallelism: 4
flinkConfiguration:
  state.backend.type: rocksdb
  execution.checkpointing.incremental: true
  execution.checkpointing.data-inline-threshold: 0
  execution.checkpointing.num-retained: 10
`, script.String())
	var m tea.Model = Open(testEnv(b, "ko"), e)
	m, _ = m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m = press(m, "esc")
	for _, view := range []string{"matrix", "timeline", "levels", "store"} {
		b.Run(view, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				key := "left"
				if i%20 >= 10 {
					key = "right"
				}
				m = press(m, key)
			}
		})
		m = press(m, "v")
	}
}
