package checkpoint

// A CompletedCheckpoint is a snapshot that can be restored.
type CompletedCheckpoint struct {
	Metadata   *Metadata
	Location   Location
	Properties Properties
	// Restored: the job did not take it but was started from it.
	Restored bool
	// Triggered and Completed are in ms; 0 for a restored one.
	Triggered, Completed int64
	// Uploaded is the number of bytes that were written for it, and
	// MetadataSize that of _metadata.
	Uploaded, MetadataSize int64
}

// ID is its id.
func (c *CompletedCheckpoint) ID() int64 { return c.Metadata.ID }

// discard deletes _metadata, the private files, and the directory if nothing
// is left in it (CP-5.4); the shared files too when no registry knows them. It
// goes on after an error and returns the first.
func (c *CompletedCheckpoint) discard(s *Storage, sharedToo bool) error {
	var first error
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	keep(s.discard(Handle{Path: c.Location.Directory + "/" + MetadataFile}))
	c.Metadata.discard(s, sharedToo, keep)
	keep(s.remove(c.Location))
	return first
}

func (m *Metadata) discard(s *Storage, sharedToo bool, failed func(error)) {
	_ = m.subtasks(func(state *SubtaskState) error {
		state.private(func(h Handle) { failed(s.discard(h)) })
		if sharedToo {
			_ = state.shared(func(h *Handle) error { failed(s.discard(*h)); return nil })
		}
		return nil
	})
}
