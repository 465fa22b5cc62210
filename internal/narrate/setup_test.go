package narrate

import (
	"testing"

	"streaminglab/sim"
)

// Whatever a long set-up is made of, no step is lost, and what is told of it is
// bounded.
func TestLongSetupIsBounded(t *testing.T) {
	read := sim.RecordRead{}
	other := sim.CheckpointTriggered{}
	for name, body := range map[string]func(int) sim.Body{
		"records":     func(int) sim.Body { return read },
		"checkpoints": func(int) sim.Body { return other },
		"mixed": func(i int) sim.Body {
			if i%5 > 0 {
				return read
			}
			return other
		},
		"stretches": func(i int) sim.Body {
			if i%40 > 0 {
				return read
			}
			return other
		},
	} {
		for _, n := range []int{0, 1, wholeSetup, wholeSetup + 1, 700, 9000} {
			var steps []*sim.Step
			for i := range n {
				steps = append(steps, &sim.Step{Seq: i + 11, Body: body(i)})
			}
			told := Setup(steps)
			if len(told) > lastSetup+1 {
				t.Errorf("%s, %d steps: %d pieces", name, n, len(told))
			}
			next := 11
			for _, p := range told {
				for _, s := range append(p.Steps[:len(p.Steps):len(p.Steps)], p.Step) {
					if s != nil {
						if s.Seq != next {
							t.Fatalf("%s, %d steps: %d follows %d", name, n, s.Seq, next-1)
						}
						next++
					}
				}
			}
			if next != n+11 {
				t.Errorf("%s, %d steps: %d are told", name, n, next-11)
			}
		}
	}
}
