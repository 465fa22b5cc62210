package flink_test

import (
	"runtime"
	"sync"
	"testing"
)

// The same job, seed and script give the same trace, byte for byte, however
// often and on however many processors it runs, also beside others.
func TestSameTraceEveryTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const jobs = 34
	first := make([]string, jobs)
	for _, processors := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(processors)
		for range 2 {
			var wait sync.WaitGroup
			got, errs := make([]string, jobs), make([]error, jobs)
			for seed := range jobs {
				wait.Go(func() {
					g := generate(uint64(seed))
					o, err := g.run(g.variant(seed), nil)
					if errs[seed] = err; err == nil {
						got[seed] = o.trace
					}
				})
			}
			wait.Wait()
			for seed := range jobs {
				if errs[seed] != nil {
					t.Fatal(errs[seed])
				}
				if first[seed] == "" {
					first[seed] = got[seed]
				}
				if got[seed] != first[seed] {
					t.Errorf("seed %d on %d processors: %s, before %s", seed, processors, got[seed], first[seed])
				}
			}
		}
	}
}

// Another seed is another run only where something is drawn: of the jobs here
// nothing is. Another script is another trace.
func TestAnotherScriptIsAnotherTrace(t *testing.T) {
	seen := map[string]int{}
	for seed := range 20 {
		g := generate(uint64(seed))
		o, err := g.run(reference(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := seen[o.trace]; ok {
			t.Errorf("seeds %d and %d have one trace", before, seed)
		}
		seen[o.trace] = seed
	}
}
