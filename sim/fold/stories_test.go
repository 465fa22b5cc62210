package fold_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/world"
)

// In all stories of the world: a checkpoint that is complete misses nobody, and
// a job that has finished has left nothing in a channel before its end.
func TestStoriesAgreeWithTheirChannels(t *testing.T) {
	files, err := filepath.Glob("../world/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	completed := 0
	for _, file := range files {
		var w *world.World
		check := func() {
			if w == nil {
				return
			}
			for s := range w.Trace().Main() {
				switch b := s.Body.(type) {
				case sim.CheckpointCompleted:
					completed++
					c := fold.ChannelsOf(w.Trace().Prefix(s.Seq))
					if c.Last == nil || c.Last.ID != b.ID || len(c.Last.Missing) > 0 {
						t.Errorf("%s, step %d: %+v", file, s.Seq, c.Last)
					}
				case sim.JobFinished:
					for _, ch := range fold.ChannelsOf(w.Trace().Prefix(s.Seq - 1)).Channels {
						if len(ch.Items) > 0 || ch.Blocked != 0 {
							t.Errorf("%s, step %d: %s to %s: %+v", file, s.Seq, ch.From.Name, ch.To.Name, *ch)
						}
					}
				}
			}
		}
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "job":
				check()
				w = world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(d.Input)}, Seed: 1})
				if err := w.Start("job job.yaml", "job.yaml"); err != nil {
					w = nil
				}
			case "type":
				for _, text := range strings.Split(d.Input, "\n") {
					if w != nil {
						typed(t, w, text)
					}
				}
			}
			return d.Expected
		})
		check()
	}
	if completed < 50 {
		t.Errorf("only %d checkpoints were looked at", completed)
	}
}
