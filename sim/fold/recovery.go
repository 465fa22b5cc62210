package fold

import (
	"strings"

	"streaminglab/sim"
)

// Recovery is the history of a job's attempts: what each one came back to, how
// it ended, and how much of the sources was read again.
type Recovery struct {
	Store *Storage
	// Runs are the attempts of all jobs, Faults what was made to fail, both in
	// the order in which they happened.
	Runs   []*Run
	Faults []Fault
	Now    int64

	// reached is the offset behind the last record that was read of each log,
	// offsets are the positions in completed snapshots.
	reached map[string]int64
	offsets map[*Snapshot][]sim.SplitOffset
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

// A Run is one attempt of a job.
type Run struct {
	Job     string
	Attempt int
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
	// Restarting is the step that announced the next attempt, Delay what that
	// waits for, in ms.
	Restarting *sim.Step
	Delay      int64
}

// Thrown is what a task threw, or why a job could not start.
type Thrown struct {
	At        string
	Exception sim.Exception
	Step      *sim.Step
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
	r := &Recovery{Store: NewStorage(), reached: map[string]int64{}, offsets: map[*Snapshot][]sim.SplitOffset{}}
	for _, x := range t.Steps() {
		r.add(x)
	}
	return r
}

// Last is the present attempt, or nil.
func (r *Recovery) Last() *Run {
	if len(r.Runs) == 0 {
		return nil
	}
	return r.Runs[len(r.Runs)-1]
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

func (r *Recovery) add(x *sim.Step) {
	r.Store.Add(x)
	r.Now = x.T
	switch b := x.Body.(type) {
	case sim.JobStarted:
		r.end(RunReplaced, x)
		run := &Run{Job: b.Job, Attempt: b.Attempt, From: r.Store.RestoredBy(b), Started: x, Outcome: RunRunning}
		run.Again = r.again(b, run.From)
		r.Runs = append(r.Runs, run)
	case sim.RecordRead:
		log := logOf(b.Record)
		r.reached[log] = max(r.reached[log], b.Record.Offset+1)
		if run := r.Last(); run != nil && b.Again {
			run.Read++
		}
	case sim.InFlightRestored:
		if run := r.Last(); run != nil {
			run.InFlight += int64(b.Records)
		}
	case sim.TaskFailed:
		if run := r.Last(); run != nil && run.Ended == nil {
			run.Failure = &Thrown{At: x.At, Exception: b.Exception, Step: x}
		}
		r.end(RunFailed, x)
	case sim.JobRestarting:
		if run := r.Last(); run != nil {
			run.Restarting, run.Delay = x, b.Delay
		}
	case sim.JobFailed:
		r.gaveUp(x, b)
	case sim.JobFinished:
		r.end(RunFinished, x)
	case sim.JobStopped:
		r.end(RunStopped, x)
	case sim.JobCanceled:
		r.end(RunCanceled, x)
	case sim.JobManagerLost:
		if run := r.Last(); run != nil && run.Ended == nil && !b.Replaced {
			run.Failure = &Thrown{At: "JobManager", Step: x}
		}
		r.end(RunLost, x)
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

// end closes the present attempt, unless it has ended.
func (r *Recovery) end(outcome string, x *sim.Step) {
	if run := r.Last(); run != nil && run.Ended == nil {
		run.Outcome, run.Ended = outcome, x
	}
}

// gaveUp : no other attempt follows, or a new job could not start.
func (r *Recovery) gaveUp(x *sim.Step, b sim.JobFailed) {
	run := r.Last()
	if run == nil || run.Job != b.Job || b.Snapshot != "" {
		r.end(RunReplaced, x)
		run = &Run{Job: b.Job, Attempt: b.Attempt, From: r.Store.In(b.Snapshot)}
		r.Runs = append(r.Runs, run)
	}
	run.Outcome, run.Ended = RunGaveUp, x
	if run.Failure == nil {
		run.Failure = &Thrown{At: x.At, Exception: b.Exception, Step: x}
	}
}

// again is how many records behind the positions of a start were read before.
func (r *Recovery) again(b sim.JobStarted, from *Snapshot) (n int64) {
	starts := map[string]int64{}
	for _, o := range r.offsets[from] {
		starts[o.Split] = o.Offset
	}
	for _, s := range b.Splits {
		starts[s.Split] = s.Offset
	}
	for log, reached := range r.reached {
		n += max(reached-starts[log], 0)
	}
	return n
}

// logOf is the name of the log of a record: clicks, clicks/0.
func logOf(r sim.RecordID) string {
	if r.Split == "" {
		return r.Source
	}
	return r.Source + "/" + r.Split
}
