package verdict_test

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/fold"
	"streaminglab/sim/script"
	"streaminglab/sim/verdict"
	"streaminglab/sim/world"
)

// schedules is how many are drawn: LAB_SCHEDULES, which `make test-long` sets,
// or 10,000.
var schedules = func() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("LAB_SCHEDULES"), 10, 32); err == nil && n > 0 {
		return n
	}
	return 10_000
}()

// A schedule is a small job and what is done to it: verbs and faults in any
// order, and an end that heals everything.
type schedule struct {
	seed uint64
	// atLeastOnce and ha are what its job says.
	atLeastOnce, ha bool
	// regions: there is a second stream that nothing connects with the first.
	regions bool
	// alone counts the restarts of one region.
	alone int
	job   string
	lines []string
	// partitions are those of the topic that a sink writes to, 0: none does; heals
	// end what holds its broker back.
	partitions int
	heals      []string
}

// healing ends what still holds the job back; then it has time for its restarts,
// heartbeats and timeouts, and takes a checkpoint that nothing spoils. What is
// refused because the job restarts just then is asked for again.
var healing = func() (out []string) {
	for _, wait := range []string{"130s", "70s", "10s"} {
		out = append(out,
			"advance "+wait, "backpressure totals off", "backpressure plain off", "slow totals off", "slow plain off", "slow clicks off", "slow put off",
			"resume clicks", "resume clicks[0]", "resume clicks[1]", "resume totals[0]", "resume totals[1]",
		)
	}
	return append(out, "advance 70s")
}()

func drawSchedule(seed uint64) *schedule {
	d := sim.NewStream(seed, "verdict", "schedule")
	below := func(n int) int { return int(d.Below(int64(n))) }
	pick := func(words ...string) string { return words[below(len(words))] }
	s := &schedule{seed: seed, atLeastOnce: below(4) == 0, ha: below(2) == 0}
	parallelism := 1 + below(2)
	readers := 1 + below(2)
	var b strings.Builder
	fmt.Fprintf(&b, "sources:\n  clicks: {splits: 2, parallelism: %d, watermark: {strategy: none}}\n", readers)
	if s.regions = below(3) == 0; s.regions {
		// As many readers as subtasks: each pair is a region of its own.
		fmt.Fprintf(&b, "  orders: {splits: 2, parallelism: %d, watermark: {strategy: none}}\n", 1+below(2))
	}
	b.WriteString("operators:\n  - name: totals\n    inputs: [clicks]\n    process: count\n")
	b.WriteString("sinks:\n  - name: plain\n    inputs: [totals]\n  - name: table\n    inputs: [totals]\n    kind: upsert\n  - name: committed\n    inputs: [totals]\n    kind: two-phase\n")
	if s.regions {
		b.WriteString("  - name: raw\n    inputs: [orders]\n    kind: two-phase\n")
		if below(4) == 0 {
			b.WriteString("    exchange: {orders: rebalance}\n")
		}
	}
	fmt.Fprintf(&b, "flinkConfiguration:\n  parallelism.default: %d\n", parallelism)
	option := func(text string) { b.WriteString("  " + text + "\n") }
	if below(20) > 0 {
		// Nothing here looks at event time.
		option("pipeline.auto-watermark-interval: 0ms")
	}
	option("restart-strategy.type: fixed-delay")
	option("restart-strategy.fixed-delay.attempts: 1000000")
	option("restart-strategy.fixed-delay.delay: " + pick("0s", "1s"))
	option("execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION")
	option("execution.checkpointing.timeout: " + pick("10s", "1m"))
	option("heartbeat.timeout: " + pick("5s", "50s"))
	switch {
	case s.atLeastOnce:
		option("execution.checkpointing.mode: AT_LEAST_ONCE")
	case below(2) == 0:
		option("execution.checkpointing.unaligned.enabled: true")
		option("execution.checkpointing.aligned-checkpoint-timeout: " + pick("0s", "0s", "2s"))
	}
	if s.ha {
		option("high-availability.type: kubernetes")
	}
	if below(2) == 0 {
		option("execution.checkpointing.tolerable-failed-checkpoints: " + pick("1", "3", "100"))
	}
	if below(6) == 0 {
		option("execution.checkpointing.interval: " + pick("10s", "40s"))
		option("execution.checkpointing.min-pause: " + pick("0s", "5s"))
	}
	if below(3) == 0 {
		option("pipeline.operator-chaining.enabled: true")
	}
	if below(3) == 0 {
		option("taskmanager.network.memory.buffers-per-channel: " + pick("1", "2"))
		option("taskmanager.network.memory.floating-buffers-per-gate: " + pick("0", "1"))
	}
	if below(2) == 0 {
		option("execution.checkpointing.data-inline-threshold: 0")
	}
	if below(3) == 0 {
		option("execution.checkpointing.local-backup.enabled: true")
		option("execution.state-recovery.from-local: true")
	}
	if below(20) == 0 {
		option("state.backend.type: rocksdb")
		option("execution.checkpointing.incremental: true")
	}
	if below(4) == 0 {
		option("taskmanager.numberOfTaskSlots: 2")
	}
	s.job = b.String()
	subtask := func() string {
		if s.regions && below(2) == 0 {
			return pick("orders", "raw") + "[0]"
		}
		return pick("clicks", "totals", "plain", "committed") + fmt.Sprintf("[%d]", below(min(parallelism, readers)))
	}
	process := func() string {
		if below(3) == 0 {
			return pick("taskmanager-1", "jobmanager")
		}
		return subtask()
	}
	var points []string
	for _, p := range sim.FaultPoints() {
		if p.Name != sim.PointTimestamp {
			points = append(points, p.Name)
		}
	}
	for n := range 8 + below(14) {
		switch x := below(100); {
		case x < 42 || n == 0:
			source := "clicks"
			if s.regions {
				source = pick("clicks", "orders")
			}
			s.lines = append(s.lines, fmt.Sprintf("produce %s/%d %d %s 1", source, below(2), n, pick("a", "b", "c", "d")))
		case x < 58:
			s.lines = append(s.lines, "checkpoint")
		case x < 68:
			s.lines = append(s.lines, "advance "+pick("100ms", "1s", "4s", "20s"))
		case x < 74:
			s.lines = append(s.lines, "crash "+process())
		case x < 86:
			p, _ := sim.FindFaultPoint(points[below(len(points))])
			kind := p.Kinds[below(len(p.Kinds))]
			if kind == sim.FaultCrash && below(2) == 0 {
				s.lines = append(s.lines, fmt.Sprintf("crash %s at %s", process(), p.Name))
				break
			}
			line := fmt.Sprintf("fault %s with=%s nth=%d", p.Name, kind, 1+below(2))
			if kind == sim.FaultDelay {
				line += " for=" + pick("500ms", "3s", "30s")
			}
			s.lines = append(s.lines, line)
		case x < 88:
			s.lines = append(s.lines, "freeze taskmanager-1 "+pick("1s", "8s", "2m"))
		case x < 91:
			s.lines = append(s.lines, pick("lose ack ", "lose notice ")+subtask())
		case x < 93:
			s.lines = append(s.lines, pick("slow totals 700ms", "slow plain 2s", "slow put 2s", "slow clicks 1s"))
		case x < 95:
			s.lines = append(s.lines, "backpressure "+pick("totals on", "plain on", "totals off"))
		case x < 97:
			s.lines = append(s.lines, fmt.Sprintf("rescale %d", 1+below(3)))
		case x < 98:
			s.lines = append(s.lines, "savepoint "+pick("canonical", "native"))
		default:
			s.lines = append(s.lines, "restore")
		}
	}
	return s
}

// String is the schedule as files that lab run accepts.
func (s *schedule) String() string {
	return fmt.Sprintf("seed %d\n-- job.yaml --\n%s-- script.txt --\njob job.yaml\n%s\n", s.seed, s.job, strings.Join(slices.Concat(s.lines, s.heals, healing, []string{"checkpoint", "advance 70s"}), "\n"))
}

// play runs a schedule and says which invariant does not hold.
func (s *schedule) play(lines []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	w := world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(s.job)}, Seed: s.seed})
	defer w.Close()
	do := func(text string) error {
		l, perr := script.ParseLine("script.txt", 1, text, script.Times{})
		if perr != nil {
			return perr
		}
		// A refused command is one that does not fit the moment.
		var refused *sim.Problem
		if err := l.Command.(script.WorldCommand).Apply(w, world.Command(text), script.Times{}); err != nil && (!errors.As(err, &refused) || refused.ID == "world.bound") {
			return fmt.Errorf("%s: %w", text, err)
		}
		return nil
	}
	produced := map[string]int{}
	for _, text := range slices.Concat([]string{"job job.yaml"}, lines, s.heals, healing) {
		if err := do(text); err != nil {
			return err
		}
		if strings.HasPrefix(text, "produce") {
			source, _, _ := strings.Cut(strings.Fields(text)[1], "/")
			produced[source]++
		}
	}
	// Armed faults may spoil the last checkpoint, too; each of them happens once.
	for range len(lines) + 1 {
		before := w.Trace().Len()
		if err := do("checkpoint"); err != nil {
			return err
		}
		if err := do("advance 70s"); err != nil {
			return err
		}
		since := w.Trace().Steps()[before:]
		if slices.ContainsFunc(since, completed) && !slices.ContainsFunc(since, troubled) {
			break
		}
	}
	if s.partitions > 0 {
		// What a start from another snapshot left open ends with its timeout.
		if err := do("advance 16m"); err != nil {
			return err
		}
	}
	if w.Job().Status != flink.Running {
		return fmt.Errorf("the job is %s after everything was healed", w.Job().Status)
	}
	return s.holds(w, produced)
}

func completed(x *sim.Step) bool {
	_, ok := x.Body.(sim.CheckpointCompleted)
	return ok
}

func troubled(x *sim.Step) bool {
	switch x.Body.(type) {
	case sim.TaskFailed, sim.FaultInjected, sim.JobManagerLost, sim.CheckpointAborted, sim.TaskManagerLost:
		return true
	}
	return false
}

// holds checks the invariants of a run that was healed.
func (s *schedule) holds(w *world.World, produced map[string]int) error {
	if err := offsets(w.Trace()); err != nil {
		return err
	}
	if err := restores(w.Trace()); err != nil {
		return err
	}
	// Without high availability a lost JobManager loses its list of checkpoints:
	// the job begins anew, and shows again what it had shown.
	anew := false
	committed, gone := map[string]int{}, map[int64]bool{}
	for _, x := range w.Trace().Steps() {
		switch b := x.Body.(type) {
		case sim.JobStarted:
			s.alone += min(len(b.Subtasks), 1)
		case sim.JobManagerLost:
			anew = anew || !s.ha
		case sim.TransactionCommitted:
			sink, _, _ := strings.Cut(x.At, "[")
			committed[sink] += b.Results
		case sim.TransactionCommitFailed:
			// An attempt that came from another snapshot had thrown it away: told, and
			// lost, each time that the snapshot is restored.
			if sink, _, _ := strings.Cut(x.At, "["); !gone[b.ID] {
				gone[b.ID] = true
				committed[sink] += b.Results
			}
		}
	}
	held, doubled := 0, 0
	for _, v := range verdict.Of(w.Trace()) {
		if v.Rule == "" || v.Step < 1 || v.Step > w.Trace().Len() {
			return fmt.Errorf("a verdict that nothing explains: %+v", v)
		}
		switch {
		case v.Kind == verdict.Lost:
			return fmt.Errorf("records are lost without a cause: %+v", v)
		case v.Kind == verdict.DoubledInState && !s.atLeastOnce:
			return fmt.Errorf("records are doubled in the state: %+v", v)
		case v.Kind == verdict.DoubledInState && v.Operator == "totals" && v.Certainty == verdict.Yes:
			doubled += v.Count
		case v.Kind == verdict.Unrestorable:
			return fmt.Errorf("nobody deleted anything: %+v", v)
		}
	}
	for _, row := range w.Dump() {
		if row.Operator == "totals" && row.State == "count" {
			n, _ := strconv.Atoi(row.Value)
			held += n
		}
	}
	if held != produced["clicks"]+doubled {
		return fmt.Errorf("%d records, doubled by verdict %d, and the state counts %d", produced["clicks"], doubled, held)
	}
	if err := s.topicHolds(w, produced["clicks"], !anew && !s.atLeastOnce); err != nil {
		return err
	}
	for sink, source := range map[string]string{"committed": "clicks", "raw": "orders"} {
		in, out := produced[source], committed[sink]
		// One channel aligns nothing: behind the second stream is exactly once in
		// any mode.
		exact := !anew && (!s.atLeastOnce || sink == "raw")
		if out < in || exact && out != in {
			return fmt.Errorf("%d records of %s and %d committed results of %s", in, source, out, sink)
		}
	}
	return nil
}

// offsets : a reader begins where its attempt says, and never skips one.
func offsets(t *sim.Trace) error {
	next := map[string]int64{}
	for _, x := range t.Steps() {
		switch b := x.Body.(type) {
		case sim.JobStarted:
			if len(b.Subtasks) == 0 {
				next = map[string]int64{}
			}
			for _, sp := range b.Splits {
				next[sp.Split] = sp.Offset
			}
		case sim.RecordRead:
			split := b.Record.Source + "/" + b.Record.Split
			if b.Record.Offset != next[split] {
				return fmt.Errorf("step %d reads offset %d of %s after %d", x.Seq, b.Record.Offset, split, next[split]-1)
			}
			next[split]++
		}
	}
	return nil
}

// restores : nobody touched a file, so that every snapshot can be read.
func restores(t *sim.Trace) error {
	for _, x := range t.Steps() {
		var e sim.Exception
		switch b := x.Body.(type) {
		case sim.TaskFailed:
			e = b.Exception
		case sim.JobFailed:
			e = b.Exception
		}
		if strings.Contains(e.Class, "FileNotFound") || strings.Contains(e.Class, "StateMigration") || strings.Contains(e.Class, "BackendBuilding") || strings.Contains(e.Class, "FlinkException") {
			return fmt.Errorf("step %d cannot restore: %s: %s", x.Seq, e.Class, e.Message)
		}
	}
	return nil
}

// shorten leaves out lines as long as the schedule still fails.
func (s *schedule) shorten() *schedule {
	lines := s.lines
	for size := len(lines) / 2; size > 0; {
		shorter := false
		for at := 0; at+size <= len(lines); {
			less := slices.Concat(lines[:at], lines[at+size:])
			if s.play(less) != nil {
				lines, shorter = less, true
			} else {
				at += size
			}
		}
		if !shorter || size > len(lines) {
			size /= 2
		}
	}
	out := *s
	out.lines = lines
	return &out
}

// alone is a region that comes back while others go on.
const alone = "restart of a region"

// Whatever is done to a job in whatever order: nothing panics, nothing is lost
// or doubled that the mode does not allow, every verdict has a cause, and once
// everything is healed state and committed results are those of the records.
func TestSchedules(t *testing.T) {
	seen := map[string]int{}
	for seed := range schedules {
		s := drawSchedule(seed)
		if err := s.play(s.lines); err != nil {
			short := s.shorten()
			t.Fatalf("%v\n%s", short.play(short.lines), short)
		}
		for _, l := range s.lines {
			seen[strings.Fields(l)[0]]++
		}
		seen[alone] += s.alone
	}
	t.Log(seen)
	for _, verb := range []string{"crash", "fault", "freeze", "lose", "slow", "backpressure", "rescale", "restore", "savepoint", alone} {
		if seen[verb] == 0 && schedules > 1000 {
			t.Errorf("no schedule has %s", verb)
		}
	}
}

var _ fold.Judge = (*verdict.Fold)(nil)
