package kafka

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
)

// Replication says how the partitions of a topic are copied. What followers do is
// a model: no recording holds it.
type Replication struct {
	// Replicas is the number of copies, that of the leader included.
	Replicas int
	// MinInSync is min.insync.replicas.
	MinInSync int
	// FetchDelay is how long what is appended takes to a follower, in ms.
	FetchDelay int64
	// Unclean is unclean.leader.election.enable.
	Unclean bool
}

// DefaultFetchDelay is the time that a follower needs unless a topic says another,
// in ms.
const DefaultFetchDelay = 10

// DefaultReplicaLag is replica.lag.time.max.ms.
const DefaultReplicaLag = 30_000

// noLeader stands where no copy leads.
const noLeader = 0

// A replica is the copy of a partition on a broker. Its log is that of the leader
// up to its end.
type replica struct {
	// broker is the number of the broker.
	broker int
	// end is the end of its log, high the high watermark that it has heard of.
	end, high int64
	// fetching : a fetch is on its way; hearing : the answer to one that brings the
	// high watermark alone.
	fetching, hearing bool
	// caughtUp is when it last had everything; fetched is when it last asked, led
	// the end of the leader's log at that time.
	caughtUp, fetched, led int64
}

// replication is what the leader of a partition with more than one copy knows.
type replication struct {
	Replication
	at     TopicPartition
	copies []*replica
	// leader is the number of the broker that leads.
	leader int
	// inSync are the numbers of the brokers of the ISR, sorted.
	inSync []int
	// epoch is the leader epoch, began the end of the log when it began.
	epoch int
	began int64
	// starts are where the log ended when each epoch but the first began.
	starts []int64
	// high is the high watermark.
	high int64
	// unreplicated are completed transactions whose marker is at or above the high
	// watermark (K31).
	unreplicated []completedTransaction
	// unacknowledged are markers that the coordinator has sent and that are not
	// replicated, by offset; refused those that nobody has taken.
	unacknowledged []sentMarker
	refused        []marker
	// step is the one that told its last change.
	step *sim.Step
}

type completedTransaction struct {
	openTransaction
	marker int64
	id     string
}

type sentMarker struct {
	marker
	offset int64
}

// A node is a broker that holds copies.
type node struct {
	crashed, paused bool
	// slow is what it needs more for each fetch, in ms.
	slow int64
	step *sim.Step
}

// BrokerName is a broker as commands and steps name it.
func BrokerName(n int) string { return "broker-" + strconv.Itoa(n) }

// Replicate gives the partitions of a topic that is empty copies on broker-1 to
// broker-N; partition p is led by the one behind that of partition p-1.
func (b *Broker) Replicate(topic string, r Replication) {
	if r.Replicas < 2 {
		return
	}
	for n := 1; n <= r.Replicas; n++ {
		if b.nodes[n] == nil {
			b.nodes[n] = &node{}
		}
	}
	for part := range b.topics[topic] {
		at := TopicPartition{topic, part}
		x := &replication{Replication: r, at: at, epoch: 0}
		for j := range r.Replicas {
			n := (part+j)%r.Replicas + 1
			x.copies = append(x.copies, &replica{broker: n, caughtUp: b.Now(), fetched: b.Now()})
			x.inSync = append(x.inSync, n)
		}
		x.leader = x.copies[0].broker
		slices.Sort(x.inSync)
		p := b.Partition(at)
		p.replication = x
	}
}

// Brokers are the numbers of the brokers that hold copies.
func (b *Broker) Brokers() (out []int) {
	for n := range b.nodes {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// replicated are the partitions with more than one copy, in order.
func (b *Broker) replicated() (out []*Partition) {
	for _, p := range b.partitions {
		if p.replication != nil {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(x, y *Partition) int { return x.at.compare(y.at) })
	return out
}

func (x *replication) copy(broker int) *replica {
	for _, r := range x.copies {
		if r.broker == broker {
			return r
		}
	}
	return nil
}

// Offline reports whether nobody leads the partition.
func (p *Partition) Offline() bool { return p.replication != nil && p.leader == noLeader }

// minInSync is min.insync.replicas, and no more than there are copies.
func (x *replication) minInSync() int { return min(max(x.MinInSync, 1), len(x.copies)) }

// underMinInSync reports whether fewer copies are in sync than acks=all asks for.
func (p *Partition) underMinInSync() bool {
	return p.replication != nil && len(p.inSync) < p.minInSync()
}

// extend is what happens when the log of a partition has become longer: followers
// fetch it.
func (b *Broker) extend(p *Partition, from int64) {
	b.watchRetention(p)
	if p.replication == nil {
		return
	}
	for _, r := range p.copies {
		if r.broker != p.leader && !r.fetching && r.end == from && b.fetches(r) {
			// It was waiting for more.
			r.caughtUp, r.fetched, r.led = b.Now(), b.Now(), from
		}
	}
	b.replicate(p)
	b.watchLag(p)
}

// fetches reports whether the broker of a copy asks for more.
func (b *Broker) fetches(r *replica) bool {
	n := b.nodes[r.broker]
	return !n.crashed && !n.paused
}

// replicate lets every follower that lacks something ask for it, and moves the
// high watermark.
func (b *Broker) replicate(p *Partition) {
	for _, r := range p.copies {
		if r.broker == p.leader || p.leader == noLeader || !b.fetches(r) {
			continue
		}
		switch out := !slices.Contains(p.inSync, r.broker); {
		case !r.fetching && (r.end < p.End || out):
			b.fetch(p, r)
		case !r.fetching && !r.hearing && r.high < p.high:
			b.hear(p, r)
		}
	}
	b.advance(p)
}

// fetch is one fetch of a follower: it brings what the leader had when it was
// asked. How long it takes is the topic's delay and what its broker needs more.
func (b *Broker) fetch(p *Partition, r *replica) {
	now := b.Now()
	switch {
	case r.end >= p.End:
		r.caughtUp = now
	case r.end >= r.led:
		r.caughtUp = r.fetched
	}
	r.fetched, r.led, r.fetching = now, p.End, true
	epoch, end, high := p.epoch, p.End, p.high
	b.later(now+p.FetchDelay+b.nodes[r.broker].slow, func() {
		if p.epoch != epoch {
			return // its leader is gone, and with it the answer
		}
		r.fetching = false
		if !b.fetches(r) {
			return
		}
		r.end, r.high = end, max(r.high, min(high, end))
		b.join(p, r)
		b.replicate(p)
	})
}

// hear lets a follower that has everything know the high watermark.
func (b *Broker) hear(p *Partition, r *replica) {
	r.hearing = true
	epoch, high := p.epoch, p.high
	b.later(b.Now()+p.FetchDelay+b.nodes[r.broker].slow, func() {
		if p.epoch != epoch {
			return
		}
		if r.hearing = false; b.fetches(r) {
			r.high = max(r.high, min(high, r.end))
			b.replicate(p)
		}
	})
}

// join takes a follower into the ISR that has what the leader has shown to
// readers.
func (b *Broker) join(p *Partition, r *replica) {
	if slices.Contains(p.inSync, r.broker) || r.end < max(p.high, p.began) {
		return
	}
	before := slices.Clone(p.inSync)
	p.inSync = append(p.inSync, r.broker)
	slices.Sort(p.inSync)
	b.inSyncChanged(p, before, sim.WhyCaughtUp)
}

// advance moves the high watermark to what all copies in sync have. With fewer
// than min.insync.replicas it stays where it is.
func (b *Broker) advance(p *Partition) {
	if p.leader == noLeader || p.underMinInSync() {
		return
	}
	to := p.End
	for _, r := range p.copies {
		if r.broker != p.leader && slices.Contains(p.inSync, r.broker) {
			to = min(to, r.end)
		}
	}
	if to <= p.high {
		return
	}
	before, stable := p.high, p.LastStableOffset()
	p.high = to
	p.copy(p.leader).high = to
	p.unreplicated = slices.DeleteFunc(p.unreplicated, func(t completedTransaction) bool { return t.marker < to })
	if b.Tell != nil && (p.LastStableOffset() != stable || p.hasData(before, to)) {
		b.tell("topic:"+p.name, "K-31", sim.HighWatermarkAdvanced{
			Partition: p.name, HW: to, Previous: before, LSO: p.LastStableOffset(), Stable: stable,
		}, p.lastStep(to), p.step)
	}
	var done []sentMarker
	p.unacknowledged = slices.DeleteFunc(p.unacknowledged, func(m sentMarker) bool {
		if m.offset < to {
			done = append(done, m)
		}
		return m.offset < to
	})
	b.replicate(p) // followers are to hear of it
	for _, m := range done {
		b.acknowledged(m.marker)
	}
	b.settle()
}

// hasData reports whether a record lies in [from, to).
func (p *Partition) hasData(from, to int64) bool {
	return slices.ContainsFunc(p.Batches, func(x *Batch) bool { return x.Control == Data && x.Base < to && x.Last() >= from })
}

// raise lets followers begin where the log begins.
func (p *Partition) raise() {
	if p.replication == nil {
		return
	}
	for _, r := range p.copies {
		r.end = max(r.end, p.Start)
	}
}

// LeaderStep is the step that told the last change of the leader or the ISR.
func (p *Partition) LeaderStep() *sim.Step {
	if p.replication == nil {
		return nil
	}
	return p.replication.step
}

// LeaderEpoch is the present one.
func (p *Partition) LeaderEpoch() int { return p.leaderEpoch() }

// Diverges is the first offset that a reader may have read in a leader epoch and
// that is not of that epoch any more (OffsetsForLeaderEpoch); not ok: the log has
// kept what it was.
func (p *Partition) Diverges(epoch int) (at int64, ok bool) {
	if p.replication == nil {
		return 0, false
	}
	for _, start := range p.starts[min(epoch, len(p.starts)):] {
		if !ok || start < at {
			at, ok = start, true
		}
	}
	return at, ok
}

// lastStep is the step that led to the last batch below an offset.
func (p *Partition) lastStep(below int64) *sim.Step {
	for _, x := range slices.Backward(p.Batches) {
		if x.Base < below {
			return x.Step
		}
	}
	return nil
}

func (b *Broker) inSyncChanged(p *Partition, before []int, why string, causes ...*sim.Step) {
	if step := b.tell("topic:"+p.name, ReplicationRule, sim.InSyncChanged{
		Partition: p.name, InSync: names(p.inSync), Previous: names(before), MinInSync: int64(p.minInSync()), Why: why,
	}, append(causes, p.step)...); step != nil {
		p.step = step
	}
	b.resendMarkers(p)
	b.settle()
}

// ReplicationRule is the rule of the ledger that says what the model of followers
// is.
const ReplicationRule = "LAB-15"

func names(brokers []int) (out []string) {
	for _, n := range brokers {
		out = append(out, BrokerName(n))
	}
	return out
}

// watchLag says when a follower that lacks something may fall out of the ISR.
func (b *Broker) watchLag(p *Partition) {
	if at, ok := b.lagOf(p); ok && b.Lagging != nil {
		b.Lagging(at)
	}
}

// lagOf is when the first follower in sync will have lacked something for longer
// than replica.lag.time.max.ms.
func (b *Broker) lagOf(p *Partition) (at int64, ok bool) {
	if p.leader == noLeader {
		return 0, false
	}
	for _, r := range p.copies {
		if r.broker == p.leader || r.end >= p.End || !slices.Contains(p.inSync, r.broker) {
			continue
		}
		if due := r.caughtUp + b.Config.ReplicaLag + 1; !ok || due < at {
			at, ok = due, true
		}
	}
	return at, ok
}

// LagDue is when the next follower may fall out of an ISR.
func (b *Broker) LagDue() (at int64, ok bool) {
	for _, p := range b.replicated() {
		if due, some := b.lagOf(p); some && (!ok || due < at) {
			at, ok = due, true
		}
	}
	return at, ok
}

// ShrinkInSync is the periodic job of leaders that takes followers out of the ISR
// which have lacked something for longer than replica.lag.time.max.ms.
func (b *Broker) ShrinkInSync() {
	for _, p := range b.replicated() {
		if p.leader == noLeader {
			continue
		}
		before := slices.Clone(p.inSync)
		var step *sim.Step
		p.inSync = slices.DeleteFunc(p.inSync, func(n int) bool {
			r := p.copy(n)
			out := n != p.leader && r.end < p.End && r.caughtUp+b.Config.ReplicaLag < b.Now()
			if out {
				step = b.nodes[n].step
			}
			return out
		})
		if len(p.inSync) < len(before) {
			b.inSyncChanged(p, before, sim.WhyLag, step)
			b.advance(p)
		}
	}
}

// A Copy is what one broker has of a partition.
type Copy struct {
	Broker string
	// End is the end of its log.
	End             int64
	Leader, InSync  bool
	Crashed, Paused bool
}

// Copies are those of a partition, that of its first leader first; nil: there is
// only one.
func (b *Broker) Copies(at TopicPartition) (out []Copy) {
	p := b.Partition(at)
	if p.replication == nil {
		return nil
	}
	for _, r := range p.copies {
		c := Copy{Broker: BrokerName(r.broker), End: r.end, Leader: r.broker == p.leader, InSync: slices.Contains(p.inSync, r.broker)}
		c.Crashed, c.Paused = b.nodes[r.broker].crashed, b.nodes[r.broker].paused
		if c.Leader {
			c.End = p.End
		}
		out = append(out, c)
	}
	return out
}

// ParseBroker is the number in the name of a broker.
func ParseBroker(name string) (int, error) {
	rest, ok := strings.CutPrefix(name, "broker-")
	n, err := strconv.Atoi(rest)
	if !ok || err != nil || n < 1 {
		return 0, fmt.Errorf("kafka: %q is no broker", name)
	}
	return n, nil
}
