package kafka

import (
	"slices"

	"streaminglab/sim"
)

// Acks is the option acks of a producer: who must have a batch before the leader
// answers.
type Acks byte

// The values. A producer with another than AcksAll is not idempotent.
const (
	AcksAll Acks = iota
	AcksLeader
	AcksNone
)

// ParseAcks reads the value of the option.
func ParseAcks(text string) (Acks, bool) {
	switch text {
	case "all", "-1":
		return AcksAll, true
	case "1":
		return AcksLeader, true
	case "0":
		return AcksNone, true
	}
	return AcksAll, false
}

// accepts says whether the leader takes a batch now; all: for acks=all, as markers
// are sent too.
func (p *Partition) accepts(all bool) Error {
	switch {
	case p.Offline():
		return NotLeaderOrFollower
	case all && p.underMinInSync():
		return NotEnoughReplicas
	}
	return None
}

// leaderEpoch is the present one; a partition with one copy keeps its leader.
func (p *Partition) leaderEpoch() int {
	if p.replication == nil {
		return 0
	}
	return p.epoch
}

// A sentBatch stands in the log of the leader, which answers when it is
// replicated.
type sentBatch struct {
	unsentBatch
	at TopicPartition
	// end is the offset behind it, epoch the leader epoch that it was sent in.
	end   int64
	epoch int
	// first and since are when it was sent, the first time and the last.
	first, since int64
}

// Unacknowledged reports whether the answer to a batch is still to come.
func (p *ProducerClient) Unacknowledged() bool { return len(p.sent) > 0 }

// awaits takes note of a batch that the leader has appended; with acks=all its
// answer comes when the high watermark is behind it.
func (p *ProducerClient) awaits(at TopicPartition, b *unsentBatch, base int64) {
	part, now := p.broker.Partition(at), p.broker.Now()
	end := base + int64(len(b.records))
	if p.Acks != AcksAll || part.HighWatermark() >= end {
		return
	}
	if b.first < 0 {
		b.first = now
	}
	p.sent = append(p.sent, sentBatch{unsentBatch: *b, at: at, end: end, epoch: part.leaderEpoch(), first: b.first, since: now})
}

// acknowledge looks at which answers have come. A batch whose leader is gone is
// sent to the next one, which may have it already (K17); so is one that has had no
// answer for request.timeout.ms. waits : somebody waits for them.
func (p *ProducerClient) acknowledge(waits bool) error {
	now := p.broker.Now()
	var again []sentBatch
	p.sent = slices.DeleteFunc(p.sent, func(b sentBatch) bool {
		part := p.broker.Partition(b.at)
		moved := part.leaderEpoch() != b.epoch || part.Offline()
		switch {
		case !moved && part.HighWatermark() >= b.end:
			return true
		case moved, b.since+RequestTimeout <= now:
			if !moved {
				p.refused("Produce", RequestTimedOut)
			}
			again = append(again, b)
			return true
		}
		return false
	})
	for _, b := range slices.Backward(again) {
		if b.first+DeliveryTimeout <= now {
			p.sequences[b.at] = b.sequence
			return p.abortable(&Exception{Class: "TimeoutException", Err: RequestTimedOut})
		}
		p.unsent[b.at] = slices.Insert(p.unsent[b.at], 0, &b.unsentBatch)
	}
	if len(again) > 0 {
		if err := p.resend(); err != nil {
			return err
		}
	}
	if len(p.sent) == 0 {
		p.told = false
		return nil
	}
	until, due := p.sent[0].first+DeliveryTimeout, p.sent[0].since+RequestTimeout
	for _, b := range p.sent {
		until, due = min(until, b.first+DeliveryTimeout), min(due, b.since+RequestTimeout)
	}
	if waits && !p.told {
		p.told = true
		p.broker.tell(p.Name, ReplicationRule, sim.ClientWaits{API: "Produce", ID: p.ID, Until: until}, p.Cause)
	}
	return p.pending("Produce", None, due)
}
