package kafka_test

import (
	"errors"
	"slices"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// A later is what a broker wants to do at a time.
type later struct {
	at int64
	do func()
}

// A timeline lets time pass for a broker.
type timeline struct {
	now   int64
	queue []later
}

func (l *timeline) broker(c kafka.Config) *kafka.Broker {
	b := kafka.NewBroker(c, func() int64 { return l.now })
	b.Later = func(at int64, do func()) { l.queue = append(l.queue, later{at, do}) }
	return b
}

// to lets time pass up to t.
func (l *timeline) to(t int64) {
	for {
		next := -1
		for i, x := range l.queue {
			if x.at <= t && (next < 0 || x.at < l.queue[next].at) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		x := l.queue[next]
		l.queue = slices.Delete(l.queue, next, next+1)
		l.now = max(l.now, x.at)
		x.do()
	}
	l.now = t
}

func values(reads []kafka.Read) (out []string) {
	for _, x := range reads {
		out = append(out, x.Record.Value)
	}
	return out
}

// V5: the marker of p0 is written at 10 s, that of p1 at 50 s. The client has its
// answer at once, and whoever asks in between is told to come again.
func TestMarkersArriveOnePartitionAtATime(t *testing.T) {
	for _, version := range []int{1, 2} {
		l := &timeline{}
		c := kafka.DefaultConfig()
		c.TransactionVersion = version
		b := l.broker(c)
		armed := sim.Faults{}
		b.Fault = armed.Pass
		p0, p1 := kafka.TopicPartition{Topic: "t"}, kafka.TopicPartition{Topic: "t", Partition: 1}
		p := b.NewProducer("A", 60_000)
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(p.InitTransactions())
		must(p.BeginTransaction())
		must(p.Send(p0, []kafka.Record{{Value: "a1"}}))
		must(p.Send(p1, []kafka.Record{{Value: "a2"}}))
		epoch := p.Epoch
		l.to(10_000)
		armed.Arm(&sim.Fault{Point: sim.PointMarker, At: "t/1", Kind: sim.FaultDelay, For: 40_000})
		must(p.CommitTransaction())

		l.to(20_000)
		if x := b.Transaction("A"); x.State != kafka.PrepareCommit || !slices.Equal(x.Partitions(), []kafka.TopicPartition{p1}) {
			t.Fatalf("version %d: %s with %v at 20 s", version, x.State, x.Partitions())
		}
		for part, want := range map[kafka.TopicPartition]int64{p0: 2, p1: 0} {
			if got := b.Partition(part).LastStableOffset(); got != want {
				t.Errorf("version %d: LSO %d of %s at 20 s", version, got, part)
			}
		}
		if got := values(b.Partition(p0).ReadCommitted(0)); !slices.Equal(got, []string{"a1"}) {
			t.Errorf("version %d: %v on p0 at 20 s", version, got)
		}
		if got := values(b.Partition(p1).ReadCommitted(0)); len(got) > 0 {
			t.Errorf("version %d: %v on p1 at 20 s", version, got)
		}
		end := 4
		if version == 2 {
			end = 5
		}
		current := b.Transaction("A").Epoch
		for _, commit := range []bool{true, false} {
			if _, _, err := b.EndTxn(kafka.EndTxn{ID: "A", Producer: p.Producer, Epoch: current, Commit: commit, Version: end}); err != kafka.ConcurrentTransactions {
				t.Errorf("version %d: EndTxn %v answers %s", version, commit, err)
			}
		}
		if err := b.AddPartitionsToTxn(kafka.AddPartitions{ID: "A", Producer: p.Producer, Epoch: current, Partitions: []kafka.TopicPartition{p0}, Version: 3}); err != kafka.ConcurrentTransactions {
			t.Errorf("version %d: AddPartitionsToTxn answers %s", version, err)
		}
		if _, _, err := b.InitProducerID(kafka.InitProducerID{ID: "A", Timeout: 60_000, Producer: kafka.NoProducer, Epoch: kafka.NoEpoch, Version: 5}); err != kafka.ConcurrentTransactions {
			t.Errorf("version %d: InitProducerId answers %s", version, err)
		}

		l.to(50_000)
		if x := b.Transaction("A"); x.State != kafka.CompleteCommit || x.Epoch != epoch+int16(version-1) {
			t.Errorf("version %d: %s, epoch %d at 50 s", version, x.State, x.Epoch)
		}
		for part, want := range map[kafka.TopicPartition]string{p0: "a1", p1: "a2"} {
			if x := b.Partition(part); x.LastStableOffset() != 2 || !slices.Equal(values(x.ReadCommitted(0)), []string{want}) {
				t.Errorf("version %d: LSO %d, %v of %s at 50 s", version, x.LastStableOffset(), values(x.ReadCommitted(0)), part)
			}
		}
	}
}

// A coordinator that takes over sends every marker again: where one stands already
// the repeat costs an offset, and the one that its predecessor sent, which arrives
// last, is refused (K25).
func TestMarkerOfAFormerCoordinatorIsRefused(t *testing.T) {
	l := &timeline{}
	b := l.broker(kafka.DefaultConfig())
	armed := sim.Faults{}
	b.Fault = armed.Pass
	p0, p1 := kafka.TopicPartition{Topic: "t"}, kafka.TopicPartition{Topic: "t", Partition: 1}
	p := b.NewProducer("A", 60_000)
	if err := errors.Join(p.InitTransactions(), p.BeginTransaction(), p.Send(p0, []kafka.Record{{Value: "a1"}}), p.Send(p1, []kafka.Record{{Value: "a2"}})); err != nil {
		t.Fatal(err)
	}
	armed.Arm(&sim.Fault{Point: sim.PointMarker, At: "t/1", Kind: sim.FaultDelay, For: 5000})
	if err := p.CommitTransaction(); err != nil {
		t.Fatal(err)
	}
	l.to(1000)
	b.MoveCoordinator()
	if x := b.Transaction("A"); x.State != kafka.CompleteCommit {
		t.Errorf("%s when the coordinator has moved", x.State)
	}
	if got := b.Partition(p0).End; got != 3 {
		t.Errorf("p0 ends at %d", got)
	}
	l.to(5000)
	if got := b.Partition(p1).End; got != 2 {
		t.Errorf("p1 ends at %d: the late marker was taken", got)
	}
}

// A marker that is lost is sent again when its request has timed out.
func TestLostMarkerIsSentAgain(t *testing.T) {
	l := &timeline{}
	b := l.broker(kafka.DefaultConfig())
	armed := sim.Faults{}
	b.Fault = armed.Pass
	at := kafka.TopicPartition{Topic: "t"}
	p := b.NewProducer("A", 60_000)
	if err := errors.Join(p.InitTransactions(), p.BeginTransaction(), p.Send(at, []kafka.Record{{Value: "a1"}})); err != nil {
		t.Fatal(err)
	}
	armed.Arm(&sim.Fault{Point: sim.PointMarker, At: "A", Kind: sim.FaultLose})
	if err := p.CommitTransaction(); err != nil {
		t.Fatal(err)
	}
	l.to(kafka.RequestTimeout - 1)
	if got := b.Partition(at).LastStableOffset(); got != 0 {
		t.Errorf("LSO %d before the request times out", got)
	}
	l.to(kafka.RequestTimeout)
	if got := b.Partition(at).LastStableOffset(); got != 2 || b.Transaction("A").State != kafka.CompleteCommit {
		t.Errorf("LSO %d, %s", got, b.Transaction("A").State)
	}
}
