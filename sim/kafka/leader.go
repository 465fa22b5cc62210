package kafka

import (
	"slices"

	"streaminglab/sim"
)

// Why a broker cannot do what a command asks of it.
const (
	NodeUnknown = "unknown"
	NodeDown    = "down"
	NodeRuns    = "runs"
	NodePaused  = "paused"
)

// NodeState is what a broker is doing: NodeUnknown, NodeDown, NodeRuns or
// NodePaused.
func (b *Broker) NodeState(n int) string {
	switch x := b.nodes[n]; {
	case x == nil:
		return NodeUnknown
	case x.crashed:
		return NodeDown
	case x.paused:
		return NodePaused
	}
	return NodeRuns
}

func (b *Broker) nodeChanged(n int) {
	x := b.nodes[n]
	body := sim.BrokerChanged{State: sim.BrokerRuns, Slow: x.slow}
	switch {
	case x.crashed:
		body.State = sim.BrokerDown
	case x.paused:
		body.State = sim.BrokerPaused
	}
	x.step = b.tell(BrokerName(n), ReplicationRule, body, b.from.Cause)
}

// SlowNode makes each fetch of a broker take longer, in ms; 0 ends that.
func (b *Broker) SlowNode(n int, extra int64) {
	b.nodes[n].slow = extra
	b.nodeChanged(n)
}

// PauseNode stops the fetches of a broker, which goes on leading what it leads.
func (b *Broker) PauseNode(n int) {
	b.eachCopy(n, func(p *Partition, r *replica) {
		if !r.fetching && r.end >= p.End {
			r.caughtUp = b.Now()
		}
	})
	b.nodes[n].paused = true
	b.nodeChanged(n)
	for _, p := range b.replicated() {
		b.watchLag(p)
	}
}

// CrashNode ends a broker: its copies fall out of sync at once, and what it led
// is led by another copy in sync, if there is one.
func (b *Broker) CrashNode(n int) {
	x := b.nodes[n]
	x.crashed, x.paused = true, false
	b.nodeChanged(n)
	b.eachCopy(n, func(p *Partition, r *replica) {
		if p.leader == n {
			r.end = p.End
			b.elect(p, x.step)
			return
		}
		if before := slices.Clone(p.inSync); slices.Contains(before, n) && len(before) > 1 {
			p.inSync = slices.DeleteFunc(p.inSync, func(o int) bool { return o == n })
			b.inSyncChanged(p, before, sim.WhyDown, x.step)
			b.advance(p)
		}
	})
}

// CrashNodeAt ends a broker in the middle of what somebody else is doing.
func (b *Broker) CrashNodeAt(n int, cause *sim.Step) {
	from := b.from
	b.From(Client{Cause: cause})
	b.CrashNode(n)
	b.from = from
}

// ResumeNode lets a broker go on that was paused, or starts one that has crashed:
// its copies follow whoever leads.
func (b *Broker) ResumeNode(n int) {
	x := b.nodes[n]
	x.crashed, x.paused = false, false
	b.nodeChanged(n)
	b.eachCopy(n, func(p *Partition, r *replica) {
		if p.leader == noLeader {
			b.elect(p, x.step)
		}
		if p.leader != noLeader {
			b.replicate(p)
		}
	})
}

func (b *Broker) eachCopy(n int, do func(*Partition, *replica)) {
	for _, p := range b.replicated() {
		if r := p.copy(n); r != nil {
			do(p, r)
		}
	}
}

// elect gives a partition whose leader is gone another one: the first copy in sync
// that runs; where unclean elections are allowed, the first that runs; else nobody.
func (b *Broker) elect(p *Partition, cause *sim.Step) {
	runs := func(r *replica) bool { return !b.nodes[r.broker].crashed }
	inSync := func(r *replica) bool { return slices.Contains(p.inSync, r.broker) }
	i := slices.IndexFunc(p.copies, func(r *replica) bool { return runs(r) && inSync(r) })
	clean := i >= 0
	if !clean && p.Unclean {
		i = slices.IndexFunc(p.copies, runs)
	}
	before := p.leader
	body := sim.LeaderChanged{
		Partition: p.name, Epoch: int64(p.epoch), Clean: true, End: p.End, PreviousEnd: p.End, HW: p.high, PreviousHW: p.high,
		LSO: p.LastStableOffset(), Stable: p.LastStableOffset(),
	}
	if before != noLeader {
		body.Previous = BrokerName(before)
	}
	if i < 0 {
		p.leader = noLeader
		if before == noLeader {
			return
		}
		// The last one in sync stays in the ISR: it alone may lead again.
		body.Clean = false
		p.step = b.tell("topic:"+p.name, ReplicationRule, body, cause)
		b.settle()
		return
	}
	r := p.copies[i]
	p.leader = r.broker
	p.epoch++
	members := slices.Clone(p.inSync)
	if clean {
		p.inSync = slices.DeleteFunc(p.inSync, func(n int) bool { return n != r.broker && b.nodes[n].crashed })
	} else {
		p.inSync = []int{r.broker}
	}
	// What was deleted does not come back: the log begins where it began.
	end := max(r.end, p.Start)
	for _, x := range p.Batches {
		if x.Base >= end && x.Transaction > 0 {
			b.outcomes[x.Transaction-1].Records -= int64(len(x.Records))
		}
	}
	body.Lost, body.Undecided = p.truncate(end)
	p.high = min(max(r.high, p.Start), p.End)
	p.began = p.End
	p.starts = append(p.starts, p.End)
	for _, o := range p.copies {
		o.end, o.high, o.fetching, o.hearing = min(o.end, p.End), min(o.high, p.End), false, false
		o.caughtUp, o.fetched, o.led = b.Now(), b.Now(), p.End
	}
	p.unreplicated = slices.DeleteFunc(p.completed(), func(t completedTransaction) bool { return t.marker < p.high })
	body.Leader, body.Epoch, body.Clean, body.End, body.HW, body.LSO = BrokerName(r.broker), int64(p.epoch), clean, p.End, p.high, p.LastStableOffset()
	p.step = b.tell("topic:"+p.name, ReplicationRule, body, cause)
	for _, m := range p.unacknowledged {
		p.refused = append(p.refused, m.marker)
	}
	p.unacknowledged = nil
	if !slices.Equal(members, p.inSync) {
		why := sim.WhyDown
		if !clean {
			why = sim.WhyUnclean
		}
		b.inSyncChanged(p, members, why, cause)
	}
	b.resendMarkers(p)
	b.replicate(p)
	b.watchLag(p)
	b.settle()
}

// completed are the completed transactions of which the log still has marker and
// first record.
func (p *Partition) completed() (out []completedTransaction) {
	open := map[ProducerID]int64{}
	for _, x := range p.Batches {
		first, ok := open[x.Producer]
		switch {
		case !x.Transactional:
		case x.Control == Data && !ok:
			open[x.Producer] = x.Base
		case x.Control != Data && ok:
			out = append(out, completedTransaction{openTransaction{producer: x.Producer, first: first, number: x.Transaction}, x.Base, x.ID})
			delete(open, x.Producer)
		}
	}
	return out
}

// truncate takes away what lies at or behind an offset and rebuilds what the leader
// knows of the producers who wrote there. It returns the records that are gone, and
// the ids of the transactions that only their markers are gone of.
func (p *Partition) truncate(end int64) (lost, undecided []string) {
	if end >= p.End {
		return nil, nil
	}
	for _, t := range p.completed() {
		if t.first < end && t.marker >= end {
			undecided = append(undecided, t.id)
		}
	}
	touched := map[ProducerID]bool{}
	kept := p.Batches[:0:0]
	for _, x := range p.Batches {
		if x.Base < end {
			kept = append(kept, x)
			continue
		}
		if x.Producer != NoProducer {
			touched[x.Producer] = true
		}
		for _, r := range x.Records {
			lost = append(lost, r.String())
		}
	}
	p.Batches, p.End = kept, end
	p.Aborted = slices.DeleteFunc(p.Aborted, func(a AbortedTransaction) bool { return a.Last >= end })
	p.open = slices.DeleteFunc(p.open, func(t openTransaction) bool { return touched[t.producer] })
	for id := range touched {
		delete(p.producers, id)
		delete(p.verified, id)
	}
	for _, x := range p.Batches {
		if touched[x.Producer] {
			p.recover(x)
		}
	}
	slices.SortFunc(p.open, func(a, b openTransaction) int { return int(a.first - b.first) })
	return lost, undecided
}

// recover takes note of a batch that stands in the log, as a leader does that
// reads it.
func (p *Partition) recover(x *Batch) {
	s := p.producers[x.Producer]
	if s == nil {
		s = &producerState{epoch: x.Epoch, first: -1, coordinatorEpoch: -1}
		p.producers[x.Producer] = s
	}
	s.bump(x.Epoch)
	switch {
	case x.Control != Data:
		s.coordinatorEpoch, s.first = x.CoordinatorEpoch, -1
		p.complete(x.Producer)
		return
	case x.Sequence >= 0:
		s.remember(batchMeta{x.Sequence, x.lastSequence(), x.Base})
	}
	if x.Transactional && s.first < 0 {
		s.first = x.Base
		p.open = append(p.open, openTransaction{producer: x.Producer, first: x.Base, number: x.Transaction, step: x.Step})
	}
}

// resendMarkers sends the markers again that nobody took, or whose leader went
// before it acknowledged them: where one stands already the repeat costs an offset
// (K25).
func (b *Broker) resendMarkers(p *Partition) {
	if p.accepts(true) != None {
		return
	}
	again := p.refused
	p.refused = nil
	for _, m := range again {
		if m.coordinatorEpoch == b.epoch {
			b.deliverMarker(m)
		}
	}
}
