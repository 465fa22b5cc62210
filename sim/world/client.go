package world

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// clients are the producers and consumers that commands made, by name.
type clients struct {
	producers map[string]*producer
	consumers map[string]*kafka.Consumer
}

// maxClients is how many producers, and how many consumers, there may be.
const maxClients = 64

// clientForm is what the name of a topic or of a client may be, as Kafka has it
// for topics.
var clientForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// ProducerNames are the producers that are not closed, sorted.
func (w *World) ProducerNames() []string { return slices.Sorted(maps.Keys(w.clients.producers)) }

// ConsumerNames are the consumers that are not closed, sorted.
func (w *World) ConsumerNames() []string { return slices.Sorted(maps.Keys(w.clients.consumers)) }

// TopicNames are the topics, sorted.
func (w *World) TopicNames() []string { return w.broker.Topics() }

// PartitionNames are the partitions of all topics, as topic/number.
func (w *World) PartitionNames() (out []string) {
	for _, topic := range w.broker.Topics() {
		for n := range w.broker.Partitions(topic) {
			out = append(out, kafka.TopicPartition{Topic: topic, Partition: n}.String())
		}
	}
	return out
}

// TransactionalIDs are those that the coordinator knows, sorted.
func (w *World) TransactionalIDs() (out []string) {
	for _, t := range w.broker.Transactions() {
		out = append(out, t.ID)
	}
	return out
}

// name refuses what is no name of a topic or of a client.
func (w *World) name(name string) error {
	if !validName(name) {
		return sim.NewProblem("world.name", "Name", name)
	}
	return nil
}

func validName(name string) bool {
	return clientForm.MatchString(name) && strings.Trim(name, ".") != ""
}

// topicName is the problem of a topic that nobody can make, nil: there is none.
func topicName(name string) *sim.Problem {
	switch {
	case !validName(name):
		return sim.NewProblem("world.name", "Name", name)
	case kafka.Internal(name):
		return sim.NewProblem("world.internal-topic", "Name", name)
	}
	return nil
}

// topic refuses the name of a topic that is not there.
func (w *World) topic(name string) error {
	if w.broker.Partitions(name) > 0 {
		return nil
	}
	known := w.broker.Topics()
	return sim.NewProblem("world.unknown-topic", "Name", name, "Known", strings.Join(known, ", "), "Nearest", Nearest(name, known))
}

// A TopicTarget is a topic, or one partition of it; Partition: −1 without one.
type TopicTarget struct {
	Topic     string
	Partition int
}

// partition finds a partition; a topic with one partition needs no number.
func (w *World) partition(t TopicTarget) (kafka.TopicPartition, error) {
	if err := w.topic(t.Topic); err != nil {
		return kafka.TopicPartition{}, err
	}
	n := w.broker.Partitions(t.Topic)
	switch {
	case t.Partition < 0 && n > 1:
		return kafka.TopicPartition{}, sim.NewProblem("world.which-partition", "Topic", t.Topic, "Partitions", n)
	case t.Partition >= n:
		return kafka.TopicPartition{}, sim.NewProblem("world.unknown-partition", "Name", kafka.TopicPartition(t).String(), "Partitions", n)
	}
	return kafka.TopicPartition{Topic: t.Topic, Partition: max(t.Partition, 0)}, nil
}

// A call is one of a client's that may go on later: it is made again until it
// ends.
type call struct {
	world *World
	// do makes the call, again does so when it goes on; nil: do.
	do, again func() error
	// done hears how it ended.
	done func(error)
	// waits is what it waits for, nil: it has ended, or not begun.
	waits *kafka.PendingError
	event *sim.Event
	// awaits : the broker will say when something ends.
	awaits bool
	// over : nobody waits for it.
	over bool
}

// begin makes the call.
func (c *call) begin() { c.went(c.do()) }

// resume makes it again.
func (c *call) resume() {
	if c.over || c.waits == nil {
		return
	}
	c.event.Cancel()
	if c.again != nil {
		c.went(c.again())
		return
	}
	c.went(c.do())
}

// went notes how a try ended. A call that is pending is made again when its
// answer may have come, or before that when the broker says so.
func (c *call) went(err error) {
	c.waits = nil
	if !errors.As(err, &c.waits) {
		c.over = true
		c.done(err)
		return
	}
	k := c.world.kernel
	c.event = k.Queue.At(max(c.waits.Again, k.Now()+1), false, c.resume)
	if !c.awaits {
		c.awaits = true
		c.world.broker.Await(func() {
			c.awaits = false
			k.Put(nil, c.resume)
		})
	}
}

// drop gives the call up: whoever made it is gone.
func (c *call) drop() {
	if c == nil {
		return
	}
	c.over = true
	c.event.Cancel()
}

// pending reports whether the call has not ended.
func (c *call) pending() bool { return c != nil && !c.over }
