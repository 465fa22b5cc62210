package flink_test

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// monkeyJob draws a job with everything that a generated one must not have:
// alignment, idleness, spare readers, watermark operators, unions.
func monkeyJob(d *sim.Stream) string {
	var b strings.Builder
	strategies := []string{
		"strategy: bounded-out-of-orderness, bound: 100ms", "strategy: monotonous", "strategy: punctuated",
		"strategy: scripted", "strategy: none", "strategy: sql, delay: 10ms", "strategy: sql, delay: 0s, emit: on-event",
	}
	fmt.Fprintf(&b, "parallelism: %d\nsources:\n", between(d, 1, 3))
	for _, s := range []string{"src", "left", "right"} {
		w := strategies[d.Below(int64(len(strategies)))]
		if d.Below(2) == 0 {
			w += fmt.Sprintf(", idleness: %dms", between(d, 100, 900))
		}
		if d.Below(2) == 0 {
			w += fmt.Sprintf(", alignment: {group: g%d, max-drift: %dms, update-interval: %dms}", d.Below(2), between(d, 0, 300), between(d, 100, 1000))
		}
		fmt.Fprintf(&b, "  %s: {splits: %d, parallelism: %d, spare-readers: %s, watermark: {%s}}\n",
			s, between(d, 0, 3), between(d, 1, 3), []string{"wait", "finish"}[d.Below(2)], w)
	}
	b.WriteString("operators:\n")
	inputs := []string{"src"}
	switch d.Below(5) {
	case 0:
		b.WriteString("  - name: both\n    inputs: [src, left]\n    connect:\n")
		inputs = []string{"both", "right"}
	case 1:
		b.WriteString("  - name: stamp\n    inputs: [src]\n    assign-timestamps: {strategy: monotonous, idleness: 300ms}\n")
		inputs = []string{"stamp", "left"}
	case 3:
		b.WriteString("  - name: both\n    inputs: [src, left]\n    keyed-broadcast: multiply\n")
		inputs = []string{"both"}
	case 2:
		b.WriteString("  - name: sqlwm\n    inputs: [src]\n    sql-watermark: {delay: 10ms, idleness: 500ms}\n")
		inputs = []string{"sqlwm"}
	}
	for i := range int(between(d, 1, 3)) {
		k := operatorKinds[d.Below(int64(len(operatorKinds)))]
		in := strings.Join(inputs, ", ")
		if k.name == "interval-join" {
			in = "left, right"
		}
		fmt.Fprintf(&b, "  - name: op%d\n    inputs: [%s]\n%s", i, in, k.spec(d)+async(d))
	}
	b.WriteString("sinks:\n  - name: out\n    inputs: [op0]\n")
	if d.Below(3) == 0 {
		fmt.Fprintf(&b, "    exchange: {op0: %s}\n", []string{"forward", "rebalance", "broadcast"}[d.Below(3)])
	}
	fmt.Fprintf(&b, "flinkConfiguration:\n  state.backend.type: %s\n  pipeline.auto-watermark-interval: %dms\n",
		[]string{"hashmap", "copying", "rocksdb", "forst"}[d.Below(4)], []int64{0, 50, 200}[d.Below(3)])
	for _, option := range []string{
		"incremental: true", "interval: 300ms", "min-pause: 500ms", "timeout: 400ms", "max-concurrent-checkpoints: 2",
		"tolerable-failed-checkpoints: 2", "num-retained: 3", "externalized-checkpoint-retention: RETAIN_ON_CANCELLATION",
		"data-inline-threshold: 0", "unaligned.enabled: true", "aligned-checkpoint-timeout: 100ms", "mode: AT_LEAST_ONCE",
	} {
		if d.Below(2) == 0 {
			fmt.Fprintf(&b, "  execution.checkpointing.%s\n", option)
		}
	}
	if d.Below(2) == 0 {
		b.WriteString("  state.backend.forst.sync.enforce-local: false\n  state.backend.forst.cache.size-based-limit: 2kb\n")
	}
	if text := b.String(); strings.Contains(text, "unaligned") && strings.Contains(text, "max-concurrent") && !strings.Contains(text, "AT_LEAST") {
		b.WriteString("  execution.checkpointing.mode: AT_LEAST_ONCE\n")
	}
	if d.Below(2) == 0 {
		b.WriteString("  pipeline.operator-chaining.enabled: true\n")
	}
	if d.Below(2) == 0 {
		b.WriteString("  high-availability.type: zookeeper\n")
	}
	if d.Below(2) == 0 {
		fmt.Fprintf(&b, "  taskmanager.network.memory.buffers-per-channel: %d\n  taskmanager.network.memory.floating-buffers-per-gate: %d\n", d.Below(3), d.Below(3))
	}
	if d.Below(2) == 0 {
		b.WriteString("  heartbeat.timeout: 300ms\n  heartbeat.interval: 100ms\n  taskmanager.numberOfTaskSlots: 2\n")
	}
	if d.Below(4) > 0 {
		b.WriteString("  restart-strategy.type: fixed-delay\n  restart-strategy.fixed-delay.attempts: 50\n  restart-strategy.fixed-delay.delay: 100ms\n")
	}
	return b.String()
}

// monkeyLine draws a command, sensible or not.
func monkeyLine(d *sim.Stream) string {
	source := []string{"src", "left", "right"}[d.Below(3)]
	split := fmt.Sprintf("%s/%d", source, d.Below(4))
	to := split
	if d.Below(8) == 0 {
		to = source
	}
	op := []string{"op0", "op1", "out", "both", "stamp", "sqlwm"}[d.Below(6)]
	points := sim.FaultPoints()
	switch d.Below(36) {
	case 0, 1, 2, 3, 4, 5:
		ts := fmt.Sprint(between(d, -500, 3000))
		if d.Below(20) == 0 {
			ts = []string{"none", "MAX", "9223372036854775300", "-9223372036854775300", "9000000000000000000", "-9000000000000000000"}[d.Below(6)]
		}
		return fmt.Sprintf("produce %s %s k%d %d gap=%dms", to, ts, d.Below(5), d.Below(9), between(d, 1, 300)) +
			[]string{"", " mark", " expr=none", " op=-D", " event=77"}[d.Below(5)]
	case 6, 7, 8, 9:
		return fmt.Sprintf("advance %dms", d.Below(700))
	case 10:
		if d.Below(20) == 0 {
			return fmt.Sprintf("watermark %s %s", to, []string{"MIN", "MAX", "-9223372036854775300"}[d.Below(3)])
		}
		return fmt.Sprintf("watermark %s %d", to, between(d, -500, 3000))
	case 11:
		return []string{"idle ", "active "}[d.Below(2)] + to
	case 12:
		return []string{"pause ", "resume "}[d.Below(2)] + split
	case 13:
		return fmt.Sprintf("slow %s %s", split, []string{"off", "150ms"}[d.Below(2)])
	case 14:
		return []string{"split add ", "split remove "}[d.Below(2)] + split
	case 15, 16:
		return fmt.Sprintf("backpressure %s %s", op, []string{"on", "off"}[d.Below(2)])
	case 17, 18:
		return "checkpoint"
	case 19:
		return "crash " + []string{source, op}[d.Below(2)]
	case 20:
		return fmt.Sprintf("rescale %d", between(d, 1, 4))
	case 21:
		return []string{"restore", "restore none", "restore chk-1", "restore sp1", "restore chk-2", "restore sp2"}[d.Below(6)] +
			[]string{"", " claim", " noclaim", " legacy", " --allow-non-restored-state", " claim --allow-non-restored-state"}[d.Below(6)]
	case 22:
		p := points[d.Below(int64(len(points)))]
		return fmt.Sprintf("fault %s nth=%d with=%s for=1s", p.Name, between(d, 1, 5), p.Kinds[d.Below(int64(len(p.Kinds)))])
	case 23:
		if d.Below(4) == 0 {
			return "end " + source
		}
		return "advance 100ms"
	case 24:
		if d.Below(4) == 0 {
			return []string{"stop", "stop --drain"}[d.Below(2)]
		}
		return "advance 100ms"
	case 25:
		return []string{"savepoint", "savepoint native", "savepoint canonical", "checkpoint full"}[d.Below(4)]
	case 26:
		return []string{"compact ", "decline "}[d.Below(2)] + op
	case 27:
		prefix := []string{"", " checkpoints/", " checkpoints/job1/shared/", " checkpoints/job1/chk-"}[d.Below(4)]
		return []string{"deny ", "allow "}[d.Below(2)] + []string{"put", "get", "list", "delete", "*"}[d.Below(5)] + prefix
	case 28:
		return "delete " + []string{"shared/", "shared/f1@1", "chk-1/", "checkpoints/", "chk-2/_metadata"}[d.Below(5)]
	case 29:
		return "lifecycle checkpoints/ " + []string{"off", "1s", "400ms"}[d.Below(3)]
	case 30:
		return "slow " + []string{"put", "get", "delete"}[d.Below(3)] + " " + []string{"off", "90ms", "1s"}[d.Below(3)]
	case 32:
		return []string{"crash jobmanager", "crash taskmanager-1", "crash taskmanager-2", "crash jobmanager at checkpoint.notify", "crash op0 at task.barrier", "crash taskmanager-1 at metadata.write"}[d.Below(6)]
	case 33:
		return fmt.Sprintf("freeze taskmanager-%d %dms", between(d, 1, 3), between(d, 50, 900))
	case 34:
		return []string{"lose ack " + op, "lose notice " + op, "delay ack " + op + " 90ms", "delay notice " + op + " 90ms"}[d.Below(4)]
	case 35:
		return fmt.Sprintf("slow %s %s", op, []string{"off", "40ms"}[d.Below(2)])
	case 31:
		if d.Below(4) == 0 {
			return "cancel"
		}
		return "checkpoint"
	}
	return "run"
}

// Whatever is typed, the world carries it out or refuses it with a problem:
// nothing panics, no run is endless, every step has causes before it, and doing
// the same again gives the same trace.
func TestMonkey(t *testing.T) {
	for seed := range uint64(seeds * 5 / 4) {
		first, err := monkey(seed, 60)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again, _ := monkey(seed, 60); again != first {
			t.Fatalf("seed %d gives two traces", seed)
		}
	}
}

func monkey(seed uint64, lines int) (trace string, err error) {
	d := sim.NewStream(seed, "monkey", "commands")
	job := monkeyJob(sim.NewStream(seed, "monkey", "job"))
	typed := []string{"job job.yaml"}
	var w *world.World
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
		if err != nil {
			var end []string
			if w != nil {
				steps := w.Trace().Steps()
				for _, s := range steps[max(len(steps)-12, 0):] {
					end = append(end, fmt.Sprintf("%d %d %s %s %+v", s.Seq, s.T, s.At, s.Type(), s.Body))
				}
			}
			err = fmt.Errorf("%w\n%s\n%s\n%s", err, job, strings.Join(typed, "\n"), strings.Join(end, "\n"))
		}
	}()
	defer func() { w.Close() }()
	w = world.New(world.Config{
		Files: map[string][]byte{"job.yaml": []byte(job)}, Seed: seed,
		Alter: func(s *flink.Spec) { s.FinalCheckpoint = seed%2 == 0 },
	})
	checked := 0
	for n := range lines + 1 {
		text := typed[0]
		if n > 0 {
			text = monkeyLine(d)
			typed = append(typed, text)
		}
		l, perr := script.ParseLine("monkey", n, text, script.Times{})
		if perr != nil {
			return "", perr
		}
		stop := d.Below(6) == 0
		if stop {
			w.StopAt(w.Trace().Len() + int(d.Below(6)))
		}
		var p *sim.Problem
		if err := l.Command.(script.WorldCommand).Apply(w, world.Command(l.Text), script.Times{}); err != nil && !errors.As(err, &p) {
			return "", fmt.Errorf("%s: %w", text, err)
		}
		// A continuous trigger at the end of time runs around it, as Flink's does:
		// its next tick is an overflow. That is met by the bound of steps.
		around := strings.Contains(job, "trigger: continuous") && strings.Contains(strings.Join(typed, " "), "9223372036854775300")
		if p != nil && p.ID == "world.bound" && p.Args["Bound"] != "time" && p.Args["Bound"] != "windows" && !around {
			return "", fmt.Errorf("%s: %w", text, p)
		}
		w.StopAt(0)
		for _, s := range w.Trace().Steps()[checked:] {
			if len(s.CauseSeqs()) == 0 && s.Type() != "command.given" {
				return "", fmt.Errorf("%s: step %d (%s) has no cause", text, s.Seq, s.Type())
			}
			for _, c := range s.CauseSeqs() {
				if c >= s.Seq {
					return "", fmt.Errorf("%s: step %d has the cause %d", text, s.Seq, c)
				}
			}
		}
		checked = w.Trace().Len()
		w.Dump()
	}
	return w.Trace().Hash(), nil
}
