package lsm

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"streaminglab/sim/state"
)

// BenchmarkReadModifyWrite adds a number to cells of 300,000 keys in a mixed
// order: through the table of the seam on a RocksDB backend, and by hand on a
// tree of the same options with the same keys, flushes and compactions. seam/raw
// is the throughput of the first as a share of the second. The heap does the
// same against a Go map.
func BenchmarkReadModifyWrite(b *testing.B) {
	for _, n := range []int{300_000, 10_000} {
		keys := state.NewKeys(128)
		all := make([]*state.Key, n)
		for i := range all {
			all[i] = keys.Intern(fmt.Sprintf("key-%d", i))
		}
		at := func(i int) *state.Key { return all[uint64(i)*2654435761%uint64(n)] }
		memory := ManagedMemory{Bytes: 48 << 20}
		nanos := map[string]float64{}
		report := func(b *testing.B, name, other string) {
			nanos[name] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(1e3/nanos[name], "Mop/s")
			if other != "" && nanos[other] > 0 {
				b.ReportMetric(nanos[name]/nanos[other], other+"/"+name)
			}
		}
		b.Run(fmt.Sprintf("K=%d/seam", n), func(b *testing.B) {
			db, err := New(Options{Keys: keys, Memory: memory, Compactions: CompactAtOnce})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			table := state.Open(state.NewStoreOn(state.Backend{}, db, keys), "sum", state.Int64{})
			for _, k := range all {
				table.Put(k, state.Void, 0)
			}
			i := 0
			for b.Loop() {
				table.Update(at(i), state.Void, func(v *int64) { *v += int64(i) })
				i++
			}
			if err := db.Err(); err != nil {
				b.Fatal(err)
			}
			report(b, "seam", "")
		})
		b.Run(fmt.Sprintf("K=%d/raw", n), func(b *testing.B) {
			cache := NewCache(memory.CacheCapacity(), memory.FlushOne())
			defer cache.Close()
			x, err := OpenInstance(InstanceConfig{Cache: cache, Flush: memory.FlushOne()})
			if err != nil {
				b.Fatal(err)
			}
			defer x.Close()
			names := make([][]byte, n)
			for i, k := range all {
				names[i] = appendCell(nil, k, state.Void)
			}
			var value [8]byte
			written := int64(0)
			set := func(name []byte) {
				if err := x.db.Set(name, value[:], pebble.NoSync); err != nil {
					b.Fatal(err)
				}
				written += int64(len(name)+len(value)) + entryOverhead
				if written < memory.FlushOne() {
					return
				}
				written = 0
				if err := x.db.Flush(); err != nil {
					b.Fatal(err)
				}
				for x.step.run(x.guard.dead) {
				}
			}
			for _, name := range names {
				set(name)
			}
			i := 0
			for b.Loop() {
				name := names[uint64(i)*2654435761%uint64(n)]
				v, closer, err := x.db.Get(name)
				if err != nil {
					b.Fatal(err)
				}
				binary.BigEndian.PutUint64(value[:], binary.BigEndian.Uint64(v)+uint64(i))
				if err := closer.Close(); err != nil {
					b.Fatal(err)
				}
				set(name)
				i++
			}
			report(b, "raw", "seam")
		})
		b.Run(fmt.Sprintf("K=%d/heap", n), func(b *testing.B) {
			table := state.Open(state.NewStore(state.Heap, keys), "sum", state.Int64{})
			for _, k := range all {
				table.Put(k, state.Void, 0)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				table.Update(at(i), state.Void, func(v *int64) { *v += int64(i) })
				i++
			}
			report(b, "heap", "")
		})
		b.Run(fmt.Sprintf("K=%d/map", n), func(b *testing.B) {
			m := map[string]*int64{}
			for _, k := range all {
				m[k.Name] = new(int64)
			}
			i := 0
			for b.Loop() {
				*m[at(i).Name] += int64(i)
				i++
			}
			report(b, "map", "heap")
		})
	}
}

// BenchmarkInstances opens 64 trees with a hundred rows each and reports what
// one takes.
func BenchmarkInstances(b *testing.B) {
	for b.Loop() {
		before := heapBytes()
		var all []*Instance
		for range 64 {
			x, err := OpenInstance(InstanceConfig{})
			if err != nil {
				b.Fatal(err)
			}
			for i := range 100 {
				if err := x.Put([]byte{0, byte(i)}, make([]byte, 100)); err != nil {
					b.Fatal(err)
				}
			}
			all = append(all, x)
		}
		b.ReportMetric(float64(heapBytes()-before)/64/1024, "kB/tree")
		for _, x := range all {
			if err := x.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkSeamAgainstRaw does the same in turns of 20,000, so that both meet
// the same weather on a machine with other work: the ratio is what counts.
func BenchmarkSeamAgainstRaw(b *testing.B) {
	const n, turn = 300_000, 20_000
	keys := state.NewKeys(128)
	memory := ManagedMemory{Bytes: 48 << 20}
	db, err := New(Options{Keys: keys, Memory: memory, Compactions: CompactAtOnce})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	table := state.Open(state.NewStoreOn(state.Backend{}, db, keys), "sum", state.Int64{})
	cache := NewCache(memory.CacheCapacity(), memory.FlushOne())
	defer cache.Close()
	x, err := OpenInstance(InstanceConfig{Cache: cache, Flush: memory.FlushOne()})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	all, names := make([]*state.Key, n), make([][]byte, n)
	written := int64(0)
	set := func(name []byte, v uint64) {
		var value [8]byte
		binary.BigEndian.PutUint64(value[:], v)
		if err := x.db.Set(name, value[:], pebble.NoSync); err != nil {
			b.Fatal(err)
		}
		if written += int64(len(name)+len(value)) + entryOverhead; written < memory.FlushOne() {
			return
		}
		written = 0
		if err := x.db.Flush(); err != nil {
			b.Fatal(err)
		}
		for x.step.run(x.guard.dead) {
		}
	}
	for i := range all {
		all[i] = keys.Intern(fmt.Sprintf("key-%d", i))
		names[i] = appendCell(nil, all[i], state.Void)
		table.Put(all[i], state.Void, 0)
		set(names[i], 0)
	}
	at := func(i int) uint64 { return uint64(i) * 2654435761 % n }
	var seam, raw time.Duration
	i := 0
	for b.Loop() {
		begin := time.Now()
		for j := i; j < i+turn; j++ {
			table.Update(all[at(j)], state.Void, func(v *int64) { *v += int64(j) })
		}
		between := time.Now()
		for j := i; j < i+turn; j++ {
			name := names[at(j)]
			v, closer, err := x.db.Get(name)
			if err != nil {
				b.Fatal(err)
			}
			old := binary.BigEndian.Uint64(v)
			if err := closer.Close(); err != nil {
				b.Fatal(err)
			}
			set(name, old+uint64(j))
		}
		seam, raw = seam+between.Sub(begin), raw+time.Since(between)
		i += turn
	}
	if err := db.Err(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(raw)/float64(seam), "seam/raw")
	b.ReportMetric(float64(i)/seam.Seconds(), "seam-op/s")
}
