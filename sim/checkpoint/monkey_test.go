package checkpoint_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// monkey runs a random job and returns everything that happened.
func monkey(t *testing.T, seed uint64) []string {
	draw := sim.NewStream(seed, "monkey", "checkpoint")
	one := func(of ...string) string { return of[draw.Below(int64(len(of)))] }
	s := &story{
		tasks: 1 + int(draw.Below(3)), flavour: objectstore.Flavour(draw.Below(2)),
		config: checkpoint.Config{
			Interval: 10_000, MinPause: draw.Below(3) * 7000, Timeout: 5_000 + draw.Below(20)*1000, MaxConcurrent: 1 + int(draw.Below(2)),
			TolerableFailures: int(draw.Below(4)), AfterTasksFinish: true, Retained: 1 + int(draw.Below(3)),
			Retention: checkpoint.Retention(one("NO_EXTERNALIZED_CHECKPOINTS", "DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION")),
		},
	}
	if draw.Below(3) == 0 {
		s.ha = &checkpoint.HighAvailability{}
	}
	s.store = objectstore.New(s.flavour, func() int64 { return s.now }, objectstore.Memory{})
	s.newJob()
	var all []string
	sst := 1
	locals := make([][]string, s.tasks)
	for range 60 {
		var words []string
		switch op := one("checkpoint", "checkpoint", "checkpoint", "full-checkpoint", "savepoint", "at", "restart", "fail-store", "failover-jobmanager", "running", "fail-metadata", "lose-notice"); op {
		case "at":
			words = []string{"at", fmt.Sprintf("%dms", s.now+draw.Below(30_000))}
		case "fail-store":
			words = []string{op, one("failed", "unknown")}
		case "running":
			words = []string{op, "10s"}
		case "checkpoint", "full-checkpoint", "savepoint":
			if len(s.c.Pending()) > 0 {
				// Let it expire, so that the line is the one that is triggered.
				s.run(s.now + s.config.Timeout)
				s.c.StopScheduler()
			}
			words = []string{op}
			for task := range locals {
				if task > 0 {
					words = append(words, "|")
				}
				if draw.Below(8) == 0 {
					words = append(words, "declines")
					continue
				}
				if draw.Below(3) == 0 {
					locals[task] = nil
				}
				locals[task] = append(locals[task], fmt.Sprint(sst))
				sst++
				words = append(words, locals[task]...)
				if draw.Below(20) == 0 {
					words = append(words, "crashes")
				}
			}
		case "failover-jobmanager":
			if s.ha == nil {
				continue
			}
			words = []string{op}
		default:
			words = []string{op}
		}
		s.out = nil
		s.step(t, nil, words)
		all = append(all, strings.Join(words, " "))
		all = append(all, s.out...)
		for _, c := range s.c.Store().Checkpoints() {
			for _, file := range c.Metadata.Files() {
				if !s.store.Has(file) {
					t.Fatalf("seed %d: %d needs %s, which is gone\n%s", seed, c.ID(), file, strings.Join(all, "\n"))
				}
			}
			m, err := s.c.Storage().ReadMetadata(c.Location.Directory)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(all, "\n"))
			}
			if !bytes.Equal(m.Encode(), c.Metadata.Encode()) {
				t.Fatalf("seed %d: _metadata of %d is another", seed, c.ID())
			}
		}
		if next := s.c.NextTick(); next < s.now {
			t.Fatalf("seed %d: next tick at %d, now is %d", seed, next, s.now)
		}
	}
	return all
}

// Whatever happens, every retained checkpoint of a job can be restored from its
// metadata, and the same seed gives the same run.
func TestRetainedCheckpointsCanBeRestored(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		a := monkey(t, seed)
		if seed%10 == 0 {
			if b := monkey(t, seed); strings.Join(a, "\n") != strings.Join(b, "\n") {
				t.Fatalf("seed %d: two runs differ", seed)
			}
		}
	}
}
