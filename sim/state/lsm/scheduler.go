package lsm

import (
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// A scheduler permits a compaction only when the caller asks for one. This is
// the one file that knows Pebble's experimental interface for it.
type scheduler struct {
	mu   sync.Mutex
	db   pebble.DBForCompaction
	live bool
	done chan struct{}
}

// Register implements pebble.CompactionScheduler.
func (s *scheduler) Register(_ int, db pebble.DBForCompaction) { s.db = db }

// Unregister implements pebble.CompactionScheduler.
func (s *scheduler) Unregister() {}

// UpdateGetAllowedWithoutPermission implements pebble.CompactionScheduler.
func (s *scheduler) UpdateGetAllowedWithoutPermission() {}

// TrySchedule implements pebble.CompactionScheduler: never by itself.
func (s *scheduler) TrySchedule() (bool, pebble.CompactionGrantHandle) { return false, nil }

// Started implements pebble.CompactionGrantHandle.
func (s *scheduler) Started() {}

// MeasureCPU implements pebble.CompactionGrantHandle.
func (s *scheduler) MeasureCPU(pebble.CompactionGoroutineKind) {}

// CumulativeStats implements pebble.CompactionGrantHandle.
func (s *scheduler) CumulativeStats(pebble.CompactionGrantHandleStats) {}

// Done implements pebble.CompactionGrantHandle.
func (s *scheduler) Done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live {
		s.live = false
		close(s.done)
	}
}

// waiting reports whether a compaction waits, and its score in hundredths.
func (s *scheduler) waiting() (score int64, ok bool) {
	ok, w := s.db.GetWaitingCompaction()
	return int64(w.Score * 100), ok
}

// run runs one waiting compaction to its end, or until the instance is dead.
func (s *scheduler) run(dead <-chan struct{}) bool {
	if _, ok := s.waiting(); !ok {
		return false
	}
	s.mu.Lock()
	s.live, s.done = true, make(chan struct{})
	done := s.done
	s.mu.Unlock()
	if !s.db.Schedule(s) {
		s.mu.Lock()
		s.live = false
		s.mu.Unlock()
		return false
	}
	select {
	case <-done:
	case <-dead:
	}
	return true
}
