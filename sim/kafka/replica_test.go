package kafka_test

import (
	"errors"
	"slices"
	"testing"

	"streaminglab/sim/kafka"
)

// V13: a completed transaction whose marker is at the high watermark or above is
// still unstable.
func TestMarkerAboveHighWatermarkIsUnstable(t *testing.T) {
	l := &timeline{}
	b := l.broker(kafka.DefaultConfig())
	b.CreateTopic("t", 1)
	b.Replicate("t", kafka.Replication{Replicas: 2, FetchDelay: 10})
	at := kafka.TopicPartition{Topic: "t"}
	p := b.NewProducer("A", 60_000)
	p.Acks = kafka.AcksLeader // the flush before the commit is not to wait
	if err := errors.Join(p.InitTransactions(), p.BeginTransaction(), p.Send(at, []kafka.Record{{Value: "a1"}})); err != nil {
		t.Fatal(err)
	}
	l.to(5)
	if err := p.CommitTransaction(); err != nil {
		t.Fatal(err)
	}
	l.to(10)
	part := b.Partition(at)
	if part.End != 2 || part.HighWatermark() != 1 || part.LastStableOffset() != 0 {
		t.Errorf("end %d, HW %d, LSO %d", part.End, part.HighWatermark(), part.LastStableOffset())
	}
	if rc, ru := values(part.ReadCommitted(0)), values(part.ReadUncommitted(0)); len(rc) > 0 || !slices.Equal(ru, []string{"a1"}) {
		t.Errorf("read_committed %v, read_uncommitted %v", rc, ru)
	}
	l.to(30)
	if part.HighWatermark() != 2 || part.LastStableOffset() != 2 || !slices.Equal(values(part.ReadCommitted(0)), []string{"a1"}) {
		t.Errorf("HW %d, LSO %d, read_committed %v", part.HighWatermark(), part.LastStableOffset(), values(part.ReadCommitted(0)))
	}
}
