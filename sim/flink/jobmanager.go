package flink

import (
	"fmt"
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// HighAvailabilitySpec are the options high-availability.* of a job.
type HighAvailabilitySpec struct {
	// Enabled : high-availability.type is zookeeper or kubernetes.
	Enabled bool
	// ZooKeeper : it is zookeeper, whose names are paths.
	ZooKeeper bool
	// Directory is high-availability.storageDir.
	Directory string
}

// jobManagerRestart is how long it takes until another JobManager leads, in ms:
// a pod is started again, a leader is elected. It is a choice, not a measure.
const jobManagerRestart = 10_000

// A submission is a job as it was handed to its first JobManager: without high
// availability the next one knows nothing else (CP-11.5).
type submission struct {
	spec    *Spec
	from    *Checkpoint
	options RestoreOptions
}

// CrashJobManager ends the process of the JobManager, with what it had in
// memory: its list of checkpoints, what was pending, its restart strategy. The
// TaskManagers lose it and cancel their subtasks.
func (j *Job) CrashJobManager(cause *sim.Step) {
	if j.Status != Running && j.Status != Restarting {
		return
	}
	step := j.kernel.Emit("jm", "CP-11.5", sim.JobManagerLost{Job: j.ID}, cause)
	j.stop(wholeJob)
	j.coordinator.Crash()
	j.dropDisk(JobManagerName, step)
	// The TaskManagers cancel their subtasks and free their slots.
	j.backups = nil
	j.Status = Suspended
	j.restarts = append(j.restarts, j.kernel.Queue.At(j.kernel.Now()+jobManagerRestart, false, func() { j.must(j.lead(step)) }))
}

// lead is what the next JobManager does. With high availability it takes over
// what the former one had stored; without, it runs the job as it was submitted.
func (j *Job) lead(cause *sim.Step) error {
	j.backoff = j.newBackoff()
	if j.ha == nil {
		s := j.submitted
		return j.submit(s.spec, s.from, s.options, cause)
	}
	pointers := slices.Clone(j.ha.Checkpoints)
	body := sim.JobManagerRecovered{Job: j.ID, NextID: max(j.ha.NextID, 1)}
	for _, c := range pointers {
		body.Checkpoints = append(body.Checkpoints, c.ID())
	}
	j.newCoordinator()
	for _, e := range j.coordinator.Store().Registry().Entries() {
		body.Registered = append(body.Registered, sim.RegisteredFile{Path: e.Path, CreatedBy: e.CreatedBy, LastUsed: e.LastUsed})
	}
	step := j.kernel.Emit("jm", "CP-11.5", body, cause)
	for _, c := range pointers {
		path := j.pointer(c.ID())
		if j.cluster.Store.Has(path) {
			continue
		}
		j.Status = Failed
		e := sim.Exception{
			Class: "org.apache.flink.util.FlinkException", Rule: "CP-11.5",
			Message: fmt.Sprintf("Could not retrieve checkpoint %d from state handle under %s. This indicates that the retrieved state handle is broken. Try cleaning the state handle store.", c.ID(), j.pointerName(c.ID())),
		}
		j.kernel.Emit("jm", e.Rule, sim.JobFailed{Job: j.ID, Attempt: j.Attempt, Strategy: j.Spec.Restart.Type, Exception: e}, step)
		return nil
	}
	j.Attempt++
	c := j.coordinator.RestoreLatest()
	if c == nil && j.submitted.from != nil {
		// The snapshot that the user named counts only when there is nothing
		// (CP-8.11).
		var err error
		if c, err = j.coordinator.RestoreSnapshot(j.submitted.from.Directory, j.claim); err != nil {
			return j.refused(err, step)
		}
	}
	return j.Start(c, step)
}

// pointerName is what a checkpoint is called in ZooKeeper, below the node of the
// job's checkpoints, or in a ConfigMap.
func (j *Job) pointerName(id int64) string {
	if j.Spec.HighAvailability.ZooKeeper {
		return fmt.Sprintf("/%019d", id)
	}
	return fmt.Sprintf("checkpointID-%019d", id)
}

// pointer is the object that holds a checkpoint for the next JobManager: its
// name stands in ZooKeeper or in a ConfigMap.
func (j *Job) pointer(id int64) string {
	return fmt.Sprintf("%s/%s/completedCheckpoint%d", j.Spec.HighAvailability.Directory, j.ID, id)
}

// keepPointer writes the object for a checkpoint that is about to be complete.
// A pointer that cannot be written makes its completion fail (CP-11.4).
func (j *Job) keepPointer(c *checkpoint.CompletedCheckpoint) checkpoint.StoreFault {
	s := j.pending[c.ID()]
	var cause *sim.Step
	if s != nil { // else it is the snapshot that the job starts from
		cause = s.acknowledged
		if f := j.kernel.Fault(sim.PointHA, "jm"); f != nil {
			s.fault = j.kernel.Emit("jm", "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
			if f.Kind == sim.FaultUnknown {
				return checkpoint.StoreUnknown
			}
			return checkpoint.StoreFailed
		}
	}
	path, at := j.pointer(c.ID()), c.Location.Directory
	if _, err := j.cluster.Store.Put(path, objectstore.Bytes([]byte(at)), checkpoint.JobManager); err != nil {
		return checkpoint.StoreFailed
	}
	j.pointers = append(j.pointers, c.ID())
	j.kernel.Emit("jm", "CP-11.5", sim.PointerWritten{Checkpoint: c.ID(), Path: path, Size: int64(len(at))}, cause)
	return ""
}

// dropPointers deletes the objects of checkpoints that are not retained.
func (j *Job) dropPointers() {
	if j.ha == nil {
		return
	}
	kept := func(id int64) bool {
		return slices.ContainsFunc(j.ha.Checkpoints, func(c *checkpoint.CompletedCheckpoint) bool { return c.ID() == id })
	}
	for _, id := range j.pointers {
		if kept(id) {
			continue
		}
		path := j.pointer(id)
		o, known := j.cluster.Store.Stat(path)
		if _, err := j.cluster.Store.Delete(path); err == nil && known {
			j.kernel.Emit("jm", "CP-11.5", sim.ObjectDeleted{Path: path, Size: o.Size, By: checkpoint.JobManager}, j.done)
		}
	}
	j.pointers = slices.DeleteFunc(j.pointers, func(id int64) bool { return !kept(id) })
	j.cluster.Forget()
}
