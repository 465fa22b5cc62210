package sim

// TransactionOpened : a subtask of a two-phase sink began to collect results
// that nobody sees yet.
type TransactionOpened struct {
	ID int64 `json:"id" doc:"the transaction"`
}

// StepType names the type.
func (TransactionOpened) StepType() string { return "transaction.opened" }

// TransactionPrecommitted : its barrier closed a transaction; it is in the
// checkpoint and will be committed once that is complete.
type TransactionPrecommitted struct {
	ID         int64 `json:"id" doc:"the transaction"`
	Checkpoint int64 `json:"checkpoint" doc:"the checkpoint that holds it"`
	Results    int   `json:"results" doc:"results in it"`
}

// StepType names the type.
func (TransactionPrecommitted) StepType() string { return "transaction.precommitted" }

// TransactionCommitted : the results of a transaction can be seen.
type TransactionCommitted struct {
	ID int64 `json:"id" doc:"the transaction"`
	// Results are those that can be seen because of it: none when it was
	// committed before.
	Results int  `json:"results" doc:"results that can be seen now"`
	Again   bool `json:"again,omitempty" doc:"true: it was committed before, and this changes nothing"`
}

// StepType names the type.
func (TransactionCommitted) StepType() string { return "transaction.committed" }

// TransactionCommitFailed : a checkpoint holds a transaction that has been
// aborted meanwhile: its results are lost, and the job goes on.
type TransactionCommitFailed struct {
	ID      int64 `json:"id" doc:"the transaction"`
	Results int   `json:"results" doc:"results that nobody will see"`
}

// StepType names the type.
func (TransactionCommitFailed) StepType() string { return "transaction.commit-failed" }

// TransactionAborted : a transaction of an attempt that failed was thrown away.
type TransactionAborted struct {
	ID      int64 `json:"id" doc:"the transaction"`
	Results int   `json:"results" doc:"results that nobody will see"`
}

// StepType names the type.
func (TransactionAborted) StepType() string { return "transaction.aborted" }
