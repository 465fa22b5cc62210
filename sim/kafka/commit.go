package kafka

import (
	"fmt"
	"maps"
	"slices"

	"streaminglab/sim"
)

// offsetRecords are offsets as records of the topic of offsets.
func offsetRecords(group string, offsets map[TopicPartition]int64) (out []Record) {
	for _, at := range slices.SortedFunc(maps.Keys(offsets), TopicPartition.compare) {
		out = append(out, Record{Key: fmt.Sprintf("[%s,%s,%d]", group, at.Topic, at.Partition), Value: fmt.Sprint(offsets[at])})
	}
	return out
}

// CommitOffsets is OffsetCommit: offsets become the group's at once.
func (b *Broker) CommitOffsets(name string, offsets map[TopicPartition]int64) Error {
	if err := b.mayJoin(name); err != None {
		return err
	}
	p := b.Partition(offsetsPartition)
	batch := &Batch{Producer: NoProducer, Epoch: NoEpoch, Sequence: -1, Records: offsetRecords(name, offsets)}
	p.append(batch)
	b.appended(p, batch, "")
	g := b.group(name)
	for at, n := range offsets {
		g.committed[at] = written{n, batch.Last()}
	}
	b.offsetsCommitted(name, offsets, batch.Records[0].Step)
	return None
}

// offsetsCommitted tells what a group has committed.
func (b *Broker) offsetsCommitted(name string, offsets map[TopicPartition]int64, cause *sim.Step) {
	body := sim.OffsetsCommitted{Group: name}
	for _, at := range slices.SortedFunc(maps.Keys(offsets), TopicPartition.compare) {
		body.Offsets = append(body.Offsets, sim.SplitOffset{Split: at.String(), Offset: offsets[at]})
	}
	b.tell("group:"+name, "K-39", body, cause)
}

// Groups are the names of those that have offsets, sorted.
func (b *Broker) Groups() []string { return slices.Sorted(maps.Keys(b.groups)) }
