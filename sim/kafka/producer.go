package kafka

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"streaminglab/sim"
)

// A ProducerState is the state of a producer's transaction manager.
type ProducerState string

// The states, as the Java client names them.
const (
	Uninitialized  ProducerState = "UNINITIALIZED"
	Ready          ProducerState = "READY"
	InTransaction  ProducerState = "IN_TRANSACTION"
	AbortableError ProducerState = "ABORTABLE_ERROR"
	FatalError     ProducerState = "FATAL_ERROR"
)

// An Exception is what a call of a client throws.
type Exception struct {
	// Class is the name of the exception, without its package. Cause is the
	// Kafka exception inside, empty: it is none.
	Class, Cause string
	// Err is the code behind it, None: there is none.
	Err Error
	// Message is set where the class alone says nothing.
	Message string
}

// Error implements error.
func (e *Exception) Error() string {
	if e.Message != "" {
		return e.Class + ": " + e.Message
	}
	return fmt.Sprintf("%s (%s)", e.Class, e.Err)
}

// A PendingError says that a call has not ended: it waits for a transition to
// end, for the coordinator, or for an answer that was lost. It is to be made
// again, and then goes on where it was.
type PendingError struct {
	// API is the request that is repeated, Err the answer to it; None: it was lost.
	API string
	Err Error
	// ID and State are the transaction that it waits for.
	ID    string
	State State
	// Again is when to make the call again, in ms; before that when Broker.Await
	// says so.
	Again int64
}

// Error implements error.
func (e *PendingError) Error() string {
	return fmt.Sprintf("kafka: %s of %s waits in %s", e.API, e.ID, e.State)
}

var exceptionClasses = map[Error]string{
	OutOfOrderSequenceNumber: "OutOfOrderSequenceException",
	InvalidProducerEpoch:     "InvalidProducerEpochException",
	InvalidTxnState:          "InvalidTxnStateException",
	InvalidProducerIDMapping: "InvalidPidMappingException",
	ProducerFenced:           "ProducerFencedException",
	TransactionAbortable:     "TransactionAbortableException",

	TopicAuthorizationFailed:           "TopicAuthorizationException",
	GroupAuthorizationFailed:           "GroupAuthorizationException",
	TransactionalIDAuthorizationFailed: "TransactionalIdAuthorizationException",
}

func illegalState() *Exception { return &Exception{Class: "IllegalStateException"} }

func exceptionOf(err Error) *Exception {
	if class := exceptionClasses[err]; class != "" {
		return &Exception{Class: class, Err: err}
	}
	return &Exception{Class: "KafkaException", Err: err}
}

// A ProducerClient is one instance of a Java producer: idempotent, or with a
// transactional id. It speaks the versions that the cluster's
// transaction.version lets it. Answers that are retriable it repeats by itself.
type ProducerClient struct {
	// ID is the transactional id, empty: it is idempotent only.
	ID string
	// Timeout is transaction.timeout.ms.
	Timeout  int64
	State    ProducerState
	Producer ProducerID
	Epoch    int16
	// Number is that of the transaction at the broker, 0: nothing of it has come
	// there.
	Number int64

	// Lingers : records stay in the buffer until Flush (linger.ms without end).
	Lingers bool
	// Name is its client.id, Cause the step that led to the present call.
	Name  string
	Cause *sim.Step
	// Waits : time passes between two tries of a request, so that a call may be
	// pending; else a request that is answered so again and again is given up.
	Waits bool

	// Acks is the option of that name.
	Acks Acks
	// Plain : enable.idempotence is false, so that its batches carry no producer id
	// and the broker knows none of them again.
	Plain bool

	broker *Broker
	// waiting is the wait of the present call.
	waiting wait
	// sent are batches that have no answer yet; told : that a call waits for it was
	// told.
	sent []sentBatch
	told bool
	// unsent are batches that wait to be sent again, by partition.
	unsent map[TopicPartition][]*unsentBatch
	// speaks is the transaction.version of the present transaction, which ends with
	// the one that it began with. deaf : the producer was resumed, and does not hear
	// of the broker's before its first transaction has ended.
	speaks int
	deaf   bool
	// bumps : the transaction has ended, and the epoch is to move on before the
	// producer speaks the next version.
	bumps bool
	// sequences are the next ones, by partition.
	sequences map[TopicPartition]int32
	// sender is with which producer id and epoch it last sent to a partition.
	sender map[TopicPartition]sender
	// handed : records were handed over for the transaction. added are the partitions
	// that it has added to it; started says that the broker may know of it.
	handed  bool
	added   map[TopicPartition]bool
	started bool
	// buffered are records that were handed over outside a transaction: they leave
	// with the next one.
	buffered map[TopicPartition][]Record
	// failed is what ended the transaction, or the producer; thrown says that a
	// call has thrown it.
	failed *Exception
}

// DefaultTransactionTimeout is transaction.timeout.ms of a plain producer, in ms
// (K27).
const DefaultTransactionTimeout = 60_000

// NewProducer returns a producer of a broker.
func (b *Broker) NewProducer(id string, timeout int64) *ProducerClient {
	return &ProducerClient{
		ID: id, Timeout: timeout, State: Uninitialized, Producer: NoProducer, Epoch: NoEpoch, broker: b,
		sequences: map[TopicPartition]int32{}, added: map[TopicPartition]bool{}, buffered: map[TopicPartition][]Record{},
		unsent: map[TopicPartition][]*unsentBatch{}, sender: map[TopicPartition]sender{},
	}
}

// A sender is whom a batch names.
type sender struct {
	producer ProducerID
	epoch    int16
	// version is that of its Produce.
	version int
}

// unsentBatch is a batch with its first sequence.
type unsentBatch struct {
	records  []Record
	sequence int32
	waiting  wait
	// first is when it was first appended, -1: it was not.
	first int64
}

// drop forgets everything that was not sent.
func (p *ProducerClient) drop() {
	clear(p.buffered)
	clear(p.unsent)
	p.sent, p.told = nil, false
}

func (p *ProducerClient) second() bool { return p.speaks >= 2 }

// ProduceVersion is the version of Produce that the producer speaks.
func (p *ProducerClient) ProduceVersion() int {
	if p.second() {
		return produceAdds
	}
	return produceAbortable
}

// Resume makes the client the owner of a transaction that another instance left
// open, as connectors do by reflection: nothing is sent.
func (p *ProducerClient) Resume(id string, producer ProducerID, epoch int16) {
	p.ID, p.Producer, p.Epoch = id, producer, epoch
	p.State, p.started, p.handed, p.failed, p.bumps = InTransaction, true, true, nil, false
	clear(p.sequences)
	p.drop()
}

// Rename gives the client another transactional id, which is to be initialised.
func (p *ProducerClient) Rename(id string) {
	p.ID, p.Producer, p.Epoch = id, NoProducer, NoEpoch
	p.State, p.started, p.handed, p.failed, p.bumps = Uninitialized, false, false, nil, false
	clear(p.sequences)
	p.drop()
}

// NewResumed returns a client that has talked to nobody yet.
func (b *Broker) NewResumed(timeout int64) *ProducerClient {
	p := b.NewProducer("", timeout)
	p.speaks, p.deaf = 1, true
	return p
}

// HearsEarly lets a resumed producer learn what the broker speaks before its
// first transaction ends, and not behind it: a race in real clients (F16).
func (p *ProducerClient) HearsEarly() { p.deaf = false }

// Sent reports whether something of the transaction was handed over.
func (p *ProducerClient) Sent() bool { return p.handed }

// check throws what has failed before: two exceptions as they are, all others inside
// a KafkaException (TransactionManager#maybeFailWithError).
func (p *ProducerClient) check() error {
	switch {
	case p.failed == nil:
		return nil
	case p.failed.Err == ProducerFenced, p.failed.Err == InvalidProducerEpoch, p.failed.Err == None:
		return p.failed
	}
	return &Exception{Class: "KafkaException", Cause: p.failed.Class, Err: p.failed.Err}
}

// abortable ends the transaction, fatal the producer, with what a call throws.
// Without a transaction the records alone are lost, and the producer goes on
// (Sender#maybeTransitionToErrorState).
func (p *ProducerClient) abortable(e *Exception) error {
	if p.ID == "" {
		return e
	}
	p.State, p.failed = AbortableError, e
	return e
}

func (p *ProducerClient) fatal(e *Exception) error {
	p.State, p.failed = FatalError, e
	return e
}

// InitTransactions is initTransactions.
func (p *ProducerClient) InitTransactions() error {
	if err := p.check(); err != nil {
		return err
	}
	if p.State != Uninitialized {
		return illegalState()
	}
	code, err := p.retry("InitProducerId", func() (code Error) {
		p.Producer, p.Epoch, code = p.broker.InitProducerID(InitProducerID{
			ID: p.ID, Timeout: p.Timeout, Producer: NoProducer, Epoch: NoEpoch, Version: initFenced + 1,
		})
		return code
	})
	switch {
	case err != nil:
		return err
	case code == InvalidTransactionTimeout:
		return p.fatal(&Exception{Class: "KafkaException", Message: "Unexpected error in InitProducerIdResponse; The transaction timeout is larger than the maximum value allowed by the broker (as configured by transaction.max.timeout.ms)."})
	case code != None:
		return p.fatal(exceptionOf(code))
	}
	p.State, p.speaks, p.deaf = Ready, p.broker.Config.TransactionVersion, false
	return nil
}

// BeginTransaction is beginTransaction: the broker hears nothing of it (K13).
func (p *ProducerClient) BeginTransaction() error {
	if err := p.check(); err != nil {
		return err
	}
	if p.State != Ready {
		return illegalState()
	}
	p.State, p.started, p.handed, p.Number = InTransaction, false, false, 0
	clear(p.added)
	return nil
}

// Send sends records to a partition as one batch. With more than one copy of the
// partition Flush waits for the answer.
func (p *ProducerClient) Send(at TopicPartition, records []Record) error {
	if err := p.check(); err != nil {
		return err
	}
	if p.ID == "" {
		if !p.Plain && p.Producer == NoProducer && p.Acks == AcksAll {
			p.Producer, p.Epoch, _ = p.broker.InitProducerID(InitProducerID{})
			p.State = Ready
		}
		if !p.Lingers {
			return p.produce(at, records)
		}
		p.buffered[at] = append(p.buffered[at], records...)
		return nil
	}
	if p.State != InTransaction {
		p.buffered[at] = append(p.buffered[at], records...)
		return illegalState()
	}
	p.buffered[at] = append(p.buffered[at], records...)
	p.handed = true
	if p.Lingers {
		return p.addPartition(at, &p.waiting, MaxBlock)
	}
	return p.flush()
}

// addPartition adds a partition to the transaction before its first record: with
// transaction.version 2 its leader does.
func (p *ProducerClient) addPartition(at TopicPartition, w *wait, limit int64) error {
	if p.second() || p.added[at] {
		p.started = true
		return nil
	}
	code, err := p.retryFor("AddPartitionsToTxn", w, limit, func() Error {
		return p.broker.AddPartitionsToTxn(AddPartitions{ID: p.ID, Producer: p.Producer, Epoch: p.Epoch, Partitions: []TopicPartition{at}, Version: addFenced + 1})
	})
	switch {
	case err != nil:
		return err
	case code == TopicAuthorizationFailed:
		return p.abortable(notAuthorized(at.Topic))
	case code != None:
		return p.fatal(exceptionOf(code))
	}
	p.added[at], p.started = true, true
	p.number()
	return nil
}

// number takes note of the transaction that the coordinator has opened.
func (p *ProducerClient) number() {
	if t := p.broker.Transaction(p.ID); t != nil {
		p.Number = t.Number
	}
}

// Flush sends what is buffered and waits for the answers. It throws the first
// error.
func (p *ProducerClient) Flush() error {
	if p.ID != "" && p.State != InTransaction {
		return nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	return p.acknowledge(true)
}

// flush sends what is buffered.
func (p *ProducerClient) flush() (first error) {
	first = p.resend()
	for _, at := range slices.SortedFunc(maps.Keys(p.buffered), TopicPartition.compare) {
		records := p.buffered[at]
		delete(p.buffered, at)
		first = worse(first, p.produce(at, records))
	}
	return first
}

// Resend sends the batches that wait to be sent again, and looks at which answers
// have come.
func (p *ProducerClient) Resend() error {
	if err := p.resend(); err != nil {
		return err
	}
	return p.acknowledge(false)
}

func (p *ProducerClient) resend() (first error) {
	for _, at := range slices.SortedFunc(maps.Keys(p.unsent), TopicPartition.compare) {
		first = worse(first, p.send(at))
	}
	return first
}

// expired ends the transaction when a batch has waited for too long.
func (p *ProducerClient) expired(at TopicPartition, b *unsentBatch, err error) error {
	var e *Exception
	if !errors.As(err, &e) || e.Class != timeoutException {
		return err
	}
	e.Message = fmt.Sprintf("Expiring %d record(s) for %s-%d:%d ms has passed since batch creation", len(b.records), at.Topic, at.Partition, DeliveryTimeout)
	return p.abortable(e)
}

// worse is the error that counts of two: a call that is pending has not failed.
func worse(a, b error) error {
	var p *PendingError
	switch {
	case a == nil, b != nil && errors.As(a, &p) && !errors.As(b, &p):
		return b
	}
	return a
}

// Unsent reports whether records wait to be sent again.
func (p *ProducerClient) Unsent() bool { return len(p.unsent) > 0 }

// produce makes a batch, which is sent behind those that wait.
func (p *ProducerClient) produce(at TopicPartition, records []Record) error {
	p.unsent[at] = append(p.unsent[at], &unsentBatch{records: records, sequence: p.sequences[at], first: -1})
	p.sequences[at] = wrap(p.sequences[at], len(records))
	p.sender[at] = p.self()
	return p.send(at)
}

// self is who it is now.
func (p *ProducerClient) self() sender { return sender{p.Producer, p.Epoch, p.ProduceVersion()} }

// Late lets a request reach the broker that the producer sent while it last wrote
// the partition, and that was under way until now: it names who the producer was
// then. If it is appended, the producer counts its sequences.
func (p *ProducerClient) Late(at TopicPartition, sequence int32, records []Record) Error {
	from, ok := p.sender[at]
	if !ok {
		from = p.self()
	}
	p.broker.From(Client{p.Name, p.Cause})
	_, duplicate, err := p.broker.Produce(Produce{
		ID: p.ID, At: at, Producer: from.producer, Epoch: from.epoch, Sequence: sequence,
		Transactional: p.ID != "", Records: records, Version: from.version,
	})
	switch {
	case err != None:
		// It was sent again by nobody: who sent it has gone on.
		p.broker.tell(p.Name, RuleOf(err), sim.RequestRefused{API: "Produce", ID: p.ID, Error: err.String(), Code: int64(err)}, p.Cause, p.broker.accessOf(err))
	case !duplicate && from.producer == p.Producer && from.epoch == p.Epoch:
		p.sequences[at], p.sender[at] = wrap(sequence, len(records)), from
	}
	return err
}

// send sends the batches of a partition, in order.
func (p *ProducerClient) send(at TopicPartition) error {
	for len(p.unsent[at]) > 0 {
		b := p.unsent[at][0]
		err := p.sendBatch(at, b)
		if pending := (*PendingError)(nil); errors.As(err, &pending) {
			return err
		}
		if err != nil {
			// What follows it cannot be sent either.
			p.sequences[at] = b.sequence
			delete(p.unsent, at)
			return err
		}
		p.unsent[at] = p.unsent[at][1:]
	}
	delete(p.unsent, at)
	return nil
}

func (p *ProducerClient) sendBatch(at TopicPartition, b *unsentBatch) error {
	transactional := p.ID != ""
	if transactional {
		if err := p.addPartition(at, &b.waiting, DeliveryTimeout); err != nil {
			return p.expired(at, b, err)
		}
	}
	base, sequence := int64(0), b.sequence
	if p.Producer == NoProducer {
		sequence = -1
	}
	code, err := p.retryFor("Produce", &b.waiting, DeliveryTimeout, func() (code Error) {
		base, _, code = p.broker.Produce(Produce{
			ID: p.ID, At: at, Producer: p.Producer, Epoch: p.Epoch, Sequence: sequence, Transactional: transactional,
			Records: b.records, Version: p.ProduceVersion(), Acks: p.Acks,
		})
		if p.Acks == AcksNone {
			return None // there is no answer
		}
		return code
	})
	switch {
	case err != nil:
		return p.expired(at, b, err)
	case code == None:
		p.number()
		p.awaits(at, b, base)
		return nil
	case code == ProducerFenced || code == InvalidProducerIDMapping || code == TransactionalIDAuthorizationFailed:
		return p.fatal(exceptionOf(code))
	case code == TopicAuthorizationFailed:
		return p.abortable(notAuthorized(at.Topic))
	}
	return p.abortable(exceptionOf(code))
}

// notAuthorized is what a client throws that may not write a topic: the transaction
// is to be aborted, the producer can go on.
func notAuthorized(topic string) *Exception {
	e := exceptionOf(TopicAuthorizationFailed)
	e.Message = "Not authorized to access topics: [" + topic + "]"
	return e
}

// SendOffsetsToTransaction is the call of that name (K39).
func (p *ProducerClient) SendOffsetsToTransaction(group string, offsets map[TopicPartition]int64) error {
	if err := p.check(); err != nil {
		return err
	}
	if p.State != InTransaction {
		return illegalState()
	}
	version := offsetsAdd
	if !p.second() {
		version = offsetsAbortable
		code, err := p.retry("AddOffsetsToTxn", func() Error {
			return p.broker.AddOffsetsToTxn(AddOffsets{ID: p.ID, Producer: p.Producer, Epoch: p.Epoch, Group: group, Version: addFenced + 1})
		})
		if err != nil {
			return err
		}
		switch {
		case code == GroupAuthorizationFailed:
			return p.abortable(notMember(group))
		case code != None:
			return p.fatal(exceptionOf(code))
		}
	}
	p.started = true
	code, err := p.retry("TxnOffsetCommit", func() Error {
		return p.broker.TxnOffsetCommit(TxnOffsetCommit{ID: p.ID, Producer: p.Producer, Epoch: p.Epoch, Group: group, Offsets: offsets, Version: version})
	})
	switch {
	case err != nil:
		return err
	case code == InvalidProducerEpoch || code == ProducerFenced:
		return p.fatal(exceptionOf(ProducerFenced))
	case code == InvalidProducerIDMapping || code == TransactionalIDAuthorizationFailed:
		return p.fatal(exceptionOf(code))
	case code == TopicAuthorizationFailed:
		// Its client expects no such answer.
		return p.fatal(&Exception{Class: "KafkaException", Err: code, Message: "Unexpected error in TxnOffsetCommitResponse: Topic authorization failed."})
	case code == GroupAuthorizationFailed:
		return p.abortable(notMember(group))
	case code != None:
		return p.abortable(exceptionOf(code))
	}
	return nil
}

// notMember is what a client throws that may not use the offsets of a group.
func notMember(group string) *Exception {
	e := exceptionOf(GroupAuthorizationFailed)
	e.Message = "Not authorized to access group: " + group
	return e
}

// CommitTransaction is commitTransaction.
func (p *ProducerClient) CommitTransaction() error {
	if err := p.check(); err != nil {
		return err
	}
	if p.State != InTransaction {
		return illegalState()
	}
	if err := p.Flush(); err != nil {
		return err
	}
	return p.end(true)
}

// AbortTransaction is abortTransaction. It ends an abortable error.
func (p *ProducerClient) AbortTransaction() error {
	if p.State == FatalError {
		return p.check()
	}
	if p.State != InTransaction && p.State != AbortableError {
		return illegalState()
	}
	p.drop()
	return p.end(false)
}

// end sends EndTxn, if the broker knows of the transaction. A producer that hears
// by then that the cluster has been raised to transaction.version 2 has its epoch
// moved on before it begins another transaction
// (TransactionManager#beginCompletingTransaction).
func (p *ProducerClient) end(commit bool) error {
	if !p.bumps {
		if err := p.endTransaction(commit); err != nil {
			return err
		}
		now := p.hears()
		p.bumps = now > p.speaks
		p.speaks = now
	}
	if p.bumps {
		if err := p.bump(); err != nil {
			return err
		}
	}
	p.State, p.failed = Ready, nil
	return nil
}

// hears is the transaction.version that the producer knows of when a transaction
// ends. One that was resumed has not talked to the broker before (F16).
func (p *ProducerClient) hears() int {
	if p.deaf {
		p.deaf = false
		return p.speaks
	}
	return p.broker.Config.TransactionVersion
}

func (p *ProducerClient) endTransaction(commit bool) error {
	if !p.started {
		return nil
	}
	version := endBumps
	if !p.second() {
		version = endBumps - 1
	}
	producer, epoch := NoProducer, NoEpoch
	code, err := p.retry("EndTxn", func() (code Error) {
		producer, epoch, code = p.broker.EndTxn(EndTxn{ID: p.ID, Producer: p.Producer, Epoch: p.Epoch, Commit: commit, Version: version})
		return code
	})
	if err := p.answered(code, err); err != nil {
		return err
	}
	if producer != NoProducer {
		p.goesOn(producer, epoch)
	}
	return nil
}

// answered is how a request ended whose errors are the end of the producer.
func (p *ProducerClient) answered(code Error, err error) error {
	switch {
	case err != nil:
		return err
	case code != None:
		return p.fatal(exceptionOf(code))
	}
	return nil
}

// goesOn gives the producer another epoch, whose sequences begin anew (K18).
func (p *ProducerClient) goesOn(producer ProducerID, epoch int16) {
	p.Producer, p.Epoch = producer, epoch
	clear(p.sequences)
}

// bump moves the epoch on by itself (K11).
func (p *ProducerClient) bump() error {
	producer, epoch := NoProducer, NoEpoch
	code, err := p.retry("InitProducerId", func() (code Error) {
		producer, epoch, code = p.broker.InitProducerID(InitProducerID{ID: p.ID, Timeout: p.Timeout, Producer: p.Producer, Epoch: p.Epoch, Version: initFenced + 1})
		return code
	})
	if err := p.answered(code, err); err != nil {
		return err
	}
	p.bumps = false
	p.goesOn(producer, epoch)
	return nil
}

// Close is close(): an open transaction is aborted first. What that throws
// nobody hears.
func (p *ProducerClient) Close() {
	if p.State == InTransaction || p.State == AbortableError {
		_ = p.AbortTransaction()
	}
}

// fenceTimeout is the transaction timeout with which an Admin fences, in ms.
const fenceTimeout = 30_000

// FenceProducers is Admin#fenceProducers for one id.
func (b *Broker) FenceProducers(id string) (ProducerID, int16, error) {
	p := b.NewProducer(id, fenceTimeout)
	if err := p.InitTransactions(); err != nil {
		return NoProducer, NoEpoch, err
	}
	return p.Producer, p.Epoch, nil
}

// AbortOpenTransaction is what kafka-transactions.sh abort --start-offset does:
// it ends the transaction that began there on this partition alone (K42). Not
// found: none did.
func (b *Broker) AbortOpenTransaction(at TopicPartition, start int64) (found bool, err Error) {
	producers, err := b.ProducersOf(at)
	if err != None {
		return false, err
	}
	for _, x := range producers {
		if x.Start == start {
			return true, b.WriteMarker(at, x.ID, x.Epoch, Abort, max(x.CoordinatorEpoch, 0))
		}
	}
	return false, None
}
