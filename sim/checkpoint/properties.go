package checkpoint

// A SnapshotType says what the tasks are told to write, as far as the
// JobManager cares (CheckpointType, SavepointType).
type SnapshotType uint8

// The types. A checkpoint may use older files and be used by younger ones; a
// full checkpoint uses none and may be used; a savepoint neither (CP-6.6).
const (
	TypeCheckpoint SnapshotType = iota
	TypeFullCheckpoint
	TypeSavepoint
	TypeSavepointSuspend
	TypeSavepointTerminate
)

var typeNames = [...]string{"checkpoint", "full", "savepoint", "savepoint-suspend", "savepoint-drain"}

func (t SnapshotType) String() string { return typeNames[t] }

// Savepoint reports whether the snapshot is a savepoint.
func (t SnapshotType) Savepoint() bool { return t >= TypeSavepoint }

// Synchronous reports whether the job stops with it.
func (t SnapshotType) Synchronous() bool { return t >= TypeSavepointSuspend }

// Retention is execution.checkpointing.externalized-checkpoint-retention.
type Retention string

// The values.
const (
	NoExternalizedCheckpoints Retention = "NO_EXTERNALIZED_CHECKPOINTS"
	DeleteOnCancellation      Retention = "DELETE_ON_CANCELLATION"
	RetainOnCancellation      Retention = "RETAIN_ON_CANCELLATION"
)

// ClaimMode is execution.state-recovery.claim-mode.
type ClaimMode string

// The modes. LEGACY is deprecated and still there in 2.2 (CP-8.9).
const (
	NoClaim ClaimMode = "NO_CLAIM"
	Claim   ClaimMode = "CLAIM"
	Legacy  ClaimMode = "LEGACY"
)

// Properties say how a checkpoint is scheduled and when its files are deleted
// (CheckpointProperties).
type Properties struct {
	Type SnapshotType
	// Forced requests ignore max-concurrent (CP-2.8).
	Forced bool
	// Unclaimed: the snapshot belongs to somebody else (CP-8.7).
	Unclaimed bool

	DiscardSubsumed  bool
	DiscardFinished  bool
	DiscardCancelled bool
	DiscardFailed    bool
	DiscardSuspended bool
}

// PropertiesOf are those of a job's own checkpoints (CP-5.5).
func PropertiesOf(r Retention) Properties {
	p := Properties{DiscardSubsumed: true, DiscardFinished: true, DiscardCancelled: true, DiscardFailed: true, DiscardSuspended: true}
	switch r {
	case DeleteOnCancellation:
		p.DiscardFailed = false
	case RetainOnCancellation:
		p.DiscardCancelled, p.DiscardFailed, p.DiscardSuspended = false, false, false
	}
	return p
}

// savepointProperties: a savepoint belongs to the user and is never deleted.
func savepointProperties(t SnapshotType, forced bool) Properties {
	return Properties{Type: t, Forced: forced}
}

// unclaimedProperties are those of a snapshot restored with NO_CLAIM.
func unclaimedProperties() Properties { return Properties{Type: TypeSavepoint, Unclaimed: true} }

// Status is how a job ended (JobStatus).
type Status string

// The statuses. SUSPENDED is not terminal: the JobManager lost its leadership
// or was shut down.
const (
	Finished  Status = "FINISHED"
	Canceled  Status = "CANCELED"
	Failed    Status = "FAILED"
	Suspended Status = "SUSPENDED"
)

// Terminal reports whether the job is over for every JobManager.
func (s Status) Terminal() bool { return s != Suspended }

// discards reports whether a checkpoint's files go when the job ends so.
func (p Properties) discards(s Status) bool {
	switch s {
	case Finished:
		return p.DiscardFinished
	case Canceled:
		return p.DiscardCancelled
	case Failed:
		return p.DiscardFailed
	}
	return p.DiscardSuspended
}
