package kafka_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// A caller is a client whose last call may not have ended.
type caller struct {
	*kafka.ProducerClient
	call func() error
	done func(error)
}

// do makes a call, which goes on at the next try.
func (c *caller) do(call func() error, done func(error)) {
	c.call, c.done = call, done
	c.try()
}

func (c *caller) try() {
	err := c.call()
	if p := (*kafka.PendingError)(nil); errors.As(err, &p) {
		return
	}
	done := c.done
	c.call, c.done = nil, nil
	done(err)
}

// Brokers fall, freeze and come back, followers lag, markers are late or lost, and
// coordinators move. Whatever happens: the epoch of a producer id never goes back;
// a transaction that is open on a partition is one that the coordinator means to
// end there, unless a copy that was not in sync has led; the last stable offset
// never passes the high watermark nor that the end of the log, and goes back only
// with records that were deleted or with a leader; and what a client was told is
// committed can be read, unless the step of a leader that was not in sync says
// that it is gone.
func TestRandomFailures(t *testing.T) {
	for seed := range uint64(400) {
		for _, version := range []int{1, 2} {
			randomFailures(t, seed, version, seed%4 == 3)
		}
	}
}

func randomFailures(t *testing.T, seed uint64, version int, unclean bool) {
	t.Helper()
	const partitions = 2
	r := rand.New(rand.NewPCG(seed, uint64(version)))
	l := &timeline{}
	c := kafka.DefaultConfig()
	c.TransactionVersion = version
	b := l.broker(c)
	var armed sim.Faults
	b.Fault = armed.Pass
	moved, hangs := false, false
	lost, committed, gone := map[string]bool{}, map[string]bool{}, map[string]bool{}
	b.Tell = func(_, _ string, body sim.Body, _ ...*sim.Step) *sim.Step {
		if x, ok := body.(sim.LeaderChanged); ok {
			moved = true
			hangs = hangs || !x.Clean && x.Leader != ""
			if !x.Clean {
				for _, v := range x.Lost {
					lost[v] = true
				}
				for _, id := range x.Undecided {
					// The next transaction of the id decides about it.
					for v := range committed {
						lost[v] = lost[v] || v[:1] == id
					}
				}
			}
		}
		return nil
	}
	b.CreateTopic("t", partitions)
	b.Replicate("t", kafka.Replication{Replicas: 3, MinInSync: 1 + r.IntN(2), FetchDelay: r.Int64N(3000), Unclean: unclean})
	at := func(n int) kafka.TopicPartition { return kafka.TopicPartition{Topic: "t", Partition: n} }
	held := false
	clients := map[string]*caller{}
	written := map[*kafka.ProducerClient][]string{}
	was := before{map[kafka.ProducerID]int16{}, make([]int64, partitions)}
	check := func(deleted bool) {
		t.Helper()
		was.check(t, seed, b, deleted || moved)
		for i := range partitions {
			part := b.Partition(at(i))
			for _, x := range part.Producers() {
				if x.Start < 0 || hangs {
					continue
				}
				if !slices.ContainsFunc(b.Transactions(), func(o *kafka.Transaction) bool {
					return o.Producer == x.ID && slices.Contains(o.Partitions(), at(i))
				}) {
					t.Fatalf("seed %d: producer %d hangs on partition %d", seed, x.ID, i)
				}
			}
		}
		moved = false
	}
	for n := range 150 {
		deleted := false
		id := string(rune('A' + r.IntN(3)))
		p := clients[id]
		node := 1 + r.IntN(3)
		switch x := r.IntN(100); {
		case p != nil && p.call != nil && x < 60:
			p.try()
		case p == nil || p.State == kafka.FatalError || x < 3:
			p = &caller{ProducerClient: b.NewProducer(id, 1000+r.Int64N(100_000))}
			p.Waits, p.Name = true, id
			clients[id] = p
			p.do(p.InitTransactions, func(error) {})
		case x < 12:
			_ = p.BeginTransaction()
		case x < 40:
			if p.State != kafka.InTransaction {
				break
			}
			value, part := fmt.Sprintf("%s%d", id, n), at(r.IntN(partitions))
			records, sent := []kafka.Record{{Value: value}}, false
			p.do(func() error {
				if sent {
					return p.Resend()
				}
				sent = true
				return p.Send(part, records)
			}, func(err error) {
				if err == nil {
					written[p.ProducerClient] = append(written[p.ProducerClient], value)
				}
			})
		case x < 52:
			if p.State == kafka.InTransaction {
				p.do(p.CommitTransaction, func(err error) {
					for _, v := range written[p.ProducerClient] {
						committed[v] = committed[v] || err == nil
					}
					delete(written, p.ProducerClient)
				})
			}
		case x < 56:
			p.do(p.AbortTransaction, func(error) {})
			delete(written, p.ProducerClient)
		case x < 68:
			l.to(l.now + r.Int64N(20_000))
		case x < 70:
			b.AbortTimedOut()
		case x < 72:
			b.ShrinkInSync()
		case x < 73:
			b.HoldMarkers()
			held = true
		case x < 76:
			b.ReleaseMarkers()
			held = false
		case x < 78:
			b.MoveCoordinator()
		case x < 82:
			kind := []string{sim.FaultDelay, sim.FaultLose}[r.IntN(2)]
			armed.Arm(&sim.Fault{Point: sim.PointMarker, Kind: kind, For: r.Int64N(60_000)})
		case x < 86 && b.NodeState(node) == kafka.NodeRuns:
			b.CrashNode(node)
		case x < 88 && b.NodeState(node) == kafka.NodeRuns:
			b.PauseNode(node)
		case x < 90:
			b.SlowNode(node, r.Int64N(40_000))
		case x < 96 && b.NodeState(node) != kafka.NodeRuns:
			b.ResumeNode(node)
		case x < 98:
			b.Produce(kafka.Produce{At: at(r.IntN(partitions)), Producer: kafka.NoProducer, Records: []kafka.Record{{Value: "plain"}}})
		default:
			part := b.Partition(at(r.IntN(partitions)))
			if part.HighWatermark() > part.Start {
				for _, x := range part.ReadUncommitted(part.Start) {
					if x.Offset < part.Start+1 {
						gone[x.Record.Value] = true
					}
				}
				part.DeleteRecords(part.Start + 1)
				deleted = true
			}
		}
		check(deleted)
	}
	if held {
		b.ReleaseMarkers()
	}
	for n := 1; n <= 3; n++ {
		b.SlowNode(n, 0)
		if b.NodeState(n) != kafka.NodeRuns {
			b.ResumeNode(n)
		}
	}
	l.to(l.now + 200_000)
	b.ShrinkInSync()
	b.MoveCoordinator()
	for range 20 {
		l.to(l.now + 60_000)
		for _, id := range []string{"A", "B", "C"} {
			if p := clients[id]; p != nil && p.call != nil {
				p.try()
			}
		}
	}
	l.to(l.now + 1_000_000)
	b.AbortTimedOut()
	b.MoveCoordinator()
	l.to(l.now + 1_000_000)
	check(false)
	seen := map[string]bool{}
	for i := range partitions {
		part := b.Partition(at(i))
		if part.LastStableOffset() != part.End && !hangs {
			t.Fatalf("seed %d: partition %d stays at LSO %d, HW %d of %d", seed, i, part.LastStableOffset(), part.HighWatermark(), part.End)
		}
		for _, x := range part.ReadUncommitted(part.Start) {
			// A transaction that hangs hides what lies behind it.
			if hangs && !part.IsAborted(batchAt(part, x.Offset)) {
				seen[x.Record.Value] = true
			}
		}
		for _, x := range part.ReadCommitted(part.Start) {
			seen[x.Record.Value] = true
		}
	}
	for v, yes := range committed {
		if yes && !seen[v] && !gone[v] && !lost[v] {
			t.Fatalf("seed %d, version %d: %s was committed and cannot be read, and no step says why", seed, version, v)
		}
	}
}

func batchAt(p *kafka.Partition, offset int64) *kafka.Batch {
	for _, x := range p.Batches {
		if x.Last() >= offset {
			return x
		}
	}
	return nil
}
