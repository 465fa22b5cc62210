package checkpoint

// HighAvailability is what survives a JobManager: the pointers to completed
// checkpoints and the counter of ids (ZooKeeper or ConfigMaps, with the
// metadata in high-availability.storageDir). Whoever starts the next
// JobManager of the same job hands it over.
type HighAvailability struct {
	// NextID is the id of the next checkpoint; 0: none was counted.
	NextID int64
	// Checkpoints are the completed ones, oldest first.
	Checkpoints []*CompletedCheckpoint
}
