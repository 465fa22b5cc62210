package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// registryReplayer drives the coordinators of jobs that follow one another over
// the same files, and plays their tasks.
type registryReplayer struct {
	tasks      int
	configured int
	retention  checkpoint.Retention
	available  bool

	files       *objectstore.Store
	queue       sim.Queue
	job         int
	retained    int
	mode        checkpoint.ClaimMode
	ha          *checkpoint.HighAvailability
	coordinator *checkpoint.Coordinator
	// paths are the uploaded shared files by their name.
	paths map[string]string

	// What the coordinator told since the step began.
	triggered *checkpoint.TriggerTasks
	refused   bool
	subsumed  int64
	aborted   bool
	completed bool
}

// registryOperator is the stateful operator of the recordings.
const registryOperator = "operator"

func newRegistry(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Tasks     int                  `json:"tasks"`
		Retain    int                  `json:"retain"`
		Retention checkpoint.Retention `json:"retention"`
		HA        bool                 `json:"ha"`
	}](config)
	if err != nil {
		return nil, err
	}
	if err := index("tasks", c.Tasks-1, maxParts); err != nil {
		return nil, err
	}
	r := &registryReplayer{
		tasks: c.Tasks, configured: c.Retain, retention: c.Retention, available: c.HA,
		files: objectstore.New(objectstore.LocalDirectory, func() int64 { return 0 }, objectstore.Memory{}),
		paths: map[string]string{},
	}
	r.newJob(checkpoint.NoClaim, 0)
	return r, nil
}

// newJob starts a job over the files that are there. It retains what the
// recording says, or as many checkpoints as its own step says.
func (r *registryReplayer) newJob(mode checkpoint.ClaimMode, retained int) {
	r.job++
	r.retained = r.configured
	if retained > 0 {
		r.retained = retained
	}
	r.mode = mode
	r.ha = nil
	if r.available {
		r.ha = &checkpoint.HighAvailability{}
	}
	r.newJobManager()
}

func (r *registryReplayer) newJobManager() {
	graph := checkpoint.NewGraph(checkpoint.Vertex{
		Name: registryOperator, Parallelism: r.tasks, MaxParallelism: maxParallelism, Operators: []string{registryOperator},
	})
	// Sizes play no role in the recordings: everything is a file.
	storage := &checkpoint.Storage{Store: r.files, Job: fmt.Sprintf("j%d", r.job)}
	config := checkpoint.Config{
		Timeout: 1, MaxConcurrent: 1, TolerableFailures: checkpoint.UnlimitedTolerableFailures, AfterTasksFinish: true,
		Retained: r.retained, Retention: r.retention, ClaimMode: r.mode,
	}
	r.coordinator = checkpoint.New(config, graph, storage, r.ha, func() int64 { return 0 }, &r.queue)
	r.coordinator.Sink = r
}

type registryStep struct {
	Op     string               `json:"op"`
	Files  [][]string           `json:"files"`
	Fail   string               `json:"fail"`
	Format string               `json:"format"`
	Stop   bool                 `json:"stop"`
	Ckpt   int64                `json:"ckpt"`
	Task   int                  `json:"task"`
	From   string               `json:"from"`
	Mode   checkpoint.ClaimMode `json:"mode"`
	Retain int                  `json:"retain"`
	State  checkpoint.Status    `json:"state"`
	Late   []string             `json:"-"`
}

// UnmarshalJSON reads a step: files are those of all tasks, or of the one task
// that acknowledges late.
func (s *registryStep) UnmarshalJSON(text []byte) error {
	type plain registryStep
	var late struct {
		Op string `json:"op"`
	}
	if err := json.Unmarshal(text, &late); err != nil {
		return err
	}
	if late.Op != "late_ack" {
		return decode(text, (*plain)(s))
	}
	var l struct {
		Op    string   `json:"op"`
		Files []string `json:"files"`
		Ckpt  int64    `json:"ckpt"`
		Task  int      `json:"task"`
	}
	if err := decode(text, &l); err != nil {
		return err
	}
	*s = registryStep{Op: l.Op, Late: l.Files, Ckpt: l.Ckpt, Task: l.Task}
	return nil
}

// Step implements Replayer.
func (r *registryReplayer) Step(step json.RawMessage) (any, error) {
	var s registryStep
	if err := s.UnmarshalJSON(step); err != nil {
		return nil, err
	}
	before := r.listing()
	r.triggered, r.refused, r.subsumed, r.aborted, r.completed = nil, false, -1, false, false
	out, err := r.act(&s)
	if err != nil {
		return nil, err
	}
	if gone := before.without(r.listing()); len(gone) > 0 {
		out["gone"] = gone
	}
	store := []int64{}
	for _, c := range r.coordinator.Store().Checkpoints() {
		store = append(store, c.ID())
	}
	reg := map[string][2]int64{}
	for _, e := range r.coordinator.Store().Registry().Entries() {
		reg[base(e.Path)] = [2]int64{e.CreatedBy, e.LastUsed}
	}
	out["store"], out["reg"] = store, reg
	return out, nil
}

func (r *registryReplayer) act(s *registryStep) (map[string]any, error) {
	c := r.coordinator
	switch s.Op {
	case "checkpoint":
		return r.checkpoint(s)
	case "savepoint":
		return r.savepoint(s)
	case "late_ack":
		if err := index("task", s.Task, r.tasks); err != nil {
			return nil, err
		}
		state, err := r.write(s.Task, s.Late, c.Storage().CheckpointDirectory(s.Ckpt), c.Storage().SharedDirectory(), false)
		if err != nil {
			return nil, err
		}
		c.Acknowledge(s.Ckpt, s.Task, state)
		return r.refusal(map[string]any{}), nil
	case "restart":
		return r.restored(c.RestoreLatest()), nil
	case "jm_failover":
		if r.ha == nil {
			return nil, fmt.Errorf("failover of a JobManager without high availability")
		}
		r.newJobManager()
		out := r.restored(r.coordinator.RestoreLatest())
		out["next_id"] = r.coordinator.NextID()
		return out, nil
	case "restore":
		r.newJob(s.Mode, s.Retain)
		if _, err := r.coordinator.RestoreSnapshot(s.From, s.Mode); err != nil {
			var e *sim.Exception
			if errors.As(err, &e) && e.Class == "java.io.FileNotFoundException" {
				return map[string]any{"error": "metadata not found"}, nil
			}
			return nil, err
		}
		return map[string]any{
			"job": r.coordinator.Storage().Job, "next_id": r.coordinator.NextID(), "next_full": r.coordinator.NextFull(),
		}, nil
	case "terminate":
		out := map[string]any{}
		if err := c.Shutdown(s.State); err != nil {
			var e *objectstore.Error
			if !errors.As(err, &e) || e.Code != objectstore.DirectoryNotEmpty {
				return nil, err
			}
			out["error"] = "directory not empty"
		}
		out["left"] = r.listing().left()
		return out, nil
	}
	return nil, errStep
}

func (r *registryReplayer) restored(latest *checkpoint.CompletedCheckpoint) map[string]any {
	out := map[string]any{"from": nil, "next_full": r.coordinator.NextFull()}
	if latest != nil {
		out["from"] = latest.ID()
	}
	return out
}

func (r *registryReplayer) checkpoint(s *registryStep) (map[string]any, error) {
	c := r.coordinator
	switch s.Fail {
	case "":
	case "store-failed":
		c.Store().Faults = append(c.Store().Faults, checkpoint.StoreFailed)
	case "store-unknown":
		c.Store().Faults = append(c.Store().Faults, checkpoint.StoreUnknown)
	default:
		return nil, fmt.Errorf("unknown failure %q", s.Fail)
	}
	c.Checkpoint(checkpoint.KindConfigured)
	return r.snapshot(s.Files, c.Storage().SharedDirectory(), false)
}

func (r *registryReplayer) savepoint(s *registryStep) (map[string]any, error) {
	c := r.coordinator
	files := s.Files
	switch s.Format {
	case "native":
	case "canonical":
		// One stream for each task, without shared files.
		files = make([][]string, r.tasks)
		for i := range files {
			files[i] = []string{}
		}
	default:
		return nil, fmt.Errorf("unknown format %q", s.Format)
	}
	target := fmt.Sprintf("%s/sp-%d", c.Storage().Job, c.NextID())
	if s.Stop {
		c.StopWithSavepoint(false, target)
	} else {
		c.Savepoint(target)
	}
	return r.snapshot(files, target, true)
}

// snapshot plays the tasks: each writes and acknowledges; what is not complete
// then is declined, because a task has no files or was refused.
func (r *registryReplayer) snapshot(files [][]string, shared string, relative bool) (map[string]any, error) {
	t := r.triggered
	if t == nil {
		return nil, fmt.Errorf("nothing was triggered")
	}
	if len(files) != r.tasks {
		return nil, fmt.Errorf("files of %d tasks, there are %d", len(files), r.tasks)
	}
	for task, names := range files {
		if names == nil {
			continue
		}
		state, err := r.write(task, names, t.Directory, shared, relative)
		if err != nil {
			return nil, err
		}
		r.coordinator.Acknowledge(t.ID, task, state)
	}
	out := r.refusal(map[string]any{"ckpt": t.ID})
	if !r.completed && !r.aborted {
		r.coordinator.Decline(t.ID, 0, checkpoint.Declined)
	}
	if t.Type == checkpoint.TypeFullCheckpoint {
		out["full"] = true
	}
	if r.aborted {
		out["status"] = "aborted"
	}
	if r.subsumed >= 0 {
		out["subsumed"] = r.subsumed
	}
	return out, nil
}

func (r *registryReplayer) refusal(out map[string]any) map[string]any {
	if r.refused {
		out["error"] = "unknown placeholder"
	}
	return out
}

// write uploads what a task says it has: one private file, and the shared files
// that are new.
func (r *registryReplayer) write(task int, names []string, private, shared string, relative bool) (checkpoint.TaskState, error) {
	bounded("files", len(names))
	s := r.coordinator.Storage()
	k := checkpoint.KeyedState{Backend: "backend", Last: maxParallelism - 1}
	h, _, err := s.Write(private, fmt.Sprintf("p%d", task), objectstore.Sized(1), true, "task")
	if err != nil {
		return nil, err
	}
	k.Private = []checkpoint.NamedHandle{{Name: "private", Handle: h}}
	for _, name := range names {
		name, added := strings.CutPrefix(name, "+")
		var h checkpoint.Handle
		if added {
			if h, _, err = s.Write(shared, name, objectstore.Sized(1), relative, "task"); err != nil {
				return nil, err
			}
			r.paths[name] = h.Path
		} else {
			path := r.paths[name]
			if path == "" {
				path = s.SharedDirectory() + "/" + name
			}
			h = checkpoint.PlaceholderFor(checkpoint.Handle{Path: path, Size: 1})
		}
		k.Shared = append(k.Shared, checkpoint.NamedHandle{Name: name, Handle: h})
	}
	return checkpoint.TaskState{{UID: registryOperator, State: checkpoint.SubtaskState{Keyed: []checkpoint.KeyedState{k}}}}, nil
}

// CheckpointEvent implements checkpoint.Sink.
func (r *registryReplayer) CheckpointEvent(e checkpoint.Event) {
	switch e := e.(type) {
	case checkpoint.TriggerTasks:
		r.triggered = &e
	case checkpoint.AcknowledgeRefused:
		r.refused = true
	case checkpoint.NotifyCompleted:
		r.subsumed = e.Subsumed
	case checkpoint.Completed:
		r.completed = true
	case checkpoint.Aborted:
		r.aborted = true
	}
}

// A listing is what lies on the storage: shared files by their name, snapshot
// directories, and the other files in them.
type listing struct{ shared, directories, files []string }

func (r *registryReplayer) listing() (l listing) {
	for _, d := range r.files.Directories() {
		if name := base(d); strings.HasPrefix(name, "chk-") || strings.HasPrefix(name, "sp-") {
			l.directories = append(l.directories, d)
		}
	}
	for _, o := range r.files.Objects() {
		if r.paths[base(o.Key)] == o.Key {
			l.shared = append(l.shared, base(o.Key))
		} else {
			l.files = append(l.files, o.Key)
		}
	}
	return l
}

// without lists what is not in another listing any more: a directory as a
// whole, a file only if its directory stayed.
func (l listing) without(after listing) []string {
	gone := func(before, after []string) (out []string) {
		for _, x := range before {
			if !slices.Contains(after, x) {
				out = append(out, x)
			}
		}
		return out
	}
	out := gone(l.shared, after.shared)
	directories := gone(l.directories, after.directories)
	out = append(out, directories...)
	for _, f := range gone(l.files, after.files) {
		if !slices.Contains(directories, f[:strings.LastIndexByte(f, '/')]) {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

// left lists everything but _metadata.
func (l listing) left() []string {
	out := append([]string{}, l.shared...)
	out = append(out, l.directories...)
	for _, f := range l.files {
		if base(f) != checkpoint.MetadataFile {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
