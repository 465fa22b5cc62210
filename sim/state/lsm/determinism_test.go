package lsm

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"streaminglab/sim"
)

// history runs a fixed mixture of everything and writes down all that may be
// shown: files with their hashes, levels, edits, metrics.
func history(t *testing.T) string {
	var out strings.Builder
	r := newRig(t, Options{Incremental: true, Memory: ManagedMemory{Bytes: 3 * MinFlush}})
	random := sim.NewStream(7, "lsm", "determinism")
	var last *Handle
	for step := range 40 {
		for range 300 {
			key := r.o.Keys.Intern(fmt.Sprintf("key-%d", random.Below(3000)))
			if random.Below(10) == 0 {
				r.table.Delete(key, window(random.Below(4)))
			} else {
				r.table.Put(key, window(random.Below(4)), random.Below(1<<40))
			}
		}
		if err := r.store.Err(); err != nil {
			t.Fatal(err)
		}
		if step%2 == 0 {
			edit, ok, err := r.db.RunCompaction("value")
			fmt.Fprintln(&out, edit, ok, err)
		}
		if step == 30 {
			edits, err := r.db.Compact()
			fmt.Fprintln(&out, edits, err)
		}
		if step%5 == 4 {
			s, err := r.db.Snapshot(int64(step), Checkpoint)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range s.Files {
				fmt.Fprintln(&out, f.Name, f.Family, f.Local, f.Transfer)
				if f.Table() {
					fmt.Fprintf(&out, "%d %x\n", f.Size, f.SHA256)
				}
			}
			last, err = s.Finish(func(f File) Stored {
				object := fmt.Sprintf("%s@%d", f.Name, step)
				b, err := s.Read(f)
				if err != nil {
					t.Error(err)
				}
				r.objects[object] = b
				return Stored{Object: object}
			})
			if err != nil {
				t.Fatal(err)
			}
			r.db.NotifyComplete(int64(step))
		}
		tables, err := r.db.Tables()
		fmt.Fprintln(&out, tables, err)
		metrics, err := r.db.Metrics()
		fmt.Fprintln(&out, metrics, err)
		if step == 24 {
			r.db.Close()
			r.open(last)
		}
	}
	return out.String()
}

// The same calls make the same bytes, whatever else the machine does.
func TestSameBytesOverProcessorsAndRuns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := ""
	for i, n := range []int{1, 2, 1, 4, 8, 2} {
		runtime.GOMAXPROCS(n)
		got := history(t)
		if i == 0 {
			first = got
			if strings.Count(got, "rewrite") != 1 || !strings.Contains(got, "default") {
				t.Error("no compaction in the history")
			}
			continue
		}
		if got != first {
			a, b := strings.Split(first, "\n"), strings.Split(got, "\n")
			for j := range min(len(a), len(b)) {
				if a[j] != b[j] {
					t.Fatalf("GOMAXPROCS %d, line %d:\n%s\n%s", n, j, a[j], b[j])
				}
			}
			t.Fatal("one history is longer")
		}
	}
	t.Logf("%x", sha256.Sum256([]byte(first)))
}
