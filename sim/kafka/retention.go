package kafka

import (
	"slices"

	"streaminglab/sim"
)

// RetentionInterval is log.retention.check.interval.ms.
const RetentionInterval = 300_000

// DefaultSegment is how many records a segment holds unless a topic says another
// number.
const DefaultSegment = 5

// Retention says how long the partitions of a topic keep their records.
type Retention struct {
	// Time is retention.ms, Bytes retention.bytes; 0: without a limit.
	Time, Bytes int64
	// Segment is how many offsets a segment takes.
	Segment int
}

// retained is what a partition knows of its segments.
type retained struct {
	Retention
	// number is that of the segment that is written, filled the offsets in it.
	number, filled int
	// watched : somebody will look at the partition on the next grid point.
	watched bool
}

// A segment is a part of a log that is deleted as a whole.
type segment struct {
	// end is the offset behind it, last when its last batch came, bytes its size.
	end, last, bytes int64
}

// Retain gives the partitions of a topic a retention.
func (b *Broker) Retain(topic string, r Retention) {
	if r.Segment <= 0 {
		r.Segment = DefaultSegment
	}
	for n := range b.topics[topic] {
		b.Partition(TopicPartition{topic, n}).retained = &retained{Retention: r}
	}
}

// roll says in which segment a batch lies; one that is full is followed by
// another.
func (r *retained) roll(x *Batch) {
	n := max(len(x.Records), 1)
	if r.filled > 0 && r.filled+n > r.Segment {
		r.number, r.filled = r.number+1, 0
	}
	r.filled += n
	x.segment = r.number
}

func (p *Partition) segments() (out []segment) {
	number := -1
	for _, x := range p.Batches {
		if x.segment != number {
			number = x.segment
			out = append(out, segment{})
		}
		s := &out[len(out)-1]
		s.end, s.last = x.Last()+1, x.Time
		for _, r := range x.Records {
			s.bytes += int64(len(r.Key) + len(r.Value))
		}
	}
	return out
}

// deletable is the offset behind the segments that can go: oldest first, as long
// as each is too old, or the log too large without it; nothing above the high
// watermark.
func (p *Partition) deletable(now int64) (before int64) {
	before = p.Start
	all := p.segments()
	size := int64(0)
	for _, s := range all {
		size += s.bytes
	}
	for _, s := range all {
		old := p.Time > 0 && s.last+p.Time < now
		large := p.Bytes > 0 && size-p.Bytes >= s.bytes
		if s.end > p.HighWatermark() || !old && !large {
			break
		}
		before, size = s.end, size-s.bytes
	}
	return before
}

// retainDue is when something of a partition may be deleted.
func (p *Partition) retainDue(now int64) (at int64, ok bool) {
	if p.retained == nil || len(p.Batches) == 0 {
		return 0, false
	}
	if p.deletable(now) > p.Start {
		return now, true
	}
	if s := p.segments()[0]; p.Time > 0 {
		return max(s.last+p.Time+1, now), true
	}
	return 0, false
}

// watchRetention asks for a look at a partition that has got something. What can
// go is worked out then, not with every batch.
func (b *Broker) watchRetention(p *Partition) {
	if b.Retaining == nil || p.retained == nil || p.watched {
		return
	}
	p.watched = true
	b.Retaining(b.Now())
}

// RetainDue is when the next segment may be deleted.
func (b *Broker) RetainDue() (at int64, ok bool) {
	for _, p := range b.partitions {
		if due, some := p.retainDue(b.Now()); some && (!ok || due < at) {
			at, ok = due, true
		}
	}
	return at, ok
}

// DeleteOldSegments is the periodic job that deletes what retention allows.
func (b *Broker) DeleteOldSegments() {
	for _, p := range b.ordered() {
		if p.retained == nil || p.Offline() {
			continue
		}
		before := p.Start
		p.watched = false
		if to := p.deletable(b.Now()); to > before {
			cause := p.lastStep(to)
			if _, err := p.DeleteRecords(to); err == None {
				p.deletion = b.tell("topic:"+p.name, "LAB-16", sim.RecordsDeleted{Partition: p.name, Start: p.Start, Previous: before, LSO: p.LastStableOffset()}, cause)
			}
		}
	}
}

// ordered are all partitions, by name.
func (b *Broker) ordered() (out []*Partition) {
	var all []TopicPartition
	for at := range b.partitions {
		all = append(all, at)
	}
	slices.SortFunc(all, TopicPartition.compare)
	for _, at := range all {
		out = append(out, b.partitions[at])
	}
	return out
}

// Deleted is the step that told what retention deleted last.
func (p *Partition) Deleted() *sim.Step { return p.deletion }

// A deletedBatch is one that retention or deleteRecords took away.
type deletedBatch struct {
	*Batch
	aborted bool
}

// Missed are the records in [from, to) that were there and that a reader has not
// got: deleted ones, and those that it skips.
func (p *Partition) Missed(from, to int64, committed bool) (out []string) {
	for _, x := range p.deleted {
		for i, r := range x.Records {
			if at := x.Base + int64(i); x.Control == Data && at >= from && at < to && at < p.Start && !(committed && x.aborted) {
				out = append(out, r.String())
			}
		}
	}
	for at := max(from, p.Start); at < to; {
		x, next := p.Next(at, committed)
		if x == nil || next >= to {
			break
		}
		out = append(out, x.Records[next-x.Base].String())
		at = next + 1
	}
	return out
}
