package kafka

import (
	"cmp"
	"slices"

	"streaminglab/sim"
)

// A ProducerID is the number of a producer; NoProducer is none.
type ProducerID int64

// NoProducer and NoEpoch stand where there is none.
const (
	NoProducer ProducerID = -1
	NoEpoch    int16      = -1
)

// A Control says what a control batch is: the marker that ends a transaction on
// a partition.
type Control byte

// What a batch may be.
const (
	Data Control = iota
	Abort
	Commit
)

// A Record is a record of a topic.
type Record struct {
	Key, Value string
	// Timestamp is in ms.
	Timestamp int64
	// Headers are in the order in which the producer set them.
	Headers []Header
	// Step is what led to it.
	Step *sim.Step
}

// A Header is a header of a record.
type Header struct{ Key, Value string }

// String is the record as steps show it.
func (r Record) String() string {
	if r.Key == "" {
		return r.Value
	}
	return r.Key + "=" + r.Value
}

// A Batch is one batch of a log. Records have offsets Base, Base+1, …; a control
// batch has none and uses one offset.
type Batch struct {
	Base     int64
	Producer ProducerID
	Epoch    int16
	// Sequence is that of the first record; -1 without a producer id.
	Sequence      int32
	Transactional bool
	Control       Control
	Records       []Record
	// Transaction is the number of the transaction that it belongs to.
	Transaction int64
	// ID is the transactional id that it came with.
	ID string
	// Order numbers it among everything that sources read.
	Order int64
	// CoordinatorEpoch is that of a marker.
	CoordinatorEpoch int
	// Step is what told it, Time when the leader appended it, in ms.
	Step *sim.Step
	Time int64

	segment int
}

// Last is the offset of the last record.
func (b *Batch) Last() int64 { return b.Base + int64(max(len(b.Records), 1)) - 1 }

// lastSequence is the sequence of the last record.
func (b *Batch) lastSequence() int32 { return wrap(b.Sequence, len(b.Records)-1) }

// wrap adds to a sequence, which begins at 0 again behind the largest number.
func wrap(seq int32, n int) int32 {
	return int32((int64(seq) + int64(n)) & 0x7fffffff)
}

// An AbortedTransaction is an entry of the index that fetches of read_committed
// answer with (K33).
type AbortedTransaction struct {
	Producer ProducerID
	// First is the offset of its first record, Last that of the marker; Stable is
	// the last stable offset when the marker was written.
	First, Last, Stable int64
}

// A Partition is the log of one partition and what its leader knows. With one
// copy the high watermark is the end of the log (K31).
type Partition struct {
	// name is topic/number.
	name    string
	Batches []*Batch
	// Start is the log start offset, End the offset of the next record.
	Start, End int64
	Aborted    []AbortedTransaction

	producers map[ProducerID]*producerState
	verified  map[ProducerID]*verification
	// open are the transactions that are not decided here, by their first
	// offset.
	open []openTransaction
	// replication : there is more than one copy.
	*replication
	// retained : there is a retention.
	*retained
	// deleted are the batches that are gone, deletion the step that told the last.
	deleted  []deletedBatch
	deletion *sim.Step
}

type openTransaction struct {
	producer ProducerID
	first    int64
	// number is that of the transaction, step that of its first batch.
	number int64
	step   *sim.Step
}

// openOf is the open transaction of a producer; not ok: it has none here.
func (p *Partition) openOf(id ProducerID) (t openTransaction, ok bool) {
	for _, t := range p.open {
		if t.producer == id {
			return t, true
		}
	}
	return t, false
}

// NewPartition returns an empty one.
func NewPartition() *Partition {
	return &Partition{producers: map[ProducerID]*producerState{}, verified: map[ProducerID]*verification{}}
}

// HighWatermark is the offset behind what a read_uncommitted reader sees.
func (p *Partition) HighWatermark() int64 {
	if p.replication != nil {
		return p.high
	}
	return p.End
}

// LastStableOffset is the offset behind what a read_committed reader sees: the
// first record of the oldest transaction that is open here, or whose marker is not
// replicated. Where deleteRecords went past it, it is the base of the batch that
// holds the log start (K31).
func (p *Partition) LastStableOffset() int64 {
	if p.replication == nil {
		return p.firstOpen()
	}
	first := min(p.high, p.firstOpen())
	for _, t := range p.unreplicated {
		first = min(first, max(t.first, p.Start))
	}
	return first
}

// firstOpen is where the oldest open transaction begins; without one it is the end
// of the log.
func (p *Partition) firstOpen() int64 {
	if len(p.open) == 0 {
		return p.End
	}
	first := p.open[0].first
	if first >= p.Start {
		return first
	}
	for _, b := range p.Batches {
		if b.Last() >= p.Start {
			return b.Base
		}
	}
	return p.End
}

// append puts a batch at the end of the log.
func (p *Partition) append(b *Batch) {
	b.Base = p.End
	if p.retained != nil {
		p.roll(b)
	}
	p.Batches = append(p.Batches, b)
	p.End = b.Last() + 1
}

// begin notes the first record of a transaction.
func (p *Partition) begin(producer ProducerID, first int64) {
	p.open = append(p.open, openTransaction{producer: producer, first: first})
}

// complete ends a transaction and returns where it began; not ok: it wrote
// nothing here.
func (p *Partition) complete(producer ProducerID) (first int64, ok bool) {
	i := slices.IndexFunc(p.open, func(t openTransaction) bool { return t.producer == producer })
	if i < 0 {
		return 0, false
	}
	first = p.open[i].first
	p.open = slices.Delete(p.open, i, i+1)
	return first, true
}

// DeleteRecords deletes what lies below an offset and returns the new log
// start.
func (p *Partition) DeleteRecords(before int64) (low int64, err Error) {
	if before == -1 {
		before = p.HighWatermark()
	}
	if before < 0 || before > p.HighWatermark() {
		return 0, OffsetOutOfRange
	}
	if before <= p.Start {
		return p.Start, None
	}
	p.Start = before
	p.Batches = slices.DeleteFunc(p.Batches, func(b *Batch) bool {
		gone := b.Last() < p.Start
		if gone {
			if b.Step != nil { // somebody watches, and may ask what a reader missed
				p.deleted = append(p.deleted, deletedBatch{b, p.IsAborted(b)})
			}
		}
		return gone
	})
	p.raise()
	p.Aborted = slices.DeleteFunc(p.Aborted, func(a AbortedTransaction) bool { return a.Last < p.Start })
	return p.Start, None
}

// A Read is a record as a consumer gets it.
type Read struct {
	Offset int64
	Record Record
}

// ReadUncommitted are the records from an offset on that a read_uncommitted
// reader gets.
func (p *Partition) ReadUncommitted(from int64) []Read {
	return p.read(from, p.HighWatermark(), nil)
}

// ReadCommitted are those that a read_committed reader gets: what lies below the
// last stable offset, without what the index says was aborted (K32, K34).
func (p *Partition) ReadCommitted(from int64) []Read {
	upper := p.LastStableOffset()
	var aborted []AbortedTransaction
	for _, a := range p.Aborted {
		if a.Last >= from && a.First < upper {
			aborted = append(aborted, a)
		}
	}
	slices.SortStableFunc(aborted, func(a, b AbortedTransaction) int { return cmp.Compare(a.First, b.First) })
	return p.read(from, upper, &aborted)
}

func (p *Partition) read(from, upper int64, aborted *[]AbortedTransaction) (out []Read) {
	from = max(from, p.Start)
	skip := map[ProducerID]bool{}
	for _, b := range p.Batches {
		if b.Last() < from || b.Base >= upper {
			continue
		}
		if aborted != nil && b.Producer != NoProducer {
			for len(*aborted) > 0 && (*aborted)[0].First <= b.Last() {
				skip[(*aborted)[0].Producer] = true
				*aborted = (*aborted)[1:]
			}
			if b.Control == Abort {
				delete(skip, b.Producer)
			} else if b.Transactional && skip[b.Producer] {
				continue
			}
		}
		if b.Control != Data {
			continue
		}
		for i, r := range b.Records {
			if at := b.Base + int64(i); at >= from && at < upper {
				out = append(out, Read{at, r})
			}
		}
	}
	return out
}
