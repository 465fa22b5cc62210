package kafka

import (
	"maps"
	"slices"

	"streaminglab/sim"
)

// Config are the options of a broker. Times are in ms.
type Config struct {
	// TransactionVersion is the finalized level of the feature
	// transaction.version: 1 or 2.
	TransactionVersion int
	// MaxTransactionTimeout is transaction.max.timeout.ms.
	MaxTransactionTimeout int64
	// TransactionalIDExpiration is transactional.id.expiration.ms.
	TransactionalIDExpiration int64
	// ProducerIDExpiration is producer.id.expiration.ms.
	ProducerIDExpiration int64
	// PartitionVerification is transaction.partition.verification.enable.
	PartitionVerification bool
	// ReplicaLag is replica.lag.time.max.ms.
	ReplicaLag int64
}

// DefaultConfig returns Kafka's defaults (K7, K14, K20, K30).
func DefaultConfig() Config {
	return Config{
		TransactionVersion: 2, MaxTransactionTimeout: 900_000, TransactionalIDExpiration: 604_800_000,
		ProducerIDExpiration: 86_400_000, PartitionVerification: true, ReplicaLag: DefaultReplicaLag,
	}
}

// OffsetsTopic is the topic that groups keep their offsets in; one partition of
// it is enough for a broker of one node.
const OffsetsTopic = "__consumer_offsets"

// TransactionTopic is the topic that the coordinator keeps its log in (K4).
const TransactionTopic = "__transaction_state"

// Internal reports whether a topic is the broker's own.
func Internal(topic string) bool { return topic == OffsetsTopic || topic == TransactionTopic }

// A Broker is one node: broker and controller.
type Broker struct {
	Config Config
	// Now is the coordinator's clock, in ms.
	Now func() int64
	// Tell writes a step of the broker; nil: nobody watches.
	Tell Tell
	// Fault is asked where a message may go astray; nil: none does.
	Fault func(point string, places ...string) *sim.Fault
	// Changed hears of each change of a transaction; nil: nobody does.
	Changed func(*Transaction)
	// Wrote hears of each batch and marker of a producer; nil: nobody does.
	Wrote func()
	// Order numbers batches over everything that sources read; nil: nobody reads.
	Order func() int64
	// Later does something at a time; nil: no time passes by itself.
	Later func(at int64, do func())
	// Lagging hears when a follower may fall out of an ISR; nil: nobody does.
	Lagging func(at int64)
	// Retaining hears when a segment may be deleted; nil: nobody does.
	Retaining func(at int64)

	// topics are the numbers of partitions, by topic.
	topics     map[string]int
	partitions map[TopicPartition]*Partition
	coordinator
	groups map[string]*group
	// acls are what is forbidden, access the step that told the last change.
	acls   []ACL
	access *sim.Step
	// nodes are the brokers that hold copies, by number.
	nodes map[int]*node
	// last is the number of the producer id that was given last.
	last ProducerID
	// outcomes are what became of transactions, by number from 1.
	outcomes []Outcome
	// from is who is being answered.
	from Client
	// settled are called when something ends that requests wait for.
	settled []func()
}

// NewBroker returns a broker without topics.
func NewBroker(c Config, now func() int64) *Broker {
	b := &Broker{Config: c, Now: now, topics: map[string]int{}, partitions: map[TopicPartition]*Partition{}, groups: map[string]*group{}, nodes: map[int]*node{}, last: -1}
	b.transactions = map[string]*Transaction{}
	return b
}

// Partition is the log of a partition, which is made when it is used first.
func (b *Broker) Partition(at TopicPartition) *Partition {
	p := b.partitions[at]
	if p == nil {
		p = NewPartition()
		p.name = at.String()
		b.partitions[at] = p
	}
	return p
}

func (b *Broker) newProducerID() ProducerID {
	b.last++
	return b.last
}

// ExpireProducers lets producer.id.expiration.ms pass on every partition (K20).
func (b *Broker) ExpireProducers() {
	for _, p := range b.partitions {
		p.Expire()
	}
}

// Versions of requests at which something changes.
const (
	// initFenced, addFenced and endFenced are the first that know PRODUCER_FENCED;
	// older ones say INVALID_PRODUCER_EPOCH.
	initFenced, addFenced, endFenced = 4, 2, 2
	// endBumps is the first EndTxn that moves the epoch on.
	endBumps = 5
	// produceAdds and offsetsAdd are the first Produce and TxnOffsetCommit with
	// which the partition gets into the transaction by itself.
	produceAdds, offsetsAdd = 12, 5
	// produceAbortable and offsetsAbortable are the first that know
	// TRANSACTION_ABORTABLE.
	produceAbortable, offsetsAbortable = 11, 4
)

// named is an error as a version of a request knows it.
func named(err Error, version, fenced int) Error {
	if err == ProducerFenced && version < fenced {
		return InvalidProducerEpoch
	}
	return err
}

// An Outcome is what became of a transaction.
type Outcome struct {
	// Decided is COMMIT or ABORT, empty while it is open.
	Decided string
	// Records is how many records it has written.
	Records int64
}

// Outcome is what became of the transaction of a number; 0 is none.
func (b *Broker) Outcome(number int64) Outcome {
	if number < 1 || number > int64(len(b.outcomes)) {
		return Outcome{}
	}
	return b.outcomes[number-1]
}

// CreateTopic makes a topic with a number of partitions. It reports whether it
// is new.
func (b *Broker) CreateTopic(name string, partitions int) bool {
	if _, ok := b.topics[name]; ok {
		return false
	}
	b.topics[name] = partitions
	for n := range partitions {
		b.Partition(TopicPartition{name, n})
	}
	return true
}

// Partitions is the number of partitions of a topic, 0: there is none of that
// name.
func (b *Broker) Partitions(topic string) int { return b.topics[topic] }

// Topics are the names of all topics that were made, sorted.
func (b *Broker) Topics() []string { return slices.Sorted(maps.Keys(b.topics)) }
