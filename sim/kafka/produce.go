package kafka

import "streaminglab/sim"

// Produce is the request of that name, with one batch. Without a producer its
// Producer is NoProducer.
type Produce struct {
	ID            string
	At            TopicPartition
	Producer      ProducerID
	Epoch         int16
	Sequence      int32
	Transactional bool
	Records       []Record
	Version       int
	Acks          Acks
}

// Produce appends a batch (K13 to K19). base is the offset of its first record,
// of a duplicate that of the first time.
func (b *Broker) Produce(r Produce) (base int64, duplicate bool, err Error) {
	p := b.Partition(r.At)
	if p.Offline() {
		return 0, false, NotLeaderOrFollower
	}
	if r.Transactional {
		if r.ID == "" {
			return 0, false, TransactionalIDAuthorizationFailed
		}
		if err := b.mayUse(r.ID); err != None {
			return 0, false, err
		}
		if err := b.mayWrite(r.At.Topic); err != None {
			return 0, false, err
		}
		if err := b.admit(p, r); err != None {
			return 0, false, err
		}
	}
	if err := b.mayWrite(r.At.Topic); err != None {
		return 0, false, err
	}
	if err := p.accepts(r.Acks == AcksAll); err != None {
		return 0, false, err
	}
	batch := &Batch{
		Producer: r.Producer, Epoch: r.Epoch, Sequence: r.Sequence, Transactional: r.Transactional, Records: r.Records,
	}
	if r.Producer == NoProducer {
		batch.Epoch, batch.Sequence = NoEpoch, -1
	}
	base, duplicate, err = p.write(batch, r.Version >= produceAdds)
	switch {
	case err != None:
	case duplicate:
		b.tell("topic:"+p.name, "K-17", sim.BatchRepeated{
			Partition: p.name, By: b.from.Name, Producer: int64(r.Producer), Epoch: int64(r.Epoch), Sequence: int64(r.Sequence), Offset: base,
		}, b.from.Cause)
	default:
		b.appended(p, batch, r.ID)
		b.extend(p, batch.Base)
	}
	return base, duplicate, err
}

// admit asks the coordinator about a partition in which the producer has no
// transaction open.
func (b *Broker) admit(p *Partition, r Produce) Error {
	if p.hasOpen(r.Producer, r.Epoch) || r.Version < produceAdds && !b.Config.PartitionVerification {
		return None
	}
	if s := p.producers[r.Producer]; s != nil && r.Epoch < s.epoch {
		return InvalidProducerEpoch
	}
	p.verifying(r.Producer, r.Epoch, r.Sequence)
	if r.Version >= produceAdds {
		return forLeader(b.add(r.ID, r.Producer, r.Epoch, r.At))
	}
	switch err := forLeader(b.verify(r.ID, r.Producer, r.Epoch, r.At)); {
	case err == TransactionAbortable && r.Version < produceAbortable:
		return InvalidTxnState
	case err == ConcurrentTransactions:
		return NotEnoughReplicas
	default:
		return err
	}
}

// forLeader is what a leader makes of the coordinator's answer.
func forLeader(err Error) Error {
	if err == ProducerFenced {
		return InvalidProducerEpoch
	}
	return err
}
