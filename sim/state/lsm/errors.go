package lsm

import (
	"errors"
	"fmt"
)

var (
	// ErrClosed says that a tree or a backend is used after it was closed.
	ErrClosed = errors.New("lsm: closed")
	// ErrNoSpace says that there is no room for what a flush would write.
	ErrNoSpace = errors.New("lsm: no space left on device")
	// ErrTooLarge says that a key or value is larger than a memtable takes.
	ErrTooLarge = errors.New("lsm: key or value too large")
	// ErrHandle says that a handle does not describe files of this backend.
	ErrHandle = errors.New("lsm: not a snapshot of this backend")

	// ErrMissing, ErrSize and ErrContent are what can be wrong with a file
	// that a restore needs.
	ErrMissing = errors.New("is not in the store")
	ErrSize    = errors.New("has another size than its snapshot says")
	ErrContent = errors.New("has other content than its snapshot says")
)

// A FileError says which file keeps a snapshot from being restored.
type FileError struct {
	// Snapshot is the id of the snapshot, File what it is called in it, Object
	// where it should lie.
	Snapshot int64
	File     string
	Object   string
	Size     int64
	// Reason is ErrMissing, ErrSize or ErrContent.
	Reason error
}

func (e *FileError) Error() string {
	return fmt.Sprintf("lsm: snapshot %d references file %s (%d bytes) as %q, which %v", e.Snapshot, e.File, e.Size, e.Object, e.Reason)
}

// Unwrap makes errors.Is find the reason.
func (e *FileError) Unwrap() error { return e.Reason }

// A DeadError says that an engine failed where it must not, and that its
// instance can do nothing more.
type DeadError struct{ Cause error }

func (e *DeadError) Error() string { return "lsm: state backend failed: " + e.Cause.Error() }

// Unwrap gives the cause.
func (e *DeadError) Unwrap() error { return e.Cause }
