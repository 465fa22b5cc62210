package eventtime

import "streaminglab/sim"

// A StatusWatermarkValve stands at one input and makes one watermark and one
// status of those of its channels (EV-2.3, EV-2.6). It mirrors Flink's class
// of that name as it is in 2.2.1, with two quirks that FLINK-40475 removes
// later: the flush to the maximum when all channels are idle depends on the
// order in which they became idle, and no watermark is derived when a channel
// becomes active.
type StatusWatermarkValve struct {
	channels   []ValveChannel
	active     int
	lastOut    int64
	lastStatus WatermarkStatus
	out        TimeOutput
}

// A ValveChannel is what the valve knows of one channel.
type ValveChannel struct {
	// Watermark is the last one that was heeded, MIN before the first.
	Watermark int64
	Status    WatermarkStatus
	// Aligned channels take part in the minimum. A channel is not aligned
	// while it is idle and, after it became active again, until it caught up
	// with what the valve sent meanwhile.
	Aligned bool
}

// NewStatusWatermarkValve returns a valve whose channels are active and
// aligned at MIN, so that nothing comes out before each of them spoke.
func NewStatusWatermarkValve(channels int, out TimeOutput) *StatusWatermarkValve {
	v := &StatusWatermarkValve{
		channels: make([]ValveChannel, channels),
		active:   channels,
		lastOut:  sim.MinTime,
		out:      out,
	}
	for i := range v.channels {
		v.channels[i] = ValveChannel{Watermark: sim.MinTime, Aligned: true}
	}
	return v
}

// InputWatermark takes a watermark. It is ignored on an idle channel, in an
// idle valve, and if it is not above the channel's last one.
func (v *StatusWatermarkValve) InputWatermark(timestamp int64, channel int) {
	c := &v.channels[channel]
	if v.lastStatus.IsIdle() || c.Status.IsIdle() || timestamp <= c.Watermark {
		return
	}
	c.Watermark = timestamp
	if !c.Aligned && timestamp >= v.lastOut {
		c.Aligned = true
	}
	v.outputMinimumOfAligned()
}

// InputWatermarkStatus takes a status. Only a change of the channel's status
// has an effect.
func (v *StatusWatermarkValve) InputWatermarkStatus(status WatermarkStatus, channel int) {
	c := &v.channels[channel]
	if c.Status == status {
		return
	}
	c.Status = status
	if status.IsIdle() {
		c.Aligned = false
		v.active--
		// Whoever was at the last output may have held it there. Anyone else
		// did not, and then 2.2.1 leaves the watermark alone, also when this
		// was the last active channel.
		heldOutput := c.Watermark == v.lastOut
		switch {
		case v.active == 0:
			if heldOutput {
				v.outputMaximum()
			}
			v.lastStatus = Idle
			v.out.EmitWatermarkStatus(Idle)
		case heldOutput:
			v.outputMinimumOfAligned()
		}
		return
	}
	v.active++
	if c.Watermark >= v.lastOut {
		c.Aligned = true
	}
	if v.lastStatus.IsIdle() {
		v.lastStatus = Active
		v.out.EmitWatermarkStatus(Active)
	}
}

func (v *StatusWatermarkValve) outputMinimumOfAligned() {
	lowest, any := sim.MaxTime, false
	for i := range v.channels {
		if c := &v.channels[i]; c.Aligned {
			lowest, any = min(lowest, c.Watermark), true
		}
	}
	if any && lowest > v.lastOut {
		v.lastOut = lowest
		v.out.EmitWatermark(lowest)
	}
}

func (v *StatusWatermarkValve) outputMaximum() {
	highest := sim.MinTime
	for i := range v.channels {
		highest = max(highest, v.channels[i].Watermark)
	}
	if highest > v.lastOut {
		v.lastOut = highest
		v.out.EmitWatermark(highest)
	}
}

// Channels are the states of the channels. The slice belongs to the valve.
func (v *StatusWatermarkValve) Channels() []ValveChannel { return v.channels }

// Watermark is the last one that came out.
func (v *StatusWatermarkValve) Watermark() int64 { return v.lastOut }

// Status is the last one that came out.
func (v *StatusWatermarkValve) Status() WatermarkStatus { return v.lastStatus }

// HeldBy are the channels that hold the watermark where it is: the aligned
// ones with the lowest watermark.
func (v *StatusWatermarkValve) HeldBy() []int {
	var held []int
	for i := range v.channels {
		c := &v.channels[i]
		switch {
		case !c.Aligned:
		case len(held) == 0 || c.Watermark < v.channels[held[0]].Watermark:
			held = append(held[:0], i)
		case c.Watermark == v.channels[held[0]].Watermark:
			held = append(held, i)
		}
	}
	return held
}
