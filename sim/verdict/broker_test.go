package verdict_test

import (
	"fmt"
	"slices"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/session"
	"streaminglab/sim/verdict"
)

// A broker that dies at any step of the two phases loses nothing that was
// acknowledged by all copies in sync, and doubles nothing: whoever was about to talk
// to it goes on with the next leader.
func TestBrokerDiesAtEveryStepOfTheTwoPhases(t *testing.T) {
	points := []string{sim.PointMarker, sim.PointRequest}
	for _, p := range sim.FaultPoints() {
		if slices.Contains(p.Kinds, sim.FaultCrash) {
			points = append(points, p.Name)
		}
	}
	for _, point := range points {
		switch point {
		case sim.PointTaskWatermark, sim.PointBarrier, sim.PointUpload, sim.PointTaskEmit:
			continue // not passed by this job: no watermarks, no files, nothing behind the sink
		}
		t.Run(point, func(t *testing.T) {
			for _, broker := range []string{"broker-1", "broker-2"} {
				for _, delay := range []string{"0s", "1s"} {
					for tv := 1; tv <= 2; tv++ {
						name := fmt.Sprintf("%s, fetch-delay %s, transaction.version %d", broker, delay, tv)
						if err := brokerDies(point, broker, delay, tv); err != nil {
							t.Errorf("%s: %v", name, err)
						}
					}
				}
			}
		})
	}
}

const brokerJob = `job job.yaml
produce in/0 1s a r1
advance 3s
crash %s at %s
produce in/0 2s a r2
checkpoint
advance 40s
resume %[1]s
advance 200s
checkpoint
advance 20s
-- job.yaml --
kafka: {transaction.version: %[4]d, topics: {orders: {replicas: 2, fetch-delay: %[3]s}}}
sources:
  in: {splits: 1, watermark: {strategy: none}}
sinks:
  - {name: out, kind: kafka, topic: orders, delivery-guarantee: EXACTLY_ONCE, transactional-id-prefix: J, properties: {transaction.timeout.ms: 15m}}
flinkConfiguration:
  execution.checkpointing.interval: 24h
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 100
`

func brokerDies(point, broker, delay string, tv int) error {
	text := fmt.Sprintf(brokerJob, broker, point, delay, tv)
	e, err := session.ParseExperiment("broker", "broker", []byte(text))
	if err != nil {
		return err
	}
	s, err := session.Open(e, 1, nil, session.Observer{})
	if err != nil {
		return err
	}
	defer s.Run().World.Close()
	down := false
	for step := range s.Trace().Main() {
		if b, ok := step.Body.(sim.BrokerChanged); ok && b.State == "down" {
			down = true
		}
	}
	if !down {
		return fmt.Errorf("nobody passed the point")
	}
	read, _ := fold.KafkaOf(s.Trace()).Readable("orders/0", true)
	if slices.Sort(read); !slices.Equal(read, []string{"r1", "r2"}) {
		return fmt.Errorf("read_committed gets %v", read)
	}
	for _, v := range verdict.Of(s.Trace()) {
		if v.Kind == verdict.Lost || v.Kind == verdict.LostInOutput {
			return fmt.Errorf("verdict %s", v.Kind)
		}
	}
	return nil
}
