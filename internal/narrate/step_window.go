package narrate

import (
	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// window tells the steps of steps_window.go.
func (w words) window(s *sim.Step) (string, bool) {
	at := place(s.At)
	switch b := s.Body.(type) {
	case sim.WindowFired:
		return w.fired(at, b), true
	case sim.WindowCleaned:
		args := locale.Args{"At": at, "Key": b.Key, "Window": w.interval(b.Start, b.End), "WM": b.Watermark}
		if b.Unfired == 0 {
			return w.text("step.window.cleaned", args), true
		}
		return w.loc.Plural("step.window.cleaned.unfired", b.Unfired, args), true
	case sim.WindowMerged:
		from := make([]string, len(b.From))
		for i, f := range b.From {
			from[i] = w.interval(f.Start, f.End)
		}
		return w.loc.Plural("step.window.merged", int64(len(from)), locale.Args{
			"At": at, "Key": b.Key, "Record": w.recordID(b.Record), "From": w.list(from), "Window": w.interval(b.Start, b.End),
		}), true
	case sim.WindowReplaced:
		return w.text("step.window.replaced", locale.Args{
			"At": at, "Key": b.Key, "Record": w.recordID(b.Record), "Window": w.interval(b.Start, b.End),
		}), true
	case sim.BufferFlushed:
		args := locale.Args{"At": at, "Next": "", "Lost": ""}
		if b.NextTrigger != sim.MinTime {
			args["Next"] = w.time(b.NextTrigger)
		}
		if b.Lost > 0 {
			args["Lost"] = w.count("narrate.rows-without-timer", b.Lost)
		}
		if b.Checkpoint {
			return w.loc.Plural("step.buffer.flushed.checkpoint", b.Rows, args), true
		}
		return w.loc.Plural("step.buffer.flushed", b.Rows, args), true
	case sim.TimerFired:
		return w.text("step.timer.fired", locale.Args{
			"At": at, "Key": b.Key, "Timer": b.Timer, "WM": b.Watermark, "Count": w.count("narrate.records", b.Count),
		}), true
	case sim.JoinMatched:
		return w.text("step.join.matched", locale.Args{"At": at, "Key": b.Key, "Left": b.Left, "Right": b.Right, "TS": b.TS}), true
	case sim.JoinRemoved:
		args := locale.Args{"At": at, "Key": b.Key, "TS": b.TS, "WM": b.Watermark}
		if b.Side == "left" {
			return w.text("step.join.removed.left", args), true
		}
		return w.text("step.join.removed.right", args), true
	}
	return "", false
}

func (w words) fired(at string, b sim.WindowFired) string {
	args := locale.Args{
		"At": at, "Key": b.Key, "Window": w.interval(b.Start, b.End), "WM": b.Watermark,
		"Result": b.Key + "=" + result(b.Value, "", b.Values, b.Null), "After": "",
	}
	switch {
	case b.Purged && b.Cleaned:
		args["After"] = w.text("narrate.purged-and-cleaned", nil)
	case b.Purged:
		args["After"] = w.text("narrate.purged", nil)
	case b.Cleaned:
		args["After"] = w.text("narrate.cleaned", nil)
	}
	switch b.Reason {
	case sim.ReasonLateRecord:
		return w.text("step.window.fired.late-record", args)
	case sim.ReasonCount:
		return w.text("step.window.fired.count", args)
	case sim.ReasonTick:
		args["Timer"] = b.Timer
		return w.text("step.window.fired.tick", args)
	}
	return w.text("step.window.fired.watermark", args)
}
