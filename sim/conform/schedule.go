package conform

import (
	"encoding/json"
	"fmt"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// scheduleReplayer drives the coordinator of a job whose tasks are told by the
// steps.
type scheduleReplayer struct {
	now         int64
	queue       sim.Queue
	coordinator *checkpoint.Coordinator
	store       *objectstore.Store
	// asked: the recording has a source coordinator, and shows when it is
	// asked.
	asked  bool
	events [][]any
}

// enumerator is the operator whose coordinator snapshots first.
const enumerator = "source"

func newSchedule(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Interval      int64  `json:"interval"`
		MinPause      int64  `json:"min_pause"`
		Timeout       int64  `json:"timeout"`
		MaxConcurrent int    `json:"max_concurrent"`
		Tolerable     int    `json:"tolerable"`
		Sources       int    `json:"sources"`
		Others        int    `json:"others"`
		Unaligned     bool   `json:"unaligned"`
		Coordinator   bool   `json:"coordinator"`
		Backlog       *int64 `json:"backlog_interval"`
		FinishSupport *bool  `json:"finish_support"`
		Down          []int  `json:"down"`
	}](config)
	if err != nil {
		return nil, err
	}
	for what, n := range map[string]int{"sources": c.Sources, "others": c.Others} {
		if err := index(what, n, maxParts); err != nil {
			return nil, err
		}
	}
	if c.Interval < 1 || c.MinPause < 0 || c.Timeout < 1 || c.MaxConcurrent < 1 || c.Tolerable < 0 || c.Backlog != nil && *c.Backlog < 0 {
		return nil, fmt.Errorf("impossible times")
	}
	r := &scheduleReplayer{asked: c.Coordinator}
	graph := checkpoint.NewGraph(
		checkpoint.Vertex{Name: "source", Parallelism: c.Sources, MaxParallelism: maxParallelism},
		checkpoint.Vertex{Name: "other", Parallelism: c.Others, MaxParallelism: maxParallelism, Inputs: []checkpoint.Input{{}}},
	)
	for _, task := range c.Down {
		if err := index("task", task, graph.Tasks()); err != nil {
			return nil, err
		}
		graph.Set(task, checkpoint.Deploying)
	}
	conf := checkpoint.Config{
		Interval: c.Interval, MinPause: c.MinPause, Timeout: c.Timeout, MaxConcurrent: c.MaxConcurrent,
		TolerableFailures: c.Tolerable, Unaligned: c.Unaligned, IntervalDuringBacklog: c.Backlog,
		AfterTasksFinish: c.FinishSupport == nil || *c.FinishSupport, Retained: 1,
	}
	if c.Coordinator {
		conf.Coordinators = []string{enumerator}
	}
	now := func() int64 { return r.now }
	r.store = objectstore.New(objectstore.LocalDirectory, now, objectstore.Memory{})
	storage := &checkpoint.Storage{Store: r.store, Job: "j1", Savepoints: "savepoints"}
	r.coordinator = checkpoint.New(conf, graph, storage, nil, now, &r.queue)
	r.coordinator.Sink = r
	return r, nil
}

type scheduleStep struct {
	T       int64                    `json:"t"`
	Op      string                   `json:"op"`
	First   int64                    `json:"first"`
	Ckpt    int64                    `json:"ckpt"`
	Task    *int                     `json:"task"`
	Reason  checkpoint.FailureReason `json:"reason"`
	Stop    string                   `json:"stop"`
	Type    string                   `json:"type"`
	Outcome checkpoint.StoreFault    `json:"outcome"`
	On      bool                     `json:"on"`
}

// Step implements Replayer.
func (r *scheduleReplayer) Step(step json.RawMessage) (any, error) {
	var s scheduleStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if s.Task != nil {
		if err := index("task", *s.Task, r.coordinator.Graph().Tasks()); err != nil {
			return nil, err
		}
	}
	r.events = nil
	// An advance fires what is due at its time, everything else only what is
	// due before: so that a recording tells which of two things at one ms came
	// first.
	r.advance(s.T, s.Op == "advance")
	if err := r.act(&s); err != nil {
		return nil, err
	}
	events := r.events
	if events == nil {
		events = [][]any{}
	}
	return struct {
		Events  [][]any `json:"ev"`
		Pending []int64 `json:"pending,omitempty"`
		Queued  int     `json:"queued,omitempty"`
		Next    Time    `json:"next"`
		Fails   int     `json:"fails,omitempty"`
	}{
		events, r.coordinator.Pending(), r.coordinator.Queued(), Time(r.coordinator.NextTick()), r.coordinator.Failures(),
	}, nil
}

func (r *scheduleReplayer) advance(t int64, inclusive bool) {
	for n := 0; ; n++ {
		bounded("events", n)
		e := r.queue.Next()
		if e == nil || e.At > t || e.At == t && !inclusive {
			break
		}
		r.queue.Take()
		r.now = max(r.now, e.At)
		e.Do()
	}
	r.now = max(r.now, t)
}

func (r *scheduleReplayer) act(s *scheduleStep) error {
	c, g := r.coordinator, r.coordinator.Graph()
	switch s.Op {
	case "advance":
	case "running":
		c.StartScheduler(s.First)
	case "leave_running":
		c.StopScheduler()
	case "ack":
		for task := range g.Tasks() {
			if s.Task == nil && g.Status(task) == checkpoint.Running || s.Task != nil && *s.Task == task {
				c.Acknowledge(s.Ckpt, task, nil)
			}
		}
	case "decline":
		if s.Task == nil || !s.Reason.Known() {
			return fmt.Errorf("decline without a task or a reason")
		}
		c.Decline(s.Ckpt, *s.Task, s.Reason)
	case "savepoint":
		switch s.Stop {
		case "":
			c.Savepoint("")
		case "suspend", "drain":
			c.StopWithSavepoint(s.Stop == "drain", "")
		default:
			return fmt.Errorf("unknown stop %q", s.Stop)
		}
	case "checkpoint":
		switch kind := checkpoint.CheckpointKind(s.Type); kind {
		case checkpoint.KindConfigured, checkpoint.KindFull, checkpoint.KindIncremental:
			c.Checkpoint(kind)
		default:
			return fmt.Errorf("unknown type %q", s.Type)
		}
	case "task_finished", "task_up":
		if s.Task == nil {
			return fmt.Errorf("%s without a task", s.Op)
		}
		status := checkpoint.Done
		if s.Op == "task_up" {
			status = checkpoint.Running
		}
		g.Set(*s.Task, status)
	case "fail_metadata":
		// Nothing but _metadata is put here.
		r.store.Faults.Failing = append(r.store.Faults.Failing, &objectstore.Failing{Op: objectstore.OpPut, Nth: 1})
	case "fail_store":
		if s.Outcome != checkpoint.StoreFailed && s.Outcome != checkpoint.StoreUnknown {
			return fmt.Errorf("unknown outcome %q", s.Outcome)
		}
		c.Store().Faults = append(c.Store().Faults, s.Outcome)
	case "coord_ack":
		c.AcknowledgeCoordinator(s.Ckpt, enumerator, nil)
	case "coord_fail":
		c.FailCoordinator(s.Ckpt)
	case "backlog":
		c.SetProcessingBacklog(enumerator, s.On)
	case "hold_deletes":
		c.HoldDeletions()
	case "release_delete":
		c.ReleaseDeletion()
	default:
		return errStep
	}
	return nil
}

// CheckpointEvent implements checkpoint.Sink: it writes the events that were
// recorded in the form of the recording.
func (r *scheduleReplayer) CheckpointEvent(e checkpoint.Event) {
	bounded("events", len(r.events))
	say := func(name string, more ...any) { r.events = append(r.events, append([]any{r.now, name}, more...)) }
	some := func(all bool, tasks []int) []any {
		if all {
			return nil
		}
		if tasks == nil {
			tasks = []int{}
		}
		return []any{tasks}
	}
	switch e := e.(type) {
	case checkpoint.PendingCreated:
		if r.asked {
			say("create", e.ID)
		}
	case checkpoint.SnapshotCoordinators:
		say("coord_snapshot", e.ID)
	case checkpoint.TriggerTasks:
		say("trigger", append([]any{e.ID, e.Type.String()}, some(e.Sources, e.Tasks)...)...)
	case checkpoint.Completed:
		say("complete", e.ID)
	case checkpoint.NotifyCompleted:
		say("notify", append([]any{e.ID, e.Subsumed}, some(e.All, e.Tasks)...)...)
	case checkpoint.Aborted:
		say("abort", e.ID, e.Reason)
	case checkpoint.NotifyAborted:
		say("notify_abort", append([]any{e.ID, e.Latest}, some(e.All, e.Tasks)...)...)
	case checkpoint.RequestRejected:
		say("reject", e.Reason)
	case checkpoint.RequestAnswered:
		switch {
		case e.Exception == nil:
			say("result", e.Request, "ok", e.ID)
		case e.Reason != "":
			say("result", e.Request, "failed", e.Reason)
		default:
			// An exception that is not the coordinator's own: its class.
			class := e.Exception.Class
			say("result", e.Request, "failed", class[strings.LastIndexByte(class, '.')+1:])
		}
	case checkpoint.JobFailed:
		if e.Task < 0 {
			say("fail_job", nil)
		} else {
			say("fail_job", e.Task)
		}
	}
}
