package conform

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim/kafka"
)

// kafkaTopic is the one topic of a case.
const kafkaTopic = "t"

// nobody is a producer id that nobody has: PX.
const nobody kafka.ProducerID = 1 << 40

// kafkaConfig is the configuration of a case.
type kafkaConfig struct {
	TV           int      `json:"tv"`
	Parts        int      `json:"parts"`
	IDs          []string `json:"ids"`
	Style        int      `json:"style"`
	Verification *bool    `json:"verification"`
}

// A kafkaObserver says what changed at a broker since it was asked last.
type kafkaObserver struct {
	broker *kafka.Broker
	now    int64
	config kafkaConfig

	names map[kafka.ProducerID]string
	// seen is how much of each log was told, hw and lso what was told last.
	seen      []int64
	hw, lso   []int64
	described map[string]string
}

func newKafkaObserver(c kafkaConfig) *kafkaObserver {
	o := &kafkaObserver{
		config: c, names: map[kafka.ProducerID]string{}, seen: make([]int64, c.Parts), hw: make([]int64, c.Parts), lso: make([]int64, c.Parts),
		described: map[string]string{},
	}
	config := kafka.DefaultConfig()
	config.TransactionVersion = c.TV
	if c.Verification != nil {
		config.PartitionVerification = *c.Verification
	}
	o.broker = kafka.NewBroker(config, func() int64 { return o.now })
	return o
}

func (o *kafkaObserver) at(part int) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: kafkaTopic, Partition: part}
}

func (o *kafkaObserver) partition(part int) *kafka.Partition { return o.broker.Partition(o.at(part)) }

// name is how the recording calls a producer id: P0, P1, … by first appearance.
func (o *kafkaObserver) name(id kafka.ProducerID) string {
	n, ok := o.names[id]
	if !ok {
		n = "P" + strconv.Itoa(len(o.names))
		o.names[id] = n
	}
	return n
}

// producer is the id behind a name of the recording.
func (o *kafkaObserver) producer(name string) kafka.ProducerID {
	for id, n := range o.names {
		if n == name {
			return id
		}
	}
	return nobody
}

// changes adds to an answer what is another at the broker than before.
func (o *kafkaObserver) changes(out map[string]any) map[string]any {
	var log []any
	hw, lso := map[string]any{}, map[string]any{}
	for part := range o.config.Parts {
		p := o.partition(part)
		for _, b := range p.Batches {
			if b.Base >= o.seen[part] {
				log = append(log, o.batch(part, b))
			}
		}
		o.seen[part] = p.End
		if n := p.HighWatermark(); n != o.hw[part] {
			o.hw[part], hw[strconv.Itoa(part)] = n, n
		}
		if n := p.LastStableOffset(); n != o.lso[part] {
			o.lso[part], lso[strconv.Itoa(part)] = n, n
		}
	}
	txn := map[string]any{}
	for _, id := range o.config.IDs {
		d := o.describe(id)
		if text := fmt.Sprint(d); text != o.described[id] && (o.described[id] != "" || d["state"] != "unknown") {
			o.described[id], txn[id] = text, d
		}
	}
	if len(log) > 0 {
		out["log"] = log
	}
	for name, m := range map[string]map[string]any{"hw": hw, "lso": lso, "txn": txn} {
		if len(m) > 0 {
			out[name] = m
		}
	}
	return out
}

func (o *kafkaObserver) batch(part int, b *kafka.Batch) map[string]any {
	out := map[string]any{"part": part, "off": b.Base}
	if b.Producer != kafka.NoProducer {
		out["pid"], out["epoch"] = o.name(b.Producer), b.Epoch
	}
	switch b.Control {
	case kafka.Commit:
		out["ctl"] = "commit"
		return out
	case kafka.Abort:
		out["ctl"] = "abort"
		return out
	}
	if b.Producer != kafka.NoProducer {
		out["seq"] = b.Sequence
	}
	if b.Transactional {
		out["txn"] = true
	}
	var values []string
	for _, r := range b.Records {
		values = append(values, r.Value)
	}
	out["v"] = strings.Join(values, " ")
	return out
}

// describe is DescribeTransactions.
func (o *kafkaObserver) describe(id string) map[string]any {
	t := o.broker.Transaction(id)
	if t == nil {
		return map[string]any{"state": "unknown"}
	}
	out := map[string]any{"state": t.State.String(), "pid": o.name(t.Producer), "epoch": t.Epoch}
	if t.Timeout != 60_000 {
		out["timeout"] = t.Timeout
	}
	if parts := t.Partitions(); len(parts) > 0 {
		out["start"] = t.Start
		var numbers, group []any
		for _, p := range parts {
			if p.Topic == kafkaTopic {
				numbers = append(numbers, p.Partition)
			} else {
				group = []any{"group"}
			}
		}
		out["parts"] = append(numbers, group...)
	}
	return out
}

// reads are what consumers of both isolation levels get.
func (o *kafkaObserver) reads(out map[string]any) map[string]any {
	var rc, ru []any
	list := func(in []kafka.Read) []any {
		texts := []any{}
		for _, r := range in {
			texts = append(texts, fmt.Sprintf("%d:%s", r.Offset, r.Record.Value))
		}
		return texts
	}
	for part := range o.config.Parts {
		p := o.partition(part)
		rc, ru = append(rc, list(p.ReadCommitted(p.Start))), append(ru, list(p.ReadUncommitted(p.Start)))
	}
	out["rc"], out["ru"] = rc, ru
	return out
}

// final is the last step.
func (o *kafkaObserver) final() map[string]any {
	out := o.reads(map[string]any{})
	var prod, aborted []any
	for part := range o.config.Parts {
		p := o.partition(part)
		producers := p.Producers()
		slices.SortStableFunc(producers, func(a, b kafka.Producer) int { return cmp.Compare(o.number(a.ID), o.number(b.ID)) })
		list := []any{}
		for _, x := range producers {
			d := map[string]any{"pid": o.name(x.ID), "epoch": x.Epoch, "seq": x.Sequence}
			if x.Start >= 0 {
				d["start"] = x.Start
			}
			list = append(list, d)
		}
		prod = append(prod, list)
		index := []any{}
		for _, a := range p.Aborted {
			index = append(index, map[string]any{"pid": o.name(a.Producer), "first": a.First, "last": a.Last, "lso": a.Stable})
		}
		aborted = append(aborted, index)
	}
	out["prod"], out["aborted"] = prod, aborted
	return out
}

// number orders producers as the recording does: by name, those without one
// last.
func (o *kafkaObserver) number(id kafka.ProducerID) int {
	n, ok := o.names[id]
	if !ok {
		return 1 << 30
	}
	i, _ := strconv.Atoi(strings.TrimPrefix(n, "P"))
	return i
}

// fetched are the offsets of a group.
func (o *kafkaObserver) fetched(group string) map[string]any {
	list := func(stable bool) map[string]any {
		out := map[string]any{}
		for _, f := range o.broker.OffsetFetch(group, stable) {
			if f.Err != kafka.None {
				out[strconv.Itoa(f.At.Partition)] = f.Err.String()
			} else {
				out[strconv.Itoa(f.At.Partition)] = f.Offset
			}
		}
		return out
	}
	return map[string]any{"any": list(false), "stable": list(true)}
}

// common carries out the steps that both kinds have; not ok: it is none of them.
func (o *kafkaObserver) common(op string, ms int64, part int, before int64, group string) (out map[string]any, ok bool) {
	out = map[string]any{}
	switch op {
	case "advance":
		o.now += ms
	case "scan":
		o.broker.AbortTimedOut()
	case "sweep":
		o.broker.RemoveExpired()
	case "hold":
		o.broker.HoldMarkers()
	case "release":
		o.broker.ReleaseMarkers()
	case "reload":
		o.broker.MoveCoordinator()
	case "idle":
		o.broker.ExpireProducers()
	case "delete":
		low, err := o.partition(part).DeleteRecords(before)
		if err != kafka.None {
			out["err"] = err.String()
		} else {
			out["low"] = low
		}
	case "group":
		out = o.fetched(group)
	case "read":
		out = o.reads(out)
	case "final":
		return o.final(), true
	default:
		return nil, false
	}
	return o.changes(out), true
}
