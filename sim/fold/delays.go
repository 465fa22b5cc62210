package fold

import (
	"cmp"
	"slices"
	"strings"

	"streaminglab/sim"
)

// What became of a record for a reader of committed records.
const (
	// DelayReadable : a reader from the start of the log gets it.
	DelayReadable = "readable"
	// DelayOpen : its transaction is not decided where it stands.
	DelayOpen = "open"
	// DelayBehind : it would be readable, and the last stable offset is before it.
	DelayBehind = "behind"
	// DelayAborted : nobody will ever get it.
	DelayAborted = "aborted"
	// DelayDeleted : it was deleted before anybody could get it.
	DelayDeleted = "deleted"
	// DelayGone : the leader that had it is gone, and the next one has no copy.
	DelayGone = "gone"
)

// A Delay is how long a record of a topic waited until read_committed gets it.
type Delay struct {
	Partition   string `expr:"partition" doc:"topic/partition"`
	Offset      int    `expr:"offset" doc:"its offset"`
	Key         string `expr:"key" doc:"its key"`
	Value       string `expr:"value" doc:"its value"`
	Transaction int    `expr:"transaction" doc:"number of its transaction; 0: it has none, or the coordinator knew of none"`
	By          string `expr:"by" doc:"client that sent it"`
	Written     int    `expr:"written" doc:"when it was written to the log, ms; that is when read_uncommitted gets it"`
	Readable    int    `expr:"readable" doc:"since when read_committed gets it, ms; -1: not yet, or never"`
	Delay       int    `expr:"delay" doc:"ms between both; -1: not yet, or never"`
	State       string `expr:"state" doc:"readable, open (its transaction is not decided), behind (the last stable offset is before it), aborted, deleted or gone (with its leader)"`
	Step        int    `expr:"step" doc:"the step with which it was written"`
	T           int    `expr:"t" doc:"virtual time of that step, ms"`

	batch *Batch
}

// written notes the records of a batch. Kafka's own topics have no readers to
// wait for.
func (k *Kafka) written(s *sim.Step, p *Partition, b *Batch) {
	if Internal(p.Name) {
		return
	}
	for i, v := range b.Values {
		key, value, ok := strings.Cut(v, "=")
		if !ok {
			key, value = "", v
		}
		d := &Delay{
			Partition: p.Name, Offset: b.Offset + i, Key: key, Value: value, Transaction: b.Transaction, By: b.By,
			Written: int(s.T), Readable: -1, Delay: -1, State: DelayBehind, Step: s.Seq, T: int(s.T), batch: b,
		}
		if b.State == BatchOpen {
			d.State = DelayOpen
		}
		p.waiting = append(p.waiting, d)
		k.Delays = append(k.Delays, d)
	}
}

// settled is what decides whether the records of a partition can be read.
type settled struct{ lso, start, end, markers int }

// settle says of what waits on the partitions how it stands at a time. Most
// steps change nothing of that.
func (k *Kafka) settle(t int64) {
	for _, p := range k.Partitions {
		now := settled{p.LSO, p.Start, p.End, p.markers}
		if now == p.settled {
			continue
		}
		p.settled = now
		left := p.waiting[:0]
		for _, d := range p.waiting {
			switch {
			case d.batch.State == BatchGone:
				d.State = DelayGone
			case d.batch.State == BatchAborted:
				d.State = DelayAborted
			case d.Offset < p.Start:
				d.State = DelayDeleted
			case d.batch.State == BatchOpen:
				d.State = DelayOpen
				left = append(left, d)
			case d.Offset >= p.LSO:
				d.State = DelayBehind
				left = append(left, d)
			default:
				d.State, d.Readable, d.Delay = DelayReadable, int(t), int(t)-d.Written
			}
		}
		p.waiting = left
	}
}

// DelayOf is a summary of delays.
type DelayOf struct {
	// All are those of records that can be read, in ms, the shortest first.
	All []int64
	// Waiting are records that cannot be read yet, Never those that nobody will
	// read; Longest is how long the first of the former waits already, in ms.
	Waiting, Never int
	Longest        int64
}

// Summary sums delays up at a time.
func Summary(delays []*Delay, now int64) (out DelayOf) {
	for _, d := range delays {
		switch d.State {
		case DelayReadable:
			out.All = append(out.All, int64(d.Delay))
		case DelayOpen, DelayBehind:
			out.Waiting++
			out.Longest = max(out.Longest, now-int64(d.Written))
		default:
			out.Never++
		}
	}
	slices.SortFunc(out.All, cmp.Compare[int64])
	return out
}

// Percentile is the smallest delay that n of 100 do not exceed (nearest rank);
// 0 without any.
func (d DelayOf) Percentile(n int) int64 {
	if len(d.All) == 0 {
		return 0
	}
	return d.All[max((len(d.All)*n+99)/100, 1)-1]
}
