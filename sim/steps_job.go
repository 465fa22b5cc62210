package sim

// CommandGiven : a command was typed. It is the root of the causes of all that
// follows from it.
type CommandGiven struct {
	Command string `json:"command" doc:"the command, in canonical form"`
}

// StepType names the type.
func (CommandGiven) StepType() string { return "command.given" }

// SplitStart says who reads a split and from where.
type SplitStart struct {
	Split  string `json:"split" doc:"the split"`
	Reader int    `json:"reader" doc:"the reader (subtask of the source)"`
	Offset int64  `json:"offset" doc:"the first offset that it reads"`
}

// Exchanges : how records go from the subtasks of one vertex to those of another.
const (
	// ExchangeHash : each record goes to the owner of its key.
	ExchangeHash = "hash"
	// ExchangeRebalance : records are spread over all subtasks.
	ExchangeRebalance = "rebalance"
	// ExchangeBroadcast : each record goes to all subtasks.
	ExchangeBroadcast = "broadcast"
	// ExchangeForward : they go to the subtask of the same number.
	ExchangeForward = "forward"
)

// An Edge leads from a vertex to one of its consumers.
type Edge struct {
	From     string `json:"from" doc:"a source or an operator"`
	To       string `json:"to" doc:"an operator or a sink"`
	Exchange string `json:"exchange" doc:"hash, rebalance or forward"`
}

// A VertexUID is what the state of an operator is found by, where that is not
// its name.
type VertexUID struct {
	Name string `json:"name" doc:"the operator"`
	UID  string `json:"uid" doc:"its uid"`
}

// JobStarted : all tasks run.
type JobStarted struct {
	// Job is new with each start from a snapshot, and stays with each restart.
	Job      string `json:"job" doc:"its id: job1"`
	Attempt  int    `json:"attempt" doc:"0 for the first start"`
	Restored int64  `json:"restored" doc:"the checkpoint that state came from; 0: none"`
	// Snapshot and ClaimMode belong to a new job, not to one that came back.
	Snapshot    string       `json:"snapshot,omitempty" doc:"directory of the snapshot that a new job starts from"`
	ClaimMode   string       `json:"claim_mode,omitempty" doc:"CLAIM, NO_CLAIM or LEGACY, of a new job"`
	Registered  []string     `json:"registered,omitempty" doc:"shared files of that snapshot that SharedStateRegistry knows now, also those that lie inside _metadata"`
	Parallelism int          `json:"parallelism" doc:"subtasks of each operator"`
	Slots       int          `json:"slots,omitempty" doc:"subtasks of a vertex that share a TaskManager, when there are several: taskmanager.numberOfTaskSlots"`
	Vertices    []string     `json:"vertices" doc:"sources, operators and sinks"`
	Edges       []Edge       `json:"edges,omitempty" doc:"who sends to whom: between each pair of subtasks lies a channel, of a forward edge between those of one number"`
	Chains      [][]string   `json:"chains,omitempty" doc:"vertices whose subtasks of one number are one task, head first; no channel lies between them: pipeline.operator-chaining.enabled"`
	UIDs        []VertexUID  `json:"uids,omitempty" doc:"operators and sources whose state is found by another uid than their name"`
	Splits      []SplitStart `json:"splits" doc:"who reads what, from where"`
	Spare       []string     `json:"spare,omitempty" doc:"readers that have no split"`
	// Subtasks are set when one region came back and the others went on.
	Subtasks []string `json:"subtasks,omitempty" doc:"the subtasks of the region that starts again; empty: all of the job"`
}

// StepType names the type.
func (JobStarted) StepType() string { return "job.started" }

// StateRestored : a subtask took its part of a checkpoint.
type StateRestored struct {
	Cells  int `json:"cells" doc:"state cells that it holds now"`
	Timers int `json:"timers" doc:"event timers that it holds now"`
	// Duration is by the cost model.
	Duration int64 `json:"duration,omitempty" doc:"ms that it took, by the cost model"`
	// Local : from the disk of its TaskManager, not from the store.
	Local bool `json:"local,omitempty" doc:"true: from the copy on the disk of its TaskManager"`
}

// StepType names the type.
func (StateRestored) StepType() string { return "state.restored" }

// TaskFailed : a task threw an exception.
type TaskFailed struct {
	Exception Exception `json:"exception" doc:"class and message, in the words of the real system"`
	Record    *RecordID `json:"record,omitempty" doc:"the record that it was handling"`
	// Subtasks are set when other regions go on.
	Subtasks []string `json:"subtasks,omitempty" doc:"the subtasks of its region, which end with it; empty: all of the job"`
}

// StepType names the type.
func (TaskFailed) StepType() string { return "task.failed" }

// FaultInjected : a command made something fail.
type FaultInjected struct {
	Point string `json:"point" doc:"the fault point"`
	Kind  string `json:"kind,omitempty" doc:"how it fails"`
}

// StepType names the type.
func (FaultInjected) StepType() string { return "fault.injected" }

// JobFailed : the job ended in FAILED.
type JobFailed struct {
	Job       string    `json:"job" doc:"its id: job1"`
	Attempt   int       `json:"attempt" doc:"the attempt that failed"`
	Strategy  string    `json:"strategy" doc:"restart-strategy.type"`
	Exception Exception `json:"exception" doc:"class and message, in the words of the real system"`
	// Snapshot and ClaimMode belong to a new job that could not start from it.
	Snapshot  string `json:"snapshot,omitempty" doc:"directory of the snapshot that a new job could not start from"`
	ClaimMode string `json:"claim_mode,omitempty" doc:"CLAIM, NO_CLAIM or LEGACY, of that job"`
}

// StepType names the type.
func (JobFailed) StepType() string { return "job.failed" }

// JobRestarting : the restart strategy allows another attempt.
type JobRestarting struct {
	Attempt  int    `json:"attempt" doc:"the attempt that failed"`
	Strategy string `json:"strategy" doc:"restart-strategy.type"`
	Delay    int64  `json:"delay" doc:"ms until the restart"`
	// Canceling is set when it is longer than the delay.
	Canceling int64 `json:"canceling,omitempty" doc:"ms until subtasks on a TaskManager that does not answer count as canceled; the restart waits for that"`
	// Merged is set by exponential-delay only: numRestarts does not count it.
	Merged bool `json:"merged,omitempty" doc:"a restart was planned already, and the strategy counts this failure with that one"`
	// Subtasks are set when other regions go on.
	Subtasks []string `json:"subtasks,omitempty" doc:"the subtasks of the region that waits for its restart; empty: all of the job"`
}

// StepType names the type.
func (JobRestarting) StepType() string { return "job.restarting" }

// JobFinished : the job ended in FINISHED: all its input has ended.
type JobFinished struct {
	Attempt int `json:"attempt" doc:"the attempt"`
}

// StepType names the type.
func (JobFinished) StepType() string { return "job.finished" }

// JobStopped : the job ended with a savepoint.
type JobStopped struct {
	Savepoint string `json:"savepoint" doc:"name of the savepoint"`
	ID        int64  `json:"id" doc:"its checkpoint id"`
	Drain     bool   `json:"drain" doc:"true when MAX was sent first"`
}

// StepType names the type.
func (JobStopped) StepType() string { return "job.stopped" }

// JobManagerLost : a job that had not ended is gone with its JobManager, which
// kept its list of checkpoints in memory. Nobody cleans up behind it.
type JobManagerLost struct {
	Job string `json:"job" doc:"its id: job1"`
	// Replaced : nothing failed, somebody started a job in its place.
	Replaced bool `json:"replaced,omitempty" doc:"true: nothing failed, another job was started in its place"`
}

// StepType names the type.
func (JobManagerLost) StepType() string { return "jobmanager.lost" }

// Ways in which a JobManager notices that a TaskManager is gone.
const (
	// NoticedConnection : its connections closed.
	NoticedConnection = "connection closed"
	// NoticedHeartbeat : it did not answer for heartbeat.timeout.
	NoticedHeartbeat = "heartbeat.timeout"
)

// Zombie ends the name of a subtask that works on although its TaskManager was
// given up.
const Zombie = " (zombie)"

// TaskManagerLost : the JobManager gave a TaskManager up.
type TaskManagerLost struct {
	Subtasks []string `json:"subtasks" doc:"the subtasks that ran on it"`
	Noticed  string   `json:"noticed" doc:"connection closed, or heartbeat.timeout"`
}

// StepType names the type.
func (TaskManagerLost) StepType() string { return "taskmanager.lost" }

// TaskManagerFrozen : a TaskManager does nothing and answers nobody.
type TaskManagerFrozen struct {
	Duration int64 `json:"duration" doc:"ms"`
}

// StepType names the type.
func (TaskManagerFrozen) StepType() string { return "taskmanager.frozen" }

// TaskManagerWoke : a frozen TaskManager goes on.
type TaskManagerWoke struct {
	// Zombie : the JobManager has given it up.
	Zombie bool `json:"zombie,omitempty" doc:"true: the JobManager has given it up, and its subtasks do not know yet"`
}

// StepType names the type.
func (TaskManagerWoke) StepType() string { return "taskmanager.woke" }

// JobManagerRecovered : another JobManager found what high availability keeps.
type JobManagerRecovered struct {
	Job         string  `json:"job" doc:"its id: job1"`
	Checkpoints []int64 `json:"checkpoints" doc:"the completed checkpoints that it found, oldest first"`
	NextID      int64   `json:"next_id" doc:"the id of the next checkpoint"`
	// Registered are their shared files: the former registry is gone.
	Registered []RegisteredFile `json:"registered,omitempty" doc:"their shared files, in the new SharedStateRegistry"`
}

// A RegisteredFile is an entry of the SharedStateRegistry.
type RegisteredFile struct {
	Path      string `json:"path" doc:"the object"`
	CreatedBy int64  `json:"created_by" doc:"the checkpoint that it was registered with"`
	LastUsed  int64  `json:"last_used" doc:"the last checkpoint that uses it"`
}

// StepType names the type.
func (JobManagerRecovered) StepType() string { return "jobmanager.recovered" }

// PointerWritten : high availability keeps where a completed checkpoint is.
type PointerWritten struct {
	Checkpoint int64  `json:"checkpoint" doc:"the checkpoint"`
	Path       string `json:"path" doc:"the object in high-availability.storageDir"`
	Size       int64  `json:"size" doc:"bytes"`
}

// StepType names the type.
func (PointerWritten) StepType() string { return "pointer.written" }

// SourceEnded : a source or split has no more records.
type SourceEnded struct{}

// StepType names the type.
func (SourceEnded) StepType() string { return "source.ended" }

// SplitAdded : a reader got a split.
type SplitAdded struct {
	Reader int   `json:"reader" doc:"the reader"`
	Offset int64 `json:"offset" doc:"the first offset that it reads"`
}

// StepType names the type.
func (SplitAdded) StepType() string { return "split.added" }

// SplitRemoved : a reader gave up a split.
type SplitRemoved struct {
	Reader int `json:"reader" doc:"the reader"`
}

// StepType names the type.
func (SplitRemoved) StepType() string { return "split.removed" }

// BackpressureChanged : an operator stopped or went on taking input.
type BackpressureChanged struct {
	On      bool     `json:"on" doc:"true: it takes nothing"`
	Waiting int      `json:"waiting" doc:"elements that wait in front of it"`
	Sources []string `json:"sources,omitempty" doc:"source subtasks that are backpressured because of it"`
}

// StepType names the type.
func (BackpressureChanged) StepType() string { return "backpressure.changed" }

// Slowed : the speed of a split changed.
type Slowed struct {
	PerRecord int64 `json:"per_record" doc:"ms for each record; 0: at once"`
}

// StepType names the type.
func (Slowed) StepType() string { return "split.slowed" }
