package world

import (
	"strconv"
	"strings"

	"streaminglab/sim"
	connector "streaminglab/sim/connector/kafka"
	"streaminglab/sim/flink"
	"streaminglab/sim/kafka"
)

// takes reports whether the option can have a value.
func (o *brokerOption) takes(value string) bool {
	var c kafka.Config
	return o.set(&c, value)
}

// connect makes what a job file needs of the broker, and gives its sources and
// sinks their topics.
func (w *World) connect(spec *flink.Spec) {
	for _, o := range spec.Kafka.Options {
		w.configureBroker(o.Name, o.Value)
	}
	for _, t := range spec.Kafka.Topics {
		w.createReplicated(t)
	}
	for _, s := range spec.Sources {
		if s.Topic == "" {
			continue
		}
		w.createTopic(s.Topic, 1)
		s.Splits = nil
		for n := range w.broker.Partitions(s.Topic) {
			s.Splits = append(s.Splits, strconv.Itoa(n))
		}
		if s.Group != "" {
			s.Commit = func(positions []sim.SplitOffset, cause *sim.Step) { w.commitOffsets(s, positions, cause) }
		}
	}
	for _, s := range spec.Sinks {
		k, ok := s.Connector.(*connector.Sink)
		if !ok {
			continue
		}
		w.createTopic(k.Config.Topic, 1)
		k.Config.Broker, k.Config.Partitions, k.Channels = w.broker, w.broker.Partitions(k.Config.Topic), w.channels
		s.Operators = k.Vertices()
	}
}

// commitOffsets makes the positions of a source those of its group, for others to
// see (K-39): a restore does not read them.
func (w *World) commitOffsets(s *flink.SourceSpec, positions []sim.SplitOffset, cause *sim.Step) {
	offsets := map[kafka.TopicPartition]int64{}
	for _, p := range positions {
		if n, err := strconv.Atoi(strings.TrimPrefix(p.Split, s.Name+"/")); err == nil {
			offsets[kafka.TopicPartition{Topic: s.Topic, Partition: n}] = p.Offset
		}
	}
	w.broker.From(kafka.Client{Name: s.Name, Cause: cause})
	if err := w.broker.CommitOffsets(s.Group, offsets); err != kafka.None {
		// The source says so in its log and in commitsFailed, and goes on.
		w.broker.Refused("OffsetCommit", err)
	}
}

// readTopic lets a split of a source be a partition of its topic.
func (w *World) readTopic(s *flink.SourceSpec, l *flink.Log) {
	if s.Topic == "" {
		return
	}
	n, _ := strconv.Atoi(l.Split)
	p, ok := l.Origin.(*connector.PartitionLog)
	if !ok || p.At.Topic != s.Topic {
		p = connector.NewPartitionLog(w.broker, kafka.TopicPartition{Topic: s.Topic, Partition: n}, s.Name, l.Split)
		l.Origin = p
	}
	p.Isolation, p.StopByRecord, p.Reset = s.Isolation, s.StopByRecord, s.Reset
}
