package checkpoint_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// A story makes a job with the arguments of its command; every line of its
// input is one step, and the output repeats the lines with what happened. The
// tasks are played here: each has a backend whose local SST files the line
// says, and which uploads those that its base does not have (CP-6.2).
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			datadriven.RunTest(t, file, runStory)
		})
	}
}

// sstSize is the size of every SST file in a story, in bytes.
const sstSize = 64

type story struct {
	config   checkpoint.Config
	tasks    int
	inline   int64
	flavour  objectstore.Flavour
	ha       *checkpoint.HighAvailability
	store    *objectstore.Store
	queue    sim.Queue
	now      int64
	started  int
	c        *checkpoint.Coordinator
	backends []*backend
	// lose: the next notices of completion do not arrive.
	lose int
	// last is the latest trigger.
	last *checkpoint.TriggerTasks
	out  []string
}

// A backend is a RocksDB-like one, as far as its uploads go.
type backend struct {
	uploads map[int64]map[string]checkpoint.Handle
	base    int64
}

func runStory(t *testing.T, d *datadriven.TestData) string {
	if d.Cmd != "job" {
		d.Fatalf(t, "unknown story %q", d.Cmd)
	}
	s := &story{
		tasks: 1, flavour: objectstore.LocalDirectory,
		config: checkpoint.Config{Timeout: 600_000, MaxConcurrent: 1, AfterTasksFinish: true, Retained: 1},
	}
	first := int64(0)
	for _, a := range d.CmdArgs {
		v := ""
		if len(a.Vals) > 0 {
			v = a.Vals[0]
		}
		switch a.Key {
		case "first-id":
			first = integer(t, d, v)
		case "interval":
			s.config.Interval = ms(t, d, v)
		case "min-pause":
			s.config.MinPause = ms(t, d, v)
		case "timeout":
			s.config.Timeout = ms(t, d, v)
		case "max-concurrent":
			s.config.MaxConcurrent = int(integer(t, d, v))
		case "tolerable":
			s.config.TolerableFailures = int(integer(t, d, v))
		case "retained":
			s.config.Retained = int(integer(t, d, v))
		case "retention":
			s.config.Retention = checkpoint.Retention(v)
		case "unaligned":
			s.config.Unaligned = true
		case "enumerator":
			s.config.Coordinators = []string{"clicks"}
		case "tasks":
			s.tasks = int(integer(t, d, v))
		case "ha":
			s.ha = &checkpoint.HighAvailability{}
		case "object-store":
			s.flavour = objectstore.ObjectStore
		case "inline":
			s.inline = integer(t, d, v)
		default:
			d.Fatalf(t, "unknown argument %q", a.Key)
		}
	}
	s.store = objectstore.New(s.flavour, func() int64 { return s.now }, objectstore.Memory{})
	s.newJob()
	if first > 0 {
		s.c.SetNextID(first)
	}
	var b strings.Builder
	for line := range strings.Lines(d.Input) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		s.out = nil
		s.step(t, d, strings.Fields(line))
		fmt.Fprintf(&b, "%s", line)
		for _, o := range s.out {
			fmt.Fprintf(&b, "\n  %s", o)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func ms(t *testing.T, d *datadriven.TestData, s string) int64 {
	x, err := time.ParseDuration(s)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return x.Milliseconds()
}

func integer(t *testing.T, d *datadriven.TestData, s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return n
}

func (s *story) newJob() {
	s.started++
	s.newJobManager()
	s.newBackends()
}

func (s *story) newBackends() {
	s.backends = nil
	for range s.tasks {
		s.backends = append(s.backends, &backend{uploads: map[int64]map[string]checkpoint.Handle{}})
	}
}

func (s *story) newJobManager() {
	storage := &checkpoint.Storage{Store: s.store, Job: fmt.Sprintf("job%d", s.started), InlineThreshold: s.inline}
	g := checkpoint.NewGraph(checkpoint.Vertex{Name: "clicks", Parallelism: s.tasks, MaxParallelism: 128, Operators: []string{"clicks"}})
	s.c = checkpoint.New(s.config, g, storage, s.ha, func() int64 { return s.now }, &s.queue)
	s.c.Sink = s
}

func (s *story) say(format string, args ...any) { s.out = append(s.out, fmt.Sprintf(format, args...)) }

func clock(t int64) string {
	if t%1000 == 0 {
		return fmt.Sprintf("%d s", t/1000)
	}
	return fmt.Sprintf("%d ms", t)
}

// run lets time go on: what is due at t happens.
func (s *story) run(t int64) {
	for e := s.queue.Next(); e != nil && e.At <= t; e = s.queue.Next() {
		s.queue.Take()
		s.now = max(s.now, e.At)
		e.Do()
	}
	s.now = max(s.now, t)
}

func (s *story) step(t *testing.T, d *datadriven.TestData, w []string) {
	c := s.c
	switch w[0] {
	case "at":
		s.run(ms(t, d, w[1]))
	case "running":
		c.StartScheduler(ms(t, d, w[1]))
	case "not-running":
		c.StopScheduler()
	case "ack":
		for task := range s.tasks {
			if len(w) < 3 || w[2] == strconv.Itoa(task) {
				c.Acknowledge(integer(t, d, w[1]), task, nil)
			}
		}
	case "decline":
		c.Decline(integer(t, d, w[1]), 0, checkpoint.FailureReason(w[2]))
	case "enumerator":
		c.AcknowledgeCoordinator(integer(t, d, w[1]), "clicks", []byte("splits"))
	case "checkpoint":
		c.Checkpoint(checkpoint.KindConfigured)
		s.play(w[1:])
	case "full-checkpoint":
		c.Checkpoint(checkpoint.KindFull)
		s.play(w[1:])
	case "savepoint":
		c.Savepoint(fmt.Sprintf("%s/sp-%d", c.Storage().Job, c.NextID()))
		s.play(w[1:])
	case "stop":
		c.StopWithSavepoint(false, fmt.Sprintf("%s/sp-%d", c.Storage().Job, c.NextID()))
		s.play(w[1:])
	case "late-ack":
		id := integer(t, d, w[1])
		task := int(integer(t, d, w[2]))
		c.Acknowledge(id, task, s.write(id, task, c.Storage().CheckpointDirectory(id), w[3:], false))
	case "lose-notice":
		s.lose++
	case "fail-metadata":
		s.store.Faults.Failing = append(s.store.Faults.Failing, &objectstore.Failing{
			Op: objectstore.OpPut, Prefix: c.Storage().CheckpointDirectory(c.NextID()) + "/" + checkpoint.MetadataFile, Nth: 1})
	case "fail-pending-metadata":
		s.store.Faults.Failing = append(s.store.Faults.Failing, &objectstore.Failing{
			Op: objectstore.OpPut, Prefix: c.Storage().CheckpointDirectory(c.Pending()[0]) + "/" + checkpoint.MetadataFile, Nth: 1})
	case "fail-store":
		c.Store().Faults = append(c.Store().Faults, checkpoint.StoreFault(w[1]))
	case "deny":
		s.store.Faults.Deny(objectstore.Op(w[1]), w[2])
	case "allow":
		s.store.Faults.Allow(objectstore.Op(w[1]), w[2])
	case "lifecycle":
		s.store.Lifecycle = append(s.store.Lifecycle, objectstore.LifecycleRule{Prefix: w[1], Age: ms(t, d, w[2])})
	case "apply-lifecycle":
		for _, o := range s.store.ApplyLifecycle() {
			s.say("%s is %d days old, deleted", base(o.Key), (s.now-o.Created)/86_400_000)
		}
	case "task-failed":
		c.TaskFailed(int(integer(t, d, w[1])))
	case "restart":
		if c.RestoreLatest() == nil {
			s.say("nothing to restore: empty state")
		}
		s.restore()
	case "restore":
		// A new job; the former one is gone.
		s.started++
		s.config.ClaimMode = checkpoint.ClaimMode(w[2])
		if s.ha != nil {
			s.ha = &checkpoint.HighAvailability{}
		}
		s.newJobManager()
		if _, err := s.c.RestoreSnapshot(w[1], checkpoint.ClaimMode(w[2])); err != nil {
			s.say("%v", err)
			return
		}
		s.restore()
	case "failover-jobmanager":
		c.Crash()
		if s.ha == nil {
			s.started++
		}
		s.newJobManager()
		pointer, mode := "", checkpoint.ClaimMode("")
		if len(w) > 2 {
			pointer, mode = w[1], checkpoint.ClaimMode(w[2])
		}
		latest, err := s.c.RestoreInitial(pointer, mode)
		switch {
		case err != nil:
			s.say("%v", err)
		case latest == nil:
			s.say("nothing to restore: empty state")
		}
		s.say("next id %d", s.c.NextID())
		s.restore()
	case "terminate":
		if err := c.Shutdown(checkpoint.Status(w[1])); err != nil {
			s.say("%v", err.(*objectstore.Error).Exception())
		}
	case "dispose":
		if err := c.Storage().DisposeSavepoint(w[1]); err != nil {
			s.say("%v", err)
		}
	case "read":
		s.read(w[1])
	case "stray":
		if _, err := s.store.Put(w[1], objectstore.Sized(1), "task"); err != nil {
			d.Fatalf(t, "%v", err)
		}
	case "show":
		s.show()
	case "files":
		if all := s.files(); len(all) > 0 {
			s.say("%s", strings.Join(all, " "))
		} else {
			s.say("none")
		}
	default:
		d.Fatalf(t, "unknown line %q", w)
	}
}

// play answers the trigger that the line asked for: the words are the local
// SST files of each task, separated by |; a task that "declines" does so after
// the others, one that "crashes" uploads and says nothing.
func (s *story) play(words []string) {
	p := s.last
	var declines []int
	task := 0
	answer := func(words []string) {
		defer func() { task++ }()
		if len(words) == 1 && words[0] == "declines" {
			declines = append(declines, task)
			return
		}
		crashes := len(words) > 0 && words[len(words)-1] == "crashes"
		if crashes {
			words = words[:len(words)-1]
		}
		state := s.write(p.ID, task, p.Directory, words, p.Type.Savepoint())
		if !crashes {
			s.c.Acknowledge(p.ID, task, state)
		}
	}
	for {
		i := slices.Index(words, "|")
		if i < 0 {
			break
		}
		answer(words[:i])
		words = words[i+1:]
	}
	answer(words)
	for _, task := range declines {
		s.c.Decline(p.ID, task, checkpoint.Declined)
	}
}

// write uploads the local files that the base does not have; a savepoint and a
// full checkpoint upload all of them. A file is called by its number and the
// checkpoint that uploaded it: 4@3.
func (s *story) write(id int64, task int, dir string, ssts []string, savepoint bool) checkpoint.TaskState {
	b, storage := s.backends[task], s.c.Storage()
	shared, relative := storage.SharedDirectory(), false
	if savepoint {
		shared, relative = dir, true
	}
	set := map[string]checkpoint.Handle{}
	k := checkpoint.KeyedState{Backend: "db", Last: 127}
	var uploads []string
	full := savepoint || s.last.Type == checkpoint.TypeFullCheckpoint
	for _, sst := range ssts {
		if h, has := b.uploads[b.base][sst]; has && !full {
			set[sst] = h
			k.Shared = append(k.Shared, checkpoint.NamedHandle{Name: sst, Handle: checkpoint.PlaceholderFor(h)})
			continue
		}
		name := fmt.Sprintf("%s@%d", sst, id)
		h, _, err := storage.Write(shared, name, objectstore.Sized(sstSize), relative, "task")
		if err != nil {
			s.say("%v", err)
			continue
		}
		uploads = append(uploads, name)
		set[sst] = h
		k.Shared = append(k.Shared, checkpoint.NamedHandle{Name: sst, Handle: h})
	}
	h, _, err := storage.Write(dir, fmt.Sprintf("manifest-%d", task), objectstore.Bytes([]byte("manifest")), true, "task")
	if err != nil {
		s.say("%v", err)
	}
	k.Private = []checkpoint.NamedHandle{{Name: "MANIFEST", Handle: h}}
	if !savepoint {
		b.uploads[id] = set
	}
	if len(uploads) > 0 {
		s.say("task %d uploads %s", task, strings.Join(uploads, " "))
	}
	return checkpoint.TaskState{{UID: "clicks", State: checkpoint.SubtaskState{Keyed: []checkpoint.KeyedState{k}}}}
}

// restore gives the tasks the files of what was restored: one list.
func (s *story) restore() {
	s.newBackends()
	latest := s.c.Store().Latest()
	if latest == nil {
		return
	}
	var reads []string
	for _, o := range latest.Metadata.Operators {
		for task, state := range o.Subtasks {
			if state == nil || task >= s.tasks {
				continue
			}
			set := map[string]checkpoint.Handle{}
			for _, k := range state.Keyed {
				for _, h := range k.Shared {
					set[h.Name] = h.Handle
					if _, _, err := s.c.Storage().Read(h.Handle); err != nil {
						s.say("task %d: %v", task, err.(*objectstore.Error).Exception())
						continue
					}
					reads = append(reads, base(h.Handle.Path))
				}
			}
			s.backends[task].base = latest.ID()
			s.backends[task].uploads[latest.ID()] = set
		}
	}
	if len(reads) > 0 {
		s.say("the tasks read %s", strings.Join(reads, " "))
	}
}

func (s *story) read(pointer string) {
	m, err := s.c.Storage().ReadMetadata(pointer)
	if err != nil {
		s.say("%v", err)
		return
	}
	s.say("%s %d, %d bytes to read", m.Type, m.ID, m.Size())
	for _, o := range m.Operators {
		s.say("%s: parallelism %d of %d", o.UID, o.Parallelism, o.MaxParallelism)
		if o.Coordinator != nil {
			s.say("coordinator %q", o.Coordinator)
		}
		for i, t := range o.Subtasks {
			if t == nil {
				continue
			}
			for _, k := range t.Keyed {
				for _, list := range [][]checkpoint.NamedHandle{k.Shared, k.Private} {
					for _, h := range list {
						if h.Handle.Kind == checkpoint.Inline {
							s.say("%d: %s inline %q", i, h.Name, h.Handle.Data)
						} else {
							s.say("%d: %s in %s, %d bytes", i, h.Name, h.Handle.Path, h.Handle.Size)
						}
					}
				}
			}
		}
	}
}

func (s *story) show() {
	var store, reg []string
	for _, c := range s.c.Store().Checkpoints() {
		store = append(store, strconv.FormatInt(c.ID(), 10))
	}
	for _, e := range s.c.Store().Registry().Entries() {
		reg = append(reg, fmt.Sprintf("%s(%d..%d)", base(e.Path), e.CreatedBy, e.LastUsed))
	}
	s.say("store [%s], files [%s]", strings.Join(store, " "), strings.Join(reg, " "))
	line := fmt.Sprintf("%d failures in a row", s.c.Failures())
	if n := s.c.NextTick(); n != sim.MaxTime {
		line += ", next tick at " + clock(n)
	}
	if p := s.c.Pending(); len(p) > 0 {
		line += fmt.Sprintf(", pending %v", p)
	}
	if n := s.c.Queued(); n > 0 {
		line += fmt.Sprintf(", %d queued", n)
	}
	s.say("%s", line)
}

// files are all files without _metadata and manifests, and all directories of
// snapshots.
func (s *story) files() (out []string) {
	for _, o := range s.store.Objects() {
		if n := base(o.Key); n != checkpoint.MetadataFile && !strings.HasPrefix(n, "manifest") {
			out = append(out, n)
		}
	}
	for _, dir := range s.store.Directories() {
		if n := base(dir); strings.HasPrefix(n, "chk-") || strings.HasPrefix(n, "sp-") {
			out = append(out, dir+"/")
		}
	}
	slices.Sort(out)
	return out
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// CheckpointEvent implements checkpoint.Sink.
func (s *story) CheckpointEvent(e checkpoint.Event) {
	say := func(format string, args ...any) {
		s.say("%s: %s (%s)", clock(s.now), fmt.Sprintf(format, args...), e.Rule())
	}
	switch e := e.(type) {
	case checkpoint.RequestDropped:
		say("tick dropped, %s of the pause are left", clock(e.Remaining))
	case checkpoint.RequestRejected:
		say("request rejected, %s", e.Reason)
	case checkpoint.RequestAnswered:
		if e.Exception != nil {
			say("request %d failed, %s", e.Request, e.Exception)
		}
	case checkpoint.SnapshotCoordinators:
		say("%d asks the enumerator of %s", e.ID, strings.Join(e.Operators, " "))
	case checkpoint.TriggerTasks:
		s.last = &e
		say("%d triggered, %s", e.ID, e.Type)
	case checkpoint.LateAcknowledged:
		say("late acknowledgement of %d by task %d", e.ID, e.Task)
	case checkpoint.AcknowledgeRefused:
		say("acknowledgement of %d by task %d refused, %s", e.ID, e.Task, e.Exception)
	case checkpoint.Completed:
		say("%d complete, uploaded %d of %d bytes", e.ID, e.Uploaded, e.Size)
	case checkpoint.Aborted:
		say("%d aborted, %s, %d failures in a row", e.ID, e.Reason, e.Failures)
		for _, b := range s.backends {
			delete(b.uploads, e.ID)
		}
	case checkpoint.NotifyCompleted:
		if s.lose > 0 {
			s.lose--
			say("the notice of %d is lost", e.ID)
			return
		}
		for _, b := range s.backends {
			if b.uploads[e.ID] != nil {
				b.base = e.ID
			}
		}
	case checkpoint.JobFailed:
		say("job fails, %s", e.Exception.Message)
	case checkpoint.CheckpointSubsumed:
		say("%d subsumed", e.ID)
	case checkpoint.CheckpointDiscarded:
		if e.Err != nil {
			say("%s deleted, but %s", e.Directory, e.Err.(*objectstore.Error).Exception().Message)
		} else {
			say("%s deleted", e.Directory)
		}
	case checkpoint.SharedStateUnregistered:
		switch {
		case e.Err != nil:
			say("%s not deleted, %s", base(e.Path), e.Err)
		case e.Deleted:
			say("%s deleted", base(e.Path))
		default:
			say("%s forgotten, and stays", base(e.Path))
		}
	case checkpoint.Restored:
		full := ""
		if e.Full {
			full = ", the next checkpoint is full"
		}
		say("restored from %s%s", e.Directory, full)
	}
}
