package checkpoint

import "slices"

// MetadataFile is the name of the file that makes a directory a snapshot. It
// is written last (CP-5.1).
const MetadataFile = "_metadata"

// OperatorState is the state of an operator in a snapshot.
type OperatorState struct {
	UID            string
	Parallelism    int
	MaxParallelism int
	// Coordinator is the state of its coordinator (a source's enumerator); nil:
	// none.
	Coordinator []byte
	// Subtasks are the states by subtask; nil: nothing was acknowledged.
	Subtasks []*SubtaskState
}

// Metadata is the content of _metadata: everything that a restore needs to
// know, one list of files, however many checkpoints uploaded them (CP-6.7).
type Metadata struct {
	// ID is the id of the snapshot.
	ID int64
	// Type is what it was triggered as.
	Type SnapshotType
	// Operators are in the order of their uid.
	Operators []OperatorState
}

func (m *Metadata) subtasks(f func(*SubtaskState) error) error {
	for i := range m.Operators {
		for _, s := range m.Operators[i].Subtasks {
			if s == nil {
				continue
			}
			if err := f(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// Size is the number of bytes that a restore of everything reads.
func (m *Metadata) Size() (n int64) {
	_ = m.subtasks(func(s *SubtaskState) error { n += s.Size(); return nil })
	return n
}

// Files are the keys of all files that the snapshot needs beside _metadata,
// sorted.
func (m *Metadata) Files() []string {
	var out []string
	add := func(h Handle) {
		if h.Kind == File {
			out = append(out, h.Path)
		}
	}
	_ = m.subtasks(func(s *SubtaskState) error {
		s.private(add)
		return s.shared(func(h *Handle) error { add(*h); return nil })
	})
	slices.Sort(out)
	return slices.Compact(out)
}
