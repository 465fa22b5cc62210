package conform

import (
	"encoding/json"
	"sort"

	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// timersReplayer drives KeyedProcessOperators whose function registers and
// deletes the timers that the recording names.
type timersReplayer struct {
	h            *harness
	Every, Until int64

	register, delete []Time
	fired            []firedTimer
}

type firedTimer struct {
	K     string `json:"k"`
	Timer Time   `json:"timer"`
}

func newTimers(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Every int64 `json:"every"`
		Until int64 `json:"until"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &timersReplayer{Every: c.Every, Until: c.Until}
	r.h, err = newHarness(state.NewKeys(maxParallelism), func() (operator.Operator, error) {
		return &eventtime.KeyedProcessOperator{Function: r}, nil
	})
	return r, err
}

// OnRecord implements eventtime.ProcessFunction.
func (*timersReplayer) Open(o *eventtime.KeyedProcessOperator) { o.OpenCount() }

// OnRecord implements eventtime.ProcessFunction.
func (r *timersReplayer) OnRecord(o *eventtime.KeyedProcessOperator, x *operator.Record) {
	for _, t := range r.register {
		o.RegisterEventTimeTimer(x.Key, int64(t))
	}
	for _, t := range r.delete {
		o.DeleteEventTimeTimer(x.Key, int64(t))
	}
}

// OnTimer implements eventtime.ProcessFunction.
func (r *timersReplayer) OnTimer(o *eventtime.KeyedProcessOperator, k *state.Key, t int64) {
	bounded("firings", len(r.fired))
	r.fired = append(r.fired, firedTimer{k.Name, Time(t)})
	if next := t + r.Every; r.Every > 0 && next <= r.Until {
		o.RegisterEventTimeTimer(k, next)
	}
}

type timersOut struct {
	Fired  []firedTimer `json:"fired,omitempty"`
	WM     *Time        `json:"wm,omitempty"`
	Timers int          `json:"timers"`
}

// Step implements Replayer.
func (r *timersReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		K          *string `json:"k"`
		TS         *Time   `json:"ts"`
		Register   []Time  `json:"register"`
		Delete     []Time  `json:"delete"`
		WM         *Time   `json:"wm"`
		Checkpoint bool    `json:"checkpoint"`
		Restore    int     `json:"restore"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	r.fired = nil
	var err error
	switch {
	case s.K != nil && s.TS != nil:
		r.register, r.delete = s.Register, s.Delete
		err = r.h.record(0, &operator.Record{Name: *s.K, TS: int64(*s.TS)})
	case s.WM != nil:
		err = r.h.watermark(int64(*s.WM))
	case s.Checkpoint:
		err = r.h.checkpoint()
	case s.Restore > 0:
		err = r.h.start(s.Restore)
	default:
		return nil, errStep
	}
	if err != nil {
		return nil, err
	}
	sort.SliceStable(r.fired, func(i, j int) bool {
		a, b := r.fired[i], r.fired[j]
		if a.Timer != b.Timer {
			return a.Timer < b.Timer
		}
		return a.K < b.K
	})
	out := &timersOut{Fired: r.fired}
	if _, _, wm := r.h.take(); wm != nil {
		out.WM = timeAt(*wm)
	}
	for _, t := range r.h.subtasks {
		out.Timers += t.op.(*eventtime.KeyedProcessOperator).Timers().Len()
	}
	return out, nil
}

// Close ends the storage at the end of a case.
func (r *timersReplayer) Close() error { return r.h.close() }
