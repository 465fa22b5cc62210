package checkpoint_test

import (
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// worldJob plays the tasks in a kernel: each acknowledges after a while, and
// what the coordinator does becomes steps.
type worldJob struct {
	kernel *sim.Kernel
	c      *checkpoint.Coordinator
	takes  int64
	failed int
}

func (w *worldJob) CheckpointEvent(e checkpoint.Event) {
	k := w.kernel
	switch e := e.(type) {
	case checkpoint.TriggerTasks:
		k.Emit("jm", e.Rule(), sim.CheckpointTriggered{ID: e.ID})
		for task := range w.c.Graph().Tasks() {
			k.Queue.At(k.Now()+w.takes, false, func() { w.c.Acknowledge(e.ID, task, nil) })
		}
	case checkpoint.Completed:
		k.Emit("jm", e.Rule(), sim.CheckpointCompleted{ID: e.ID})
	case checkpoint.Aborted:
		k.Emit("jm", e.Rule(), sim.CheckpointAborted{ID: e.ID, Reason: string(e.Reason)})
	case checkpoint.JobFailed:
		// A call back while the coordinator works: it stands in line. The restart
		// comes after its delay.
		w.failed++
		w.c.StopScheduler()
		k.Queue.At(k.Now()+1000, false, func() {
			w.c.RestoreLatest()
			w.c.StartScheduler(10_000)
		})
	}
}

// The coordinator runs in a world's kernel on nothing but its clock and queue,
// and a run ends although ticks come for ever.
func TestCoordinatorInAKernel(t *testing.T) {
	k := sim.NewKernel(1, sim.DefaultBounds)
	w := &worldJob{kernel: k, takes: 3000}
	g := checkpoint.NewGraph(
		checkpoint.Vertex{Name: "clicks", Parallelism: 2, MaxParallelism: 128, Operators: []string{"clicks"}},
		checkpoint.Vertex{Name: "totals", Parallelism: 2, MaxParallelism: 128, Operators: []string{"totals"}, Inputs: []checkpoint.Input{{}}},
	)
	storage := &checkpoint.Storage{Store: objectstore.New(objectstore.ObjectStore, k.Now, objectstore.Memory{}), Job: "job"}
	w.c = checkpoint.New(checkpoint.Config{Interval: 10_000, Timeout: 5000, MaxConcurrent: 1, AfterTasksFinish: true}, g, storage, nil, k.Now, &k.Queue)
	w.c.Sink = w
	w.c.StartScheduler(10_000)
	run := func(limit int64) {
		t.Helper()
		for {
			more, err := k.Next(limit)
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				break
			}
		}
		k.Pass(limit)
	}
	run(35_000)
	if got := w.c.Store().Latest().ID(); got != 3 {
		t.Errorf("the latest is %d", got)
	}
	if k.Queue.Pending() {
		t.Error("something is left beside ticks")
	}
	// Slower than the timeout: the job fails, and begins again a second later.
	w.takes = 6000
	run(46_000)
	if w.failed != 1 || w.c.NextTick() != 46_000+10_000 {
		t.Errorf("failed %d times, next tick at %d", w.failed, w.c.NextTick())
	}
	var ids []int64
	for _, s := range k.Trace.Steps() {
		if b, is := s.Body.(sim.CheckpointTriggered); is {
			ids = append(ids, b.ID)
		}
	}
	if len(ids) != 4 || ids[3] != 4 {
		t.Errorf("triggered %v", ids)
	}
	// Rescaled, the next checkpoint has the new tasks.
	w.c.StopScheduler()
	w.takes = 0
	g = checkpoint.NewGraph(checkpoint.Vertex{Name: "clicks", Parallelism: 3, MaxParallelism: 128, Operators: []string{"clicks"}})
	w.c.SetGraph(g)
	w.c.Checkpoint(checkpoint.KindConfigured)
	run(60_000)
	if m := w.c.Store().Latest().Metadata; m.ID != 5 || len(m.Operators) != 1 || len(m.Operators[0].Subtasks) != 3 {
		t.Errorf("metadata %+v", m)
	}
	// Everybody has finished: a request is rejected, and has used up an id.
	for task := range g.Tasks() {
		g.Set(task, checkpoint.Done)
	}
	next := w.c.NextID()
	w.c.Checkpoint(checkpoint.KindFull)
	if w.c.NextID() != next+1 || len(w.c.Pending()) != 0 {
		t.Errorf("next id %d, pending %v", w.c.NextID(), w.c.Pending())
	}
}
