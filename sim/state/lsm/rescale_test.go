package lsm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/state"
)

// A job of changing parallelism has the state of a job of one subtask on the
// heap, whatever its trees were cut from and put together of.
func TestRescaledTreesHoldTheSameState(t *testing.T) {
	for name, base := range map[string]Options{
		"rocksdb":             {Incremental: true, Compactions: CompactAtOnce, Memory: ManagedMemory{Bytes: 1}},
		"rocksdb heap timers": {HeapTimers: true},
		"forst async":         {ForSt: &ForSt{Async: true, JobPath: "shared/", HandOver: true}},
		"forst async claim":   {ForSt: &ForSt{Async: true, HandOver: true, Mode: Claim}},
		"forst sync":          {Incremental: true, ForSt: &ForSt{JobPath: "shared/"}},
		"forst local":         {Incremental: true, ForSt: &ForSt{}},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				rescaled(t, name, base, seed)
			}
		})
	}
}

func rescaled(t *testing.T, name string, base Options, seed uint64) {
	random := sim.NewStream(seed, "lsm", "rescale")
	keys, names, remote := state.NewKeys(128), &Names{}, NewMemFS()
	heap := &subject{keys: keys}
	heap.use(state.NewStore(state.Heap, keys))
	objects := map[string][]byte{}
	made := 0
	var tasks []*subject
	var dbs []*DB
	start := func(p int, from []*Handle) {
		tasks, dbs = nil, nil
		for i := range p {
			made++
			o := base
			o.Names, o.Keys, o.UID = names, keys, fmt.Sprint(made)
			o.Groups, _ = state.KeyGroupRangeOf(i, 128, p)
			if base.ForSt != nil {
				f := *base.ForSt
				if !strings.Contains(name, "local") {
					f.Store, f.Primary = remote, "shared/db-"+o.UID
				}
				o.ForSt = &f
			}
			db, err := Restore(o, from, func(object string) ([]byte, error) {
				if b, ok := objects[object]; ok {
					return b, nil
				}
				return ReadFile(remote, object)
			})
			if err != nil {
				t.Fatal(err)
			}
			s := &subject{keys: keys}
			s.use(state.NewStoreOn(state.Backend{Name: db.Backend()}, db, keys))
			tasks, dbs = append(tasks, s), append(dbs, db)
		}
	}
	start(1, nil)
	for round := range 8 {
		for range 120 {
			k := keys.Intern(fmt.Sprint("key-", random.Below(40)))
			owner := tasks[k.Owner(128, len(tasks))]
			ns, n, op := window(random.Below(3)), random.Below(1000), random.Below(6)
			for _, s := range []*subject{heap, owner} {
				switch op {
				case 0, 1:
					s.sum.Update(k, ns, func(v *int64) { *v += n })
				case 2:
					s.sum.Delete(k, ns)
				case 3:
					s.list.Update(k, ns, func(v *[]string) { *v = append(*v, fmt.Sprint(n)) })
				case 4:
					s.timer.Register(n, k, ns)
				default:
					s.timer.Delete(n, k, ns)
				}
			}
		}
		var handles []*Handle
		for i, db := range dbs {
			if random.Below(3) == 0 {
				if _, err := db.Compact(); err != nil {
					t.Fatal(err)
				}
			}
			snapshot, err := db.Snapshot(int64(round), NativeSavepoint)
			if err != nil {
				t.Fatal(err)
			}
			h, err := snapshot.Finish(func(f File) Stored {
				object := fmt.Sprintf("savepoint-%d-%d/%s", round, i, f.Name)
				b, err := snapshot.Read(f)
				if err != nil {
					t.Fatal(err)
				}
				objects[object] = b
				if err := WriteFile(remote, object, b); err != nil {
					t.Fatal(err)
				}
				return Stored{Object: object}
			})
			if err != nil {
				t.Fatal(err)
			}
			handles = append(handles, h)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
		start(int(random.Below(5))+1, handles)
		var got []string
		for _, s := range tasks {
			if err := s.store.Err(); err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.SplitAfter(dump(s), "\n")...)
		}
		want := strings.SplitAfter(dump(heap), "\n")
		slices.Sort(got)
		slices.Sort(want)
		if got, want := strings.Join(got, ""), strings.Join(want, ""); got != want {
			t.Fatalf("seed %d, round %d, parallelism %d:\n%s\nthe heap has\n%s", seed, round, len(tasks), got, want)
		}
	}
	for _, db := range dbs {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
