package flink

import (
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/cost"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// A Spec describes a job.
type Spec struct {
	Name    string
	Sources []*SourceSpec
	// Operators stand behind their inputs.
	Operators []*OperatorSpec
	Sinks     []*SinkSpec
	// Parallelism is the number of subtasks of each operator.
	Parallelism int
	// MaxParallelism is the number of key groups; MaxParallelismSet says that
	// somebody chose it (pipeline.max-parallelism): then a snapshot with another
	// one does not fit (CP-9.3).
	MaxParallelism    int
	MaxParallelismSet bool
	Backend           state.Backend
	// Interval is pipeline.auto-watermark-interval in ms; 0: no probes.
	Interval int64
	Restart  RestartStrategy
	// Costs is the model of how long things take; nil: no time at all.
	Costs *cost.Model
	// ForSt are the options of that backend.
	ForSt ForStSpec
	// Chaining is pipeline.operator-chaining.enabled.
	Chaining bool
	// Network is how much channels hold.
	Network NetworkSpec
	// Slots is taskmanager.numberOfTaskSlots; 0: 1.
	Slots int
	// Heartbeats are heartbeat.*.
	Heartbeats Heartbeats
	// HighAvailability are the options high-availability.*.
	HighAvailability HighAvailabilitySpec
	// Checkpointing are the options of checkpoints.
	Checkpointing Checkpointing
	// Restoring is told what a job is about to be started from, and may change
	// it: tests plant defects there. It may be nil.
	Restoring func(*Restored)
	// Kafka are the broker's options and topics that the job file names.
	Kafka KafkaSpec
	// FinalCheckpoint says that checkpointing is on: a job whose data end takes
	// a last checkpoint, with which its sinks commit (FLIP-147).
	FinalCheckpoint bool
}

// A KafkaSpec is what a job file says of the broker.
type KafkaSpec struct {
	Options []KafkaOption
	Topics  []KafkaTopic
}

// A KafkaOption is an option of the broker with its value.
type KafkaOption struct{ Name, Value string }

// A KafkaTopic is a topic with the number of its partitions.
type KafkaTopic struct {
	Name       string
	Partitions int
	// Replicas are the copies of each partition, 0 or 1: one. MinInSync is
	// min.insync.replicas, FetchDelay how long a follower takes, in ms, Unclean
	// whether a copy that is not in sync may lead.
	Replicas, MinInSync int
	FetchDelay          int64
	Unclean             bool
	// RetentionTime and RetentionBytes are retention.ms and retention.bytes, 0:
	// without a limit; Segment is how many records a segment holds.
	RetentionTime, RetentionBytes int64
	Segment                       int
}

// A SourceSpec describes a source.
type SourceSpec struct {
	Name string
	// UID is what its positions are found by after a restore; empty: the name.
	UID string
	// Splits are the names of the splits that it discovers, without the source;
	// nil: all that there are. What a snapshot holds is read whether it is listed
	// or not.
	Splits []string
	// Parallelism is the number of readers; 0: that of the job.
	Parallelism int
	Strategy    eventtime.WatermarkStrategy
	Alignment   *AlignmentSpec
	// Topic is the topic whose partitions it reads; empty: logs of its own. It reads
	// with Isolation, isolation.level, and Reset, auto.offset.reset.
	Topic, Isolation, Reset string
	// StopByRecord : a bounded read of the topic ends with the last record, not by
	// position.
	StopByRecord bool
	// Group is group.id. When a checkpoint is complete, Commit is told its positions
	// by split: an outside view, which no restore reads. Nil: nobody wants them.
	Group  string
	Commit func(positions []sim.SplitOffset, cause *sim.Step)
	// SpareFinishes says that a reader without a split is told that there will
	// be none, and ends; else it waits for ever, active at MIN (EV-1.7).
	SpareFinishes bool
}

// ID is the uid of the source.
func (s *SourceSpec) ID() string {
	if s.UID != "" {
		return s.UID
	}
	return s.Name
}

// discovers says whether the source takes a split that no snapshot gave it.
func (s *SourceSpec) discovers(l *Log) bool {
	return s.Splits == nil || l.Added || slices.Contains(s.Splits, l.Split)
}

// An AlignmentSpec puts a source into a group (EV-3.5).
type AlignmentSpec struct {
	Group          string
	MaxDrift       int64
	UpdateInterval int64
}

// An OperatorSpec describes an operator.
type OperatorSpec struct {
	Name string
	// Separate says that each input has a place of its own (a join); else all
	// inputs together are one (a union), whose channels meet in one valve.
	Separate bool
	// UID is what state is found by after a restore; empty: the name.
	UID    string
	Inputs []string
	// Exchanges say how records of an input are spread where that is not the
	// usual way: forward, rebalance or broadcast, by the input's name.
	Exchanges map[string]string
	// Keyed says that the inputs are partitioned by key; else they are forwarded
	// or spread.
	Keyed bool
	// KeyBy is the key selector: the key to partition by of the key that a
	// record has. Nil keeps it.
	KeyBy func(string) string
	// MaxParallelism is the number of its key groups; 0: that of the job.
	MaxParallelism int
	// Async says that it uses the asynchronous API (State V2): only then does
	// ForSt keep its state on the store by default (CP-7.2).
	Async bool
	// Rows says that keys are hashed as SQL rows.
	Rows bool
	// ListState is a list of operator state of its own; nil: none.
	ListState *ListState
	// Kind is the word of the job file for it ("window", "interval-join").
	Kind string
	// Sums says that it adds values up: a record without a number is none for it.
	Sums bool
	// Chained : it is called by its input also where nothing else is chained.
	Chained bool
	New     func() (operator.Operator, error)
}

// A ListState is a list of operator state into which each subtask of a fresh
// job writes one element, its number. After a restore a subtask keeps what it
// got, or with Clear only its own (CP-9.4).
type ListState struct {
	Name  string
	Mode  state.Mode
	Clear bool
}

// ID is what state is found by.
func (o *OperatorSpec) ID() string {
	if o.UID != "" {
		return o.UID
	}
	return o.Name
}

// A SinkSpec describes a sink. Without Transactions it shows what it takes at
// once.
type SinkSpec struct {
	Name   string
	Inputs []string
	// Exchanges are as those of an operator.
	Exchanges map[string]string
	// Kind is plain, upsert, two-phase or kafka; empty: plain.
	Kind string
	// Connector brings the operators that the sink consists of; nil: it is one of
	// package flink.
	Connector any
	Operators []*OperatorSpec
	// Transactions make it a sink of two phases. Nil: those of the cluster, when
	// its kind says so.
	Transactions Transactions
}

// Kinds of sinks.
const (
	SinkPlain    = "plain"
	SinkUpsert   = "upsert"
	SinkTwoPhase = "two-phase"
	SinkKafka    = "kafka"
)
