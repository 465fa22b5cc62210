package conform

import (
	"bytes"
	"encoding/json"
	"fmt"

	"streaminglab/sim/state"
)

// opstateReplayer restores one snapshot of operator state again and again.
type opstateReplayer struct {
	old   []state.Lists[string]
	lists []state.ListInfo
}

var modes = map[string]state.Mode{"split": state.SplitDistribute, "union": state.UnionMode, "broadcast": state.Broadcast}

func newOpstate(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		States   json.RawMessage       `json:"states"`
		Subtasks []map[string][]string `json:"subtasks"`
		// The order in which Flink visits the lists; the lab computes it.
		SplitOrder []string `json:"split_order"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &opstateReplayer{}
	// Which list was registered first matters, so the object is read in order.
	d := json.NewDecoder(bytes.NewReader(c.States))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var mode string
		if err := d.Decode(&mode); err != nil {
			return nil, err
		}
		if modes[mode] == "" {
			return nil, fmt.Errorf("unknown mode %q", mode)
		}
		r.lists = append(r.lists, state.ListInfo{Name: fmt.Sprint(name), Mode: modes[mode]})
	}
	for _, lists := range c.Subtasks {
		r.old = append(r.old, lists)
	}
	return r, index("subtask", len(r.old)-1, maxParallelism)
}

// Step implements Replayer.
func (r *opstateReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		P *int `json:"restore_p"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if s.P == nil {
		return nil, errStep
	}
	if err := index("parallelism", *s.P-1, maxParallelism); err != nil {
		return nil, err
	}
	out := []map[string][]string{}
	for _, lists := range state.Repartition(r.old, r.lists, *s.P) {
		some := map[string][]string{}
		for name, items := range lists {
			if len(items) > 0 {
				some[name] = items
			}
		}
		out = append(out, some)
	}
	return out, nil
}
