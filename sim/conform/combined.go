package conform

import (
	"encoding/json"

	"streaminglab/sim/eventtime"
)

// combinedReplayer drives the valves in front of an operator with several
// inputs, and the combination in the operator.
type combinedReplayer struct {
	channels []int
	out      recorder
	inputs   *eventtime.MultipleInputs
}

func newCombined(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Channels []int `json:"channels"`
	}](config)
	if err != nil {
		return nil, err
	}
	total := len(c.Channels)
	for _, n := range c.Channels {
		total += max(n, 0)
		if err := index("channels", n, maxParts); err != nil {
			return nil, err
		}
	}
	if err := index("channels", total, maxParts); err != nil {
		return nil, err
	}
	r := &combinedReplayer{channels: c.Channels}
	r.inputs = eventtime.NewMultipleInputs(c.Channels, &r.out)
	return r, nil
}

// Step implements Replayer.
func (r *combinedReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		Input int `json:"input"`
		channelStep
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if err := index("input", s.Input, len(r.channels)); err != nil {
		return nil, err
	}
	if err := index("channel", s.Channel, r.channels[s.Input]); err != nil {
		return nil, err
	}
	err := s.give(
		func(t int64) { r.inputs.InputWatermark(t, s.Input, s.Channel) },
		func(to eventtime.WatermarkStatus) { r.inputs.InputWatermarkStatus(to, s.Input, s.Channel) })
	if err != nil {
		return nil, err
	}
	return r.out.take(), nil
}
