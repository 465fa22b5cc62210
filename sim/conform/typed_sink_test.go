package conform

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	sink "streaminglab/sim/connector/kafka"
	"streaminglab/sim/kafka"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// leastSinkCases is the smallest share of the recorded cases of a sink that must
// be typeable, in percent.
const leastSinkCases = 85

// Every recorded case of a KafkaSink that can be typed, typed as a job file and a
// script, leaves the recorded logs behind: the same records and markers, at the
// same offsets, of the same transactions and epochs, and the same transactions
// open at the end.
func TestTypedSinkStories(t *testing.T) {
	typeAll(t, "kafka-sink", leastSinkCases, func(c *Recording) error {
		s, err := typeSink(c)
		if err != nil {
			return err
		}
		return s.run(c)
	})
}

// sinkStory is a case as a person would type it.
type sinkStory struct {
	files map[string][]byte
	lines []string

	config sinkConfig
	keys   []string
	now    int64
	// starts counts starts of a job, which has the name job1, job2 and so on;
	// running is the recorded name of the one that runs, parallelism its own.
	starts, parallelism int
	running             string
	// last is the id of the last checkpoint of the running job; taken names the
	// job that holds a completed checkpoint.
	last  int64
	taken map[string]string
	// pending is the checkpoint whose acknowledgement is held back, unheard are the
	// subtasks that have not heard of the last complete one; waits are those whose
	// barrier is held back, by checkpoint.
	pending int64
	unheard map[int]bool
	waits   map[int64]map[int]bool
	// final : the data have ended.
	final bool
	// refused : the job file itself is refused, as recorded.
	refused bool
}

// source is the source of the running start. Each start has its own: the recorded
// source says itself what it sends again.
func (s *sinkStory) source() string { return fmt.Sprintf("in%d", s.starts) }

// committer is the task that commits.
func (s *sinkStory) committer() string {
	if s.config.Chained != nil && !*s.config.Chained && s.config.Guarantee == string(sink.ExactlyOnce) {
		return "out" + sink.CommitterSuffix
	}
	return "out"
}

// held is the reader whose acknowledgement is held back: barriers have passed
// then, and nothing is complete.
func (s *sinkStory) held() string { return s.source() + "[0]" }

func typeSink(c *Recording) (*sinkStory, error) {
	config, err := configured[sinkConfig](c.Config)
	if err != nil {
		return nil, err
	}
	s := &sinkStory{files: map[string][]byte{}, config: config, taken: map[string]string{}, waits: map[int64]map[int]bool{}}
	for p := range config.Partitions {
		for n := 0; len(s.keys) == p; n++ {
			if k := fmt.Sprintf("k%d", n); sink.PartitionOf(k, config.Partitions) == p {
				s.keys = append(s.keys, k)
			}
		}
	}
	for i, raw := range c.In {
		var x sinkStep
		if err := decode(raw, &x); err != nil {
			return nil, err
		}
		var out struct {
			Ignored string          `json:"ignored"`
			Fails   json.RawMessage `json:"job_fails"`
			Crashed bool            `json:"crashed"`
		}
		if err := json.Unmarshal(c.Out[i], &out); err != nil {
			return nil, err
		}
		if out.Ignored != "" {
			continue
		}
		if err := s.step(&x, out.Crashed); err != nil {
			return nil, err
		}
		if out.Fails != nil || out.Crashed {
			s.running = ""
		}
		s.refused = s.refused || out.Fails != nil && x.Op == "start" && s.config.Guarantee == "EXACTLY_ONCE" && s.config.Prefix == ""
	}
	return s, nil
}

func (s *sinkStory) typeLine(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

func (s *sinkStory) step(x *sinkStep, crashed bool) error {
	name := x.Job
	if name == "" {
		name = "a"
	}
	if x.Op != "start" && x.Job != "" && name != s.running && s.running != "" {
		return errUntyped("two jobs run at the same time")
	}
	switch x.Op {
	case "at":
		s.typeLine("advance %dms", x.T-s.now)
		s.now = x.T
	case "plain":
		s.typeLine("producer plain send t/%d %s", x.Part, x.V)
	case "fence":
		timeout := x.TxnTimeout
		if timeout == 0 {
			timeout = kafka.DefaultTransactionTimeout
		}
		n := len(s.lines)
		s.typeLine("producer f%d new id=%s timeout=%dms", n, x.Txn, timeout)
		s.typeLine("producer f%d init", n)
		s.typeLine("producer f%d kill", n)
	case "start":
		return s.start(name, x)
	case "rec":
		subtask := 0
		if x.Subtask != nil {
			subtask = *x.Subtask
		}
		s.typeLine("produce %s/%d 1 %s %s", s.source(), subtask, s.keys[x.Part], x.V)
	case "barrier":
		return s.barrier(x)
	case "endinput":
		if s.pending != 0 {
			return errUntyped("two checkpoints at the same time")
		}
		// The last checkpoint follows by itself.
		s.typeLine("fault task.acknowledged at=%s with=delay", s.held())
		s.typeLine("end %s", s.source())
		s.final = true
	case "complete":
		if x.Ckpt != s.pending {
			return errUntyped("checkpoints that complete out of order")
		}
		s.taken[fmt.Sprintf("%s/%d", s.running, x.Ckpt)] = fmt.Sprintf("job%d/chk-%d", s.starts, x.Ckpt)
		// What follows says when the sink hears of it, or whether at all.
		for i := range s.parallelism {
			s.typeLine("fault checkpoint.notify with=delay at=%s[%d]", s.committer(), i)
		}
		s.typeLine("resume %s", s.held())
		s.pending = 0
		s.unheard = map[int]bool{}
		for i := range s.parallelism {
			s.unheard[i] = true
		}
	case "notify":
		if x.Crash != nil && crashed {
			s.typeLine("fault transaction.commit nth=%d", *x.Crash+1)
		}
		for i := range s.parallelism {
			if (x.Subtask == nil || *x.Subtask == i) && s.unheard[i] {
				s.typeLine("resume %s[%d]", s.committer(), i)
				delete(s.unheard, i)
			}
		}
	case "decline":
		if x.Ckpt != s.pending {
			return errUntyped("a checkpoint that is declined late")
		}
		s.typeLine("fault metadata.write with=fail")
		s.typeLine("resume %s", s.held())
		s.pending = 0
	case "crash":
		s.typeLine("crash taskmanager-1")
		s.running = ""
	case "cancel":
		s.typeLine("cancel")
		s.running = ""
	default:
		return errUntyped(x.Op)
	}
	return nil
}

// barrier lets a checkpoint's barriers pass; numbers that are left out are those
// of checkpoints that failed before any barrier left.
func (s *sinkStory) barrier(x *sinkStep) error {
	if s.waits[x.Ckpt] != nil {
		if x.Subtask == nil || !s.waits[x.Ckpt][*x.Subtask] {
			return errUntyped("a barrier that passes twice")
		}
		s.typeLine("resume %s[%d]", s.source(), *x.Subtask)
		delete(s.waits[x.Ckpt], *x.Subtask)
		return nil
	}
	if s.pending != 0 {
		return errUntyped("two checkpoints at the same time")
	}
	if x.Ckpt <= s.last {
		return errUntyped("a checkpoint number that comes again")
	}
	if s.final {
		s.final, s.pending = false, x.Ckpt
		if s.last++; x.Ckpt != s.last {
			return errUntyped("a last checkpoint that is not the next one")
		}
		return nil
	}
	for s.last++; s.last < x.Ckpt; s.last++ {
		s.typeLine("fault coordinator.snapshot with=fail")
		s.typeLine("checkpoint")
	}
	if x.Subtask != nil {
		s.waits[x.Ckpt] = map[int]bool{}
		for i := range s.parallelism {
			if i != *x.Subtask {
				s.typeLine("fault checkpoint.trigger at=%s[%d] with=delay", s.source(), i)
				s.waits[x.Ckpt][i] = true
			}
		}
	}
	s.typeLine("fault task.acknowledged at=%s with=delay", s.held())
	s.typeLine("checkpoint")
	s.pending = x.Ckpt
	return nil
}

func (s *sinkStory) start(name string, x *sinkStep) error {
	if s.running != "" {
		if x.SameJVM || x.Job != "" {
			return errUntyped("two jobs run at the same time")
		}
		return errUntyped("a start without an end")
	}
	s.pending, s.unheard, s.final = 0, nil, false
	clear(s.waits)
	s.starts++
	file := fmt.Sprintf("j%d.yaml", s.starts)
	s.files[file] = []byte(s.job(x))
	switch {
	case s.starts == 1 && x.From != nil:
		return errUntyped("a start from nowhere")
	case s.starts == 1:
		s.typeLine("job %s", file)
		s.typeLine("producer plain new plain")
		s.last = 0
	case x.From == nil:
		s.typeLine("restore none %s", file)
		s.last = 0
	default:
		holder := name
		if x.FromJob != "" {
			holder = x.FromJob
		}
		snapshot := s.taken[fmt.Sprintf("%s/%d", holder, *x.From)]
		if snapshot == "" {
			return errUntyped("a checkpoint that no job holds")
		}
		s.typeLine("restore %s %s --allow-non-restored-state", snapshot, file)
		s.last = *x.From
		// Attempts of the job that goes on share its checkpoints.
	}
	s.running = name
	return nil
}

func (s *sinkStory) job(x *sinkStep) string {
	c := s.config
	s.parallelism = c.Parallelism
	if x.Parallelism > 0 {
		s.parallelism = x.Parallelism
	}
	prefix, naming := c.Prefix, c.Naming
	if x.Prefix != "" {
		prefix = x.Prefix
	}
	if x.Naming != "" {
		naming = x.Naming
	}
	var b strings.Builder
	fmt.Fprintf(&b, "parallelism: %d\nkafka:\n  transaction.version: %d\n  topics: {t: %d}\n", s.parallelism, c.TV, c.Partitions)
	fmt.Fprintf(&b, "sources:\n  %s: {splits: %d, watermark: {strategy: none}}\n", s.source(), s.parallelism)
	fmt.Fprintf(&b, "sinks:\n  - name: out\n    kind: kafka\n    topic: t\n    delivery-guarantee: %s\n", c.Guarantee)
	if prefix != "" {
		fmt.Fprintf(&b, "    transactional-id-prefix: %s\n", prefix)
	}
	if naming != "" {
		fmt.Fprintf(&b, "    transaction-naming-strategy: %s\n", naming)
	}
	var properties []string
	if c.TxnTimeout > 0 {
		properties = append(properties, fmt.Sprintf("transaction.timeout.ms: %d", c.TxnTimeout))
	}
	if c.Buffered {
		properties = append(properties, "linger.ms: 1h")
	}
	if len(properties) > 0 {
		fmt.Fprintf(&b, "    properties: {%s}\n", strings.Join(properties, ", "))
	}
	fmt.Fprintf(&b, "flinkConfiguration:\n  restart-strategy.type: none\n  taskmanager.numberOfTaskSlots: %d\n", max(c.Parallelism, s.parallelism))
	b.WriteString("  execution.checkpointing.interval: 1000h\n  execution.checkpointing.timeout: 1000h\n  execution.checkpointing.tolerable-failed-checkpoints: 1000\n  execution.checkpointing.num-retained: 100\n")
	b.WriteString("  execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION\n")
	if c.Chained != nil && !*c.Chained {
		b.WriteString("  pipeline.operator-chaining.enabled: false\n")
	}
	return b.String()
}

func (s *sinkStory) run(c *Recording) error {
	w := world.New(world.Config{Files: s.files, Seed: 1})
	defer w.Close()
	for n, text := range s.lines {
		l, perr := script.ParseLine("story.txt", n+1, text, script.Times{})
		if perr != nil {
			return perr
		}
		if err := l.Command.(script.WorldCommand).Apply(w, world.Command(text), script.Times{}); err != nil {
			if s.refused && strings.Contains(err.Error(), "job.refused") {
				break
			}
			if strings.Contains(err.Error(), "world.not-running") && (text == "cancel" || strings.HasPrefix(text, "resume")) {
				continue // the job has ended, which the recorded one does not do by itself
			}
			return fmt.Errorf("%s: %w\n%s", text, err, s)
		}
	}
	got, want := s.logs(w), recordedLogs(c)
	for p := range max(len(got), len(want)) {
		var a, b []string
		if p < len(got) {
			a = got[p]
		}
		if p < len(want) {
			b = want[p]
		}
		if !slices.Equal(a, b) {
			return fmt.Errorf("partition %d:\n  got  %s\n  want %s\n%s", p, strings.Join(a, "  "), strings.Join(b, "  "), s)
		}
	}
	return s.open(w, c)
}

func (s *sinkStory) String() string {
	return string(s.files["j1.yaml"]) + strings.Join(s.lines, "\n")
}

// logs are the partitions of the topic.
func (s *sinkStory) logs(w *world.World) (out [][]string) {
	for n := range s.config.Partitions {
		var list []string
		for _, b := range w.Broker().Partition(kafka.TopicPartition{Topic: "t", Partition: n}).Batches {
			switch b.Control {
			case kafka.Commit:
				list = append(list, fmt.Sprintf("%d:C(%s %d)", b.Base, b.ID, b.Epoch))
			case kafka.Abort:
				list = append(list, fmt.Sprintf("%d:A(%s %d)", b.Base, b.ID, b.Epoch))
			default:
				for i, r := range b.Records {
					if b.ID == "" {
						list = append(list, fmt.Sprintf("%d:%s", b.Base+int64(i), r.Value))
					} else {
						list = append(list, fmt.Sprintf("%d:%s(%s %d)", b.Base+int64(i), r.Value, b.ID, b.Epoch))
					}
				}
			}
		}
		out = append(out, ordered(list))
	}
	return out
}

// recordedLogs are the logs that the entries of a case add up to.
func recordedLogs(c *Recording) (out [][]string) {
	for _, raw := range c.Out {
		var entry struct {
			Log [][]any `json:"log"`
		}
		if json.Unmarshal(raw, &entry) != nil {
			continue
		}
		for _, l := range entry.Log {
			p := int(l[0].(float64))
			for len(out) <= p {
				out = append(out, nil)
			}
			offset, kind := int(l[1].(float64)), l[2].(string)
			switch {
			case kind != "D":
				out[p] = append(out[p], fmt.Sprintf("%d:%s(%s %d)", offset, kind, l[4], int(l[5].(float64))))
			case len(l) > 4 && l[4] != nil:
				out[p] = append(out[p], fmt.Sprintf("%d:%s(%s %d)", offset, l[3], l[4], int(l[5].(float64))))
			default:
				out[p] = append(out[p], fmt.Sprintf("%d:%s", offset, l[3]))
			}
		}
	}
	for p := range out {
		out[p] = ordered(out[p])
	}
	return out
}

// ordered sorts markers that follow each other by their transactions: the
// recording did the same, and left the offsets where they were.
func ordered(list []string) []string {
	marker := func(i int) bool {
		_, text, _ := strings.Cut(list[i], ":")
		return strings.HasPrefix(text, "C(") || strings.HasPrefix(text, "A(")
	}
	for i := 0; i < len(list); {
		j := i
		var texts []string
		for ; j < len(list) && marker(j); j++ {
			_, text, _ := strings.Cut(list[j], ":")
			texts = append(texts, text)
		}
		sort.SliceStable(texts, func(a, b int) bool { return texts[a][2:] < texts[b][2:] })
		for k, text := range texts {
			offset, _, _ := strings.Cut(list[i+k], ":")
			list[i+k] = offset + ":" + text
		}
		i = max(j, i+1)
	}
	return list
}

// open compares the transactions that are open at the end.
func (s *sinkStory) open(w *world.World, c *Recording) error {
	var final struct {
		Open map[string]int `json:"open"`
	}
	if err := json.Unmarshal(c.Extra["final"], &final); err != nil {
		return err
	}
	got := map[string]int{}
	for _, t := range w.Broker().Transactions() {
		if t.State == kafka.Ongoing {
			got[t.ID] = int(t.Epoch)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(final.Open) && len(got)+len(final.Open) > 0 {
		return fmt.Errorf("open at the end: %v, want %v\n%s", got, final.Open, s)
	}
	return nil
}
