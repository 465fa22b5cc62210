package engine_test

import (
	"io/fs"
	"testing"

	"streaminglab/assets"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
)

// Nobody can answer a question about an order by leaving it as it stands, with
// any seed: neither in a lesson nor in a quiz.
func TestNoOrderIsShownAsItShouldBe(t *testing.T) {
	lib, err := quiz.Load(quiz.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	experiments, err := fs.Sub(assets.FS(), "experiments")
	if err != nil {
		t.Fatal(err)
	}
	m := &quiz.Marker{Engine: engine.New(experiments)}
	shown := map[string]int{}
	for _, it := range lib.Items() {
		if it.Kind != quiz.OrderKind {
			continue
		}
		sets := []*quiz.Set{nil} // a lesson
		for _, s := range lib.Sets() {
			for _, member := range s.Members {
				if member == it.ID {
					sets = append(sets, s)
				}
			}
		}
		for _, s := range sets {
			seeds := []uint64{}
			for seed := range uint64(300) {
				seeds = append(seeds, seed)
			}
			if s != nil {
				seeds = append(seeds, s.Seeds...)
			}
			if len(it.Names()) > 0 || it.Key.Computed != "" {
				seeds = seeds[max(0, len(seeds)-30):] // each of them is a run
			}
			for _, seed := range seeds {
				variant, err := m.Present(t.Context(), it, seed)
				if err != nil {
					t.Fatal(err)
				}
				solution, err := m.Solve(t.Context(), it, seed)
				if err != nil {
					t.Fatal(err)
				}
				order := s.OptionOrder(variant, seed)
				if solution.Order.Fraction(order).Cmp(quiz.Points(1)) >= 0 {
					t.Errorf("%s is shown in a right order for seed %d: %v", it.ID, seed, order)
				}
				if len(order) != len(it.Options) {
					t.Errorf("%s: %v", it.ID, order)
				}
				shown[it.ID]++
			}
		}
	}
	if len(shown) < 4 {
		t.Errorf("only %v", shown)
	}
}
