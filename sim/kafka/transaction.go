package kafka

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"streaminglab/sim"
)

// A State is the state of a transactional id at its coordinator (K1).
type State byte

// The states that DescribeTransactions shows.
const (
	Empty State = iota
	Ongoing
	PrepareCommit
	PrepareAbort
	CompleteCommit
	CompleteAbort
)

// String is the name of the state.
func (s State) String() string {
	return [...]string{"Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort"}[s]
}

// preparing reports whether the decision is made and its markers are not all
// written.
func (s State) preparing() bool { return s == PrepareCommit || s == PrepareAbort }

// lastEpoch is the last epoch that a producer may have: the one behind it is for
// markers (K10).
const lastEpoch = 1<<15 - 2

// Idle reports whether the id has no transaction: then it can be forgotten.
func (t *Transaction) Idle() bool { return t.State != Ongoing && !t.State.preparing() }

// A TopicPartition names a partition.
type TopicPartition struct {
	Topic     string
	Partition int
}

// String is the partition as topic/number.
func (p TopicPartition) String() string { return fmt.Sprintf("%s/%d", p.Topic, p.Partition) }

// compare orders them by topic and number.
func (p TopicPartition) compare(o TopicPartition) int {
	return cmp.Or(cmp.Compare(p.Topic, o.Topic), cmp.Compare(p.Partition, o.Partition))
}

// A Transaction is what the coordinator keeps of a transactional id
// (TransactionMetadata).
type Transaction struct {
	ID    string
	State State
	// Producer and Epoch are the present ones; Previous is the producer id before
	// a rotation, Next the one that follows when the markers are written.
	Producer, Previous, Next ProducerID
	Epoch                    int16
	// LastEpoch is the epoch whose owner may repeat its InitProducerId; the log
	// does not hold it.
	LastEpoch int16
	// Timeout, Start and Updated are in ms; Start: -1 without a transaction.
	Timeout, Start, Updated int64
	// Number counts the transactions of the broker: that of the last one of the
	// id, 0 when it never had one.
	Number int64
	// Step is the step that told its present state.
	Step       *sim.Step
	partitions map[TopicPartition]bool
	// logged are those that the log of the coordinator names for the decision:
	// partitions loses each one whose marker is written.
	logged map[TopicPartition]bool
}

// Partitions are those of the open transaction, in order.
func (t *Transaction) Partitions() []TopicPartition {
	return slices.SortedFunc(maps.Keys(t.partitions), TopicPartition.compare)
}

// has reports whether a partition, as topic/number, is one of them.
func (t *Transaction) has(name string) bool {
	for p := range t.partitions {
		if p.String() == name {
			return true
		}
	}
	return false
}

// exhausted reports whether no epoch is left for another init.
func (t *Transaction) exhausted() bool { return t.Epoch >= lastEpoch }

// add puts partitions into the transaction, which begins with the first. It
// reports whether one is new.
func (t *Transaction) add(now int64, partitions ...TopicPartition) (more bool) {
	if t.State != Ongoing {
		t.State, t.Start, t.partitions = Ongoing, now, map[TopicPartition]bool{}
	}
	for _, p := range partitions {
		more = more || !t.partitions[p]
		t.partitions[p] = true
	}
	t.Updated = now
	return more
}

// decide makes the decision: its markers are to be written. With bump the epoch
// moves on, and next is the producer id that follows an epoch that is used up.
func (t *Transaction) decide(now int64, to State, bump bool, next ProducerID) {
	t.State, t.Updated, t.Next = to, now, next
	if t.Start < 0 {
		t.Start = now
	}
	if bump {
		t.LastEpoch = t.Epoch
		t.Epoch++
	}
}

// complete ends the transaction: all markers are written.
func (t *Transaction) complete(now int64) {
	if t.State == PrepareCommit {
		t.State = CompleteCommit
	} else {
		t.State = CompleteAbort
	}
	if t.Next != NoProducer {
		t.Previous, t.Producer, t.Epoch, t.Next = t.Producer, t.Next, 0, NoProducer
	}
	t.partitions, t.logged, t.Start, t.Updated = nil, nil, -1, now
}

// reset makes the id ready for a producer that has just been initialised.
func (t *Transaction) reset(now, timeout int64, producer ProducerID, epoch, last int16) {
	if producer != t.Producer {
		t.Previous = t.Producer
	}
	t.Producer, t.Epoch, t.LastEpoch = producer, epoch, last
	t.State, t.Timeout, t.Start, t.Updated, t.partitions = Empty, timeout, -1, now, nil
}
