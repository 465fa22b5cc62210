package checkpoint

import "streaminglab/sim"

// RestoreLatest goes back to the latest completed checkpoint (CP-11.1) and
// returns it; nil: there is none, and the job starts empty.
func (c *Coordinator) RestoreLatest() *CompletedCheckpoint {
	latest := c.store.Latest()
	if latest == nil {
		return nil
	}
	c.forceFull = latest.Properties.Unclaimed
	c.tell(Restored{ID: latest.ID(), Directory: latest.Location.Directory, Full: c.forceFull})
	return latest
}

// RestoreSnapshot starts a new job from a checkpoint or savepoint
// (restoreSavepoint, CP-8.6 to CP-8.9). pointer is its directory. The error is
// a *sim.Exception when there is none, a *MetadataError when it cannot be
// read, or what the store says.
func (c *Coordinator) RestoreSnapshot(pointer string, mode ClaimMode) (*CompletedCheckpoint, error) {
	m, err := c.storage.ReadMetadata(pointer)
	if err != nil {
		return nil, err
	}
	done := &CompletedCheckpoint{Metadata: m, Location: Location{pointer}, Restored: true}
	switch mode {
	case Claim:
		done.Properties = PropertiesOf(c.config.Retention)
	case Legacy:
		done.Properties = savepointProperties(TypeSavepoint, false)
	default:
		mode = NoClaim
		done.Properties = unclaimedProperties()
	}
	if err := c.store.registry.registerRestored(done, mode); err != nil {
		return nil, err
	}
	var fault StoreFault
	c.do(func() { _, fault = c.store.add(done, c.lookLater) })
	if fault != "" {
		// The job does not start without it in the list.
		return nil, &sim.Exception{
			Class: "org.apache.flink.runtime.client.JobInitializationException", Message: "Could not start the JobMaster.", Rule: "CP-11.4",
		}
	}
	c.SetNextID(m.ID + 1)
	return c.RestoreLatest(), nil
}

// RestoreInitial is what a JobManager does when it starts a job: what high
// availability kept comes first, and the snapshot that the user named only if
// there is nothing (CP-8.11). pointer is empty when the user named none.
func (c *Coordinator) RestoreInitial(pointer string, mode ClaimMode) (*CompletedCheckpoint, error) {
	if latest := c.RestoreLatest(); latest != nil || pointer == "" {
		return latest, nil
	}
	return c.RestoreSnapshot(pointer, mode)
}
