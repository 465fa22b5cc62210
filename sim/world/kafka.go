package world

import (
	"strconv"

	"streaminglab/sim"
	connector "streaminglab/sim/connector/kafka"
	"streaminglab/sim/kafka"
)

// Intervals of the coordinator's periodic jobs, in ms.
const (
	// abortInterval is transaction.abort.timed.out.transaction.cleanup.interval.ms.
	abortInterval = 10_000
	// removeInterval is transaction.remove.expired.transaction.cleanup.interval.ms.
	removeInterval = 3_600_000
	// forgetInterval is producer.id.expiration.check.interval.ms.
	forgetInterval = 600_000
)

// Broker is the Kafka broker of the world.
func (w *World) Broker() *kafka.Broker { return w.broker }

// newBroker makes the broker. Its periodic jobs run on the grid of the virtual
// time, when there may be something for them to do.
func (w *World) newBroker() {
	w.broker = kafka.NewBroker(kafka.DefaultConfig(), w.kernel.Now)
	w.channels = connector.NewBackchannels()
	if !w.kernel.Quiet {
		w.broker.Tell = w.kernel.Emit
	}
	w.broker.Fault = func(point string, places ...string) *sim.Fault {
		if !w.kernel.Faults.Armed() {
			return nil
		}
		return w.kernel.Fault(point, places...)
	}
	w.broker.Order = w.logs.Next
	w.broker.Later = func(at int64, do func()) { w.kernel.Queue.At(at, false, do) }
	aborts := &grid{kernel: w.kernel, interval: abortInterval, due: w.abortDue, do: func() { w.broker.AbortTimedOut() }}
	removes := &grid{kernel: w.kernel, interval: removeInterval, due: w.removeDue, do: func() { w.broker.RemoveExpired() }}
	forgets := &grid{kernel: w.kernel, interval: forgetInterval, due: w.forgetDue, do: func() { w.broker.RemoveExpiredProducers() }}
	w.broker.Wrote = func() { forgets.plan(w.kernel.Now() + w.broker.Config.ProducerIDExpiration) }
	w.watchReplicas()
	w.watchRetention()
	w.broker.Changed = func(t *kafka.Transaction) {
		switch {
		case t.State == kafka.Ongoing:
			aborts.plan(t.Start + t.Timeout + 1)
		case t.Idle():
			removes.plan(t.Updated + w.broker.Config.TransactionalIDExpiration)
		}
	}
}

// abortDue is when the first open transaction may be aborted: its time must be
// over by then (K-28). Not ok: none is open.
func (w *World) abortDue() (at int64, ok bool) {
	for _, t := range w.broker.Transactions() {
		if t.State == kafka.Ongoing && (!ok || t.Start+t.Timeout+1 < at) {
			at, ok = t.Start+t.Timeout+1, true
		}
	}
	return at, ok
}

// removeDue is when the first id may be forgotten (K-30).
func (w *World) removeDue() (at int64, ok bool) {
	for _, t := range w.broker.Transactions() {
		if due := t.Updated + w.broker.Config.TransactionalIDExpiration; t.Idle() && (!ok || due < at) {
			at, ok = due, true
		}
	}
	return at, ok
}

// forgetDue is when the first producer may be forgotten (K-20).
func (w *World) forgetDue() (at int64, ok bool) {
	at, _, ok = w.broker.ProducersExpire()
	return at, ok
}

// A grid runs something at multiples of an interval, when something is due.
type grid struct {
	kernel   *sim.Kernel
	interval int64
	due      func() (at int64, ok bool)
	do       func()
	event    *sim.Event
}

// onGrid is the first multiple of an interval at or behind a time.
func onGrid(at, interval int64) int64 { return (at + interval - 1) / interval * interval }

// plan says that something is due at a time.
func (g *grid) plan(at int64) {
	at = onGrid(max(at, g.kernel.Now()+1), g.interval)
	if g.event != nil && !g.event.Canceled() && g.event.At > g.kernel.Now() {
		if g.event.At <= at {
			return
		}
		g.event.Cancel()
	}
	g.event = g.kernel.Queue.At(at, true, func() {
		g.event = nil
		g.do()
		if at, ok := g.due(); ok {
			g.plan(at)
		}
	})
}

// brokerPlace is the broker as a place of steps.
const brokerPlace = "broker"

// maxPartitions is how many partitions a topic may have.
const maxPartitions = 64

// createTopic makes a topic that is not there yet.
func (w *World) createTopic(name string, partitions int, causes ...*sim.Step) {
	if w.broker.CreateTopic(name, partitions) {
		w.kernel.Emit(brokerPlace, "LAB-18", sim.TopicCreated{Topic: name, Partitions: int64(partitions)}, causes...)
	}
}

// brokerOptions are the options that a job file and kafka-configs can give, with
// how they read and write.
var brokerOptions = []brokerOption{
	{"transaction.version", "1 | 2", func(c *kafka.Config) string { return strconv.Itoa(c.TransactionVersion) }, func(c *kafka.Config, v string) bool {
		n, err := strconv.Atoi(v)
		c.TransactionVersion = n
		return err == nil && (n == 1 || n == 2)
	}, false},
	{"transaction.max.timeout.ms", "15m", func(c *kafka.Config) string { return strconv.FormatInt(c.MaxTransactionTimeout, 10) }, func(c *kafka.Config, v string) (ok bool) {
		c.MaxTransactionTimeout, ok = milliseconds(v)
		return ok && c.MaxTransactionTimeout > 0
	}, false},
	{"replica.lag.time.max.ms", "30s", func(c *kafka.Config) string { return strconv.FormatInt(c.ReplicaLag, 10) }, func(c *kafka.Config, v string) (ok bool) {
		c.ReplicaLag, ok = milliseconds(v)
		return ok && c.ReplicaLag > 0
	}, false},
	{"transactional.id.expiration.ms", "168h", func(c *kafka.Config) string { return strconv.FormatInt(c.TransactionalIDExpiration, 10) }, func(c *kafka.Config, v string) (ok bool) {
		c.TransactionalIDExpiration, ok = milliseconds(v)
		return ok && c.TransactionalIDExpiration > 0
	}, false},
	{"producer.id.expiration.ms", "24h", func(c *kafka.Config) string { return strconv.FormatInt(c.ProducerIDExpiration, 10) }, func(c *kafka.Config, v string) (ok bool) {
		c.ProducerIDExpiration, ok = milliseconds(v)
		return ok && c.ProducerIDExpiration > 0
	}, true},
	{"transaction.partition.verification.enable", "true | false", func(c *kafka.Config) string { return strconv.FormatBool(c.PartitionVerification) }, func(c *kafka.Config, v string) bool {
		c.PartitionVerification = v == "true"
		return v == "true" || v == "false"
	}, true},
}

type brokerOption struct {
	name string
	// forms are values that it takes.
	forms string
	get   func(*kafka.Config) string
	set   func(*kafka.Config, string) (ok bool)
	// dynamic : kafka-configs can change it while the broker runs.
	dynamic bool
}

// milliseconds reads a number of ms, or a duration with its unit.
func milliseconds(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	return ParseDuration(text)
}

// BrokerOptions are the names of the options of the broker that can be given.
func BrokerOptions() (out []string) {
	for _, o := range brokerOptions {
		out = append(out, o.name)
	}
	return out
}

// configureBroker gives an option of the broker a value.
func (w *World) configureBroker(option, value string, causes ...*sim.Step) (known, ok bool) {
	for _, o := range brokerOptions {
		if o.name != option {
			continue
		}
		c := w.broker.Config
		if !o.set(&c, value) {
			return true, false
		}
		before, after := o.get(&w.broker.Config), o.get(&c)
		if before != after {
			w.broker.Config = c
			w.kernel.Emit(brokerPlace, "LAB-18", sim.BrokerConfigured{Option: option, Value: after, Previous: before}, causes...)
		}
		return true, true
	}
	return false, false
}
