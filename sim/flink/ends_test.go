package flink_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// played is a job with a sink of two phases and what was typed into it.
type played struct {
	w     *world.World
	store *committedResults
}

// play types lines; checkpointing says whether execution.checkpointing is on.
func play(t *testing.T, job string, checkpointing bool, lines ...string) *played {
	t.Helper()
	p := &played{store: &committedResults{done: map[int64]bool{}}}
	p.w = world.New(world.Config{
		Files: map[string][]byte{"job.yaml": []byte(job)},
		Alter: func(s *flink.Spec) {
			s.FinalCheckpoint = checkpointing
			for _, sink := range s.Sinks {
				sink.Transactions = p.store
			}
		},
	})
	for _, text := range append([]string{"job job.yaml"}, lines...) {
		l, err := script.ParseLine("play", 1, text, script.Times{})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Command.(script.WorldCommand).Apply(p.w, world.Command(l.Text), script.Times{}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return p
}

func (p *played) committed() []string { return p.store.multiset([]string{"window"}) }

// told lists the steps of some types, each as its type and its most telling
// field.
func (p *played) told(types ...string) []string {
	var out []string
	for _, s := range p.w.Trace().Steps() {
		if !slices.Contains(types, s.Type()) {
			continue
		}
		line := s.Type()
		switch b := s.Body.(type) {
		case sim.CheckpointCompleted:
			line += fmt.Sprint(" ", b.ID)
		case sim.WatermarkEmitted:
			line += " " + s.At
			if b.Watermark == sim.MaxTime {
				line += " MAX"
			}
		case sim.JobStarted:
			line += fmt.Sprint(" ", b.Attempt)
		}
		out = append(out, line)
	}
	return out
}

func jobOf(parallelism int, source string) string {
	return fmt.Sprintf(`parallelism: %d
sources:
  events: {%s}
operators:
  - name: op0
    window: {assign: tumbling 1s, reduce: sum}
sinks:
  - name: sink0
flinkConfiguration:
  pipeline.auto-watermark-interval: 0ms
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.delay: 0s
`, parallelism, source)
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot  %s\nwant %s", what, strings.Join(got, " | "), strings.Join(want, " | "))
	}
}

const scripted = "watermark: {strategy: scripted}"

// With checkpointing on, a job whose data have ended takes a last checkpoint,
// with which its sink commits (FLIP-147). One that is under way comes first.
func TestTheLastCheckpointWaitsForTheOneUnderWay(t *testing.T) {
	p := play(t, jobOf(1, scripted), true,
		"produce events/0 10 a 1", "backpressure op0 on", "checkpoint", "end events", "backpressure op0 off")
	same(t, "steps", p.told("checkpoint.completed", "job.finished"), "checkpoint.completed 1", "checkpoint.completed 2", "job.finished")
	same(t, "committed", p.committed(), "sink0 a [0,1000) 1  [] 0 false")
}

// Without checkpointing there is nothing to wait for: the sink commits at the
// end of its input.
func TestWithoutCheckpointingTheEndCommits(t *testing.T) {
	p := play(t, jobOf(2, scripted), false, "produce events/0 10 a 1", "end events")
	same(t, "steps", p.told("checkpoint.completed", "job.finished"), "job.finished")
	same(t, "committed", p.committed(), "sink0 a [0,1000) 1  [] 0 false")
}

// A job that crashes in its last checkpoint starts again, ends again, and
// commits once.
func TestACrashInTheLastCheckpoint(t *testing.T) {
	for _, point := range []string{sim.PointCheckpointAck, sim.PointCheckpointDone} {
		p := play(t, jobOf(2, scripted), true, "produce events/0 10 a 1", "fault "+point, "end events")
		same(t, point, p.told("job.started", "job.finished"), "job.started 0", "job.started 1", "job.finished")
		same(t, point+": committed", p.committed(), "sink0 a [0,1000) 1  [] 0 false")
	}
}

// A reader that has ended is not drained again: the end of its data came once,
// and the operators were told once.
func TestDrainWithASpareReaderThatHasEnded(t *testing.T) {
	p := play(t, jobOf(2, "splits: 1, spare-readers: finish, "+scripted), true, "produce events/0 10 a 1", "stop --drain")
	same(t, "steps", p.told("watermark.emitted", "source.ended", "checkpoint.completed", "job.stopped"),
		"source.ended", "watermark.emitted events[1] MAX", "watermark.emitted events[0] MAX", "checkpoint.completed 1", "job.stopped")
	same(t, "committed", p.committed(), "sink0 a [0,1000) 1  [] 0 false")
}

// A savepoint commits nothing, and a failover does not go back to it; the next
// checkpoint commits what the savepoint had closed, too.
func TestASavepointIsNoCheckpoint(t *testing.T) {
	p := play(t, jobOf(1, scripted), true, "produce events/0 10 a 1", "watermark events/0 999")
	if err := p.w.Savepoint("savepoint", flink.Canonical); err != nil {
		t.Fatal(err)
	}
	same(t, "after the savepoint", p.committed())
	if p.w.Job().Latest() != nil {
		t.Error("a failover would go back to the savepoint")
	}
	if err := p.w.Checkpoint("checkpoint"); err != nil {
		t.Fatal(err)
	}
	same(t, "after the checkpoint", p.committed(), "sink0 a [0,1000) 1  [] 0 false")
}

// A job that waits for its restart can be cancelled, and then it stays so.
func TestCancelWhileRestarting(t *testing.T) {
	job := strings.Replace(jobOf(1, scripted), "delay: 0s", "delay: 10s", 1)
	p := play(t, job, true, "crash op0")
	if err := p.w.Cancel("cancel"); err != nil {
		t.Fatal(err)
	}
	if err := p.w.Advance("advance 1m", 60_000); err != nil {
		t.Fatal(err)
	}
	if s := p.w.Job().Status; s != flink.Canceled {
		t.Errorf("the job is %s", s)
	}
}

// Backpressure belongs to the operator, not to the attempt: it is there again
// behind a restart.
func TestBackpressureOutlivesARestart(t *testing.T) {
	p := play(t, jobOf(1, scripted), true, "backpressure op0 on", "crash op0", "produce events/0 10 a 1")
	same(t, "read while blocked", p.told("record.read"))
	p = play(t, jobOf(1, scripted), true, "backpressure op0 on", "crash op0", "produce events/0 10 a 1", "backpressure op0 off")
	same(t, "read behind it", p.told("record.read"), "record.read")
}
