// Package checkpoint is the JobManager's half of checkpoints and savepoints of
// Flink 2.2.1: when one is triggered, what becomes of acknowledgements,
// declines and expiries, which completed ones are kept, and which files are
// deleted when.
//
// The types are small and stepped. On the side of time: RequestDecider (which
// request runs), FailureManager (how many failures are too many), Graph (which
// tasks take part). On the side of files: Storage (the layout in an object
// store), CompletedCheckpointStore (what is retained), SharedStateRegistry
// (who uses which shared file), Cleaner (what is deleted when), Metadata (the
// list of files that a restore reads). Coordinator composes them; what happens
// goes to a Sink as typed events, of which some are messages that whoever
// embeds it must deliver to the tasks.
//
// Work that Flink hands to its timer thread stands in a line that is emptied
// before a call returns, so that one millisecond has an order: an event first
// does its own work, then the looks at the queue that it asked for.
//
// It must never know a task's state (a handle is a file name or opaque bytes),
// a job graph with operators that run, the trace, a wall clock, a goroutine or
// a language. Times are virtual ms; the first tick, which Flink draws at
// random, is given from outside.
//
// Its truth is the recordings of kinds schedule and registry first, then the
// rules CP-1 to CP-5, CP-8 and CP-11 with the classes of Flink that they name:
// CheckpointCoordinator, CheckpointRequestDecider, CheckpointFailureManager,
// DefaultCheckpointPlanCalculator, SharedStateRegistryImpl, CheckpointsCleaner,
// CheckpointSubsumeHelper and the two completed checkpoint stores.
//
// Simplified: deletions happen at once, unless they are held; writes of the
// JobManager take no virtual time; master hooks and changelog handles do not
// exist.
package checkpoint
