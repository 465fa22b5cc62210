package checkpoint

import (
	"slices"

	"streaminglab/sim"
)

// A StoreFault is how a write to the completed checkpoint store fails.
type StoreFault string

// The ways. With an unknown outcome nobody dares to delete anything (CP-11.4).
const (
	StoreFailed  StoreFault = "failed"
	StoreUnknown StoreFault = "unknown"
)

// Exception is what the store throws.
func (f StoreFault) Exception() *sim.Exception {
	if f == StoreUnknown {
		return &sim.Exception{Class: "org.apache.flink.runtime.persistence.PossibleInconsistentStateException", Rule: "CP-11.4"}
	}
	return &sim.Exception{Class: "java.io.IOException", Rule: "CP-11.4", Message: "Could not write the completed checkpoint"}
}

// A CompletedCheckpointStore is the list of checkpoints that a failover can go
// back to. Without high availability it lives in the JobManager's memory
// (StandaloneCompletedCheckpointStore), with it its pointers survive
// (DefaultCompletedCheckpointStore).
type CompletedCheckpointStore struct {
	// Write keeps the pointer to a checkpoint for the next JobManager, and says
	// how that fails; nil: nothing is kept. It comes before the checkpoint counts.
	Write func(*CompletedCheckpoint) StoreFault
	// Faults are how the next writes fail, in order.
	Faults []StoreFault

	retained    int
	checkpoints []*CompletedCheckpoint
	registry    *SharedStateRegistry
	cleaner     *Cleaner
	storage     *Storage
	ha          *HighAvailability
	tell        func(Event)
}

// newStore returns a store. Checkpoints that high availability kept are there,
// and their files are registered again with the job's claim mode (CP-8.10).
func newStore(retained int, mode ClaimMode, storage *Storage, ha *HighAvailability, tell func(Event)) *CompletedCheckpointStore {
	s := &CompletedCheckpointStore{
		retained: max(retained, 1), storage: storage, ha: ha, tell: tell,
		registry: NewSharedStateRegistry(),
		cleaner:  &Cleaner{storage: storage, tell: tell},
	}
	if ha != nil {
		s.checkpoints = slices.Clone(ha.Checkpoints)
		for _, c := range s.checkpoints {
			// Complete checkpoints have no placeholders: nothing can fail.
			_ = s.registry.registerRestored(c, mode)
		}
	}
	return s
}

// Registry is the registry of shared files.
func (s *CompletedCheckpointStore) Registry() *SharedStateRegistry { return s.registry }

// Checkpoints are the retained ones, oldest first.
func (s *CompletedCheckpointStore) Checkpoints() []*CompletedCheckpoint {
	return slices.Clone(s.checkpoints)
}

// Latest is what a failover goes back to, or nil (CP-11.1).
func (s *CompletedCheckpointStore) Latest() *CompletedCheckpoint {
	if len(s.checkpoints) == 0 {
		return nil
	}
	return s.checkpoints[len(s.checkpoints)-1]
}

// latestID is the id of the latest; 0: none.
func (s *CompletedCheckpointStore) latestID() int64 {
	if c := s.Latest(); c != nil {
		return c.ID()
	}
	return 0
}

// add puts a checkpoint in and subsumes older ones. Then it sweeps the shared
// files, whether one was subsumed or not: those of aborted checkpoints go this
// way too. after is called for each checkpoint that is cleaned. It returns the
// subsumed checkpoint with the highest id, or nil.
func (s *CompletedCheckpointStore) add(c *CompletedCheckpoint, after func()) (last *CompletedCheckpoint, fault StoreFault) {
	if len(s.Faults) > 0 {
		fault, s.Faults = s.Faults[0], s.Faults[1:]
		return nil, fault
	}
	if s.Write != nil {
		if fault = s.Write(c); fault != "" {
			return nil, fault
		}
	}
	kept, subsumed := subsume(append(slices.Clone(s.checkpoints), c), s.retained)
	s.checkpoints = kept
	s.persist()
	for _, x := range subsumed {
		s.tell(CheckpointSubsumed{x.ID(), x.Metadata.Type, !x.Properties.DiscardSubsumed})
		s.cleaner.subsumed = append(s.cleaner.subsumed, x)
		if last == nil || x.ID() > last.ID() {
			last = x
		}
	}
	for _, x := range s.checkpoints {
		if !x.Properties.Type.Savepoint() {
			s.cleaner.cleanSubsumed(x.ID(), s.sweep(x.ID()), after)
			break
		}
	}
	return last, ""
}

// sweep deletes the shared files that nothing from lowest on has used; those
// of a snapshot that is not claimed are only forgotten. It returns the ids of
// snapshots whose directory is still in use.
func (s *CompletedCheckpointStore) sweep(lowest int64) map[int64]bool {
	unused, inUse := s.registry.unregisterUnused(lowest)
	for _, e := range unused {
		out := SharedStateUnregistered{Path: e.handle.Path, CreatedBy: e.createdBy, LastUsed: e.lastUsed}
		if e.createdBy > s.registry.notClaimed {
			out.Err = s.storage.discard(e.handle)
			out.Deleted = out.Err == nil
		}
		s.tell(out)
	}
	return inUse
}

func (s *CompletedCheckpointStore) persist() {
	if s.ha != nil {
		s.ha.Checkpoints = slices.Clone(s.checkpoints)
	}
}

// shutdown ends the store with the job (CP-5.5). Without high availability an
// error of a deletion ends the clean-up and is returned; with it a job that is
// only suspended keeps everything.
func (s *CompletedCheckpointStore) shutdown(status Status) error {
	defer func() { s.checkpoints = nil }()
	if s.ha != nil && !status.Terminal() {
		return nil
	}
	lowest := sim.MaxTime
	for _, c := range s.checkpoints {
		if !c.Properties.discards(status) {
			lowest = min(lowest, c.ID())
			continue
		}
		if err := s.cleaner.discard(c); err != nil && s.ha == nil {
			return err
		}
	}
	if s.ha != nil {
		*s.ha = HighAvailability{}
	}
	if status.Terminal() {
		s.cleaner.cleanSubsumed(lowest, s.sweep(lowest), func() {})
	}
	return nil
}
