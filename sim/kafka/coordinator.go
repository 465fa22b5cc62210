package kafka

import (
	"maps"
	"slices"

	"streaminglab/sim"
)

// coordinator is the transaction coordinator.
type coordinator struct {
	transactions map[string]*Transaction
	// epoch is the coordinator epoch.
	epoch int
	// markers are the decided transactions whose markers are to be written, in
	// order.
	markers []*Transaction
	// held : the marker sender takes nothing from its queue. away : nobody is the
	// coordinator.
	held, away bool
	// stuck are markers on their way that wait without an end.
	stuck []marker
}

// Transactions are the transactional ids that the coordinator knows, by name.
func (b *Broker) Transactions() (out []*Transaction) {
	for _, id := range slices.Sorted(maps.Keys(b.transactions)) {
		out = append(out, b.transactions[id])
	}
	return out
}

// Transaction is what the coordinator knows of an id, or nil.
func (b *Broker) Transaction(id string) *Transaction { return b.transactions[id] }

// InitProducerID is the request of that name. Producer and Epoch are those of a
// client that recovers, NoProducer and NoEpoch else.
type InitProducerID struct {
	ID       string
	Timeout  int64
	Producer ProducerID
	Epoch    int16
	Version  int
}

// InitProducerID gives a producer its id and epoch (K6 to K11).
func (b *Broker) InitProducerID(r InitProducerID) (ProducerID, int16, Error) {
	if r.ID == "" {
		return b.newProducerID(), 0, None
	}
	if b.away {
		return NoProducer, NoEpoch, NotCoordinator
	}
	if err := b.mayUse(r.ID); err != None {
		return NoProducer, NoEpoch, err
	}
	if r.Timeout <= 0 || r.Timeout > b.Config.MaxTransactionTimeout {
		return NoProducer, NoEpoch, InvalidTransactionTimeout
	}
	t := b.transactions[r.ID]
	if t == nil {
		t = &Transaction{ID: r.ID, Previous: NoProducer, Next: NoProducer}
		b.transactions[r.ID] = t
		t.reset(b.Now(), r.Timeout, b.newProducerID(), 0, NoEpoch)
		t.Previous = NoProducer
		b.changed(t, unknown, sim.WhyRequest, "K-8")
		return t.Producer, t.Epoch, None
	}
	producer, epoch, err := b.initKnown(t, r)
	return producer, epoch, named(err, r.Version, initFenced)
}

func (b *Broker) initKnown(t *Transaction, r InitProducerID) (ProducerID, int16, Error) {
	fail := func(err Error) (ProducerID, int16, Error) { return NoProducer, NoEpoch, err }
	expects := r.Producer != NoProducer
	switch {
	case t.State.preparing():
		return fail(ConcurrentTransactions)
	case expects && r.Producer != t.Producer && !(r.Producer == t.Previous && r.Epoch >= lastEpoch):
		return fail(ProducerFenced)
	case t.State == Ongoing:
		b.fence(t, sim.WhyFence, "K-9")
		return fail(ConcurrentTransactions)
	}
	now, before := b.Now(), t.State
	switch {
	case t.exhausted() && (!expects || r.Epoch == t.Epoch):
		last := NoEpoch
		if expects {
			last = t.Epoch
		}
		t.reset(now, r.Timeout, b.newProducerID(), 0, last)
	case t.exhausted():
		// A defect of the broker, as it is: the epoch cannot be raised.
		return fail(UnknownServerError)
	case !expects:
		t.reset(now, r.Timeout, t.Producer, t.Epoch+1, NoEpoch)
	case r.Epoch == t.Epoch:
		t.reset(now, r.Timeout, t.Producer, t.Epoch+1, t.Epoch)
	case r.Epoch == t.LastEpoch:
		t.reset(now, r.Timeout, t.Producer, t.Epoch, t.LastEpoch)
	default:
		return fail(ProducerFenced)
	}
	b.changed(t, before.String(), sim.WhyRequest, "K-8")
	return t.Producer, t.Epoch, None
}

// fence ends an open transaction that its owner lost: the epoch moves on once,
// and with transaction.version 2 the owner's is remembered (K9, K29).
func (b *Broker) fence(t *Transaction, why, rule string) {
	b.decide(t, PrepareAbort, true, NoProducer, why, rule)
	if b.Config.TransactionVersion < 2 {
		t.LastEpoch = NoEpoch
	}
	b.send(t)
}

// AddPartitions is AddPartitionsToTxn.
type AddPartitions struct {
	ID         string
	Producer   ProducerID
	Epoch      int16
	Partitions []TopicPartition
	Version    int
}

// AddPartitionsToTxn puts partitions into the transaction (K13).
func (b *Broker) AddPartitionsToTxn(r AddPartitions) Error {
	if err := b.mayUse(r.ID); err != None {
		return err
	}
	for _, at := range r.Partitions {
		if err := b.mayWrite(at.Topic); err != None {
			return err
		}
	}
	return named(b.add(r.ID, r.Producer, r.Epoch, r.Partitions...), r.Version, addFenced)
}

func (b *Broker) add(id string, producer ProducerID, epoch int16, partitions ...TopicPartition) Error {
	t := b.transactions[id]
	switch {
	case b.away:
		return NotCoordinator
	case t == nil || t.Producer != producer:
		return InvalidProducerIDMapping
	case t.State.preparing():
		return ConcurrentTransactions
	case t.Epoch != epoch:
		return ProducerFenced
	}
	before := t.State
	if before != Ongoing {
		b.outcomes = append(b.outcomes, Outcome{})
		t.Number = int64(len(b.outcomes))
	}
	if t.add(b.Now(), partitions...) {
		b.changed(t, before.String(), sim.WhyRequest, "K-13")
	}
	return None
}

// verify asks whether a partition is in the transaction, for its leader (K14).
func (b *Broker) verify(id string, producer ProducerID, epoch int16, at TopicPartition) Error {
	t := b.transactions[id]
	switch {
	case t == nil || t.Producer != producer:
		return InvalidProducerIDMapping
	case t.Epoch != epoch:
		return ProducerFenced
	case t.State.preparing():
		return ConcurrentTransactions
	case t.State != Ongoing || !t.partitions[at]:
		return TransactionAbortable
	}
	return None
}

// EndTxn is the request of that name.
type EndTxn struct {
	ID       string
	Producer ProducerID
	Epoch    int16
	Commit   bool
	Version  int
}

// EndTxn commits or aborts (K21 to K23). From version 5 on the answer has the
// producer id and epoch with which the producer goes on.
func (b *Broker) EndTxn(r EndTxn) (ProducerID, int16, Error) {
	if b.away {
		return NoProducer, NoEpoch, NotCoordinator
	}
	if err := b.mayUse(r.ID); err != None {
		return NoProducer, NoEpoch, err
	}
	t := b.transactions[r.ID]
	if t == nil {
		return NoProducer, NoEpoch, InvalidProducerIDMapping
	}
	if r.Version < endBumps {
		return NoProducer, NoEpoch, named(b.end(t, r), r.Version, endFenced)
	}
	if err := b.endAndBump(t, r); err != None {
		return NoProducer, NoEpoch, err
	}
	if t.Next != NoProducer {
		return t.Next, 0, None
	}
	return t.Producer, t.Epoch, None
}

// decision is the state that an EndTxn asks for, done the one behind it.
func decision(commit bool) (decided, done State) {
	if commit {
		return PrepareCommit, CompleteCommit
	}
	return PrepareAbort, CompleteAbort
}

// end is EndTxn up to version 4.
func (b *Broker) end(t *Transaction, r EndTxn) Error {
	decided, done := decision(r.Commit)
	switch {
	case t.Producer != r.Producer:
		return InvalidProducerIDMapping
	case t.Epoch != r.Epoch:
		return ProducerFenced
	case t.State.preparing():
		return ConcurrentTransactions
	case t.State == done:
		return None
	case t.State != Ongoing:
		return InvalidTxnState
	}
	b.decide(t, decided, false, NoProducer, sim.WhyRequest, "K-21")
	b.send(t)
	return None
}

// endAndBump is EndTxn from version 5 on.
func (b *Broker) endAndBump(t *Transaction, r EndTxn) Error {
	decided, done := decision(r.Commit)
	if t.State.preparing() {
		return ConcurrentTransactions
	}
	ended := t.State == CompleteCommit || t.State == CompleteAbort
	// rolled : the answer with another producer id was lost.
	rolled := ended && t.Previous == r.Producer && r.Epoch == lastEpoch && t.Epoch == 0
	retry := rolled || ended && t.Epoch == r.Epoch+1 && t.Producer == r.Producer
	switch {
	case t.Producer != r.Producer && !rolled:
		return InvalidProducerIDMapping
	case t.Epoch != r.Epoch && !retry:
		return ProducerFenced
	case t.State == Ongoing:
	case retry && t.State == done:
		return None
	case retry || r.Commit:
		return InvalidTxnState
	}
	next := NoProducer
	if t.exhausted() {
		next = b.newProducerID()
	}
	b.decide(t, decided, true, next, sim.WhyRequest, "K-22")
	b.send(t)
	return None
}

// send queues the markers of a decided transaction.
func (b *Broker) send(t *Transaction) {
	if len(t.partitions) == 0 {
		b.complete(t)
		return
	}
	b.markers = append(b.markers, t)
	b.drain()
}

// decide makes the decision about a transaction, which no one can take back
// (K3).
func (b *Broker) decide(t *Transaction, to State, bump bool, next ProducerID, why, rule string) {
	before := t.State
	t.decide(b.Now(), to, bump, next)
	if before == Ongoing {
		o := &b.outcomes[t.Number-1]
		if o.Decided = sim.ResultAbort; to == PrepareCommit {
			o.Decided = sim.ResultCommit
		}
	}
	b.changed(t, before.String(), why, rule)
}

// complete ends a transaction whose markers are written.
func (b *Broker) complete(t *Transaction) {
	before := t.State
	t.complete(b.Now())
	b.changed(t, before.String(), sim.WhyMarkers, "K-5")
	b.settle()
}

// drain writes the markers that are queued, while somebody is the coordinator.
func (b *Broker) drain() {
	for !b.held && !b.away && len(b.markers) > 0 {
		t := b.markers[0]
		b.markers = b.markers[1:]
		b.mark(t)
	}
}

// WriteMarker is WriteTxnMarkers for one partition.
func (b *Broker) WriteMarker(at TopicPartition, producer ProducerID, epoch int16, result Control, coordinatorEpoch int) Error {
	return b.writeMarker(marker{at: at, producer: producer, epoch: epoch, result: result, coordinatorEpoch: coordinatorEpoch})
}

// writeMarker writes a marker into the log of its partition.
func (b *Broker) writeMarker(m marker) Error {
	p := b.Partition(m.at)
	if err := p.accepts(true); err != None {
		return err
	}
	before := p.LastStableOffset()
	open, _ := p.openOf(m.producer)
	err := p.Mark(m.producer, m.epoch, m.result, m.coordinatorEpoch)
	if err != None {
		return err
	}
	step := b.marked(p, m, before, open)
	if m.at.Topic == OffsetsTopic {
		b.endOffsets(m.producer, m.result, step)
	}
	return None
}

// CoordinatorEpoch is the present one.
func (b *Broker) CoordinatorEpoch() int { return b.epoch }

// HoldMarkers stops the marker sender before it takes anything from its queue;
// ReleaseMarkers lets it go on.
func (b *Broker) HoldMarkers() {
	b.held = true
	b.coordinatorChanged()
}

// MarkersHeld reports whether it is stopped.
func (b *Broker) MarkersHeld() bool { return b.held }

// ReleaseMarkers ends HoldMarkers.
func (b *Broker) ReleaseMarkers() {
	b.held = false
	b.coordinatorChanged()
	b.releaseStuck()
	b.drain()
}

// AbortTimedOut is the periodic job that looks for transactions whose time is
// over (K28).
func (b *Broker) AbortTimedOut() {
	if b.away {
		return
	}
	for _, t := range b.Transactions() {
		if t.State == Ongoing && t.Start+t.Timeout < b.Now() {
			b.from = Client{Cause: t.Step}
			b.fence(t, sim.WhyTimeout, "K-28")
		}
	}
}

// RemoveExpired is the periodic job that forgets ids (K30).
func (b *Broker) RemoveExpired() {
	if b.away {
		return
	}
	for _, t := range b.Transactions() {
		if t.Idle() && t.Updated <= b.Now()-b.Config.TransactionalIDExpiration {
			delete(b.transactions, t.ID)
			b.tell("txn:"+t.ID, "K-30", sim.TransactionalIDForgotten{ID: t.ID, Updated: t.Updated}, t.Step)
		}
	}
}

// CoordinatorAway makes every request to the coordinator answer NOT_COORDINATOR
// until CoordinatorBack.
func (b *Broker) CoordinatorAway() {
	b.away = true
	b.coordinatorChanged()
}

// CoordinatorIsAway reports whether it is.
func (b *Broker) CoordinatorIsAway() bool { return b.away }

// CoordinatorBack ends CoordinatorAway: who takes over has read the log.
func (b *Broker) CoordinatorBack() {
	b.away = false
	b.MoveCoordinator()
	b.settle()
}

// MoveCoordinator lets another broker take over: it knows what the log of the
// coordinator holds, and sends the markers of decided transactions again.
func (b *Broker) MoveCoordinator() {
	b.epoch++
	b.markers, b.stuck = nil, nil
	b.coordinatorChanged()
	for _, t := range b.Transactions() {
		t.LastEpoch = NoEpoch
		if t.State.preparing() {
			if t.logged != nil {
				t.partitions = maps.Clone(t.logged)
			}
			b.markers = append(b.markers, t)
		}
	}
	b.drain()
}
