package conform

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// intervaljoinReplayer drives an IntervalJoinOperator behind the combination
// of its two inputs.
type intervaljoinReplayer struct {
	h        *harness
	combined *eventtime.IndexedCombinedWatermarkStatus
	// Of each record: timestamp and arrival, for the order of pairs.
	ts, arrival map[string]int64
}

func newIntervaljoin(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Lower          int64 `json:"lower"`
		Upper          int64 `json:"upper"`
		LowerExclusive bool  `json:"lowerexclusive"`
		UpperExclusive bool  `json:"upperexclusive"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &intervaljoinReplayer{
		combined: eventtime.NewIndexedCombinedWatermarkStatus(2),
		ts:       map[string]int64{}, arrival: map[string]int64{},
	}
	r.h, err = newHarness(state.NewKeys(maxParallelism), func() (operator.Operator, error) {
		return eventtime.NewIntervalJoinOperator(eventtime.IntervalJoinConfig{
			Lower: c.Lower, Upper: c.Upper, LowerExclusive: c.LowerExclusive, UpperExclusive: c.UpperExclusive,
			LateLeft: "late-left", LateRight: "late-right",
		}), nil
	})
	return r, err
}

type joinPair struct {
	L  string `json:"l"`
	R  string `json:"r"`
	TS Time   `json:"ts"`
}

type joinOut struct {
	Pairs  []joinPair     `json:"pairs,omitempty"`
	Late   bool           `json:"late,omitempty"`
	WM     *Time          `json:"wm,omitempty"`
	Timers *int           `json:"timers,omitempty"`
	Error  *sim.Exception `json:"error,omitempty"`
}

var sides = map[string]int{"left": 0, "right": 1}

// Step implements Replayer.
func (r *intervaljoinReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		Side *string `json:"side"`
		K    string  `json:"k"`
		ID   string  `json:"id"`
		TS   *Time   `json:"ts"`
		WM   *Time   `json:"wm"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	side := -1
	if s.Side != nil {
		i, ok := sides[*s.Side]
		if !ok {
			return nil, fmt.Errorf("unknown side %q", *s.Side)
		}
		side = i
	}
	out := &joinOut{}
	switch {
	case s.WM != nil:
		for i := range 2 {
			if side >= 0 && side != i {
				continue
			}
			if r.combined.UpdateWatermark(i, int64(*s.WM)) {
				if err := r.h.watermark(r.combined.CombinedWatermark()); err != nil {
					return nil, err
				}
			}
		}
		n := r.h.subtasks[0].op.(*eventtime.IntervalJoinOperator).Timers().Len()
		out.Timers = &n
	case s.TS != nil && side >= 0:
		r.ts[s.ID], r.arrival[s.ID] = int64(*s.TS), int64(len(r.arrival))
		if err := r.h.record(side, &operator.Record{Name: s.K, Word: s.ID, TS: int64(*s.TS)}); err != nil {
			return exceptionEntry(err)
		}
	default:
		return nil, errStep
	}
	results, late, wm := r.h.take()
	out.Late = late
	if wm != nil {
		out.WM = timeAt(*wm)
	}
	for _, x := range results {
		l, rt, _ := strings.Cut(x.Word, "-")
		out.Pairs = append(out.Pairs, joinPair{l, rt, Time(x.TS)})
	}
	out.sort(r.ts, r.arrival)
	return out, nil
}

// sort orders pairs by the timestamps of left and right, then by arrival.
func (o *joinOut) sort(ts, arrival map[string]int64) {
	sort.SliceStable(o.Pairs, func(i, j int) bool {
		a, b := o.Pairs[i], o.Pairs[j]
		if ts[a.L] != ts[b.L] {
			return ts[a.L] < ts[b.L]
		}
		if ts[a.R] != ts[b.R] {
			return ts[a.R] < ts[b.R]
		}
		if a.L != b.L {
			return arrival[a.L] < arrival[b.L]
		}
		return arrival[a.R] < arrival[b.R]
	})
}

// Close ends the storage at the end of a case.
func (r *intervaljoinReplayer) Close() error { return r.h.close() }
