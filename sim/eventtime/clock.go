package eventtime

// A PausableRelativeClock is the activity clock of an input: it stands still
// while the input is blocked (EV-3.3), so that a blocked input is not taken
// for a silent one. Paused n times it must be resumed n times. It mirrors
// Flink's class of that name; the zero value runs from the base clock's 0.
type PausableRelativeClock struct {
	blocked int64
	since   int64
	paused  int
}

// Read is the clock when the base clock shows now.
func (c *PausableRelativeClock) Read(now int64) int64 {
	blocked := c.blocked
	if c.paused > 0 {
		blocked += now - c.since
	}
	return now - blocked
}

// Pause stops the clock.
func (c *PausableRelativeClock) Pause(now int64) {
	if c.paused == 0 {
		c.since = now
	}
	c.paused++
}

// UnPause takes one Pause back. Flink's check fails without one.
func (c *PausableRelativeClock) UnPause(now int64) error {
	if c.paused == 0 {
		return illegalState("")
	}
	c.paused--
	if c.paused == 0 {
		c.blocked += now - c.since
	}
	return nil
}

// Paused says whether the clock stands still.
func (c *PausableRelativeClock) Paused() bool { return c.paused > 0 }
