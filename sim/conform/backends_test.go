package conform

import (
	"bytes"
	"fmt"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// keyed are the kinds that run on the state seam.
var keyed = []string{"intervaljoin", "session", "sqlwindow", "timers", "window"}

// A throwaway makes steps and keeps none.
type throwaway struct{ steps int }

// Done implements operator.Tracer.
func (t *throwaway) Done(rule string, body sim.Body, causes ...*sim.Step) *sim.Step {
	return t.Step(rule, body, causes...)
}

// Step implements operator.Tracer.
func (t *throwaway) Step(rule string, body sim.Body, causes ...*sim.Step) *sim.Step {
	t.steps++
	return &sim.Step{Rule: rule, Body: body, Causes: causes}
}

// Neither the backend nor being watched changes what an operator does: all
// recordings of keyed operators are equal on each backend, traced and not.
func TestKeyedRecordingsOnEveryBackendWatchedOrNot(t *testing.T) {
	defer func() { backend, tracer = state.Heap, nil }()
	rocksdb := lsm.Backend(lsm.Options{Groups: state.KeyGroupRange{First: 0, Last: maxParallelism - 1}})
	for _, b := range []state.Backend{state.Heap, state.Copying, rocksdb} {
		for _, watched := range []bool{false, true} {
			if watched && b.Name == rocksdb.Name {
				continue // Trees take their time, and watching is above the seam.
			}
			t.Run(fmt.Sprintf("%s watched %t", b.Name, watched), func(t *testing.T) {
				backend, tracer = b, nil
				seen := &throwaway{}
				if watched {
					tracer = operator.Tracer(seen)
				}
				for _, kind := range keyed {
					r := run(t, "../../testdata/recordings/"+kind+".jsonl.gz")
					if !r.OK() {
						var text bytes.Buffer
						if err := r.WriteText(&text, false); err != nil {
							t.Fatal(err)
						}
						t.Error(text.String())
					}
				}
				if watched != (seen.steps > 0) {
					t.Errorf("%d steps", seen.steps)
				}
			})
		}
	}
}
