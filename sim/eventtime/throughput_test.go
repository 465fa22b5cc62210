package eventtime_test

import (
	"container/heap"
	"errors"
	"fmt"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// The records of the recordings' throughput table: bounded out-of-orderness
// 100 ms, keyed, tumbling 1 s, sum.

const watermarkEvery = 50_000

func record(i int64, keys []string) (key string, ts int64) {
	h := uint64(i) * 2654435761
	key = keys[(h&^(1<<63))%uint64(len(keys))]
	ts = i/10 - int64((h>>7)&^(1<<63)%51)
	return key, ts
}

func keyNames(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("key-%d", i)
	}
	return keys
}

type sink struct{ n, sum int64 }

func (s *sink) Record(r *operator.Record)     { s.n++; s.sum += r.Value }
func (s *sink) Watermark(int64, *sim.Step)    {}
func (s *sink) Status(bool, *sim.Step)        {}
func (s *sink) Side(string, *operator.Record) {}

// windowedSum drives the real operator through the real state seam, from
// string keys to results, with nobody watching.
func windowedSum(b testing.TB, backend state.Backend, keys []string, n int64) *sink {
	assigner, err := eventtime.NewTumblingEventTimeWindows(1000, 0, eventtime.Aligned, nil)
	if err != nil {
		b.Fatal(err)
	}
	op := eventtime.NewWindowOperator(eventtime.WindowConfig{Assigner: assigner, Function: eventtime.Reduce})
	interner := state.NewKeys(128)
	out := &sink{}
	ctx := &operator.Context{Name: "sum", Parallelism: 1, State: state.NewStore(backend, interner), Out: out}
	if err := op.Open(ctx); err != nil {
		b.Fatal(err)
	}
	var r operator.Record
	maxTS := int64(0)
	for i := range n {
		name, ts := record(i, keys)
		maxTS = max(maxTS, ts)
		r.Key, r.TS, r.Value = interner.Intern(name), ts, 1
		if err := op.ProcessRecord(0, &r); err != nil {
			b.Fatal(err)
		}
		if i%watermarkEvery == watermarkEvery-1 {
			if err := op.ProcessWatermark(maxTS - 101); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := op.ProcessWatermark(sim.MaxTime); err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(ctx.State.Err(), ctx.State.Close()); err != nil {
		b.Fatal(err)
	}
	return out
}

// plainSum does the same with a Go map and a heap of window ends: what one
// would write by hand for this job alone. The order of results is the same.
func plainSum(keys []string, n int64) *sink {
	type cell struct {
		key   string
		start int64
	}
	cells := map[cell]int64{}
	timers := &timerHeap{}
	out := &sink{}
	advance := func(wm int64) {
		for len(*timers) > 0 && (*timers)[0].at <= wm {
			t := heap.Pop(timers).(timer)
			c := cell{t.key, t.at - 999}
			out.n++
			out.sum += cells[c]
			delete(cells, c)
		}
	}
	maxTS := int64(0)
	wm := sim.MinTime
	for i := range n {
		name, ts := record(i, keys)
		maxTS = max(maxTS, ts)
		c := cell{name, ts - (ts%1000+1000)%1000}
		if c.start+999 > wm {
			old, ok := cells[c]
			cells[c] = old + 1
			if !ok {
				heap.Push(timers, timer{c.start + 999, name})
			}
		}
		if i%watermarkEvery == watermarkEvery-1 {
			wm = maxTS - 101
			advance(wm)
		}
	}
	advance(sim.MaxTime)
	return out
}

type timer struct {
	at  int64
	key string
}

type timerHeap []timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].key < h[j].key
}
func (h timerHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *timerHeap) Push(x any)   { *h = append(*h, x.(timer)) }
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	*h = old[:len(old)-1]
	return t
}

// trees is the RocksDB backend, with a slot's share of managed memory.
var trees = lsm.Backend(lsm.Options{
	Groups: state.KeyGroupRange{First: 0, Last: 127}, Memory: lsm.ManagedMemory{Bytes: 48 << 20}, Compactions: lsm.CompactAtOnce,
})

func TestThroughputJobsAgree(t *testing.T) {
	for _, k := range []int{100, 10_000} {
		keys := keyNames(k)
		want := plainSum(keys, 200_000)
		for _, b := range []state.Backend{state.Heap, trees} {
			if got := windowedSum(t, b, keys, 200_000); *got != *want {
				t.Errorf("K=%d on %s: operator %+v, by hand %+v", k, b.Name, *got, *want)
			}
		}
	}
}

// BenchmarkWindowedSum reports millions of records a second and, for the last
// of each K, how the operator compares with the plain loop: operator/byhand is
// the throughput of the operator as a share of that of the loop.
func BenchmarkWindowedSum(b *testing.B) {
	for _, k := range []int{10_000, 100} {
		keys := keyNames(k)
		const n = 1_000_000
		perRecord := map[string]float64{}
		for _, x := range []struct {
			name string
			run  func(b *testing.B)
		}{
			{"operator", func(b *testing.B) { windowedSum(b, state.Heap, keys, n) }},
			{"copying", func(b *testing.B) { windowedSum(b, state.Copying, keys, n) }},
			{"rocksdb", func(b *testing.B) { windowedSum(b, trees, keys, n) }},
			{"byhand", func(*testing.B) { plainSum(keys, n) }},
		} {
			b.Run(fmt.Sprintf("K=%d/%s", k, x.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					x.run(b)
				}
				perRecord[x.name] = b.Elapsed().Seconds() / float64(b.N) / n
				b.ReportMetric(1/perRecord[x.name]/1e6, "Mrec/s")
				if x.name == "byhand" && perRecord["operator"] > 0 {
					b.ReportMetric(perRecord["byhand"]/perRecord["operator"], "operator/byhand")
				}
			})
		}
	}
}
