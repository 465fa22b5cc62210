package world

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/flink"
)

// Pause stops the reading of splits.
func (w *World) Pause(text Command, t Target) error {
	if n, ok := w.node(t.Source); ok && t.Whole {
		return w.pauseNode(text, n)
	}
	return w.eachSplit(text, t, func(l *flink.Log) error { w.jobOf(t.Source).PauseSplit(l); return nil })
}

// Resume lets splits be read again, or a subtask go on that a fault holds.
func (w *World) Resume(text Command, t Target) error {
	if n, ok := w.node(t.Source); ok && t.Whole {
		return w.resumeNode(text, n)
	}
	if t.Whole && strings.HasSuffix(t.Source, "]") {
		return w.release(text, t.Source)
	}
	return w.eachSplit(text, t, func(l *flink.Log) error { w.jobOf(t.Source).ResumeSplit(l); return nil })
}

// release lets a subtask go on that a fault of kind delay holds without an end.
func (w *World) release(text Command, what string) error {
	if err := w.needRunningOf(what); err != nil {
		return err
	}
	at, err := w.subtask(what)
	if err != nil {
		return err
	}
	job := w.jobOf(at)
	held := job.Held()
	sort.Strings(held)
	if !slices.Contains(held, at) {
		return sim.NewProblem("world.not-held", "Name", at, "Known", strings.Join(held, ", "))
	}
	w.kernel.Command(string(text))
	job.Release(at)
	return w.settle()
}

// TaskManagers are those of the job.
func (w *World) TaskManagers() []string {
	if w.job == nil {
		return nil
	}
	return w.job.TaskManagers()
}

// taskManager refuses a name that is no TaskManager of the job.
func (w *World) taskManager(name string) error {
	known := w.TaskManagers()
	if slices.Contains(known, name) {
		return nil
	}
	return sim.NewProblem("world.unknown-taskmanager", "Name", name, "Known", strings.Join(known, ", "), "Nearest", Nearest(name, known))
}

// Freeze lets a TaskManager do nothing for so many ms.
func (w *World) Freeze(text Command, tm string, ms int64) error {
	if err := w.needRunning(); err != nil {
		return err
	}
	if err := w.taskManager(tm); err != nil {
		return err
	}
	if ms <= 0 {
		return sim.NewProblem("script.negative", "Value", ms)
	}
	if slices.Contains(w.job.Frozen(), tm) {
		return sim.NewProblem("world.frozen", "Name", tm)
	}
	w.kernel.Command(string(text))
	w.job.Freeze(tm, ms)
	return w.settle()
}

// Message makes the next message of a kind between the JobManager and a subtask
// go wrong: the fault point says which.
func (w *World) Message(text Command, point, what, kind string, ms int64) error {
	if err := w.needRunningOf(what); err != nil {
		return err
	}
	at, err := w.subtask(what)
	if err != nil {
		return err
	}
	return w.Fault(text, point, at, kind, 1, ms)
}

// Slow makes each record of the splits, or each record that an operator takes,
// take a time in ms; 0 ends that.
func (w *World) Slow(text Command, t Target, perRecord int64) error {
	if n, ok := w.node(t.Source); ok && t.Whole {
		return w.slowNode(text, n, perRecord)
	}
	if j := w.jobOf(t.Source); t.Whole && j != nil && slices.Contains(operatorNames(j), t.Source) {
		w.kernel.Command(string(text))
		j.SlowOperator(t.Source, perRecord)
		return w.settle()
	}
	return w.eachSplit(text, t, func(l *flink.Log) error { w.jobOf(t.Source).SlowSplit(l, perRecord); return nil })
}

func (w *World) eachSplit(text Command, t Target, f func(*flink.Log) error) error {
	logs, err := w.targets(t)
	if err != nil {
		return err
	}
	w.kernel.Command(string(text))
	for _, l := range logs {
		if err := f(l); err != nil {
			return err
		}
	}
	return w.settle()
}

// SplitAdd gives a source a split.
func (w *World) SplitAdd(text Command, t Target) error {
	if _, err := w.source(t.Source); err != nil {
		return err
	}
	if t.Whole || !splitForm().MatchString(t.Split) {
		return sim.NewProblem("job.split-name", "Name", t.Split)
	}
	if w.logs.Find(t.Source, t.Split) != nil {
		return sim.NewProblem("world.split-exists", "Name", t.Source+"/"+t.Split)
	}
	if w.logs.Ended(t.Source) {
		return sim.NewProblem("world.ended", "Name", t.Source)
	}
	if len(w.logs.Of(t.Source)) >= maxSplits {
		return sim.NewProblem("job.too-many", "Max", maxSplits)
	}
	w.kernel.Command(string(text))
	l := w.logs.Add(t.Source, t.Split)
	l.Added = true
	if j := w.jobOf(t.Source); j.Runs() {
		if err := j.AddSplit(l); err != nil {
			return err
		}
	}
	return w.settle()
}

// SplitRemove takes a split away from a source.
func (w *World) SplitRemove(text Command, t Target) error {
	l, err := w.split(t)
	if err != nil {
		return err
	}
	w.kernel.Command(string(text))
	if j := w.jobOf(t.Source); j.Runs() {
		if err := j.RemoveSplit(l); err != nil {
			return err
		}
	}
	l.Removed = true
	return w.settle()
}

// Backpressure makes an operator take nothing, or go on.
func (w *World) Backpressure(text Command, name string, on bool) error {
	if err := w.needRunning(); err != nil {
		return err
	}
	if err := w.operator(name); err != nil {
		return err
	}
	w.kernel.Command(string(text))
	w.job.SetBackpressure(name, on)
	return w.settle()
}

// operator refuses a name that is no operator or sink of the job.
func (w *World) operator(name string) error {
	known := w.OperatorNames()
	for _, k := range known {
		if k == name {
			return nil
		}
	}
	return sim.NewProblem("world.unknown-operator", "Name", name, "Known", strings.Join(known, ", "), "Nearest", Nearest(name, known))
}

// OperatorNames are the operators and sinks of the job.
func (w *World) OperatorNames() []string {
	if w.job == nil {
		return nil
	}
	return operatorNames(w.job)
}

// vertices are the sources, operators and sinks of all jobs.
func (w *World) vertices() (out []string) {
	for _, j := range w.all() {
		for _, s := range j.Spec.Sources {
			out = append(out, s.Name)
		}
		out = append(out, operatorNames(j)...)
	}
	return out
}

func operatorNames(j *flink.Job) (out []string) {
	for _, o := range j.Spec.Operators {
		out = append(out, o.Name)
	}
	for _, s := range j.Spec.Sinks {
		if s.Operators == nil {
			out = append(out, s.Name)
		}
		for _, o := range s.Operators {
			out = append(out, o.Name)
		}
	}
	return out
}

// SourceNames are the sources of the job.
func (w *World) SourceNames() []string {
	if w.job == nil {
		return nil
	}
	var out []string
	for _, s := range w.job.Spec.Sources {
		out = append(out, s.Name)
	}
	return out
}

// SplitNames are the splits of all sources, with their sources.
func (w *World) SplitNames() []string {
	var out []string
	for _, s := range w.SourceNames() {
		for _, l := range w.logs.Of(s) {
			out = append(out, l.Name())
		}
	}
	return out
}

// End says that a source gets no more records.
func (w *World) End(text Command, source string) error {
	if _, err := w.source(source); err != nil {
		return err
	}
	if w.logs.Ended(source) {
		return sim.NewProblem("world.ended", "Name", source)
	}
	w.kernel.Command(string(text))
	w.logs.End(source)
	return w.settle()
}

// Stop takes a canonical savepoint and ends the job.
func (w *World) Stop(text Command, drain bool) error {
	return w.StopWith(text, drain, flink.Canonical)
}

// StopWith is Stop with a format of the savepoint.
func (w *World) StopWith(text Command, drain bool, format string) error {
	if err := w.needRunning(); err != nil {
		return err
	}
	w.kernel.Command(string(text))
	w.job.StopWith(drain, format)
	return w.settle()
}

// Savepoint takes a savepoint in a format (flink.Canonical or flink.Native).
func (w *World) Savepoint(text Command, format string) error {
	return w.trigger(text, func() { w.job.Savepoint(format) })
}

// Cancel ends the job without a savepoint, also one that waits for its restart.
func (w *World) Cancel(text Command) error {
	if err := w.needJob(); err != nil {
		return err
	}
	return w.cancel(w.job, text)
}

func (w *World) cancel(job *flink.Job, text Command) error {
	if err := w.running(job); err != nil && job.Status != flink.Restarting {
		return err
	}
	w.kernel.Command(string(text))
	job.Cancel()
	return w.settle()
}

// FullCheckpoint asks for a checkpoint that uses no file of an earlier one.
func (w *World) FullCheckpoint(text Command) error {
	return w.trigger(text, func() { w.job.TriggerFull() })
}

// Checkpoint starts a checkpoint. It is complete at once unless something
// keeps a barrier from arriving.
func (w *World) Checkpoint(text Command) error {
	return w.trigger(text, func() { w.job.Trigger() })
}

func (w *World) trigger(text Command, do func()) error {
	if err := w.needJob(); err != nil {
		return err
	}
	return w.triggerOf(w.job, text, do)
}

func (w *World) triggerOf(job *flink.Job, text Command, do func()) error {
	if err := w.running(job); err != nil {
		return err
	}
	w.kernel.Command(string(text))
	// Outputs that stand in line belong before the barrier.
	if err := w.settle(); err != nil {
		return err
	}
	do()
	return w.settle()
}

var subtaskForm = regexp.MustCompile(`^(.*)\[(\d+)\]$`)

// process checks the name of what crash can end: the JobManager, a TaskManager,
// or a subtask, whose TaskManager it means.
func (w *World) process(what string) (string, error) {
	switch {
	case what == flink.JobManagerName:
		return what, nil
	case slices.Contains(w.TaskManagers(), what):
		return what, nil
	}
	return w.subtask(what)
}

// Crash ends a process: at once, or when a fault point is passed. what is
// jobmanager, a TaskManager, or an operator, sink or source or a subtask of one,
// whose TaskManager it means.
func (w *World) Crash(text Command, what, point string) error {
	if n, ok := w.node(what); ok {
		if point != "" {
			return w.crashNodeAt(text, n, point)
		}
		return w.crashNode(text, n)
	}
	if err := w.needJob(); err != nil {
		return err
	}
	job := w.jobOf(what)
	if err := w.running(job); err != nil && (what != flink.JobManagerName || job.Status != flink.Restarting) {
		return err
	}
	at, err := w.process(what)
	if err != nil {
		return err
	}
	if point != "" {
		p, ok := sim.FindFaultPoint(point)
		if !ok {
			return w.unknownPoint(point)
		}
		if !slices.Contains(p.Kinds, sim.FaultCrash) {
			return sim.NewProblem("world.fault-kind", "Point", point, "Kind", sim.FaultCrash, "Known", strings.Join(p.Kinds, ", "))
		}
		f := &sim.Fault{Point: point, At: at, Kind: sim.FaultCrash, Cause: w.kernel.Command(string(text))}
		if p.JobManager || at == flink.JobManagerName {
			// Somebody else passes it.
			f.At, f.Victim = "", w.first(at)
		}
		w.arm(f, what)
		return w.settle()
	}
	step := w.kernel.Command(string(text))
	job.Crash(w.first(at), step)
	return w.settle()
}

// first is the first subtask where a vertex is named.
func (w *World) first(what string) string {
	if slices.Contains(w.vertices(), what) {
		return what + "[0]"
	}
	return what
}

// subtask checks the name of a subtask, or of what it belongs to.
func (w *World) subtask(what string) (string, error) {
	name, number := what, ""
	if m := subtaskForm.FindStringSubmatch(what); m != nil {
		name, number = m[1], m[2]
	}
	known := w.vertices()
	for _, k := range known {
		if k != name {
			continue
		}
		if number != "" {
			have := w.jobOf(name).Subtasks(name)
			if n, err := strconv.Atoi(number); err != nil || n >= have {
				return "", sim.NewProblem("world.unknown-subtask", "Name", what, "Subtasks", have)
			}
		}
		return what, nil
	}
	return "", sim.NewProblem("world.unknown-operator", "Name", what, "Known", strings.Join(known, ", "), "Nearest", Nearest(name, known))
}

func (w *World) unknownPoint(point string) error {
	var known []string
	for _, p := range sim.FaultPoints() {
		known = append(known, p.Name)
	}
	return sim.NewProblem("world.unknown-fault-point", "Point", point, "Known", strings.Join(known, ", "), "Nearest", Nearest(point, known))
}

// Fault arms a fault. at may be empty; nth counts from 1; for is in ms.
func (w *World) Fault(text Command, point, at, kind string, nth int, duration int64) error {
	// The broker and its clients need no job.
	if point != sim.PointRequest && point != sim.PointAnswer && point != sim.PointMarker {
		if err := w.needJob(); err != nil {
			return err
		}
	}
	p, ok := sim.FindFaultPoint(point)
	if !ok {
		return w.unknownPoint(point)
	}
	if kind == "" {
		kind = p.Kinds[0]
	}
	found := false
	for _, k := range p.Kinds {
		found = found || k == kind
	}
	if !found {
		return sim.NewProblem("world.fault-kind", "Point", point, "Kind", kind, "Known", strings.Join(p.Kinds, ", "))
	}
	if (kind == sim.FaultSkewed || kind == sim.FaultFuture) && duration <= 0 {
		return sim.NewProblem("world.fault-for", "Kind", kind)
	}
	if err := w.place(point, at); err != nil {
		return err
	}
	if nth < 1 {
		nth = 1
	}
	step := w.kernel.Command(string(text))
	w.arm(&sim.Fault{Point: point, At: at, Nth: nth, For: duration, Kind: kind, Cause: step}, at)
	return w.settle()
}

// arm arms a fault of the job that a name belongs to. What the broker and its
// clients pass belongs to no job: there the place alone counts.
func (w *World) arm(f *sim.Fault, name string) {
	switch f.Point {
	case sim.PointRequest, sim.PointAnswer, sim.PointMarker, sim.PointTimestamp:
		f.Everybody = true
	default:
		job, _, _ := strings.Cut(name, ".")
		if n := w.neighbour(job); n != nil {
			f.Job = n.name
			if f.At == n.name {
				f.At = "" // a point that its JobManager passes
			}
		}
	}
	w.kernel.Faults.Arm(f)
}

// Restore starts the job again from a checkpoint ("3", "chk-3"), a savepoint
// ("sp1"), from nothing ("none"), or from the latest ("").
func (w *World) Restore(text Command, snapshot string) error {
	return w.RestoreWith(text, snapshot, flink.RestoreOptions{})
}

// RestoreWith is Restore with options. The job file is read again: what was
// changed in it counts from now on.
func (w *World) RestoreWith(text Command, snapshot string, o flink.RestoreOptions) error {
	return w.RestoreFile(text, snapshot, "", o)
}

// RestoreFile is RestoreWith with another job file; an empty name is the one
// that the job was started with.
func (w *World) RestoreFile(text Command, snapshot, file string, o flink.RestoreOptions) error {
	if err := w.needJob(); err != nil {
		return err
	}
	from, err := w.snapshot(snapshot)
	if err != nil {
		return err
	}
	if file == "" {
		file = w.file
	}
	spec, err := w.read(file)
	if err != nil {
		return err
	}
	if err := w.apart(spec); err != nil {
		return err
	}
	w.kernel.Command(string(text))
	w.connect(spec, w.channels)
	if file != w.file {
		// Another job may read splits that are not there yet; the same one has
		// those that it was left with.
		w.file = file
		w.addSplits(spec)
	}
	if err := w.job.RestoreWith(spec, from, o); err != nil {
		return w.bounded(err)
	}
	return w.settle()
}

// snapshot finds a snapshot by its name: "chk-3" or "3" is the newest of that
// id, "job1/chk-3" that of a job. Without a name it is the newest that was not
// deleted.
func (w *World) snapshot(name string) (*flink.Checkpoint, error) {
	if name == "none" {
		return nil, nil
	}
	all := w.cluster.Snapshots()
	var known []string
	for i := len(all) - 1; i >= 0; i-- {
		c := all[i]
		label := c.Label()
		switch {
		case name == "" && !c.Gone, name == label, name == strconv.FormatInt(c.ID, 10) && !c.Savepoint(), name == c.Job+"/"+label:
			return c, nil
		}
		if !slices.Contains(known, label) {
			known = append([]string{label}, known...)
		}
	}
	if name == "" {
		return nil, sim.NewProblem("world.no-checkpoint")
	}
	return nil, sim.NewProblem("world.unknown-snapshot", "Name", name, "Known", strings.Join(known, ", "))
}

// Rescale starts the job again from its last checkpoint with n subtasks.
func (w *World) Rescale(text Command, n int) error {
	if err := w.needRunning(); err != nil {
		return err
	}
	if n < 1 || n > maxSubtasks || n > w.job.Spec.MaxParallelism {
		return sim.NewProblem("world.parallelism", "Value", n, "Max", min(maxSubtasks, w.job.Spec.MaxParallelism))
	}
	w.kernel.Command(string(text))
	w.parallelism = n
	if err := w.job.Rescale(n); err != nil {
		return w.bounded(err)
	}
	return w.settle()
}
