package fold

import "strings"

// Label is how a script calls a snapshot: chk-3, sp1; one of a former job with
// its job.
func (s *Storage) Label(c *Snapshot) string {
	if c.Job != s.Job {
		return c.Name
	}
	return strings.TrimPrefix(c.Name, c.Job+"/")
}

// WebStatus is its state as Flink's web UI writes it.
func (c *Snapshot) WebStatus() string {
	return map[string]string{SnapshotPending: "IN_PROGRESS", SnapshotCompleted: "COMPLETED", SnapshotAborted: "FAILED"}[c.Status]
}

// Kept reports whether the coordinator of the present job has a checkpoint in
// its list: it goes back to the newest of them, whatever lies on the store.
func (s *Storage) Kept(c *Snapshot) bool {
	own := c.Job == s.Job && !c.Savepoint() || c == s.Restored && !s.released
	return s.live && own && c.Status == SnapshotCompleted && c.Discarded == nil && !c.Subsumed
}

// Stands reports whether somebody can still start from a snapshot, or would try
// to: its _metadata is there, or the present job keeps it.
func (s *Storage) Stands(c *Snapshot) bool {
	if c.Status != SnapshotCompleted || c.Discarded != nil {
		return false
	}
	o := s.paths[c.Metadata]
	return o != nil && o.Exists || s.Kept(c)
}

// Retained reports whether a snapshot stands and is meant to: what a JobManager
// has subsumed and could not delete is there all the same.
func (s *Storage) Retained(c *Snapshot) bool { return s.Stands(c) && !c.Subsumed }

// Users are the retained snapshots of which a restore reads an object, in the
// order in which they were completed. One that a JobManager could not delete
// needs nothing any more: it is litter itself.
func (s *Storage) Users(o *StoredObject) (out []*Snapshot) {
	if o.of != nil && s.Kept(o.of) {
		// What the next JobManager finds its checkpoint by.
		return []*Snapshot{o.of}
	}
	for _, c := range o.users {
		if s.Retained(c) {
			out = append(out, c)
		}
	}
	return out
}

// Missing are the objects of a completed snapshot that are not on the store,
// its _metadata last.
func (s *Storage) Missing(c *Snapshot) (out []*StoredObject) {
	for _, p := range c.Files {
		if o := s.paths[p]; o != nil && !o.Exists {
			out = append(out, o)
		}
	}
	if o := s.paths[c.Metadata]; o != nil && !o.Exists {
		out = append(out, o)
	}
	return out
}

// RestoreReads are the bytes and requests of a restore of a snapshot: _metadata
// with what is inlined in it, and its files.
func (s *Storage) RestoreReads(c *Snapshot) (bytes, gets int) {
	bytes, gets = c.MetadataSize, 1
	for _, p := range c.Files {
		if o := s.paths[p]; o != nil {
			bytes += o.Size
			gets++
		}
	}
	return bytes, gets
}

// Inlined are the bytes of state that lie inside _metadata.
func (s *Storage) Inlined(c *Snapshot) int {
	n := c.FullSize
	for _, p := range c.Files {
		if o := s.paths[p]; o != nil {
			n -= o.Size
		}
	}
	return n
}

// A Use is what a snapshot has to do with an object.
type Use int

// The uses. HandedOver: it lay on the store already, and nobody copied it.
const (
	NotUsed Use = iota
	Uploaded
	Reused
	HandedOver
)

// UseOf says what a snapshot has to do with an object. One that was aborted, or
// is not done, has only what was uploaded for it.
func (c *Snapshot) UseOf(o *StoredObject) Use {
	switch {
	case o.Creator == c && o.HandedOver:
		return HandedOver
	case o.Creator == c:
		return Uploaded
	case c.Needs(o.Path):
		return Reused
	}
	return NotUsed
}

// A Standing is who still answers for an object.
type Standing string

// The standings of an object.
const (
	// Needed : a retained snapshot reads it.
	Needed Standing = "needed"
	// Uploading : its snapshot is not done.
	Uploading Standing = "pending"
	// Late : its snapshot was aborted before its subtask had acknowledged; the
	// acknowledgement will tell the JobManager of it.
	Late Standing = "late"
	// Owned : a tree keeps it for itself.
	Owned Standing = "owned"
	// Registered : no snapshot reads it any more, and the next completion deletes
	// it: the registry knows it.
	Registered Standing = "registered"
	// Orphan : nobody reads it, and nobody will delete it.
	Orphan Standing = "orphan"
	// Deleted : it is not there.
	Deleted Standing = "deleted"
)

// StandingOf says who still answers for an object.
func (s *Storage) StandingOf(o *StoredObject) Standing {
	c := o.Creator
	switch {
	case !o.Exists:
		return Deleted
	case len(s.Users(o)) > 0:
		return Needed
	case o.of != nil:
		return Orphan
	case c == nil && !o.left:
		return Owned
	case c != nil && c.Status == SnapshotPending && !c.Lost:
		return Uploading
	case c != nil && c.Status == SnapshotAborted && o.epoch == s.epochOf(o.At) && !c.acknowledgedBy(o.At):
		return Late
	case s.Registered(o.Path) != nil:
		return Registered
	}
	return Orphan
}

func (c *Snapshot) acknowledgedBy(at string) bool {
	for _, a := range c.Acknowledged {
		if a == at {
			return true
		}
	}
	return false
}

// Lowest is the id of the oldest checkpoint that the present job keeps.
func (s *Storage) Lowest() (id int, ok bool) {
	for _, c := range s.Snapshots {
		if s.Kept(c) && (!ok || c.ID < id) {
			id, ok = c.ID, true
		}
	}
	return id, ok
}
