package conform

import (
	"slices"

	"streaminglab/sim/state/lsm"
)

// jobManager is what the recordings of ForSt have around the task: completed
// and pending checkpoints, and the registry of shared files by last use (rules
// CP-1.5, CP-5.3, CP-5.6, CP-8.7, CP-8.8). It stands here until sim/checkpoint
// has these types; then it goes.
type jobManager interface {
	// acknowledged takes the handle of a checkpoint, known or not: nil when the
	// message was lost.
	acknowledged(c *forstCheckpoint)
	// complete ends a pending checkpoint, and reports what is to be deleted and
	// which older ones were given up.
	complete(id int64) (gone []string, aborted []int64, ok bool)
	// abort gives up a pending checkpoint.
	abort(id int64) (gone []string)
	// abandon gives up all pending ones: the job fails over.
	abandon() (gone []string)
}

// A forstCheckpoint is a snapshot as the JobManager knows it.
type forstCheckpoint struct {
	id        int64
	savepoint bool
	// handle is nil when the acknowledgement was lost.
	handle *lsm.Handle
	// exclusive are the objects in its own directory, which goes with it
	// whether they are known or not.
	exclusive []string
	// unclaimed is a snapshot of another job that this one must not delete.
	unclaimed bool
}

// files are the objects that go with the checkpoint.
func (c *forstCheckpoint) files() []string {
	all := slices.Clone(c.exclusive)
	if c.handle != nil {
		for _, f := range c.handle.Private {
			if f.Object != "" && !slices.Contains(all, f.Object) {
				all = append(all, f.Object)
			}
		}
	}
	return all
}

type standInJobManager struct {
	retain    int
	pending   []*forstCheckpoint
	completed []*forstCheckpoint
	// lastUsed says for each shared file which checkpoint used it last.
	lastUsed map[string]int64
}

// newJobManager starts a job, from a snapshot or from nothing.
func newJobManager(retain int, from *forstCheckpoint, mode lsm.ClaimMode) jobManager {
	m := &standInJobManager{retain: retain, lastUsed: map[string]int64{}}
	if from == nil {
		return m
	}
	restored := *from
	restored.unclaimed = mode != lsm.Claim
	m.completed = append(m.completed, &restored)
	if mode == lsm.Claim {
		m.register(&restored)
	}
	return m
}

func (m *standInJobManager) register(c *forstCheckpoint) {
	if c.handle == nil {
		return
	}
	for _, f := range c.handle.Shared {
		if f.Object != "" {
			m.lastUsed[f.Object] = max(m.lastUsed[f.Object], c.id)
		}
	}
}

func (m *standInJobManager) acknowledged(c *forstCheckpoint) {
	m.pending = append(m.pending, c)
	m.register(c)
}

func (m *standInJobManager) take(id int64) *forstCheckpoint {
	for i, c := range m.pending {
		if c.id == id {
			m.pending = slices.Delete(m.pending, i, i+1)
			return c
		}
	}
	return nil
}

func (m *standInJobManager) complete(id int64) (gone []string, aborted []int64, ok bool) {
	done := m.take(id)
	if done == nil {
		return nil, nil, false
	}
	m.completed = append(m.completed, done)
	for len(m.completed) > m.retain {
		old := m.completed[0]
		m.completed = m.completed[1:]
		if !old.unclaimed {
			gone = append(gone, old.files()...)
		}
	}
	lowest := id
	for _, c := range m.completed {
		if !c.savepoint {
			lowest = min(lowest, c.id)
		}
	}
	for object, last := range m.lastUsed {
		if last < lowest {
			delete(m.lastUsed, object)
			gone = append(gone, object)
		}
	}
	for _, c := range slices.Clone(m.pending) {
		if c.id < id {
			gone = append(gone, m.abort(c.id)...)
			aborted = append(aborted, c.id)
		}
	}
	return gone, aborted, true
}

func (m *standInJobManager) abort(id int64) []string {
	if c := m.take(id); c != nil {
		return c.files()
	}
	return nil
}

func (m *standInJobManager) abandon() (gone []string) {
	for _, c := range m.pending {
		gone = append(gone, c.files()...)
	}
	m.pending = nil
	return gone
}
