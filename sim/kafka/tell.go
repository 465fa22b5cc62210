package kafka

import (
	"slices"

	"streaminglab/sim"
)

// Tell writes a step.
type Tell func(at, rule string, body sim.Body, causes ...*sim.Step) *sim.Step

// A Client is who sends a request.
type Client struct {
	// Name is its client.id.
	Name string
	// Cause is the step that led to the request.
	Cause *sim.Step
}

// From says who sends the requests that follow.
func (b *Broker) From(c Client) { b.from = c }

func (b *Broker) tell(at, rule string, body sim.Body, causes ...*sim.Step) *sim.Step {
	if b.Tell == nil {
		return nil
	}
	return b.Tell(at, rule, body, causes...)
}

// unknown is the state of an id that the coordinator does not know.
const unknown = ""

// changed tells what became of a transaction.
func (b *Broker) changed(t *Transaction, before, why, rule string) {
	if b.Changed != nil {
		b.Changed(t)
	}
	if b.Tell == nil {
		return
	}
	body := sim.TransactionChanged{
		ID: t.ID, State: t.State.String(), Previous: before, Why: why, Producer: int64(t.Producer), Epoch: int64(t.Epoch), Timeout: t.Timeout,
		Start: t.Start,
	}
	cause := t.Step
	if why == sim.WhyRequest || why == sim.WhyFence {
		body.By, cause = b.from.Name, b.from.Cause
	}
	for _, p := range t.Partitions() {
		body.Partitions = append(body.Partitions, p.String())
	}
	if t.State != Empty {
		body.Transaction = t.Number
	}
	t.Step = b.tell("txn:"+t.ID, rule, body, cause)
}

// appended takes note of a batch and tells it, unless the client does.
func (b *Broker) appended(p *Partition, batch *Batch, id string) {
	b.wrote(p, batch.Producer)
	if b.Order != nil {
		batch.Order = b.Order()
	}
	batch.Time = b.Now()
	rule := "K-19"
	if batch.Transactional {
		batch.ID = id
		if t := b.transactions[id]; t != nil && t.Producer == batch.Producer && (t.State == Ongoing || t.State.preparing() && t.has(p.name)) {
			// Also one that is decided, when its marker does not stand here yet (K-16).
			batch.Transaction = t.Number
		} else if o, ok := p.openOf(batch.Producer); ok {
			batch.Transaction = o.number
		}
		if batch.Transaction > 0 {
			b.outcomes[batch.Transaction-1].Records += int64(len(batch.Records))
		}
	}
	var step *sim.Step
	if b.Tell != nil {
		body := sim.BatchAppended{By: b.from.Name, Log: b.Stands(p, batch)}
		for _, r := range batch.Records {
			body.Records = append(body.Records, r.String())
		}
		step = b.tell("topic:"+p.name, rule, body, causes(batch, b.from.Cause)...)
	}
	batch.Step = step
	for i := range p.open {
		if t := &p.open[i]; t.producer == batch.Producer && t.first == batch.Base {
			t.number, t.step = batch.Transaction, step
		}
	}
	for i := range batch.Records {
		if batch.Records[i].Step == nil {
			batch.Records[i].Step = step
		}
	}
}

// wrote notes when a producer last wrote to a partition.
func (b *Broker) wrote(p *Partition, id ProducerID) {
	if s := p.producers[id]; s != nil {
		s.updated = b.Now()
	}
	if b.Wrote != nil && id != NoProducer {
		b.Wrote()
	}
}

// causes are what led to the records of a batch.
func causes(b *Batch, request *sim.Step) (out []*sim.Step) {
	for _, r := range b.Records {
		if r.Step != nil && !slices.Contains(out, r.Step) {
			out = append(out, r.Step)
		}
	}
	if len(out) == 0 {
		return []*sim.Step{request}
	}
	return out
}

// Stands is where a batch stands, as a step says it.
func (b *Broker) Stands(p *Partition, batch *Batch) sim.Appended {
	return sim.Appended{
		Partition: p.name, Offset: batch.Base, Producer: int64(batch.Producer), Epoch: int64(batch.Epoch), Sequence: int64(batch.Sequence),
		TransactionalID: batch.ID, Transaction: batch.Transaction, LSO: p.LastStableOffset(), HW: p.HighWatermark(),
	}
}

// marked tells the marker that was written last on a partition.
func (b *Broker) marked(p *Partition, m marker, before int64, open openTransaction) *sim.Step {
	batch := p.Batches[len(p.Batches)-1]
	opened := open.first >= 0 && (open.number > 0 || open.step != nil)
	if m.of != nil && opened {
		// What hung here joins the transaction of the id that is decided.
		open.number = m.of.Number
	}
	batch.Transaction, batch.Time = open.number, b.Now()
	if m.of != nil {
		batch.ID = m.of.ID
	}
	b.wrote(p, batch.Producer)
	if b.Tell == nil {
		return nil
	}
	body := sim.MarkerWritten{
		Partition: p.name, Offset: batch.Base, Result: sim.ResultAbort, Producer: int64(batch.Producer), Epoch: int64(batch.Epoch),
		CoordinatorEpoch: int64(p.producers[batch.Producer].coordinatorEpoch), Transaction: open.number, First: -1,
		Previous: before, LSO: p.LastStableOffset(), HW: p.HighWatermark(),
	}
	if batch.Control == Commit {
		body.Result = sim.ResultCommit
	}
	if opened {
		body.First = open.first
	}
	cause := b.from.Cause
	if t := m.of; t != nil {
		body.TransactionalID, cause = t.ID, t.Step
	}
	batch.Step = b.tell("topic:"+p.name, "K-24", body, cause, m.late, open.step)
	return batch.Step
}

// coordinatorChanged tells where the coordinator and its marker sender are.
func (b *Broker) coordinatorChanged() {
	b.tell(CoordinatorName, "K-3", sim.CoordinatorChanged{Away: b.away, Held: b.held, Epoch: int64(b.epoch)}, b.from.Cause)
}

// CoordinatorName is the transaction coordinator as a place of steps.
const CoordinatorName = "coordinator"

// Await calls f once, when a transition ends or the coordinator comes back.
func (b *Broker) Await(f func()) { b.settled = append(b.settled, f) }

func (b *Broker) settle() {
	all := b.settled
	b.settled = nil
	for _, f := range all {
		f()
	}
}
