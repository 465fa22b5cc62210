package verdict_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/verdict"
	"streaminglab/sim/world"
)

// randomJob has two readers, a window behind one stream and a count behind the
// same, and options that change how its checkpoints are taken.
func randomJob(r *rand.Rand, mode string) string {
	var options string
	if mode == "EXACTLY_ONCE" && r.IntN(2) == 0 {
		options += "\n  execution.checkpointing.unaligned.enabled: true"
	}
	if r.IntN(2) == 0 {
		options += "\n  state.backend.type: rocksdb\n  execution.checkpointing.incremental: true"
	}
	return fmt.Sprintf(`sources:
  clicks: {splits: 3, parallelism: 2, watermark: {strategy: scripted}}
operators:
  - name: totals
    inputs: [clicks]
    process: count
  - name: sums
    inputs: [clicks]
    window: {assign: tumbling 10s, reduce: sum}
sinks:
  - name: out
    inputs: [totals, sums]
flinkConfiguration:
  parallelism.default: %d
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 1000
  restart-strategy.fixed-delay.delay: 1s
  execution.checkpointing.tolerable-failed-checkpoints: 1000
  execution.checkpointing.mode: %s%s
`, 1+r.IntN(3), mode, options)
}

func randomCommand(r *rand.Rand, n int) string {
	key := string(rune('a' + r.IntN(5)))
	split := "clicks/" + strconv.Itoa(r.IntN(3))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	switch x := r.IntN(100); {
	case x < 45:
		return fmt.Sprintf("produce %s %d %s 1", split, n*150+r.IntN(3000), key)
	case x < 52:
		return fmt.Sprintf("watermark %s %d", split, n*150)
	case x < 62:
		return "checkpoint"
	case x < 66:
		return "crash " + pick("totals", "sums", "out")
	case x < 70:
		return "crash " + pick("totals", "sums") + " at " + pick("task.record", "task.snapshot", "file.uploaded", "task.emit")
	case x < 74:
		return "fault checkpoint.trigger at=clicks[" + strconv.Itoa(r.IntN(2)) + "] for=" + pick("1s", "3s")
	case x < 77:
		return "fault task.snapshot at=" + pick("totals", "sums") + " with=delay for=2s"
	case x < 80:
		return "fault checkpoint.notify with=" + pick("lose", "double", "crash")
	case x < 82:
		return "rescale " + strconv.Itoa(1+r.IntN(3))
	case x < 84:
		return "restore"
	case x < 85:
		return "savepoint"
	case x < 86:
		return "restore none"
	}
	return "advance " + pick("500ms", "1s", "3s")
}

// run carries random commands out, those that the world refuses left out.
func run(t *testing.T, seed uint64, mode string) *world.World {
	r := rand.New(rand.NewPCG(seed, 2))
	w := world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(randomJob(r, mode))}, Seed: seed})
	if err := w.Start("job job.yaml", "job.yaml"); err != nil {
		t.Fatal(err)
	}
	following := verdict.New()
	for n := range 80 {
		text := randomCommand(r, n)
		do(t, w, text)
		following.Update(w.Trace())
	}
	// Armed faults may still bring the job down.
	for range 8 {
		do(t, w, "advance 20s")
	}
	if a, b := told(w.Trace(), following.Verdicts(w.Trace())), told(w.Trace(), verdict.Of(w.Trace())); a != b {
		t.Fatalf("seed %d: a fold that followed says\n%s\none that sees it whole\n%s", seed, a, b)
	}
	return w
}

func do(t *testing.T, w *world.World, text string) {
	lines, err := script.Parse("random", text, script.Times{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	err = lines[0].Command.(script.WorldCommand).Apply(w, world.Command(text), script.Times{})
	// A refused command is one that does not fit the moment.
	var refused *sim.Problem
	if err != nil && !errors.As(err, &refused) {
		t.Fatalf("%s: %v", text, err)
	}
}

// counted adds up what the counts of the job say.
func counted(w *world.World) (n int) {
	for _, row := range w.Dump() {
		if row.Operator == "totals" && row.State == "count" {
			v, _ := strconv.Atoi(row.Value)
			n += v
		}
	}
	return n
}

func totals(w *world.World) (op verdict.Operator, read int) {
	all := verdict.TotalsOf(w.Trace())
	for _, s := range all.Splits {
		read += s.Read
	}
	i := slices.IndexFunc(all.Operators, func(o verdict.Operator) bool { return o.UID == "totals" })
	if i < 0 {
		return verdict.Operator{}, read
	}
	return all.Operators[i], read
}

// Without AT_LEAST_ONCE, without state that is left behind, and with sources
// that can be read again, nothing is lost and nothing is counted twice, whatever
// fails when.
func TestExactlyOnceLosesAndDoublesNothing(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(40) {
		w := run(t, seed, "EXACTLY_ONCE")
		for _, v := range verdict.Of(w.Trace()) {
			kinds[v.Kind+" "+v.Certainty]++
			if v.Kind == verdict.Lost || v.Kind == verdict.DoubledInState {
				t.Errorf("seed %d: %s", seed, told(w.Trace(), verdict.Of(w.Trace())))
				break
			}
		}
		if op, read := totals(w); op.Held != read || counted(w) != read {
			t.Errorf("seed %d: %d records were read, the fold says that the state holds %d, the state counts %d", seed, read, op.Held, counted(w))
		}
	}
	for _, k := range []string{"replayed yes", "doubled-in-output yes"} {
		if kinds[k] == 0 {
			t.Errorf("no run has the verdict %s: %v", k, kinds)
		}
	}
}

// With AT_LEAST_ONCE the verdicts say exactly how much more the state counts
// than there was.
func TestAtLeastOnceCountsWhatTheVerdictsSay(t *testing.T) {
	doubled := 0
	for seed := range uint64(40) {
		w := run(t, seed, "AT_LEAST_ONCE")
		op, read := totals(w)
		if op.Held != read || op.Lost != 0 || counted(w) != op.Held+op.Doubled {
			t.Errorf("seed %d: %d records were read, the fold says %+v, the state counts %d\n%s", seed, read, op, counted(w), told(w.Trace(), verdict.Of(w.Trace())))
		}
		for _, v := range verdict.Of(w.Trace()) {
			if v.Kind == verdict.DoubledInState && v.Operator == "totals" && v.Certainty == verdict.Yes {
				doubled++
				if !strings.HasPrefix(v.Rule, "CP-4.2") {
					t.Errorf("seed %d: %+v", seed, v)
				}
			}
		}
	}
	if doubled == 0 {
		t.Error("no run counts a record twice: the test proves nothing")
	}
}
