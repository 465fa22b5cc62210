package state_test

import (
	"fmt"
	"testing"

	"streaminglab/sim/state"
)

// BenchmarkSeam holds the table of this package against other seams that an
// operator could stand on, for what a window operator does most: add a number
// to the cell of a (key, window). The same cells, the same order.
//
//	table      what is used: one Go type, a pointer into the heap or bytes
//	interface  the same behind an interface, as Flink's State interfaces are
//	boxed      values as any: read, add, write
//	bytes      the copying backend: what a serializing backend pays at least
func BenchmarkSeam(b *testing.B) {
	const keys, windows = 1000, 4
	interner := state.NewKeys(128)
	ks := make([]*state.Key, keys)
	for i := range ks {
		ks[i] = interner.Intern(fmt.Sprintf("key-%d", i))
	}
	at := func(i int) (*state.Key, state.Namespace) {
		start := int64(i/keys%windows) * 1000
		return ks[i%keys], state.Namespace{Start: start, End: start + 1000}
	}
	run := func(name string, add func(k *state.Key, ns state.Namespace, v int64)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				k, ns := at(i)
				add(k, ns, 1)
				i++
			}
		})
	}
	heap := state.Open(state.NewStore(state.Heap, interner), "sum", state.Int64{})
	run("table", func(k *state.Key, ns state.Namespace, v int64) {
		heap.Update(k, ns, func(p *int64) { *p += v })
	})
	var behind adder = &table{state.Open(state.NewStore(state.Heap, interner), "sum", state.Int64{})}
	run("interface", func(k *state.Key, ns state.Namespace, v int64) {
		behind.Update(k, ns, func(p *int64) { *p += v })
	})
	boxed := map[boxedCell]any{}
	run("boxed", func(k *state.Key, ns state.Namespace, v int64) {
		c := boxedCell{k, ns}
		old, _ := boxed[c].(int64)
		boxed[c] = old + v
	})
	bytes := state.Open(state.NewStore(state.Copying, interner), "sum", state.Int64{})
	run("bytes", func(k *state.Key, ns state.Namespace, v int64) {
		bytes.Update(k, ns, func(p *int64) { *p += v })
	})
}

type adder interface {
	Update(k *state.Key, ns state.Namespace, f func(*int64)) bool
}

type table struct{ *state.Table[int64] }

type boxedCell struct {
	key *state.Key
	ns  state.Namespace
}
