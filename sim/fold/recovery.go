package fold

import (
	"fmt"
	"slices"
	"strings"

	"streaminglab/sim"
)

// Recovery is the history of a job's attempts: what each one came back to, how
// it ended, and how much of the sources was read again.
type Recovery struct {
	Store *Storage
	// Runs are the attempts of all jobs, in the order of their starts, Failures
	// what ended them, Faults what was made to fail, both in the order in which
	// they happened.
	Runs     []*Run
	Failures []*Thrown
	Faults   []Fault
	Now      int64

	// reached is the offset behind the last record that was read of each log,
	// offsets are the positions in completed snapshots.
	reached map[string]int64
	offsets map[*Snapshot][]sim.SplitOffset
	// running says which run a subtask belongs to, readers which subtask reads a
	// log.
	running map[string]*Run
	readers map[string]string
	// failed: something was thrown in the present job since its last start.
	failed bool
}

// How an attempt stands or ended.
const (
	RunRunning = "running"
	// RunFailed : another attempt follows, or will.
	RunFailed = "failed"
	// RunGaveUp : the job is FAILED.
	RunGaveUp   = "gave-up"
	RunFinished = "finished"
	RunStopped  = "stopped"
	RunCanceled = "canceled"
	RunLost     = "lost"
	// RunReplaced : the job was started anew without a failure (a rescale), or
	// another job was.
	RunReplaced = "replaced"
)

// A Run is one attempt of a job, or of those subtasks of it that shared its fate:
// where a region fails while others go on (CP-11.2), it is a run that has ended,
// and the others are another one of the same attempt that has not. What comes
// back is a run of a new attempt.
type Run struct {
	Job     string
	Attempt int
	// Subtasks are those that it is about; empty: all of the job.
	Subtasks []string
	// Rest: it is what was left of its attempt when a region failed.
	Rest bool
	// From is the snapshot that it came from; nil: it began with empty state.
	From *Snapshot
	// Started is the step of its start; nil: it could not start.
	Started *sim.Step
	// Again are the records behind its start that were read before, Read how many
	// of them it has read so far.
	Again, Read int64
	// InFlight are records that came back with the snapshot itself.
	InFlight int64
	Outcome  string
	// Ended is the step of its end, Failure what ended it; nil: nothing has.
	Ended   *sim.Step
	Failure *Thrown

	// all are its subtasks, parts what was counted at each of them.
	all   []string
	parts map[string]part
}

// Whole reports whether it is about all subtasks of the job.
func (x *Run) Whole() bool { return len(x.Subtasks) == 0 }

// part is what a subtask has to do with the counts of a run.
type part struct{ again, read, inFlight int64 }

// count adds to what was counted at a subtask.
func (x *Run) count(at string, p part) {
	if x.parts == nil {
		x.parts = map[string]part{}
	}
	old := x.parts[at]
	x.parts[at] = part{old.again + p.again, old.read + p.read, old.inFlight + p.inFlight}
	x.Again, x.Read, x.InFlight = x.Again+p.again, x.Read+p.read, x.InFlight+p.inFlight
}

// split takes subtasks out of a run and returns them as one of its own.
func (x *Run) split(subtasks []string) *Run {
	out := &Run{Job: x.Job, Attempt: x.Attempt, Subtasks: subtasks, From: x.From, Started: x.Started, Outcome: x.Outcome, all: subtasks}
	for _, at := range subtasks {
		p := x.parts[at]
		out.count(at, p)
		x.count(at, part{-p.again, -p.read, -p.inFlight})
	}
	x.all = slices.DeleteFunc(slices.Clone(x.all), func(at string) bool { return slices.Contains(subtasks, at) })
	x.Subtasks, x.Rest = x.all, true
	return out
}

// Thrown is what a task threw, or why a job could not start.
type Thrown struct {
	At        string
	Exception sim.Exception
	Step      *sim.Step
	// Subtasks are those that ended with it; empty: all of the job.
	Subtasks []string
	// Restarting is the step that announced the next attempt, Delay what that
	// waits for, in ms; nil: none.
	Restarting *sim.Step
	Delay      int64
	// Waited is the step that ended this: the next start, or what came before it;
	// nil: nothing yet.
	Waited *sim.Step
}

// Restarts reports whether the next attempt was announced, and nothing came
// before it.
func (f *Thrown) Restarts() bool {
	if f.Restarting == nil || f.Waited == nil {
		return f.Restarting != nil
	}
	_, ok := f.Waited.Body.(sim.JobStarted)
	return ok
}

// Class is the name of the exception without its package.
func (f *Thrown) Class() string {
	return f.Exception.Class[strings.LastIndexByte(f.Exception.Class, '.')+1:]
}

// Place is the subtask that threw it, or the JobManager.
func (f *Thrown) Place() string {
	if f.At == "jm" {
		return "JobManager"
	}
	return f.At
}

// A Fault is something that a command made fail.
type Fault struct {
	At, Point, Kind string
	Step            *sim.Step
}

// RecoveryOf folds a trace.
func RecoveryOf(t *sim.Trace) *Recovery {
	r := &Recovery{
		Store: NewStorage(), reached: map[string]int64{}, offsets: map[*Snapshot][]sim.SplitOffset{},
		running: map[string]*Run{}, readers: map[string]string{},
	}
	for x := range t.Main() {
		r.add(x)
	}
	return r
}

// Uses are the attempts that came from a snapshot.
func (r *Recovery) Uses(c *Snapshot) (out []*Run) {
	for _, x := range r.Runs {
		if x.From == c && c != nil {
			out = append(out, x)
		}
	}
	return out
}

// live are the runs that have not ended.
func (r *Recovery) live() (out []*Run) {
	for _, x := range r.Runs {
		if x.Ended == nil {
			out = append(out, x)
		}
	}
	return out
}

// at is the run of a subtask, or the last one: the runs of a zombie are over.
func (r *Recovery) at(subtask string) *Run {
	if x := r.running[subtask]; x != nil || len(r.Runs) == 0 {
		return x
	}
	return r.Runs[len(r.Runs)-1]
}

func (r *Recovery) add(x *sim.Step) {
	r.Store.Add(x)
	r.Now = x.T
	switch b := x.Body.(type) {
	case sim.JobStarted:
		r.started(x, b)
	case sim.SplitAdded:
		r.readers[strings.TrimPrefix(x.At, "split:")] = readerOf(strings.TrimPrefix(x.At, "split:"), b.Reader)
	case sim.RecordRead:
		log := logOf(b.Record)
		r.reached[log] = max(r.reached[log], b.Record.Offset+1)
		if run := r.at(r.readers[log]); run != nil && b.Again {
			run.count(r.readers[log], part{read: 1})
		}
	case sim.InFlightRestored:
		if run := r.at(x.At); run != nil {
			run.count(x.At, part{inFlight: int64(b.Records)})
		}
	case sim.TaskFailed:
		r.taskFailed(x, b)
	case sim.JobRestarting:
		for _, f := range r.Failures {
			if f.Waited == nil && f.Restarting == nil && slices.Equal(f.Subtasks, b.Subtasks) {
				// It waits for both at once.
				f.Restarting, f.Delay = x, max(b.Delay, b.Canceling)
			}
		}
	case sim.JobFailed:
		r.gaveUp(x, b)
	case sim.JobFinished:
		r.end(RunFinished, x, nil)
	case sim.JobStopped:
		r.end(RunStopped, x, nil)
	case sim.JobCanceled:
		r.end(RunCanceled, x, nil)
	case sim.JobManagerLost:
		if b.Replaced {
			r.end(RunReplaced, x, nil)
			return
		}
		var f *Thrown
		if len(r.live()) > 0 {
			f = r.threw(&Thrown{At: "JobManager", Step: x})
		}
		r.end(RunLost, x, f)
	case sim.CheckpointCompleted:
		if c := r.Store.Find(b.ID); c != nil {
			r.offsets[c] = b.Offsets
		}
	case sim.TaskManagerFrozen, sim.TaskManagerWoke:
		r.Faults = append(r.Faults, Fault{At: x.At, Point: x.Type(), Step: x})
	case sim.FaultInjected:
		r.Faults = append(r.Faults, Fault{At: x.At, Point: b.Point, Kind: b.Kind, Step: x})
	}
}

// started begins an attempt, of the whole job or of a region that comes back
// while others go on.
func (r *Recovery) started(x *sim.Step, b sim.JobStarted) {
	run := &Run{Job: b.Job, Attempt: b.Attempt, Subtasks: b.Subtasks, From: r.Store.RestoredBy(b), Started: x, Outcome: RunRunning, all: b.Subtasks}
	if run.Whole() {
		run.all = Subtasks(b)
		r.end(RunReplaced, x, nil)
		r.running, r.readers = map[string]*Run{}, map[string]string{}
	} else {
		r.waited(x, b.Subtasks)
	}
	r.failed = false
	for _, at := range run.all {
		r.running[at] = run
	}
	for _, s := range b.Splits {
		r.readers[s.Split] = readerOf(s.Split, s.Reader)
	}
	r.again(run, b)
	r.Runs = append(r.Runs, run)
}

// taskFailed ends the runs of all subtasks, or that of a region.
func (r *Recovery) taskFailed(x *sim.Step, b sim.TaskFailed) {
	f := r.threw(&Thrown{At: x.At, Exception: b.Exception, Step: x, Subtasks: b.Subtasks})
	if len(b.Subtasks) == 0 {
		r.end(RunFailed, x, f)
		return
	}
	run := r.running[b.Subtasks[0]]
	if run == nil || run.Ended != nil {
		return
	}
	if len(run.all) > len(b.Subtasks) {
		i := slices.Index(r.Runs, run)
		run = run.split(b.Subtasks)
		r.Runs = slices.Insert(r.Runs, i, run)
		for _, at := range b.Subtasks {
			r.running[at] = run
		}
	}
	run.Outcome, run.Ended, run.Failure = RunFailed, x, f
}

// threw takes note of a failure.
func (r *Recovery) threw(f *Thrown) *Thrown {
	r.failed = true
	r.Failures = append(r.Failures, f)
	return f
}

// waited ends the wait for the restart of subtasks; of none: for all.
func (r *Recovery) waited(x *sim.Step, subtasks []string) {
	for _, f := range r.Failures {
		if f.Waited == nil && f.Step != x && (len(subtasks) == 0 || slices.Equal(f.Subtasks, subtasks)) {
			f.Waited = x
		}
	}
}

// end closes the runs that have not ended.
func (r *Recovery) end(outcome string, x *sim.Step, f *Thrown) {
	r.waited(x, nil)
	for _, run := range r.live() {
		run.Outcome, run.Ended, run.Failure = outcome, x, f
	}
}

// gaveUp : no other attempt follows, or a new job could not start.
func (r *Recovery) gaveUp(x *sim.Step, b sim.JobFailed) {
	if n := len(r.Runs); n == 0 || r.Runs[n-1].Job != b.Job || b.Snapshot != "" {
		r.end(RunReplaced, x, nil)
		f := r.threw(&Thrown{At: x.At, Exception: b.Exception, Step: x})
		r.Runs = append(r.Runs, &Run{
			Job: b.Job, Attempt: b.Attempt, From: r.Store.In(b.Snapshot), Outcome: RunGaveUp, Ended: x, Failure: f,
		})
		return
	}
	if !r.failed {
		r.threw(&Thrown{At: x.At, Exception: b.Exception, Step: x})
	}
	last := r.Failures[len(r.Failures)-1]
	over := r.live()
	for _, run := range r.Runs {
		if run.Ended != nil && run.Failure == last {
			over = append(over, run)
		}
	}
	if len(over) == 0 {
		over = r.Runs[len(r.Runs)-1:]
	}
	r.waited(x, nil)
	for _, run := range over {
		run.Outcome, run.Ended = RunGaveUp, x
		if run.Failure == nil {
			run.Failure = last
		}
	}
}

// again counts how many records behind the positions of a start were read
// before: in all logs, or in those of a region.
func (r *Recovery) again(run *Run, b sim.JobStarted) {
	starts := map[string]int64{}
	for _, o := range r.offsets[run.From] {
		starts[o.Split] = o.Offset
	}
	region := map[string]bool{}
	for _, s := range b.Splits {
		starts[s.Split], region[s.Split] = s.Offset, true
	}
	for log, reached := range r.reached {
		// A split that nobody got is not read again: its reader had finished.
		if n := reached - starts[log]; n > 0 && (region[log] || run.Whole() && !strings.Contains(log, "/")) {
			run.count(r.readers[log], part{again: n})
		}
	}
}

// readerOf is the subtask of a source that reads a split.
func readerOf(split string, n int) string {
	source, _, _ := strings.Cut(split, "/")
	return fmt.Sprintf("%s[%d]", source, n)
}

// logOf is the name of the log of a record: clicks, clicks/0.
func logOf(r sim.RecordID) string {
	if r.Split == "" {
		return r.Source
	}
	return r.Source + "/" + r.Split
}
