package fold

import (
	"slices"
	"strings"

	"streaminglab/sim"
)

// record folds what happens to records in channels.
func (c *Channels) record(x *sim.Step, at *Subtask) {
	switch b := x.Body.(type) {
	case sim.RecordRead:
		if s := c.readers[strings.TrimPrefix(x.At, "split:")]; s != nil {
			s.Step = x.Seq
			s.Sent = &Item{Record: b.Record, Key: b.Key, Step: x.Seq, cause: x.Seq}
			s.works()
		}
	case sim.RecordWaiting:
		if at != nil {
			c.waits(at, b, x)
		}
	case sim.InFlightRestored:
		if at != nil {
			c.restored(at, b, x)
		}
	case sim.RecordPlaced:
		c.handled(at, &b.Record, x)
	case sim.RecordDropped:
		c.handled(at, &b.Record, x)
	case sim.RecordLate:
		c.handled(at, &b.Record, x)
	case sim.RecordVanished:
		c.handled(at, &b.Record, x)
	case sim.RecordProcessed:
		c.handled(at, &b.Record, x)
	case sim.RecordStamped:
		c.handled(at, &b.Record, x)
	case sim.BroadcastStored:
		c.handled(at, &b.Record, x)
	case sim.BroadcastApplied:
		c.handled(at, &b.Record, x)
	case sim.ResultWritten:
		c.handled(at, nil, x)
	}
}

// came : the record that a source had sent is where it was to go.
func (c *Channels) came(x *sim.Step) {
	for _, cause := range x.Causes {
		if s := c.readers[strings.TrimPrefix(cause.At, "split:")]; s != nil && s.Sent != nil && s.Sent.cause == cause.Seq {
			s.Sent = nil
		}
	}
}

// waits : a record has come into a channel and stays there.
func (c *Channels) waits(at *Subtask, b sim.RecordWaiting, x *sim.Step) {
	ch := c.channels[[2]string{b.From, at.Name}]
	if ch == nil {
		return
	}
	c.came(x)
	item := Item{Record: b.Record, Key: b.Key, Why: b.Why, Step: x.Seq, InFlight: ch.Collecting}
	if n := len(x.Causes); n > 0 {
		item.cause = x.Causes[n-1].Seq
	}
	if ch.Collecting != 0 {
		at.part(ch.Collecting, x).InFlight++
	}
	if b.Why != sim.WaitBlocked {
		ch.Blocked = 0
	}
	ch.Items = append(ch.Items, item)
	ch.Step = x.Seq
}

// restored : elements came back that were in flight when the checkpoint was
// taken. The step does not name their channel: records of a source come through
// that of its reader.
func (c *Channels) restored(at *Subtask, b sim.InFlightRestored, x *sim.Step) {
	for _, r := range b.Lines {
		var ch *Channel
		if from := c.readers[logOf(r)]; from != nil {
			ch = c.channels[[2]string{from.Name, at.Name}]
		}
		if ch == nil && len(at.In) > 0 {
			ch = at.In[0]
		}
		if ch != nil {
			ch.Items = append(ch.Items, Item{Record: r, Why: WaitRestored, Step: x.Seq, cause: x.Seq})
			ch.Step = x.Seq
		}
	}
}

// handled : a record reached the subtask at the end of its channel. If it has
// waited, it leaves now, and so has all that came before it.
func (c *Channels) handled(at *Subtask, id *sim.RecordID, x *sim.Step) {
	if at == nil {
		return
	}
	at.works()
	c.came(x)
	if id != nil {
		at.passed(*id, map[*Subtask]bool{})
	}
	causes := x.CauseSeqs()
	ch, n := at.find(id, causes)
	if ch == nil {
		ch, n = at.find(id, nil)
	}
	if ch != nil {
		ch.Items = slices.Clone(ch.Items[n+1:])
		ch.Step, ch.Blocked = x.Seq, 0
		return
	}
	// It passed at once: the step of its cause says where it came from.
	for _, cause := range x.Causes {
		from := cause.At
		if s := c.readers[strings.TrimPrefix(from, "split:")]; s != nil {
			from = s.Name
		}
		ch := c.channels[[2]string{from, at.Name}]
		if ch == nil {
			continue
		}
		ch.Step, ch.Blocked = x.Seq, 0
		if ch.Collecting != 0 {
			at.part(ch.Collecting, x).InFlight++
		}
		return
	}
}

// passed : a record is here, so that it waits nowhere in front of the subtasks
// that it came through: those that only pass records on tell nothing of it.
func (s *Subtask) passed(id sim.RecordID, seen map[*Subtask]bool) {
	for _, in := range s.In {
		up := in.From
		if up == nil || seen[up] {
			continue
		}
		seen[up] = true
		if ch, n := up.find(&id, nil); ch != nil {
			ch.Items = slices.Clone(ch.Items[n+1:])
		}
		up.passed(id, seen)
	}
}

// find is where a record waits in front of a subtask: by its place in its log,
// and by the step that led to it where there are causes. A result has no place.
func (s *Subtask) find(id *sim.RecordID, causes []int) (*Channel, int) {
	if id == nil && causes == nil {
		return nil, -1
	}
	for _, ch := range s.In {
		for i, x := range ch.Items {
			if x.Barrier == 0 && (id == nil || x.Record == *id) && (causes == nil || slices.Contains(causes, x.cause)) {
				return ch, i
			}
		}
	}
	return nil, -1
}
