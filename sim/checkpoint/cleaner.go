package checkpoint

import "slices"

// A Cleaner deletes the files of completed checkpoints (CheckpointsCleaner). A
// deletion happens at once unless deletions are held.
type Cleaner struct {
	storage *Storage
	tell    func(Event)
	// subsumed wait until nothing in their directory is used.
	subsumed []*CompletedCheckpoint
	// held are deletions that have begun and wait.
	held    []func()
	holding bool
}

// Cleaning is how many checkpoints are being deleted: more than
// max-concurrent-checkpoints of them hold back triggers (CP-2.3).
func (c *Cleaner) Cleaning() int { return len(c.held) }

// cleanSubsumed deletes the subsumed checkpoints below lowest whose directory
// is not in use. after is called for each, when it is done.
func (c *Cleaner) cleanSubsumed(lowest int64, inUse map[int64]bool, after func()) {
	c.subsumed = slices.DeleteFunc(c.subsumed, func(x *CompletedCheckpoint) bool {
		if x.ID() >= lowest || inUse[x.ID()] {
			return false
		}
		if !x.Properties.DiscardSubsumed {
			after()
			return true
		}
		clean := func() {
			_ = c.discard(x)
			after()
		}
		if c.holding {
			c.held = append(c.held, clean)
		} else {
			clean()
		}
		return true
	})
}

// discard deletes the files of a completed checkpoint; what fails is told and
// stays.
func (c *Cleaner) discard(x *CompletedCheckpoint) error {
	err := x.discard(c.storage, false)
	c.tell(CheckpointDiscarded{ID: x.ID(), Type: x.Properties.Type, Directory: x.Location.Directory, Err: err})
	return err
}

// release ends the oldest held deletion and reports whether there was one.
func (c *Cleaner) release() bool {
	if len(c.held) == 0 {
		return false
	}
	clean := c.held[0]
	c.held = c.held[1:]
	clean()
	return true
}
