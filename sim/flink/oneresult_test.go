package flink_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const variants = 3

// seeds is how many jobs are drawn: LAB_SEEDS, which `make test-long` sets, or
// 200.
var seeds = func() int {
	if n, err := strconv.Atoi(os.Getenv("LAB_SEEDS")); err == nil && n > 0 {
		return n
	}
	return 200
}()

func (g *generated) story(v *variant) string {
	return fmt.Sprintf("%s\n%s", g.job(v), strings.Join(g.script(v), "\n"))
}

// One result: whatever the backend, the parallelism and what crashed on the
// way, state and committed results are those of the run without any of it.
func TestOneResult(t *testing.T) {
	counts := map[string]map[string]int{"operator": {}, "backend": {}, "parallelism": {}, "crash point": {}}
	silent, speaks := 0, map[string]bool{}
	for seed := range uint64(seeds) {
		g := generate(seed)
		want, err := g.run(reference(), nil)
		if err != nil {
			t.Fatalf("seed %d: reference: %v\n%s", seed, err, g.story(reference()))
		}
		if len(want.committed) == 0 {
			silent++
		}
		for i, k := range g.kinds {
			counts["operator"][k]++
			// What stands behind a prelude speaks for it.
			if slices.ContainsFunc(want.committed, func(row string) bool {
				return strings.HasPrefix(row, fmt.Sprintf("sink%d ", i)) || strings.HasPrefix(row, fmt.Sprintf("sink%d ", i+1)) && isPrelude(k)
			}) {
				speaks[k] = true
			}
		}
		here := map[string]map[string]bool{"backend": {}, "parallelism": {}, "crash point": {}}
		for n := range variants {
			v := g.variant(n)
			got, err := g.run(v, nil)
			if err != nil {
				t.Fatalf("seed %d variant %d: %v\n%s", seed, n, err, g.story(v))
			}
			if d := want.differs(got); d != "" {
				t.Fatalf("seed %d variant %d: %s\n%s", seed, n, d, g.story(v))
			}
			here["backend"][v.backend] = true
			here["parallelism"][fmt.Sprint(v.parallelism)] = true
			for p := range got.faults {
				here["crash point"][p] = true
			}
			for _, c := range v.crashes {
				if !strings.Contains(c, ".") || strings.Contains(c, " ") {
					here["crash point"][c] = true
				}
			}
		}
		for what, names := range here {
			for name := range names {
				counts[what][name]++
			}
		}
	}
	if silent*100 > seeds {
		t.Errorf("%d seeds commit nothing", silent)
	}
	for _, k := range slices.Concat(operatorKinds, preludes) {
		counts["operator"][k.name] += 0
		if !speaks[k.name] {
			t.Errorf("operator %s commits nothing", k.name)
		}
	}
	counts["operator"][secondStage] += 0
	for _, c := range crashes {
		counts["crash point"][c] += 0
	}
	for _, what := range []string{"operator", "backend", "parallelism", "crash point"} {
		by := counts[what]
		var names []string
		for name := range by {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			t.Logf("%s %s: %d of %d seeds", what, name, by[name], seeds)
			if by[name]*100 < 3*seeds {
				t.Errorf("%s %s is in too few seeds", what, name)
			}
		}
	}
}

func isPrelude(kind string) bool {
	return slices.ContainsFunc(preludes, func(p operatorKind) bool { return p.name == kind })
}

// A canonical savepoint holds the same bytes whether the state lies on the heap
// or in trees (CP-8.2).
func TestCanonicalSavepointIsTheSameOverStorages(t *testing.T) {
	some := 0
	for seed := range uint64(seeds) {
		g := generate(seed)
		v := g.variant(0)
		heap, trees := &variant{parallelism: v.parallelism, readers: v.readers, backend: "hashmap"}, &variant{parallelism: v.parallelism, readers: v.readers, backend: "rocksdb"}
		want, err := g.canonicalBytes(heap)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, g.story(heap))
		}
		got, err := g.canonicalBytes(trees)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, g.story(trees))
		}
		for name := range want {
			if !bytes.Equal(want[name], got[name]) {
				t.Fatalf("seed %d: %s differs: %d and %d bytes\n%s", seed, name, len(want[name]), len(got[name]), g.story(trees))
			}
			some++
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d and %d subtasks have keyed state\n%s", seed, len(want), len(got), g.story(trees))
		}
	}
	if some < seeds {
		t.Errorf("only %d subtasks of %d seeds have keyed state", some, seeds)
	}
}
