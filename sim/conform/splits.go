package conform

import (
	"encoding/json"
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
)

// splitsReplayer drives the per-split watermarks of a source reader.
type splitsReplayer struct {
	out    recorder
	source *eventtime.ProgressiveTimestampsAndWatermarks
	probes *probes
	window attachedWindow
}

// An attachedWindow is a window operator fed by the source's output.
type attachedWindow interface {
	// Record and Watermark add what the operator makes of the event to it.
	Record(e *event, key string, timestamp int64) error
	Watermark(e *event, timestamp int64) error
}

func newSplits(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		generatorConfig
		Window json.RawMessage `json:"window"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &splitsReplayer{}
	if c.Window != nil {
		if r.window, err = newWindowAttachment(c.Window); err != nil {
			return nil, err
		}
	}
	r.source, err = eventtime.NewProgressiveTimestampsAndWatermarks(c.strategy(), &r.out, nil)
	if err != nil {
		return nil, err
	}
	r.probes = newProbes(c.Interval, func(now int64) error {
		r.source.EmitPeriodicWatermark(now)
		return nil
	})
	return r, nil
}

type splitsStep struct {
	Add          *string       `json:"add"`
	Remove       *string       `json:"remove"`
	Split        *string       `json:"split"`
	TS           *optionalTime `json:"ts"`
	Mark         bool          `json:"mark"`
	Key          string        `json:"k"`
	Emit         *Time         `json:"emit"`
	Status       *string       `json:"status"`
	Time         *int64        `json:"time"`
	Backpressure *bool         `json:"backpressure"`
	Pause        *string       `json:"pause"`
	Resume       *string       `json:"resume"`
}

// Step implements Replayer.
func (r *splitsReplayer) Step(step json.RawMessage) (any, error) {
	s := splitsStep{Key: "a"}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if err := r.step(&s); err != nil {
		return nil, err
	}
	events := r.out.take()
	if r.window == nil {
		return events, nil
	}
	for i := range events {
		var err error
		switch e := &events[i]; {
		case e.TS != nil:
			err = r.window.Record(e, s.Key, int64(*e.TS))
		case e.WM != nil:
			err = r.window.Watermark(e, int64(*e.WM))
		}
		if err != nil {
			return nil, err
		}
	}
	return events, nil
}

func (r *splitsReplayer) step(s *splitsStep) error {
	now := r.probes.now
	switch {
	case s.Add != nil:
		_, err := r.source.CreateOutputForSplit(now, *s.Add)
		return err
	case s.Remove != nil:
		return r.source.ReleaseOutputForSplit(*s.Remove)
	case s.TS != nil:
		return r.collect(s.Split, &eventtime.Event{Timestamp: int64(*s.TS), Mark: s.Mark})
	case s.Emit != nil:
		return r.collect(s.Split, scripted(eventtime.Emission{Kind: eventtime.EmitsWatermark, Watermark: int64(*s.Emit)}))
	case s.Status != nil:
		to, err := status(*s.Status)
		if err != nil {
			return err
		}
		kind := eventtime.EmitsActive
		if to.IsIdle() {
			kind = eventtime.EmitsIdle
		}
		return r.collect(s.Split, scripted(eventtime.Emission{Kind: kind}))
	case s.Time != nil:
		return r.probes.advance(*s.Time)
	case s.Backpressure != nil:
		return r.source.SetBackpressure(now, *s.Backpressure)
	case s.Pause != nil:
		return r.source.PauseSplit(now, *s.Pause)
	case s.Resume != nil:
		return r.source.ResumeSplit(now, *s.Resume)
	}
	return errStep
}

// scripted is a record without a timestamp whose only effect is the emission.
func scripted(e eventtime.Emission) *eventtime.Event {
	return &eventtime.Event{Timestamp: sim.MinTime, Script: e}
}

// collect gives a record to the output of its split, or to the main output.
func (r *splitsReplayer) collect(split *string, e *eventtime.Event) error {
	out := r.source.MainOutput()
	if split != nil {
		if out = r.source.Output(*split); out == nil {
			return fmt.Errorf("no split %q", *split)
		}
	}
	out.Collect(e)
	return nil
}
