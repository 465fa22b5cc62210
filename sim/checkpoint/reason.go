package checkpoint

import "streaminglab/sim"

// A FailureReason says why a checkpoint or a request for one failed, by the
// name of Flink's CheckpointFailureReason.
type FailureReason string

// The reasons.
const (
	PeriodicSchedulerShutdown      FailureReason = "PERIODIC_SCHEDULER_SHUTDOWN"
	TooManyCheckpointRequests      FailureReason = "TOO_MANY_CHECKPOINT_REQUESTS"
	MinimumTimeBetweenCheckpoints  FailureReason = "MINIMUM_TIME_BETWEEN_CHECKPOINTS"
	NotAllRequiredTasksRunning     FailureReason = "NOT_ALL_REQUIRED_TASKS_RUNNING"
	IOException                    FailureReason = "IO_EXCEPTION"
	BlockingOutputExist            FailureReason = "BLOCKING_OUTPUT_EXIST"
	AsyncException                 FailureReason = "CHECKPOINT_ASYNC_EXCEPTION"
	ChannelStateSharedStream       FailureReason = "CHANNEL_STATE_SHARED_STREAM_EXCEPTION"
	Expired                        FailureReason = "CHECKPOINT_EXPIRED"
	Subsumed                       FailureReason = "CHECKPOINT_SUBSUMED"
	Declined                       FailureReason = "CHECKPOINT_DECLINED"
	DeclinedTaskNotReady           FailureReason = "CHECKPOINT_DECLINED_TASK_NOT_READY"
	DeclinedTaskClosing            FailureReason = "CHECKPOINT_DECLINED_TASK_CLOSING"
	DeclinedSubsumed               FailureReason = "CHECKPOINT_DECLINED_SUBSUMED"
	DeclinedOnCancellationBarrier  FailureReason = "CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER"
	DeclinedInputEndOfStream       FailureReason = "CHECKPOINT_DECLINED_INPUT_END_OF_STREAM"
	CoordinatorShutdown            FailureReason = "CHECKPOINT_COORDINATOR_SHUTDOWN"
	CoordinatorSuspend             FailureReason = "CHECKPOINT_COORDINATOR_SUSPEND"
	JobFailoverRegion              FailureReason = "JOB_FAILOVER_REGION"
	TaskFailure                    FailureReason = "TASK_FAILURE"
	TaskCheckpointFailure          FailureReason = "TASK_CHECKPOINT_FAILURE"
	UnknownTaskNotificationFailure FailureReason = "UNKNOWN_TASK_CHECKPOINT_NOTIFICATION_FAILURE"
	FinalizeFailure                FailureReason = "FINALIZE_CHECKPOINT_FAILURE"
	TriggerFailure                 FailureReason = "TRIGGER_CHECKPOINT_FAILURE"
)

type reason struct {
	name FailureReason
	// preFlight reasons are failures of the JobManager, even when a task is
	// blamed.
	preFlight bool
	// counted reasons count against the tolerable failures (CP-3.2).
	counted bool
	message string
}

// reasons are those of CheckpointFailureReason, in its order and words.
var reasons = []reason{
	{PeriodicSchedulerShutdown, true, false, "Periodic checkpoint scheduler is shut down."},
	{TooManyCheckpointRequests, true, false, "The maximum number of queued checkpoint requests exceeded"},
	{MinimumTimeBetweenCheckpoints, true, false, "The minimum time between checkpoints is still pending. Checkpoint will be triggered after the minimum time."},
	{NotAllRequiredTasksRunning, true, false, "Not all required tasks are currently running."},
	{IOException, true, true, "An Exception occurred while triggering the checkpoint. IO-problem detected."},
	{BlockingOutputExist, true, false, "Blocking output edge exists in running tasks."},
	{AsyncException, false, true, "Asynchronous task checkpoint failed."},
	{ChannelStateSharedStream, false, false, "The checkpoint was aborted due to exception of other subtasks sharing the ChannelState file."},
	{Expired, false, true, "Checkpoint expired before completing."},
	{Subsumed, false, false, "Checkpoint has been subsumed."},
	{Declined, false, true, "Checkpoint was declined."},
	{DeclinedTaskNotReady, false, false, "Checkpoint was declined (tasks not ready)"},
	{DeclinedTaskClosing, false, false, "Checkpoint was declined (task is closing)"},
	{DeclinedSubsumed, false, false, "Checkpoint was canceled because a barrier from newer checkpoint was received."},
	{DeclinedOnCancellationBarrier, false, false, "Task received cancellation from one of its inputs"},
	{DeclinedInputEndOfStream, false, false, "Checkpoint was declined because one input stream is finished"},
	{CoordinatorShutdown, false, false, "CheckpointCoordinator shutdown."},
	{CoordinatorSuspend, false, false, "Checkpoint Coordinator is suspending."},
	{JobFailoverRegion, false, false, "FailoverRegion is restarting."},
	{TaskFailure, false, false, "Task has failed."},
	{TaskCheckpointFailure, false, false, "Task local checkpoint failure."},
	{UnknownTaskNotificationFailure, false, false, "Unknown task for the checkpoint to notify."},
	{FinalizeFailure, false, true, "Failure to finalize checkpoint."},
	{TriggerFailure, false, false, "Trigger checkpoint failure."},
}

// FailureReasons are all reasons, in the order of CheckpointFailureReason.
func FailureReasons() []FailureReason {
	out := make([]FailureReason, len(reasons))
	for i, r := range reasons {
		out[i] = r.name
	}
	return out
}

func find(name FailureReason) reason {
	for _, r := range reasons {
		if r.name == name {
			return r
		}
	}
	return reason{name: name, message: string(name)}
}

// Known reports whether Flink has a reason of that name.
func (r FailureReason) Known() bool { return find(r).message != string(r) }

// Counted reports whether the reason counts against the tolerable failures
// (CP-3.2).
func (r FailureReason) Counted() bool { return find(r).counted }

// PreFlight reports whether the reason is a failure of the JobManager whoever
// is blamed for it.
func (r FailureReason) PreFlight() bool { return find(r).preFlight }

// Exception is the CheckpointException that carries the reason.
func (r FailureReason) Exception() *sim.Exception {
	return &sim.Exception{
		Class:   "org.apache.flink.runtime.checkpoint.CheckpointException",
		Message: find(r).message,
	}
}
