package world

import (
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"

	"streaminglab/sim"
	connector "streaminglab/sim/connector/kafka"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/flink"
	"streaminglab/sim/kafka"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/operator"
)

// Config is what a world starts with.
type Config struct {
	// Files are the job files by name.
	Files map[string][]byte
	Seed  uint64
	// Settings change every job file before it is read (command set).
	Settings []Setting
	// Bounds limit what a script can grow; zero fields take their defaults.
	Bounds sim.Bounds
	// Content keeps what is written to the object store; nil: in memory. Each
	// world needs an empty one.
	Content objectstore.Content
	// Work returns an empty directory on the disk for the files of one storage;
	// nil: they lie in memory.
	Work func(purpose string) (dir string, err error)
	// Alter changes a job before it starts; tests choose a state backend or a
	// parallelism with it. It may be nil.
	Alter func(*flink.Spec)
	// Interrupted is asked now and then between two actions of a run. When it
	// says so, the command ends there with the problem world.interrupted: it has
	// acted in part, and whoever asked for it makes the world again. It may be nil.
	Interrupted func() bool
	// Quiet : no step is written; for measures.
	Quiet bool
	// Watch is called between any two actions of a run, for whoever compares a
	// run with a recording action by action. It must change nothing. It may be
	// nil.
	Watch func()
}

// A World is one simulated world. Its methods are the world commands: each
// writes the step command.given and then carries everything out that is due
// at the present moment. A *sim.Problem says that the command could not be
// used; then nothing has changed, not even the trace.
type World struct {
	config Config
	kernel *sim.Kernel
	// cluster is what outlives jobs; logs are its.
	cluster *flink.Cluster
	logs    *flink.Logs
	// broker is the Kafka broker, channels connect the sinks that write to it.
	broker   *kafka.Broker
	channels *connector.Backchannels
	job      *flink.Job
	// beside are other jobs, by name.
	beside  []*neighbour
	file    string
	clients clients
	// stop is the step after which a run pauses; 0: none.
	stop int
	// rules are the steps that made the lifecycle rules, by prefix.
	rules map[string]*sim.Step
	// parallelism is what rescale asked for; 0: that of the job file.
	parallelism int
}

// New returns a world at time 0 without a job.
func New(c Config) *World {
	if c.Bounds == (sim.Bounds{}) {
		c.Bounds = sim.DefaultBounds
	}
	w := &World{config: c, kernel: sim.NewKernel(c.Seed, c.Bounds), rules: map[string]*sim.Step{}}
	w.kernel.Quiet = c.Quiet
	w.cluster = flink.NewCluster(w.kernel, c.Content)
	w.cluster.Work = c.Work
	w.logs = w.cluster.Logs
	w.cluster.Store.Expires = w.expire
	w.newBroker()
	// Who forgets a world forgets its trees too.
	runtime.AddCleanup(w, (*flink.Trees).Close, w.cluster.Trees())
	w.kernel.Work(
		func() bool { return w.any((*flink.Job).Ready) },
		func() bool { return w.any((*flink.Job).Idle) },
	)
	return w
}

// Trace is what has happened.
func (w *World) Trace() *sim.Trace { return w.kernel.Trace }

// Now is the virtual time in ms.
func (w *World) Now() int64 { return w.kernel.Now() }

// Job is the running or last job, or nil.
func (w *World) Job() *flink.Job { return w.job }

// Close ends the storages of the world: their memory and goroutines. The trace
// stays.
func (w *World) Close() {
	w.cluster.Trees().Close()
	for _, n := range w.beside {
		n.cluster.Trees().Close()
	}
}

// Cluster is what outlives jobs: the store and the snapshots in it.
func (w *World) Cluster() *flink.Cluster { return w.cluster }

// Logs are the splits of all sources.
func (w *World) Logs() *flink.Logs { return w.logs }

// A Command gives the text of a command to the trace.
type Command string

// settle does everything that is due now.
func (w *World) settle() error { return w.run(w.kernel.Now(), nil) }

// interruptible is after how many actions a run asks whether it is interrupted:
// a short command never does.
const interruptible = 64

// run does what is due at or before limit, until done says so.
func (w *World) run(limit int64, done func() (bool, error)) error {
	for n := 1; ; n++ {
		if n%interruptible == 0 && w.config.Interrupted != nil && w.config.Interrupted() {
			return sim.NewProblem("world.interrupted")
		}
		if w.stop > 0 && w.kernel.Trace.Len() >= w.stop {
			return nil
		}
		if done != nil {
			if ok, err := done(); ok || err != nil {
				return err
			}
		}
		more, err := w.kernel.Next(limit)
		if w.config.Watch != nil {
			w.config.Watch()
		}
		if err == nil && w.job != nil {
			err = w.job.Defect()
		}
		for _, n := range w.beside {
			if err == nil {
				err = n.job.Defect()
			}
		}
		if err == nil {
			err = w.cluster.Store.Defect()
		}
		if err != nil {
			return w.bounded(err)
		}
		if !more {
			return nil
		}
	}
}

// bounded words a bound that was met as a problem of the script.
func (w *World) bounded(err error) error {
	var b *sim.BoundError
	if errors.As(err, &b) {
		return sim.NewProblem("world.bound", "Bound", b.Bound, "Limit", b.Limit)
	}
	return err
}

// Start reads a job file and starts its job. A job that runs is canceled.
func (w *World) Start(text Command, file string) error {
	spec, err := w.read(file)
	if err != nil {
		return err
	}
	if err := w.apart(spec); err != nil {
		return err
	}
	w.kernel.Command(string(text))
	if w.job != nil {
		w.job.Replace()
	}
	w.file, w.parallelism = file, 0
	w.connect(spec, w.channels)
	w.addSplits(spec)
	w.job = flink.NewJob(w.cluster, spec)
	if err := w.job.Start(nil); err != nil {
		return w.bounded(err)
	}
	return w.settle()
}

// addSplits makes the splits of a job file that are not there yet.
func (w *World) addSplits(spec *flink.Spec) {
	for _, s := range spec.Sources {
		for _, name := range s.Splits {
			if w.logs.Find(s.Name, name) == nil {
				w.logs.Add(s.Name, name)
			}
			w.readTopic(s, w.logs.Find(s.Name, name))
		}
	}
}

// jobFile is the text of a job file.
func (w *World) jobFile(file string) ([]byte, error) {
	if body, ok := w.config.Files[file]; ok {
		return body, nil
	}
	known := slices.Sorted(maps.Keys(w.config.Files))
	return nil, sim.NewProblem("world.unknown-file", "File", file, "Known", strings.Join(known, ", "), "Nearest", Nearest(file, known))
}

func (w *World) read(file string) (*flink.Spec, error) {
	body, err := w.jobFile(file)
	if err != nil {
		return nil, err
	}
	spec, err := ReadJob(file, body, w.config.Settings, w.config.Bounds)
	if err != nil {
		return nil, err
	}
	if w.parallelism > 0 {
		spec.Parallelism = w.parallelism
	}
	if w.config.Alter != nil {
		w.config.Alter(spec)
	}
	return spec, nil
}

// Check reads every job file that the world has, without starting anything.
func (w *World) Check(file string) error {
	_, err := w.read(file)
	return err
}

func (w *World) needJob() error {
	if w.job == nil {
		return sim.NewProblem("world.no-job")
	}
	return nil
}

func (w *World) needRunning() error {
	if err := w.needJob(); err != nil {
		return err
	}
	return w.running(w.job)
}

// needRunningOf is needRunning for the job that a name belongs to.
func (w *World) needRunningOf(vertex string) error {
	if err := w.needJob(); err != nil {
		return err
	}
	return w.running(w.jobOf(vertex))
}

// running refuses what needs a job that runs.
func (w *World) running(j *flink.Job) error {
	if j.Runs() {
		return nil
	}
	for _, n := range w.beside {
		if n.job == j {
			return sim.NewProblem("world.beside-not-running", "Name", n.name, "Status", string(j.Status))
		}
	}
	return sim.NewProblem("world.not-running", "Status", string(j.Status))
}

// A Target is a source, or one split of it.
type Target struct {
	Source string
	Split  string
	// Whole says that no split was named.
	Whole bool
}

func (w *World) source(name string) (*flink.SourceSpec, error) {
	if err := w.needJob(); err != nil {
		return nil, err
	}
	var known []string
	for _, j := range w.all() {
		for _, s := range j.Spec.Sources {
			if s.Name == name {
				return s, nil
			}
			known = append(known, s.Name)
		}
	}
	return nil, sim.NewProblem("world.unknown-source", "Name", name, "Known", strings.Join(known, ", "), "Nearest", Nearest(name, known))
}

func (w *World) split(t Target) (*flink.Log, error) {
	if _, err := w.source(t.Source); err != nil {
		return nil, err
	}
	if l := w.logs.Find(t.Source, t.Split); l != nil {
		return l, nil
	}
	var known []string
	for _, l := range w.logs.Of(t.Source) {
		known = append(known, l.Name())
	}
	return nil, sim.NewProblem("world.unknown-split", "Name", t.Source+"/"+t.Split, "Known", strings.Join(known, ", "), "Nearest", Nearest(t.Source+"/"+t.Split, known))
}

// targets returns the split of a target, or all splits of its source.
func (w *World) targets(t Target) ([]*flink.Log, error) {
	if !t.Whole {
		l, err := w.split(t)
		if err != nil {
			return nil, err
		}
		return []*flink.Log{l}, nil
	}
	if _, err := w.source(t.Source); err != nil {
		return nil, err
	}
	out := w.logs.Of(t.Source)
	if len(out) == 0 {
		return nil, sim.NewProblem("world.no-split", "Name", t.Source)
	}
	return out, nil
}

// summing is an operator that adds up the values of a source, or "". Generators
// pass on what they read; what other operators send has been made by them.
func summing(spec *flink.Spec, source string) string {
	carries := map[string]bool{source: true}
	for _, o := range spec.Operators {
		if !slices.ContainsFunc(o.Inputs, func(in string) bool { return carries[in] }) {
			continue
		}
		if o.Sums {
			return o.Name
		}
		if o.Kind == "assign-timestamps" || o.Kind == "sql-watermark" {
			carries[o.Name] = true
		}
	}
	return ""
}

// Produce appends a record to the log of a split; without a split it goes to
// the reader's main output.
func (w *World) Produce(text Command, t Target, r operator.Record) error {
	l, err := w.logFor(t)
	if err != nil {
		return err
	}
	if err := w.roomFor(l); err != nil {
		return err
	}
	if o := summing(w.jobOf(t.Source).Spec, t.Source); r.Word != "" && o != "" {
		return sim.NewProblem("world.no-number", "Value", r.Word, "Operator", o)
	}
	step := w.kernel.Command(string(text))
	w.stamp(&r, l)
	if t.Whole && w.logs.Find(t.Source, "") == nil {
		l = w.logs.Add(t.Source, "")
		if j := w.jobOf(t.Source); j.Runs() {
			if err := j.AddSplit(l); err != nil {
				return err
			}
		}
	}
	w.logs.Append(l, flink.Entry{Record: r, Step: step})
	return w.settle()
}

// logFor finds the log to append to. The log of a main output is made with
// its first record.
func (w *World) logFor(t Target) (*flink.Log, error) {
	if !t.Whole {
		return w.split(t)
	}
	if _, err := w.source(t.Source); err != nil {
		return nil, err
	}
	if l := w.logs.Find(t.Source, ""); l != nil {
		return l, nil
	}
	return &flink.Log{Source: t.Source, Ended: w.logs.Ended(t.Source)}, nil
}

func (w *World) roomFor(l *flink.Log) error {
	if l.Ended {
		return sim.NewProblem("world.ended", "Name", strings.TrimSuffix(l.Name(), "/"))
	}
	if n := w.config.Bounds.Records; n > 0 && w.logs.Entries() >= n {
		return sim.NewProblem("world.bound", "Bound", "records", "Limit", int64(n))
	}
	return nil
}

// stamp lets a fault change the timestamp that the producer gives.
func (w *World) stamp(r *operator.Record, l *flink.Log) {
	f := w.kernel.Fault(sim.PointTimestamp, l.At(), l.Name(), l.Source)
	if f == nil {
		return
	}
	w.kernel.Emit(l.At(), "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause, w.kernel.Root)
	switch f.Kind {
	case sim.FaultMissing:
		r.TS = sim.MinTime
	case sim.FaultSkewed:
		r.TS = shifted(r.TS, -f.For)
	case sim.FaultFuture:
		r.TS = shifted(r.TS, f.For)
	}
}

// shifted moves a timestamp within the time that there is. None stays none.
func shifted(ts, by int64) int64 {
	switch {
	case ts == sim.MinTime:
		return ts
	case by > 0 && ts > sim.MaxTime-by:
		return sim.MaxTime
	case by < 0 && ts < sim.MinTime+1-by:
		return sim.MinTime + 1
	}
	return ts + by
}

// Emission appends an emission of the split's own generator (scripted
// strategy).
func (w *World) Emission(text Command, t Target, e eventtime.Emission) error {
	spec, err := w.source(t.Source)
	if err != nil {
		return err
	}
	if spec.Strategy.Generator != eventtime.Scripted {
		return sim.NewProblem("world.not-scripted", "Name", t.Source)
	}
	l, err := w.logFor(t)
	if err != nil {
		return err
	}
	if err := w.roomFor(l); err != nil {
		return err
	}
	step := w.kernel.Command(string(text))
	if t.Whole && w.logs.Find(t.Source, "") == nil {
		l = w.logs.Add(t.Source, "")
		if j := w.jobOf(t.Source); j.Runs() {
			if err := j.AddSplit(l); err != nil {
				return err
			}
		}
	}
	w.logs.Append(l, flink.Entry{Script: e, Record: operator.Record{TS: sim.MinTime}, Step: step})
	return w.settle()
}

// Advance lets d ms pass.
func (w *World) Advance(text Command, d int64) error {
	end := w.kernel.Now() + d
	if d < 0 || end < 0 || end > w.config.Bounds.Time {
		return sim.NewProblem("world.bound", "Bound", "time", "Limit", w.config.Bounds.Time)
	}
	w.kernel.Command(string(text))
	if err := w.run(end, nil); err != nil {
		return err
	}
	if !w.paused() {
		w.kernel.Pass(end)
	}
	return nil
}

// paused reports whether the run stands at the step that it was to stop at.
func (w *World) paused() bool { return w.stop > 0 && w.kernel.Trace.Len() >= w.stop }

// Run lets time pass until only periodic work is left.
func (w *World) Run(text Command) error {
	w.kernel.Command(string(text))
	return w.run(sim.MaxTime, func() (bool, error) {
		if w.kernel.Leaving() {
			return false, nil
		}
		e := w.kernel.Queue.Next()
		return (e == nil || e.At > w.kernel.Now()) && !w.kernel.Queue.Pending() && !w.busy(), nil
	})
}

// busy reports whether something can be done at the present moment.
func (w *World) busy() bool { return w.any((*flink.Job).Busy) }

// RunUntil lets time pass until the condition holds. The bound on actions and
// on time ends a run whose condition never does. The condition reads the trace, and
// when it is timed also the virtual time: it is asked again only when that went on.
func (w *World) RunUntil(text Command, timed bool, holds func() (bool, error)) error {
	w.kernel.Command(string(text))
	met := false
	seen, at := -1, int64(-1)
	from := w.kernel.Now()
	limit := from + maxWait
	err := w.run(limit, func() (bool, error) {
		if n := w.kernel.Trace.Len(); n != seen || timed && w.kernel.Now() != at {
			seen, at = n, w.kernel.Now()
			var err error
			met, err = holds()
			return met, err
		}
		return false, nil
	})
	if err == nil && !met && !w.paused() {
		return sim.NewProblem("world.never", "Waited", w.kernel.Now()-from)
	}
	return err
}

// maxWait is how long run until waits at most, in ms of virtual time.
const maxWait = 24 * 3600 * 1000

// RunToStep goes on until the trace has n steps.
func (w *World) RunToStep(text Command, n int) error {
	if n <= w.kernel.Trace.Len() {
		return sim.NewProblem("world.step-passed", "Step", n, "Have", w.kernel.Trace.Len())
	}
	return w.RunUntil(text, false, func() (bool, error) { return w.kernel.Trace.Len() >= n, nil })
}

// StopAt makes every later run pause once the trace has n steps: whatever the
// command had left to do stays undone until the next one. 0 takes it back.
func (w *World) StopAt(n int) { w.stop = n }

// Paused reports whether the world stands at the step of StopAt.
func (w *World) Paused() bool { return w.paused() }

// File is the job file of the job, or "".
func (w *World) File() string { return w.file }
