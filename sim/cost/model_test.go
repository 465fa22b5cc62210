package cost

import (
	"math/rand/v2"
	"testing"
)

const (
	kb = 1_000
	mb = 1_000 * kb
	gb = 1_000 * mb
)

func TestDurations(t *testing.T) {
	m := Default
	for _, c := range []struct {
		what      string
		got, want int64
	}{
		{"an empty object", m.Object(0), 100},
		{"a byte", m.Object(1), 101},
		{"85 MB", m.Object(85 * mb), 1100},
		{"no files", m.Transfer(nil), 0},
		{"four files side by side", m.Transfer([]int64{85 * mb, 85 * mb, 85 * mb, 85 * mb}), 1100},
		{"a fifth waits", m.Transfer([]int64{85 * mb, 85 * mb, 85 * mb, 85 * mb, 0}), 1200},
		{"a large one in the way", m.Transfer([]int64{850 * mb, 0, 0, 0, 0, 0, 0}), 10_100},
		{"many small files cost requests", m.Transfer(make([]int64, 400)), 10_000},
		{"a compaction", m.Compaction(150 * mb), 1500},
		{"a restore after a change of parallelism", m.TreeRestore([]int64{85 * mb}, 10*mb), 1100 + 50 + 100},
		{"a terabyte", m.HeapRestore(1000 * gb), 100 + 11_764_706},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d ms, want %d", c.what, c.got, c.want)
		}
	}
}

// What a lesson compares comes out as it is in reality: order of magnitude and
// direction.
func TestComparisons(t *testing.T) {
	m := Default
	if m.TreeAccess != 10*m.HeapAccess {
		t.Error("an access in a tree is an order of magnitude slower")
	}
	// 1 GB of state, 10 MB of it new: incremental wins by far, and the heap
	// stands still shorter but writes longer.
	state, delta := int64(gb), int64(10*mb)
	heap := m.HeapSnapshot(state/100, state)
	incremental := m.TreeSnapshot(delta, []int64{delta})
	var all []int64
	for range 16 {
		all = append(all, state/16)
	}
	full := m.TreeSnapshot(delta, all)
	canonical := m.CanonicalSnapshot(state/100, state)
	if !(incremental.Async*10 < full.Async && full.Async < heap.Async && heap.Async < canonical.Async) {
		t.Errorf("incremental %v, full %v, heap %v, canonical %v", incremental, full, heap, canonical)
	}
	// Restoring downloads everything, however small the last checkpoint was.
	if m.TreeRestore(all, 0) < full.Async || m.TreeRestore(all, state/2) <= m.TreeRestore(all, 0) {
		t.Error("a restore is not cheaper than what it downloads")
	}
}

// Adding costs never makes anything faster.
func TestMoreIsNotFaster(t *testing.T) {
	draws := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		m := Default
		m.Threads = 1 + draws.IntN(8)
		files := make([]int64, draws.IntN(12))
		sum, largest := int64(0), int64(0)
		for i := range files {
			files[i] = draws.Int64N(200 * mb)
			sum += m.Object(files[i])
			largest = max(largest, m.Object(files[i]))
		}
		took := m.Transfer(files)
		if took < largest || took > sum || took*int64(m.Threads) < sum {
			t.Fatalf("%v over %d threads: %d ms of %d", files, m.Threads, took, sum)
		}
		if more := m.Transfer(append(files, draws.Int64N(mb))); more < took {
			t.Fatalf("%v: %d ms, with one more %d", files, took, more)
		}
		a, b := draws.Int64N(gb), draws.Int64N(gb)
		if at(m.Flush, a)+at(m.Flush, b) < at(m.Flush, a+b) {
			t.Fatalf("%d and %d one by one are faster", a, b)
		}
	}
}

func TestMeterKeepsWhatIsSmall(t *testing.T) {
	var meter Meter
	total := int64(0)
	for range 12_345 {
		meter.Heap(Default, 1)
		meter.Tree(Default, 1, 0)
		total += meter.Due()
	}
	// 12,345 · 2.2 µs.
	if total != 27 || meter.Due() != 0 {
		t.Errorf("%d ms", total)
	}
	meter.Tree(Default, 0, 10)
	if ms := meter.Due(); ms != 1 {
		t.Errorf("ten blocks: %d ms", ms)
	}
}

// Every value stands in the table, and none is forgotten there.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Default.Table() {
		if r.Value <= 0 || seen[r.Name] {
			t.Errorf("%+v", r)
		}
		seen[r.Name] = true
	}
	if len(seen) != 12 {
		t.Errorf("%d values", len(seen))
	}
}
