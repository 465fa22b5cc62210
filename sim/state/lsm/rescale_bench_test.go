package lsm

import (
	"fmt"
	"testing"

	"streaminglab/sim/state"
)

// BenchmarkRescale restores a million keys of two subtasks into three: one is
// cut out of a tree, one put together of two, one cut out of the other.
func BenchmarkRescale(b *testing.B) {
	const cells = 1_000_000
	keys, names, objects := state.NewKeys(128), &Names{}, map[string][]byte{}
	options := func(name string, i, parallelism int) Options {
		o := Options{
			Names: names, Keys: keys, UID: fmt.Sprint(name, i), Incremental: true, Memory: ManagedMemory{Bytes: 128 << 20}, Compactions: CompactAtOnce,
		}
		o.Groups, _ = state.KeyGroupRangeOf(i, 128, parallelism)
		return o
	}
	var handles []*Handle
	var tables []*state.Table[int64]
	var trees []*DB
	for i := range 2 {
		db, err := New(options("before-", i, 2))
		if err != nil {
			b.Fatal(err)
		}
		trees = append(trees, db)
		tables = append(tables, state.Open(state.NewStoreOn(state.Backend{}, db, keys), "sum", state.Int64{}))
	}
	for i := range cells {
		k := keys.Intern(fmt.Sprintf("key-%d", i))
		tables[k.Owner(128, 2)].Put(k, state.Void, int64(i))
	}
	bytes := 0
	for i, db := range trees {
		snapshot, err := db.Snapshot(1, Checkpoint)
		if err != nil {
			b.Fatal(err)
		}
		h, err := snapshot.Finish(func(f File) Stored {
			data, err := snapshot.Read(f)
			if err != nil {
				b.Fatal(err)
			}
			object := fmt.Sprint(i, "/", f.Name)
			objects[object], bytes = data, bytes+len(data)
			return Stored{Object: object}
		})
		if err != nil {
			b.Fatal(err)
		}
		handles = append(handles, h)
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		found := 0
		for i := range 3 {
			db, err := Restore(options("after-", i, 3), handles, func(object string) ([]byte, error) { return objects[object], nil })
			if err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			state.Open(state.NewStoreOn(state.Backend{}, db, keys), "sum", state.Int64{}).Each(func(*state.Key, state.Namespace, int64) { found++ })
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		if found != cells {
			b.Fatalf("%d keys after the restore", found)
		}
	}
	b.ReportMetric(float64(bytes)/(1<<20), "MB")
	b.ReportMetric(float64(cells)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mkeys/s")
}
