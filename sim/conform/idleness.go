package conform

import (
	"encoding/json"

	"streaminglab/sim/eventtime"
)

// idlenessReplayer drives WatermarksWithIdleness behind the monotone gate.
type idlenessReplayer struct {
	out       recorder
	gate      *eventtime.WatermarkGate
	clock     eventtime.PausableRelativeClock
	generator eventtime.WatermarkGenerator
}

func newIdleness(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Timeout int64  `json:"timeout"`
		Delay   *int64 `json:"delay"`
	}](config)
	if err != nil {
		return nil, err
	}
	strategy := eventtime.WatermarkStrategy{Generator: eventtime.None, IdleTimeout: c.Timeout}
	if c.Delay != nil {
		strategy.Generator, strategy.Delay = eventtime.Bounded, *c.Delay
	}
	r := &idlenessReplayer{}
	r.gate = eventtime.NewWatermarkGate(&r.out)
	r.generator, err = strategy.NewGenerator()
	return r, err
}

// Step implements Replayer.
func (r *idlenessReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		Time   int64 `json:"time"`
		TS     *Time `json:"ts"`
		Probe  bool  `json:"probe"`
		Paused *bool `json:"paused"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	switch {
	case s.TS != nil:
		r.generator.OnEvent(int64(*s.TS), &eventtime.Event{Timestamp: int64(*s.TS)}, r.gate)
	case s.Probe:
		r.generator.OnPeriodicEmit(r.clock.Read(s.Time), r.gate)
	case s.Paused != nil && *s.Paused:
		r.clock.Pause(s.Time)
	case s.Paused != nil:
		if err := r.clock.UnPause(s.Time); err != nil {
			return nil, err
		}
	default:
		return nil, errStep
	}
	return r.out.take(), nil
}
