package conform

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"streaminglab/sim/barrier"
)

// barrierReplayer is one input gate of one task.
type barrierReplayer struct {
	checkpoints map[string]barrierKind
	gate        *barrier.Gate[string]
	now         int64
	timers      []*barrierTimer
	events      [][]any
}

// A barrierKind is how the barriers of a checkpoint are sent.
type barrierKind struct {
	Kind    string `json:"kind"`
	TS      int64  `json:"ts"`
	Timeout int64  `json:"timeout"`
}

type barrierTimer struct {
	at int64
	do func()
}

func newBarrier(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Channels      int                    `json:"channels"`
		Mode          barrier.Mode           `json:"mode"`
		Checkpoints   map[string]barrierKind `json:"checkpoints"`
		FinishSupport *bool                  `json:"finish_support"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &barrierReplayer{checkpoints: c.Checkpoints}
	r.gate = barrier.New(barrier.Config{
		Channels: c.Channels, Mode: c.Mode, NoFinishSupport: c.FinishSupport != nil && !*c.FinishSupport,
		Now: func() int64 { return r.now }, After: r.after,
	}, r)
	return r, nil
}

func (r *barrierReplayer) after(at int64, f func()) (cancel func()) {
	t := &barrierTimer{at, f}
	r.timers = append(r.timers, t)
	return func() { t.do = nil }
}

func (r *barrierReplayer) say(event ...any) { r.events = append(r.events, event) }

// Trigger implements barrier.Task.
func (r *barrierReplayer) Trigger(b barrier.Barrier) {
	how := r.checkpoints[strconv.FormatInt(b.ID, 10)].Kind
	if how == "timeout" {
		how = "aligned"
	}
	if b.Unaligned {
		how = "unaligned"
	}
	r.say("trigger", b.ID, how)
}

// Abort implements barrier.Task.
func (r *barrierReplayer) Abort(id int64, reason barrier.Reason) { r.say("abort", id, reason) }

// Collected implements barrier.Task.
func (r *barrierReplayer) Collected(int64) {}

// Received implements barrier.Receiver.
func (r *barrierReplayer) Received(int, barrier.Barrier) {}

// InFlight implements barrier.Receiver.
func (r *barrierReplayer) InFlight(id int64, c int, data []string) { r.say("inflight", id, c, data) }

// item reads an item: a1, |1, |1u, !1, $.
func (r *barrierReplayer) item(text string) (barrier.Item[string], error) {
	switch {
	case text == "$":
		return barrier.Item[string]{Kind: barrier.EndOfPartition}, nil
	case strings.HasPrefix(text, "!"):
		id, err := strconv.ParseInt(text[1:], 10, 64)
		return barrier.Item[string]{Kind: barrier.Cancellation, ID: id}, err
	case strings.HasPrefix(text, "|"):
		number, switched := strings.CutSuffix(text[1:], "u")
		id, err := strconv.ParseInt(number, 10, 64)
		k, ok := r.checkpoints[number]
		if err == nil && !ok {
			err = fmt.Errorf("no checkpoint %s", number)
		}
		b := barrier.Barrier{ID: id, Timestamp: k.TS}
		switch {
		case k.Kind == "unaligned" || switched:
			b.Unaligned = true
		case k.Kind == "timeout":
			b.Timeoutable, b.Timeout = true, k.Timeout
		}
		return barrier.Item[string]{Kind: barrier.AtBarrier, Barrier: b}, err
	}
	return barrier.Item[string]{Data: text}, nil
}

// Step implements Replayer.
func (r *barrierReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		Op    string   `json:"op"`
		C     int      `json:"c"`
		Items []string `json:"items"`
		N     int      `json:"n"`
		T     int64    `json:"t"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	r.events = [][]any{}
	switch s.Op {
	case "send":
		var items []barrier.Item[string]
		for _, text := range s.Items {
			x, err := r.item(text)
			if err != nil {
				return nil, err
			}
			items = append(items, x)
		}
		r.gate.Send(s.C, items...)
	case "poll":
		for n := 0; s.N == 0 || n < s.N; n++ {
			c, x, ok := r.gate.Poll()
			if !ok {
				break
			}
			switch x.Kind {
			case barrier.Data:
				r.say("buffer", c, x.Data)
			case barrier.AtBarrier:
				r.say("barrier", c, x.Barrier.ID)
			case barrier.Cancellation:
				r.say("cancel", c, x.ID)
			case barrier.EndOfPartition:
				r.say("end", c)
			}
			r.gate.Handle(c, x)
		}
	case "clock":
		r.now = s.T
		for i := 0; i < len(r.timers); i++ {
			if t := r.timers[i]; t.do != nil && t.at <= r.now {
				do := t.do
				t.do = nil
				do()
			}
		}
	default:
		return nil, errStep
	}
	return struct {
		Events  [][]any `json:"ev"`
		Blocked []int   `json:"blocked,omitempty"`
	}{r.events, r.gate.Blocked()}, nil
}
