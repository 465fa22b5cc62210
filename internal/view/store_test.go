package view_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streaminglab/internal/view"
	"streaminglab/sim/flink"
	"streaminglab/sim/fold"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/session/sessiontest"
	"streaminglab/sim/world"
)

// The trace says everything about the object store: after any commands, the
// objects of the fold are those of the store, and so are its uploads.
func TestFoldHasTheObjectsOfTheStore(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		backend := []string{"rocksdb", "hashmap", "forst"}[seed%3]
		e := sessiontest.Experiment(t, fmt.Sprintf(`sources:
  clicks: {}
operators:
  - name: totals
    process: count
    async: %v
sinks:
  - name: out
parallelism: %d
flinkConfiguration:
  state.backend.type: %s
  execution.checkpointing.incremental: true
  execution.checkpointing.data-inline-threshold: %d
  execution.checkpointing.num-retained: %d
  execution.checkpointing.tolerable-failed-checkpoints: 5
  execution.checkpointing.externalized-checkpoint-retention: %s
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 3
`, backend == "forst", 1+seed%4/2, backend, []int64{0, 400, 20480}[seed/2%3], 1+seed%3, []string{"NO_EXTERNALIZED_CHECKPOINTS", "RETAIN_ON_CANCELLATION", "DELETE_ON_CANCELLATION"}[seed%3]), "")
		s, err := session.Open(e, 1, nil, session.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		var typed []string
		n := 0
		for range 40 {
			n++
			text := []string{
				fmt.Sprintf("produce clicks/0 %d k%d 1", 1000*n, n%5), fmt.Sprintf("produce clicks/0 %d k%d 1", 1000*n, n%5),
				"checkpoint", "checkpoint", "checkpoint", "savepoint", "savepoint native", "compact totals", "advance 2s", "advance 1h",
				"fault file.uploaded nth=2 with=fail", "fault file.uploaded with=crash", "fault metadata.write with=fail", "crash totals", "cancel",
				"restore", "restore chk-1 claim", "restore chk-2", "restore sp1 claim", "rescale 2", "stop", "slow put 100ms", "advance 3h",
				"lifecycle checkpoints/job1/shared/ 3h", "deny delete checkpoints/", "allow delete checkpoints/", "delete checkpoints/job1/chk-2/",
			}[r.IntN(27)]
			l, perr := script.ParseLine("x", n, text, e.Times())
			if perr != nil {
				t.Fatal(text, perr)
			}
			if s.Do(l) != nil {
				continue
			}
			typed = append(typed, text)
			w := s.Run().World
			var want []string
			for _, o := range w.Cluster().Store.Objects() {
				want = append(want, fmt.Sprintf("%s %d", o.Key, o.Size))
			}
			pictures := view.BuildSnapshots(w.Trace())
			var got []string
			for _, o := range pictures.Store.Objects {
				if o.Exists {
					got = append(got, fmt.Sprintf("%s %d", o.Path, o.Size))
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, after:\n%s\nfold and store differ:\n%s", seed, strings.Join(typed, "\n"), difference(got, want))
				break
			}
			if told, known := registries(w, pictures.Store); !slices.Equal(told, known) {
				t.Errorf("seed %d, after:\n%s\nfold and registry differ:\n%s", seed, strings.Join(typed, "\n"), difference(told, known))
				break
			}
			if puts := w.Cluster().Store.UsageOf(objectstore.OpPut, ""); int64(pictures.Cost("").Puts) > int64(puts.Requests) || pictures.Cost("").Uploaded > puts.Bytes {
				t.Errorf("seed %d, after:\n%s\ncost %+v, store %+v", seed, strings.Join(typed, "\n"), pictures.Cost(""), puts)
				break
			}
		}
		s.Run().World.Close()
	}
}

// registries are what the fold says of the registry of shared state and of the
// list of checkpoints of the running job, and what its coordinator has.
func registries(w *world.World, f *fold.Storage) (told, known []string) {
	j := w.Job()
	if j == nil || j.Status != flink.Running {
		return nil, nil
	}
	for _, x := range f.Shared {
		told = append(told, fmt.Sprint(x.Path, " created by ", x.CreatedBy, " used by ", x.LastUsed))
	}
	for _, x := range j.Coordinator().Store().Registry().Entries() {
		known = append(known, fmt.Sprint(x.Path, " created by ", x.CreatedBy, " used by ", x.LastUsed))
	}
	slices.Sort(told)
	slices.Sort(known)
	for _, x := range f.Snapshots {
		if f.Kept(x) {
			told = append(told, x.Path)
		}
	}
	for _, x := range j.Coordinator().Store().Checkpoints() {
		known = append(known, x.Location.Directory)
	}
	return told, known
}

func difference(got, want []string) string {
	var b strings.Builder
	for _, x := range got {
		if !slices.Contains(want, x) {
			fmt.Fprintln(&b, "only the fold:", x)
		}
	}
	for _, x := range want {
		if !slices.Contains(got, x) {
			fmt.Fprintln(&b, "only the store:", x)
		}
	}
	return b.String()
}
