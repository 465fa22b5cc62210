package narrate

import (
	"fmt"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// job tells the steps of steps_job.go.
func (w words) job(s *sim.Step) (string, bool) {
	at := place(s.At)
	switch b := s.Body.(type) {
	case sim.CommandGiven:
		return w.text("step.command.given", locale.Args{"Command": b.Command}), true
	case sim.JobStarted:
		return w.started(s, b), true
	case sim.StateRestored:
		return w.text("step.state.restored", locale.Args{
			"At": at, "Duration": b.Duration, "Local": b.Local,
			"Cells": w.count("narrate.cells", int64(b.Cells)), "Timers": w.count("narrate.timers", int64(b.Timers)),
		}), true
	case sim.TaskFailed:
		args := locale.Args{"At": at, "Thrown": thrown(b.Exception.Class, b.Exception.Message), "Record": ""}
		if b.Record != nil {
			args["Record"] = w.recordID(*b.Record)
		}
		if s.At == "jm" {
			return w.text("step.task.failed.global", args), true
		}
		return w.text("step.task.failed", args), true
	case sim.FaultInjected:
		return w.fault(at, b), true
	case sim.JobFailed:
		if s.Rule != "CP-11.3" { // it never started
			return w.text("step.job.failed.restore", locale.Args{"Thrown": thrown(b.Exception.Class, b.Exception.Message)}), true
		}
		if b.Strategy == "none" {
			return w.text("step.job.failed.none", nil), true
		}
		return w.text("step.job.failed.exhausted", locale.Args{"Strategy": b.Strategy}), true
	case sim.JobRestarting:
		if len(b.Subtasks) > 0 {
			return w.text("step.job.restarting.region", locale.Args{"Delay": b.Delay, "Strategy": b.Strategy, "Canceling": b.Canceling, "Subtasks": w.list(b.Subtasks)}), true
		}
		return w.text("step.job.restarting", locale.Args{"Delay": b.Delay, "Strategy": b.Strategy, "Canceling": b.Canceling}), true
	case sim.JobFinished:
		return w.text("step.job.finished", nil), true
	case sim.JobStopped:
		args := locale.Args{"Savepoint": b.Savepoint}
		if b.Drain {
			return w.text("step.job.stopped.drain", args), true
		}
		return w.text("step.job.stopped", args), true
	case sim.SourceEnded:
		return w.text("step.source.ended", locale.Args{"At": at}), true
	case sim.SplitAdded:
		return w.text("step.split.added", locale.Args{"Split": at, "Reader": reader(at, b.Reader), "Offset": b.Offset}), true
	case sim.SplitRemoved:
		return w.text("step.split.removed", locale.Args{"Split": at, "Reader": reader(at, b.Reader)}), true
	case sim.BackpressureChanged:
		return w.backpressure(at, b), true
	case sim.TaskManagerLost:
		return w.text("step.taskmanager.lost", locale.Args{
			"At": at, "Subtasks": w.list(b.Subtasks), "Heartbeat": b.Noticed == sim.NoticedHeartbeat,
		}), true
	case sim.TaskManagerFrozen:
		return w.text("step.taskmanager.frozen", locale.Args{"At": at, "Duration": b.Duration}), true
	case sim.TaskManagerWoke:
		if b.Zombie {
			return w.text("step.taskmanager.woke.zombie", locale.Args{"At": at}), true
		}
		return w.text("step.taskmanager.woke", locale.Args{"At": at}), true
	case sim.JobManagerRecovered:
		args := locale.Args{"Job": b.Job, "Checkpoints": "", "Next": b.NextID}
		if n := len(b.Checkpoints); n > 0 {
			args["Checkpoints"] = w.loc.Plural("narrate.found", int64(n), locale.Args{"IDs": w.ids(b.Checkpoints)})
		}
		return w.text("step.jobmanager.recovered", args), true
	case sim.PointerWritten:
		return w.text("step.pointer.written", locale.Args{"Path": b.Path, "Checkpoint": b.Checkpoint}), true
	case sim.Slowed:
		if !strings.HasPrefix(s.At, "split:") {
			if b.PerRecord == 0 {
				return w.text("step.operator.slowed.off", locale.Args{"At": at}), true
			}
			return w.text("step.operator.slowed", locale.Args{"At": at, "PerRecord": b.PerRecord}), true
		}
		if b.PerRecord == 0 {
			return w.text("step.split.slowed.off", locale.Args{"Split": at}), true
		}
		return w.text("step.split.slowed", locale.Args{"Split": at, "PerRecord": b.PerRecord}), true
	}
	return "", false
}

// started says from what a job starts and who reads what.
func (w words) started(s *sim.Step, b sim.JobStarted) string {
	args := locale.Args{"Parallelism": b.Parallelism, "Restored": w.restored(s, b.Restored), "Readers": w.readers(b.Splits), "Spare": "", "Mode": b.ClaimMode}
	if n := len(b.Spare); n > 0 {
		args["Spare"] = w.loc.Plural("narrate.spare", int64(n), locale.Args{"Names": w.list(b.Spare)})
	}
	switch {
	case len(b.Subtasks) > 0:
		args["Subtasks"] = w.list(b.Subtasks)
		if b.Restored == 0 {
			args["Restored"] = ""
		}
		return w.text("step.job.started.region", args)
	case b.Restored > 0:
		return w.text("step.job.started.restored", args)
	case b.Attempt > 0:
		return w.text("step.job.started.empty", args)
	}
	return w.text("step.job.started", args)
}

// restored names the snapshot that a job starts from: the step of its
// completion, which is among the causes of a new job, knows what it is.
func (w words) restored(s *sim.Step, id int64) string {
	for _, c := range s.Causes {
		if b, ok := c.Body.(sim.CheckpointCompleted); ok && b.ID == id {
			return w.asked(c, id)
		}
	}
	return w.named(int(id), false, "")
}

// readers says which reader reads which splits; an offset is named only where
// it is not the first.
func (w words) readers(starts []sim.SplitStart) string {
	var order []string
	splits := map[string][]string{}
	for _, s := range starts {
		r := reader(s.Split, s.Reader)
		if splits[r] == nil {
			order = append(order, r)
		}
		name := s.Split
		if s.Offset > 0 {
			name = w.text("narrate.split-from", locale.Args{"Split": s.Split, "Offset": s.Offset})
		}
		splits[r] = append(splits[r], name)
	}
	out := make([]string, len(order))
	for i, r := range order {
		out[i] = w.text("narrate.reads", locale.Args{"Reader": r, "Splits": w.list(splits[r])})
	}
	return strings.Join(out, w.text("narrate.clauses", nil))
}

// reader is the subtask of the source that a split belongs to.
func reader(split string, n int) string {
	source := split
	for i := range split {
		if split[i] == '/' {
			source = split[:i]
		}
	}
	return fmt.Sprintf("%s[%d]", source, n)
}

func (w words) offsets(in []sim.SplitOffset) string {
	out := make([]string, len(in))
	for i, o := range in {
		out[i] = w.text("narrate.offset", locale.Args{"Split": place(o.Split), "Offset": o.Offset})
	}
	return w.list(out)
}

func (w words) fault(at string, b sim.FaultInjected) string {
	args := locale.Args{"At": at}
	switch b.Kind {
	case sim.FaultMissing:
		return w.text("step.fault.injected.missing", args)
	case sim.FaultSkewed:
		return w.text("step.fault.injected.skewed", args)
	case sim.FaultFuture:
		return w.text("step.fault.injected.future", args)
	}
	args["Point"], args["Kind"] = b.Point, b.Kind
	return w.text("step.fault.injected", args)
}

func (w words) backpressure(at string, b sim.BackpressureChanged) string {
	args := locale.Args{"At": at, "Waiting": ""}
	if b.Waiting > 0 {
		args["Waiting"] = w.count("narrate.waiting", int64(b.Waiting))
	}
	if !b.On {
		return w.text("step.backpressure.changed.off", args)
	}
	args["Sources"] = ""
	if n := len(b.Sources); n > 0 {
		args["Sources"] = w.loc.Plural("narrate.stopped-sources", int64(n), locale.Args{"Names": w.list(b.Sources)})
	}
	return w.text("step.backpressure.changed.on", args)
}

// thrown is an exception as a stack trace begins, its causes on one line.
func thrown(class, message string) string {
	if rest, ok := strings.CutPrefix(message, causedBy); ok {
		message = rest
		class += "; " + causedBy
	} else if message != "" {
		class += ": "
	}
	return class + strings.ReplaceAll(message, ": "+causedBy, "; "+causedBy)
}

const causedBy = "Caused by: "
