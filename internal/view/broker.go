package view

import (
	"cmp"
	"slices"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// Broker is what the pictures of topics and transactions show: the fold over the
// broker, and what each step is about.
type Broker struct {
	Kafka *fold.Kafka
	Now   int64

	// ids are the transactional ids that steps are about, began who began each
	// transaction.
	ids   map[int]string
	began map[int]string
	// last is the last transaction of each id.
	last map[string]int
	// entries are those of partitions by offset, for those that were drawn.
	entries map[*fold.Partition]map[int]fold.Entry
	// Hidden is how many partitions had no room when logs were drawn last.
	Hidden int
}

// scanInterval is how often the coordinator looks for transactions whose timeout
// has passed (K-28).
const scanInterval = 10_000

// scanOf is the first scan that aborts a transaction whose timeout ends at a
// time: strictly behind it.
func scanOf(deadline int64) int64 { return (deadline/scanInterval + 1) * scanInterval }

// States of the coordinator.
const (
	stateOngoing       = "Ongoing"
	statePrepareCommit = "PrepareCommit"
	statePrepareAbort  = "PrepareAbort"
	stateEmpty         = "Empty"
)

// Isolation levels.
const (
	readCommitted   = "read_committed"
	readUncommitted = "read_uncommitted"
)

// BuildBroker folds a trace into what became of its topics and transactions.
func BuildBroker(t *sim.Trace) *Broker {
	b := &Broker{Kafka: fold.NewKafka(), ids: map[int]string{}, began: map[int]string{}, last: map[string]int{}}
	for s := range t.Main() {
		b.Now = s.T
		b.Kafka.Add(s)
		if x, ok := s.Body.(sim.TransactionChanged); ok {
			b.ids[s.Seq] = x.ID
			if x.Transaction > 0 {
				b.last[x.ID] = int(x.Transaction)
			}
			if n := int(x.Transaction); x.State == stateOngoing && b.began[n] == "" {
				b.began[n] = x.By
			}
		}
	}
	return b
}

// letter is what a transaction is called in the pictures: a, b, … z, aa, ab …, in
// the order in which they began.
func letter(transaction int) string {
	out := ""
	for n := transaction; n > 0; n = (n - 1) / 26 {
		out = string(rune('a'+(n-1)%26)) + out
	}
	return out
}

// hangingSign stands for a transaction that no coordinator knows.
const hangingSign = "?"

// sign is the letter of a batch: of its transaction, of none that the coordinator
// knows, or that of a record outside of any.
func (b *Broker) sign(p *Picture, x *fold.Batch) string {
	switch {
	case x.ID == "":
		return p.Signs.Dots
	case x.Transaction == 0:
		return hangingSign
	}
	return letter(x.Transaction)
}

// transaction is the one of a number, or nil.
func (b *Broker) transaction(n int) *fold.Transaction {
	i := slices.IndexFunc(b.Kafka.Transactions, func(t *fold.Transaction) bool { return t.Number == n })
	if i < 0 {
		return nil
	}
	return b.Kafka.Transactions[i]
}

// partitions are those that have something to show: of topics, and those of
// Kafka's own that belong to a transaction.
func (b *Broker) partitions() (out []*fold.Partition) {
	for _, internal := range []bool{false, true} {
		for _, p := range b.Kafka.Partitions {
			if fold.Internal(p.Name) != internal || internal && !slices.ContainsFunc(p.Entries, func(e fold.Entry) bool { return e.Batch != nil && e.Batch.ID != "" }) {
				continue
			}
			out = append(out, p)
		}
	}
	return out
}

// end is the offset of the next record, also where not all is replicated.
func end(p *fold.Partition) int {
	n := max(p.End, p.HW, p.Start)
	if k := len(p.Entries); k > 0 {
		if e := p.Entries[k-1]; e.Marker != nil {
			n = max(n, e.Marker.Offset+1)
		} else {
			n = max(n, e.Batch.Offset+len(e.Batch.Values))
		}
	}
	return n
}

// A holder is what keeps the last stable offset of a partition back.
type holder struct {
	partition *fold.Partition
	// batch is the first of what is open; nil: a marker that is not replicated.
	batch *fold.Batch
	// transaction is that of the batch; nil: the coordinator knows of none.
	transaction *fold.Transaction
}

// held is what a partition waits for; nil: read_committed gets as far as
// read_uncommitted.
func (b *Broker) held(p *fold.Partition) *holder {
	if p.LSO >= p.HW {
		return nil
	}
	out := &holder{partition: p}
	for _, e := range p.Entries {
		if x := e.Batch; x != nil && x.State == fold.BatchOpen && x.Offset+len(x.Values) > p.LSO {
			out.batch, out.transaction = x, b.transaction(x.Transaction)
			break
		}
	}
	return out
}

// order is that in which partitions are shown when not all have room: the chosen
// one, the one that is being looked at, those that the step is about, those that
// are held back, the others.
func (b *Broker) order(p *Picture, all []*fold.Partition) []*fold.Partition {
	picked := b.picked(p)
	weight := func(x *fold.Partition) int {
		switch {
		case x == picked:
			return 0
		case x.Name == p.Partition && len(x.Entries) > 0:
			return 1
		case b.about(p, x):
			return 2
		case b.held(x) != nil:
			return 3
		case len(x.Entries) > 0:
			return 4
		}
		return 5
	}
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(x, y *fold.Partition) int { return cmp.Compare(weight(x), weight(y)) })
	return out
}

// LogFocus is the partition that is looked at, its name; empty: there is none with
// anything to show.
func (b *Broker) LogFocus(p Picture) string {
	if x := b.picked(&p); x != nil {
		return x.Name
	}
	if all := b.partitions(); len(all) > 0 {
		if x := b.order(&p, all)[0]; len(x.Entries) > 0 {
			return x.Name
		}
	}
	return ""
}

// LogRow is the row of a partition, from 1; 0: there is none.
func (b *Broker) LogRow(name string) int {
	return slices.IndexFunc(b.partitions(), func(x *fold.Partition) bool { return x.Name == name }) + 1
}

// LogRows is how many partitions can be chosen.
func (b *Broker) LogRows() int { return len(b.partitions()) }

// picked is the partition that was chosen by hand, or nil.
func (b *Broker) picked(p *Picture) *fold.Partition {
	if all := b.partitions(); p.Pick > 0 && len(all) > 0 {
		return all[min(p.Pick, len(all))-1]
	}
	return nil
}

// about reports whether a partition was chosen, or the selected step wrote to it.
func (b *Broker) about(p *Picture, x *fold.Partition) bool {
	if picked := b.picked(p); picked != nil {
		return x == picked
	}
	return p.Step > 0 && slices.ContainsFunc(x.Entries, func(e fold.Entry) bool {
		return e.Batch != nil && e.Batch.Step == p.Step || e.Marker != nil && e.Marker.Step == p.Step
	})
}

// waiting says who waits for what and until when: the first thing that a learner
// asks.
func (b *Broker) waiting(p *Picture) (string, Class) {
	if x := b.picked(p); x != nil {
		if h := b.held(x); h != nil {
			return b.holds(p, h)
		}
		return p.Loc.Text(p.short("scene.log.free-one"), locale.Args{"Partition": x.Name, "HW": x.HW}), Good
	}
	var all []*holder
	for _, x := range b.partitions() {
		if h := b.held(x); h != nil && !fold.Internal(x.Name) {
			all = append(all, h)
		}
	}
	if len(all) == 0 {
		return p.Loc.Text(p.short("scene.log.free"), nil), Good
	}
	h := all[0]
	for _, x := range all {
		// A transaction that nobody will end goes before the others.
		if x.batch != nil && x.transaction == nil {
			h = x
		}
	}
	text, class := b.holds(p, h)
	if n := len(all) - 1; n > 0 {
		text += " " + p.Loc.Plural("scene.log.more-held", int64(n), nil)
	}
	return text, class
}

// holds says what holds a partition back.
func (b *Broker) holds(p *Picture, h *holder) (string, Class) {
	args := locale.Args{"Partition": h.partition.Name, "LSO": h.partition.LSO, "HW": h.partition.HW, "N": h.partition.HW - h.partition.LSO}
	t := h.transaction
	switch {
	case h.batch == nil:
		return p.Loc.Text(p.held("marker"), args), Warn
	case t == nil:
		args["ID"] = h.batch.ID
		return p.Loc.Text(p.held("hanging"), args), Bad
	}
	args["Letter"], args["ID"], args["Result"] = letter(t.Number), t.ID, t.Decided
	deadline := int64(t.Started + t.Timeout)
	args["Deadline"], args["Scan"] = deadline, scanOf(deadline)
	switch {
	case t.Decided != "" && t.Ended < 0:
		return p.Loc.Text(p.held("decided"), args), Warn
	case t.Decided != "":
		return p.Loc.Text(p.held("hanging"), args), Bad
	case b.Kafka.Coordinator.Away:
		return p.Loc.Text(p.held("away"), args), Warn
	}
	return p.Loc.Text(p.held("open"), args), Warn
}

// held is a message about what is held back, in fewer words where there is little
// room.
func (p *Picture) held(id string) string {
	if p.Width < narrowLegend {
		return "scene.log.held-short." + id
	}
	return "scene.log.held." + id
}

// short is a message, in fewer words where there is little room.
func (p *Picture) short(id string) string {
	if p.Width < narrowLegend {
		return id + "-short"
	}
	return id
}

// undecided reports whether a transaction is still open at the coordinator.
func undecided(state string) bool {
	return state == stateOngoing || state == statePrepareCommit || state == statePrepareAbort
}

// spans joins numbers to ranges: 0–2, 5.
func spans(p *Picture, offsets []int) string {
	dash := "–"
	if p.Signs == ASCII {
		dash = "-"
	}
	var out []string
	for i := 0; i < len(offsets); {
		k := i
		for k+1 < len(offsets) && offsets[k+1] == offsets[k]+1 {
			k++
		}
		text := p.Loc.Text("scene.number", locale.Args{"N": offsets[i]})
		if k > i {
			text += dash + p.Loc.Text("scene.number", locale.Args{"N": offsets[k]})
		}
		out = append(out, text)
		i = k + 1
	}
	return strings.Join(out, ", ")
}
