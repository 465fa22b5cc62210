package fold

import (
	"slices"

	"streaminglab/sim"
)

// checkpoint folds what happens to checkpoints and their barriers. It reports
// whether a step is about one.
func (c *Channels) checkpoint(x *sim.Step, at *Subtask) bool {
	switch b := x.Body.(type) {
	case sim.CheckpointTriggered:
		p := &PendingCheckpoint{ID: b.ID, Name: b.Name, Kind: b.Kind, Status: SnapshotPending, Triggered: x.T, Step: x.Seq}
		for _, v := range c.Vertices {
			for _, s := range v.Subtasks {
				s.held = false
				if s.Head == nil && !slices.Contains(b.Finished, s.Name) {
					p.Missing = append(p.Missing, s.Name)
				}
			}
		}
		c.Pending = append(c.Pending, p)
	case sim.BarrierEmitted:
		if at != nil {
			at.held = false
			at.part(b.ID, x).Phase = PhaseAsync
			c.send(at, b.ID, b.Unaligned, x)
		}
	case sim.BarrierReceived:
		if at != nil {
			c.received(at, b, x)
		}
	case sim.SnapshotTaken:
		if at != nil {
			c.taken(at, b, x)
		}
	case sim.CheckpointAcknowledged:
		if at != nil {
			part := at.part(b.ID, x)
			part.Phase, part.InFlight = PhaseAcknowledged, b.InFlight
			c.release(at, b.ID)
		}
		if p := c.find(b.ID); p != nil {
			p.acknowledge(x)
		}
	case sim.CheckpointDeclined:
		if at != nil {
			at.part(b.ID, x).Phase = PhaseDeclined
			c.release(at, b.ID)
		}
	case sim.CheckpointFinalizing:
		if p := c.find(b.ID); p != nil {
			p.Finalizing, p.Step = true, x.Seq
		}
	case sim.CheckpointCompleted:
		if p := c.end(b.ID, x); p != nil {
			p.Status, p.Duration = SnapshotCompleted, b.Duration
		}
	case sim.CheckpointAborted:
		if p := c.end(b.ID, x); p != nil {
			p.Status, p.Reason, p.Duration = SnapshotAborted, b.Reason, x.T-p.Triggered
		}
		// A barrier of a checkpoint that was given up leads to nothing any more.
		// What it holds back it holds until the subtask hears of it.
		for _, ch := range c.Channels {
			if ch.Collecting == b.ID {
				ch.Collecting = 0
			}
			ch.Items = slices.DeleteFunc(ch.Items, func(i Item) bool { return i.Barrier == b.ID })
			for k := range ch.Items {
				if ch.Items[k].InFlight == b.ID {
					ch.Items[k].InFlight = 0
				}
			}
		}
	case sim.CheckpointNotified:
	default:
		return false
	}
	return true
}

// find is the pending checkpoint with an id, or nil.
func (c *Channels) find(id int64) *PendingCheckpoint {
	for _, p := range c.Pending {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// end takes a checkpoint from the list of the pending ones.
func (c *Channels) end(id int64, x *sim.Step) *PendingCheckpoint {
	p := c.find(id)
	if p == nil {
		return nil
	}
	c.Pending = slices.DeleteFunc(slices.Clone(c.Pending), func(q *PendingCheckpoint) bool { return q == p })
	c.Last, p.Step = p, x.Seq
	return p
}

func (p *PendingCheckpoint) acknowledge(x *sim.Step) {
	if i := slices.Index(p.Missing, x.At); i >= 0 {
		p.Missing = slices.Delete(slices.Clone(p.Missing), i, i+1)
		p.Acknowledged = append(p.Acknowledged, x.At)
	}
	p.Step = x.Seq
}

// part is what a subtask has to do with a checkpoint, which a step is about.
func (s *Subtask) part(id int64, x *sim.Step) *Part {
	p := s.parts[id]
	if p == nil {
		p = &Part{Phase: PhaseNone, Of: len(s.In)}
		s.parts[id] = p
	}
	p.Step = x.Seq
	return p
}

// send puts a barrier into all channels behind a task. No barrier overtakes
// where data cannot be redistributed (CP-4.5).
func (c *Channels) send(from *Subtask, id int64, unaligned bool, x *sim.Step) {
	for _, s := range append([]*Subtask{from}, from.Called...) {
		for _, ch := range s.Out {
			if ch.Chained {
				continue
			}
			overtakes := unaligned && ch.Exchange != sim.ExchangeForward && ch.Exchange != sim.ExchangeBroadcast
			ch.Items = append(ch.Items, Item{Barrier: id, Unaligned: overtakes, Step: x.Seq})
			ch.Step = x.Seq
		}
	}
}

// received : a barrier came out of one of several channels.
func (c *Channels) received(at *Subtask, b sim.BarrierReceived, x *sim.Step) {
	part := at.part(b.ID, x)
	part.Barriers++
	part.Of = part.Barriers + b.Missing
	if part.Phase == PhaseNone {
		part.Phase = PhaseAligning
	}
	if part.Phase == PhaseCollecting && b.Missing == 0 {
		part.Phase = PhaseAsync
	}
	ch := c.channels[[2]string{b.From, at.Name}]
	if ch == nil {
		return
	}
	part.came = append(part.came, ch)
	ch.Step, ch.Blocked = x.Seq, 0
	if b.Blocked {
		ch.Blocked = b.ID
	}
	if ch.Collecting == b.ID {
		ch.Collecting = 0
	}
	ch.pass(b.ID, part.Unaligned)
}

// pass takes a barrier out of a channel. What one that may overtake leaves
// behind belongs to its checkpoint; in front of another nothing is left.
func (ch *Channel) pass(id int64, unaligned bool) {
	i := slices.IndexFunc(ch.Items, func(x Item) bool { return x.Barrier == id })
	if i < 0 {
		return
	}
	before := ch.Items[:i]
	if !unaligned && !ch.Items[i].Unaligned {
		before = nil
	}
	for k := range before {
		if before[k].Barrier == 0 {
			before[k].InFlight = id
		}
	}
	ch.Items = append(slices.Clone(before), ch.Items[i+1:]...)
}

// taken : a subtask has its snapshot, and its barrier goes on.
func (c *Channels) taken(at *Subtask, b sim.SnapshotTaken, x *sim.Step) {
	part := at.part(b.ID, x)
	part.Phase, part.Unaligned, part.InFlight = PhaseAsync, b.Unaligned, b.InFlight
	if len(at.In) == 1 {
		// The barrier of a channel that is alone has no step of its own.
		part.Barriers = 1
		at.In[0].pass(b.ID, b.Unaligned)
	}
	c.release(at, b.ID)
	if at.stands {
		at.stands, part.Phase = false, PhaseStanding
	}
	if b.Unaligned && part.Barriers < part.Of {
		part.Phase = PhaseCollecting
		for _, ch := range at.In {
			if !slices.Contains(part.came, ch) {
				ch.collect(b.ID)
			}
		}
	}
	c.send(at, b.ID, b.Unaligned, x)
}

// collect : what is in front of a barrier that is missing belongs to its
// checkpoint, and so does what still comes before it.
func (ch *Channel) collect(id int64) {
	ch.Collecting = id
	for k := range ch.Items {
		if ch.Items[k].Barrier == id {
			return
		}
		if ch.Items[k].Barrier == 0 {
			ch.Items[k].InFlight = id
		}
	}
}

// release lets the channels go on that an alignment held back.
func (c *Channels) release(at *Subtask, id int64) {
	for _, ch := range at.In {
		if ch.Blocked != 0 && ch.Blocked <= id {
			ch.Blocked = 0
		}
		if ch.Collecting != 0 && ch.Collecting <= id {
			ch.Collecting = 0
		}
	}
}
