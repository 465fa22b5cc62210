package checkpoint

// HandleKind says where the bytes of a handle are.
type HandleKind uint8

// The kinds.
const (
	// File : an object in the store.
	File HandleKind = iota
	// Inline : the bytes stand in the handle and so in _metadata (CP-5.2).
	Inline
	// Placeholder : a file that was uploaded earlier; name and size only.
	Placeholder
)

// A Handle says where a stream of state is (StreamStateHandle).
type Handle struct {
	Kind HandleKind
	// Path is the key in the store; it identifies the stream whatever the kind
	// (PhysicalStateHandleID, CP-5.7).
	Path string
	// Relative files lie in the directory of their snapshot, and _metadata
	// names them relative to itself, so that a savepoint can be moved.
	Relative bool
	// Size is in bytes.
	Size int64
	// Data are the bytes of an inline handle.
	Data []byte
}

// PlaceholderFor is what a task sends instead of a file it uploaded earlier.
func PlaceholderFor(h Handle) Handle { return Handle{Kind: Placeholder, Path: h.Path, Size: h.Size} }

// A NamedHandle is a handle with the name that the task knows it by
// ("000012.sst", "CURRENT").
type NamedHandle struct {
	Name   string
	Handle Handle
	// Local is where the file lies in the backend: its column family, a slash
	// and its name there. Only table files have it.
	Local string
	// Digest is the SHA-256 of the content; nil where nobody looks.
	Digest []byte
}

// KeyedState is the keyed state of a subtask for a range of key groups.
type KeyedState struct {
	// Backend is the state.backend.type that wrote it, or "canonical".
	Backend string
	// Instance identifies the backend instance, within which local names mean
	// the same file; empty for a state backend without shared files.
	Instance string
	// First and Last are the key groups, both inclusive.
	First, Last int
	// Shared files may be used by several checkpoints; Private ones die with
	// theirs.
	Shared  []NamedHandle
	Private []NamedHandle
}

// SubtaskState is what a subtask of an operator acknowledges.
type SubtaskState struct {
	Keyed []KeyedState
	// Operator are the streams of operator state.
	Operator []NamedHandle
	// Input are the streams of elements that were on their way to it
	// (InputChannelStateHandle, CP-4.3).
	Input []NamedHandle
	// Finished: the subtask had finished before and reports nothing.
	Finished bool
}

// OperatorSubtask is the state of one operator of a task's chain.
type OperatorSubtask struct {
	// UID identifies the operator.
	UID   string
	State SubtaskState
}

// TaskState is what a task acknowledges: one entry for each operator of its
// chain that has state.
type TaskState []OperatorSubtask

// private calls f for each handle that dies with its checkpoint.
func (s *SubtaskState) private(f func(Handle)) {
	for i := range s.Keyed {
		for _, h := range s.Keyed[i].Private {
			f(h.Handle)
		}
	}
	for _, h := range s.Operator {
		f(h.Handle)
	}
	for _, h := range s.Input {
		f(h.Handle)
	}
}

// shared calls f for each handle that may outlive its checkpoint.
func (s *SubtaskState) shared(f func(*Handle) error) error {
	for i := range s.Keyed {
		for j := range s.Keyed[i].Shared {
			if err := f(&s.Keyed[i].Shared[j].Handle); err != nil {
				return err
			}
		}
	}
	return nil
}

// SharedFiles are the objects that its shared state consists of, in order.
func (t TaskState) SharedFiles() (out []string) {
	for i := range t {
		_ = t[i].State.shared(func(h *Handle) error {
			if h.Path != "" {
				out = append(out, h.Path)
			}
			return nil
		})
	}
	return out
}

// Size is the number of bytes that a restore of the subtask reads.
func (s *SubtaskState) Size() (n int64) {
	s.private(func(h Handle) { n += h.Size })
	_ = s.shared(func(h *Handle) error { n += h.Size; return nil })
	return n
}

// Uploaded is the number of bytes that were written for it: placeholders do
// not count (CP-6.4).
func (s *SubtaskState) Uploaded() (n int64) {
	s.private(func(h Handle) { n += h.Size })
	_ = s.shared(func(h *Handle) error {
		if h.Kind != Placeholder {
			n += h.Size
		}
		return nil
	})
	return n
}
