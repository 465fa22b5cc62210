package narrate

import (
	"slices"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

func (v viewer) kafka() *fold.Kafka { return fold.KafkaOf(v.run.Trace) }

// topics are the partitions of topics.
func (v viewer) topics() Table {
	t := v.table("topics", "partition", "#log-start", "#lso", "#hw", "#log-end", "~open")
	for _, p := range v.kafka().Partitions {
		t.add(p.Name, strconv.Itoa(p.Start), strconv.Itoa(p.LSO), strconv.Itoa(p.HW), strconv.Itoa(p.End), v.list(openOn(p)))
	}
	return t
}

// openOn are the ids whose transactions are open on a partition, each with the
// offset where it begins there.
func openOn(p *fold.Partition) (out []string) {
	seen := map[int]bool{}
	for _, e := range p.Entries {
		if b := e.Batch; b != nil && b.State == fold.BatchOpen && !seen[b.Producer] {
			seen[b.Producer] = true
			out = append(out, b.ID+"@"+strconv.Itoa(b.Offset))
		}
	}
	return out
}

// logs are the logs of partitions, of one when it is named.
func (v viewer) logs(of string) (out []Table) {
	for _, p := range v.kafka().Partitions {
		if of == "" && fold.Internal(p.Name) || of != "" && p.Name != of {
			continue
		}
		t := v.table("log", "#offset", "~log-entry", "#producer-id", "#epoch", "#sequence", "transactional-id", "read-committed")
		t.Title = v.text("view.log.of", locale.Args{"Partition": p.Name})
		for _, e := range p.Entries {
			v.entry(&t, p, e)
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		out = append(out, v.table("log", "#offset", "~log-entry"))
	}
	return out
}

// entry is a batch, with a row for each of its records, or a marker.
func (v viewer) entry(t *Table, p *fold.Partition, e fold.Entry) {
	if m := e.Marker; m != nil {
		if m.Offset >= p.Start {
			t.add(strconv.Itoa(m.Offset), v.text("view.log.marker", locale.Args{"Result": m.Result}), strconv.Itoa(m.Producer), strconv.Itoa(m.Epoch), "", m.ID, "")
		}
		return
	}
	b := e.Batch
	for i, value := range b.Values {
		offset := b.Offset + i
		if offset < p.Start {
			continue
		}
		var producer, epoch, sequence string
		if b.Producer >= 0 {
			producer, epoch = strconv.Itoa(b.Producer), strconv.Itoa(b.Epoch)
		}
		if b.Sequence >= 0 {
			sequence = strconv.Itoa(b.Sequence + i)
		}
		t.add(strconv.Itoa(offset), value, producer, epoch, sequence, b.ID, v.seen(p, b, offset))
	}
}

// seen says whether a reader of committed records gets a record.
func (v viewer) seen(p *fold.Partition, b *fold.Batch, offset int) string {
	switch {
	case b.State == fold.BatchAborted:
		return v.text("view.log.aborted", nil)
	case b.State == fold.BatchOpen:
		return v.text("view.log.open", nil)
	case offset >= p.LSO:
		return v.text("view.log.behind", nil)
	}
	return v.text("view.log.yes", nil)
}

// transactionIDs are the ids that the coordinator knows, as DescribeTransactions
// shows them.
func (v viewer) transactionIDs() Table {
	t := v.table("transactions", "transactional-id", "transaction-state", "#producer-id", "#epoch", "age", "deadline", "~partitions")
	k := v.kafka()
	for _, x := range k.IDs {
		b := x.Last
		age, deadline := "", ""
		if b.Start >= 0 {
			age = v.text("narrate.duration", locale.Args{"D": v.run.Now - b.Start})
			deadline = locale.Clock(b.Start + b.Timeout)
		}
		t.add(b.ID, b.State, strconv.FormatInt(b.Producer, 10), strconv.FormatInt(b.Epoch, 10), age, deadline, v.listUpTo(b.Partitions, 6))
	}
	switch {
	case k.Coordinator.Away:
		t.Note = v.text("view.transactions.away", nil)
	case k.Coordinator.Held:
		t.Note = v.text("view.transactions.held", nil)
	}
	return t
}

// producers are the clients that commands made.
func (v viewer) producers() Table {
	t := v.table("producers", "client", "transactional-id", "client-state", "#producer-id", "#epoch", "~what")
	for _, p := range v.kafka().Producers {
		if p.Gone {
			continue
		}
		b := p.Last
		var producer, epoch string
		if b.Producer >= 0 {
			producer, epoch = strconv.FormatInt(b.Producer, 10), strconv.FormatInt(b.Epoch, 10)
		}
		what := b.Exception
		if p.Waits != nil {
			what = v.text("view.producers.waits", locale.Args{"API": p.Waits.API, "Error": p.Waits.Error})
		}
		t.add(p.Name, b.ID, b.State, producer, epoch, what)
	}
	return t
}

// consumers are those that commands made, and what groups have committed.
func (v viewer) consumers() []Table {
	k := v.kafka()
	t := v.table("consumers", "client", "isolation", "group-id", "partition", "#position", "#lag", "~waits-for")
	for _, c := range k.Consumers {
		if c.Gone {
			continue
		}
		if len(c.Positions) == 0 {
			t.add(c.Name, c.Isolation, c.Group, c.Topic, "", "", "")
		}
		for _, p := range k.Partitions {
			position, ok := c.Positions[p.Name]
			if !ok {
				continue
			}
			end := p.HW
			if c.Isolation == "read_committed" {
				end = p.LSO
			}
			waits := ""
			if end < p.HW {
				waits = v.list(openOn(p))
			}
			t.add(c.Name, c.Isolation, c.Group, p.Name, strconv.FormatInt(position, 10), strconv.FormatInt(int64(end)-position, 10), waits)
		}
	}
	groups := v.table("consumers.groups", "group-id", "partition", "#committed-offset", "#group-lag")
	for _, g := range k.Groups {
		end := 0
		if i := slices.IndexFunc(k.Partitions, func(p *fold.Partition) bool { return p.Name == g.Partition }); i >= 0 {
			end = k.Partitions[i].HW
		}
		groups.add(g.Group, g.Partition, strconv.FormatInt(g.Offset, 10), strconv.FormatInt(int64(end)-g.Offset, 10))
	}
	if len(groups.Rows) == 0 {
		return []Table{t}
	}
	return []Table{t, groups}
}

// tool is what a tool printed last, with the heads of its columns.
func (v viewer) tool() Table {
	t := v.table("tool")
	s := v.kafka().Report
	if s == nil {
		return t
	}
	b := s.Body.(sim.ToolReported)
	t.Title, t.Empty = b.Command, v.text("view.tool.nothing", nil)
	for _, c := range b.Columns {
		t.Columns = append(t.Columns, Column{Header: c})
	}
	if len(b.Columns) == 0 {
		name, _, _ := strings.Cut(b.Command, " ")
		t.Columns = []Column{{Header: name, Wrap: true}}
	}
	for _, r := range b.Rows {
		t.add(r.Cells...)
	}
	for i := range t.Columns {
		t.Columns[i].Right = len(t.Rows) > 0 && !slices.ContainsFunc(t.Rows, func(r []string) bool { return strings.Trim(r[i], "0123456789-") != "" })
	}
	return t
}
