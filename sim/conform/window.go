package conform

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// windowConfig is the configuration of a window operator.
type windowConfig struct {
	Assigner   string         `json:"assigner"`
	Size       int64          `json:"size"`
	Slide      int64          `json:"slide"`
	Offset     int64          `json:"offset"`
	Gap        int64          `json:"gap"`
	Stagger    string         `json:"stagger"`
	Lateness   Time           `json:"lateness"`
	LateOutput bool           `json:"lateoutput"`
	Trigger    string         `json:"trigger"`
	Count      int64          `json:"count"`
	Interval   int64          `json:"interval"`
	Function   string         `json:"function"`
	Evictor    *evictorConfig `json:"evictor"`
	ProcTime   int64          `json:"proctime"`
	// Parallelism is that of the first start.
	Parallelism int `json:"parallelism"`
}

type evictorConfig struct {
	Type      string `json:"type"`
	N         int64  `json:"n"`
	Keep      int64  `json:"keep"`
	Threshold int64  `json:"threshold"`
	After     bool   `json:"after"`
}

func (c *windowConfig) assigner() (eventtime.WindowAssigner, error) {
	switch c.Assigner {
	case "tumbling":
		stagger, err := eventtime.ParseStagger(c.Stagger)
		if err != nil {
			return nil, err
		}
		return eventtime.NewTumblingEventTimeWindows(c.Size, c.Offset, stagger, func(int64) int64 { return 0 })
	case "sliding":
		return eventtime.NewSlidingEventTimeWindows(c.Size, c.Slide, c.Offset, sim.DefaultBounds.Windows)
	case "session":
		return eventtime.NewEventTimeSessionWindows(c.Gap)
	case "dynamic-session":
		return eventtime.DynamicEventTimeSessionWindows{}, nil
	}
	return nil, fmt.Errorf("unknown assigner %q", c.Assigner)
}

func (c *windowConfig) trigger() (eventtime.Trigger, error) {
	switch c.Trigger {
	case "", "event":
		return &eventtime.EventTimeTrigger{}, nil
	case "purging":
		return &eventtime.PurgingTrigger{Trigger: &eventtime.EventTimeTrigger{}}, nil
	case "count":
		return &eventtime.CountTrigger{Max: c.Count}, nil
	case "purging-count":
		return &eventtime.PurgingTrigger{Trigger: &eventtime.CountTrigger{Max: c.Count}}, nil
	case "continuous":
		return &eventtime.ContinuousEventTimeTrigger{Interval: c.Interval}, nil
	}
	return nil, fmt.Errorf("unknown trigger %q", c.Trigger)
}

func (c *windowConfig) operator() (operator.Operator, error) {
	assigner, err := c.assigner()
	if err != nil {
		return nil, err
	}
	trigger, err := c.trigger()
	if err != nil {
		return nil, err
	}
	w := eventtime.WindowConfig{
		Assigner: assigner, Trigger: trigger,
		Function: eventtime.Function(c.Function), Lateness: int64(c.Lateness),
	}
	if c.LateOutput {
		w.LateOutput = "late"
	}
	if e := c.Evictor; e != nil {
		w.Evictor = &eventtime.Evictor{Kind: e.Type, Limit: e.N + e.Keep + e.Threshold, After: e.After}
	}
	return eventtime.NewWindowOperator(w), nil
}

// windowReplayer drives WindowOperators.
type windowReplayer struct {
	h        *harness
	config   *windowConfig
	sessions bool
	shown    int64 // dropped as last written
}

func newWindow(config json.RawMessage) (Replayer, error) {
	c, err := configured[windowConfig](config)
	if err != nil {
		return nil, err
	}
	r, err := windowOf(&c)
	if err != nil {
		return failedAtStart(err)
	}
	return r, nil
}

func windowOf(c *windowConfig) (*windowReplayer, error) {
	h, err := newHarness(state.NewKeys(maxParallelism), c.operator)
	if err != nil {
		return nil, err
	}
	h.now = c.ProcTime
	return &windowReplayer{h: h, config: c, sessions: c.Assigner == "session" || c.Assigner == "dynamic-session"}, nil
}

type keyedStep struct {
	K          *string `json:"k"`
	TS         *Time   `json:"ts"`
	V          int64   `json:"v"`
	Gap        int64   `json:"gap"`
	WM         *Time   `json:"wm"`
	Checkpoint bool    `json:"checkpoint"`
	Restore    int     `json:"restore"`
}

type windowOut struct {
	R       []windowResult `json:"r,omitempty"`
	Late    bool           `json:"late,omitempty"`
	Dropped *int64         `json:"dropped,omitempty"`
	WM      *Time          `json:"wm,omitempty"`
	N       *[5]int        `json:"n,omitempty"`
	Error   *sim.Exception `json:"error,omitempty"`
}

type windowResult struct {
	K     string   `json:"k"`
	Start int64    `json:"start"`
	End   int64    `json:"end"`
	V     *int64   `json:"v,omitempty"`
	VS    *[]int64 `json:"vs,omitempty"`
	At    *Time    `json:"at,omitempty"`
	timer int64
}

// StepLast implements Replayer; counts are written after a watermark, a
// restore and the last step.
func (r *windowReplayer) StepLast(step json.RawMessage, last bool) (any, error) {
	var s keyedStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	var err error
	switch {
	case s.K != nil && s.TS != nil:
		err = r.h.record(0, &operator.Record{Name: *s.K, TS: int64(*s.TS), Value: s.V, Gap: s.Gap})
	case s.WM != nil:
		err = r.h.watermark(int64(*s.WM))
	case s.Checkpoint:
		err = r.h.checkpoint()
	case s.Restore > 0:
		r.shown = 0
		err = r.h.start(s.Restore)
	default:
		return nil, errStep
	}
	if err != nil {
		return exceptionEntry(err)
	}
	out := r.out()
	if last || s.WM != nil || s.Restore > 0 {
		out.N = r.counts()
	}
	return out, nil
}

func (r *windowReplayer) out() *windowOut {
	results, late, wm := r.h.take()
	out := &windowOut{Late: late}
	for i := range results {
		out.R = append(out.R, r.result(&results[i]))
	}
	sort.SliceStable(out.R, func(i, j int) bool {
		a, b := out.R[i], out.R[j]
		if a.timer != b.timer {
			return a.timer < b.timer
		}
		if a.K != b.K {
			return a.K < b.K
		}
		return a.Start < b.Start
	})
	if n := r.h.dropped(); n != r.shown {
		r.shown = n
		out.Dropped = &n
	}
	if wm != nil {
		out.WM = timeAt(*wm)
	}
	return out
}

func (r *windowReplayer) result(x *operator.Record) windowResult {
	w := windowResult{K: x.Key.Name, Start: x.Window.Start, End: x.Window.End, timer: x.Timer}
	if x.Timer != sim.MinTime && x.Timer != x.Window.End-1 {
		w.At = timeAt(x.Timer)
	}
	if r.config.Function == string(eventtime.Process) {
		vs := append([]int64{}, x.Values...)
		if r.sessions {
			slices.Sort(vs)
		}
		w.VS = &vs
	} else {
		w.V = &x.Value
	}
	return w
}

func (r *windowReplayer) counts() *[5]int {
	var n [5]int
	for _, s := range r.h.subtasks {
		c := s.op.(*eventtime.WindowOperator).Counts()
		for i, v := range []int{c.Timers, c.Contents, c.Elements, c.Sets, c.TriggerStates} {
			n[i] += v
		}
	}
	return &n
}

// exceptionEntry is the out entry of a step that made the operator fail.
func exceptionEntry(err error) (any, error) {
	if e, ok := err.(*sim.Exception); ok {
		return struct {
			Error *sim.Exception `json:"error"`
		}{e}, nil
	}
	return nil, err
}

// Step implements Replayer.
func (r *windowReplayer) Step(step json.RawMessage) (any, error) { return r.StepLast(step, false) }

// windowAttachment is a window operator behind a source.
type windowAttachment struct{ *windowReplayer }

func newWindowAttachment(config json.RawMessage) (attachedWindow, error) {
	c, err := configured[windowConfig](config)
	if err != nil {
		return nil, err
	}
	r, err := windowOf(&c)
	return &windowAttachment{r}, err
}

// Record implements attachedWindow.
func (a *windowAttachment) Record(e *event, key string, timestamp int64) error {
	if err := a.h.record(0, &operator.Record{Name: key, TS: timestamp, Value: 1}); err != nil {
		return err
	}
	return a.add(e)
}

// Watermark implements attachedWindow.
func (a *windowAttachment) Watermark(e *event, timestamp int64) error {
	if err := a.h.watermark(timestamp); err != nil {
		return err
	}
	return a.add(e)
}

func (a *windowAttachment) add(e *event) (err error) {
	out := a.out()
	e.Dropped = out.Dropped
	if len(out.R) > 0 {
		e.R, err = json.Marshal(out.R)
	}
	return err
}

// Close ends the storage at the end of a case.
func (r *windowReplayer) Close() error { return r.h.close() }
