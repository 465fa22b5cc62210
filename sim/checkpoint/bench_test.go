package checkpoint_test

import (
	"fmt"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// A heap job acknowledges at once: each task writes one private file.
type heapJob struct {
	c     *checkpoint.Coordinator
	state []byte
	tasks int
	done  int
}

func (h *heapJob) CheckpointEvent(e checkpoint.Event) {
	switch e := e.(type) {
	case checkpoint.Completed:
		h.done++
	case checkpoint.TriggerTasks:
		for task := range h.tasks {
			handle, _, err := h.c.Storage().Write(e.Directory, fmt.Sprint("state-", task), objectstore.Bytes(h.state), true, "task")
			if err != nil {
				panic(err)
			}
			h.c.Acknowledge(e.ID, task, checkpoint.TaskState{{UID: "totals", State: checkpoint.SubtaskState{
				Keyed: []checkpoint.KeyedState{{Last: 127, Private: []checkpoint.NamedHandle{{Name: "state", Handle: handle}}}},
			}}})
		}
	}
}

// runDay runs a day of checkpoints every ten seconds and returns how many were
// complete.
func runDay(tb testing.TB, stateSize int) int {
	now := int64(0)
	var queue sim.Queue
	clock := func() int64 { return now }
	store := objectstore.New(objectstore.ObjectStore, clock, objectstore.Memory{})
	h := &heapJob{tasks: 4, state: make([]byte, stateSize)}
	graph := checkpoint.NewGraph(checkpoint.Vertex{Name: "totals", Parallelism: h.tasks, MaxParallelism: 128, Operators: []string{"totals"}})
	h.c = checkpoint.New(checkpoint.Config{
		Interval: 10_000, Timeout: 600_000, MaxConcurrent: 1, AfterTasksFinish: true, Retained: 3,
	}, graph, &checkpoint.Storage{Store: store, Job: "job", InlineThreshold: checkpoint.DefaultInlineThreshold}, nil, clock, &queue)
	h.c.Sink = h
	h.c.StartScheduler(10_000)
	for e := queue.Next(); e != nil && e.At <= 86_400_000; e = queue.Next() {
		queue.Take()
		now = e.At
		e.Do()
	}
	if used, want := store.Used(), int64(3*h.tasks*stateSize); used < want || used > want+3*1000 {
		tb.Errorf("%d bytes are left, want those of three checkpoints, %d", used, want)
	}
	return h.done
}

// A day has 8,640 of them, and no file of an older one is left.
func TestADayOfCheckpoints(t *testing.T) {
	if n := runDay(t, 64*1024); n != 8640 {
		t.Errorf("%d checkpoints", n)
	}
}

// BenchmarkDay is the unit measure: 8,640 checkpoints of coordinator and store.
func BenchmarkDay(b *testing.B) {
	for b.Loop() {
		if n := runDay(b, 64*1024); n != 8640 {
			b.Fatalf("%d checkpoints", n)
		}
	}
	b.ReportMetric(8640*float64(b.N)/b.Elapsed().Seconds(), "checkpoints/s")
}
