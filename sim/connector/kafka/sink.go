package kafka

import (
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	broker "streaminglab/sim/kafka"
	"streaminglab/sim/operator"
)

// A Sink is a KafkaSink of a job: it brings a writer and a committer.
type Sink struct {
	Name      string
	Inputs    []string
	Exchanges map[string]string
	UID       string
	Config    Config
	// Checkpointing says that completions will come.
	Checkpointing bool
	// Unchained : committables cross to the committer as bytes.
	Unchained bool
	// Channels are those of all sinks of the world.
	Channels *Backchannels
}

// Vertices are the operators of the sink: with EXACTLY_ONCE the writer, which has
// its name, and the committer behind it (F-6); else the writer alone.
func (s *Sink) Vertices() []*flink.OperatorSpec {
	w := &flink.OperatorSpec{
		Name: s.Name, UID: s.UID, Inputs: s.Inputs, Exchanges: s.Exchanges, Kind: flink.KindSink,
		New: func() (operator.Operator, error) { return &WriterOperator{sink: s}, nil },
	}
	if s.Config.Guarantee != ExactlyOnce {
		return []*flink.OperatorSpec{w}
	}
	c := &flink.OperatorSpec{
		Name: s.Name + CommitterSuffix, Inputs: []string{s.Name}, Kind: flink.KindSink, Chained: !s.Unchained,
		New: func() (operator.Operator, error) { return &CommitterOperator{sink: s}, nil },
	}
	if s.UID != "" {
		c.UID = s.UID + CommitterSuffix
	}
	return []*flink.OperatorSpec{w, c}
}

// CommitterSuffix stands behind the name of a sink in that of its committer.
const CommitterSuffix = ":Committer"

// Backchannels connect the writers and committers of subtasks
// (BackchannelFactory).
type Backchannels struct{ open map[channelKey]*backchannel }

type channelKey struct {
	job, prefix      string
	subtask, attempt int
}

// A backchannel is between the writer and the committer of one subtask: live are
// producers by their transactional id that the committer finds again.
type backchannel struct {
	written   string
	live      map[string]*broker.ProducerClient
	committer *Committer
}

// NewBackchannels returns none.
func NewBackchannels() *Backchannels { return &Backchannels{open: map[channelKey]*backchannel{}} }

func (b *Backchannels) of(s *Sink, c *operator.Context) *backchannel {
	k := channelKey{c.Job, s.Config.Prefix, c.Subtask, c.Attempt}
	x := b.open[k]
	if x == nil {
		x = &backchannel{live: map[string]*broker.ProducerClient{}}
		b.open[k] = x
	}
	return x
}

// write opens the writing end: a second sink with the same prefix cannot (F-5).
func (x *backchannel) write(sink string) error {
	if x.written != "" {
		return &sim.Exception{
			Class: "java.lang.IllegalStateException", Rule: "F-5",
			Message: fmt.Sprintf("Found duplicate transactionalIdPrefix for multiple Kafka sinks: %s. Transactional id prefixes need to be unique. You may experience memory leaks without fixing this.", sink),
		}
	}
	x.written = sink
	return nil
}
