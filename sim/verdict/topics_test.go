package verdict_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/kafka"
	"streaminglab/sim/verdict"
	"streaminglab/sim/world"
)

// topicSchedules is how many are drawn with a KafkaSink: LAB_SCHEDULES, which
// `make test-long` sets, or 2,000.
var topicSchedules = func() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("LAB_SCHEDULES"), 10, 32); err == nil && n > 0 {
		return n
	}
	return 2_000
}()

// firstSchedule is where to begin: LAB_FIRST_SCHEDULE, to go on behind one that
// failed, or 0.
var firstSchedule, _ = strconv.ParseUint(os.Getenv("LAB_FIRST_SCHEDULE"), 10, 32)

// withTopic gives a schedule a sink that writes to a topic, and lines that meddle
// with its broker.
func (s *schedule) withTopic() {
	d := sim.NewStream(s.seed, "verdict", "topic")
	below := func(n int) int { return int(d.Below(int64(n))) }
	pick := func(words ...string) string { return words[below(len(words))] }
	s.partitions = 1 + below(2)
	head := fmt.Sprintf("kafka:\n  transaction.version: %d\n  topics: {results: %d}\n", 1+below(2), s.partitions)
	sink := fmt.Sprintf("  - name: topic\n    inputs: [totals]\n    kind: kafka\n    topic: results\n    delivery-guarantee: EXACTLY_ONCE\n    transactional-id-prefix: T\n    transaction-naming-strategy: %s\n    properties: {transaction.timeout.ms: %s}\n",
		pick("INCREMENTING", "INCREMENTING", "POOLING"), pick("60s", "5m", "15m", "15m, linger.ms: 1h"))
	s.job = head + strings.Replace(s.job, "flinkConfiguration:\n", sink+"flinkConfiguration:\n", 1)
	if below(4) == 0 {
		s.job += "  pipeline.operator-chaining.enabled: false\n"
		s.job = strings.Replace(s.job, "  pipeline.operator-chaining.enabled: true\n", "", 1)
	}
	id := func() string { return fmt.Sprintf("T-%d-%d", below(2), below(6)) }
	for range below(5) {
		line := pick("cut coordinator", "heal coordinator", "cut markers", "heal markers", "fence "+id(), "producer p send results/0 x", "advance 70s",
			"fault kafka.request with=lose at=topic", "fault kafka.answer with=lose at=topic", "fault kafka.request with=lose at=EndTxn", "fault kafka.answer with=lose at=EndTxn",
			"crash topic[0] at transaction.commit", "crash topic[0] at transaction.committed", "crash topic[0]")
		s.lines = slices.Insert(s.lines, below(len(s.lines)+1), line)
	}
	s.lines = append([]string{"producer p new plain"}, s.lines...)
	s.heals = []string{"heal coordinator", "heal markers"}
}

// topicHolds checks what a reader of the topic gets against what verdicts say.
func (s *schedule) topicHolds(w *world.World, produced int, exact bool) error {
	if s.partitions == 0 {
		return nil
	}
	f := fold.Of(w.Trace())
	read, seen := 0, 0
	for n := range s.partitions {
		p := w.Broker().Partition(kafka.TopicPartition{Topic: "results", Partition: n})
		if p.LastStableOffset() > p.HighWatermark() || p.HighWatermark() > p.End {
			return fmt.Errorf("results/%d: LSO %d, HW %d, end %d", n, p.LastStableOffset(), p.HighWatermark(), p.End)
		}
		for _, r := range p.ReadCommitted(p.Start) {
			if r.Record.Value != "x" {
				read++
			}
		}
	}
	for _, r := range f.Results {
		if r.Sink == "topic" && r.Visible {
			seen++
		}
	}
	if seen != read {
		return fmt.Errorf("a read_committed reader gets %d results, the folds say %d", read, seen)
	}
	lost, doubled := 0, 0
	for _, v := range verdict.Of(w.Trace()) {
		switch {
		case v.Kind == verdict.LostInOutput && v.Operator == "topic" && v.Certainty == verdict.Yes:
			lost += v.Count
		case v.Kind == verdict.DoubledInOutput && v.Operator == "topic" && v.Certainty == verdict.Yes && v.Reader == "":
			doubled += v.Count
		}
	}
	if exact && read+lost != produced+doubled {
		return fmt.Errorf("%d records, %d results read in the topic, by verdict %d lost and %d there twice", produced, read, lost, doubled)
	}
	return epochs(w.Trace())
}

// epochs : within one producer id the epoch never goes back, and an id has one
// open transaction at most.
func epochs(t *sim.Trace) error {
	last := map[int64]int64{}
	for _, x := range t.Steps() {
		b, ok := x.Body.(sim.TransactionChanged)
		if !ok {
			continue
		}
		if e, known := last[b.Producer]; known && b.Epoch < e {
			return fmt.Errorf("step %d: the epoch of producer id %d goes back from %d to %d", x.Seq, b.Producer, e, b.Epoch)
		}
		last[b.Producer] = b.Epoch
	}
	return nil
}

// What a sink writes to a topic is there once for readers of committed records,
// unless a verdict says that it is lost, and since when it was.
func TestTopicSchedules(t *testing.T) {
	for seed := firstSchedule; seed < topicSchedules; seed++ {
		s := drawSchedule(1<<32 + seed)
		s.withTopic()
		if err := s.play(s.lines); err != nil {
			short := s.shorten()
			t.Fatalf("%v\n%s", short.play(short.lines), short)
		}
	}
}
