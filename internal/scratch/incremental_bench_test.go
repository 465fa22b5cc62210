package scratch_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"streaminglab/internal/scratch"
	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// BenchmarkIncremental fills RocksDB-like state on the disk, takes a checkpoint
// of it into the store of a scratch, changes one key in a hundred and takes the
// next: once with the changed keys side by side in the order of the tree, once
// spread over it. It reports the bytes of that second checkpoint as a share of a
// full copy, its time as a share of that of a full copy taken right after, and
// what ten such checkpoints upload together, with the compactions between them.
//
// LAB_BENCH_MB is the size of the state, 1024 when it is not set.
func BenchmarkIncremental(b *testing.B) {
	megabytes := 1024
	if text := os.Getenv("LAB_BENCH_MB"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			b.Fatalf("LAB_BENCH_MB is %q", text)
		}
		megabytes = n
	}
	for _, changed := range []string{"contiguous", "random"} {
		b.Run(changed, func(b *testing.B) {
			for b.Loop() {
				incremental(b, megabytes<<10, changed == "random")
			}
		})
	}
}

func incremental(b *testing.B, cells int, spread bool) {
	s, err := scratch.Open(filepath.Join(b.TempDir(), "scratch"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	content := s.Content()
	work, err := s.Work("bench")
	if err != nil {
		b.Fatal(err)
	}
	keys := state.NewKeys(128)
	db, err := lsm.New(lsm.Options{
		UID: "bench", Keys: keys, Groups: state.KeyGroupRange{First: 0, Last: 127}, Incremental: true, FS: lsm.OnDisk(), Dir: work,
		Memory: lsm.ManagedMemory{Bytes: 128 << 20}, Compactions: lsm.CompactAtOnce,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	table := state.Open(state.NewStoreOn(state.Backend{}, db, keys), "profile", state.String{})
	all := make([]*state.Key, cells)
	for i := range all {
		all[i] = keys.Intern(fmt.Sprintf("key-%07d", i))
	}
	draws := rand.New(rand.NewPCG(1, 2))
	order := draws.Perm(cells)
	value := strings.Repeat("x", 1010)
	for _, i := range order {
		table.Put(all[i], state.Void, value)
	}
	// The order of the tree: key groups, then keys.
	slices.SortFunc(all, func(a, b *state.Key) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name))
	})
	snapshot := func(id int64, t lsm.SnapshotType) (bytes int64, took time.Duration) {
		begin := time.Now()
		snapshot, err := db.Snapshot(id, t)
		if err != nil {
			b.Fatal(err)
		}
		_, err = snapshot.Finish(func(f lsm.File) lsm.Stored {
			data, err := snapshot.Read(f)
			if err != nil {
				b.Fatal(err)
			}
			object := fmt.Sprintf("shared/%s@%d", f.Name, id)
			if err := content.Write(object, data); err != nil {
				b.Fatal(err)
			}
			bytes += int64(len(data))
			return lsm.Stored{Object: object}
		})
		if err != nil {
			b.Fatal(err)
		}
		db.NotifyComplete(id)
		return bytes, time.Since(begin)
	}
	first, _ := snapshot(1, lsm.Checkpoint)
	changed := all[cells/2 : cells/2+cells/100]
	if spread {
		changed = nil
		for _, i := range order[:cells/100] {
			changed = append(changed, all[i])
		}
	}
	change := func(id int64) (int64, time.Duration) {
		for _, k := range changed {
			table.Put(k, state.Void, strings.Repeat("y", 1010))
		}
		bytes, took := snapshot(id, lsm.Checkpoint)
		for {
			due, err := db.CompactionsDue()
			if err != nil {
				b.Fatal(err)
			}
			if len(due) == 0 {
				return bytes, took
			}
			if _, _, err := db.RunCompaction(due[0].Family); err != nil {
				b.Fatal(err)
			}
		}
	}
	second, took := change(2)
	full, tookFull := snapshot(3, lsm.FullCheckpoint)
	ten := second
	for id := range int64(9) {
		bytes, _ := change(4 + id)
		ten += bytes
	}
	b.ReportMetric(float64(first)/(1<<20), "first-MB")
	b.ReportMetric(float64(second)/(1<<20), "second-MB")
	b.ReportMetric(float64(second)/float64(full), "bytes/full")
	b.ReportMetric(float64(ten)/float64(full), "ten/full")
	b.ReportMetric(float64(took)/float64(tookFull), "time/full")
	b.ReportMetric(took.Seconds(), "second-s")
	b.ReportMetric(tookFull.Seconds(), "full-s")
}
