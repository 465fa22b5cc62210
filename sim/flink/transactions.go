package flink

import "streaminglab/sim/operator"

// Transactions is the outside system of a sink of two phases. What it does
// outlives attempts and jobs. A transaction that is committed again changes
// nothing (CP-10.4).
type Transactions interface {
	// Begin opens a transaction for a subtask of a sink and returns its id.
	Begin(sink string, subtask int) (id int64)
	// Write puts a result into an open transaction.
	Write(id int64, r *operator.Record)
	// Aborted reports whether a transaction was thrown away: it can no longer be
	// committed.
	Aborted(id int64) bool
	// Commit makes a transaction visible; again: it was visible before.
	Commit(id int64) (results int, again bool)
	// Subtask is who opened a transaction.
	Subtask(id int64) int
	// Results is how many results a transaction holds.
	Results(id int64) int
	// Lingering are the open transactions of a sink, oldest first.
	Lingering(sink string) []int64
	// Abort throws an open transaction away.
	Abort(id int64)
}

// A TransactionLog is the outside system of the two-phase sinks of a cluster: a
// stand-in that always answers.
type TransactionLog struct{ all []transaction }

type transaction struct {
	sink    string
	subtask int
	results int
	state   transactionState
}

type transactionState byte

const (
	transactionOpen transactionState = iota
	transactionCommitted
	transactionAborted
)

// Begin implements Transactions. Ids begin at 1.
func (l *TransactionLog) Begin(sink string, subtask int) int64 {
	l.all = append(l.all, transaction{sink: sink, subtask: subtask})
	return int64(len(l.all))
}

// Write implements Transactions.
func (l *TransactionLog) Write(id int64, _ *operator.Record) { l.all[id-1].results++ }

// Subtask implements Transactions.
func (l *TransactionLog) Subtask(id int64) int { return l.all[id-1].subtask }

// Results implements Transactions.
func (l *TransactionLog) Results(id int64) int { return l.all[id-1].results }

// Aborted implements Transactions.
func (l *TransactionLog) Aborted(id int64) bool { return l.all[id-1].state == transactionAborted }

// Commit implements Transactions.
func (l *TransactionLog) Commit(id int64) (results int, again bool) {
	t := &l.all[id-1]
	if t.state == transactionCommitted {
		return 0, true
	}
	t.state = transactionCommitted
	return t.results, false
}

// Lingering implements Transactions.
func (l *TransactionLog) Lingering(sink string) (out []int64) {
	for i := range l.all {
		if t := &l.all[i]; t.sink == sink && t.state == transactionOpen {
			out = append(out, int64(i)+1)
		}
	}
	return out
}

// Abort implements Transactions.
func (l *TransactionLog) Abort(id int64) { l.all[id-1].state = transactionAborted }
