package conform

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/flink"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// forstConfig is the configuration of a case.
type forstConfig struct {
	API         string          `json:"api"`
	Primary     string          `json:"primary"`
	SyncLocal   *bool           `json:"sync_local"`
	Mode        lsm.ClaimMode   `json:"mode"`
	Retain      int             `json:"retain"`
	Incremental *bool           `json:"incremental"`
	Inline      bool            `json:"inline"`
	FS          string          `json:"fs"`
	Backend     string          `json:"backend"`
	Promote     int             `json:"promote"`
	Cache       json.RawMessage `json:"cache"`
}

// forstReplayer runs one task, and the coordinator of its job over one store
// for everything that outlives a task. The other tasks of the job do nothing but
// acknowledge: the other subtasks at once, the rest of the job at a confirm.
type forstReplayer struct {
	keyedFiles
	config      forstConfig
	remote      *flink.Remote
	queue       sim.Queue
	coordinator *checkpoint.Coordinator
	// job and attempt number what runs; restores count the restore steps.
	job, attempt, restores int
	backends               int
	// subtask is which of the operator's tasks runs here.
	subtask int
	// snapshots are the directories of all that were completed, by the name that
	// a restore gives.
	snapshots map[string]string
	// triggered is what the coordinator asked the task for, last.
	triggered *checkpoint.TriggerTasks
	// failed is what the recordings' JobManager never met.
	failed error

	// db is nil when the task is down or on the heap.
	db    *lsm.DB
	disk  lsm.FS
	cache *lsm.FileCache
	up    bool

	// labels names objects and local tables as the recording does.
	labels map[string]string
	// leaked are local disks that a task which could not be closed left behind.
	leaked []lsm.FS
	// suffix is what tables that appear in this step are copies of, if they
	// are copies.
	suffix string
	// restored says that from now on nothing is recorded about the cache.
	restored, killed bool
	before           forstView
	shown            forstView
}

// A forstView is what the recording shows of the storage after a step.
type forstView struct {
	areas map[string][]string
	owner map[string]lsm.Owner
	dirs  []string
	kinds []string
	cache *lsm.CacheCounters
}

func newForSt(config json.RawMessage) (Replayer, error) {
	c, err := configured[forstConfig](config)
	if err != nil {
		return nil, err
	}
	if c.Mode == "" {
		c.Mode = lsm.NoClaim
	}
	if c.Retain == 0 {
		c.Retain = 1
	}
	if c.Backend == "" {
		c.Backend = "forst"
	}
	store := objectstore.New(objectstore.LocalDirectory, func() int64 { return 0 }, objectstore.Memory{})
	r := &forstReplayer{config: c, remote: flink.NewRemote(store), job: 1, snapshots: map[string]string{}, labels: map[string]string{}}
	r.keys = state.NewKeys(maxParallelism)
	r.newJobManager(1)
	if err := r.start(1, 0, nil); err != nil {
		return nil, err
	}
	r.before, err = r.view()
	r.shown = r.before
	r.shown.cache = nil
	return r, err
}

// forstOperator is the stateful operator of the recordings.
const forstOperator = "operator"

// newJobManager starts the coordinator of a job. The former one is simply gone.
func (r *forstReplayer) newJobManager(parallelism int) {
	if r.coordinator != nil {
		r.coordinator.Crash()
	}
	storage := &checkpoint.Storage{Store: r.remote.Store, Directory: "checkpoints", Job: fmt.Sprintf("j%d", r.job)}
	if r.config.Inline {
		storage.InlineThreshold = checkpoint.DefaultInlineThreshold
	}
	r.coordinator = checkpoint.New(checkpoint.Config{
		Timeout: 1, MaxConcurrent: math.MaxInt, TolerableFailures: checkpoint.UnlimitedTolerableFailures, AfterTasksFinish: true,
		Retained: r.config.Retain, ClaimMode: checkpoint.ClaimMode(r.config.Mode),
	}, forstGraph(parallelism), storage, nil, func() int64 { return 0 }, &r.queue)
	r.coordinator.Sink = r
}

// forstGraph is the operator and one task behind it, whose number is the
// parallelism.
func forstGraph(parallelism int) *checkpoint.Graph {
	return checkpoint.NewGraph(
		checkpoint.Vertex{Name: forstOperator, Parallelism: parallelism, MaxParallelism: maxParallelism, Operators: []string{forstOperator}},
		checkpoint.Vertex{Name: "rest", Parallelism: 1, MaxParallelism: maxParallelism, Inputs: []checkpoint.Input{{}}},
	)
}

// rest is the task that acknowledges at a confirm.
func (r *forstReplayer) rest() int { return r.coordinator.Graph().Tasks() - 1 }

// CheckpointEvent implements checkpoint.Sink.
func (r *forstReplayer) CheckpointEvent(e checkpoint.Event) {
	var failed error
	switch e := e.(type) {
	case checkpoint.TriggerTasks:
		r.triggered = &e
	case checkpoint.Completed:
		r.snapshots[path.Base(e.Directory)] = e.Directory
	case checkpoint.NotifyAborted:
		if r.db != nil {
			r.db.NotifyAborted(e.ID)
		}
	case checkpoint.NotifyCompleted:
		if r.db != nil {
			r.db.NotifyComplete(e.ID)
		}
	case checkpoint.AcknowledgeRefused:
		failed = e.Exception
	case checkpoint.CheckpointDiscarded:
		failed = e.Err
	case checkpoint.SharedStateUnregistered:
		failed = e.Err
	}
	r.failed = errors.Join(r.failed, failed)
}

// jobPath is where the tables of a job lie.
func (r *forstReplayer) jobPath() string {
	if r.config.Primary == "own" {
		return fmt.Sprintf("own/j%d/", r.job)
	}
	return r.coordinator.Storage().SharedDirectory() + "/"
}

// start begins an attempt on the state of a snapshot.
func (r *forstReplayer) start(parallelism, subtask int, from []*lsm.Handle) error {
	if err := r.assign(parallelism, subtask); err != nil {
		return err
	}
	r.subtask = subtask
	r.disk, r.db, r.up, r.cache = lsm.NewMemFS(), nil, false, nil
	if r.config.Backend == "hashmap" {
		for _, h := range from {
			if err := h.OnHeap(); err != nil {
				return err
			}
		}
		r.up = true
		if err := r.open(state.Heap, nil); err != nil || len(from) == 0 {
			return err
		}
		return r.fill(from)
	}
	r.backends++
	o := lsm.Options{
		Names: &r.names, UID: strconv.Itoa(r.backends), FS: r.disk, Keys: r.keys, Groups: r.groups,
		Incremental: r.config.Incremental == nil || *r.config.Incremental,
	}
	if r.config.Backend == "forst" {
		async := r.config.API == "async"
		o.ForSt = &lsm.ForSt{Async: async, Mode: r.config.Mode}
		enforced := !async && (r.config.SyncLocal == nil || *r.config.SyncLocal)
		if r.config.Primary != "local" && !enforced {
			name := fmt.Sprintf("j%da%d", r.job, r.attempt)
			o.ForSt.Store, o.ForSt.JobPath = r.remote.FS, r.jobPath()
			o.ForSt.Primary = r.jobPath() + "db-" + name
			o.ForSt.HandOver = r.config.Primary == "checkpoint"
			cache, err := r.newCache()
			if err != nil {
				return err
			}
			r.cache, o.ForSt.Cache = cache, cache
		}
	}
	db, err := r.remote.Restore(o, from)
	if err != nil {
		return err
	}
	r.db, r.up = db, true
	return r.open(state.Backend{Name: r.config.Backend}, db)
}

// fill restores the heap from what it, or any other backend, wrote as rows.
func (r *forstReplayer) fill(from []*lsm.Handle) error {
	var all []*state.Snapshot
	for _, h := range from {
		for _, f := range h.Private {
			content := f.Inline
			if content == nil {
				var err error
				if content, err = r.remote.Object(f.Object); err != nil {
					return err
				}
			}
			_, rows, err := state.ReadCanonical(content)
			if err != nil {
				return err
			}
			all = append(all, rows)
		}
	}
	return r.store.Restore(all, r.groups.Contains)
}

// tableSize makes room for a number of tables: those of these cases, with one
// to eight keys, have from 827 to 1070 bytes here, so three of the largest fit
// where four of the smallest do not.
const tableSize = 1085

func (r *forstReplayer) newCache() (*lsm.FileCache, error) {
	if len(r.config.Cache) == 0 || r.config.FS != "remote" {
		// There is none when it would lie on the file system of the tables.
		return nil, nil
	}
	c := lsm.FileCacheConfig{AccessBeforePromote: r.config.Promote}
	switch string(r.config.Cache) {
	case `"big"`:
		c.Limit = 100 << 20
	case `"small"`:
		c.Limit = 60 << 20
	default:
		var n int64
		if err := decode(r.config.Cache, &n); err != nil {
			return nil, err
		}
		c.Limit, c.TargetFileSize = n*tableSize, 1
	}
	return lsm.NewFileCache(c), nil
}

// mirror brings what a tree did on its remote file system to the store.
func (r *forstReplayer) mirror(db *lsm.DB) error {
	return r.remote.Mirror(db, "task", func(sim.Body) {})
}

// Close ends the task at the end of a case.
func (r *forstReplayer) Close() error {
	if r.db == nil {
		return nil
	}
	return r.db.Kill()
}

type forstStep struct {
	rocksStep
	Ack     string         `json:"ack"`
	Mode    *lsm.ClaimMode `json:"mode"`
	Primary string         `json:"primary"`
	Backend string         `json:"backend"`
}

// forstOut is what came out of a step.
type forstOut struct {
	Down    bool               `json:"down,omitempty"`
	Unknown bool               `json:"unknown,omitempty"`
	OK      bool               `json:"ok,omitempty"`
	Values  *map[string]*int64 `json:"values,omitempty"`

	Error     string `json:"error,omitempty"`
	Gist      string `json:"gist,omitempty"`
	TaskClose string `json:"task_close,omitempty"`

	Form    lsm.Form  `json:"form,omitempty"`
	Handed  *[]string `json:"handed,omitempty"`
	Copied  *[]string `json:"copied,omitempty"`
	Inline  []string  `json:"inline,omitempty"`
	Reused  *[]string `json:"reused,omitempty"`
	Private *[]string `json:"private,omitempty"`
	Ack     string    `json:"ack,omitempty"`

	New   map[string][]string   `json:"new,omitempty"`
	Gone  map[string][]string   `json:"gone,omitempty"`
	DB    *map[string]lsm.Owner `json:"db,omitempty"`
	Dirs  []string              `json:"dirs,omitempty"`
	Local *[]string             `json:"local,omitempty"`
	Cache *forstCounters        `json:"cache,omitempty"`
}

type forstCounters struct {
	Hit      int64 `json:"hit"`
	Miss     int64 `json:"miss"`
	Evict    int64 `json:"evict"`
	LoadBack int64 `json:"loadback"`
}

// Step implements Replayer.
func (r *forstReplayer) Step(step json.RawMessage) (any, error) {
	var s forstStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	out := &forstOut{}
	r.suffix, r.killed = "", false
	if err := errors.Join(r.step(&s, out), r.failed); err != nil {
		return nil, err
	}
	if r.db != nil {
		if err := r.mirror(r.db); err != nil {
			return nil, err
		}
	}
	return out, r.observe(out)
}

func (r *forstReplayer) step(s *forstStep, out *forstOut) error {
	switch s.Op {
	case "confirm":
		return r.confirm(s.ID, out)
	case "abort":
		r.coordinator.Decline(s.ID, r.rest(), checkpoint.Declined)
		return nil
	case "restore":
		return r.restore(s, out)
	}
	if !r.up {
		out.Down = true
		return nil
	}
	switch s.Op {
	case "put":
		return r.put(s.KV)
	case "remove":
		return r.keyedFiles.remove(s.Keys)
	case "get":
		values, err := r.get(s.Keys)
		out.Values = &values
		return err
	case "compact":
		if r.db == nil {
			return nil
		}
		_, err := r.db.Compact()
		return err
	case "close":
		return r.end(func(db *lsm.DB) error { return db.Close() })
	case "kill":
		// The recording looks at the cache of a task that is there, or that
		// cleaned up.
		r.leaked, r.killed = nil, true
		return r.end(func(db *lsm.DB) error { return db.Kill() })
	case "checkpoint":
		return r.snapshot(s, out)
	case "savepoint":
		switch s.Format {
		case flink.Native, flink.Canonical:
			return r.snapshot(s, out)
		}
	}
	return errStep
}

// confirm brings the last acknowledgement.
func (r *forstReplayer) confirm(id int64, out *forstOut) error {
	c := r.coordinator
	if !slices.Contains(c.Pending(), id) {
		out.Unknown = true
		return nil
	}
	before := c.Store().Checkpoints()
	c.Acknowledge(id, r.rest(), nil)
	if slices.Contains(c.Pending(), id) {
		return fmt.Errorf("checkpoint %d waits for its task", id)
	}
	for _, x := range before {
		if x.Properties.DiscardSubsumed && !slices.Contains(c.Store().Checkpoints(), x) {
			r.trim(x)
		}
	}
	return nil
}

// trim deletes the private files of a subsumed checkpoint. There are none left,
// except those of a claimed savepoint whose tables are in use: the store keeps
// them until the directory can go as a whole, as Flink does (CP-8.8, recordings
// of kind registry). The JobManager of these recordings is not Flink's, and did
// not wait.
func (r *forstReplayer) trim(x *checkpoint.CompletedCheckpoint) {
	for _, o := range x.Metadata.Operators {
		for _, sub := range o.Subtasks {
			if sub == nil {
				continue
			}
			for _, k := range sub.Keyed {
				for _, f := range k.Private {
					r.coordinator.Storage().Discard(f.Handle)
				}
			}
		}
	}
}

// end ends the task in one of two ways.
func (r *forstReplayer) end(how func(*lsm.DB) error) error {
	r.up = false
	if r.db == nil {
		return nil
	}
	db := r.db
	r.db = nil
	return errors.Join(how(db), r.mirror(db))
}

func (r *forstReplayer) restore(s *forstStep, out *forstOut) error {
	if err := r.assign(max(s.P, 1), s.Subtask); err != nil {
		return err
	}
	r.restored = r.restored || s.From != "none"
	if r.up {
		if err := r.end(func(db *lsm.DB) error { return db.Close() }); err != nil {
			return err
		}
	}
	r.restores++
	if s.Mode != nil {
		r.config.Mode = *s.Mode
		r.job, r.attempt = r.job+1, 0
		r.newJobManager(max(s.P, 1))
	} else {
		r.attempt++
		r.coordinator.StopScheduler()
		r.coordinator.SetGraph(forstGraph(max(s.P, 1)))
	}
	from, err := r.latest(s)
	if err != nil {
		return err
	}
	if s.Primary != "" {
		r.config.Primary = s.Primary
	}
	if s.Backend != "" {
		r.config.Backend = s.Backend
	}
	r.suffix = fmt.Sprintf("%%%d", r.restores)
	var thrown *sim.Exception
	switch err := r.start(max(s.P, 1), s.Subtask, from); {
	case errors.As(err, &thrown):
		r.throw(thrown, out)
		for _, h := range from {
			for _, f := range h.Shared {
				// What was fetched before stays.
				r.labels[onDisk+fmt.Sprintf("%p", r.disk)+path.Join("cf-0", f.Local)] = f.Name + r.suffix
			}
		}
		return nil
	case err != nil:
		return err
	}
	out.OK = true
	return nil
}

// latest is the keyed state that the job starts from: a new one from the
// snapshot that it is told, an attempt from what its coordinator goes back to.
func (r *forstReplayer) latest(s *forstStep) (handles []*lsm.Handle, err error) {
	var from *checkpoint.CompletedCheckpoint
	switch {
	case s.Mode == nil:
		from = r.coordinator.RestoreLatest()
	case s.From != "none":
		directory, ok := r.snapshots[s.From]
		if !ok {
			return nil, fmt.Errorf("no snapshot %q", s.From)
		}
		if from, err = r.coordinator.RestoreSnapshot(directory, checkpoint.ClaimMode(*s.Mode)); err != nil {
			return nil, err
		}
	}
	name := "none"
	if from != nil {
		name = path.Base(from.Location.Directory)
		for _, o := range from.Metadata.Operators {
			for _, sub := range o.Subtasks {
				if sub == nil {
					continue
				}
				for i := range sub.Keyed {
					handles = append(handles, flink.HandleOf(&sub.Keyed[i], from.ID()))
				}
			}
		}
	}
	if name != s.From {
		return nil, fmt.Errorf("the latest checkpoint is %s, not %s", name, s.From)
	}
	return handles, nil
}

func (r *forstReplayer) throw(e *sim.Exception, out *forstOut) {
	out.Error, out.Gist = e.Class[strings.LastIndex(e.Class, ".")+1:], e.Message
}

// trigger asks the coordinator for a snapshot, which asks the task.
func (r *forstReplayer) trigger(s *forstStep) (*checkpoint.TriggerTasks, lsm.SnapshotType, error) {
	c := r.coordinator
	if s.ID < c.NextID() {
		return nil, 0, fmt.Errorf("id %d after %d", s.ID, c.NextID()-1)
	}
	c.SetNextID(s.ID)
	r.triggered = nil
	kind := checkpoint.KindConfigured
	if s.Full {
		kind = checkpoint.KindFull
	}
	if s.Op == "savepoint" {
		c.Savepoint(fmt.Sprintf("sp-%d", s.ID))
	} else {
		c.Checkpoint(kind)
	}
	t := r.triggered
	switch {
	case t == nil:
		return nil, 0, fmt.Errorf("nothing was triggered")
	case t.Type.Savepoint() && s.Format == flink.Canonical:
		return t, lsm.CanonicalSavepoint, nil
	case t.Type.Savepoint():
		return t, lsm.NativeSavepoint, nil
	case t.Type == checkpoint.TypeFullCheckpoint:
		// Asked for, or forced: most recordings carry what a job has to do that
		// does not claim, and two leave it to the JobManager.
		return t, lsm.FullCheckpoint, nil
	}
	return t, lsm.Checkpoint, nil
}

// acknowledge brings the state of the task to the coordinator, and the word of
// the others.
func (r *forstReplayer) acknowledge(s *forstStep, t *checkpoint.TriggerTasks, h *lsm.Handle) error {
	c := r.coordinator
	for task := range r.rest() {
		if task != r.subtask {
			c.Acknowledge(t.ID, task, nil)
		}
	}
	if s.Ack != "lost" {
		var out checkpoint.SubtaskState
		if h.Form != lsm.FormEmpty {
			out.Keyed = append(out.Keyed, flink.KeyedState(h, t.Type.Savepoint()))
		}
		c.Acknowledge(t.ID, r.subtask, checkpoint.TaskState{{UID: forstOperator, State: out}})
	}
	if t.Type.Savepoint() {
		c.Acknowledge(t.ID, r.rest(), nil)
		if slices.Contains(c.Pending(), t.ID) {
			return fmt.Errorf("savepoint %d is pending", t.ID)
		}
	}
	return nil
}

// write uploads a file of a snapshot as a task does.
func (r *forstReplayer) write(dir, name string, content []byte, relative bool) (checkpoint.Handle, error) {
	storage := *r.coordinator.Storage()
	if strings.HasPrefix(name, lsm.FileTimers) {
		// The recordings have a file of it whatever the threshold: Flink writes the
		// serializers of the timers once for each key group, and that is not small.
		storage.InlineThreshold = 0
	}
	h, _, err := storage.Write(dir, name, objectstore.Bytes(content), relative, "task")
	r.labels[h.Path] = name
	return h, err
}

func (r *forstReplayer) snapshot(s *forstStep, out *forstOut) error {
	trigger, t, err := r.trigger(s)
	if err != nil {
		return err
	}
	at := fmt.Sprintf("@%d", s.ID)
	if t.Savepoint() {
		at = fmt.Sprintf("@s%d", s.ID)
	}
	if r.db == nil {
		h := &lsm.Handle{Backend: "hashmap", Form: lsm.FormFull, ID: s.ID, Groups: r.groups}
		if t == lsm.CanonicalSavepoint {
			h.Form = lsm.FormCanonical
		}
		out.Form = h.Form
		content := state.AppendCanonical(nil, r.groups, r.store.Snapshot())
		stored, err := r.write(trigger.Directory, "DATA"+at, content, t.Savepoint())
		if err != nil {
			return err
		}
		h.Private = []lsm.HandleFile{{
			Name: lsm.FileCanonical, Object: stored.Path, Inline: stored.Data, Size: stored.Size, SHA256: sha256.Sum256(content),
		}}
		return r.acknowledge(s, trigger, h)
	}
	snapshot, err := r.db.Snapshot(s.ID, t)
	var thrown *sim.Exception
	if errors.As(err, &thrown) {
		r.throw(thrown, out)
		out.TaskClose = "ok"
		err := r.end(func(db *lsm.DB) error { return db.Close() })
		if errors.Is(err, lsm.ErrHangs) {
			out.TaskClose, err = "hangs", nil
			r.leaked = append(r.leaked, r.disk)
		}
		r.coordinator.TaskFailed(r.subtask)
		return err
	}
	if err != nil {
		return err
	}
	if err := r.mirror(r.db); err != nil {
		return err
	}
	out.Form = snapshot.Form
	copied, private := []string{}, []string{}
	var failed error
	handle, err := snapshot.Finish(func(f lsm.File) lsm.Stored {
		content, err := snapshot.Read(f)
		if err != nil {
			failed = err
			return lsm.Stored{}
		}
		label := f.Name
		if label == lsm.FileCanonical {
			label = "DATA"
		}
		switch {
		case !f.Table() && f.Name != lsm.FileMeta && f.Name != lsm.FileTimers || f.Table() && !f.Reusable:
			private = append(private, label)
		}
		dir := trigger.Directory
		if f.Scope == lsm.Shared {
			dir = r.coordinator.Storage().SharedDirectory()
		}
		h, err := r.write(dir, label+at, content, t.Savepoint())
		failed = errors.Join(failed, err)
		switch {
		case f.Table() && h.Kind == checkpoint.Inline:
			out.Inline = append(out.Inline, label+at)
		case f.Table() && f.Reusable:
			copied = append(copied, label+at)
		}
		return lsm.Stored{Object: h.Path, Inline: h.Data}
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	if snapshot.Form == lsm.FormFiles {
		handed, reused := []string{}, []string{}
		if _, err := r.view(); err != nil { // Names what appeared.
			return err
		}
		for _, f := range snapshot.Files {
			switch f.Transfer {
			case lsm.HandOver:
				handed = append(handed, r.label(f.Object))
			case lsm.Placeholder:
				reused = append(reused, r.label(f.Object))
			}
		}
		for _, list := range [][]string{handed, copied, reused, private, out.Inline} {
			slices.SortFunc(list, compareLabels)
		}
		out.Handed, out.Copied, out.Reused, out.Private = &handed, &copied, &reused, &private
	}
	if !t.Savepoint() {
		out.Ack = s.Ack
	}
	return r.acknowledge(s, trigger, handle)
}

// label is the recording's name of an object.
func (r *forstReplayer) label(object string) string {
	if label, ok := r.labels[object]; ok {
		return label
	}
	return path.Base(object)
}

// view looks at the storage, and names the tables that were not seen before.
func (r *forstReplayer) view() (forstView, error) {
	v := forstView{areas: map[string][]string{}, owner: map[string]lsm.Owner{}, kinds: r.kinds()}
	if r.db != nil {
		tables, err := r.db.Tables()
		if err != nil {
			return v, err
		}
		for _, t := range tables {
			at := t.Object
			if at == "" {
				at = onDisk + fmt.Sprintf("%p", r.disk) + t.Path
			}
			if _, ok := r.labels[at]; !ok {
				r.labels[at] = t.Name + r.suffix
			}
			if t.Object != "" {
				v.owner[r.label(t.Object)] = t.Owner
			}
		}
		if r.cache != nil && !r.restored {
			c := r.cache.Counters()
			v.cache = &c
			for _, object := range r.cache.Objects() {
				v.areas["cache"] = append(v.areas["cache"], r.label(object))
			}
		}
	}
	for _, disk := range append(slices.Clone(r.leaked), r.disk) {
		err := v.walk(disk, "", func(p string) (area, label string) {
			if dir, base := path.Split(p); strings.HasPrefix(dir, "cf-") && strings.HasSuffix(base, ".sst") {
				return "local", r.labels[onDisk+fmt.Sprintf("%p", disk)+p]
			}
			return "", ""
		})
		if err != nil {
			return v, err
		}
	}
	v.dirs = []string{}
	for _, o := range r.remote.Store.Objects() {
		dir, base := path.Split(o.Key)
		dir = path.Clean(dir)
		switch {
		case base == checkpoint.MetadataFile:
			// The recordings' JobManager kept what it knew in memory.
		case strings.HasPrefix(path.Base(dir), "db-"):
			v.areas["primary"] = append(v.areas["primary"], r.label(o.Key))
		case path.Base(dir) == "shared":
			v.areas["shared"] = append(v.areas["shared"], r.label(o.Key))
		default:
			area := strings.TrimPrefix(dir, "checkpoints/")
			v.areas[area] = append(v.areas[area], r.label(o.Key))
		}
	}
	err := v.walk(r.remote.FS, "", func(string) (area, label string) { return "", "" })
	return v, err
}

// onDisk marks labels of files on the local disk of this attempt.
const onDisk = "disk:"

func (v *forstView) walk(from lsm.FS, dir string, where func(string) (area, label string)) error {
	names, err := from.List(dir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, n := range names {
		p := path.Join(dir, n)
		info, err := from.Stat(p)
		if err != nil {
			return err
		}
		if info.IsDir() {
			if name, ok := strings.CutPrefix(n, "db-"); ok {
				v.dirs = append(v.dirs, name)
			}
			if err := v.walk(from, p, where); err != nil {
				return err
			}
			continue
		}
		if area, label := where(p); area != "" {
			v.areas[area] = append(v.areas[area], label)
		}
	}
	return nil
}

// kinds are the kinds of files in the local directory of the engine.
func (r *forstReplayer) kinds() []string {
	kinds := []string{}
	if r.db != nil {
		kinds = append(kinds, r.db.LocalFiles()...)
	}
	return kinds
}

// observe adds to the answer of a step what changed on the storage.
func (r *forstReplayer) observe(out *forstOut) error {
	now, err := r.view()
	if err != nil {
		return err
	}
	out.New, out.Gone = map[string][]string{}, map[string][]string{}
	for _, x := range []struct {
		in, not map[string][]string
		into    map[string][]string
	}{{now.areas, r.before.areas, out.New}, {r.before.areas, now.areas, out.Gone}} {
		for area, labels := range x.in {
			if area == "cache" && (r.restored || r.killed) {
				continue
			}
			for _, l := range labels {
				if !slices.Contains(x.not[area], l) {
					x.into[area] = append(x.into[area], l)
				}
			}
			slices.SortFunc(x.into[area], compareLabels)
			if len(x.into[area]) == 0 {
				delete(x.into, area)
			}
		}
	}
	slices.Sort(now.dirs)
	r.before = now
	if r.db != nil && !maps.Equal(now.owner, r.shown.owner) {
		out.DB, r.shown.owner = &now.owner, now.owner
	}
	if !slices.Equal(now.dirs, r.shown.dirs) {
		out.Dirs, r.shown.dirs = now.dirs, now.dirs
	}
	if !slices.Equal(now.kinds, r.shown.kinds) {
		out.Local, r.shown.kinds = &now.kinds, now.kinds
	}
	if now.cache != nil && !reflect.DeepEqual(now.cache, r.shown.cache) {
		c := forstCounters(*now.cache)
		out.Cache, r.shown.cache = &c, now.cache
	}
	return nil
}

// compareLabels orders tables by number and then as they are copies, and puts
// them before other files.
func compareLabels(a, b string) int {
	number := func(s string) int {
		digits := strings.TrimPrefix(s, "f")
		if i := strings.IndexAny(digits, "@%"); i >= 0 {
			digits = digits[:i]
		}
		if n, err := strconv.Atoi(digits); err == nil {
			return n
		}
		return 1 << 30
	}
	if x, y := number(a), number(b); x != y {
		return x - y
	}
	return strings.Compare(a, b)
}
