package conform

import (
	"encoding/json"
	"fmt"
	"sort"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

type sqlWindowConfig struct {
	Window   string         `json:"window"`
	Size     int64          `json:"size"`
	Slide    int64          `json:"slide"`
	Max      int64          `json:"max"`
	Step     int64          `json:"step"`
	Gap      int64          `json:"gap"`
	Offset   int64          `json:"offset"`
	Zone     string         `json:"zone"`
	Subtasks map[string]int `json:"subtasks"`
}

func (c *sqlWindowConfig) operator() (operator.Operator, error) {
	w := eventtime.SQLWindowConfig{CountStar: c.Window == "hop", Gap: c.Gap}
	var err error
	switch c.Window {
	case "tumble":
		w.Slices, err = eventtime.NewTumblingSliceAssigner(c.Size, c.Offset)
	case "hop":
		w.Slices, err = eventtime.NewHoppingSliceAssigner(c.Size, c.Slide, c.Offset)
	case "cumulate":
		w.Slices, err = eventtime.NewCumulativeSliceAssigner(c.Max, c.Step, c.Offset)
	case "session":
	default:
		return nil, fmt.Errorf("unknown window %q", c.Window)
	}
	if err != nil {
		return nil, err
	}
	for _, n := range []int64{c.Size / max(c.Slide, 1), c.Max / max(c.Step, 1)} {
		if c.Window != "tumble" && n > maxWork {
			return nil, fmt.Errorf("%d slices in a window", n)
		}
	}
	if c.Zone != "" {
		if w.Zone, err = eventtime.LoadZone(c.Zone); err != nil {
			return nil, err
		}
	}
	return eventtime.NewSQLWindowOperator(w), nil
}

// sqlwindowReplayer drives SQLWindowOperators.
type sqlwindowReplayer struct {
	h     *harness
	shown int64
}

func newSQLWindow(config json.RawMessage) (Replayer, error) {
	c, err := configured[sqlWindowConfig](config)
	if err != nil {
		return nil, err
	}
	keys := state.NewRowKeys(maxParallelism)
	for name, want := range c.Subtasks {
		if got := keys.Intern(name).Owner(maxParallelism, 2); got != want {
			return nil, fmt.Errorf("key %q lives in subtask %d, recorded in %d", name, got, want)
		}
	}
	h, err := newHarness(keys, c.operator)
	if err != nil {
		return failedAtStart(err)
	}
	return &sqlwindowReplayer{h: h}, nil
}

type sqlResult struct {
	K     string `json:"k"`
	Start Time   `json:"start"`
	End   Time   `json:"end"`
	Sum   *int64 `json:"sum"`
	Count int64  `json:"count"`
}

type sqlWindowOut struct {
	R       []sqlResult `json:"r,omitempty"`
	Dropped *int64      `json:"dropped,omitempty"`
	WM      *Time       `json:"wm,omitempty"`
	Timers  *int        `json:"timers,omitempty"`
}

// Step implements Replayer.
func (r *sqlwindowReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		keyedStep
		Op      string `json:"op"`
		Subtask *int   `json:"subtask"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	var err error
	switch {
	case s.K != nil && s.TS != nil:
		x := &operator.Record{Name: *s.K, TS: int64(*s.TS), Value: s.V}
		if s.Op == "delete" {
			x.Kind = operator.Delete
		}
		err = r.h.record(0, x)
	case s.WM != nil && s.Subtask != nil:
		if err := index("subtask", *s.Subtask, len(r.h.subtasks)); err != nil {
			return nil, err
		}
		err = r.h.subtasks[*s.Subtask].op.ProcessWatermark(int64(*s.WM))
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
	results, _, wm := r.h.take()
	out := &sqlWindowOut{}
	for i := range results {
		x := &results[i]
		res := sqlResult{K: x.Key.Name, Start: Time(x.Window.Start), End: Time(x.Window.End), Count: x.Count}
		if !x.NullSum {
			res.Sum = &x.Value
		}
		out.R = append(out.R, res)
	}
	sort.SliceStable(out.R, func(i, j int) bool {
		a, b := out.R[i], out.R[j]
		if a.End != b.End {
			return a.End < b.End
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
	if s.WM != nil {
		n := 0
		for _, t := range r.h.subtasks {
			n += t.op.(*eventtime.SQLWindowOperator).Timers().Len()
		}
		out.Timers = &n
	}
	return out, nil
}

// failedAtStart is the replayer of a case whose operator could not be made:
// the first step answers with the exception.
func failedAtStart(err error) (Replayer, error) {
	e, ok := err.(*sim.Exception)
	if !ok {
		return nil, err
	}
	return refused{e}, nil
}

type refused struct{ exception *sim.Exception }

// Step implements Replayer.
func (r refused) Step(json.RawMessage) (any, error) { return exceptionEntry(r.exception) }

// Close ends the storage at the end of a case.
func (r *sqlwindowReplayer) Close() error { return r.h.close() }
