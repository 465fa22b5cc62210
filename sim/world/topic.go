package world

import "streaminglab/sim"

// Topic makes a topic.
func (w *World) Topic(text Command, name string, partitions int) error {
	if p := topicName(name); p != nil {
		return p
	}
	if w.broker.Partitions(name) > 0 {
		return sim.NewProblem("world.topic-exists", "Name", name)
	}
	if partitions < 1 || partitions > maxPartitions {
		return sim.NewProblem("script.integer", "Value", partitions, "Low", int64(1), "High", int64(maxPartitions))
	}
	step := w.kernel.Command(string(text))
	w.createTopic(name, partitions, step)
	return w.settle()
}
