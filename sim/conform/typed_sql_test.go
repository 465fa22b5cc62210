package conform

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"streaminglab/sim"
)

// behind is an operator that shows what arrives from the one before: its
// steps tell of records, watermarks and statuses in their order.
const behind = "  - name: behind\n    process: count\n"

// arrivals are what the operator behind saw, in order.
func arrivals(r *typedRun) []event {
	var out []event
	for _, s := range r.steps {
		if s.At != "behind[0]" {
			continue
		}
		switch b := s.Body.(type) {
		case sim.RecordProcessed:
			out = append(out, event{Row: timeAt(b.TS)})
		case sim.WatermarkAdvanced:
			out = append(out, event{WM: timeAt(b.Watermark)})
		case sim.StatusChanged:
			out = append(out, event{Status: b.Status})
		}
	}
	if e := r.failure(); e != nil {
		out = append(out, event{Error: e})
	}
	return out
}

// typeSQLWatermark types a case of the kind sqlwatermark.
func typeSQLWatermark(c *Recording) (*typedCase, error) {
	var config sqlWatermarkConfig
	if err := decode(c.Config, &config); err != nil {
		return nil, err
	}
	options := fmt.Sprintf("flinkConfiguration:\n  pipeline.auto-watermark-interval: %dms\n", config.Interval)
	if config.Timeout > 0 {
		options += fmt.Sprintf("  table.exec.source.idle-timeout: %dms\n", config.Timeout)
	}
	story := &typedCase{got: func(r *typedRun, _ int) any { return arrivals(r) }}
	pushed := config.Mode == "source"
	if pushed {
		story.job = fmt.Sprintf("sources:\n  src: {splits: 0, watermark: {strategy: sql, delay: %dms, emit: %s}}\noperators:\n%s%s", config.Delay, config.Emit, behind, options)
	} else {
		// The source has no split: what comes of none goes to its main output,
		// whose statuses pass as they are.
		story.job = fmt.Sprintf("sources:\n  src: {splits: 0, watermark: {strategy: scripted}}\noperators:\n  - name: assign\n    sql-watermark: {delay: %dms}\n%s%s", config.Delay, behind, options)
	}
	// What leaves the operator meets the gate of its output (EV-2.5)
	// and the valve behind it, which lets a watermark through once.
	idle, now, top, sent := false, int64(0), sim.MinTime, sim.MinTime
	upstream, finished := "active", false
	gated := make([][]event, len(c.In))
	for i, in := range c.In {
		var s struct {
			sqlRow
			Split    string  `json:"split"`
			Add      *string `json:"add"`
			Time     *int64  `json:"time"`
			WM       *Time   `json:"wm"`
			Upstream *string `json:"upstream"`
			Finish   bool    `json:"finish"`
		}
		if err := decode(in, &s); err != nil {
			return nil, err
		}
		to := "src"
		if s.Split != "" {
			to += "/" + s.Split
		}
		var line string
		switch {
		case finished:
			return nil, errUntyped("steps after the end of input")
		case s.TS != nil:
			at, null, nullExpression, err := s.read(config.Delay)
			if err != nil {
				return nil, err
			}
			stamp := Time(at).stamp()
			if null {
				stamp = "none"
			}
			line = fmt.Sprintf("produce %s %s a 1", to, stamp)
			if nullExpression && !null {
				line += " expr=none"
			}
		case s.Add != nil:
			line = "split add src/" + *s.Add
		case s.Time != nil:
			line = fmt.Sprintf("advance %dms", *s.Time-now)
			now = *s.Time
		case s.WM != nil:
			if upstream == "idle" {
				return nil, errUntyped("a watermark from an idle source: it would turn active first")
			}
			line = fmt.Sprintf("watermark src %s", s.WM.word())
			if int64(*s.WM) <= top && *s.WM == Time(sim.MaxTime) {
				return nil, errUntyped("a second MAX: a source sends one")
			}
			top = max(top, int64(*s.WM))
		case s.Upstream != nil:
			if *s.Upstream == upstream {
				return nil, errUntyped("a status that is none: a source announces changes")
			}
			upstream = *s.Upstream
			line = upstream + " src"
		case s.Finish:
			finished = true
			line = "end src"
		default:
			return nil, errStep
		}
		story.lines = append(story.lines, []string{line})
		var all []event
		if err := decode(c.Out[i], &all); err != nil {
			return nil, err
		}
		for _, e := range all {
			if e.Status != "" {
				if (e.Status == "idle") == idle {
					continue
				}
				idle = e.Status == "idle"
			}
			if e.WM != nil {
				if idle || int64(*e.WM) <= sent {
					continue
				}
				sent = int64(*e.WM)
			}
			gated[i] = append(gated[i], e)
		}
	}
	story.expected = func(i int, _ json.RawMessage) any { return gated[i] }
	return story, nil
}

// typeSQLWindow types a case of the kind sqlwindow.
func typeSQLWindow(c *Recording) (*typedCase, error) {
	var config sqlWindowConfig
	if err := decode(c.Config, &config); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString(scriptedSource + "operators:\n  - name: totals\n")
	switch config.Window {
	case "tumble":
		fmt.Fprintf(&b, "    sql-window: {assign: tumble %dms}\n", config.Size)
	case "hop":
		fmt.Fprintf(&b, "    sql-window: {assign: hop %dms %dms}\n", config.Size, config.Slide)
	case "cumulate":
		fmt.Fprintf(&b, "    sql-window: {assign: cumulate %dms %dms}\n", config.Max, config.Step)
	case "session":
		fmt.Fprintf(&b, "    sql-window: {assign: session %dms}\n", config.Gap)
	}
	if config.Offset != 0 {
		fmt.Fprintf(&b, "    offset: %dms\n", config.Offset)
	}
	if config.Zone != "" {
		fmt.Fprintf(&b, "    zone: %s\n", config.Zone)
	}
	story := &typedCase{job: b.String() + behind}
	t := newTypist("src")
	marks := map[int]bool{}
	top := sim.MinTime
	forwarded := make([]*Time, len(c.In))
	for i, in := range c.In {
		var s struct {
			keyedStep
			Op      string `json:"op"`
			Subtask *int   `json:"subtask"`
		}
		if err := decode(in, &s); err != nil {
			return nil, err
		}
		var lines []string
		switch {
		case s.K != nil && s.TS != nil:
			t.fresh = false
			line := fmt.Sprintf("produce %s %s %s %d", t.at("src"), s.TS.stamp(), *s.K, s.V)
			if s.Op == "delete" {
				line += " op=-D"
			}
			lines = []string{line}
		case s.Subtask != nil:
			return nil, errUntyped("a watermark to one subtask only")
		case s.WM != nil:
			if err := t.rises(*s.WM); err != nil {
				return nil, err
			}
			marks[i] = true
			lines = []string{fmt.Sprintf("watermark %s %s", t.at("src"), s.WM.word())}
		case s.Checkpoint:
			lines = t.checkpoint()
		case s.Restore > 0:
			lines = t.restore(s.Restore)
			top = sim.MinTime
		}
		story.lines = append(story.lines, lines)
		// What is forwarded shows where it is higher than before.
		var out sqlWindowOut
		if err := decode(c.Out[i], &out); err == nil && out.WM != nil && int64(*out.WM) > top {
			top, forwarded[i] = int64(*out.WM), out.WM
		}
	}
	story.expected = func(i int, out json.RawMessage) any {
		var o sqlWindowOut
		if err := decode(out, &o); err != nil {
			return err
		}
		o.WM = forwarded[i]
		return o
	}
	story.got = func(r *typedRun, i int) any {
		out := &sqlWindowOut{WM: r.advanced("behind[0]"), Dropped: r.drops()}
		for _, s := range r.steps {
			f, ok := s.Body.(sim.WindowFired)
			if !ok {
				continue
			}
			res := sqlResult{K: f.Key, Start: Time(f.Start), End: Time(f.End), Count: f.Count}
			if !f.Null {
				v := f.Value
				res.Sum = &v
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
		if marks[i] {
			n := r.rows("timer:window-timers")
			out.Timers = &n
		}
		return out
	}
	return story, nil
}
