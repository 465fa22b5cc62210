package kafka

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
)

// FenceTimeout is the transaction timeout with which an Admin fences, in ms.
const FenceTimeout = fenceTimeout

// DeleteRecords is Admin#deleteRecords for one partition; −1 deletes up to the
// high watermark.
func (b *Broker) DeleteRecords(at TopicPartition, before int64) (low int64, err Error) {
	p := b.Partition(at)
	start := p.Start
	low, err = p.DeleteRecords(before)
	if err == None && low != start {
		b.tell("topic:"+p.name, "K-31", sim.RecordsDeleted{Partition: p.name, Start: low, Previous: start, LSO: p.LastStableOffset()}, b.from.Cause)
	}
	return low, err
}

// TopicPartitions are those of a topic; of all topics, internal ones too, when
// it is empty.
func (b *Broker) TopicPartitions(topic string) (out []TopicPartition) {
	for _, at := range slices.SortedFunc(maps.Keys(b.partitions), TopicPartition.compare) {
		if topic == "" || at.Topic == topic {
			out = append(out, at)
		}
	}
	return out
}

// ProducersOf is DescribeProducers for one partition.
func (b *Broker) ProducersOf(at TopicPartition) ([]Producer, Error) {
	if err := b.mayRead(at.Topic); err != None {
		return nil, err
	}
	return b.Partition(at).Producers(), None
}

// IDOf is the transactional id of a producer id, as ListTransactions filters by
// it; empty: no id has it.
func (b *Broker) IDOf(producer ProducerID) string {
	for _, t := range b.Transactions() {
		if t.Producer == producer {
			return t.ID
		}
	}
	return ""
}

// A Hanging is an open transaction of a partition that no coordinator will end.
type Hanging struct {
	At       TopicPartition
	Producer Producer
}

// FindHanging is what kafka-transactions.sh find-hanging looks for (K40, K42): a
// producer whose transaction has been open for longer than limit ms since its
// last batch there, and whose id is unknown or does not count the partition
// among those of its transaction. denied is a partition whose producers the client
// may not see.
func (b *Broker) FindHanging(topic string, limit int64) (out []Hanging, denied *TopicPartition) {
	for _, at := range b.TopicPartitions(topic) {
		producers, err := b.ProducersOf(at)
		if err != None {
			return nil, &at
		}
		for _, p := range producers {
			if p.Start < 0 || b.Now()-p.Updated <= limit {
				continue
			}
			t := b.transactions[b.IDOf(p.ID)]
			if t == nil || !t.partitions[at] {
				out = append(out, Hanging{at, p})
			}
		}
	}
	return out, nil
}

// RemoveExpiredProducers is the periodic job by which leaders forget producers:
// those without an open transaction that have written nothing for
// producer.id.expiration.ms (K20).
func (b *Broker) RemoveExpiredProducers() {
	for _, at := range b.TopicPartitions("") {
		p := b.partitions[at]
		for _, x := range p.Producers() {
			if x.Start < 0 && b.Now()-x.Updated >= b.Config.ProducerIDExpiration {
				delete(p.producers, x.ID)
				delete(p.verified, x.ID)
				b.tell("topic:"+p.name, "K-20", sim.ProducerForgotten{Partition: p.name, Producer: int64(x.ID), Epoch: int64(x.Epoch), Updated: x.Updated})
			}
		}
	}
}

// ProducersExpire is when the first producer may be forgotten that a leader
// knows, last when the last one is; not ok: there is none without an open
// transaction.
func (b *Broker) ProducersExpire() (first, last int64, ok bool) {
	for _, at := range b.TopicPartitions("") {
		for _, x := range b.partitions[at].Producers() {
			due := x.Updated + b.Config.ProducerIDExpiration
			if x.Start >= 0 {
				continue
			}
			if !ok || due < first {
				first = due
			}
			last, ok = max(last, due), true
		}
	}
	return first, last, ok
}

// Dashed is the partition as the tools of Kafka write it: topic-number.
func (p TopicPartition) Dashed() string { return p.Topic + "-" + strconv.Itoa(p.Partition) }

func dashed(partitions []TopicPartition) string {
	out := make([]string, len(partitions))
	for i, p := range partitions {
		out[i] = p.Dashed()
	}
	return "[" + strings.Join(out, ", ") + "]"
}
