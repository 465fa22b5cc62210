package kafka

import (
	"maps"
	"slices"

	"streaminglab/sim"
)

// offsetsPartition is where groups keep their offsets.
var offsetsPartition = TopicPartition{Topic: OffsetsTopic}

// group are the offsets of a group.
type group struct {
	committed map[TopicPartition]written
	// pending are those of open transactions.
	pending map[ProducerID]map[TopicPartition]written
}

// written is an offset and where it stands in the log of offsets: of two that
// are committed the later one counts, in whatever order they were decided.
type written struct{ offset, at int64 }

func (b *Broker) group(name string) *group {
	g := b.groups[name]
	if g == nil {
		g = &group{map[TopicPartition]written{}, map[ProducerID]map[TopicPartition]written{}}
		b.groups[name] = g
	}
	return g
}

// AddOffsets is AddOffsetsToTxn.
type AddOffsets struct {
	ID       string
	Producer ProducerID
	Epoch    int16
	Group    string
	Version  int
}

// AddOffsetsToTxn puts the group's offsets into the transaction (K39).
func (b *Broker) AddOffsetsToTxn(r AddOffsets) Error {
	if err := b.mayUse(r.ID); err != None {
		return err
	}
	if err := b.mayJoin(r.Group); err != None {
		return err
	}
	return named(b.add(r.ID, r.Producer, r.Epoch, offsetsPartition), r.Version, addFenced)
}

// TxnOffsetCommit is the request of that name.
type TxnOffsetCommit struct {
	ID       string
	Producer ProducerID
	Epoch    int16
	Group    string
	Offsets  map[TopicPartition]int64
	Version  int
}

// TxnOffsetCommit writes offsets that become the group's when the transaction
// commits (K39).
func (b *Broker) TxnOffsetCommit(r TxnOffsetCommit) Error {
	if err := b.mayUse(r.ID); err != None {
		return err
	}
	if err := b.mayJoin(r.Group); err != None {
		return err
	}
	for _, at := range slices.SortedFunc(maps.Keys(r.Offsets), TopicPartition.compare) {
		if err := b.mayRead(at.Topic); err != None {
			return err
		}
	}
	p := b.Partition(offsetsPartition)
	if !p.hasOpen(r.Producer, r.Epoch) {
		if err := b.admitOffsets(p, r); err != None {
			return err
		}
	}
	if err := p.writeOffsets(r.Producer, r.Epoch, offsetRecords(r.Group, r.Offsets)); err != None {
		return err
	}
	b.appended(p, p.Batches[len(p.Batches)-1], r.ID)
	g := b.group(r.Group)
	if g.pending[r.Producer] == nil {
		g.pending[r.Producer] = map[TopicPartition]written{}
	}
	for at, n := range r.Offsets {
		g.pending[r.Producer][at] = written{n, p.End - 1}
	}
	return None
}

func (b *Broker) admitOffsets(p *Partition, r TxnOffsetCommit) Error {
	if r.Version >= offsetsAdd {
		if s := p.producers[r.Producer]; s != nil && r.Epoch < s.epoch {
			return InvalidProducerEpoch
		}
		return forLeader(b.add(r.ID, r.Producer, r.Epoch, offsetsPartition))
	}
	if !b.Config.PartitionVerification {
		return None
	}
	err := forLeader(b.verify(r.ID, r.Producer, r.Epoch, offsetsPartition))
	if err == TransactionAbortable && r.Version < offsetsAbortable {
		return InvalidTxnState
	}
	return err
}

// writeOffsets is a batch of offsets: it has no sequence.
func (p *Partition) writeOffsets(id ProducerID, epoch int16, records []Record) Error {
	s := p.producers[id]
	if s == nil {
		s = &producerState{epoch: epoch, first: -1, coordinatorEpoch: -1}
		p.producers[id] = s
	}
	if epoch < s.epoch {
		return InvalidProducerEpoch
	}
	s.bump(epoch)
	batch := &Batch{Producer: id, Epoch: epoch, Sequence: -1, Transactional: true, Records: records}
	p.append(batch)
	if s.first < 0 {
		s.first = batch.Base
		p.begin(id, batch.Base)
	}
	return None
}

// endOffsets makes the offsets of a transaction the group's, or drops them.
func (b *Broker) endOffsets(id ProducerID, result Control, marker *sim.Step) {
	for _, name := range slices.Sorted(maps.Keys(b.groups)) {
		g := b.groups[name]
		current := map[TopicPartition]int64{}
		for at, w := range g.pending[id] {
			if before, ok := g.committed[at]; result == Commit && (!ok || before.at < w.at) {
				g.committed[at] = w
				current[at] = w.offset
			}
		}
		delete(g.pending, id)
		if len(current) > 0 {
			b.offsetsCommitted(name, current, marker)
		}
	}
}

// An Offset is what OffsetFetch answers for a partition.
type Offset struct {
	At     TopicPartition
	Offset int64
	// Err is UNSTABLE_OFFSET_COMMIT where a transaction has written one and has
	// not ended, and the request asks for stable ones.
	Err Error
}

// OffsetFetch are the committed offsets of a group, in order (K39).
func (b *Broker) OffsetFetch(name string, requireStable bool) (out []Offset) {
	g := b.group(name)
	unstable := map[TopicPartition]bool{}
	if requireStable {
		for _, offsets := range g.pending {
			for at := range offsets {
				unstable[at] = true
			}
		}
	}
	all := map[TopicPartition]bool{}
	for at := range g.committed {
		all[at] = true
	}
	maps.Copy(all, unstable)
	for _, at := range slices.SortedFunc(maps.Keys(all), TopicPartition.compare) {
		o := Offset{At: at, Offset: g.committed[at].offset}
		if unstable[at] {
			o = Offset{At: at, Offset: -1, Err: UnstableOffsetCommit}
		}
		out = append(out, o)
	}
	return out
}
