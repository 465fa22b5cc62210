package fold_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim/fold"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// What the folds over snapshots and their files say of runs of the simulator.
// Directives:
//
//	job     a job file: a new world starts it
//	type    command lines, and `= EXPR`: what it gives there
func TestSnapshots(t *testing.T) {
	var w *world.World
	datadriven.RunTest(t, "testdata/snapshots.txt", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "job":
			w = world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(d.Input)}, Seed: 1})
			if err := w.Start("job job.yaml", "job.yaml"); err != nil {
				return err.Error() + "\n"
			}
			return ""
		case "type":
			var b strings.Builder
			for _, text := range strings.Split(d.Input, "\n") {
				b.WriteString(typed(t, w, text))
			}
			return b.String()
		}
		d.Fatalf(t, "unknown directive %q", d.Cmd)
		return ""
	})
}

func typed(t *testing.T, w *world.World, text string) string {
	if source, ok := strings.CutPrefix(text, "= "); ok {
		p, err := fold.Compile(source, script.Times{})
		if err != nil {
			return fmt.Sprintf("%s: %v\n", source, err)
		}
		v, err := p.Eval(fold.Of(w.Trace()), script.Times{})
		if err != nil {
			return fmt.Sprintf("%s: %v\n", source, err)
		}
		return fmt.Sprintf("%s: %v\n", source, v)
	}
	lines, err := script.Parse("snapshots", text, script.Times{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if err := l.Command.(script.WorldCommand).Apply(w, world.Command(l.Text), script.Times{}); err != nil {
			return fmt.Sprintf("%s: %v\n", l.Text, err)
		}
	}
	return ""
}
