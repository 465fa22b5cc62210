package state_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"streaminglab/sim/state"
)

// All kinds of state give the same on every storage, and their rows are the
// same bytes.
func TestKindsOfState(t *testing.T) {
	type opened struct {
		store   *state.Store
		value   *state.Table[int64]
		sum     *state.ReducingState[int64]
		average *state.AggregatingState[int64, [2]int64, int64]
		list    *state.ListState[int64]
		entries *state.MapState[int64]
	}
	keys := state.NewKeys(128)
	open := func(b state.Backend) *opened {
		s := state.NewStore(b, keys)
		return &opened{
			store: s,
			value: state.Open(s, "value", state.Int64{}),
			sum:   state.OpenReducing(s, "sum", state.Int64{}, func(a, b int64) int64 { return a + b }),
			average: state.OpenAggregating(s, "average", pair{}, func(p *[2]int64, v int64) { p[0] += v; p[1]++ },
				func(p [2]int64) int64 { return p[0] / p[1] }),
			list:    state.OpenListState(s, "list", state.Int64{}),
			entries: state.OpenMapState(s, "entries", state.Int64{}),
		}
	}
	a, b := open(state.Heap), open(state.Copying)
	draws := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		k, v, u := keys.Intern(fmt.Sprintf("k%d", draws.IntN(9))), int64(draws.IntN(50)), int64(draws.IntN(4))
		for _, o := range []*opened{a, b} {
			o.value.Put(k, state.Void, v)
			o.list.Append(k, state.Void, v)
			o.entries.Put(k, u, v)
		}
		if x, y := a.sum.Add(k, state.Void, v), b.sum.Add(k, state.Void, v); x != y {
			t.Fatalf("sums %d and %d", x, y)
		}
		if x, y := a.average.Add(k, state.Void, v), b.average.Add(k, state.Void, v); x != y {
			t.Fatalf("averages %d and %d", x, y)
		}
		if draws.IntN(20) == 0 {
			for _, o := range []*opened{a, b} {
				o.list.Clear(k, state.Void)
				o.entries.Remove(k, u)
			}
		}
		if x, y := a.entries.Keys(k), b.entries.Keys(k); !slices.Equal(x, y) {
			t.Fatalf("entries %v and %v", x, y)
		}
	}
	all := state.KeyGroupRange{First: 0, Last: 127}
	x, y := state.AppendCanonical(nil, all, a.store.Snapshot()), state.AppendCanonical(nil, all, b.store.Snapshot())
	if !slices.Equal(x, y) {
		t.Error("the canonical bytes differ")
	}
}

// pair is the codec of a sum and a count.
type pair struct{}

func (pair) Append(dst []byte, v [2]int64) []byte {
	return state.Int64{}.Append(state.Int64{}.Append(dst, v[0]), v[1])
}

func (pair) Read(src []byte) (v [2]int64, rest []byte, err error) {
	if v[0], src, err = (state.Int64{}).Read(src); err == nil {
		v[1], src, err = state.Int64{}.Read(src)
	}
	return v, src, err
}

func (pair) Format(v [2]int64) string { return fmt.Sprint(v) }
