package checkpoint

// Shutdown ends the coordinator with the job: what is pending is aborted, and
// the store keeps or deletes what the retention says (CP-5.5). The error is
// that of a deletion that ended the clean-up: the rest stays.
func (c *Coordinator) Shutdown(status Status) error {
	var err error
	c.do(func() {
		if c.shutdown {
			return
		}
		c.shutdown = true
		c.scheduling = false
		c.cancelTick()
		c.abortAll(CoordinatorShutdown)
		err = c.store.shutdown(status)
	})
	return err
}

// Crash is the end of the JobManager: nothing that it booked happens any more,
// nothing is aborted, told or deleted. What is pending is gone with it; files
// of checkpoints that were never completed are known to nobody (CP-11.5).
func (c *Coordinator) Crash() {
	c.shutdown = true
	c.scheduling = false
	c.cancelTick()
	for _, p := range c.pending {
		p.timeout.Cancel()
	}
	c.writing.Cancel()
	c.writing, c.line, c.free, c.busy = nil, nil, nil, false
	clear(c.pending)
	c.decider.take()
	c.store.cleaner.held = nil
}
