package kafka

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
	broker "streaminglab/sim/kafka"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// writerState is the name of the writer's list state.
const writerState = "writer_raw_states"

// A WriterOperator is the writer of a KafkaSink in a job (SinkWriterOperator).
type WriterOperator struct {
	operator.Base
	sink    *Sink
	writer  *Writer
	channel *backchannel
	states  *state.TextList
	// ended : the end of input has been handed over.
	ended bool
	// prepared is the checkpoint whose committables have left, saved its state.
	prepared int64
	saved    []string
	resends  bool
	// flushed : everything that belongs before the present barrier was sent.
	flushed bool
	listens bool
}

// Open declares the state of the writer.
func (w *WriterOperator) Open(c *operator.Context) error {
	w.Init(c, nil, nil)
	w.states = state.OpenTexts(c.State, writerState, state.SplitDistribute)
	return nil
}

// Start aborts what lingers and begins the first transaction (F-8).
func (w *WriterOperator) Start(restored int64) error {
	if w.writer == nil {
		if err := w.open(restored); err != nil {
			return err
		}
	}
	w.writer.Cause = w.Cause
	return w.outcome(w.writer.Start(), "F-8")
}

func (w *WriterOperator) open(restored int64) error {
	c := w.sink.Config
	c.Name, c.Waits = subtask(w.Context), true
	if c.Guarantee == ExactlyOnce {
		w.channel = w.sink.Channels.of(w.sink, w.Context)
		if err := w.channel.write(w.Name); err != nil {
			return err
		}
	}
	var states []WriterState
	for _, text := range w.states.Restored() {
		var s WriterState
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			return state.ErrLists
		}
		states = append(states, s)
	}
	if c.Guarantee != ExactlyOnce {
		states = nil
	}
	made, err := MakeWriter(c, w.Subtask, w.Parallelism, restored, states)
	if err != nil {
		return Thrown(err, "F-25")
	}
	w.writer = made
	if w.channel != nil {
		made.Finished = func() []string {
			if w.channel.committer == nil {
				return nil
			}
			return w.channel.committer.Finished()
		}
	}
	return nil
}

func subtask(c *operator.Context) string { return c.Name + "[" + strconv.Itoa(c.Subtask) + "]" }

// ProcessRecord hands a result to the producer.
func (w *WriterOperator) ProcessRecord(_ int, r *operator.Record) error {
	w.Metrics.NumRecordsIn++
	record, part := w.serialize(r)
	if w.Trace != nil {
		body := operator.Written(r)
		body.Partition = w.writer.at(part).String()
		record.Step = w.Done("LAB-4", body)
	}
	return w.sent(w.writer.Write(part, record))
}

// serialize makes a record of a result: the key, what it holds as text, and the
// partition that the key belongs to.
func (w *WriterOperator) serialize(r *operator.Record) (broker.Record, int) {
	key := r.Name
	if r.Key != nil {
		key = r.Key.Name
	}
	part := w.Subtask % w.sink.Config.Partitions
	if key != "" {
		part = PartitionOf(key, w.sink.Config.Partitions)
	}
	return broker.Record{Key: key, Value: operator.Text(r), Timestamp: r.TS}, part
}

// sent looks at what came of sending: nobody waits for an answer that is still to
// come.
func (w *WriterOperator) sent(err error) error {
	var p *broker.PendingError
	pending := errors.As(err, &p)
	if (pending || err == nil) && w.writer.CurrentProducer().Unacknowledged() {
		w.listen()
	}
	if !pending {
		return Thrown(err, "F-9")
	}
	w.resendAt(p.Again)
	return nil
}

// listen looks at answers when one may have come: a batch whose leader is gone is
// sent to the next, and nobody else waits for that.
func (w *WriterOperator) listen() {
	if w.listens {
		return
	}
	w.listens = true
	w.sink.Config.Broker.Await(func() {
		w.listens = false
		w.Clock.At(w.Clock.Now(), false, func() error { return w.sent(w.writer.Resend()) })
	})
}

// resendAt sends again what was not answered, as the sender thread of a producer
// does.
func (w *WriterOperator) resendAt(at int64) {
	if w.resends {
		return
	}
	w.resends = true
	w.Clock.At(at, false, func() error {
		w.resends = false
		return w.sent(w.writer.Resend())
	})
}

// PrepareBarrier sends everything, hands the transaction over to the committer
// and opens the next one (F-9). What it throws fails the task.
func (w *WriterOperator) PrepareBarrier(checkpoint int64) error {
	w.writer.Cause = w.Cause
	if w.prepared != checkpoint {
		if !w.flushed {
			if err := w.outcome(w.flush(), "F-9"); err != nil {
				return err
			}
			if w.Crashes(sim.PointPrecommit) {
				return operator.ErrCrashed
			}
			w.flushed = true
		}
		if err := w.hand(checkpoint, false); err != nil {
			return err
		}
		w.prepared, w.flushed = checkpoint, false
	}
	s, err := w.writer.Snapshot(checkpoint)
	if err := w.outcome(err, "F-9"); err != nil {
		return err
	}
	w.saved = nil
	if w.sink.Config.Guarantee == ExactlyOnce {
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		w.saved = []string{string(text)}
	}
	return nil
}

// flush sends everything, unless the guarantee does not ask for it (F-2).
func (w *WriterOperator) flush() error {
	if w.sink.Config.Guarantee == NoGuarantee {
		return nil
	}
	return w.writer.Flush()
}

// hand gives the committer what a barrier, or the end of input, closes.
func (w *WriterOperator) hand(checkpoint int64, end bool) error {
	list, err := w.writer.PrepareCommit(end)
	if err := w.outcome(err, "F-9"); err != nil {
		return err
	}
	for _, x := range list {
		if w.channel != nil {
			w.channel.live[x.ID] = x.live
		}
		w.Done("F-9", sim.CommittableEmitted{
			ID: x.ID, Transaction: x.Number, Producer: int64(x.Producer), Epoch: int64(x.Epoch), Checkpoint: checkpoint,
			Records: w.sink.Config.Broker.Outcome(x.Number).Records,
		})
		w.Out.Record(&operator.Record{TS: sim.MinTime, Word: x.String()})
	}
	return nil
}

// Snapshot saves what PrepareBarrier has made.
func (w *WriterOperator) Snapshot(int64) error {
	w.states.Set(w.saved...)
	return nil
}

// EndOfInput sends everything and hands the transaction over.
func (w *WriterOperator) EndOfInput(int) error {
	if w.ended {
		return nil
	}
	w.writer.Cause = w.Cause
	if err := w.hand(0, true); err != nil {
		return err
	}
	w.ended = true
	return nil
}

// Close ends the transaction that nobody will commit (F-14).
func (w *WriterOperator) Close() error {
	if err := w.writer.Close(); err != nil {
		if pending := (*broker.PendingError)(nil); errors.As(err, &pending) {
			return nil // it does not wait for the answer
		}
		return Thrown(err, "F-14")
	}
	return nil
}

// Cancel does the same when the subtask is canceled. What that throws stands in
// its log alone.
func (w *WriterOperator) Cancel() {
	if w.writer != nil && w.writer.current != nil {
		w.writer.current.Cause = w.Cause
		_ = w.writer.Close()
	}
}

// outcome is the error of a call that may be pending, as a task knows it.
func (w *WriterOperator) outcome(err error, rule string) error {
	return outcome(w.sink.Config.Broker, err, rule)
}

func outcome(b *broker.Broker, err error, rule string) error {
	var p *broker.PendingError
	if errors.As(err, &p) {
		return &operator.Blocked{Again: p.Again, Await: b.Await}
	}
	return Thrown(err, rule)
}

// packages are those of the classes that a sink throws.
var packages = map[string]string{
	"IllegalStateException": "java.lang.", "IOException": "java.io.", "FlinkRuntimeException": "org.apache.flink.util.",
	"RuntimeException": "java.lang.", "ConfigException": "org.apache.kafka.common.config.",
}

func qualified(class string) string {
	if p, ok := packages[class]; ok {
		return p + class
	}
	if class == "KafkaException" {
		return "org.apache.kafka.common." + class
	}
	return "org.apache.kafka.common.errors." + class
}

// Thrown is an error of the sink as an exception of the simulated system: the
// outermost class, and behind the message what caused it.
func Thrown(err error, rule string) error {
	var f *Failure
	var e *broker.Exception
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		out := &sim.Exception{Class: qualified(f.Classes[0]), Message: f.Message, Rule: rule}
		if inner := f.Classes[1:]; len(inner) > 0 {
			inner = slices.Clone(inner)
			for i, c := range inner {
				inner[i] = qualified(c)
			}
			out.Message = "Caused by: " + strings.Join(inner, ": Caused by: ") + ": " + f.Message
		}
		return out
	case errors.As(err, &e):
		return &sim.Exception{Class: qualified(e.Class), Message: message(e), Rule: rule}
	}
	return err
}
