package world

import (
	"errors"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// A producer is one that a command made.
type producer struct {
	// at is where its steps happen.
	at     string
	client *kafka.ProducerClient
	// call is the last one.
	call *call
}

// ProducerOptions are what a producer is made with.
type ProducerOptions struct {
	// ID is transactional.id, empty: it is idempotent only.
	ID string
	// Timeout is transaction.timeout.ms; 0: the default.
	Timeout int64
	// Plain : enable.idempotence is false. Lingers : records wait in the buffer
	// until flush or commit (a long linger.ms).
	Plain, Lingers bool
}

// NewProducer makes a producer. Nothing is sent. A name is free again once its
// producer was closed or killed.
func (w *World) NewProducer(text Command, name string, o ProducerOptions) error {
	if err := w.name(name); err != nil {
		return err
	}
	if w.clients.producers[name] != nil {
		return sim.NewProblem("world.producer-exists", "Name", name)
	}
	if len(w.clients.producers) >= maxClients {
		return sim.NewProblem("job.too-many", "Max", maxClients)
	}
	if o.Plain && o.ID != "" {
		return sim.NewProblem("world.plain-transactional", "Name", name)
	}
	if o.Timeout == 0 {
		o.Timeout = kafka.DefaultTransactionTimeout
	}
	step := w.kernel.Command(string(text))
	p := &producer{at: "producer:" + name}
	p.client = w.broker.NewProducer(o.ID, o.Timeout)
	p.client.Name, p.client.Waits, p.client.Lingers, p.client.Plain = p.at, true, o.Lingers, o.Plain
	if w.clients.producers == nil {
		w.clients.producers = map[string]*producer{}
	}
	w.clients.producers[name] = p
	w.told(p, "new", "", nil, step)
	return w.settle()
}

// producer finds one that is not closed.
func (w *World) producer(name string) (*producer, error) {
	if p := w.clients.producers[name]; p != nil {
		return p, nil
	}
	known := w.ProducerNames()
	return nil, sim.NewProblem("world.unknown-producer", "Name", name, "Known", strings.Join(known, ", "), "Nearest", Nearest(name, known))
}

// idle finds a producer that no call keeps waiting.
func (w *World) idleProducer(name string) (*producer, error) {
	p, err := w.producer(name)
	if err == nil && p.call.pending() {
		// A call blocks the thread of the application: it can make no other one.
		return nil, busy(name, p.call.waits)
	}
	return p, err
}

// busy is the problem of a client whose call has not ended.
func busy(name string, waits *kafka.PendingError) error {
	switch waits.Err {
	case kafka.None:
		return sim.NewProblem("world.call-lost", "Name", name, "API", waits.API, "Again", waits.Again)
	case kafka.NotCoordinator:
		return sim.NewProblem("world.call-away", "Name", name, "API", waits.API)
	}
	return sim.NewProblem("world.call-pending", "Name", name, "API", waits.API, "ID", waits.ID, "State", waits.State.String(), "Error", waits.Err.String())
}

// Calls of a producer that take no arguments, by the words of the script.
var producerCalls = map[string]struct {
	// call is its name in Java.
	call string
	do   func(*kafka.ProducerClient) error
	// transactional : only a producer with a transactional.id has it.
	transactional bool
}{
	"init":   {"initTransactions", (*kafka.ProducerClient).InitTransactions, true},
	"begin":  {"beginTransaction", (*kafka.ProducerClient).BeginTransaction, true},
	"commit": {"commitTransaction", (*kafka.ProducerClient).CommitTransaction, true},
	"abort":  {"abortTransaction", (*kafka.ProducerClient).AbortTransaction, true},
	"flush":  {"flush", (*kafka.ProducerClient).Flush, false},
}

// ProducerCall makes a call of a producer that takes no arguments: init, begin,
// commit, abort or flush.
func (w *World) ProducerCall(text Command, name, word string) error {
	p, err := w.idleProducer(name)
	if err != nil {
		return err
	}
	c := producerCalls[word]
	do := func() error { return c.do(p.client) }
	if c.transactional && p.client.ID == "" {
		do = p.notTransactional
	}
	return w.calls(text, p, c.call, do, nil)
}

// notTransactional is what the transactional calls of another producer throw.
func (p *producer) notTransactional() error {
	e := &kafka.Exception{Class: "IllegalStateException", Message: "Transactional method invoked on a non-transactional producer."}
	if p.client.Plain {
		e.Message = "Cannot use transactional methods without enabling transactions by setting the transactional.id configuration property"
	}
	return e
}

// calls makes a call of a producer, which may go on behind the command.
func (w *World) calls(text Command, p *producer, name string, do, again func() error) error {
	step := w.kernel.Command(string(text))
	p.client.Cause = step
	before := p.client.State
	p.call = &call{world: w, do: do, again: again, done: func(err error) { w.told(p, name, before, err, step) }}
	p.call.begin()
	return w.settle()
}

// callRules are the rules of calls; those of others speak of states alone.
var callRules = map[string]string{
	"initTransactions": "K-8", "beginTransaction": "K-13", "send": "K-17", "sendOffsetsToTransaction": "K-39",
	"commitTransaction": "K-5", "abortTransaction": "K-5", "flush": "K-17", "close": "K-21", "kill": "K-27", "fenceProducers": "K-42",
}

// told tells what a call made of a producer.
func (w *World) told(p *producer, name string, before kafka.ProducerState, err error, cause *sim.Step) {
	body := sim.ClientChanged{
		Call: name, ID: p.client.ID, State: string(p.client.State), Previous: string(before), Producer: int64(p.client.Producer), Epoch: int64(p.client.Epoch),
	}
	if p.client.Plain {
		body.State, body.Previous = "", ""
	}
	rule := callRules[name]
	var e *kafka.Exception
	if errors.As(err, &e) {
		body.Exception, body.Cause, body.Message = e.Class, e.Cause, e.Message
		if e.Err != kafka.None {
			body.Error, rule = e.Err.String(), "K-16"
		} else if name == "send" {
			rule = "K-13" // it has not begun a transaction
		}
	}
	if rule == "" {
		rule = "LAB-1"
	}
	w.kernel.Emit(p.at, rule, body, cause)
}

// Send lets a producer send values to a partition as one batch.
func (w *World) Send(text Command, name string, t TopicTarget, records []kafka.Record) error {
	p, err := w.idleProducer(name)
	if err != nil {
		return err
	}
	at, err := w.partition(t)
	if err != nil {
		return err
	}
	if err := w.roomForRecords(len(records)); err != nil {
		return err
	}
	w.stamped(records)
	return w.calls(text, p, "send", func() error { return p.client.Send(at, records) }, p.client.Flush)
}

// stamped gives records the time of the producer.
func (w *World) stamped(records []kafka.Record) {
	for i := range records {
		records[i].Timestamp = w.kernel.Now()
	}
}

// roomForRecords refuses records that the bound does not allow.
func (w *World) roomForRecords(n int) error {
	have := 0
	for _, at := range w.broker.TopicPartitions("") {
		have += int(w.broker.Partition(at).End)
	}
	if bound := w.config.Bounds.Records; bound > 0 && have+n > bound {
		return sim.NewProblem("world.bound", "Bound", "records", "Limit", int64(bound))
	}
	return nil
}

// A PartitionOffset is an offset of a partition.
type PartitionOffset struct {
	Target TopicTarget
	Offset int64
}

// SendOffsets is sendOffsetsToTransaction.
func (w *World) SendOffsets(text Command, name, group string, offsets []PartitionOffset) error {
	p, err := w.idleProducer(name)
	if err != nil {
		return err
	}
	all := map[kafka.TopicPartition]int64{}
	for _, o := range offsets {
		at, err := w.partition(o.Target)
		if err != nil {
			return err
		}
		all[at] = o.Offset
	}
	do := func() error { return p.client.SendOffsetsToTransaction(group, all) }
	if p.client.ID == "" {
		do = p.notTransactional
	}
	return w.calls(text, p, "sendOffsetsToTransaction", do, nil)
}

// CloseProducer ends a producer: close() aborts an open transaction first; with
// kill nothing is sent, and the transaction stays open.
func (w *World) CloseProducer(text Command, name string, kill bool) error {
	p, err := w.producer(name)
	if err != nil {
		return err
	}
	if kill {
		step := w.kernel.Command(string(text))
		p.call.drop()
		delete(w.clients.producers, name)
		w.told(p, "kill", p.client.State, nil, step)
		return w.settle()
	}
	if p, err = w.idleProducer(name); err != nil {
		return err
	}
	do := func() error { return nil }
	if s := p.client.State; s == kafka.InTransaction || s == kafka.AbortableError {
		do = p.client.AbortTransaction
	}
	step := w.kernel.Command(string(text))
	p.client.Cause = step
	before := p.client.State
	p.call = &call{world: w, do: do, done: func(error) {
		// What the abort threw nobody hears.
		delete(w.clients.producers, name)
		w.told(p, "close", before, nil, step)
	}}
	p.call.begin()
	return w.settle()
}

// LateProduce lets a request of a producer reach the broker that was under way
// until now, with the producer id and epoch that it had when it last wrote the
// partition.
func (w *World) LateProduce(text Command, name string, t TopicTarget, sequence int32, records []kafka.Record) error {
	p, err := w.producer(name)
	if err != nil {
		return err
	}
	at, err := w.partition(t)
	if err != nil {
		return err
	}
	if p.client.Producer == kafka.NoProducer {
		return sim.NewProblem("world.no-producer-id", "Name", name)
	}
	if err := w.roomForRecords(len(records)); err != nil {
		return err
	}
	w.stamped(records)
	cause := p.client.Cause
	p.client.Cause = w.kernel.Command(string(text))
	p.client.Late(at, sequence, records)
	p.client.Cause = cause
	return w.settle()
}
