package kafka_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"streaminglab/sim/kafka"
)

// before is what the broker was like before a request.
type before struct {
	epochs map[kafka.ProducerID]int16
	lso    []int64
}

// check compares with what was before: epochs do not go back, and the last stable
// offset only where it may.
func (was before) check(t *testing.T, seed uint64, b *kafka.Broker, mayGoBack bool) {
	t.Helper()
	for _, x := range b.Transactions() {
		if e, ok := was.epochs[x.Producer]; ok && x.Epoch < e {
			t.Fatalf("seed %d: the epoch of producer %d went from %d to %d", seed, x.Producer, e, x.Epoch)
		}
		was.epochs[x.Producer] = x.Epoch
	}
	for i := range was.lso {
		part := b.Partition(kafka.TopicPartition{Topic: "t", Partition: i})
		lso, hw := part.LastStableOffset(), part.HighWatermark()
		if lso > hw || hw > part.End {
			t.Fatalf("seed %d: LSO %d, HW %d, end %d", seed, lso, hw, part.End)
		}
		if lso < was.lso[i] && !mayGoBack {
			t.Fatalf("seed %d: the LSO went back from %d to %d", seed, was.lso[i], lso)
		}
		was.lso[i] = lso
	}
}

// Whatever is asked in whatever order: the epoch of a producer id never goes
// back, the last stable offset never passes the high watermark and goes back only
// where records were deleted, a read_committed reader sees nothing that a
// read_uncommitted one does not, and what a client was told is committed can be
// read once its markers are written.
func TestRandomRequests(t *testing.T) {
	const partitions = 2
	for seed := range uint64(300) {
		for _, version := range []int{1, 2} {
			r := rand.New(rand.NewPCG(seed, uint64(version)))
			now := int64(0)
			c := kafka.DefaultConfig()
			c.TransactionVersion = version
			b := kafka.NewBroker(c, func() int64 { return now })
			at := func(n int) kafka.TopicPartition { return kafka.TopicPartition{Topic: "t", Partition: n} }
			held := false
			clients := map[string]*kafka.ProducerClient{}
			// written are the values of an open transaction, committed those that a
			// client was told are, gone those that were deleted.
			written := map[*kafka.ProducerClient][]string{}
			committed, gone := map[string]bool{}, map[string]bool{}
			was := before{map[kafka.ProducerID]int16{}, make([]int64, partitions)}
			for n := range 120 {
				deleted := false
				id := string(rune('A' + r.IntN(3)))
				p := clients[id]
				switch x := r.IntN(100); {
				case p == nil || p.State == kafka.FatalError || x < 4:
					if held {
						break
					}
					p = b.NewProducer(id, 1000+r.Int64N(100_000))
					if err := p.InitTransactions(); err != nil {
						t.Fatalf("seed %d: init: %v", seed, err)
					}
					clients[id] = p
				case x < 20:
					_ = p.BeginTransaction()
				case x < 60:
					if held || p.State != kafka.InTransaction {
						break
					}
					value := fmt.Sprintf("%s%d", id, n)
					if p.Send(at(r.IntN(partitions)), []kafka.Record{{Value: value}}) == nil {
						written[p] = append(written[p], value)
					}
				case x < 72:
					if held {
						break
					}
					if p.State == kafka.InTransaction && p.CommitTransaction() == nil {
						for _, v := range written[p] {
							committed[v] = true
						}
					}
					delete(written, p)
				case x < 78:
					if !held {
						_ = p.AbortTransaction()
					}
					delete(written, p)
				case x < 86:
					now += r.Int64N(30_000)
				case x < 90:
					b.AbortTimedOut()
				case x < 92:
					b.HoldMarkers()
					held = true
				case x < 95:
					b.ReleaseMarkers()
					held = false
				case x < 96:
					b.MoveCoordinator()
				case x < 98:
					b.Produce(kafka.Produce{At: at(r.IntN(partitions)), Producer: kafka.NoProducer, Records: []kafka.Record{{Value: "plain"}}})
				default:
					part := b.Partition(at(r.IntN(partitions)))
					if part.End > part.Start {
						for _, x := range part.ReadUncommitted(part.Start) {
							if x.Offset < part.Start+1 {
								gone[x.Record.Value] = true
							}
						}
						part.DeleteRecords(part.Start + 1)
						deleted = true
					}
				}
				was.check(t, seed, b, deleted)
				for i := range partitions {
					part := b.Partition(at(i))
					all := part.ReadUncommitted(part.Start)
					for _, committed := range []bool{true, false} {
						want := all
						if committed {
							want = part.ReadCommitted(part.Start)
						}
						from := part.Start
						for _, x := range want {
							batch, at := part.Next(from, committed)
							if batch == nil || at != x.Offset {
								t.Fatalf("seed %d: next from %d (committed %v) is %d, want %d", seed, from, committed, at, x.Offset)
							}
							from = at + 1
						}
						if batch, at := part.Next(from, committed); batch != nil {
							t.Fatalf("seed %d: next from %d (committed %v) is %d, want none", seed, from, committed, at)
						}
					}
					for _, x := range part.ReadCommitted(part.Start) {
						if !slices.ContainsFunc(all, func(o kafka.Read) bool { return o.Offset == x.Offset && o.Record.Value == x.Record.Value }) {
							t.Fatalf("seed %d: %v is read by read_committed alone", seed, x)
						}
					}
				}
			}
			b.ReleaseMarkers()
			for _, p := range clients {
				p.Close()
			}
			now += 1_000_000
			b.AbortTimedOut()
			seen := map[string]bool{}
			for i := range partitions {
				part := b.Partition(at(i))
				if part.LastStableOffset() != part.End {
					t.Fatalf("seed %d: partition %d stays at LSO %d of %d", seed, i, part.LastStableOffset(), part.End)
				}
				for _, x := range part.ReadCommitted(part.Start) {
					seen[x.Record.Value] = true
				}
			}
			for v := range committed {
				if !seen[v] && !gone[v] {
					t.Fatalf("seed %d: %s was committed and cannot be read", seed, v)
				}
			}
		}
	}
}
