package world

import (
	"streaminglab/sim/flink"
	broker "streaminglab/sim/kafka"
)

// maxReplicas is how many copies a partition may have.
const maxReplicas = 5

// maxRetention is the largest retention.bytes, maxSegment the largest segment.
const maxRetention, maxSegment = 1 << 40, 100_000

// kafkaTopic reads a topic: the number of its partitions, or what it is like.
func (r *jobReader) kafkaTopic(e entry) flink.KafkaTopic {
	t := flink.KafkaTopic{Name: e.key, Partitions: 1}
	if e.node.kind == scalarNode {
		t.Partitions = int(r.integer(e.node, 1, maxPartitions))
		return t
	}
	const minInSync, fetchDelay, unclean = "min.insync.replicas", "fetch-delay", "unclean.leader.election.enable"
	const retentionTime, retentionBytes, segment = "retention.ms", "retention.bytes", "segment-records"
	if !r.keys(e.node, "partitions", "replicas", minInSync, fetchDelay, unclean, retentionTime, retentionBytes, segment) {
		return t
	}
	if v := e.node.get("partitions"); v != nil {
		t.Partitions = int(r.integer(v, 1, maxPartitions))
	}
	if v := e.node.get("replicas"); v != nil {
		t.Replicas = int(r.integer(v, 1, maxReplicas))
	}
	for _, key := range []string{minInSync, fetchDelay, unclean} {
		r.onlyWith(e.node, key, t.Replicas > 1, "replicas")
	}
	if v := e.node.get(retentionTime); v != nil {
		t.RetentionTime = r.milliseconds(v, 1)
	}
	if v := e.node.get(retentionBytes); v != nil {
		t.RetentionBytes = r.integer(v, 1, maxRetention)
	}
	r.onlyWith(e.node, segment, t.RetentionTime > 0 || t.RetentionBytes > 0, retentionTime+", "+retentionBytes)
	if v := e.node.get(segment); v != nil {
		t.Segment = int(r.integer(v, 1, maxSegment))
	}
	t.FetchDelay = broker.DefaultFetchDelay
	if v := e.node.get(minInSync); v != nil {
		t.MinInSync = int(r.integer(v, 1, maxReplicas))
	}
	if v := e.node.get(fetchDelay); v != nil {
		t.FetchDelay = r.milliseconds(v, 0)
	}
	if v := e.node.get(unclean); v != nil {
		t.Unclean = r.bool(v)
	}
	return t
}
