package conform

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/world"
)

// drainReplayer runs a whole job in a world, from a job file.
type drainReplayer struct {
	w     *world.World
	shown int
}

// quiet is how long a quiet step lasts, in ms.
const quiet = 2000

func newDrain(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Where     string `json:"where"`
		Generator string `json:"generator"`
		Idleness  bool   `json:"idleness"`
		Batch     bool   `json:"batch"`
	}](config)
	if err != nil {
		return nil, err
	}
	strategy := "{strategy: bounded-out-of-orderness, bound: 0s"
	switch c.Generator {
	case "":
	case "none":
		strategy = "{strategy: none"
	default:
		return nil, fmt.Errorf("unknown generator %q", c.Generator)
	}
	if c.Idleness {
		strategy += ", idleness: 300ms"
	}
	strategy += "}"
	if c.Batch {
		// In batch mode Flink puts TimestampsAndWatermarks.createNoOpEventTimeLogic
		// in the place of the strategy: only MAX is left.
		strategy = "{strategy: none}"
	}
	var b strings.Builder
	b.WriteString("sources:\n  events:\n")
	switch c.Where {
	case "source":
		fmt.Fprintf(&b, "    watermark: %s\noperators:\n", strategy)
	case "operator":
		fmt.Fprintf(&b, "    watermark: {strategy: none}\noperators:\n  - name: stamp\n    assign-timestamps: %s\n", strategy)
	default:
		return nil, fmt.Errorf("unknown place %q", c.Where)
	}
	b.WriteString("  - name: counts\n    window: {assign: tumbling 1s, reduce: sum}\n")
	b.WriteString("sinks:\n  - name: out\n")
	b.WriteString("flinkConfiguration:\n  pipeline.auto-watermark-interval: 50ms\n")
	r := &drainReplayer{w: world.New(world.Config{Files: map[string][]byte{"drain.yaml": []byte(b.String())}})}
	return r, r.w.Start("job drain.yaml", "drain.yaml")
}

// Step implements Replayer.
func (r *drainReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		K     *string `json:"k"`
		TS    *int64  `json:"ts"`
		Quiet bool    `json:"quiet"`
		End   bool    `json:"end"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	var err error
	switch {
	case s.K != nil && s.TS != nil:
		err = r.w.Produce("produce", world.Target{Source: "events", Split: "0"}, operator.Record{Name: *s.K, TS: *s.TS, Value: 1})
	case s.Quiet:
		err = r.w.Advance("advance", quiet)
	case s.End:
		err = r.w.End("end", "events")
	default:
		return nil, errStep
	}
	if err != nil {
		return nil, err
	}
	var out struct {
		R []windowResult `json:"r,omitempty"`
	}
	for _, step := range r.w.Trace().Steps()[r.shown:] {
		if b, ok := step.Body.(sim.ResultWritten); ok {
			out.R = append(out.R, windowResult{K: b.Key, Start: b.Window.Start, End: b.Window.End, V: &b.Value})
		}
	}
	r.shown = r.w.Trace().Len()
	// The recorded job collects what its sink took: results show at the end.
	if !s.End && len(out.R) > 0 {
		return nil, fmt.Errorf("%d results before the end", len(out.R))
	}
	sort.SliceStable(out.R, func(i, j int) bool { return out.R[i].Start < out.R[j].Start })
	return out, nil
}
