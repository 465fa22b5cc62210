package kafka

import (
	"strconv"

	"streaminglab/sim/flink"
	broker "streaminglab/sim/kafka"
	"streaminglab/sim/operator"
)

// Levels of isolation.level.
const (
	ReadCommitted   = "read_committed"
	ReadUncommitted = "read_uncommitted"
)

// A PartitionLog is a partition of a topic as a source reads it: a split of a
// KafkaSource. It implements flink.Origin.
type PartitionLog struct {
	Broker    *broker.Broker
	At        broker.TopicPartition
	Isolation string
	// Reset is auto.offset.reset; empty: earliest.
	Reset string
	// Source and Split name it in the job.
	Source, Split string
	// StopByRecord : a bounded read ends with the record before its end, as it did
	// before FLINK-34470; else by position.
	StopByRecord bool

	// position is the offset behind what was read last, epoch the leader epoch of
	// that time. A checkpoint holds the offset alone.
	position int64
	epoch    int

	// stop is where a bounded read ends, -1: it does not.
	stop int64
}

// NewPartitionLog returns the partition of a topic for a split of a source.
func NewPartitionLog(b *broker.Broker, at broker.TopicPartition, source, split string) *PartitionLog {
	return &PartitionLog{Broker: b, At: at, Source: source, Split: split, stop: -1}
}

func (p *PartitionLog) partition() *broker.Partition { return p.Broker.Partition(p.At) }

// Next implements flink.Origin.
func (p *PartitionLog) Next(from int64) (at, seq int64, ok bool) {
	if p.refused(from) {
		return from, 0, true
	}
	b, at := p.partition().Next(from, p.Isolation == ReadCommitted)
	if b == nil || p.stop >= 0 && at >= p.stop {
		return 0, 0, false
	}
	return at, b.Order, true
}

// Entry implements flink.Origin.
func (p *PartitionLog) Entry(at int64) *flink.Entry {
	b, _ := p.partition().Next(at, false)
	r := b.Records[at-b.Base]
	p.position, p.epoch = at+1, p.partition().LeaderEpoch()
	e := &flink.Entry{Seq: b.Order, Step: r.Step, Record: deserialize(r)}
	e.Record.Source, e.Record.Split, e.Record.Offset = p.Source, p.Split, at
	return e
}

// End implements flink.Origin.
func (p *PartitionLog) End() int64 { return p.partition().HighWatermark() }

// Exhausted implements flink.Origin: its end is known by the position, not by the
// last record, which may be followed by markers (K-34).
func (p *PartitionLog) Exhausted(from int64) bool {
	if p.StopByRecord {
		return p.stop >= 0 && from >= p.stop
	}
	_, _, more := p.Next(from)
	return p.stop >= 0 && !more && p.readable() >= p.stop
}

// readable is the offset behind what can be read.
func (p *PartitionLog) readable() int64 {
	if p.Isolation == ReadCommitted {
		return p.partition().LastStableOffset()
	}
	return p.partition().HighWatermark()
}

// Close implements flink.Origin: what is there now is read (OffsetsInitializer
// latest).
func (p *PartitionLog) Close() { p.stop = p.readable() }

// Append implements flink.Origin: somebody without an idempotent producer writes
// it.
func (p *PartitionLog) Append(e flink.Entry) {
	p.Broker.From(broker.Client{Name: producerName, Cause: e.Step})
	r := serialized(&e.Record)
	r.Step = e.Step
	if _, _, err := p.Broker.Produce(broker.Produce{At: p.At, Producer: broker.NoProducer, Records: []broker.Record{r}, Acks: broker.AcksLeader}); err != broker.None {
		p.Broker.Refused("Produce", err)
	}
}

// producerName is who writes what the command produce says.
const producerName = "produce"

// Names of headers, for what a record of the lab carries besides its key, its
// value and its timestamp.
const (
	headerKind  = "op"
	headerEvent = "event"
	headerGap   = "gap"
	headerMark  = "mark"
	headerExpr  = "expr"
)

func serialized(r *operator.Record) broker.Record {
	out := broker.Record{Key: r.Name, Value: operator.Text(r), Timestamp: r.TS}
	add := func(key, value string) { out.Headers = append(out.Headers, broker.Header{Key: key, Value: value}) }
	if r.Kind != operator.Insert {
		add(headerKind, r.Kind.String())
	}
	if r.HasEvent {
		add(headerEvent, strconv.FormatInt(r.Event, 10))
	}
	if r.Gap != 0 {
		add(headerGap, strconv.FormatInt(r.Gap, 10))
	}
	if r.Mark {
		add(headerMark, "")
	}
	if r.NullExpr {
		add(headerExpr, "none")
	}
	return out
}

// deserialize reads a record: what is no number is a word.
func deserialize(r broker.Record) operator.Record {
	out := operator.Record{Name: r.Key, TS: r.Timestamp}
	if n, err := strconv.ParseInt(r.Value, 10, 64); err == nil {
		out.Value = n
	} else {
		out.Word = r.Value
	}
	for _, h := range r.Headers {
		n, _ := strconv.ParseInt(h.Value, 10, 64)
		switch h.Key {
		case headerKind:
			for k := operator.Insert; k <= operator.Delete; k++ {
				if k.String() == h.Value {
					out.Kind = k
				}
			}
		case headerEvent:
			out.Event, out.HasEvent = n, true
		case headerGap:
			out.Gap = n
		case headerMark:
			out.Mark = true
		case headerExpr:
			out.NullExpr = true
		}
	}
	return out
}
