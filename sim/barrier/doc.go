// Package barrier is how the checkpoint barriers of a task's input channels
// meet: aligned, at-least-once, unaligned, and aligned with a timeout (rules
// CP-4.1 to CP-4.5).
//
// A Gate takes items of channels, one at a time, as a task does, and blocks,
// resumes and reorders them; a handler decides when the task takes its
// snapshot. It knows nothing of jobs, state or storage, and no clock but the
// one that it is given. Its truth are the recordings of kind barrier and the
// sources of SingleCheckpointBarrierHandler, CheckpointBarrierTracker and
// RemoteInputChannel.
package barrier
