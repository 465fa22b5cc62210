package world

import (
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/kafka"
)

// lagInterval is how often leaders look at who lags, in ms: half of the default of
// replica.lag.time.max.ms.
const lagInterval = 15_000

// watchReplicas lets leaders look at who lags, when somebody may.
func (w *World) watchReplicas() {
	shrinks := &grid{kernel: w.kernel, interval: lagInterval, due: func() (int64, bool) { return w.broker.LagDue() }, do: func() {
		w.broker.From(kafka.Client{})
		w.broker.ShrinkInSync()
	}}
	w.broker.Lagging = shrinks.plan
}

// createReplicated makes a topic with copies that is not there yet.
func (w *World) createReplicated(t flink.KafkaTopic) {
	if !w.broker.CreateTopic(t.Name, t.Partitions) {
		return
	}
	body := sim.TopicCreated{Topic: t.Name, Partitions: int64(t.Partitions)}
	if t.Replicas > 1 {
		body.Replicas = int64(t.Replicas)
		w.broker.Replicate(t.Name, kafka.Replication{Replicas: t.Replicas, MinInSync: t.MinInSync, FetchDelay: t.FetchDelay, Unclean: t.Unclean})
	}
	if t.RetentionTime > 0 || t.RetentionBytes > 0 {
		w.broker.Retain(t.Name, kafka.Retention{Time: t.RetentionTime, Bytes: t.RetentionBytes, Segment: t.Segment})
	}
	w.kernel.Emit(brokerPlace, "LAB-18", body)
}

// BrokerNames are the brokers that hold copies.
func (w *World) BrokerNames() (out []string) {
	for _, n := range w.broker.Brokers() {
		out = append(out, kafka.BrokerName(n))
	}
	return out
}

// node is the number of a broker that holds copies.
func (w *World) node(name string) (n int, ok bool) {
	n, err := kafka.ParseBroker(name)
	return n, err == nil && !slices.Contains(append(w.SourceNames(), w.OperatorNames()...), name)
}

// onNode does something with a broker, unless it is in one of the states that
// forbid it.
func (w *World) onNode(text Command, n int, do func(int), forbidden ...string) error {
	name, state := kafka.BrokerName(n), w.broker.NodeState(n)
	switch refused := slices.Contains(forbidden, state); {
	case state == kafka.NodeUnknown:
		known := w.BrokerNames()
		return sim.NewProblem("world.unknown-broker", "Name", name, "Known", strings.Join(known, ", "))
	case refused && state == kafka.NodeDown:
		return sim.NewProblem("world.broker-down", "Name", name)
	case refused && state == kafka.NodePaused:
		return sim.NewProblem("world.broker-paused", "Name", name)
	case refused:
		return sim.NewProblem("world.broker-runs", "Name", name)
	}
	w.broker.From(kafka.Client{Cause: w.kernel.Command(string(text))})
	do(n)
	return w.settle()
}

func (w *World) crashNode(text Command, n int) error {
	return w.onNode(text, n, w.broker.CrashNode, kafka.NodeDown)
}

// crashNodeAt ends a broker when a fault point is passed, by whomever: who passes
// it goes on.
func (w *World) crashNodeAt(text Command, n int, point string) error {
	p, ok := sim.FindFaultPoint(point)
	if !ok {
		return w.unknownPoint(point)
	}
	if !slices.Contains(p.Kinds, sim.FaultCrash) && !slices.Contains(messagePoints, point) {
		return sim.NewProblem("world.fault-kind", "Point", point, "Kind", sim.FaultCrash, "Known", strings.Join(p.Kinds, ", "))
	}
	return w.onNode(text, n, func(n int) {
		f := &sim.Fault{Point: point, Everybody: true, Kind: sim.FaultCrash, Cause: w.kernel.Root}
		f.Do = func() {
			if w.broker.NodeState(n) != kafka.NodeDown {
				w.broker.CrashNodeAt(n, w.kernel.Emit(kafka.BrokerName(n), "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause))
			}
		}
		w.kernel.Faults.Arm(f)
	}, kafka.NodeDown)
}

// messagePoints are passed by requests to a broker, which may die just then.
var messagePoints = []string{sim.PointRequest, sim.PointMarker}

func (w *World) pauseNode(text Command, n int) error {
	return w.onNode(text, n, w.broker.PauseNode, kafka.NodeDown, kafka.NodePaused)
}

func (w *World) resumeNode(text Command, n int) error {
	return w.onNode(text, n, w.broker.ResumeNode, kafka.NodeRuns)
}

func (w *World) slowNode(text Command, n int, extra int64) error {
	return w.onNode(text, n, func(n int) { w.broker.SlowNode(n, extra) }, kafka.NodeDown)
}
