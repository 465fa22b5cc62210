package flink

import (
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// TwoPhaseCommittingSink is a sink with a writer and a committer, as a SinkV2
// with SupportsCommitter (CP-10.4): a subtask collects its results since its
// last snapshot in one transaction, which a barrier closes; the closed ones are
// in the checkpoint and are committed when it is complete. A restore commits
// all that the snapshot holds, again for those that were committed before.
// What was written since the last snapshot of a crashed attempt is
// thrown away by the next: the replay writes it again.
type TwoPhaseCommittingSink struct {
	operator.Base
	Transactions Transactions
	// Checkpointing says that completions will come; else everything is
	// committed at the end of input.
	Checkpointing bool

	open       bool
	current    int64
	closed     []committable
	committers *state.OperatorList
}

// committable is a closed transaction, in the checkpoint that closed it.
type committable struct{ id, checkpoint int64 }

// Open declares the state of the committer.
func (s *TwoPhaseCommittingSink) Open(c *operator.Context) error {
	s.Init(c, nil, nil)
	s.committers = state.OpenList(c.State, "committables", state.UnionMode)
	return nil
}

// Restored commits the transactions of the snapshot: each subtask its own, and
// those of subtasks that there are no more.
func (s *TwoPhaseCommittingSink) Restored() error {
	items, _ := s.committers.Restored()
	for _, id := range items {
		if s.mine(id) {
			s.commit(id)
		}
	}
	s.abort(items)
	return nil
}

// mine reports whether a transaction is for this subtask to end: others may go
// on while it comes back.
func (s *TwoPhaseCommittingSink) mine(id int64) bool {
	return s.Transactions.Subtask(id)%s.Parallelism == s.Subtask
}

// abort throws the transactions of former attempts away that no snapshot
// holds.
func (s *TwoPhaseCommittingSink) abort(keep []int64) {
	for _, id := range s.Transactions.Lingering(s.Name) {
		if s.mine(id) && !slices.Contains(keep, id) {
			s.Done("CP-10.4", sim.TransactionAborted{ID: id, Results: s.Transactions.Results(id)})
			s.Transactions.Abort(id)
		}
	}
}

func (s *TwoPhaseCommittingSink) commit(id int64) {
	if s.Transactions.Aborted(id) {
		// A job that started from another snapshot threw it away: a KafkaCommitter
		// writes that into its log and goes on.
		s.Done("CP-10.4", sim.TransactionCommitFailed{ID: id, Results: s.Transactions.Results(id)})
		return
	}
	n, again := s.Transactions.Commit(id)
	s.Done("CP-10.4", sim.TransactionCommitted{ID: id, Results: n, Again: again})
}

// ProcessRecord writes a result.
func (s *TwoPhaseCommittingSink) ProcessRecord(_ int, r *operator.Record) error {
	s.Metrics.NumRecordsIn++
	if !s.open {
		s.open, s.current = true, s.Transactions.Begin(s.Name, s.Subtask)
		s.Done("CP-10.4", sim.TransactionOpened{ID: s.current})
	}
	body := operator.Written(r)
	body.Transaction = s.current
	s.Done("LAB-4", body)
	s.Transactions.Write(s.current, r)
	return nil
}

// PrepareBarrier closes the transaction: what comes behind the barrier belongs
// to the next.
func (s *TwoPhaseCommittingSink) PrepareBarrier(checkpoint int64) error {
	if s.open {
		s.open = false
		s.closed = append(s.closed, committable{s.current, checkpoint})
		s.Done("CP-10.4", sim.TransactionPrecommitted{
			ID: s.current, Checkpoint: checkpoint, Results: s.Transactions.Results(s.current),
		})
	}
	return nil
}

// Snapshot saves the closed transactions, also those of checkpoints that were
// given up and of savepoints: nobody has committed them.
func (s *TwoPhaseCommittingSink) Snapshot(int64) error {
	ids := make([]int64, 0, len(s.closed))
	for _, c := range s.closed {
		ids = append(ids, c.id)
	}
	s.committers.Set(ids...)
	return nil
}

// NotifyComplete commits the transactions of the checkpoint and of those
// before.
func (s *TwoPhaseCommittingSink) NotifyComplete(checkpoint int64) error {
	left := s.closed[:0]
	for _, c := range s.closed {
		if c.checkpoint <= checkpoint {
			s.commit(c.id)
		} else {
			left = append(left, c)
		}
	}
	s.closed = left
	return nil
}

// EndOfInput commits at once when no completion will come, also what savepoints
// and checkpoints that were given up have closed (CommitterOperator#endInput).
func (s *TwoPhaseCommittingSink) EndOfInput(int) error {
	if s.Checkpointing {
		return nil
	}
	for _, c := range s.closed {
		s.commit(c.id)
	}
	s.closed = nil
	if s.open {
		s.open = false
		s.commit(s.current)
	}
	return nil
}
