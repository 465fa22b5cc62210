package flink_test

import (
	"fmt"
	"slices"
	"strings"

	"streaminglab/sim"
)

// An operatorKind is a way of keeping state that a generated job may have.
type operatorKind struct {
	name string
	// ordered says that the result depends on the order of the records of a
	// key: they must come from one split.
	ordered bool
	// spec draws the operator's lines of the job file.
	spec func(d *sim.Stream) string
}

func between(d *sim.Stream, low, high int64) int64 { return low + d.Below(high-low+1) }

// async says of half of the operators that they use the asynchronous API: ForSt
// then keeps their timers on the heap.
func async(d *sim.Stream) string {
	if d.Below(2) == 0 {
		return ""
	}
	return "    async: true\n"
}

func lateness(d *sim.Stream) string {
	if d.Below(2) == 0 {
		return ""
	}
	return fmt.Sprintf("    lateness: %dms\n", between(d, 1, 800))
}

func tumbling(d *sim.Stream, function string) string {
	return fmt.Sprintf("    window: {assign: tumbling %dms, %s}\n", between(d, 100, 1500), function)
}

const (
	sum  = "reduce: sum"
	list = "process: list"
)

// operatorKinds are all that may stand alone.
var operatorKinds = []operatorKind{
	{"window tumbling reduce", false, func(d *sim.Stream) string {
		return tumbling(d, sum) + fmt.Sprintf("    offset: %dms\n", between(d, -90, 90)) + lateness(d)
	}},
	{"window tumbling process", true, func(d *sim.Stream) string { return tumbling(d, list) + lateness(d) }},
	{"window sliding", false, func(d *sim.Stream) string {
		return fmt.Sprintf("    window: {assign: sliding %dms %dms, %s}\n", between(d, 300, 1500), between(d, 100, 500), sum) + lateness(d)
	}},
	{"window session", false, func(d *sim.Stream) string {
		return fmt.Sprintf("    window: {assign: session %dms, %s}\n", between(d, 50, 600), sum) + lateness(d)
	}},
	{"window session dynamic", true, func(d *sim.Stream) string {
		return fmt.Sprintf("    window: {assign: session dynamic, %s}\n", list)
	}},
	{"evictor", true, func(d *sim.Stream) string {
		evictor := []string{"count 2", "time 200ms", "delta 9", "count 1 after"}[d.Below(4)]
		return tumbling(d, list) + "    evictor: " + evictor + "\n"
	}},
	{"trigger count", true, func(d *sim.Stream) string {
		return tumbling(d, sum) + fmt.Sprintf("    trigger: count %d\n", between(d, 1, 4))
	}},
	{"trigger continuous", true, func(d *sim.Stream) string {
		return tumbling(d, sum) + fmt.Sprintf("    trigger: continuous %dms\n", between(d, 50, 400))
	}},
	{"trigger purging", false, func(d *sim.Stream) string { return tumbling(d, sum) + "    trigger: purging\n" + lateness(d) }},
	{"trigger purging count", true, func(d *sim.Stream) string {
		return tumbling(d, list) + fmt.Sprintf("    trigger: purging count %d\n", between(d, 1, 3))
	}},
	{"sql-window tumble", false, func(d *sim.Stream) string {
		return fmt.Sprintf("    sql-window: {assign: tumble %dms}\n", between(d, 100, 1500))
	}},
	{"sql-window hop", false, func(d *sim.Stream) string {
		slide := between(d, 100, 400)
		return fmt.Sprintf("    sql-window: {assign: hop %dms %dms}\n", slide*between(d, 1, 4), slide)
	}},
	{"sql-window cumulate", false, func(d *sim.Stream) string {
		step := between(d, 100, 400)
		return fmt.Sprintf("    sql-window: {assign: cumulate %dms %dms}\n", step*between(d, 1, 4), step)
	}},
	{"sql-window session", false, func(d *sim.Stream) string {
		return fmt.Sprintf("    sql-window: {assign: session %dms}\n", between(d, 50, 600))
	}},
	{"interval-join", true, func(d *sim.Stream) string {
		low := between(d, -900, 100)
		return fmt.Sprintf("    interval-join: {lower: %dms, upper: %dms}\n", low, low+between(d, 300, 1200))
	}},
	{"process count", false, func(d *sim.Stream) string { return "    process: count\n" }},
	{"process sum", true, func(d *sim.Stream) string { return "    process: sum\n" }},
	{"process average", true, func(d *sim.Stream) string { return "    process: average\n" }},
	{"process collect", true, func(d *sim.Stream) string { return "    process: collect\n" }},
	{"process distinct", true, func(d *sim.Stream) string { return "    process: distinct\n" }},
	{"process count-on-timer", false, func(d *sim.Stream) string {
		return fmt.Sprintf("    process: count-on-timer %dms\n", between(d, 0, 700))
	}},
}

// preludes are the operators that keep no state themselves and change what
// comes to the one behind them: which time it is there, and from how many
// inputs. They have sources of their own.
var preludes = []operatorKind{
	{"connect", false, func(*sim.Stream) string { return "    connect:\n" }},
	{"assign-timestamps", false, func(d *sim.Stream) string {
		return fmt.Sprintf("    assign-timestamps: {strategy: bounded-out-of-orderness, bound: %dms}\n", preludeBound+d.Below(300))
	}},
	{"sql-watermark", false, func(d *sim.Stream) string {
		return fmt.Sprintf("    sql-watermark: {delay: %dms}\n", preludeBound+d.Below(300))
	}},
}

// preludeBound is how far a record may be behind, in ms, where a prelude
// decides about time.
const preludeBound = 500

// sourcesOf are the sources of a prelude. One that decides about time looks at
// all records of its subtask as one stream: only with a single split do they
// come in the same order in every run.
func sourcesOf(prelude string) []string {
	if prelude == "connect" {
		return []string{"first", "second"}
	}
	return []string{single}
}

const single = "single"

// splitsOf is the number of splits of a source.
func (g *generated) splitsOf(source string) int {
	if source == single {
		return 1
	}
	return g.splits
}

// secondStage is a window of results, keyed anew: what fires behind it passes
// two exchanges.
const secondStage = "second stage"

// feeds are the kinds whose results are the same whenever the watermark comes.
var feeds = []string{
	"window tumbling reduce", "window tumbling process", "window sliding", "window session", "trigger purging",
	"sql-window tumble", "sql-window hop", "sql-window cumulate", "sql-window session",
}

// A generated is a job with its records, for which every run must give one
// result: time is event time only, nobody is late, keys of ordered operators
// come from one split, no idle timeout.
type generated struct {
	seed    uint64
	kinds   []string // of each operator
	sources []string
	splits  int
	bound   int64
	ops     string
	sinks   string
	// lines are the records and the time between them; closing come when every
	// other record is there: they let the watermark of every split end at the
	// same place in every run.
	lines, closing []string
}

func generate(seed uint64) *generated {
	d := sim.NewStream(seed, "one result", "job")
	g := &generated{seed: seed, splits: int(between(d, 1, 4)), bound: between(d, 20, 500)}
	// The first kind goes round, so that none is rare. A prelude stands behind
	// the others, with a window of its own.
	turn := int(seed) % (len(operatorKinds) + len(preludes))
	var prelude *operatorKind
	var kinds []operatorKind
	if turn < len(operatorKinds) {
		kinds = append(kinds, operatorKinds[turn])
	} else {
		prelude = &preludes[turn-len(operatorKinds)]
		kinds = append(kinds, operatorKinds[d.Below(int64(len(operatorKinds)))])
	}
	for range d.Below(3) {
		k := operatorKinds[d.Below(int64(len(operatorKinds)))]
		if !slices.ContainsFunc(kinds, func(x operatorKind) bool { return x.name == k.name }) {
			kinds = append(kinds, k)
		}
	}
	ordered := d.Below(2) == 0
	var ops, sinks strings.Builder
	g.sources = []string{"src"}
	for i, k := range kinds {
		ordered = ordered || k.ordered
		inputs := "src"
		if k.name == "interval-join" {
			g.sources = append(g.sources, "left", "right")
			inputs = "left, right"
		}
		fmt.Fprintf(&ops, "  - name: op%d\n    inputs: [%s]\n%s%s", i, inputs, k.spec(d), async(d))
		fmt.Fprintf(&sinks, "  - name: sink%d\n    inputs: [op%d]\n", i, i)
		g.kinds = append(g.kinds, k.name)
	}
	if slices.Contains(feeds, kinds[0].name) && d.Below(2) == 0 {
		n := len(g.kinds)
		fmt.Fprintf(&ops, "  - name: op%d\n    inputs: [op0]\n    key-by: {k1: low, k2: low, k3: low, else: high}\n%s", n, tumbling(d, sum))
		fmt.Fprintf(&sinks, "  - name: sink%d\n    inputs: [op%d]\n", n, n)
		g.kinds = append(g.kinds, secondStage)
	}
	if prelude != nil {
		of := sourcesOf(prelude.name)
		g.sources = append(g.sources, of...)
		n := len(g.kinds)
		fmt.Fprintf(&ops, "  - name: op%d\n    inputs: [%s]\n%s", n, strings.Join(of, ", "), prelude.spec(d))
		// Records are spread behind it: the order of a key is not kept.
		var behind []operatorKind
		for _, k := range operatorKinds {
			if !k.ordered && slices.Contains(feeds, k.name) {
				behind = append(behind, k)
			}
		}
		k := behind[d.Below(int64(len(behind)))]
		fmt.Fprintf(&ops, "  - name: op%d\n    inputs: [op%d]\n%s", n+1, n, k.spec(d))
		fmt.Fprintf(&sinks, "  - name: sink%d\n    inputs: [op%d]\n", n+1, n+1)
		g.kinds = append(g.kinds, prelude.name, k.name)
	}
	g.ops, g.sinks = ops.String(), sinks.String()
	g.records(sim.NewStream(seed, "one result", "records"), ordered)
	return g
}

// joined says that the records of a source carry words: those of a join.
func joined(source string) bool { return source == "left" || source == "right" }

// maxParallelism is the highest parallelism of a variant.
const maxParallelism = 4

// records draws records that are never behind the watermark of their split:
// each is less than the bound behind the highest before it.
func (g *generated) records(d *sim.Stream, ordered bool) {
	top := map[string]int64{}
	base := between(d, -2000, 500)
	for i := range int(between(d, 20, 60)) {
		source := g.sources[d.Below(int64(len(g.sources)))]
		key := d.Below(7)
		splits := int64(g.splitsOf(source))
		split := d.Below(splits)
		if ordered {
			split = key % splits
		}
		base += d.Below(120)
		ts := base + d.Below(200) - 100
		to := fmt.Sprintf("%s/%d", source, split)
		if high, ok := top[to]; ok {
			ts = max(ts, high-min(g.bound, preludeBound)+2)
			top[to] = max(high, ts)
		} else {
			top[to] = ts
		}
		value := fmt.Sprint(between(d, -20, 20))
		if joined(source) {
			value = fmt.Sprintf("%s%d", source[:1], i)
		}
		g.lines = append(g.lines, fmt.Sprintf("produce %s %d k%d %s gap=%dms", to, ts, key, value, between(d, 1, 400)))
		if d.Below(3) == 0 {
			g.lines = append(g.lines, fmt.Sprintf("advance %dms", between(d, 1, 300)))
		}
	}
	end := base + 300
	for _, source := range g.sources {
		for split := range g.splitsOf(source) {
			to := fmt.Sprintf("%s/%d", source, split)
			value := "1"
			if joined(source) {
				value = fmt.Sprintf("%send%d", source[:1], split)
			}
			last, times := end+d.Below(50), 1
			if source == single {
				// Each subtask of the prelude needs one.
				times = maxParallelism
			}
			for range times {
				g.closing = append(g.closing, fmt.Sprintf("produce %s %d end%d %s gap=1ms", to, last, split, value))
			}
		}
	}
	g.closing = append(g.closing, "advance 3s")
}

// A variant is one way to run a generated job.
type variant struct {
	parallelism int
	readers     int
	backend     string
	// extra are lines in front of the line with that number; len(lines) is the
	// place before the closing records, one more behind them.
	extra map[int][]string
	// crashes are the ways that it means to try.
	crashes []string
	// unaligned is aligned-checkpoint-timeout of unaligned checkpoints; empty:
	// they are aligned. inline is data-inline-threshold.
	unaligned, inline string
	// buffers is buffers-per-channel; 0: channels hold everything.
	buffers int
	// chained : operators that nothing is exchanged between are one task.
	chained bool
}

func reference() *variant { return &variant{parallelism: 1, readers: 1, backend: "hashmap"} }

// crashes are the ways to lose an attempt or a job. Those with a dot are fault
// points.
var crashes = []string{
	"crash", "crash between steps", "checkpoint under backpressure", "restore", "rescale", "restore at the end", "restore with other readers",
	sim.PointSourceRead, sim.PointTaskRecord, sim.PointTaskEmit, sim.PointTaskWatermark,
	sim.PointCheckpointAck, sim.PointCheckpointDone,
	sim.PointCoordinator, sim.PointTrigger, sim.PointSourceSnapshot, sim.PointBarrier, sim.PointSnapshot, sim.PointUpload,
	sim.PointTaskAck, sim.PointMetadata, sim.PointNotify, sim.PointDisk, sim.PointHA,
	"crash taskmanager", "crash jobmanager", "crash jobmanager at a point", "freeze", "zombie", "late barrier", "lost message",
}

func (g *generated) variant(n int) *variant {
	d := sim.NewStream(g.seed, "one result", fmt.Sprintf("variant %d", n))
	v := &variant{
		parallelism: int(between(d, 1, maxParallelism)), readers: int(between(d, 1, int64(g.splits))),
		backend: []string{"hashmap", "copying", "rocksdb", "forst"}[d.Below(4)], extra: map[int][]string{},
	}
	if d.Below(2) == 0 {
		v.unaligned = []string{"0ms", "0ms", "30ms"}[d.Below(3)]
	}
	v.buffers = int(d.Below(3))
	v.chained = d.Below(2) == 0
	v.inline = []string{"20kb", "0"}[d.Below(2)]
	add := func(at int64, lines ...string) { v.extra[int(at)] = append(v.extra[int(at)], lines...) }
	length := int64(len(g.lines))
	for range between(d, 1, 4) {
		add(d.Below(length+1), "checkpoint")
	}
	for range between(d, 1, 3) {
		at := d.Below(length + 1)
		what := fmt.Sprintf("op%d", d.Below(int64(len(g.kinds))))
		if d.Below(3) == 0 {
			what = g.sources[d.Below(int64(len(g.sources)))]
		}
		c := crashes[d.Below(int64(len(crashes)))]
		v.crashes = append(v.crashes, c)
		switch c {
		case "crash":
			add(at, "crash "+what)
		case "crash between steps":
			at = d.Below(length)
			add(at, fmt.Sprintf("stop %d", between(d, 1, 12)))
			v.extra[int(at)+1] = append([]string{"go", "crash " + what}, v.extra[int(at)+1]...)
		case "checkpoint under backpressure":
			// What is on its way waits, and the barrier behind it.
			at = d.Below(length)
			op := fmt.Sprintf("op%d", d.Below(int64(len(g.kinds))))
			add(at, fmt.Sprintf("stop %d", between(d, 1, 9)))
			v.extra[int(at)+1] = append([]string{"go", "backpressure " + op + " on", "checkpoint"}, v.extra[int(at)+1]...)
			add(min(length, at+1+d.Below(6)), "backpressure "+op+" off")
		case "restore":
			add(at, "checkpoint", "restore")
		case "restore at the end":
			// Never a checkpoint between the closing records and their watermark:
			// it would hold the records and not the watermark (EV-8.3).
			add(length+1, "advance 1s", "checkpoint", "restore")
		case "restore with other readers":
			add(at, fmt.Sprintf("readers %d", between(d, 1, int64(g.splits))), "checkpoint", "restore")
		case "rescale":
			add(at, fmt.Sprintf("rescale %d", between(d, 1, maxParallelism)))
		case sim.PointSourceRead:
			add(at, fmt.Sprintf("fault %s nth=%d", c, between(d, 1, 9)))
		case sim.PointCheckpointAck, sim.PointCheckpointDone:
			add(at, "fault "+c)
		case sim.PointCoordinator, sim.PointTrigger, sim.PointSourceSnapshot, sim.PointSnapshot, sim.PointMetadata, sim.PointNotify:
			add(at, fmt.Sprintf("fault %s with=crash nth=%d", c, between(d, 1, 2)), "checkpoint")
		case sim.PointBarrier, sim.PointUpload, sim.PointTaskAck:
			add(at, fmt.Sprintf("fault %s nth=%d", c, between(d, 1, 5)), "checkpoint")
		case sim.PointDisk:
			// Only a tree has a disk.
			v.backend = "rocksdb"
			add(at, "fault "+c, "checkpoint")
		case sim.PointHA:
			add(at, "fault "+c+[]string{"", " with=unknown"}[d.Below(2)], "checkpoint")
		case "crash taskmanager":
			add(at, "crash taskmanager-1")
		case "crash jobmanager":
			add(at, "crash jobmanager")
		case "crash jobmanager at a point":
			p := []string{sim.PointTaskRecord, sim.PointTrigger, sim.PointBarrier, sim.PointTaskAck, sim.PointCheckpointAck, sim.PointMetadata, sim.PointCheckpointDone, sim.PointNotify}
			add(at, fmt.Sprintf("crash jobmanager at %s", p[d.Below(int64(len(p)))]), "checkpoint")
		case "freeze":
			add(at, "freeze taskmanager-1 60ms", "checkpoint")
		case "zombie":
			add(at, "freeze taskmanager-1 500ms")
		case "late barrier":
			add(at, "fault checkpoint.trigger for=50ms", "checkpoint")
			add(min(length, at+1+d.Below(4)), "checkpoint")
		case "lost message":
			add(at, fmt.Sprintf("%s %s %s[0]", []string{"lose", "lose", "delay"}[d.Below(3)], []string{"ack", "notice"}[d.Below(2)], what), "checkpoint")
			if e := v.extra[int(at)]; strings.HasPrefix(e[len(e)-2], "delay") {
				e[len(e)-2] += " 30ms"
			}
		default:
			add(at, fmt.Sprintf("fault %s nth=%d", c, between(d, 1, 15)))
		}
	}
	return v
}

// job is the job file of a variant.
func (g *generated) job(v *variant) string {
	var b strings.Builder
	fmt.Fprintf(&b, "parallelism: %d\nsources:\n", v.parallelism)
	for _, s := range g.sources {
		readers := v.readers
		if s == single {
			readers = 1
		}
		fmt.Fprintf(&b, "  %s: {splits: %d, parallelism: %d, watermark: {strategy: bounded-out-of-orderness, bound: %dms}}\n", s, g.splitsOf(s), readers, g.bound)
	}
	fmt.Fprintf(&b, "operators:\n%ssinks:\n%s", g.ops, g.sinks)
	fmt.Fprintf(&b, "flinkConfiguration:\n  state.backend.type: %s\n  execution.checkpointing.incremental: true\n  state.backend.forst.sync.enforce-local: false\n  restart-strategy.type: fixed-delay\n", v.backend)
	b.WriteString("  restart-strategy.fixed-delay.attempts: 1000\n  restart-strategy.fixed-delay.delay: 10ms\n")
	b.WriteString("  high-availability.type: kubernetes\n  heartbeat.interval: 50ms\n  heartbeat.timeout: 100ms\n  execution.checkpointing.timeout: 300ms\n")
	if v.unaligned != "" {
		fmt.Fprintf(&b, "  execution.checkpointing.unaligned.enabled: true\n  execution.checkpointing.aligned-checkpoint-timeout: %s\n", v.unaligned)
	}
	if v.buffers > 0 {
		fmt.Fprintf(&b, "  taskmanager.network.memory.buffers-per-channel: %d\n  taskmanager.network.memory.floating-buffers-per-gate: %d\n", v.buffers, v.buffers-1)
	}
	if v.chained {
		b.WriteString("  pipeline.operator-chaining.enabled: true\n")
	}
	if v.inline != "" {
		fmt.Fprintf(&b, "  execution.checkpointing.data-inline-threshold: %s\n", v.inline)
	}
	return b.String()
}

// script is what is typed for a variant.
func (g *generated) script(v *variant) []string {
	var out []string
	for i, l := range g.lines {
		out = append(append(out, v.extra[i]...), l)
	}
	n := len(g.lines)
	out = append(out, v.extra[n]...)
	// No checkpoint that was held up, or waited for one that was, may fall between
	// the closing records and their watermark (EV-8.3).
	out = append(out, "advance 1s")
	out = append(out, g.closing...)
	return append(out, v.extra[n+1]...)
}
