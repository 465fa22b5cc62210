package kafka

import (
	"errors"
	"fmt"

	broker "streaminglab/sim/kafka"
)

// A Committable is a transaction that a writer has closed (KafkaCommittable).
type Committable struct {
	ID       string
	Producer broker.ProducerID
	Epoch    int16

	// live is the writer's own producer; nil: the committable has crossed as
	// bytes.
	live *broker.ProducerClient
}

// Bytes is what is left of a committable that is serialized.
func (c Committable) Bytes() Committable {
	return Committable{ID: c.ID, Producer: c.Producer, Epoch: c.Epoch}
}

// Results of a commit.
const (
	CommitOK      = "OK"
	CommitRetry   = "RETRY"
	CommitKnown   = "FAILED_KNOWN"
	CommitUnknown = "FAILED_UNKNOWN"
)

// A Commit is one call of the committer, as it ended.
type Commit struct {
	ID    string
	Epoch int16
	// Live : by the writer's own producer, else by one that was rebuilt.
	Live   bool
	Result string
	// Exception is what was thrown, nil: nothing.
	Exception *broker.Exception
}

// Metrics count what became of committables since the start of the attempt.
type Metrics struct{ Total, Success, Failure, Retry, AlreadyCommitted int }

// pendingCommittables are those of one checkpoint.
type pendingCommittables struct {
	checkpoint int64
	list       []Committable
}

// A Committer commits transactions (KafkaCommitter in a CommitterOperator).
type Committer struct {
	Metrics Metrics
	// Committing is called before each call, and may end the process.
	Committing func()
	// Committed hears of each call.
	Committed func(Commit)

	broker *broker.Broker
	// Timeout is transaction.timeout.ms of the producers that it rebuilds.
	timeout int64
	// received are committables since the last snapshot, pending those of
	// checkpoints that are not complete.
	received []Committable
	pending  []pendingCommittables
	recovery *broker.ProducerClient
	// finished are names for the back-channel.
	finished []string
}

// Finished are the names of transactions that it has ended since it was last
// asked: the other end of the writer's back-channel.
func (c *Committer) Finished() []string {
	out := c.finished
	c.finished = nil
	return out
}

// CommitterState is what a committer has in a checkpoint.
type CommitterState []Committable

// NewCommitter returns the committer of a subtask.
func NewCommitter(b *broker.Broker, timeout int64) *Committer {
	return &Committer{broker: b, timeout: timeout}
}

// Restore commits what snapshots hold (F15).
func (c *Committer) Restore(states ...CommitterState) error {
	var all []Committable
	for _, s := range states {
		all = append(all, s...)
	}
	return c.commit(all)
}

// Receive takes committables that a writer hands over.
func (c *Committer) Receive(list []Committable) {
	c.Metrics.Total += len(list)
	c.received = append(c.received, list...)
}

// Snapshot is the committer's part of a checkpoint: everything that is not
// committed.
func (c *Committer) Snapshot(checkpoint int64) CommitterState {
	if len(c.received) > 0 {
		c.pending = append(c.pending, pendingCommittables{checkpoint, c.received})
		c.received = nil
	}
	var out CommitterState
	for _, p := range c.pending {
		for _, x := range p.list {
			out = append(out, x.Bytes())
		}
	}
	return out
}

// NotifyComplete commits what belongs to a checkpoint and those before it
// (F10).
func (c *Committer) NotifyComplete(checkpoint int64) error {
	for len(c.pending) > 0 && c.pending[0].checkpoint <= checkpoint {
		list := c.pending[0].list
		c.pending = c.pending[1:]
		if err := c.commit(list); err != nil {
			return err
		}
	}
	return nil
}

// retries is sink.committer.retries.
const retries = 10

// commit commits a list; what is retriable comes again, up to the limit (F12).
func (c *Committer) commit(list []Committable) error {
	for round := 0; len(list) > 0; round++ {
		if round > retries {
			x := list[0]
			return &broker.Exception{Class: "IOException", Message: fmt.Sprintf(
				"Failed to commit %d committables after %d retries: [CommitRequestImpl{state=RETRY, numRetries=%d, committable=KafkaCommittable{producerId=*, epoch=%d, transactionalId='%s', producer=null}}]",
				len(list), retries, round, x.Epoch, x.ID)}
		}
		var again []Committable
		for _, x := range list {
			retry, err := c.one(x)
			if err != nil {
				return err
			}
			if retry {
				again = append(again, x)
			}
		}
		list = again
	}
	return nil
}

// one commits a transaction.
func (c *Committer) one(x Committable) (retry bool, err error) {
	if c.Committing != nil {
		c.Committing()
	}
	p := x.live
	if p == nil {
		if c.recovery == nil {
			c.recovery = c.broker.NewResumed(c.timeout)
		}
		p = c.recovery
		p.Resume(x.ID, x.Producer, x.Epoch)
	}
	done := Commit{ID: x.ID, Epoch: x.Epoch, Live: x.live != nil, Result: CommitOK}
	var e *broker.Exception
	if x.live != nil && p.State != broker.InTransaction {
		// The connector's own check: the attempt before has ended it.
		e = &broker.Exception{Class: "IllegalStateException", Message: "Transaction was not started"}
	} else if err := p.CommitTransaction(); err != nil && !errors.As(err, &e) {
		return false, err
	}
	switch {
	case e == nil:
		c.Metrics.Success++
	case e.Class == "TimeoutException":
		done.Result = CommitRetry
		c.Metrics.Retry++
		if x.live != nil {
			p.State = broker.Ready
		}
		retry = true
	case e.Err == broker.ProducerFenced || e.Err == broker.InvalidTxnState:
		done.Result, done.Exception = CommitKnown, e
		c.Metrics.Failure++
	default:
		done.Result, done.Exception = CommitUnknown, e
		err = &Failure{Classes: []string{"IllegalStateException", e.Class}, Message: message(e)}
	}
	if e != nil && x.live == nil {
		// It is closed; the next one knows nothing again.
		c.recovery = nil
	}
	if c.Committed != nil {
		c.Committed(done)
	}
	if !retry && err == nil {
		c.finished = append(c.finished, x.ID)
	}
	return retry, err
}

// Close drops the producers that were rebuilt.
func (c *Committer) Close() { c.recovery = nil }

// A Failure is an exception that fails the job, with the classes along its
// causes.
type Failure struct {
	Classes []string
	// Message is that of the innermost one.
	Message string
}

// Error implements error.
func (f *Failure) Error() string { return fmt.Sprint(f.Classes, " ", f.Message) }

// message is what an exception of the client says.
func message(e *broker.Exception) string {
	switch e.Err {
	case broker.InvalidProducerEpoch:
		return "Producer attempted to produce with an old epoch."
	case broker.ProducerFenced:
		return "There is a newer producer with the same transactionalId which fences the current one."
	case broker.InvalidProducerIDMapping:
		return "The producer attempted to use a producer id which is not currently assigned to its transactional id."
	}
	return e.Message
}
