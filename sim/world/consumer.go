package world

import (
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// ConsumerOptions are what a consumer is made with; empty ones are Java's
// defaults.
type ConsumerOptions struct{ Isolation, Group, Reset string }

// NewConsumer makes a consumer of all partitions of a topic. It has no position
// until it polls.
func (w *World) NewConsumer(text Command, name, topic string, o ConsumerOptions) error {
	if err := w.name(name); err != nil {
		return err
	}
	if w.clients.consumers[name] != nil {
		return sim.NewProblem("world.consumer-exists", "Name", name)
	}
	if len(w.clients.consumers) >= maxClients {
		return sim.NewProblem("job.too-many", "Max", maxClients)
	}
	if err := w.topic(topic); err != nil {
		return err
	}
	step := w.kernel.Command(string(text))
	c := w.broker.NewConsumer("consumer:"+name, topic)
	c.Group = o.Group
	if o.Isolation != "" {
		c.Isolation = o.Isolation
	}
	if o.Reset != "" {
		c.Reset = o.Reset
	}
	if w.clients.consumers == nil {
		w.clients.consumers = map[string]*kafka.Consumer{}
	}
	w.clients.consumers[name] = c
	w.kernel.Emit(c.Name, "K-37", sim.ConsumerStarted{Topic: topic, Isolation: c.Isolation, Group: c.Group, Reset: c.Reset}, step)
	return w.settle()
}

// consumer finds one that is not closed.
func (w *World) consumer(name string) (*kafka.Consumer, error) {
	if c := w.clients.consumers[name]; c != nil {
		return c, nil
	}
	known := w.ConsumerNames()
	return nil, sim.NewProblem("world.unknown-consumer", "Name", name, "Known", strings.Join(known, ", "), "Nearest", Nearest(name, known))
}

// consumes makes a call of a consumer.
func (w *World) consumes(text Command, name, called string, do func(*kafka.Consumer) *kafka.Exception) error {
	c, err := w.consumer(name)
	if err != nil {
		return err
	}
	c.Cause = w.kernel.Command(string(text))
	if e := do(c); e != nil {
		rule := "K-35"
		if e.Err.Unauthorized() {
			rule = kafka.RuleOf(e.Err)
		}
		w.kernel.Emit(c.Name, rule, sim.ConsumerFailed{Call: called, Exception: e.Class, Message: e.Message}, c.Cause)
	}
	return w.settle()
}

// Poll lets a consumer read what is there for it.
func (w *World) Poll(text Command, name string) error {
	return w.consumes(text, name, "poll", func(c *kafka.Consumer) *kafka.Exception {
		_, _, e := c.Poll()
		return e
	})
}

// Seek sets a position of a consumer.
func (w *World) Seek(text Command, name string, t TopicTarget, offset int64) error {
	c, err := w.consumer(name)
	if err != nil {
		return err
	}
	at, err := w.partition(t)
	if err != nil {
		return err
	}
	if at.Topic != c.Topic {
		return sim.NewProblem("world.not-consumed", "Name", name, "Topic", c.Topic)
	}
	return w.consumes(text, name, "seek", func(c *kafka.Consumer) *kafka.Exception {
		c.Seek(at, offset)
		return nil
	})
}

// CommitConsumer commits the positions of a consumer, or with last the offsets
// behind the last records that it got.
func (w *World) CommitConsumer(text Command, name string, last bool) error {
	return w.consumes(text, name, "commitSync", func(c *kafka.Consumer) *kafka.Exception { return c.Commit(last) })
}

// CloseConsumer ends a consumer. It commits nothing.
func (w *World) CloseConsumer(text Command, name string) error {
	return w.consumes(text, name, "close", func(c *kafka.Consumer) *kafka.Exception {
		delete(w.clients.consumers, name)
		w.kernel.Emit(c.Name, "LAB-1", sim.ConsumerClosed{}, c.Cause)
		return nil
	})
}
