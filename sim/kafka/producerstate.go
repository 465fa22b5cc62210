package kafka

import (
	"cmp"
	"slices"
)

// batchesKept is how many batches of a producer a leader remembers (K15).
const batchesKept = 5

// producerState is what the leader of a partition knows of a producer
// (ProducerStateEntry).
type producerState struct {
	epoch int16
	// batches are the last ones of the epoch, oldest first.
	batches []batchMeta
	// first is the first offset of its open transaction, -1: none is open.
	first int64
	// coordinatorEpoch is that of the last marker.
	coordinatorEpoch int
	// updated is when it last wrote here, in ms.
	updated int64
}

type batchMeta struct {
	firstSeq, lastSeq int32
	base              int64
}

func (s *producerState) lastSequence() int32 {
	if len(s.batches) == 0 {
		return -1
	}
	return s.batches[len(s.batches)-1].lastSeq
}

// bump takes a new epoch, whose sequences begin anew.
func (s *producerState) bump(epoch int16) {
	if s.epoch != epoch {
		s.epoch, s.batches = epoch, nil
	}
}

// remember adds a batch, and forgets the oldest when there are too many (K15).
func (s *producerState) remember(m batchMeta) {
	if s.batches = append(s.batches, m); len(s.batches) > batchesKept {
		s.batches = slices.Delete(s.batches, 0, 1)
	}
}

// duplicate is the offset of a batch that came before (K17).
func (s *producerState) duplicate(b *Batch) (base int64, ok bool) {
	if s.epoch != b.Epoch {
		return 0, false
	}
	for _, m := range s.batches {
		if m.firstSeq == b.Sequence && m.lastSeq == b.lastSequence() {
			return m.base, true
		}
	}
	return 0, false
}

// A verification is what the leader notes of a producer while it asks the
// coordinator: the lowest sequence that has come meanwhile is the first that may
// be written (VerificationStateEntry).
type verification struct {
	epoch  int16
	lowest int32
}

func (p *Partition) verifying(id ProducerID, epoch int16, sequence int32) {
	v := p.verified[id]
	switch {
	case v == nil || v.epoch != epoch:
		p.verified[id] = &verification{epoch, sequence}
	default:
		v.lowest = min(v.lowest, sequence)
	}
}

// hasOpen reports whether a producer has a transaction open with this epoch: then
// nobody asks the coordinator.
func (p *Partition) hasOpen(id ProducerID, epoch int16) bool {
	s := p.producers[id]
	return s != nil && s.first >= 0 && s.epoch == epoch
}

// write appends a batch of a producer, unless it is a duplicate or does not
// follow (K16, K17, K19). strict says that a transactional producer of which
// nothing is known begins with sequence 0 (Produce 12).
func (p *Partition) write(b *Batch, strict bool) (base int64, duplicate bool, err Error) {
	if b.Producer == NoProducer {
		p.append(b)
		return b.Base, false, None
	}
	s := p.producers[b.Producer]
	v := p.verified[b.Producer]
	if s != nil {
		if base, ok := s.duplicate(b); ok {
			return base, true, None
		}
		switch {
		case b.Epoch < s.epoch:
			return 0, false, InvalidProducerEpoch
		case b.Epoch > s.epoch:
			if b.Sequence != 0 {
				return 0, false, OutOfOrderSequenceNumber
			}
		case b.Sequence != wrap(s.lastSequence(), 1) && !(len(s.batches) == 0 && b.Sequence == 0):
			return 0, false, OutOfOrderSequenceNumber
		}
		if s.first >= 0 && !b.Transactional {
			return 0, false, InvalidTxnState
		}
	} else if strict && b.Transactional && b.Sequence != 0 {
		return 0, false, OutOfOrderSequenceNumber
	}
	if b.Transactional && v != nil && v.epoch == b.Epoch && b.Sequence > v.lowest {
		return 0, false, OutOfOrderSequenceNumber
	}
	if b.Transactional {
		delete(p.verified, b.Producer)
	}
	if s == nil {
		s = &producerState{epoch: b.Epoch, first: -1, coordinatorEpoch: -1}
		p.producers[b.Producer] = s
	}
	p.append(b)
	s.bump(b.Epoch)
	s.remember(batchMeta{b.Sequence, b.lastSequence(), b.Base})
	if b.Transactional && s.first < 0 {
		s.first = b.Base
		p.begin(b.Producer, b.Base)
	}
	return b.Base, false, None
}

// Mark writes the marker that ends a transaction here (K24 to K26).
func (p *Partition) Mark(id ProducerID, epoch int16, result Control, coordinatorEpoch int) Error {
	s := p.producers[id]
	if s == nil {
		s = &producerState{epoch: epoch, first: -1, coordinatorEpoch: -1}
		p.producers[id] = s
	}
	if epoch < s.epoch {
		return InvalidProducerEpoch
	}
	if coordinatorEpoch < s.coordinatorEpoch {
		return TransactionCoordinatorFenced
	}
	b := &Batch{Producer: id, Epoch: epoch, Sequence: -1, Transactional: true, Control: result, CoordinatorEpoch: coordinatorEpoch}
	p.append(b)
	s.bump(epoch)
	delete(p.verified, id)
	s.coordinatorEpoch, s.first = coordinatorEpoch, -1
	first, ok := p.complete(id)
	if ok && result == Abort {
		p.Aborted = append(p.Aborted, AbortedTransaction{id, first, b.Base, p.firstOpen()})
	}
	if ok && p.replication != nil {
		p.unreplicated = append(p.unreplicated, completedTransaction{openTransaction{producer: id, first: first}, b.Base, ""})
	}
	return None
}

// Expire drops what is known of producers without an open transaction
// (producer.id.expiration.ms has passed, K20).
func (p *Partition) Expire() {
	for id, s := range p.producers {
		if s.first < 0 {
			delete(p.producers, id)
		}
	}
	clear(p.verified)
}

// A Producer is what DescribeProducers says of a producer.
type Producer struct {
	ID    ProducerID
	Epoch int16
	// Sequence is the last one, -1: none of the epoch.
	Sequence int32
	// Start is the first offset of its open transaction, -1: none.
	Start int64
	// CoordinatorEpoch is that of its last marker, -1: there was none.
	CoordinatorEpoch int
	// Updated is when it last wrote here, in ms.
	Updated int64
}

// Producers are those that the leader knows, by id.
func (p *Partition) Producers() (out []Producer) {
	for id, s := range p.producers {
		out = append(out, Producer{id, s.epoch, s.lastSequence(), s.first, s.coordinatorEpoch, s.updated})
	}
	slices.SortFunc(out, func(a, b Producer) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
