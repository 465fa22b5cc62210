package conform

import (
	"encoding/json"
	"errors"
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
)

type sqlWatermarkConfig struct {
	Mode     string `json:"mode"`
	Emit     string `json:"emit"`
	Delay    int64  `json:"delay"`
	Interval int64  `json:"interval"`
	Timeout  int64  `json:"timeout"`
}

func newSQLWatermark(config json.RawMessage) (Replayer, error) {
	c, err := configured[sqlWatermarkConfig](config)
	if err != nil {
		return nil, err
	}
	switch c.Mode {
	case "operator":
		r := &sqlOperatorReplayer{delay: c.Delay, out: recorder{rows: true}}
		r.op = eventtime.NewWatermarkAssignerOperator(0, c.Delay, c.Interval, c.Timeout, &r.out)
		return r, nil
	case "source":
		return newSQLSource(c)
	}
	return nil, fmt.Errorf("unknown mode %q", c.Mode)
}

// An sqlRow is what a row of either mode says.
type sqlRow struct {
	TS   json.RawMessage `json:"ts"`
	Expr json.RawMessage `json:"expr"`
}

// read returns the rowtime and whether it or the expression is NULL. A written
// value of the expression must be what the delay makes of the rowtime: there
// is no other expression.
func (s sqlRow) read(delay int64) (rowtime int64, null, nullExpression bool, err error) {
	if string(s.TS) == "null" {
		return 0, true, true, nil
	}
	var t Time
	if err := decode(s.TS, &t); err != nil {
		return 0, false, false, err
	}
	if s.Expr == nil {
		return int64(t), false, false, nil
	}
	if string(s.Expr) == "null" {
		return int64(t), false, true, nil
	}
	var e Time
	if err := decode(s.Expr, &e); err != nil {
		return 0, false, false, err
	}
	if int64(e) != int64(t)-delay {
		return 0, false, false, fmt.Errorf("expression %d is not rowtime %d minus %d", e, t, delay)
	}
	return int64(t), false, false, nil
}

// sqlOperatorReplayer drives a WatermarkAssignerOperator.
type sqlOperatorReplayer struct {
	delay int64
	now   int64
	out   recorder
	op    *eventtime.WatermarkAssignerOperator
}

// Step implements Replayer.
func (r *sqlOperatorReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		sqlRow
		Time     *int64  `json:"time"`
		WM       *Time   `json:"wm"`
		Upstream *string `json:"upstream"`
		Finish   bool    `json:"finish"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	switch {
	case s.TS != nil:
		rowtime, null, nullExpression, err := s.read(r.delay)
		if err != nil {
			return nil, err
		}
		if err := r.op.ProcessElement(rowtime, null, nullExpression); err != nil {
			var e *sim.Exception
			if !errors.As(err, &e) {
				return nil, err
			}
			return append(r.out.take(), event{Error: e}), nil
		}
	case s.Time != nil:
		if err := r.advance(*s.Time); err != nil {
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
		r.op.Finish()
	default:
		return nil, errStep
	}
	return r.out.take(), nil
}

func (r *sqlOperatorReplayer) advance(to int64) error {
	for n := 0; ; n++ {
		at, ok := r.op.NextTimer()
		if !ok || at > to {
			break
		}
		if n == maxWork || at <= r.now {
			return tooMuch("timers")
		}
		r.now = at
		r.op.OnProcessingTime(at)
	}
	r.now = to
	return nil
}

// sqlSourceReplayer drives the per-split watermarks of a source with the
// generated watermark expression.
type sqlSourceReplayer struct {
	delay  int64
	out    recorder
	source *eventtime.ProgressiveTimestampsAndWatermarks
	probes *probes
}

func newSQLSource(c sqlWatermarkConfig) (Replayer, error) {
	strategy := eventtime.WatermarkStrategy{Generator: eventtime.SQLExpression, Delay: c.Delay, IdleTimeout: c.Timeout}
	switch c.Emit {
	case "on-event":
		strategy.OnEvent = true
	case "on-periodic":
	default:
		return nil, fmt.Errorf("unknown emit strategy %q", c.Emit)
	}
	r := &sqlSourceReplayer{delay: c.Delay, out: recorder{rows: true}}
	var err error
	r.source, err = eventtime.NewProgressiveTimestampsAndWatermarks(strategy, &r.out, nil)
	if err != nil {
		return nil, err
	}
	r.probes = newProbes(c.Interval, func(now int64) error {
		r.source.EmitPeriodicWatermark(now)
		return nil
	})
	return r, nil
}

// Step implements Replayer.
func (r *sqlSourceReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		sqlRow
		Split string  `json:"split"`
		Add   *string `json:"add"`
		Time  *int64  `json:"time"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	switch {
	case s.TS != nil:
		rowtime, null, nullExpression, err := s.read(r.delay)
		if err != nil {
			return nil, err
		}
		if null {
			return nil, errors.New("a source that pushes the watermark down has no rule for a null rowtime")
		}
		out := r.source.Output(s.Split)
		if out == nil {
			return nil, fmt.Errorf("no split %q", s.Split)
		}
		out.Collect(&eventtime.Event{Timestamp: rowtime, NullExpression: nullExpression})
	case s.Add != nil:
		if _, err := r.source.CreateOutputForSplit(r.probes.now, *s.Add); err != nil {
			return nil, err
		}
	case s.Time != nil:
		if err := r.probes.advance(*s.Time); err != nil {
			return nil, err
		}
	default:
		return nil, errStep
	}
	return r.out.take(), nil
}
