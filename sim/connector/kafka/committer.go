package kafka

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"streaminglab/sim"
	broker "streaminglab/sim/kafka"
)

// A Committable is a transaction that a writer has closed (KafkaCommittable).
type Committable struct {
	ID       string
	Producer broker.ProducerID
	Epoch    int16
	// Number is that of the transaction at its broker, which the lab alone knows.
	Number int64

	// live is the writer's own producer; nil: the committable has crossed as
	// bytes.
	live *broker.ProducerClient
}

// Bytes is what is left of a committable that is serialized.
func (c Committable) Bytes() Committable {
	return Committable{ID: c.ID, Producer: c.Producer, Epoch: c.Epoch, Number: c.Number}
}

// String is what a checkpoint holds of it: producer id, epoch, the number of the
// transaction, transactional id.
func (c Committable) String() string {
	return fmt.Sprintf("%d/%d/%d/%s", c.Producer, c.Epoch, c.Number, c.ID)
}

// ParseCommittable reads what String wrote.
func ParseCommittable(text string) (c Committable, err error) {
	parts := strings.SplitN(text, "/", 4)
	if len(parts) < 4 {
		return c, fmt.Errorf("kafka: %q is no committable", text)
	}
	var n [3]int64
	for i := range n {
		if n[i], err = strconv.ParseInt(parts[i], 10, 64); err != nil {
			return c, fmt.Errorf("kafka: %q is no committable", text)
		}
	}
	return Committable{ID: parts[3], Producer: broker.ProducerID(n[0]), Epoch: int16(n[1]), Number: n[2]}, nil
}

// Results of a commit.
const (
	CommitOK      = sim.CommitOK
	CommitRetry   = sim.CommitRetry
	CommitKnown   = sim.CommitFailedKnown
	CommitUnknown = sim.CommitFailedUnknown
)

// A Commit is one call of the committer, as it ended.
type Commit struct {
	ID    string
	Epoch int16
	// Number is that of the transaction.
	Number int64
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
	// Committing is called before each call; an error ends the attempt there.
	Committing func(Committable) error
	// Resumed is asked about a producer that was just rebuilt: whether it learns
	// what the broker speaks before its first commit. Nil: it does not, as recorded.
	Resumed func() bool
	// Committed hears of each call.
	Committed func(Commit)

	// Name is the client.id of the producers that it rebuilds; Waits : time passes
	// between two tries of a request, so that a call may be pending; Cause is the
	// step that led to the present call.
	Name  string
	Waits bool
	Cause *sim.Step

	broker *broker.Broker
	// Timeout is transaction.timeout.ms of the producers that it rebuilds.
	timeout int64
	// round is what is being committed.
	round commitRound
	// received are committables since the last snapshot, pending those of
	// checkpoints that are not complete.
	received []Committable
	pending  []pendingCommittables
	recovery *broker.ProducerClient
	// resumed is the name that it was given for a call that is pending.
	resumed string
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

// commitRound are committables that a call commits: those that are left of the
// present round, and those that come again in the next.
type commitRound struct {
	left, again []Committable
	number      int
}

// Restore commits what snapshots hold (F15). It may be pending: then it goes on
// with Resume.
func (c *Committer) Restore(states ...CommitterState) error {
	for _, s := range states {
		c.round.left = append(c.round.left, s...)
	}
	return c.Resume()
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
// (F10). It may be pending: then it goes on when it is called again.
func (c *Committer) NotifyComplete(checkpoint int64) error {
	for {
		if err := c.Resume(); err != nil {
			return err
		}
		if len(c.pending) == 0 || c.pending[0].checkpoint > checkpoint {
			return nil
		}
		c.round = commitRound{left: c.pending[0].list}
		c.pending = c.pending[1:]
	}
}

// retries is sink.committer.retries.
const retries = 10

// Resume goes on with what is being committed; what is retriable comes again, up
// to the limit (F12).
func (c *Committer) Resume() error {
	for r := &c.round; len(r.left)+len(r.again) > 0; {
		if len(r.left) == 0 {
			r.left, r.again, r.number = r.again, nil, r.number+1
		}
		if list := r.left; r.number > retries {
			x := list[0]
			return &broker.Exception{Class: "IOException", Message: fmt.Sprintf(
				"Failed to commit %d committables after %d retries: [CommitRequestImpl{state=RETRY, numRetries=%d, committable=KafkaCommittable{producerId=*, epoch=%d, transactionalId='%s', producer=null}}]",
				len(list), retries, r.number, x.Epoch, x.ID)}
		}
		retry, err := c.one(r.left[0])
		if err != nil {
			return err
		}
		if retry {
			r.again = append(r.again, r.left[0])
		}
		r.left = r.left[1:]
	}
	c.round = commitRound{}
	return nil
}

// one commits a transaction.
func (c *Committer) one(x Committable) (retry bool, err error) {
	if c.Committing != nil {
		if err := c.Committing(x); err != nil {
			return false, err
		}
	}
	p := x.live
	if p == nil {
		if c.recovery == nil {
			c.recovery = c.broker.NewResumed(c.timeout)
			c.recovery.Name, c.recovery.Waits = c.Name, c.Waits
			if c.Resumed != nil && c.Resumed() {
				c.recovery.HearsEarly()
			}
		}
		p = c.recovery
		if c.resumed != x.ID {
			p.Resume(x.ID, x.Producer, x.Epoch)
			c.resumed = x.ID
		}
	}
	p.Cause = c.Cause
	done := Commit{ID: x.ID, Epoch: x.Epoch, Number: x.Number, Live: x.live != nil, Result: CommitOK}
	var e *broker.Exception
	if x.live != nil && p.State != broker.InTransaction {
		// The connector's own check: the attempt before has ended it.
		e = &broker.Exception{Class: "IllegalStateException", Message: "Transaction was not started"}
	} else if err := p.CommitTransaction(); err != nil && !errors.As(err, &e) {
		return false, err
	}
	c.resumed = ""
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
	case broker.TransactionalIDAuthorizationFailed:
		return "Transactional Id authorization failed."
	case broker.InvalidProducerEpoch:
		return "Producer attempted to produce with an old epoch."
	case broker.ProducerFenced:
		return "There is a newer producer with the same transactionalId which fences the current one."
	case broker.InvalidProducerIDMapping:
		return "The producer attempted to use a producer id which is not currently assigned to its transactional id."
	}
	return e.Message
}
