package kafka

import (
	"maps"

	"streaminglab/sim"
)

// A marker is one that is on its way to the leader of a partition
// (WriteTxnMarkers for one partition).
type marker struct {
	at TopicPartition
	// of is the transaction; nil: a tool writes it.
	of               *Transaction
	producer         ProducerID
	epoch            int16
	result           Control
	coordinatorEpoch int
	// late is the step that says why it comes late, nil: it does not.
	late *sim.Step
}

// mark sends the markers of a decided transaction to the leaders of its
// partitions, each on its own: none waits for another (K38).
func (b *Broker) mark(t *Transaction) {
	result := Abort
	if t.State == PrepareCommit {
		result = Commit
	}
	if t.logged == nil {
		t.logged = maps.Clone(t.partitions)
	}
	for _, at := range t.Partitions() {
		b.sendMarker(marker{at: at, of: t, producer: t.Producer, epoch: t.Epoch, result: result, coordinatorEpoch: b.epoch})
	}
}

// sendMarker sends one, which may be slow or go astray on its way. A coordinator
// that has gone meanwhile does not call it back.
func (b *Broker) sendMarker(m marker) {
	f := b.markerFault(m)
	if f == nil {
		b.deliverMarker(m)
		return
	}
	step := b.tell(CoordinatorName, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
	if f.Kind == sim.FaultLose {
		again := b.Now() + RequestTimeout
		m.late = b.tell(CoordinatorName, "K-5", sim.RequestLost{API: "WriteTxnMarkers", ID: m.of.ID, Partition: m.at.String(), Again: again}, step, m.of.Step)
		b.later(again, func() {
			if m.coordinatorEpoch == b.epoch {
				b.sendMarker(m)
			}
		})
		return
	}
	body := sim.MarkerDelayed{Partition: m.at.String(), TransactionalID: m.of.ID, Transaction: m.of.Number, Until: -1}
	if f.For > 0 {
		body.Until = b.Now() + f.For
	}
	m.late = b.tell(CoordinatorName, "K-38", body, step, m.of.Step)
	if f.For > 0 {
		b.later(body.Until, func() { b.deliverMarker(m) })
	} else {
		b.stuck = append(b.stuck, m)
	}
}

func (b *Broker) markerFault(m marker) *sim.Fault {
	if b.Fault == nil || b.Later == nil {
		return nil
	}
	return b.Fault(sim.PointMarker, m.at.String(), m.at.Topic, m.of.ID)
}

// later does something at a time. Without a world time does not pass by itself.
func (b *Broker) later(at int64, do func()) {
	if b.Later != nil {
		b.Later(at, do)
	}
}

// deliverMarker lets a marker arrive. It is acknowledged when it is replicated. A
// leader that refuses it keeps the id where it is; where nobody can take it, it
// comes again.
func (b *Broker) deliverMarker(m marker) {
	p := b.Partition(m.at)
	err := b.writeMarker(m)
	if err.Retriable() {
		p.refused = append(p.refused, m)
	}
	switch {
	case err == None && p.replication != nil:
		offset := p.End - 1
		p.unacknowledged = append(p.unacknowledged, sentMarker{m, offset})
		b.extend(p, offset)
	case err == None:
		b.acknowledged(m)
		b.watchRetention(p)
	case b.Tell != nil:
		b.tell("topic:"+m.at.String(), "K-25", sim.RequestRefused{
			API: "WriteTxnMarkers", ID: m.of.ID, Error: err.String(), Code: int64(err), Retry: err.Retriable(),
		}, m.of.Step, m.late)
	}
}

// acknowledged tells the coordinator that a marker is written: with the last one
// the transaction is over (K5).
func (b *Broker) acknowledged(m marker) {
	t := m.of
	if m.coordinatorEpoch != b.epoch || !t.State.preparing() || t.Epoch != m.epoch || !t.partitions[m.at] {
		return
	}
	delete(t.partitions, m.at)
	if len(t.partitions) == 0 {
		b.complete(t)
	}
}

// releaseStuck lets the markers go on that wait without an end.
func (b *Broker) releaseStuck() {
	stuck := b.stuck
	b.stuck = nil
	for _, m := range stuck {
		b.deliverMarker(m)
	}
}
