package checkpoint

import (
	"maps"
	"slices"

	"streaminglab/sim"
)

// A SharedStateRegistry knows for each shared file which checkpoint uploaded it
// and which one used it last (SharedStateRegistryImpl). It counts no
// references: a file goes when the oldest retained checkpoint is younger than
// its last use (CP-5.6).
type SharedStateRegistry struct {
	entries map[string]*sharedEntry
	// restored are the sharing strategies of snapshots that this job was
	// restored from: true where nothing was shared, so that shared files lie in
	// the snapshot's own directory.
	restored map[int64]bool
	// notClaimed is the highest id of a snapshot that belongs to somebody else:
	// nothing that it or an older one created is deleted.
	notClaimed int64
}

type sharedEntry struct {
	handle    Handle
	createdBy int64
	lastUsed  int64
}

// A SharedFile is an entry of the registry.
type SharedFile struct {
	Path                string
	CreatedBy, LastUsed int64
}

// NewSharedStateRegistry returns an empty registry.
func NewSharedStateRegistry() *SharedStateRegistry {
	return &SharedStateRegistry{entries: map[string]*sharedEntry{}, restored: map[int64]bool{}, notClaimed: -1}
}

// Has reports whether a file is registered.
func (r *SharedStateRegistry) Has(path string) bool { return r.entries[path] != nil }

// Entries are the registered files, by path.
func (r *SharedStateRegistry) Entries() []SharedFile {
	out := make([]SharedFile, 0, len(r.entries))
	for _, path := range slices.Sorted(maps.Keys(r.entries)) {
		e := r.entries[path]
		out = append(out, SharedFile{path, e.createdBy, e.lastUsed})
	}
	return out
}

// register says that a checkpoint uses a file and returns the handle that the
// checkpoint keeps: that of the upload, instead of a placeholder. A placeholder
// for a file that nobody knows is a hard error (CP-5.7).
//
// The key is the path, so that the same SST uploaded again is another entry;
// Flink's rules for two handles under one key have nothing to decide here.
func (r *SharedStateRegistry) register(h Handle, id int64) (Handle, error) {
	e := r.entries[h.Path]
	if e == nil {
		if h.Kind == Placeholder {
			return h, &sim.Exception{Class: "java.lang.IllegalStateException", Rule: "CP-5.7",
				Message: "Attempt to reference unknown state: " + h.Path}
		}
		e = &sharedEntry{handle: h, createdBy: id, lastUsed: id}
		r.entries[h.Path] = e
	}
	e.lastUsed = max(e.lastUsed, id)
	return e.handle, nil
}

// registerAll registers the shared files of a subtask, in order, until one
// fails.
func (r *SharedStateRegistry) registerAll(s *SubtaskState, id int64) error {
	return s.shared(func(h *Handle) error {
		kept, err := r.register(*h, id)
		if err == nil {
			*h = kept
		}
		return err
	})
}

// registerRestored registers the files of a snapshot that the job starts from,
// or of a checkpoint that a new JobManager found (registerAllAfterRestored).
// Those of an unclaimed snapshot are not registered at all (CP-8.7).
func (r *SharedStateRegistry) registerRestored(c *CompletedCheckpoint, mode ClaimMode) error {
	if c.Properties.Unclaimed {
		return nil
	}
	err := c.Metadata.subtasks(func(s *SubtaskState) error { return r.registerAll(s, c.Metadata.ID) })
	r.restored[c.Metadata.ID] = c.Restored && c.Metadata.Type.Savepoint()
	if mode != Claim {
		r.notClaimed = max(r.notClaimed, c.Metadata.ID)
	}
	return err
}

// unregisterUnused takes out every file that no checkpoint from lowest on has
// used. It returns them, by path, and the ids of restored snapshots whose
// directory must stay because files in it are still used.
func (r *SharedStateRegistry) unregisterUnused(lowest int64) (out []sharedEntry, inUse map[int64]bool) {
	inUse = map[int64]bool{}
	var paths []string
	for path, e := range r.entries {
		switch {
		case e.lastUsed < lowest:
			paths = append(paths, path)
		case r.restored[e.createdBy]:
			inUse[e.createdBy] = true
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		out = append(out, *r.entries[path])
		delete(r.entries, path)
	}
	return out, inUse
}
