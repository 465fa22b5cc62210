package sim

// CheckpointTriggered : the coordinator told the sources to start a checkpoint.
type CheckpointTriggered struct {
	ID int64 `json:"id" doc:"its id"`
	// Job is the job that takes it: ids are those of its job.
	Job string `json:"job" doc:"the job that takes it: job1"`
	// Name is how a script calls a savepoint.
	Name string `json:"name,omitempty" doc:"of a savepoint: sp1"`
	// Kind is checkpoint, full, savepoint, savepoint-suspend or savepoint-drain.
	Kind   string `json:"kind" doc:"checkpoint, full, savepoint, savepoint-suspend or savepoint-drain"`
	Format string `json:"format,omitempty" doc:"of a savepoint: canonical or native"`
	// Finished are not waited for.
	Finished []string `json:"finished,omitempty" doc:"subtasks that have finished and take no part"`
}

// StepType names the type.
func (CheckpointTriggered) StepType() string { return "checkpoint.triggered" }

// CheckpointQueued : a request waits until another checkpoint is done.
type CheckpointQueued struct {
	Waiting int     `json:"waiting" doc:"requests in the queue"`
	Pending []int64 `json:"pending" doc:"the checkpoints that are pending"`
}

// StepType names the type.
func (CheckpointQueued) StepType() string { return "checkpoint.queued" }

// CheckpointDropped : a periodic request met the min-pause.
type CheckpointDropped struct {
	Remaining int64 `json:"remaining" doc:"ms of the pause that are left: the next tick comes then"`
}

// StepType names the type.
func (CheckpointDropped) StepType() string { return "checkpoint.dropped" }

// CheckpointRejected : a request failed before it had an id.
type CheckpointRejected struct {
	Reason  string `json:"reason" doc:"CheckpointFailureReason"`
	Message string `json:"msg" doc:"in the words of the real system"`
}

// StepType names the type.
func (CheckpointRejected) StepType() string { return "checkpoint.rejected" }

// CoordinatorSnapshotted : the SourceCoordinator of a source has saved its part
// of a checkpoint, before any task was told.
type CoordinatorSnapshotted struct {
	ID int64 `json:"id" doc:"the checkpoint"`
}

// StepType names the type.
func (CoordinatorSnapshotted) StepType() string { return "coordinator.snapshot" }

// BarrierEmitted : a subtask of a source has saved its positions and sent its
// barrier.
type BarrierEmitted struct {
	ID int64 `json:"id" doc:"the checkpoint"`
	// Offsets are the positions of its splits.
	Offsets   []SplitOffset `json:"offsets,omitempty" doc:"the positions that it saved"`
	Unaligned bool          `json:"unaligned,omitempty" doc:"true: the barrier may overtake data"`
}

// StepType names the type.
func (BarrierEmitted) StepType() string { return "barrier.emitted" }

// BarrierReceived : a barrier came out of a channel of a subtask that has
// several.
type BarrierReceived struct {
	ID   int64  `json:"id" doc:"the checkpoint"`
	From string `json:"from" doc:"the subtask that sent it"`
	// Blocked : nothing more is taken from the channel until the others have
	// delivered theirs.
	Blocked bool `json:"blocked,omitempty" doc:"true: nothing more is taken from that channel until the alignment ends"`
	// Missing counts the channels whose barrier has not come.
	Missing int `json:"missing" doc:"channels whose barrier has not come yet"`
}

// StepType names the type.
func (BarrierReceived) StepType() string { return "barrier.received" }

// SnapshotTaken : a subtask has done the synchronous part of its snapshot and
// sent its barrier on.
type SnapshotTaken struct {
	ID        int64 `json:"id" doc:"the checkpoint"`
	Unaligned bool  `json:"unaligned,omitempty" doc:"true: it did not wait for all barriers"`
	// StartDelay and Alignment are in ms.
	StartDelay int64 `json:"start_delay" doc:"ms from the trigger to the first barrier: checkpointStartDelayNanos"`
	Alignment  int64 `json:"alignment" doc:"ms from the first barrier to the snapshot: checkpointAlignmentTime"`
	// InFlight are elements of its input that belong to the checkpoint so far.
	InFlight int `json:"in_flight,omitempty" doc:"elements of its input that are kept with the checkpoint, so far"`
	// Last : nobody is downstream, no barrier is sent on.
	Last bool `json:"last,omitempty" doc:"true: nobody is downstream"`
}

// StepType names the type.
func (SnapshotTaken) StepType() string { return "snapshot.taken" }

// CheckpointFinalizing : all subtasks have acknowledged, and the JobManager
// writes _metadata.
type CheckpointFinalizing struct {
	ID       int64 `json:"id" doc:"the checkpoint"`
	Duration int64 `json:"duration" doc:"ms that the writing takes"`
}

// StepType names the type.
func (CheckpointFinalizing) StepType() string { return "checkpoint.finalizing" }

// CheckpointNotified : a subtask heard what became of a checkpoint.
type CheckpointNotified struct {
	ID int64 `json:"id" doc:"the checkpoint"`
	// Aborted : it was given up; else it is complete.
	Aborted bool `json:"aborted,omitempty" doc:"true: it was given up; else it is complete"`
}

// StepType names the type.
func (CheckpointNotified) StepType() string { return "checkpoint.notified" }

// InFlightRestored : a subtask got elements back that were on their way when
// the checkpoint was taken; it handles them before all others.
type InFlightRestored struct {
	Records int `json:"records" doc:"records among them"`
	Others  int `json:"others,omitempty" doc:"watermarks and statuses among them"`
	// Lines name the records, in the order in which they are handled.
	Lines []RecordID `json:"lines,omitempty" doc:"where these records stand in their logs"`
}

// StepType names the type.
func (InFlightRestored) StepType() string { return "inflight.restored" }

// FileUploaded : a subtask has written a file for its snapshot.
type FileUploaded struct {
	// Checkpoint is 0 when a tree keeps its tables on the store.
	Checkpoint int64  `json:"checkpoint" doc:"the snapshot; 0: none, a tree keeps its SSTs there"`
	Path       string `json:"path" doc:"the object"`
	Table      string `json:"table,omitempty" doc:"the SST that it holds, as lsm.edited names it: f1"`
	Size       int64  `json:"size" doc:"bytes"`
}

// StepType names the type.
func (FileUploaded) StepType() string { return "file.uploaded" }

// CheckpointAcknowledged : a subtask has written its snapshot and says so.
type CheckpointAcknowledged struct {
	ID int64 `json:"id" doc:"the checkpoint"`
	// Shared reach the registry now, whatever becomes of the checkpoint.
	Shared []string `json:"shared,omitempty" doc:"shared files of its snapshot: SharedStateRegistry notes that the checkpoint uses them"`
	// Sync and Async are in ms.
	Sync  int64 `json:"sync,omitempty" doc:"ms of the synchronous part, in which the subtask handles nothing"`
	Async int64 `json:"async,omitempty" doc:"ms of the asynchronous part: writing files"`
	// InFlight is how much of its input is kept with the checkpoint.
	InFlight int `json:"in_flight,omitempty" doc:"elements of its input that are kept with the checkpoint"`
}

// StepType names the type.
func (CheckpointAcknowledged) StepType() string { return "checkpoint.acknowledged" }

// CheckpointAcknowledgedLate : nobody waits for the acknowledgement any more.
type CheckpointAcknowledgedLate struct {
	ID     int64    `json:"id" doc:"the checkpoint"`
	Shared []string `json:"shared,omitempty" doc:"shared files of its snapshot: SharedStateRegistry notes that the checkpoint uses them"`
	Files  []string `json:"files,omitempty" doc:"its private objects, which are gone"`
}

// StepType names the type.
func (CheckpointAcknowledgedLate) StepType() string { return "checkpoint.late" }

// CheckpointRefused : the coordinator cannot take an acknowledgement.
type CheckpointRefused struct {
	ID        int64     `json:"id" doc:"the checkpoint"`
	Task      string    `json:"task" doc:"the subtask"`
	Exception Exception `json:"exception" doc:"class and message, in the words of the real system"`
}

// StepType names the type.
func (CheckpointRefused) StepType() string { return "checkpoint.refused" }

// CheckpointDeclined : a subtask cannot take its snapshot.
type CheckpointDeclined struct {
	ID        int64     `json:"id" doc:"the checkpoint"`
	Exception Exception `json:"exception" doc:"class and message, in the words of the real system"`
}

// StepType names the type.
func (CheckpointDeclined) StepType() string { return "checkpoint.declined" }

// A SplitOffset is a position.
type SplitOffset struct {
	Split  string `json:"split" doc:"the split"`
	Offset int64  `json:"offset" doc:"the next offset that is read"`
}

// CheckpointCompleted : all subtasks have acknowledged and _metadata is written.
type CheckpointCompleted struct {
	ID      int64         `json:"id" doc:"its id"`
	Kind    string        `json:"kind" doc:"checkpoint, full, savepoint, savepoint-suspend or savepoint-drain"`
	Offsets []SplitOffset `json:"offsets" doc:"the position of each split"`
	Cells   int           `json:"cells" doc:"cells of keyed state of all subtasks"`
	Timers  int           `json:"timers" doc:"event timers of all subtasks"`
	// ListItems are those of operators; positions of sources are offsets.
	ListItems int    `json:"list_items,omitempty" doc:"elements of operator list state of all subtasks"`
	Duration  int64  `json:"duration" doc:"ms from the trigger"`
	Size      int64  `json:"size" doc:"bytes that were written for it: Checkpointed Data Size in Flink's web UI"`
	FullSize  int64  `json:"full_size" doc:"bytes that a restore reads: Full Checkpoint Data Size"`
	Metadata  string `json:"metadata" doc:"the object that makes it a snapshot: _metadata"`
	// MetadataSize is that of _metadata.
	MetadataSize int64 `json:"metadata_size" doc:"bytes of _metadata"`
	// Files are the objects that a restore reads beside _metadata.
	Files []string `json:"files,omitempty" doc:"the objects that a restore needs beside _metadata"`
	// NewTables and ReusedTables count SSTs, also those that lie inside _metadata.
	NewTables    int `json:"new_tables,omitempty" doc:"SSTs that no earlier snapshot brought, also those that lie inside _metadata"`
	ReusedTables int `json:"reused_tables,omitempty" doc:"SSTs that an earlier one brought"`
}

// StepType names the type.
func (CheckpointCompleted) StepType() string { return "checkpoint.completed" }

// CheckpointAborted : a checkpoint was given up.
type CheckpointAborted struct {
	ID       int64  `json:"id" doc:"its id"`
	Reason   string `json:"reason" doc:"CheckpointFailureReason"`
	Message  string `json:"msg" doc:"in the words of the real system"`
	Failures int    `json:"failures" doc:"consecutive failures that count, with this one"`
	// Files are the objects that are gone with it.
	Files []string `json:"files,omitempty" doc:"the objects that are gone with it"`
}

// StepType names the type.
func (CheckpointAborted) StepType() string { return "checkpoint.aborted" }

// CheckpointSubsumed : a completed checkpoint left the list of those that are
// retained.
type CheckpointSubsumed struct {
	ID   int64  `json:"id" doc:"its id"`
	Kind string `json:"kind" doc:"as checkpoint.triggered has it"`
	// Unclaimed is what the job was started from without claiming it.
	Unclaimed bool `json:"unclaimed,omitempty" doc:"the job was started from it and does not own it: it stays"`
}

// StepType names the type.
func (CheckpointSubsumed) StepType() string { return "checkpoint.subsumed" }

// CheckpointDiscarded : the files of a completed checkpoint were deleted, but
// for shared ones.
type CheckpointDiscarded struct {
	ID        int64  `json:"id" doc:"its id"`
	Kind      string `json:"kind" doc:"checkpoint, or that of a savepoint"`
	Directory string `json:"directory" doc:"its directory"`
	// Files are the objects that are gone.
	Files []string `json:"files,omitempty" doc:"the objects that are gone"`
	Error string   `json:"error,omitempty" doc:"what could not be deleted"`
}

// StepType names the type.
func (CheckpointDiscarded) StepType() string { return "checkpoint.discarded" }

// SharedStateUnregistered : no retained checkpoint uses a shared file any more.
type SharedStateUnregistered struct {
	Path      string `json:"path" doc:"the object"`
	CreatedBy int64  `json:"created_by" doc:"the checkpoint that brought it"`
	LastUsed  int64  `json:"last_used" doc:"the last checkpoint that used it"`
	Deleted   bool   `json:"deleted" doc:"false: it belongs to a snapshot that is not claimed, and stays"`
	Missing   bool   `json:"missing,omitempty" doc:"it was not there any more"`
	Error     string `json:"error,omitempty" doc:"why the deletion failed"`
}

// StepType names the type.
func (SharedStateUnregistered) StepType() string { return "shared.unregistered" }

// CleanUpFailed : the clean-up at the end of a job stopped half way.
type CleanUpFailed struct {
	Error string `json:"error" doc:"in the words of the real system"`
}

// StepType names the type.
func (CleanUpFailed) StepType() string { return "cleanup.failed" }

// A TableFile is a table file of a tree.
type TableFile struct {
	Name  string `json:"name" doc:"its name"`
	Level int    `json:"level" doc:"its level"`
	Size  int64  `json:"size" doc:"bytes"`
}

// TreeEdited : files of a column family were written and replaced.
type TreeEdited struct {
	Family   string      `json:"family" doc:"the column family"`
	Reason   string      `json:"reason" doc:"flush, compaction, rewrite or clip"`
	Inputs   []TableFile `json:"inputs,omitempty" doc:"files that are gone"`
	Outputs  []TableFile `json:"outputs,omitempty" doc:"files that are new"`
	BytesIn  int64       `json:"bytes_in,omitempty" doc:"bytes read"`
	BytesOut int64       `json:"bytes_out,omitempty" doc:"bytes written"`
}

// StepType names the type.
func (TreeEdited) StepType() string { return "lsm.edited" }

// StateSkipped : the state of an operator that the job does not have was
// dropped, because allowNonRestoredState says so.
type StateSkipped struct {
	UID string `json:"uid" doc:"the operator's uid"`
}

// StepType names the type.
func (StateSkipped) StepType() string { return "state.skipped" }

// ObjectDeleted : an object was deleted, and not by the JobManager.
type ObjectDeleted struct {
	Path string `json:"path" doc:"the object"`
	Size int64  `json:"size" doc:"bytes"`
	// By is person, lifecycle, task (it gave up a snapshot that failed) or
	// database (a ForSt tree, of its own files), jobmanager (a pointer of high
	// availability) or host (a disk that is gone with its process).
	By string `json:"by" doc:"person, lifecycle, task (it gave up a snapshot that failed), database (a ForSt tree, of its own files), jobmanager (a pointer of high availability) or host (a disk that is gone with its process)"`
}

// StepType names the type.
func (ObjectDeleted) StepType() string { return "object.deleted" }

// StoreChanged : somebody changed the rules of the store.
type StoreChanged struct {
	// What is deny, allow, lifecycle or slow.
	What      string `json:"what" doc:"deny, allow, lifecycle or slow"`
	Operation string `json:"operation,omitempty" doc:"put, get, list or delete; empty: all"`
	Prefix    string `json:"prefix,omitempty" doc:"what the names of the objects begin with"`
	Duration  int64  `json:"duration,omitempty" doc:"ms: the age of a lifecycle rule, or what each request takes more"`
}

// StepType names the type.
func (StoreChanged) StepType() string { return "store.changed" }

// JobCanceled : somebody canceled the job.
type JobCanceled struct {
	Attempt int `json:"attempt" doc:"the attempt"`
}

// StepType names the type.
func (JobCanceled) StepType() string { return "job.canceled" }
