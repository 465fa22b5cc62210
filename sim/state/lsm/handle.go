package lsm

import "crypto/sha256"

// A Form is what a snapshot consists of.
type Form string

// The forms.
const (
	// FormEmpty is a snapshot of a backend without any state.
	FormEmpty Form = "empty"
	// FormFiles is table files and the files that describe them.
	FormFiles Form = "files"
	// FormCanonical is one file that every backend reads.
	FormCanonical Form = "canonical"
	// FormFull is what the backend on the heap writes, all key groups in one
	// stream: no backend of this package makes or reads it.
	FormFull Form = "full"
)

// A SnapshotType says what is asked for (CP-6.6, CP-8.1).
type SnapshotType int

// The types.
const (
	// Checkpoint reuses files of the last confirmed one.
	Checkpoint SnapshotType = iota
	// FullCheckpoint uploads everything; later ones may reuse it.
	FullCheckpoint
	// NativeSavepoint uploads everything for itself alone.
	NativeSavepoint
	// CanonicalSavepoint writes rows.
	CanonicalSavepoint
)

// Savepoint says whether nothing is shared with other snapshots.
func (t SnapshotType) Savepoint() bool { return t == NativeSavepoint || t == CanonicalSavepoint }

// Names of files that are no tables. MANIFEST, CURRENT and OPTIONS hold those
// files of all column families, META what Flink adds.
const (
	FileManifest  = "MANIFEST"
	FileCurrent   = "CURRENT"
	FileOptions   = "OPTIONS"
	FileMeta      = "META"
	FileTimers    = "TIMERS"
	FileCanonical = "CANONICAL"
)

// A HandleFile is a file of a snapshot and where it is kept.
type HandleFile struct {
	// Name is ours; a table has also the column family that it belongs to and
	// its name there.
	Name, Family, Local string
	Size                int64
	SHA256              [sha256.Size]byte
	// Object is where the bytes are, in the words of whoever keeps them.
	Object string
	// Inline are the bytes themselves, when they are kept in the handle.
	Inline []byte
	// Reused says that an earlier snapshot brought the object: a placeholder.
	Reused bool
}

// A Handle is the keyed state of one subtask in a snapshot: all that a restore
// needs. It is not changed once it is made.
type Handle struct {
	// Backend is the value of state.backend.type that wrote it.
	Backend string
	Form    Form
	ID      int64
	// UID names the backend that wrote it: local names of tables mean the same
	// file in all handles of one UID.
	UID    string
	Groups Groups
	// Shared are files that a later snapshot may reuse, Private those of this
	// snapshot alone.
	Shared, Private []HandleFile
}

// Size is the number of bytes of all files: what a restore has to read.
func (h *Handle) Size() (n int64) {
	for _, f := range h.Shared {
		n += f.Size
	}
	for _, f := range h.Private {
		n += f.Size
	}
	return n
}

// file finds a file that is no table.
func (h *Handle) file(name string) (HandleFile, bool) {
	for _, f := range h.Private {
		if f.Name == name && f.Local == "" {
			return f, true
		}
	}
	return HandleFile{}, false
}

// tables are the table files, wherever the handle has them.
func (h *Handle) tables() (all []HandleFile) {
	for _, files := range [][]HandleFile{h.Shared, h.Private} {
		for _, f := range files {
			if f.Local != "" {
				all = append(all, f)
			}
		}
	}
	return all
}

// OnHeap says whether the backend on the heap can restore the handle: files of
// a tree it cannot (CP-7.4a).
func (h *Handle) OnHeap() error {
	if h.Form != FormFiles {
		return nil
	}
	return exception("java.lang.IllegalStateException",
		"Unexpected state handle type, expected one of: class org.apache.flink.runtime.state.KeyGroupsStateHandle, "+
			"but found: class org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle. This can mostly happen when "+
			"a different StateBackend from the one that was used for taking a checkpoint/savepoint is used when restoring.")
}
