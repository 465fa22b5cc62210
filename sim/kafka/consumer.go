package kafka

import (
	"slices"

	"streaminglab/sim"
)

// Isolation levels of consumers (isolation.level). A Java consumer that says
// nothing reads uncommitted (K37).
const (
	ReadUncommitted = "read_uncommitted"
	ReadCommitted   = "read_committed"
)

// What a consumer does where it has no position (auto.offset.reset).
const (
	ResetEarliest = "earliest"
	ResetLatest   = "latest"
	ResetNone     = "none"
)

// A Consumer is one instance of a Java consumer that reads all partitions of a
// topic. Without a group it commits nothing.
type Consumer struct {
	// Name is its client.id, Cause the step that led to the present call.
	Name  string
	Cause *sim.Step
	Topic string
	// Isolation, Group and Reset are isolation.level, group.id and
	// auto.offset.reset.
	Isolation, Group, Reset string

	broker *Broker
	// positions are the next offsets that it reads; last those of the last record
	// that it got.
	positions, last map[TopicPartition]int64
}

// NewConsumer returns a consumer with the defaults of Java: it has no positions
// until it polls.
func (b *Broker) NewConsumer(name, topic string) *Consumer {
	return &Consumer{
		Name: name, Topic: topic, Isolation: ReadUncommitted, Reset: ResetLatest, broker: b,
		positions: map[TopicPartition]int64{}, last: map[TopicPartition]int64{},
	}
}

// A Fetched is what a poll brought from one partition.
type Fetched struct {
	At TopicPartition
	// From is the position before, Position the one behind: it moves past markers
	// and past what was aborted, too (K34).
	From, Position int64
	Records        []Read
	// Aborted are the records of aborted transactions that it skipped, Markers the
	// control batches.
	Aborted, Markers int64
	// End is the last stable offset, or the high watermark for who reads
	// uncommitted; the metric records-lag is measured against it (K35).
	End int64
	// HighWatermark is the high watermark.
	HighWatermark int64
	// Open is the transaction that holds the last stable offset: nil without one.
	Open *OpenTransaction
}

// Lag is the metric records-lag.
func (f *Fetched) Lag() int64 { return f.End - f.Position }

// An OpenTransaction is one that is not decided on a partition.
type OpenTransaction struct {
	// ID is the transactional id, empty where its first batch is gone; Number is
	// 0 where the coordinator knows of no transaction.
	ID     string
	Number int64
	First  int64
	Step   *sim.Step
}

// Open is the oldest transaction that is open on the partition, or nil.
func (p *Partition) Open() *OpenTransaction {
	if len(p.open) == 0 {
		return nil
	}
	t := p.open[0]
	out := &OpenTransaction{Number: t.number, First: t.first, Step: t.step}
	for _, b := range p.Batches {
		if b.Base == t.first {
			out.ID = b.ID
		}
	}
	return out
}

// partitions are those that it reads.
func (c *Consumer) partitions() (out []TopicPartition) {
	for n := range c.broker.Partitions(c.Topic) {
		out = append(out, TopicPartition{c.Topic, n})
	}
	return out
}

// Position is the next offset that it reads; not ok: it has none yet.
func (c *Consumer) Position(at TopicPartition) (offset int64, ok bool) {
	offset, ok = c.positions[at]
	return offset, ok
}

// Poll reads all that is there for it. pending says that the group's offsets are
// not stable: nothing was read, and a later poll asks again.
func (c *Consumer) Poll() (out []*Fetched, pending bool, err *Exception) {
	c.broker.From(Client{c.Name, c.Cause})
	if code := c.broker.mayRead(c.Topic); code != None {
		c.refused("Fetch", code, false)
		return nil, false, notAuthorized(c.Topic)
	}
	if code := c.broker.mayJoin(c.Group); code != None {
		c.refused("FindCoordinator", code, false)
		return nil, false, notMember(c.Group)
	}
	if pending, err = c.start(); pending || err != nil {
		return nil, pending, err
	}
	for _, at := range c.partitions() {
		ok, err := c.inRange(at)
		if err != nil {
			return nil, false, err
		}
		if ok {
			out = append(out, c.fetch(at))
			continue
		}
		// Where the last stable offset lies below the log start, a reset to it leads
		// nowhere (K31).
		p, position := c.broker.Partition(at), c.positions[at]
		out = append(out, &Fetched{At: at, From: position, Position: position, End: c.end(p), HighWatermark: p.HighWatermark(), Open: p.Open()})
	}
	c.told(out)
	return out, false, nil
}

// start gives the partitions that have no position the committed one, or what
// auto.offset.reset says.
func (c *Consumer) start() (pending bool, err *Exception) {
	var missing []TopicPartition
	for _, at := range c.partitions() {
		if _, ok := c.positions[at]; !ok {
			missing = append(missing, at)
		}
	}
	if c.Group != "" && len(missing) > 0 {
		var committed []TopicPartition
		for _, o := range c.broker.OffsetFetch(c.Group, true) {
			if !slices.Contains(missing, o.At) {
				continue
			}
			if o.Err != None {
				// Java asks for stable offsets at every isolation level (K39).
				c.refused("OffsetFetch", o.Err, true)
				return true, nil
			}
			c.positions[o.At] = o.Offset
			committed = append(committed, o.At)
		}
		c.moved(sim.MovedCommitted, committed)
		missing = slices.DeleteFunc(missing, func(at TopicPartition) bool { return slices.Contains(committed, at) })
	}
	if len(missing) == 0 {
		return false, nil
	}
	if c.Reset == ResetNone {
		return false, &Exception{Class: "NoOffsetForPartitionException", Message: "Undefined offset with no reset policy for partitions: " + dashed(missing)}
	}
	c.reset(missing)
	c.moved(sim.MovedReset, missing)
	return false, nil
}

// reset is auto.offset.reset: ListOffsets(latest) is the end that its isolation
// level sees (K35).
func (c *Consumer) reset(partitions []TopicPartition) {
	for _, at := range partitions {
		p := c.broker.Partition(at)
		if c.Reset == ResetEarliest {
			c.positions[at] = p.Start
		} else {
			c.positions[at] = c.end(p)
		}
	}
}

func (c *Consumer) end(p *Partition) int64 {
	if c.Isolation == ReadCommitted {
		return p.LastStableOffset()
	}
	return p.HighWatermark()
}

// inRange resets a position that the log does not have. It reports whether the
// log has the one that there is then.
func (c *Consumer) inRange(at TopicPartition) (bool, *Exception) {
	p := c.broker.Partition(at)
	has := func() bool { return c.positions[at] >= p.Start && c.positions[at] <= p.End }
	if has() {
		return true, nil
	}
	c.refused("Fetch", OffsetOutOfRange, c.Reset != ResetNone)
	if c.Reset == ResetNone {
		return false, &Exception{Class: "OffsetOutOfRangeException", Err: OffsetOutOfRange}
	}
	c.reset([]TopicPartition{at})
	c.moved(sim.MovedOutOfRange, []TopicPartition{at})
	return has(), nil
}

// fetch reads a partition up to the end that its isolation level sees.
func (c *Consumer) fetch(at TopicPartition) *Fetched {
	p := c.broker.Partition(at)
	from, end := c.positions[at], c.end(p)
	f := &Fetched{At: at, From: from, Position: max(from, end), End: end, HighWatermark: p.HighWatermark()}
	all := p.ReadUncommitted(from)
	if c.Isolation == ReadCommitted {
		f.Open = p.Open()
		f.Records = p.ReadCommitted(from)
		for _, r := range all {
			if r.Offset < end {
				f.Aborted++
			}
		}
		f.Aborted -= int64(len(f.Records))
	} else {
		f.Records = all
	}
	for _, b := range p.Batches {
		if b.Control != Data && b.Base >= from && b.Base < end {
			f.Markers++
		}
	}
	c.positions[at] = f.Position
	if n := len(f.Records); n > 0 {
		c.last[at] = f.Records[n-1].Offset
	}
	return f
}

// Seek sets a position. Nothing is sent: only the next poll finds out whether
// the log has it.
func (c *Consumer) Seek(at TopicPartition, offset int64) {
	c.positions[at] = offset
	c.moved(sim.MovedSeek, []TopicPartition{at})
}

// Commit commits its positions, or with last the offset behind the last record
// that it got (K36).
func (c *Consumer) Commit(last bool) *Exception {
	if c.Group == "" {
		return &Exception{
			Class:   "InvalidGroupIdException",
			Message: "To use the group management or offset commit APIs, you must provide a valid group.id in the consumer configuration.",
		}
	}
	offsets := map[TopicPartition]int64{}
	for _, at := range c.partitions() {
		position, read := c.positions[at]
		if last {
			var offset int64
			offset, read = c.last[at]
			position = offset + 1
		}
		if read {
			offsets[at] = position
		}
	}
	if len(offsets) == 0 {
		return nil
	}
	c.broker.From(Client{c.Name, c.Cause})
	if code := c.broker.CommitOffsets(c.Group, offsets); code != None {
		c.refused("OffsetCommit", code, false)
		return notMember(c.Group)
	}
	return nil
}

func (c *Consumer) refused(api string, err Error, retry bool) {
	c.broker.tell(c.Name, RuleOf(err), sim.RequestRefused{API: api, Error: err.String(), Code: int64(err), Retry: retry}, c.Cause, c.broker.accessOf(err))
}

// moved tells positions that did not come from reading.
func (c *Consumer) moved(why string, partitions []TopicPartition) {
	if len(partitions) == 0 {
		return
	}
	body := sim.ConsumerMoved{Why: why}
	if why == sim.MovedReset || why == sim.MovedOutOfRange {
		body.Reset = c.Reset
	}
	for _, at := range partitions {
		body.Positions = append(body.Positions, sim.SplitOffset{Split: at.String(), Offset: c.positions[at]})
	}
	c.broker.tell(c.Name, "K-35", body, c.Cause)
}

// told tells what a poll brought.
func (c *Consumer) told(all []*Fetched) {
	if c.broker.Tell == nil {
		return
	}
	body := sim.ConsumerPolled{Isolation: c.Isolation}
	causes := []*sim.Step{c.Cause}
	rule := "K-32"
	for _, f := range all {
		p := sim.PolledPartition{
			Partition: f.At.String(), From: f.From, Position: f.Position, End: f.End, HW: f.HighWatermark, Lag: f.Lag(),
			Aborted: f.Aborted, Markers: f.Markers, First: -1,
		}
		if f.Aborted+f.Markers > 0 {
			rule = "K-34"
		}
		if f.Open != nil {
			p.Waits, p.Transaction, p.First = f.Open.ID, f.Open.Number, f.Open.First
			causes, rule = append(causes, f.Open.Step), "K-31"
		}
		body.Partitions = append(body.Partitions, p)
		for _, r := range f.Records {
			body.Records = append(body.Records, sim.PolledRecord{Partition: f.At.String(), Offset: r.Offset, Key: r.Record.Key, Value: r.Record.Value})
			causes = append(causes, r.Record.Step)
		}
	}
	c.broker.tell(c.Name, rule, body, distinct(causes)...)
}

// distinct are the steps in order, each once.
func distinct(steps []*sim.Step) (out []*sim.Step) {
	seen := map[*sim.Step]bool{}
	for _, s := range steps {
		if s != nil && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b *sim.Step) int { return a.Seq - b.Seq })
	return out
}
