package world

import (
	"streaminglab/sim/connector/kafka"
	"streaminglab/sim/flink"
	broker "streaminglab/sim/kafka"
)

// kafkaSinkKeys are the keys of a sink that mean something for kind: kafka
// alone: what KafkaSinkBuilder sets.
var kafkaSinkKeys = []string{"uid", "topic", "delivery-guarantee", "transactional-id-prefix", "transaction-naming-strategy", "properties"}

// Options of clients in properties.
const (
	propertyTimeout   = "transaction.timeout.ms"
	propertyLinger    = "linger.ms"
	propertyIsolation = "isolation.level"
	propertyGroup     = "group.id"
	propertyAcks      = "acks"
	propertyReset     = "auto.offset.reset"
)

// kafka reads what a job file says of the broker.
func (r *jobReader) kafka(n *node) (out flink.KafkaSpec) {
	if !r.keys(n, append(BrokerOptions(), "topics")...) {
		return out
	}
	for _, o := range brokerOptions {
		v := n.get(o.name)
		if v == nil || !r.is(v, scalarNode) {
			continue
		}
		if o.takes(v.scalar) {
			out.Options = append(out.Options, flink.KafkaOption{Name: o.name, Value: v.scalar})
		} else {
			r.fail(v, "job.kafka-option", "Option", o.name, "Value", v.scalar, "Forms", o.forms)
		}
	}
	if topics := n.get("topics"); topics != nil && r.is(topics, mappingNode) {
		for _, e := range topics.entries {
			r.topicName(e.at, e.key)
			out.Topics = append(out.Topics, r.kafkaTopic(e))
		}
	}
	return out
}

// kafkaSink reads a sink of kind kafka.
func (r *jobReader) kafkaSink(n *node, s *flink.SinkSpec) {
	if s.Kind != flink.SinkKafka {
		for _, k := range kafkaSinkKeys {
			r.onlyWith(n, k, false, "kind: kafka")
		}
		return
	}
	k := &kafka.Sink{
		Name: s.Name, Inputs: s.Inputs, Exchanges: s.Exchanges, Checkpointing: r.config.checkpointing.Interval > 0, Unchained: r.config.unchained,
		Config: kafka.Config{Guarantee: kafka.NoGuarantee, Naming: kafka.Incrementing},
	}
	s.Connector = k
	c := &k.Config
	if v := n.get("uid"); v != nil {
		k.UID = r.name(v)
	}
	if v := n.get("topic"); v != nil {
		c.Topic = r.topic(v)
	} else {
		r.fail(n, "job.missing-key", "Key", "topic")
	}
	if v := n.get("delivery-guarantee"); v != nil {
		c.Guarantee = kafka.Guarantee(r.word(v, string(kafka.NoGuarantee), string(kafka.AtLeastOnce), string(kafka.ExactlyOnce)))
	}
	if v := n.get("transactional-id-prefix"); v != nil {
		c.Prefix = r.name(v)
	}
	if v := n.get("transaction-naming-strategy"); v != nil {
		c.Naming = kafka.Naming(r.word(v, string(kafka.Incrementing), string(kafka.Pooling)))
	}
	if v := n.get("properties"); v != nil && r.keys(v, propertyTimeout, propertyLinger, propertyAcks) {
		if t := v.get(propertyTimeout); t != nil {
			c.Timeout = r.milliseconds(t, 1)
		}
		if t := v.get(propertyLinger); t != nil {
			c.Lingers = r.milliseconds(t, 0) > 0
		}
		if t := v.get(propertyAcks); t != nil {
			c.Acks, _ = broker.ParseAcks(r.word(t, "all", "1", "0"))
		}
	}
	if err := c.Check(); err != nil && r.problem == nil {
		r.refuse(n, kafka.Thrown(err, "F-3"))
	}
}

// kafkaSource reads what a source says of a topic.
func (r *jobReader) kafkaSource(n *node, s *flink.SourceSpec) {
	v := n.get("topic")
	if v == nil {
		r.onlyWith(n, "properties", false, "topic")
		r.onlyWith(n, "stop-by", false, "topic")
		return
	}
	s.Topic, s.Isolation = r.topic(v), kafka.ReadUncommitted
	r.onlyWith(n, "splits", false, "kafka.topics")
	if p := n.get("properties"); p != nil && r.keys(p, propertyIsolation, propertyGroup, propertyReset) {
		if g := p.get(propertyGroup); g != nil {
			s.Group = r.name(g)
		}
		if i := p.get(propertyReset); i != nil {
			s.Reset = r.word(i, kafka.ResetEarliest, kafka.ResetLatest, kafka.ResetNone)
		}
		if i := p.get(propertyIsolation); i != nil {
			s.Isolation = r.word(i, kafka.ReadUncommitted, kafka.ReadCommitted)
		}
	}
	if v := n.get("stop-by"); v != nil {
		s.StopByRecord = r.word(v, "position", "record") == "record"
	}
	if w := n.get("watermark"); w != nil {
		if v := w.get("strategy"); v != nil && v.scalar == "scripted" {
			r.fail(v, "job.topic-scripted", "Source", s.Name)
		}
	}
}

// topic reads the name of a topic.
func (r *jobReader) topic(n *node) string {
	if r.is(n, scalarNode) {
		r.topicName(n, n.scalar)
	}
	return n.scalar
}

func (r *jobReader) topicName(n *node, name string) {
	if p := topicName(name); p != nil {
		r.failWith(n, p)
	}
}

// milliseconds reads a number of ms, or a duration with its unit.
func (r *jobReader) milliseconds(n *node, low int64) int64 {
	if !r.is(n, scalarNode) {
		return low
	}
	v, ok := milliseconds(n.scalar)
	if !ok || v < low {
		r.fail(n, "job.want-duration", "Value", n.scalar)
		return low
	}
	return v
}
