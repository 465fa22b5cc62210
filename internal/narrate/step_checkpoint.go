package narrate

import (
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// Kinds of snapshots, as checkpoint.triggered writes them.
const (
	kindFull    = "full"
	kindSuspend = "savepoint-suspend"
	kindDrain   = "savepoint-drain"
)

func isSavepoint(kind string) bool { return strings.HasPrefix(kind, "savepoint") }

// checkpoint tells the steps of steps_checkpoint.go.
func (w words) checkpoint(s *sim.Step) (string, bool) {
	at := place(s.At)
	switch b := s.Body.(type) {
	case sim.CheckpointTriggered:
		return w.triggered(b), true
	case sim.CheckpointQueued:
		args := locale.Args{"Pending": "", "Waiting": b.Waiting}
		if n := len(b.Pending); n > 0 {
			args["Pending"] = w.loc.Plural("narrate.pending", int64(n), locale.Args{"IDs": w.ids(b.Pending)})
		}
		return w.text("step.checkpoint.queued", args), true
	case sim.CheckpointDropped:
		return w.text("step.checkpoint.dropped", locale.Args{"Remaining": b.Remaining}), true
	case sim.CheckpointRejected:
		return w.text("step.checkpoint.rejected", locale.Args{"Reason": b.Reason, "Message": b.Message}), true
	case sim.FileUploaded:
		if b.Checkpoint == 0 { // a tree that has its files there (CP-7.3)
			return w.text("step.file.uploaded.tree", locale.Args{"At": at, "Path": b.Path, "Table": b.Table, "Size": b.Size}), true
		}
		return w.text("step.file.uploaded", locale.Args{
			"At": at, "Path": b.Path, "Size": b.Size, "What": w.asked(s, b.Checkpoint),
		}), true
	case sim.CheckpointAcknowledged:
		return w.text("step.checkpoint.acknowledged", locale.Args{"At": at, "What": w.asked(s, b.ID), "Async": b.Async}), true
	case sim.CoordinatorSnapshotted:
		return w.text("step.coordinator.snapshot", locale.Args{"At": at, "What": w.asked(s, b.ID)}), true
	case sim.BarrierEmitted:
		return w.text("step.barrier.emitted", locale.Args{
			"At": at, "What": w.asked(s, b.ID), "Offsets": w.offsets(b.Offsets), "Unaligned": b.Unaligned,
		}), true
	case sim.BarrierReceived:
		return w.text("step.barrier.received", locale.Args{
			"At": at, "What": w.asked(s, b.ID), "From": b.From, "Blocked": b.Blocked, "Missing": b.Missing,
		}), true
	case sim.SnapshotTaken:
		return w.text("step.snapshot.taken", locale.Args{
			"At": at, "What": w.asked(s, b.ID), "Unaligned": b.Unaligned, "StartDelay": b.StartDelay,
			"Alignment": b.Alignment, "InFlight": b.InFlight, "Last": b.Last,
		}), true
	case sim.CheckpointFinalizing:
		return w.text("step.checkpoint.finalizing", locale.Args{"What": w.asked(s, b.ID), "Duration": b.Duration}), true
	case sim.CheckpointNotified:
		if b.Aborted {
			return w.text("step.checkpoint.notified.aborted", locale.Args{"At": at, "What": w.asked(s, b.ID)}), true
		}
		return w.text("step.checkpoint.notified", locale.Args{"At": at, "What": w.asked(s, b.ID)}), true
	case sim.InFlightRestored:
		return w.text("step.inflight.restored", locale.Args{
			"At": at, "Records": w.count("narrate.records", int64(b.Records)), "Others": b.Others,
		}), true
	case sim.CheckpointAcknowledgedLate:
		return w.text("step.checkpoint.late", locale.Args{"At": at, "What": w.asked(s, b.ID), "Files": w.gone(b.Files)}), true
	case sim.CheckpointRefused:
		return w.text("step.checkpoint.refused", locale.Args{
			"Task": b.Task, "What": w.asked(s, b.ID), "Class": b.Exception.Class, "Message": b.Exception.Message,
		}), true
	case sim.CheckpointDeclined:
		return w.text("step.checkpoint.declined", locale.Args{
			"At": at, "What": w.asked(s, b.ID), "Class": b.Exception.Class, "Message": b.Exception.Message,
		}), true
	case sim.CheckpointCompleted:
		return w.completed(s, b), true
	case sim.CheckpointAborted:
		return w.text("step.checkpoint.aborted", locale.Args{
			"What": w.asked(s, b.ID), "Reason": b.Reason, "Message": b.Message, "Failures": b.Failures, "Files": w.gone(b.Files),
		}), true
	case sim.CheckpointSubsumed:
		if b.Unclaimed {
			return w.text("step.checkpoint.subsumed.unclaimed", locale.Args{"What": w.named(int(b.ID), isSavepoint(b.Kind), "")}), true
		}
		return w.text("step.checkpoint.subsumed", locale.Args{"What": w.named(int(b.ID), isSavepoint(b.Kind), "")}), true
	case sim.CheckpointDiscarded:
		args := locale.Args{"What": w.named(int(b.ID), isSavepoint(b.Kind), ""), "Directory": b.Directory, "Error": b.Error, "Files": ""}
		if n := len(b.Files); n > 0 {
			args["Files"] = w.count("narrate.objects", int64(n))
		}
		return w.text("step.checkpoint.discarded", args), true
	case sim.SharedStateUnregistered:
		args := locale.Args{"Path": b.Path, "Created": b.CreatedBy, "Used": b.LastUsed, "Error": b.Error}
		switch {
		case b.Error != "":
			return w.text("step.shared.unregistered.error", args), true
		case b.Missing:
			return w.text("step.shared.unregistered.missing", args), true
		case !b.Deleted:
			return w.text("step.shared.unregistered.kept", args), true
		}
		return w.text("step.shared.unregistered", args), true
	case sim.CleanUpFailed:
		return w.text("step.cleanup.failed", locale.Args{"Error": b.Error}), true
	}
	return w.storage(s, at)
}

// storage tells the steps about trees, objects and the store.
func (w words) storage(s *sim.Step, at string) (string, bool) {
	switch b := s.Body.(type) {
	case sim.TreeEdited:
		return w.tree(at, b), true
	case sim.StateSkipped:
		return w.text("step.state.skipped", locale.Args{"UID": b.UID}), true
	case sim.ObjectDeleted:
		args := locale.Args{"Path": b.Path, "Size": b.Size, "At": at}
		switch b.By {
		case "lifecycle", "task", "database", "jobmanager", "host":
			return w.text("step.object.deleted."+b.By, args), true
		}
		return w.text("step.object.deleted", args), true
	case sim.StoreChanged:
		return w.storeChanged(b), true
	case sim.JobManagerLost:
		if b.Replaced {
			return w.text("step.jobmanager.lost.replaced", locale.Args{"Job": b.Job}), true
		}
		return w.text("step.jobmanager.lost", locale.Args{"Job": b.Job}), true
	case sim.JobCanceled:
		return w.text("step.job.canceled", nil), true
	}
	return "", false
}

// named names a snapshot by its id, and a savepoint also by what a script calls
// it.
func (w words) named(id int, savepoint bool, name string) string {
	if savepoint {
		return w.text("narrate.savepoint", locale.Args{"ID": id, "Name": name})
	}
	return w.text("narrate.checkpoint", locale.Args{"ID": id})
}

// asked names the snapshot that a step is about: the step of its trigger, which
// is among the causes or behind one of them, knows whether it is a savepoint.
func (w words) asked(s *sim.Step, id int64) string {
	for _, c := range append([]*sim.Step{s}, s.Causes...) {
		if c == nil {
			continue
		}
		for _, t := range append([]*sim.Step{c}, c.Causes...) {
			if t == nil {
				continue
			}
			if b, ok := t.Body.(sim.CheckpointTriggered); ok && b.ID == id {
				return w.named(int(id), isSavepoint(b.Kind), b.Name)
			}
		}
	}
	return w.named(int(id), false, "")
}

func (w words) ids(in []int64) string {
	out := make([]string, len(in))
	for i, id := range in {
		out[i] = strconv.FormatInt(id, 10)
	}
	return w.list(out)
}

// gone is a clause about objects that were deleted, or nothing.
func (w words) gone(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return w.count("narrate.gone", int64(len(files)))
}

func (w words) format(f string) string {
	if f == "native" {
		return w.text("narrate.format.native", nil)
	}
	return w.text("narrate.format.canonical", nil)
}

func (w words) triggered(b sim.CheckpointTriggered) string {
	args := locale.Args{"ID": b.ID, "What": w.named(int(b.ID), isSavepoint(b.Kind), b.Name), "Format": w.format(b.Format)}
	switch {
	case b.Kind == kindFull:
		return w.text("step.checkpoint.triggered.full", args)
	case b.Kind == kindDrain:
		return w.text("step.checkpoint.triggered.drain", args)
	case b.Kind == kindSuspend:
		return w.text("step.checkpoint.triggered.suspend", args)
	case isSavepoint(b.Kind):
		return w.text("step.checkpoint.triggered.savepoint", args)
	}
	return w.text("step.checkpoint.triggered", args)
}

func (w words) completed(s *sim.Step, b sim.CheckpointCompleted) string {
	savepoint := isSavepoint(b.Kind)
	args := locale.Args{
		"What": w.asked(s, b.ID), "Directory": "", "Duration": b.Duration,
		"Cells": w.count("narrate.cells", int64(b.Cells)), "Timers": w.count("narrate.timers", int64(b.Timers)),
		"Offsets": w.offsets(b.Offsets), "Size": b.Size, "Full": b.FullSize, "Items": "",
	}
	if b.ListItems > 0 {
		args["Items"] = w.count("narrate.items", int64(b.ListItems))
	}
	if savepoint {
		args["Directory"] = directory(b.Metadata)
	}
	return w.text("step.checkpoint.completed", args)
}

// tables names table files with level and size.
func (w words) tables(in []sim.TableFile) string {
	out := make([]string, len(in))
	for i, f := range in {
		out[i] = w.text("narrate.table", locale.Args{"Name": f.Name, "Level": f.Level, "Size": f.Size})
	}
	return w.list(out)
}

func (w words) tree(at string, b sim.TreeEdited) string {
	args := locale.Args{"At": at, "Family": b.Family, "Inputs": w.tables(b.Inputs), "Outputs": w.tables(b.Outputs)}
	switch b.Reason {
	case "flush":
		return w.text("step.lsm.edited.flush", args)
	case "rewrite":
		return w.text("step.lsm.edited.rewrite", args)
	case "restore":
		return w.text("step.lsm.edited.restore", args)
	case "clip":
		return w.text("step.lsm.edited.clip", args)
	}
	return w.text("step.lsm.edited.compaction", args)
}

func (w words) storeChanged(b sim.StoreChanged) string {
	args := locale.Args{"Operation": "", "Prefix": b.Prefix, "Duration": b.Duration}
	if b.Operation != "*" {
		args["Operation"] = b.Operation
	}
	switch {
	case b.What == "deny":
		return w.text("step.store.changed.deny", args)
	case b.What == "allow":
		return w.text("step.store.changed.allow", args)
	case b.What == "lifecycle" && b.Duration > 0:
		return w.text("step.store.changed.lifecycle", args)
	case b.What == "lifecycle":
		return w.text("step.store.changed.lifecycle.off", args)
	case b.Duration > 0:
		return w.text("step.store.changed.slow", args)
	}
	return w.text("step.store.changed.slow.off", args)
}
