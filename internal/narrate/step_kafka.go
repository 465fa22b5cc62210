package narrate

import (
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// kafka tells the steps of steps_kafka.go and steps_broker.go.
func (w words) kafka(s *sim.Step) (string, bool) {
	switch b := s.Body.(type) {
	case sim.TopicCreated:
		return w.loc.Plural("step.topic.created", b.Partitions, locale.Args{"Topic": b.Topic}), true
	case sim.BrokerConfigured:
		return w.text("step.broker.configured", locale.Args{"Option": b.Option, "Value": b.Value, "Previous": b.Previous}), true
	case sim.BatchAppended:
		return w.appended(b), true
	case sim.BatchRepeated:
		return w.text("step.batch.repeated", locale.Args{"By": w.client(b.By), "Partition": b.Partition, "Offset": b.Offset, "Sequence": b.Sequence}), true
	case sim.MarkerWritten:
		return w.marker(b), true
	case sim.TransactionChanged:
		return w.transaction(b), true
	case sim.TransactionalIDForgotten:
		return w.text("step.transaction.forgotten", locale.Args{"ID": b.ID}), true
	case sim.ProducerForgotten:
		return w.text("step.producer.forgotten", locale.Args{"Partition": b.Partition, "Producer": b.Producer}), true
	case sim.RequestRefused:
		args := locale.Args{"Who": w.client(s.At), "API": b.API, "ID": b.ID, "Error": b.Error, "Code": b.Code}
		if b.Retry {
			return w.text("step.request.refused.retry", args), true
		}
		return w.text("step.request.refused", args), true
	case sim.RequestLost:
		args := locale.Args{"Who": w.client(s.At), "API": b.API, "ID": b.ID, "Again": b.Again}
		if b.Answer {
			return w.text("step.request.lost.answer", args), true
		}
		return w.text("step.request.lost", args), true
	case sim.ClientWaits:
		id := "step.client.waits"
		if b.Error == "" {
			id += ".replicas"
		}
		return w.text(id, locale.Args{"Who": w.client(s.At), "API": b.API, "ID": b.ID, "Error": b.Error, "Until": b.Until}), true
	case sim.ClientChanged:
		return w.clientChanged(s.At, b), true
	case sim.CoordinatorChanged:
		args := locale.Args{"Epoch": b.Epoch}
		switch {
		case b.Away:
			return w.text("step.coordinator.changed.away", args), true
		case b.Held:
			return w.text("step.coordinator.changed.held", args), true
		}
		return w.text("step.coordinator.changed", args), true
	case sim.OffsetsCommitted:
		return w.text("step.offsets.committed", locale.Args{"Group": b.Group, "Offsets": w.offsets(b.Offsets)}), true
	case sim.RecordsDeleted:
		return w.text("step.records.deleted", locale.Args{"Partition": b.Partition, "Start": b.Start, "Previous": b.Previous, "LSO": b.LSO}), true
	case sim.CommittableEmitted:
		return w.text("step.committable.emitted", locale.Args{
			"At": place(s.At), "ID": b.ID, "Checkpoint": b.Checkpoint, "Records": w.count("narrate.records", b.Records),
		}), true
	case sim.CommitAttempted:
		return w.attempted(place(s.At), b), true
	}
	return w.reader(s)
}

// client is who sends requests, as a sentence begins with it: a producer or
// consumer that a command made, an Admin, or a subtask.
func (w words) client(at string) string { return w.clientAs("narrate.client.", at) }

// by is the same inside a sentence.
func (w words) by(at string) string { return w.clientAs("narrate.by.", at) }

func (w words) clientAs(form, at string) string {
	kind, name, ok := strings.Cut(at, ":")
	switch {
	case at == "admin":
		return w.text(form+"admin", nil)
	case ok && (kind == "producer" || kind == "consumer"):
		return w.text(form+kind, locale.Args{"Name": name})
	}
	return place(at)
}

func (w words) appended(b sim.BatchAppended) string {
	l := b.Log
	args := locale.Args{
		"By": w.client(b.By), "Values": w.list(b.Records), "Partition": l.Partition, "ID": l.TransactionalID, "Transaction": l.Transaction,
		"Offsets": w.offsetRange(l.Offset, l.Offset+max(int64(len(b.Records)), 1)-1), "Epoch": l.Epoch, "Sequence": l.Sequence, "LSO": l.LSO, "HW": l.HW,
	}
	switch {
	case l.TransactionalID != "" && l.Transaction == 0:
		return w.text("step.batch.appended.hanging", args)
	case l.TransactionalID != "":
		return w.text("step.batch.appended.transaction", args)
	}
	return w.text("step.batch.appended", args)
}

// offsetRange names the offsets of a batch.
func (w words) offsetRange(first, last int64) string {
	return w.loc.Plural("narrate.offset-range", last-first+1, locale.Args{"First": first, "Last": last})
}

func (w words) marker(b sim.MarkerWritten) string {
	args := locale.Args{
		"Result": b.Result, "ID": b.TransactionalID, "Partition": b.Partition, "Offset": b.Offset, "Epoch": b.Epoch, "Transaction": b.Transaction,
		"First": b.First, "Previous": b.Previous, "LSO": b.LSO, "Open": b.First >= 0, "Moved": b.Previous != b.LSO, "Producer": b.Producer,
	}
	if b.TransactionalID == "" {
		return w.text("step.marker.written.tool", args)
	}
	return w.text("step.marker.written", args)
}

func (w words) transaction(b sim.TransactionChanged) string {
	args := locale.Args{
		"ID": b.ID, "State": b.State, "Previous": b.Previous, "By": w.by(b.By), "Producer": b.Producer, "Epoch": b.Epoch, "Timeout": b.Timeout,
		"Deadline": b.Start + b.Timeout, "Partitions": w.listUpTo(b.Partitions, 6), "Transaction": b.Transaction,
	}
	id := "step.transaction.changed"
	switch {
	case b.State == "Empty" && b.Previous == "":
		id += ".known"
	case b.State == "Empty":
		id += ".ready"
	case b.State == "Ongoing" && b.Previous == "Ongoing":
		id += ".more"
	case b.State == "Ongoing":
		id += ".started"
	case b.State == "PrepareCommit":
		id += ".commit"
	case b.State == "PrepareAbort" && len(b.Partitions) == 0:
		id += ".nothing"
	case b.State == "PrepareAbort":
		id += ".abort." + b.Why
	case b.State == "CompleteCommit":
		id += ".committed"
	case b.State == "CompleteAbort":
		id += ".aborted"
	}
	return w.text(id, args)
}

// illegalState is what a client throws that is called out of turn.
const illegalState = "IllegalStateException"

func (w words) clientChanged(at string, b sim.ClientChanged) string {
	args := locale.Args{
		"Who": w.client(at), "Call": b.Call, "ID": b.ID, "State": b.State, "Previous": b.Previous, "Producer": b.Producer, "Epoch": b.Epoch,
		"Exception": b.Exception, "Cause": b.Cause, "Error": b.Error, "Message": b.Message,
	}
	id := "step.client.changed"
	switch {
	case b.Exception == illegalState && b.Message == "" && b.Call == "send":
		// What it was given stays with the client all the same.
		id += ".early"
	case b.Exception == illegalState && b.Message == "":
		id += ".illegal"
	case b.Exception != "":
		id += ".failed"
	case b.Call == "new" && b.State == "":
		id += ".new.plain"
	case b.Call == "new" && b.ID == "":
		id += ".new.idempotent"
	case b.Call == "new":
		id += ".new"
	case b.Call == "kill":
		id += ".killed"
	case b.Call == "close":
		id += ".closed"
	case b.Call == "fenceProducers":
		id += ".fenced"
	case b.Call == "initTransactions":
		id += ".init"
	case b.Call == "beginTransaction":
		id += ".begin"
	case b.State == "" || b.State == b.Previous:
		id += ".same"
	}
	return w.text(id, args)
}

func (w words) attempted(at string, b sim.CommitAttempted) string {
	args := locale.Args{
		"At": at, "ID": b.ID, "Transaction": b.Transaction, "Exception": b.Exception, "Decided": b.Decided,
		"Records": w.count("narrate.records", b.Records), "Again": b.Again, "Live": b.Live,
	}
	switch b.Result {
	case "OK":
		return w.text("step.commit.attempted.ok", args)
	case "RETRY":
		return w.text("step.commit.attempted.retry", args)
	case "FAILED_KNOWN":
		return w.text("step.commit.attempted.known", args)
	}
	return w.text("step.commit.attempted.unknown", args)
}

// reader tells the steps of steps_consumer.go and steps_tool.go.
func (w words) reader(s *sim.Step) (string, bool) {
	who := w.client(s.At)
	switch b := s.Body.(type) {
	case sim.ConsumerStarted:
		return w.text("step.consumer.started", locale.Args{"Who": who, "Topic": b.Topic, "Isolation": b.Isolation, "Group": b.Group, "Reset": b.Reset}), true
	case sim.ConsumerMoved:
		args := locale.Args{"Who": who, "Positions": w.offsets(b.Positions), "Reset": b.Reset}
		switch b.Why {
		case sim.MovedCommitted, sim.MovedReset, sim.MovedOutOfRange:
			return w.text("step.consumer.moved."+b.Why, args), true
		}
		return w.text("step.consumer.moved.seek", args), true
	case sim.ConsumerPolled:
		return w.polled(who, b), true
	case sim.ConsumerFailed:
		return w.text("step.consumer.failed", locale.Args{"Who": who, "Call": b.Call, "Exception": b.Exception, "Message": b.Message}), true
	case sim.ConsumerClosed:
		return w.text("step.consumer.closed", locale.Args{"Who": who}), true
	case sim.ToolReported:
		return w.reported(b), true
	}
	return "", false
}

// shownRecords is how many records of a poll a sentence lists.
const shownRecords = 6

func (w words) polled(who string, b sim.ConsumerPolled) string {
	var records, partitions []string
	for _, r := range b.Records {
		value := r.Value
		if r.Key != "" {
			value = r.Key + "=" + value
		}
		records = append(records, w.text("narrate.polled-record", locale.Args{"Partition": r.Partition, "Offset": r.Offset, "Value": value}))
	}
	for _, p := range b.Partitions {
		args := locale.Args{
			"Partition": p.Partition, "From": p.From, "Position": p.Position, "Lag": p.Lag, "Aborted": "", "Markers": "", "Waits": p.Waits, "First": p.First,
			"Open": p.First >= 0,
		}
		if p.Aborted > 0 {
			args["Aborted"] = w.count("narrate.aborted-records", p.Aborted)
		}
		if p.Markers > 0 {
			args["Markers"] = w.count("narrate.markers", p.Markers)
		}
		partitions = append(partitions, w.text("narrate.polled", args))
	}
	return w.text("step.consumer.polled", locale.Args{
		"Who": who, "Isolation": b.Isolation, "Records": w.listUpTo(records, shownRecords), "Partitions": strings.Join(partitions, "; "),
	})
}

// reported is what a tool printed, on one line: show tool lays it out.
func (w words) reported(b sim.ToolReported) string {
	rows := make([]string, len(b.Rows))
	for i, r := range b.Rows {
		cells := append([]string(nil), r.Cells...)
		for k := range b.Columns {
			cells[k] = b.Columns[k] + "=" + cells[k]
		}
		rows[i] = strings.Join(cells, " ")
	}
	args := locale.Args{"Command": b.Command, "Rows": strings.Join(rows, " · ")}
	switch {
	case b.Failed:
		return w.text("step.tool.reported.failed", args)
	case len(rows) == 0:
		return w.text("step.tool.reported.empty", args)
	}
	return w.text("step.tool.reported", args)
}
