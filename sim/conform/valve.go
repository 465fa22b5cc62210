package conform

import (
	"encoding/json"
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
)

// valveReplayer drives a StatusWatermarkValve.
type valveReplayer struct {
	out   recorder
	valve *eventtime.StatusWatermarkValve
}

func newValve(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Channels int `json:"channels"`
	}](config)
	if err != nil {
		return nil, err
	}
	if err := index("channels", c.Channels, maxParts); err != nil {
		return nil, err
	}
	r := &valveReplayer{}
	r.valve = eventtime.NewStatusWatermarkValve(c.Channels, &r.out)
	return r, nil
}

// A channelStep is a step of a valve. Exactly one of the last three says what
// comes on the channel.
type channelStep struct {
	Channel  int     `json:"c"`
	WM       *Time   `json:"wm"`
	Status   *string `json:"status"`
	Finished bool    `json:"finished"`
}

// give gives the step to one of two functions. A channel that finished sends
// its MAX watermark (EV-2.6).
func (s *channelStep) give(watermark func(int64), change func(eventtime.WatermarkStatus)) error {
	switch {
	case s.WM != nil && s.Status == nil && !s.Finished:
		watermark(int64(*s.WM))
	case s.Finished && s.WM == nil && s.Status == nil:
		watermark(sim.MaxTime)
	case s.Status != nil && s.WM == nil && !s.Finished:
		to, err := status(*s.Status)
		if err != nil {
			return err
		}
		change(to)
	default:
		return errStep
	}
	return nil
}

// Step implements Replayer.
func (r *valveReplayer) Step(step json.RawMessage) (any, error) {
	var s channelStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if err := index("channel", s.Channel, len(r.valve.Channels())); err != nil {
		return nil, err
	}
	err := s.give(
		func(t int64) { r.valve.InputWatermark(t, s.Channel) },
		func(to eventtime.WatermarkStatus) { r.valve.InputWatermarkStatus(to, s.Channel) })
	if err != nil {
		return nil, fmt.Errorf("channel %d: %w", s.Channel, err)
	}
	return r.out.take(), nil
}
