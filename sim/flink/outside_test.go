package flink_test

import (
	"slices"
	"strings"
	"testing"
)

// tumblingJob is one tumbling window over one source, with its records typed
// by the test.
func tumblingJob(splits int, operator string, lines ...string) *generated {
	return &generated{
		seed: 1, kinds: []string{"window tumbling reduce"}, sources: []string{"src"}, splits: splits, bound: 0,
		ops:   "  - name: op0\n    inputs: [src]\n    " + operator + "\n",
		sinks: "  - name: sink0\n    inputs: [op0]\n",
		lines: lines,
	}
}

func must(t *testing.T, g *generated, v *variant) *outcome {
	t.Helper()
	// A late record is what these tests are about.
	o, err := g.runLate(v)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// only returns what a has and b does not.
func only(a, b []string) (out []string) {
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// With somebody late the runs need not agree, and the rule says how: the
// watermark is not state (EV-8.3), so behind a restore a record is accepted
// that would have been dropped, and its window gives one more result that holds
// it alone (T23).
func TestOutsideTheWatermarkIsNoState(t *testing.T) {
	lines := []string{
		"produce src/0 1000 a 1", "produce src/0 12001 b 10", "advance 1s",
		"produce src/0 5000 a 7", "produce src/0 20000 b 1", "advance 1s",
	}
	window := "window: {assign: tumbling 10s, reduce: sum}"
	crash := reference()
	crash.extra = map[int][]string{3: {"checkpoint", "crash op0"}}
	calm := must(t, tumblingJob(1, window, lines...), reference())
	crashed := must(t, tumblingJob(1, window, lines...), crash)
	if got := only(calm.committed, crashed.committed); len(got) > 0 {
		t.Errorf("the crash lost %v", got)
	}
	want := []string{"sink0 a [0,10000) 7  [] 0 false"}
	if got := only(crashed.committed, calm.committed); !slices.Equal(got, want) {
		t.Errorf("the crash added %q, the rule predicts %q", got, want)
	}
	if d := firstDifference(calm.dump, crashed.dump); d != "" {
		t.Errorf("state differs: %s", d)
	}

	// A SQL window keeps its watermark (EV-8.4): the same crash changes nothing.
	sql := "sql-window: {assign: tumble 10s}"
	calm = must(t, tumblingJob(1, sql, lines...), reference())
	crashed = must(t, tumblingJob(1, sql, lines...), crash)
	if d := calm.differs(crashed); d != "" {
		t.Errorf("SQL: %s", d)
	}
}

// With more readers than splits the runs need not agree: a reader without a
// split never emits a watermark and holds all others (EV-1.7). No window fires,
// and every one is still in state.
func TestOutsideAReaderWithoutSplits(t *testing.T) {
	lines := []string{"produce src/0 1000 a 1", "produce src/0 25000 b 10", "advance 1s"}
	window := "window: {assign: tumbling 10s, reduce: sum}"
	spare := reference()
	spare.readers = 2
	calm := must(t, tumblingJob(1, window, lines...), reference())
	held := must(t, tumblingJob(1, window, lines...), spare)
	if len(calm.committed) != 1 || len(held.committed) != 0 {
		t.Errorf("committed %q, and %q with a spare reader", calm.committed, held.committed)
	}
	open := only(held.dump, calm.dump)
	contents, timers := 0, 0
	for _, row := range open {
		switch {
		case strings.Contains(row, "window-contents"):
			contents++
		case strings.Contains(row, "timer:"):
			timers++
		}
	}
	if contents != 1 || timers != 1 || len(open) != 2 || len(only(calm.dump, held.dump)) != 0 {
		t.Errorf("the rule predicts one window more with its timer: %q", open)
	}
}
