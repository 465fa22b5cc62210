package kafka

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
	broker "streaminglab/sim/kafka"
)

// A Guarantee is a DeliveryGuarantee.
type Guarantee string

// The guarantees.
const (
	NoGuarantee Guarantee = "NONE"
	AtLeastOnce Guarantee = "AT_LEAST_ONCE"
	ExactlyOnce Guarantee = "EXACTLY_ONCE"
)

// A Naming is a TransactionNamingStrategy.
type Naming string

// The strategies (F7).
const (
	Incrementing Naming = "INCREMENTING"
	Pooling      Naming = "POOLING"
)

// DefaultTimeout is the transaction.timeout.ms that the connector sets unless
// the user does, in ms (F4).
const DefaultTimeout = 3_600_000

// Config is how a KafkaSink is built.
type Config struct {
	Broker    *broker.Broker
	Guarantee Guarantee
	// Prefix is the transactionalIdPrefix.
	Prefix string
	Naming Naming
	// Timeout is transaction.timeout.ms; 0: the connector's default.
	Timeout int64
	// Topic is what it writes to, with its partitions.
	Topic      string
	Partitions int
	// Acks is the option acks.
	Acks broker.Acks
	// Lingers : records wait in the producer until a flush.
	Lingers bool
	// Name is the client.id of the producers; Waits : time passes between two
	// tries of a request, so that a call may be pending.
	Name  string
	Waits bool
}

func (c *Config) timeout() int64 {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return DefaultTimeout
}

// Check refuses what KafkaSinkBuilder#build refuses (F3).
func (c *Config) Check() error {
	if c.Guarantee == ExactlyOnce && c.Prefix == "" {
		return &Failure{Classes: []string{"IllegalStateException"}, Message: "EXACTLY_ONCE delivery guarantee requires a transactionalIdPrefix to be set to provide unique transaction names across multiple KafkaSinks writing to the same Kafka cluster."}
	}
	return nil
}

// A WriterState is what a writer has in a checkpoint (KafkaWriterState).
type WriterState struct {
	Prefix string
	// Owned are the subtask numbers in names that the writer answers for, of
	// Total.
	Owned []int
	Total int
	// Explicit : the owned ones are its by this state, not by its own number.
	Explicit bool
	// Precommitted are names that are closed and not known to be committed.
	Precommitted []string
}

// A Writer is the writer of a subtask.
type Writer struct {
	config               Config
	subtask, parallelism int
	// owned are the subtask numbers in names that it answers for.
	owned []int
	total int

	current *broker.ProducerClient
	// last is the checkpoint that the current transaction follows.
	last int64
	// precommitted are names in use, in the order in which they were closed.
	precommitted []string
	// Finished is the back-channel: the names of transactions that the committer
	// has ended since it was last asked.
	Finished func() []string
	// Cause is the step that led to the present call.
	Cause *sim.Step

	// What a call that can be pending has reached: it goes on from there.

	// initializing is the producer whose name is being initialised.
	initializing *broker.ProducerClient
	lingering    lingering
	// filled is the checkpoint up to which names are filled in.
	filled int64
}

// lingering is how far the search for transactions of former attempts is.
type lingering struct {
	prefixes []string
	// subtask and checkpoint are the name that is probed.
	subtask    int
	checkpoint int64
	// names are those that brokers have listed.
	names  []string
	listed bool
}

// NewWriter opens the writer of a subtask: it aborts what lingers and begins its
// first transaction (F8). restored is the checkpoint that it comes from, 0: none.
// Where time passes between two tries of a request, use MakeWriter and Start.
func NewWriter(c Config, subtask, parallelism int, restored int64, states []WriterState) (*Writer, error) {
	w, err := MakeWriter(c, subtask, parallelism, restored, states)
	if err != nil {
		return nil, err
	}
	return w, w.Start()
}

// MakeWriter returns the writer of a subtask, which has asked no broker yet.
func MakeWriter(c Config, subtask, parallelism int, restored int64, states []WriterState) (*Writer, error) {
	w := &Writer{config: c, subtask: subtask, parallelism: parallelism, last: restored, filled: restored + 1}
	if c.Guarantee != ExactlyOnce {
		w.current = w.producer("")
		return w, nil
	}
	if c.Acks != broker.AcksAll {
		// With another value the client switches idempotence off by itself, and then
		// refuses the transactional id (ProducerConfig).
		return nil, &Failure{Classes: []string{"KafkaException", "ConfigException"}, Message: "Cannot set a transactional.id without also enabling idempotence."}
	}
	if err := w.own(states); err != nil {
		return nil, err
	}
	for _, s := range states {
		w.precommitted = append(w.precommitted, s.Precommitted...)
	}
	w.lingering = lingering{prefixes: w.prefixes(states), subtask: w.subtask, checkpoint: w.last + 1}
	return w, nil
}

// Start aborts what lingers and begins the first transaction. It may be pending:
// then it is to be called again.
func (w *Writer) Start() error {
	if w.config.Guarantee != ExactlyOnce {
		return nil
	}
	if err := w.abortLingering(); err != nil {
		return err
	}
	return w.begin()
}

// producer returns a producer of the writer.
func (w *Writer) producer(id string) *broker.ProducerClient {
	p := w.config.Broker.NewProducer(id, w.config.timeout())
	p.Lingers, p.Waits, p.Name, p.Cause = w.config.Lingers, w.config.Waits, w.config.Name, w.Cause
	p.Acks = w.config.Acks
	return p
}

// own decides for which subtask numbers in names the writer answers (F21, F25,
// F26).
func (w *Writer) own(states []WriterState) error {
	if w.config.Naming != Pooling {
		if slices.ContainsFunc(states, func(s WriterState) bool { return s.Explicit }) {
			return &Failure{Classes: []string{"IllegalStateException"}, Message: "Attempted to switch the transaction naming strategy back to INCREMENTING which may result in data loss."}
		}
		w.owned, w.total = []int{w.subtask}, w.parallelism
		return nil
	}
	w.total = w.parallelism
	for _, s := range states {
		w.owned = append(w.owned, s.Owned...)
		w.total = max(w.total, s.Total)
	}
	if len(w.owned) == 0 {
		w.owned = []int{w.subtask}
	}
	return nil
}

// prefixes are the present one and those of the state.
func (w *Writer) prefixes(states []WriterState) []string {
	out := []string{w.config.Prefix}
	for _, s := range states {
		if !slices.Contains(out, s.Prefix) {
			out = append(out, s.Prefix)
		}
	}
	return out
}

// abortLingering ends transactions of former attempts that no checkpoint holds
// (F19, F21).
func (w *Writer) abortLingering() error {
	for l := &w.lingering; len(l.prefixes) > 0; {
		if w.config.Naming == Pooling {
			if err := w.abortListed(l.prefixes[0]); err != nil {
				return err
			}
		} else if err := w.probe(l.prefixes[0]); err != nil {
			return err
		}
		*l = lingering{prefixes: l.prefixes[1:], subtask: w.subtask, checkpoint: w.last + 1}
	}
	return nil
}

// probe initialises names one after the other until it meets one that nobody has
// used.
func (w *Writer) probe(prefix string) error {
	for l := &w.lingering; ; {
		p, err := w.init(fmt.Sprintf("%s-%d-%d", prefix, l.subtask, l.checkpoint))
		switch {
		case err != nil:
			return err
		case p.Epoch > 0:
			l.checkpoint++
		case l.checkpoint == w.last+1:
			return nil
		default:
			l.subtask, l.checkpoint = l.subtask+w.parallelism, w.last+1
		}
	}
}

// abortListed asks the brokers which transactions are open, and ends those that
// are for this writer to end.
func (w *Writer) abortListed(prefix string) error {
	if l := &w.lingering; !l.listed {
		if !w.config.Broker.Authorized(w.config.Name, broker.OperationRead, broker.ResourceTopic, w.config.Topic) {
			return &Failure{Classes: []string{"RuntimeException"}, Message: fmt.Sprintf(
				"Failed to get open transactions for topics [%s]. Make sure that the Kafka broker has at least version 3.0 and the application has read permissions on the target topics.",
				w.config.Topic)}
		}
		l.names, l.listed = w.list(prefix), true
	}
	for l := &w.lingering; len(l.names) > 0; l.names = l.names[1:] {
		if _, err := w.init(l.names[0]); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) list(prefix string) (names []string) {
	for n := range w.config.Partitions {
		for _, x := range w.config.Broker.Partition(w.at(n)).Producers() {
			for _, t := range w.config.Broker.Transactions() {
				if t.Producer == x.ID && t.State == broker.Ongoing && !slices.Contains(names, t.ID) {
					names = append(names, t.ID)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(name, prefix) || slices.Contains(w.precommitted, name) || !w.owns(name)
	})
}

// owns reports whether a name is for this writer to end.
func (w *Writer) owns(name string) bool {
	parts := strings.Split(name, "-")
	if len(parts) < 3 {
		return false
	}
	n, err := strconv.Atoi(parts[len(parts)-2])
	return err == nil && slices.Contains(w.owned, n%w.total)
}

// init returns a producer that has been initialised with a name.
func (w *Writer) init(name string) (*broker.ProducerClient, error) {
	p := w.initializing
	if p == nil || p.ID != name {
		p = w.producer(name)
		w.initializing = p
	}
	if err := p.InitTransactions(); err != nil {
		return nil, failure(err)
	}
	w.initializing = nil
	return p, nil
}

// failure is an exception of the client that fails the task as it is.
func failure(err error) error {
	var e *broker.Exception
	if !errors.As(err, &e) {
		return err
	}
	return &Failure{Classes: []string{e.Class}, Message: message(e)}
}

// begin opens the transaction that follows the last checkpoint (F7, F20).
func (w *Writer) begin() error {
	name := ""
	if w.config.Naming == Pooling {
		for n := 0; name == "" || slices.Contains(w.precommitted, name); n++ {
			name = fmt.Sprintf("%s-%d-%d", w.config.Prefix, w.owned[0], n)
		}
	} else {
		name = fmt.Sprintf("%s-%d-%d", w.config.Prefix, w.subtask, w.last+1)
	}
	p, err := w.init(name)
	if err != nil {
		return err
	}
	w.current = p
	return p.BeginTransaction()
}

func (w *Writer) at(n int) broker.TopicPartition {
	return broker.TopicPartition{Topic: w.config.Topic, Partition: n}
}

// Current is the transaction that records go into: its name and epoch; empty:
// the sink has none.
func (w *Writer) Current() (id string, epoch int16) {
	if w.config.Guarantee != ExactlyOnce {
		return "", broker.NoEpoch
	}
	return w.current.ID, w.current.Epoch
}

// Write hands a record to a partition. A send that is pending goes on with
// Resend; nobody waits for it before the next flush.
func (w *Writer) Write(part int, r broker.Record) error {
	w.current.Cause = r.Step
	return sendFailure(w.current.Send(w.at(part), []broker.Record{r}))
}

// Resend sends records again whose answer did not come.
func (w *Writer) Resend() error { return sendFailure(w.current.Resend()) }

// Unsent reports whether records wait to be sent again.
func (w *Writer) Unsent() bool { return w.current.Unsent() }

// CurrentProducer is the producer that records go through.
func (w *Writer) CurrentProducer() *broker.ProducerClient { return w.current }

// Flush sends what waits in the producer.
func (w *Writer) Flush() error { return sendFailure(w.current.Flush()) }

// sendFailure is what a task throws for a record that could not be sent.
func sendFailure(err error) error {
	var e *broker.Exception
	if err == nil || !errors.As(err, &e) {
		return err
	}
	return &Failure{Classes: []string{"IOException", "FlinkRuntimeException", e.Class}, Message: message(e)}
}

// PrepareCommit is the first half of a barrier: everything is sent, and a
// transaction with records is closed and handed over (F9). With NONE only the
// end of input sends what waits (F2).
func (w *Writer) PrepareCommit(endOfInput bool) ([]Committable, error) {
	if w.config.Guarantee == NoGuarantee && !endOfInput {
		return nil, nil
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	if w.config.Guarantee != ExactlyOnce || !w.current.Sent() || slices.Contains(w.precommitted, w.current.ID) {
		return nil, nil
	}
	p := w.current
	w.precommitted = append(w.precommitted, p.ID)
	return []Committable{{ID: p.ID, Producer: p.Producer, Epoch: p.Epoch, Number: p.Number, live: p}}, nil
}

// Snapshot is the second half: the state of the writer, after which the next
// transaction is open (F9).
func (w *Writer) Snapshot(checkpoint int64) (WriterState, error) {
	if w.config.Guarantee != ExactlyOnce {
		return WriterState{}, nil
	}
	if w.Finished != nil {
		finished := w.Finished()
		w.precommitted = slices.DeleteFunc(w.precommitted, func(name string) bool { return slices.Contains(finished, name) })
	}
	state := WriterState{
		Prefix: w.config.Prefix, Owned: slices.Clone(w.owned), Total: w.total, Explicit: w.config.Naming == Pooling,
		Precommitted: slices.Clone(w.precommitted),
	}
	if w.config.Naming != Pooling {
		// Names of checkpoints that never came are filled in: probing must meet no
		// hole.
		for w.filled = max(w.filled, w.last+1); w.filled < checkpoint; w.filled++ {
			if _, err := w.init(fmt.Sprintf("%s-%d-%d", w.config.Prefix, w.subtask, w.filled+1)); err != nil {
				return state, err
			}
		}
	}
	w.last = checkpoint
	return state, w.begin()
}

// Close aborts the current transaction, if something was handed over in it
// (F14). It returns what that throws, except for a ProducerFencedException.
func (w *Writer) Close() error {
	if w.config.Guarantee != ExactlyOnce || !w.current.Sent() || slices.Contains(w.precommitted, w.current.ID) {
		return nil
	}
	err := w.current.AbortTransaction()
	if e := (*broker.Exception)(nil); errors.As(err, &e) && e.Class == "ProducerFencedException" {
		return nil // the connector knows what that means
	}
	return err
}
