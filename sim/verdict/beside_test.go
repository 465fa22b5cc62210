package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/kafka"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/verdict"
)

const besideJob = `job job.yaml
-- job.yaml --
kafka: {transaction.version: %d, topics: {orders: 1}}
sources:
  in: {splits: 1, watermark: {strategy: none}}
sinks:
  - {name: out, kind: kafka, topic: orders, delivery-guarantee: EXACTLY_ONCE, transactional-id-prefix: J, transaction-naming-strategy: %s, properties: {transaction.timeout.ms: %s}}
flinkConfiguration:
  execution.checkpointing.interval: 24h
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 1000
`

// Two jobs with one prefix do to each other what they like: each record of the job
// of the experiment is read once in the end, or a verdict says that it is lost.
func TestTwoJobsWithOnePrefixLoseNothingInSilence(t *testing.T) {
	for seed := range min(topicSchedules/8, 2_000) {
		if err := twoJobs(seed); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func twoJobs(seed uint64) error {
	d := sim.NewStream(seed, "verdict", "beside")
	below := func(n int) int { return int(d.Below(int64(n))) }
	pick := func(words ...string) string { return words[below(len(words))] }
	text := fmt.Sprintf(besideJob, 1+below(2), pick("INCREMENTING", "POOLING"), pick("60s", "15m"))
	e, err := session.ParseExperiment("beside", "beside", []byte(text))
	if err != nil {
		return err
	}
	s, err := session.Open(e, seed, nil, session.Observer{})
	if err != nil {
		return err
	}
	defer s.Run().World.Close()
	produced := 0
	var lines []string
	do := func(text string) error {
		l, perr := script.ParseLine("", 1, text, e.Times())
		if perr != nil {
			return perr
		}
		lines = append(lines, text)
		// What cannot be done now is not done.
		if err := s.Do(l); err == nil && strings.HasPrefix(text, "produce in/") {
			produced++
		}
		return nil
	}
	for i := range 4 + below(20) {
		line := pick("checkpoint", "checkpoint", "checkpoint b", "checkpoint b", "advance 3s", "advance 3s", "advance 75s", "job job.yaml as b", "job job.yaml as b", "cancel b",
			"crash out[0]", "crash b.out[0]", "crash out[0] at transaction.commit", "crash b.out[0] at transaction.commit", "lose notice out[0]", "cut markers", "heal markers",
			fmt.Sprintf("produce in/0 %ds k r%d", i, i), fmt.Sprintf("produce in/0 %ds k r%d", i, i), fmt.Sprintf("produce b.in/0 %ds k b%d", i, i))
		if err := do(line); err != nil {
			return err
		}
	}
	// Notices that were made to be lost, and crashes that wait for a commit, use
	// themselves up.
	heals := []string{"heal markers", "cancel b"}
	for range 12 {
		heals = append(heals, "advance 130s", "checkpoint")
	}
	for _, line := range append(heals, "advance 10s") {
		if err := do(line); err != nil {
			return err
		}
	}
	w := s.Run().World
	p := w.Broker().Partition(kafka.TopicPartition{Topic: "orders"})
	if p.LastStableOffset() > p.HighWatermark() || p.HighWatermark() > p.End {
		return fmt.Errorf("LSO %d, HW %d, end %d", p.LastStableOffset(), p.HighWatermark(), p.End)
	}
	times := map[string]int{}
	for _, r := range p.ReadCommitted(p.Start) {
		times[r.Record.Value]++
	}
	lost := map[int]bool{}
	for _, v := range verdict.Of(s.Trace()) {
		if v.Kind == verdict.LostInOutput && v.Certainty == verdict.Yes {
			for _, r := range v.Records {
				lost[r.Offset] = true
			}
		}
	}
	var wrong []string
	for _, r := range fold.Of(s.Trace()).Reads {
		word := r.Word
		if n := times[word]; n != 1 && !(n == 0 && lost[r.Offset]) && !slices.Contains(wrong, word) {
			wrong = append(wrong, word)
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("read_committed gets %v of %v; wrong %v\n%s", times, produced, wrong, strings.Join(lines, "\n"))
	}
	return nil
}
