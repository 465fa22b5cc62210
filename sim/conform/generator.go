package conform

import (
	"encoding/json"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
)

// A generatorConfig is what the kinds generator and splits have in common.
type generatorConfig struct {
	Generator string `json:"generator"`
	Delay     int64  `json:"delay"`
	Interval  int64  `json:"interval"`
	Timeout   int64  `json:"timeout"`
}

func (c generatorConfig) strategy() eventtime.WatermarkStrategy {
	return eventtime.WatermarkStrategy{
		Generator:   eventtime.GeneratorKind(c.Generator),
		Delay:       c.Delay,
		IdleTimeout: c.Timeout,
	}
}

// generatorReplayer drives a TimestampsAndWatermarksOperator.
type generatorReplayer struct {
	out    recorder
	op     *eventtime.TimestampsAndWatermarksOperator
	probes *probes
}

func newGenerator(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		generatorConfig
		Assigner bool `json:"assigner"`
	}](config)
	if err != nil {
		return nil, err
	}
	strategy := c.strategy()
	strategy.AssignTimestamps = c.Assigner
	r := &generatorReplayer{}
	r.op, err = eventtime.NewTimestampsAndWatermarksOperator(strategy, &r.out)
	if err != nil {
		return nil, err
	}
	r.probes = newProbes(c.Interval, func(now int64) error {
		r.op.OnProcessingTime(now)
		return nil
	})
	return r, nil
}

// optionalTime is a timestamp that a record may not have: "none".
type optionalTime Time

func (t *optionalTime) UnmarshalJSON(text []byte) error {
	if string(text) == `"none"` {
		*t = optionalTime(sim.MinTime)
		return nil
	}
	return (*Time)(t).UnmarshalJSON(text)
}

// Step implements Replayer.
func (r *generatorReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		TS       *optionalTime `json:"ts"`
		Event    Time          `json:"event"`
		Mark     bool          `json:"mark"`
		Time     *int64        `json:"time"`
		WM       *Time         `json:"wm"`
		Upstream *string       `json:"upstream"`
		Finish   bool          `json:"finish"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	switch {
	case s.TS != nil:
		r.op.ProcessElement(&eventtime.Event{Timestamp: int64(*s.TS), EventTime: int64(s.Event), Mark: s.Mark})
	case s.Time != nil:
		if err := r.probes.advance(*s.Time); err != nil {
			return nil, err
		}
	case s.WM != nil:
		r.op.ProcessWatermark(int64(*s.WM))
	case s.Upstream != nil:
		to, err := status(*s.Upstream)
		if err != nil {
			return nil, err
		}
		r.op.ProcessWatermarkStatus(to)
	case s.Finish:
		r.op.Finish(r.probes.now)
	default:
		return nil, errStep
	}
	return r.out.take(), nil
}
