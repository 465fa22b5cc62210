package barrier

// A Mode is how a task handles barriers.
type Mode string

// The modes. Unaligned is EXACTLY_ONCE with
// execution.checkpointing.unaligned.enabled; savepoints are aligned in it, too.
const (
	Aligned     Mode = "aligned"
	Unaligned   Mode = "unaligned"
	AtLeastOnce Mode = "at-least-once"
)

// A Barrier separates what belongs to a checkpoint from what comes after.
type Barrier struct {
	ID int64
	// Timestamp is the time of the trigger in ms.
	Timestamp int64
	// Unaligned says that it overtakes data.
	Unaligned bool
	// Timeoutable says that it is aligned until Timeout ms after its trigger
	// (execution.checkpointing.aligned-checkpoint-timeout).
	Timeoutable bool
	Timeout     int64
}

// unaligned is the barrier once the alignment took too long.
func (b Barrier) unaligned() Barrier {
	b.Unaligned, b.Timeoutable = true, false
	return b
}

// A Reason says why a task gave a checkpoint up: the name of a
// CheckpointFailureReason.
type Reason string

// The reasons of a task.
const (
	Subsumed         Reason = "CHECKPOINT_DECLINED_SUBSUMED"
	OnCancellation   Reason = "CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER"
	InputEndOfStream Reason = "CHECKPOINT_DECLINED_INPUT_END_OF_STREAM"
)

// A Task is told what barriers lead to.
type Task interface {
	// Trigger : the task takes its snapshot now.
	Trigger(b Barrier)
	// Abort : the task gives the checkpoint up and says so.
	Abort(id int64, reason Reason)
	// Collected : everything in flight of an unaligned checkpoint was handed
	// over. It follows Trigger unless the checkpoint is given up.
	Collected(id int64)
}

// inputs are the channels as a handler sees them.
type inputs interface {
	// block holds a channel back until resume.
	block(channel int)
	resume(channel int)
	// prioritize moves the announced barrier of a channel in front of its data.
	prioritize(channel int, number int64)
	// start keeps what is on its way in all channels for an unaligned
	// checkpoint, and what comes before their barriers; stop ends that.
	start(b Barrier)
	stop(id int64)
}

// A handler decides what barriers lead to.
type handler interface {
	barrier(channel int, b Barrier)
	announced(channel int, number int64, b Barrier)
	canceled(channel int, id int64)
	ended(channel int)
}
