package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"streaminglab/sim/kafka"
)

// kafkaTxn drives producers, consumers and an Admin: what an application sees.
type kafkaTxn struct {
	*kafkaObserver
	clients map[string]*kafka.ProducerClient
}

func newKafkaTxn(config json.RawMessage) (Replayer, error) {
	c, err := configured[kafkaConfig](config)
	if err != nil {
		return nil, err
	}
	return &kafkaTxn{newKafkaObserver(c), map[string]*kafka.ProducerClient{}}, nil
}

// txnStep are the fields of all steps.
type txnStep struct {
	Op      string           `json:"op"`
	P       string           `json:"p"`
	ID      string           `json:"id"`
	IDs     []string         `json:"ids"`
	Timeout *int64           `json:"timeout"`
	Part    int              `json:"part"`
	V       []string         `json:"v"`
	Group   string           `json:"group"`
	Off     map[string]int64 `json:"off"`
	Start   int64            `json:"start"`
	Seq     int32            `json:"seq"`
	N       int              `json:"n"`
	MS      int64            `json:"ms"`
	Before  int64            `json:"before"`
}

func records(values []string) (out []kafka.Record) {
	for _, v := range values {
		out = append(out, kafka.Record{Value: v})
	}
	return out
}

// thrown is how the recording shows the result of a call.
func thrown(err error) (any, error) {
	if err == nil {
		return "ok", nil
	}
	var e *kafka.Exception
	if !errors.As(err, &e) {
		return nil, err
	}
	out := map[string]any{"ex": e.Class}
	if e.Cause != "" {
		out["cause"] = e.Cause
	}
	if e.Err != kafka.None {
		out["err"], out["code"] = e.Err.String(), int(e.Err)
	}
	if e.Message != "" {
		out["msg"] = e.Message
	}
	return out, nil
}

// Step implements Replayer.
func (r *kafkaTxn) Step(step json.RawMessage) (any, error) {
	var s txnStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if out, ok := r.common(s.Op, s.MS, s.Part, s.Before, s.Group); ok {
		if out["err"] == nil {
			out["r"] = "ok"
		}
		return out, nil
	}
	out := map[string]any{}
	client := r.clients[s.P]
	if s.P != "" && client == nil && s.Op != "new" {
		return nil, fmt.Errorf("unknown producer %q", s.P)
	}
	var err error
	switch s.Op {
	case "new":
		timeout := int64(kafka.DefaultTransactionTimeout)
		if s.Timeout != nil {
			timeout = *s.Timeout
		}
		r.clients[s.P] = r.broker.NewProducer(s.ID, timeout)
	case "init":
		err = client.InitTransactions()
	case "begin":
		err = client.BeginTransaction()
	case "commit":
		err = client.CommitTransaction()
	case "abort":
		err = client.AbortTransaction()
	case "flush":
		err = client.Flush()
	case "send":
		err = client.Send(r.at(s.Part), records(s.V))
	case "offsets":
		offsets := map[kafka.TopicPartition]int64{}
		for part, n := range s.Off {
			i, err := strconv.Atoi(part)
			if err != nil {
				return nil, err
			}
			offsets[r.at(i)] = n
		}
		err = client.SendOffsetsToTransaction(s.Group, offsets)
	case "kill":
		delete(r.clients, s.P)
	case "close":
		client.Close()
		delete(r.clients, s.P)
	case "plain":
		r.broker.Produce(kafka.Produce{At: r.at(s.Part), Producer: kafka.NoProducer, Records: records(s.V)})
	case "fence":
		fenced := map[string]any{}
		for _, id := range s.IDs {
			producer, epoch, e := r.broker.FenceProducers(id)
			if e != nil {
				err = e
				break
			}
			fenced[id] = map[string]any{"pid": r.name(producer), "epoch": epoch}
		}
		out["fenced"] = fenced
	case "aborttxn":
		found, code := r.broker.AbortOpenTransaction(r.at(s.Part), s.Start)
		if !found {
			return r.answered(out, "none")
		}
		if code != kafka.None {
			return r.answered(out, map[string]any{"err": code.String(), "code": int(code)})
		}
	case "late":
		version := 11
		if r.config.TV >= 2 {
			version = 12
		}
		_, _, code := r.broker.Produce(kafka.Produce{
			ID: s.ID, At: r.at(s.Part), Producer: client.Producer, Epoch: client.Epoch, Sequence: s.Seq, Transactional: true,
			Records: records(s.V), Version: version,
		})
		if code != kafka.None {
			out["client"] = string(client.State)
			return r.answered(out, map[string]any{"err": code.String(), "code": int(code)})
		}
	case "inits":
		for range s.N {
			r.broker.InitProducerID(kafka.InitProducerID{
				ID: s.ID, Timeout: kafka.DefaultTransactionTimeout, Producer: kafka.NoProducer, Epoch: kafka.NoEpoch, Version: 5,
			})
		}
	default:
		return nil, fmt.Errorf("unknown step %q", s.Op)
	}
	if c := r.clients[s.P]; c != nil && s.Op != "new" {
		out["client"] = string(c.State)
	}
	result, err := thrown(err)
	if err != nil {
		return nil, err
	}
	return r.answered(out, result)
}

func (r *kafkaTxn) answered(out map[string]any, result any) (any, error) {
	out["r"] = result
	return r.changes(out), nil
}
