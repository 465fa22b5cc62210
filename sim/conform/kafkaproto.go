package conform

import (
	"encoding/json"
	"fmt"
	"strconv"

	"streaminglab/sim/kafka"
)

// kafkaProto sends single requests to a broker; nothing is retried.
type kafkaProto struct {
	*kafkaObserver
	// produced numbers the records of all produce steps.
	produced int
	// began is the coordinator epoch at the start.
	began int
}

func newKafkaProto(config json.RawMessage) (Replayer, error) {
	c, err := configured[kafkaConfig](config)
	if err != nil {
		return nil, err
	}
	if c.Style == 0 {
		c.Style = c.TV
	}
	o := newKafkaObserver(c)
	return &kafkaProto{kafkaObserver: o, began: o.broker.CoordinatorEpoch()}, nil
}

// protoStep are the fields of all steps.
type protoStep struct {
	Op      string           `json:"op"`
	ID      string           `json:"id"`
	PID     string           `json:"pid"`
	Epoch   int16            `json:"epoch"`
	Timeout *int64           `json:"timeout"`
	N       int              `json:"n"`
	Real    bool             `json:"real"`
	Parts   []int            `json:"parts"`
	Part    int              `json:"part"`
	Seq     int32            `json:"seq"`
	Txn     *bool            `json:"txn"`
	Group   string           `json:"group"`
	Off     map[string]int64 `json:"off"`
	Commit  bool             `json:"commit"`
	CEpoch  *int             `json:"cepoch"`
	V       int              `json:"v"`
	MS      int64            `json:"ms"`
	Before  int64            `json:"before"`
}

// version is that of a request, where the step does not say.
func (r *kafkaProto) version(s *protoStep, styles ...int) int {
	if s.V > 0 {
		return s.V
	}
	return styles[min(r.config.Style, len(styles))-1]
}

// Step implements Replayer.
func (r *kafkaProto) Step(step json.RawMessage) (any, error) {
	var s protoStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if out, ok := r.common(s.Op, s.MS, s.Part, s.Before, s.Group); ok {
		return out, nil
	}
	producer := kafka.NoProducer
	if s.PID != "" {
		producer = r.producer(s.PID)
	}
	out := map[string]any{}
	answer := func(err kafka.Error) {
		out["err"] = err.String()
		if err != kafka.None {
			out["code"] = int(err)
		}
	}
	identity := func(id kafka.ProducerID, epoch int16, err kafka.Error) {
		if answer(err); err == kafka.None && id != kafka.NoProducer {
			out["pid"], out["epoch"] = r.name(id), epoch
		}
	}
	switch s.Op {
	case "init":
		q := kafka.InitProducerID{ID: s.ID, Timeout: 60_000, Producer: producer, Epoch: s.Epoch, Version: r.version(&s, 5)}
		if s.Timeout != nil {
			q.Timeout = *s.Timeout
		}
		if s.PID == "" {
			q.Epoch = kafka.NoEpoch
		}
		for range max(s.N, 1) - 1 {
			r.broker.InitProducerID(q)
		}
		identity(r.broker.InitProducerID(q))
	case "add":
		q := kafka.AddPartitions{ID: s.ID, Producer: producer, Epoch: s.Epoch, Version: r.version(&s, 3)}
		for _, p := range s.Parts {
			q.Partitions = append(q.Partitions, r.at(p))
		}
		answer(r.broker.AddPartitionsToTxn(q))
	case "produce":
		q := kafka.Produce{
			ID: s.ID, At: r.at(s.Part), Producer: producer, Epoch: s.Epoch, Sequence: s.Seq, Version: r.version(&s, 11, 12),
			Transactional: s.PID != "" && (s.Txn == nil || *s.Txn),
		}
		for range max(s.N, 1) {
			r.produced++
			q.Records = append(q.Records, kafka.Record{Value: "r" + strconv.Itoa(r.produced)})
		}
		base, _, err := r.broker.Produce(q)
		if answer(err); err == kafka.None {
			out["off"] = base
		}
	case "addoff":
		answer(r.broker.AddOffsetsToTxn(kafka.AddOffsets{ID: s.ID, Producer: producer, Epoch: s.Epoch, Group: s.Group, Version: r.version(&s, 4)}))
	case "txnoff":
		q := kafka.TxnOffsetCommit{ID: s.ID, Producer: producer, Epoch: s.Epoch, Group: s.Group, Offsets: map[kafka.TopicPartition]int64{}, Version: r.version(&s, 4, 5)}
		for part, n := range s.Off {
			i, err := strconv.Atoi(part)
			if err != nil {
				return nil, err
			}
			q.Offsets[r.at(i)] = n
		}
		answer(r.broker.TxnOffsetCommit(q))
	case "end":
		identity(r.broker.EndTxn(kafka.EndTxn{ID: s.ID, Producer: producer, Epoch: s.Epoch, Commit: s.Commit, Version: r.version(&s, 4, 5)}))
	case "marker":
		epoch := r.broker.CoordinatorEpoch()
		if s.CEpoch != nil {
			epoch = r.began + *s.CEpoch
		}
		result := kafka.Abort
		if s.Commit {
			result = kafka.Commit
		}
		answer(r.broker.WriteMarker(r.at(s.Part), producer, s.Epoch, result, epoch))
	default:
		return nil, fmt.Errorf("unknown step %q", s.Op)
	}
	return r.changes(out), nil
}
