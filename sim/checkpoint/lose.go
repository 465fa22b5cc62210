package checkpoint

// Lose ends the coordinator as the loss of its JobManager does: nobody is
// told, nothing is deleted, and what was pending stays where it was written.
func (c *Coordinator) Lose() {
	c.shutdown, c.scheduling = true, false
	c.cancelTick()
	for _, p := range c.pending {
		p.timeout.Cancel()
	}
	c.pending, c.line = map[int64]*pending{}, nil
}
