package checkpoint

import "streaminglab/sim"

// A Sink hears what happens, in order. Events marked as messages must be
// delivered by whoever embeds the coordinator; the others are for those who
// watch. A sink may call the coordinator back: what it asks for is done after
// the present work.
type Sink interface{ CheckpointEvent(Event) }

// An Event is one of the types of this file.
type Event interface {
	// Rule is the id of the rule that says what the event is ("CP-1.5").
	Rule() string
}

type (
	// TickBooked : the next periodic tick is due at At, in ms (CP-2.2).
	TickBooked struct{ At int64 }

	// RequestDropped : a periodic request met the min-pause; it counts nowhere
	// (CP-2.3).
	RequestDropped struct {
		// Remaining is the rest of the pause in ms: the next tick is booked then.
		Remaining int64
	}

	// RequestRejected : a request failed before it had an id (CP-1.2), for the
	// most part because a task is not running (CP-2.9).
	RequestRejected struct{ Reason FailureReason }

	// RequestAnswered : a savepoint, or a checkpoint asked for by a person, is
	// done or failed.
	RequestAnswered struct {
		// Request counts them from 0.
		Request int
		// ID is the id of the snapshot when it is done, else 0.
		ID int64
		// Reason says why it failed; empty when an exception of the store did.
		Reason FailureReason
		// Exception is what the caller sees; nil when it is done.
		Exception *sim.Exception
	}

	// PendingCreated : a checkpoint has its id, and its timeout runs (CP-1.1).
	PendingCreated struct {
		ID int64
		// Request is the number of the request of a person; -1: nobody asked.
		Request  int
		Type     SnapshotType
		Periodic bool
		// Expires is in ms.
		Expires int64
		// Waiting are the tasks that must acknowledge.
		Waiting []int
	}

	// SnapshotCoordinators is a message: the coordinators of these operators
	// (enumerators) snapshot before any task does. The answer is
	// AcknowledgeCoordinator or FailCoordinator.
	SnapshotCoordinators struct {
		ID        int64
		Operators []string
	}

	// TriggerTasks is a message: these tasks take their snapshot and send
	// barriers.
	TriggerTasks struct {
		ID int64
		// Timestamp is the trigger time in ms that the barriers carry.
		Timestamp int64
		Type      SnapshotType
		Directory string
		Tasks     []int
		// Sources: the tasks are exactly all sources.
		Sources bool
	}

	// Acknowledged : a task acknowledged a pending checkpoint.
	Acknowledged struct {
		ID   int64
		Task int
		// Missing is how many still have to.
		Missing int
	}

	// LateAcknowledged : an acknowledgement of a checkpoint that is not pending
	// (any more): its private files are deleted, its shared ones stay until
	// they are swept (CP-1.4).
	LateAcknowledged struct {
		ID   int64
		Task int
		// Shared are the shared files that the registry heard of.
		Shared []string
	}

	// AcknowledgeRefused : an acknowledgement that the JobManager cannot take; the
	// checkpoint stays pending (CP-5.7).
	AcknowledgeRefused struct {
		ID        int64
		Task      int
		Exception *sim.Exception
	}

	// Finalizing : all have acknowledged, and _metadata is written, which takes
	// so many ms.
	Finalizing struct {
		ID       int64
		Duration int64
	}

	// Completed : the snapshot is complete (CP-1.5).
	Completed struct {
		ID        int64
		Type      SnapshotType
		Directory string
		// Triggered is the trigger time in ms.
		Triggered int64
		// Size is what a restore reads, Uploaded what was written for it, both
		// in bytes and without _metadata, whose size is MetadataSize.
		Size, Uploaded, MetadataSize int64
		// Files are the keys of the objects that a restore reads beside _metadata.
		Files []string
	}

	// Aborted : a checkpoint was given up, and the failure manager heard of it.
	// The same id comes twice when it was given up from outside while its
	// coordinators were asked (CP-3.1).
	Aborted struct {
		ID     int64
		Reason FailureReason
		// Task is who is blamed; -1: nobody.
		Task int
		// Failures is the counter of consecutive failures after it, before it is
		// cleared by a JobFailed.
		Failures int
	}

	// NotifyCompleted is a message to tasks and coordinators (CP-1.5).
	NotifyCompleted struct {
		ID int64
		// Subsumed is the id of the checkpoint that was just subsumed; -1: none.
		Subsumed int64
		Tasks    []int
		// All: the tasks are all tasks of the job.
		All bool
	}

	// NotifyAborted is a message to tasks and coordinators (CP-1.6).
	NotifyAborted struct {
		ID int64
		// Latest is the highest completed id; 0: none.
		Latest int64
		Tasks  []int
		All    bool
	}

	// JobFailed is a message to the scheduler: the job fails over (CP-3.4).
	JobFailed struct {
		// Task is who is blamed; -1: nobody.
		Task      int
		Exception *sim.Exception
	}

	// CheckpointSubsumed : a completed checkpoint left the list (CP-5.3).
	CheckpointSubsumed struct {
		ID   int64
		Type SnapshotType
		// Unclaimed: it is what the job was started from, and stays whose it was.
		Unclaimed bool
	}

	// CheckpointDiscarded : the files of a completed checkpoint were deleted,
	// except shared ones (CP-5.4). Err says what stayed; nil: nothing.
	CheckpointDiscarded struct {
		ID        int64
		Type      SnapshotType
		Directory string
		Err       error
	}

	// SharedStateUnregistered : a shared file left the registry (CP-5.6).
	SharedStateUnregistered struct {
		Path                string
		CreatedBy, LastUsed int64
		// Deleted is false for a file of a snapshot that is not claimed: it is
		// forgotten, and stays.
		Deleted bool
		// Err is set when the deletion failed: the file is an orphan.
		Err error
	}

	// Restored : the job's state comes from a completed checkpoint.
	Restored struct {
		ID        int64
		Directory string
		// Full: the next checkpoint is forced to be full (CP-8.7).
		Full bool
	}
)

// Rule is the rule that says what the event is.
func (TickBooked) Rule() string { return "CP-2.2" }

// Rule is the rule that says what the event is.
func (RequestDropped) Rule() string { return "CP-2.3" }

// Rule is the rule that says what the event is.
func (e RequestRejected) Rule() string {
	if e.Reason == NotAllRequiredTasksRunning {
		return "CP-2.9"
	}
	return "CP-1.2"
}

// Rule is the rule that says what the event is.
func (RequestAnswered) Rule() string { return "CP-2.8" }

// Rule is the rule that says what the event is.
func (PendingCreated) Rule() string { return "CP-1.1" }

// Rule is the rule that says what the event is.
func (SnapshotCoordinators) Rule() string { return "CP-1.1" }

// Rule is the rule that says what the event is: after some sources finished it
// is that of finished tasks.
func (e TriggerTasks) Rule() string {
	if !e.Sources {
		return "CP-1.7"
	}
	return "CP-1.1"
}

// Rule is the rule that says what the event is.
func (Acknowledged) Rule() string { return "CP-1.4" }

// Rule is the rule that says what the event is.
func (LateAcknowledged) Rule() string { return "CP-1.4" }

// Rule is the rule that says what the event is.
func (AcknowledgeRefused) Rule() string { return "CP-5.7" }

// Rule is the rule that says what the event is.
func (Completed) Rule() string { return "CP-1.5" }

// Rule is the rule that says what the event is: that of a write that failed
// where the checkpoint could not be finalized.
func (e Aborted) Rule() string {
	if e.Reason == FinalizeFailure {
		return "CP-11.4"
	}
	return "CP-1.6"
}

// Rule is the rule that says what the event is.
func (NotifyCompleted) Rule() string { return "CP-1.5" }

// Rule is the rule that says what the event is.
func (NotifyAborted) Rule() string { return "CP-1.6" }

// Rule is the rule that says what the event is: the threshold, or a stop with
// savepoint that failed.
func (e JobFailed) Rule() string {
	if e.Exception.Rule != "" {
		return e.Exception.Rule
	}
	return "CP-3.3"
}

// Rule is the rule that says what the event is.
func (CheckpointSubsumed) Rule() string { return "CP-5.3" }

// Rule is the rule that says what the event is.
func (CheckpointDiscarded) Rule() string { return "CP-5.4" }

// Rule is the rule that says what the event is: a file that is only forgotten
// belongs to somebody else.
func (e SharedStateUnregistered) Rule() string {
	if !e.Deleted && e.Err == nil {
		return "CP-8.10"
	}
	return "CP-5.6"
}

// Rule is the rule that says what the event is: forced full after NO_CLAIM, or
// the single latest one.
func (e Restored) Rule() string {
	if e.Full {
		return "CP-8.7"
	}
	return "CP-11.1"
}

// Rule is the rule that says what the event is.
func (Finalizing) Rule() string { return "CP-1.5" }
