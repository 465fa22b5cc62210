package conform

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"streaminglab/sim"
)

// typeWindow types a case of the kinds window and session.
func typeWindow(c *Recording) (*typedCase, error) {
	var config windowConfig
	if err := decode(c.Config, &config); err != nil {
		return nil, err
	}
	op, err := config.typed()
	if err != nil {
		return nil, err
	}
	story := &typedCase{job: scriptedSource + "operators:\n  - name: totals\n" + op + "sinks:\n  - name: out\n"}
	t := newTypist("src")
	for i, in := range c.In {
		var s keyedStep
		if err := decode(in, &s); err != nil {
			return nil, err
		}
		var lines []string
		switch {
		case s.K != nil && s.TS != nil:
			t.fresh = false
			line := fmt.Sprintf("produce %s %s %s %d", t.at("src"), s.TS.stamp(), *s.K, s.V)
			if config.Assigner == "dynamic-session" {
				line += fmt.Sprintf(" gap=%dms", s.Gap)
				if s.Gap < 0 {
					return nil, errUntyped("a negative gap")
				}
			}
			lines = []string{line}
		case s.WM != nil:
			if err := t.rises(*s.WM); err != nil {
				return nil, err
			}
			lines = []string{fmt.Sprintf("watermark %s %s", t.at("src"), s.WM.word())}
		case s.Checkpoint:
			lines = t.checkpoint()
		case s.Restore > 0:
			lines = t.restore(s.Restore)
		}
		if i == 0 && config.ProcTime > 0 {
			lines = append([]string{fmt.Sprintf("advance %dms", config.ProcTime)}, lines...)
		}
		story.lines = append(story.lines, lines)
	}
	sessions := strings.Contains(config.Assigner, "session")
	story.got = func(r *typedRun, i int) any { return typedWindowOut(r, &config, sessions) }
	story.expected = func(i int, out json.RawMessage) any {
		var o windowOut
		if err := decode(out, &o); err != nil {
			return err
		}
		if o.N != nil {
			// What lists hold is not counted in a dump.
			o.N[2] = 0
		}
		return o
	}
	// Counts are written where they are recorded.
	got := story.got
	story.got = func(r *typedRun, i int) any {
		o := got(r, i).(*windowOut)
		var want windowOut
		if err := decode(c.Out[i], &want); err == nil && want.N == nil {
			o.N = nil
		}
		return o
	}
	return story, nil
}

const scriptedSource = "sources:\n  src: {splits: 1, parallelism: 1, watermark: {strategy: scripted}}\n"

// typed is the operator of a window case in a job file.
func (c *windowConfig) typed() (string, error) {
	var b strings.Builder
	var assign string
	switch c.Assigner {
	case "tumbling":
		assign = fmt.Sprintf("tumbling %dms", c.Size)
	case "sliding":
		assign = fmt.Sprintf("sliding %dms %dms", c.Size, c.Slide)
	case "session":
		assign = fmt.Sprintf("session %dms", c.Gap)
	case "dynamic-session":
		assign = "session dynamic"
	}
	if c.Size < 0 || c.Slide < 0 || c.Gap < 0 {
		return "", errUntyped("a negative size: the job file refuses it before Flink does")
	}
	function := map[string]string{"reduce": "reduce: sum", "process": "process: list"}[c.Function]
	fmt.Fprintf(&b, "    window: {assign: %s, %s}\n", assign, function)
	if c.Offset != 0 {
		fmt.Fprintf(&b, "    offset: %dms\n", c.Offset)
	}
	if c.Stagger != "" {
		fmt.Fprintf(&b, "    stagger: %s\n", strings.ToLower(c.Stagger))
	}
	if c.Lateness != 0 {
		if l := int64(c.Lateness); l == sim.MaxTime {
			b.WriteString("    lateness: MAX\n")
		} else {
			fmt.Fprintf(&b, "    lateness: %dms\n", l)
		}
	}
	if c.LateOutput {
		b.WriteString("    late-output: late\n")
	}
	switch c.Trigger {
	case "", "event":
	case "purging":
		b.WriteString("    trigger: purging\n")
	case "count":
		fmt.Fprintf(&b, "    trigger: count %d\n", c.Count)
	case "purging-count":
		fmt.Fprintf(&b, "    trigger: purging count %d\n", c.Count)
	case "continuous":
		fmt.Fprintf(&b, "    trigger: continuous %dms\n", c.Interval)
	default:
		return "", fmt.Errorf("unknown trigger %q", c.Trigger)
	}
	if e := c.Evictor; e != nil {
		after := ""
		if e.After {
			after = " after"
		}
		switch e.Type {
		case "count":
			fmt.Fprintf(&b, "    evictor: count %d%s\n", e.N, after)
		case "time":
			fmt.Fprintf(&b, "    evictor: time %dms%s\n", e.Keep, after)
		case "delta":
			fmt.Fprintf(&b, "    evictor: delta %d%s\n", e.Threshold, after)
		}
	}
	return b.String(), nil
}

func typedWindowOut(r *typedRun, c *windowConfig, sessions bool) *windowOut {
	out := &windowOut{R: typedFirings(r, c.Function == "process", sessions)}
	if out.Error = r.failure(); out.Error != nil {
		return out
	}
	for _, s := range r.steps {
		if _, ok := s.Body.(sim.RecordLate); ok {
			out.Late = true
		}
	}
	out.Dropped = r.drops()
	out.WM = r.advanced("totals[0]")
	out.N = &[5]int{
		r.rows("timer:window-timers"), r.rows("window-contents"), 0,
		r.rows("merging-window-set"), r.rows("count", "fire-time"),
	}
	return out
}

// typedFirings are the results of windows, in the order of recordings.
func typedFirings(r *typedRun, lists, sessions bool) []windowResult {
	var out []windowResult
	for _, s := range r.steps {
		b, ok := s.Body.(sim.WindowFired)
		if !ok {
			continue
		}
		w := windowResult{K: b.Key, Start: b.Start, End: b.End, timer: b.Timer}
		if b.Timer != sim.MinTime && b.Timer != b.End-1 {
			w.At = timeAt(b.Timer)
		}
		if lists {
			vs := append([]int64{}, b.Values...)
			if sessions {
				sort.Slice(vs, func(i, j int) bool { return vs[i] < vs[j] })
			}
			w.VS = &vs
		} else {
			v := b.Value
			w.V = &v
		}
		out = append(out, w)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.timer != b.timer {
			return a.timer < b.timer
		}
		if a.K != b.K {
			return a.K < b.K
		}
		return a.Start < b.Start
	})
	return out
}
