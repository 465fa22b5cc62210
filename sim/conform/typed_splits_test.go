package conform

import (
	"encoding/json"
	"fmt"
	"strings"

	"streaminglab/sim"
)

// typeSplits types a case of the kind splits: what one reader does with its
// splits.
func typeSplits(c *Recording) (*typedCase, error) {
	var config struct {
		generatorConfig
		Window *windowConfig `json:"window"`
	}
	if err := decode(c.Config, &config); err != nil {
		return nil, err
	}
	strategy := map[string]string{
		"bounded":    fmt.Sprintf("bounded-out-of-orderness, bound: %dms", config.Delay),
		"monotonous": "monotonous", "punctuated": "punctuated", "scripted": "scripted",
	}[config.Generator]
	if config.Timeout > 0 {
		strategy += fmt.Sprintf(", idleness: %dms", config.Timeout)
	}
	job := fmt.Sprintf("sources:\n  src: {splits: 0, watermark: {strategy: %s}}\n", strategy)
	if config.Window != nil {
		op, err := config.Window.typed()
		if err != nil {
			return nil, err
		}
		job += "operators:\n  - name: totals\n" + op
	}
	job += fmt.Sprintf("sinks:\n  - name: out\nflinkConfiguration:\n  pipeline.auto-watermark-interval: %dms\n", config.Interval)
	story := &typedCase{job: job}
	now := int64(0)
	blocked := false
	emissions := map[int]bool{}
	for i, in := range c.In {
		s := splitsStep{Key: "a"}
		if err := decode(in, &s); err != nil {
			return nil, err
		}
		to := "src"
		if s.Split != nil {
			to += "/" + *s.Split
		}
		var line string
		switch {
		case s.Add != nil:
			line = "split add src/" + *s.Add
		case s.Remove != nil:
			line = "split remove src/" + *s.Remove
		case s.TS != nil:
			line = fmt.Sprintf("produce %s %s %s 1", to, Time(*s.TS).stamp(), s.Key)
			if s.Mark {
				line += " mark"
			}
		case s.Emit != nil:
			emissions[i] = true
			line = fmt.Sprintf("watermark %s %s", to, s.Emit.word())
		case s.Status != nil:
			emissions[i] = true
			line = fmt.Sprintf("%s %s", *s.Status, to)
		case s.Time != nil:
			line = fmt.Sprintf("advance %dms", *s.Time-now)
			now = *s.Time
		case s.Backpressure != nil:
			blocked = *s.Backpressure
			word := map[bool]string{true: "on", false: "off"}[blocked]
			line = "backpressure out " + word
			if config.Window != nil {
				line = "backpressure totals " + word
			}
		default:
			return nil, errUntyped("alignment pauses a single split")
		}
		if blocked && s.Backpressure == nil && s.Time == nil && s.Add == nil && s.Remove == nil {
			return nil, errUntyped("a record read during backpressure: sources of the lab stop at once")
		}
		story.lines = append(story.lines, []string{line})
	}
	story.expected = func(i int, out json.RawMessage) any {
		var all, kept []event
		if err := decode(out, &all); err != nil {
			return err
		}
		for _, e := range all {
			if e.TS != nil && emissions[i] {
				// The recording's generator needs a record to emit; a script does not.
				continue
			}
			kept = append(kept, e)
		}
		return kept
	}
	story.got = func(r *typedRun, _ int) any {
		var out []event
		for _, s := range r.steps {
			switch b := s.Body.(type) {
			case sim.RecordRead:
				out = append(out, event{TS: timeAt(b.TS)})
			case sim.WatermarkEmitted:
				if s.At == "src[0]" {
					out = append(out, event{WM: timeAt(b.Watermark)})
				}
			case sim.StatusChanged:
				if s.At == "src[0]" {
					out = append(out, event{Status: b.Status})
				}
			}
		}
		if config.Window == nil || len(out) == 0 {
			return out
		}
		if n := len(out); n > 0 {
			out[n-1].Dropped = r.drops()
			if fired := typedFirings(r, false, false); len(fired) > 0 {
				out[n-1].R, _ = json.Marshal(fired)
			}
		}
		return out
	}
	return story, nil
}

type joinStep struct {
	Side *string `json:"side"`
	K    string  `json:"k"`
	ID   string  `json:"id"`
	TS   *Time   `json:"ts"`
	WM   *Time   `json:"wm"`
}

// typeJoin types a case of the kind intervaljoin.
func typeJoin(c *Recording) (*typedCase, error) {
	var config struct {
		Lower          int64 `json:"lower"`
		Upper          int64 `json:"upper"`
		LowerExclusive bool  `json:"lowerexclusive"`
		UpperExclusive bool  `json:"upperexclusive"`
	}
	if err := decode(c.Config, &config); err != nil {
		return nil, err
	}
	story := &typedCase{job: fmt.Sprintf(`sources:
  left: {splits: 1, watermark: {strategy: scripted}}
  right: {splits: 1, watermark: {strategy: scripted}}
operators:
  - name: pairs
    inputs: [left, right]
    interval-join: {lower: %dms, upper: %dms, lower-exclusive: %t, upper-exclusive: %t, late-left: l, late-right: r}
sinks:
  - name: out
`, config.Lower, config.Upper, config.LowerExclusive, config.UpperExclusive)}
	ts, arrival := map[string]int64{}, map[string]int64{}
	for _, in := range c.In {
		var s joinStep
		if err := decode(in, &s); err != nil {
			return nil, err
		}
		var lines []string
		if s.WM != nil {
			for _, side := range []string{"left", "right"} {
				if s.Side == nil || *s.Side == side {
					lines = append(lines, fmt.Sprintf("watermark %s/0 %s", side, s.WM.word()))
				}
			}
		} else {
			ts[s.ID], arrival[s.ID] = int64(*s.TS), int64(len(arrival))
			lines = []string{fmt.Sprintf("produce %s/0 %s %s %s", *s.Side, s.TS.stamp(), s.K, s.ID)}
		}
		story.lines = append(story.lines, lines)
	}
	story.got = func(r *typedRun, i int) any {
		if e := r.failure(); e != nil {
			entry, _ := exceptionEntry(e)
			return entry
		}
		out := &joinOut{WM: r.advanced("pairs[0]")}
		for _, s := range r.steps {
			switch b := s.Body.(type) {
			case sim.JoinMatched:
				out.Pairs = append(out.Pairs, joinPair{b.Left, b.Right, Time(b.TS)})
			case sim.RecordLate:
				out.Late = true
			}
		}
		out.sort(ts, arrival)
		if strings.HasPrefix(story.lines[i][0], "watermark") {
			n := r.rows("timer:CLEANUP_TIMER")
			out.Timers = &n
		}
		return out
	}
	return story, nil
}
