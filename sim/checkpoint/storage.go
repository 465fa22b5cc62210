package checkpoint

import (
	"errors"
	"fmt"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/objectstore"
)

// DefaultInlineThreshold is execution.checkpointing.data-inline-threshold by
// default: 20 kb, in bytes.
const DefaultInlineThreshold = 20 * 1024

// JobManager is the owner of what the JobManager writes.
const JobManager = "jobmanager"

// Storage is where a job's snapshots lie: the layout of a FileSystem checkpoint
// storage in an object store (AbstractFsCheckpointStorageAccess, CP-5.1):
//
//	<directory>/<job>/shared/     files that several checkpoints may use
//	<directory>/<job>/taskowned/  never deleted by the JobManager
//	<directory>/<job>/chk-N/      _metadata and the private files of N
type Storage struct {
	Store *objectstore.Store
	// Directory is execution.checkpointing.dir, without a slash at the end;
	// empty: the root of the store.
	Directory string
	// Savepoints is execution.checkpointing.savepoint-dir.
	Savepoints string
	// Job is the id of the job.
	Job string
	// InlineThreshold is in bytes: a stream that is not larger stands in its
	// handle (CP-5.2). 0: none does, not even an empty one.
	InlineThreshold int64
	// Elsewhere reports whether a file lies where the JobManager cannot reach it:
	// then it deletes nothing. Nil: it reaches all.
	Elsewhere func(path string) bool
}

// A Location is the directory of one snapshot.
type Location struct {
	Directory string
}

// JobDirectory is the directory of the job's checkpoints.
func (s *Storage) JobDirectory() string { return join(s.Directory, s.Job) }

// SharedDirectory is where shared files go.
func (s *Storage) SharedDirectory() string { return s.JobDirectory() + "/shared" }

// TaskOwnedDirectory is where files go that only tasks delete.
func (s *Storage) TaskOwnedDirectory() string { return s.JobDirectory() + "/taskowned" }

// CheckpointDirectory is the directory of a checkpoint.
func (s *Storage) CheckpointDirectory(id int64) string {
	return fmt.Sprintf("%s/chk-%d", s.JobDirectory(), id)
}

// SavepointDirectory is the directory of a savepoint without a target of its
// own: savepoint-, the first six letters of the job's id, and twelve hex
// digits, which Flink draws at random and the lab derives from job and id.
func (s *Storage) SavepointDirectory(id int64) string {
	short := s.Job
	if len(short) > 6 {
		short = short[:6]
	}
	drawn := sim.Draw(uint64(id), "checkpoint/"+s.Job, "savepoint", 0) >> 16
	return join(s.Savepoints, fmt.Sprintf("savepoint-%s-%012x", short, drawn))
}

// initializeBase makes the directories of the job. An object store has none.
func (s *Storage) initializeBase() error {
	if _, err := s.Store.MakeDirectory(s.SharedDirectory()); err != nil {
		return err
	}
	_, err := s.Store.MakeDirectory(s.TaskOwnedDirectory())
	return err
}

func (s *Storage) initialize(dir string) (Location, error) {
	_, err := s.Store.MakeDirectory(dir)
	return Location{dir}, err
}

// Write uploads a stream of state as a task does (FsCheckpointStreamFactory)
// and returns its handle. name is unique in its directory; relative is set for
// what lies in the directory of its snapshot. A small stream takes no request.
// took is in ms.
func (s *Storage) Write(dir, name string, b objectstore.Body, relative bool, owner string) (h Handle, took int64, err error) {
	h = Handle{Path: join(dir, name), Size: b.Size}
	if b.Bytes != nil && b.Size <= s.InlineThreshold && s.InlineThreshold > 0 {
		h.Kind, h.Data = Inline, b.Bytes
		return h, 0, nil
	}
	h.Relative = relative
	took, err = s.Store.Put(h.Path, b, owner)
	return h, took, err
}

// Read returns the bytes of a handle; nil when only the size was kept. A
// placeholder cannot be read.
func (s *Storage) Read(h Handle) (b objectstore.Body, took int64, err error) {
	if h.Kind == Inline {
		return objectstore.Bytes(h.Data), 0, nil
	}
	return s.Store.Get(h.Path)
}

// Discard deletes what a task has written for a snapshot that failed and
// reports whether a file is gone.
func (s *Storage) Discard(h Handle) bool { return h.Kind == File && s.discard(h) == nil }

// discard deletes the file of a handle; its directory stays.
func (s *Storage) discard(h Handle) error {
	if h.Kind != File || s.Elsewhere != nil && s.Elsewhere(h.Path) {
		return nil
	}
	_, err := s.Store.Delete(h.Path)
	return err
}

// removeAll removes the directory of a snapshot that failed, with whatever a
// task wrote there (disposeOnFailure).
func (s *Storage) removeAll(l Location) error {
	if s.Elsewhere != nil {
		var err error
		for _, o := range s.Store.Objects() {
			if strings.HasPrefix(o.Key, l.Directory+"/") && !s.Elsewhere(o.Key) {
				_, e := s.Store.Delete(o.Key)
				err = errors.Join(err, e)
			}
		}
		return err
	}
	_, err := s.Store.RemoveDirectory(l.Directory, true)
	return err
}

// remove removes the directory of a snapshot that was discarded. It is not
// recursive: foreign files keep it (CP-5.4).
func (s *Storage) remove(l Location) error {
	_, err := s.Store.RemoveDirectory(l.Directory, false)
	return err
}

// writeMetadata writes _metadata and returns its size in bytes.
func (s *Storage) writeMetadata(l Location, data []byte) error {
	_, err := s.Store.Put(l.Directory+"/"+MetadataFile, objectstore.Bytes(data), JobManager)
	return err
}

// ReadMetadata reads the snapshot that a pointer names: its directory. The
// error is a *sim.Exception when there is none.
func (s *Storage) ReadMetadata(pointer string) (*Metadata, error) {
	b, _, err := s.Store.Get(pointer + "/" + MetadataFile)
	if err != nil {
		if missing(err) {
			return nil, s.notFound(pointer)
		}
		return nil, err
	}
	return DecodeMetadata(b.Bytes, pointer)
}

func missing(err error) bool {
	e, is := err.(*objectstore.Error)
	return is && e.Code == objectstore.NoSuchKey
}

// notFound is what AbstractFsCheckpointStorageAccess says.
func (s *Storage) notFound(pointer string) error {
	scheme := "s3"
	there := false
	if s.Store.Flavour == objectstore.LocalDirectory {
		scheme = "file"
		for _, d := range s.Store.Directories() {
			there = there || d == pointer
		}
	}
	if there {
		return &sim.Exception{Class: "java.io.FileNotFoundException", Rule: "CP-5.1", Message: "Cannot find meta data file '" +
			MetadataFile + "' in directory '" + pointer + "'. Please try to load the checkpoint/savepoint directly from the metadata file instead of the directory."}
	}
	return &sim.Exception{Class: "java.io.FileNotFoundException", Rule: "CP-5.1", Message: "Cannot find checkpoint or savepoint file/directory '" +
		pointer + "' on file system '" + scheme + "'."}
}

// DisposeSavepoint deletes a snapshot that no job owns, with all files that lie
// in its directory or that its metadata names (Checkpoints.disposeSavepoint).
// What it must not be used for is a checkpoint whose shared files another one
// uses.
func (s *Storage) DisposeSavepoint(pointer string) error {
	m, err := s.ReadMetadata(pointer)
	if err != nil {
		return err
	}
	return (&CompletedCheckpoint{Metadata: m, Location: Location{pointer}}).discard(s, true)
}
