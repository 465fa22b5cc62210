package world

import (
	"fmt"
	"strconv"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// What the tools of Kafka print, in their own words: TransactionsCommand,
// ConsumerGroupCommand, GetOffsetShell, DeleteRecordsCommand, ConfigCommand and
// FeatureCommand of Kafka 4.1.
const (
	// coordinatorID is the node.id of the only broker.
	coordinatorID = "1"
	// absent is what a column has without a value, none for a transaction that is
	// not there.
	absent, none = "-", "None"
)

// toolPlace is a tool as a place of steps.
const toolPlace = "tool"

// report is what a tool prints.
type report struct {
	columns []string
	rows    [][]string
	failed  bool
}

func (r *report) add(cells ...string) { r.rows = append(r.rows, cells) }

// lines is a report without columns.
func lines(text ...string) *report {
	r := &report{}
	for _, t := range text {
		r.add(t)
	}
	return r
}

// failure is the error that a tool ends with.
func failure(format string, args ...any) *report {
	r := lines(fmt.Sprintf(format, args...))
	r.failed = true
	return r
}

// tool runs a tool: what it does has the command as its cause, and what it
// prints is a step.
func (w *World) tool(text Command, rule string, run func(step *sim.Step) *report) error {
	step := w.kernel.Command(string(text))
	w.broker.From(kafka.Client{Name: adminPlace, Cause: step})
	r := run(step)
	body := sim.ToolReported{Command: strings.TrimPrefix(string(text), "tool "), Columns: r.columns, Failed: r.failed}
	for _, cells := range r.rows {
		body.Rows = append(body.Rows, sim.ToolRow{Cells: cells})
	}
	w.kernel.Emit(toolPlace, rule, body, step)
	return w.settle()
}

// ListTransactions is kafka-transactions.sh list.
func (w *World) ListTransactions(text Command) error {
	return w.tool(text, "K-42", func(*sim.Step) *report {
		r := &report{columns: []string{"TransactionalId", "Coordinator", "ProducerId", "TransactionState"}}
		if w.broker.CoordinatorIsAway() {
			return r
		}
		for _, t := range w.broker.Transactions() {
			r.add(t.ID, coordinatorID, number(t.Producer), t.State.String())
		}
		return r
	})
}

// DescribeTransaction is kafka-transactions.sh describe.
func (w *World) DescribeTransaction(text Command, id string) error {
	return w.tool(text, "K-42", func(*sim.Step) *report {
		t := w.broker.Transaction(id)
		head := "Failed to describe transaction state of transactional-id `" + id + "`"
		switch {
		case w.broker.CoordinatorIsAway():
			return failure("%s: TimeoutException", head)
		case t == nil:
			return failure("%s: TransactionalIdNotFoundException: The transactionalId could not be found.", head)
		}
		r := &report{columns: []string{
			"CoordinatorId", "TransactionalId", "ProducerId", "ProducerEpoch", "TransactionState", "TransactionTimeoutMs",
			"CurrentTransactionStartTimeMs", "TransactionDurationMs", "TopicPartitions",
		}}
		start, duration := none, none
		if t.Start >= 0 {
			start, duration = number(t.Start), number(w.kernel.Now()-t.Start)
		}
		var partitions []string
		for _, at := range t.Partitions() {
			partitions = append(partitions, at.Dashed())
		}
		r.add(coordinatorID, id, number(t.Producer), number(t.Epoch), t.State.String(), number(t.Timeout), start, duration, strings.Join(partitions, ","))
		return r
	})
}

// DescribeProducers is kafka-transactions.sh describe-producers.
func (w *World) DescribeProducers(text Command, t TopicTarget) error {
	at, err := w.partition(t)
	if err != nil {
		return err
	}
	return w.tool(text, "K-42", func(*sim.Step) *report {
		producers, code := w.broker.ProducersOf(at)
		if code != kafka.None {
			return unseen("Failed to describe producers for partition "+at.Dashed()+" on leader", at)
		}
		r := &report{columns: []string{"ProducerId", "ProducerEpoch", "LatestCoordinatorEpoch", "LastSequence", "LastTimestamp", "CurrentTransactionStartOffset"}}
		for _, p := range producers {
			start := none
			if p.Start >= 0 {
				start = number(p.Start)
			}
			r.add(number(p.ID), number(p.Epoch), number(p.CoordinatorEpoch), number(p.Sequence), number(p.Updated), start)
		}
		return r
	})
}

// unseen is what kafka-transactions.sh ends with when DescribeProducers was denied:
// it needs READ on the topic (K-42).
func unseen(what string, at kafka.TopicPartition) *report {
	return failure("%s: Failed to describe active producers for partition %s due to authorization failure on topic `%s`. Enable debug logging for additional detail.", what, at.Dashed(), at.Topic)
}

// defaultHanging is how long find-hanging lets a transaction be open, in minutes.
const defaultHanging = 15

// FindHanging is kafka-transactions.sh find-hanging; minutes −1: the default.
// With broker it looks at all topics of the broker, without at one.
func (w *World) FindHanging(text Command, topic string, broker bool, minutes int64) error {
	if topic != "" {
		if err := w.topic(topic); err != nil {
			return err
		}
	}
	if minutes < 0 {
		minutes = defaultHanging
	}
	return w.tool(text, "K-40", func(*sim.Step) *report {
		if topic == "" && !broker {
			return failure("The `find-hanging` command requires either --topic or --broker-id to limit the scope of the search")
		}
		r := &report{columns: []string{"Topic", "Partition", "ProducerId", "ProducerEpoch", "CoordinatorEpoch", "StartOffset", "LastTimestamp", "Duration(min)"}}
		hanging, denied := w.broker.FindHanging(topic, minutes*60_000)
		if denied != nil {
			id := "Optional.empty"
			if broker {
				id = "Optional[" + coordinatorID + "]"
			}
			return unseen(fmt.Sprintf("Failed to describe producers for %d partitions on broker %s", len(w.broker.TopicPartitions(topic)), id), *denied)
		}
		for _, h := range hanging {
			p := h.Producer
			r.add(h.At.Topic, strconv.Itoa(h.At.Partition), number(p.ID), number(p.Epoch), number(p.CoordinatorEpoch), number(p.Start), number(p.Updated), number((w.kernel.Now()-p.Updated)/60_000))
		}
		return r
	})
}

// AbortTransaction is kafka-transactions.sh abort: it decides one partition.
func (w *World) AbortTransaction(text Command, t TopicTarget, start int64) error {
	at, err := w.partition(t)
	if err != nil {
		return err
	}
	return w.tool(text, "K-42", func(*sim.Step) *report {
		found, code := w.broker.AbortOpenTransaction(at, start)
		switch {
		case code == kafka.TopicAuthorizationFailed:
			return unseen("Failed to validate producer state for partition "+at.Dashed(), at)
		case !found:
			return failure("Could not find any open transactions starting at offset %d on partition %s", start, at.Dashed())
		case code != kafka.None:
			return failure("Failed to abort transaction on partition %s: %s", at.Dashed(), code)
		}
		return &report{}
	})
}

// DescribeGroup is kafka-consumer-groups.sh --describe: its lag is measured
// against the end of the log, whatever is committed there (K-35).
func (w *World) DescribeGroup(text Command, group string) error {
	return w.tool(text, "K-35", func(*sim.Step) *report {
		offsets := w.broker.OffsetFetch(group, false)
		if len(offsets) == 0 {
			return failure("Error: Consumer group '%s' does not exist.", group)
		}
		r := &report{columns: []string{"GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "CONSUMER-ID", "HOST", "CLIENT-ID"}}
		for _, o := range offsets {
			end := w.broker.Partition(o.At).HighWatermark()
			r.add(group, o.At.Topic, strconv.Itoa(o.At.Partition), number(o.Offset), number(end), number(end-o.Offset), absent, absent, absent)
		}
		return r
	})
}

// GetOffsets is kafka-get-offsets.sh: the latest offset of each partition
// without isolation, which is the high watermark (K-35).
func (w *World) GetOffsets(text Command, topic string) error {
	if err := w.topic(topic); err != nil {
		return err
	}
	return w.tool(text, "K-35", func(*sim.Step) *report {
		r := &report{}
		for _, at := range w.broker.TopicPartitions(topic) {
			r.add(fmt.Sprintf("%s:%d:%d", at.Topic, at.Partition, w.broker.Partition(at).HighWatermark()))
		}
		return r
	})
}

// DeleteRecords is kafka-delete-records.sh for one partition; −1: up to the high
// watermark.
func (w *World) DeleteRecords(text Command, t TopicTarget, offset int64) error {
	at, err := w.partition(t)
	if err != nil {
		return err
	}
	return w.tool(text, "K-31", func(*sim.Step) *report {
		low, code := w.broker.DeleteRecords(at, offset)
		last := fmt.Sprintf("partition: %s  low_watermark: %d", at.Dashed(), low)
		if code != kafka.None {
			last = fmt.Sprintf("partition: %s  error: OffsetOutOfRangeException: The requested offset is not within the range of offsets maintained by the server.", at.Dashed())
		}
		return lines("Executing records delete operation", "Records delete operation completed:", last)
	})
}

// AlterConfig is kafka-configs.sh --alter --add-config for the broker. Only some
// options can change while it runs.
func (w *World) AlterConfig(text Command, option, value string) error {
	o, err := w.brokerOption(option, value)
	if err != nil {
		return err
	}
	return w.tool(text, "LAB-18", func(step *sim.Step) *report {
		if !o.dynamic {
			return failure("InvalidRequestException: Cannot update these configs dynamically: Set(%s)", option)
		}
		w.configureBroker(option, value, step)
		return lines("Completed updating config for broker " + coordinatorID + ".")
	})
}

// RestartBroker writes an option into server.properties and starts the broker
// again: whoever is the coordinator now has read the log.
func (w *World) RestartBroker(text Command, option, value string) error {
	if w.broker.CoordinatorIsAway() {
		return sim.NewProblem("world.coordinator-away")
	}
	if _, err := w.brokerOption(option, value); err != nil {
		return err
	}
	step := w.kernel.Command(string(text))
	w.broker.From(kafka.Client{Name: adminPlace, Cause: step})
	w.configureBroker(option, value, step)
	w.broker.MoveCoordinator()
	return w.settle()
}

// feature is what kafka-features.sh can change.
const feature = "transaction.version"

// brokerOption finds an option of the broker that takes a value. The feature is
// none of them.
func (w *World) brokerOption(option, value string) (*brokerOption, error) {
	var known []string
	for i, o := range brokerOptions {
		if o.name == feature {
			continue
		}
		known = append(known, o.name)
		if o.name != option {
			continue
		}
		if c := w.broker.Config; !o.set(&c, value) {
			return nil, sim.NewProblem("world.option-value", "Option", option, "Value", value)
		}
		return &brokerOptions[i], nil
	}
	return nil, sim.NewProblem("script.unknown-word", "Word", option, "Known", strings.Join(known, ", "), "Nearest", Nearest(option, known))
}

// UpdateFeature is kafka-features.sh upgrade or downgrade of
// transaction.version.
func (w *World) UpdateFeature(text Command, upgrade bool, level int) error {
	if level < 1 || level > 2 {
		return sim.NewProblem("script.integer", "Value", level, "Low", int64(1), "High", int64(2))
	}
	return w.tool(text, "LAB-18", func(step *sim.Step) *report {
		word, now := "upgrade", w.broker.Config.TransactionVersion
		if !upgrade {
			word = "downgrade"
		}
		wrong := ""
		switch {
		case upgrade && level < now:
			wrong = "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe downgrade."
		case !upgrade && level > now:
			wrong = "Can't downgrade to a newer version."
		}
		if wrong != "" {
			r := failure("Could not %s %s to %d. The update failed for all features since the following feature had an error: Invalid update version %d for feature %s. %s", word, feature, level, level, feature, wrong)
			r.add("1 out of 1 operation(s) failed.")
			return r
		}
		w.configureBroker(feature, strconv.Itoa(level), step)
		return lines(fmt.Sprintf("%s was %sd to %d.", feature, word, level))
	})
}

// number is an integer as tools print it.
func number[N ~int | ~int16 | ~int32 | ~int64](n N) string { return strconv.FormatInt(int64(n), 10) }
