package kafka

import (
	"fmt"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	broker "streaminglab/sim/kafka"
)

// Values of auto.offset.reset. KafkaSource takes it from its OffsetsInitializer,
// and overrides the property: EARLIEST unless the initializer says another
// (KafkaSourceBuilder, OffsetsInitializer#getAutoOffsetResetStrategy).
const (
	ResetEarliest = "earliest"
	ResetLatest   = "latest"
	ResetNone     = "none"
)

// refused reports whether a position cannot be fetched at: the reader has no right
// to the topic, or the log does not reach there. A split of which nothing was read
// is at EARLIEST, wherever that is.
func (p *PartitionLog) refused(from int64) bool {
	part := p.partition()
	_, truncated := p.truncated(from)
	return !part.Offline() && (!p.mayRead() || truncated || from > 0 && (from < part.Start || from > part.End))
}

// truncated is where the log of the present leader differs from what was read: a
// consumer that goes on reading hears of it when it validates its position; one
// that comes from a checkpoint does not.
func (p *PartitionLog) truncated(from int64) (at int64, ok bool) {
	if from == 0 || from != p.position {
		return 0, false
	}
	at, ok = p.partition().Diverges(p.epoch)
	return at, ok && at < from
}

func (p *PartitionLog) mayRead() bool {
	return p.Broker.Authorized(p.Source, broker.OperationRead, broker.ResourceTopic, p.At.Topic)
}

// Check implements flink.Checked: OFFSET_OUT_OF_RANGE and
// TOPIC_AUTHORIZATION_FAILED, as the consumer of the source takes them.
func (p *PartitionLog) Check(from int64) *flink.Refusal {
	if !p.refused(from) {
		return nil
	}
	if !p.mayRead() {
		return &flink.Refusal{Err: fetcher("org.apache.kafka.common.errors.TopicAuthorizationException", notAuthorized(p.At.Topic), "LAB-17"), Cause: p.Broker.AccessStep()}
	}
	part := p.partition()
	if at, ok := p.truncated(from); ok {
		return p.validated(from, at)
	}
	out := &flink.Refusal{To: part.Start, Rule: "LAB-16", Cause: part.Deleted()}
	policy := p.Reset
	switch policy {
	case ResetNone:
		out.Err = fetcher("org.apache.kafka.clients.consumer.OffsetOutOfRangeException", fmt.Sprintf(
			"Fetch position FetchPosition{offset=%d, offsetEpoch=Optional.empty, currentLeader=LeaderAndEpoch{leader=Optional[broker-1:9092 (id: 1 rack: null)], epoch=%d}} is out of range for partition %s-%d",
			from, part.LeaderEpoch(), p.At.Topic, p.At.Partition), "LAB-16")
		return out
	case ResetLatest:
		out.To = p.readable()
	default:
		policy = ResetEarliest
	}
	if from > part.End {
		// What it has read is not in the log of the new leader.
		out.Rule = "LAB-15"
	}
	out.Body = sim.OffsetReset{
		Partition: p.At.String(), Position: from, To: out.To, Policy: policy,
		Lost: part.Missed(from, out.To, p.Isolation == ReadCommitted),
	}
	return out
}

// validated is what becomes of a position that the log has been truncated below.
func (p *PartitionLog) validated(from, at int64) *flink.Refusal {
	part := p.partition()
	out := &flink.Refusal{To: max(at, part.Start), Rule: "LAB-15", Cause: part.LeaderStep()}
	if p.Reset == ResetNone {
		out.Err = fetcher("org.apache.kafka.clients.consumer.LogTruncationException", fmt.Sprintf(
			"Truncated partitions detected with divergent offsets {%s-%d=OffsetAndMetadata{offset=%d, leaderEpoch=%d, metadata=''}}",
			p.At.Topic, p.At.Partition, at, p.epoch), "LAB-15")
		return out
	}
	p.position, p.epoch = out.To, part.LeaderEpoch()
	out.Body = sim.OffsetReset{Partition: p.At.String(), Position: from, To: out.To, Policy: resetTruncated}
	return out
}

// resetTruncated stands where a policy would: the log says where to go on.
const resetTruncated = "truncated"

// fetcher is an exception that a reader's fetcher met, as the task fails with it.
func fetcher(class, message, rule string) error {
	return &sim.Exception{
		Class: "java.lang.RuntimeException", Rule: rule,
		Message: strings.Join([]string{
			"One or more fetchers have encountered exception", "Caused by: java.lang.RuntimeException: SplitFetcher thread 0 received unexpected exception while polling the records",
			"Caused by: " + class + ": " + message,
		}, ": "),
	}
}

// notAuthorized is what a TopicAuthorizationException says.
func notAuthorized(topic string) string { return "Not authorized to access topics: [" + topic + "]" }
