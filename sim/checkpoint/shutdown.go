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
