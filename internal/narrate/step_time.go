package narrate

import (
	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// time_ tells the steps of steps_time.go.
func (w words) time_(s *sim.Step) (string, bool) {
	at := place(s.At)
	switch b := s.Body.(type) {
	case sim.SplitWatermark:
		args := locale.Args{"At": at, "WM": b.Watermark, "Max": ""}
		if b.MaxTS != sim.MinTime {
			args["Max"] = w.time(b.MaxTS)
		}
		return w.rise(b.Watermark, b.Previous, args,
			"step.split.watermark.max", "step.split.watermark.first", "step.split.watermark"), true
	case sim.SplitStatus:
		switch {
		case b.Status == sim.StatusActive:
			return w.text("step.split.status.active", locale.Args{"At": at}), true
		case b.Quiet > 0:
			return w.text("step.split.status.idle", locale.Args{"At": at, "Quiet": b.Quiet}), true
		}
		return w.text("step.split.status.idle-now", locale.Args{"At": at}), true
	case sim.WatermarkEmitted:
		args := locale.Args{"At": at, "WM": b.Watermark, "Parts": w.parts(b.Parts)}
		return w.rise(b.Watermark, b.Previous, args,
			"step.watermark.emitted.max", "step.watermark.emitted.first", "step.watermark.emitted"), true
	case sim.WatermarkHeld:
		return w.held(at, b), true
	case sim.WatermarkAdvanced:
		args := locale.Args{"At": at, "WM": b.Watermark}
		return w.rise(b.Watermark, b.Previous, args,
			"step.watermark.advanced.max", "step.watermark.advanced.first", "step.watermark.advanced"), true
	case sim.StatusChanged:
		return w.status(s, at, b), true
	case sim.AlignmentAnnounced:
		args := locale.Args{"Group": b.Group, "Source": b.Source}
		if b.MaxAllowed == sim.MaxTime {
			return w.text("step.alignment.announced.free", args), true
		}
		args["Allowed"], args["Drift"] = b.MaxAllowed, b.Drift
		if b.Lowest == sim.MinTime {
			return w.text("step.alignment.announced.min", args), true
		}
		args["Lowest"] = b.Lowest
		return w.text("step.alignment.announced", args), true
	case sim.SplitPaused:
		args := locale.Args{"At": at, "WM": b.Watermark, "None": b.Watermark == sim.MinTime}
		if b.Reason == sim.PauseAlignment {
			args["Allowed"] = b.MaxAllowed
			return w.text("step.split.paused.alignment", args), true
		}
		return w.text("step.split.paused.command", args), true
	case sim.SplitResumed:
		if b.Reason == sim.PauseAlignment {
			return w.text("step.split.resumed.alignment", locale.Args{"At": at}), true
		}
		return w.text("step.split.resumed.command", locale.Args{"At": at}), true
	case sim.WatermarkLost:
		return w.text("step.watermark.lost", locale.Args{"At": at, "WM": b.Watermark}), true
	}
	return "", false
}

// rise chooses between the end of event time, a first watermark and a rise.
func (w words) rise(wm, previous int64, args locale.Args, last, first, more string) string {
	switch {
	case wm == sim.MaxTime:
		return w.text(last, locale.Args{"At": args["At"]})
	case previous == sim.MinTime:
		return w.text(first, args)
	}
	args["Previous"] = previous
	return w.text(more, args)
}

// parts lists what a watermark was combined from; one part needs no words.
func (w words) parts(in []sim.Part) string {
	if len(in) < 2 {
		return ""
	}
	out := make([]string, len(in))
	for i, p := range in {
		args := locale.Args{"Name": p.Name, "WM": w.watermark(p.Watermark)}
		if p.Status == sim.StatusIdle {
			out[i] = w.text("narrate.part.idle", args)
		} else {
			out[i] = w.text("narrate.part", args)
		}
	}
	return w.list(out)
}

func (w words) held(at string, b sim.WatermarkHeld) string {
	args := locale.Args{"At": at, "WM": b.Watermark}
	switch {
	case len(b.By) == 0 && b.Watermark == sim.MinTime:
		return w.text("step.watermark.held.nobody-yet", locale.Args{"At": at})
	case len(b.By) == 0:
		return w.text("step.watermark.held.nobody", args)
	}
	args["By"], args["Ahead"] = w.list(places(b.By)), b.Ahead
	if b.Watermark == sim.MinTime {
		return w.loc.Plural("step.watermark.held.none", int64(len(b.By)), args)
	}
	if b.Ahead <= b.Watermark {
		return w.loc.Plural("step.watermark.held.behind", int64(len(b.By)), args)
	}
	return w.loc.Plural("step.watermark.held", int64(len(b.By)), args)
}

func places(in []string) []string {
	out := make([]string, len(in))
	for i, p := range in {
		out[i] = place(p)
	}
	return out
}

// status tells the output of a source or a watermark operator (EV-3.1) from
// the inputs of an operator.
func (w words) status(s *sim.Step, at string, b sim.StatusChanged) string {
	args := locale.Args{"At": at}
	idle, output := b.Status == sim.StatusIdle, s.Rule == "EV-3.1"
	switch {
	case output && idle:
		return w.text("step.status.changed.output.idle", args)
	case output:
		return w.text("step.status.changed.output.active", args)
	case idle:
		return w.text("step.status.changed.inputs.idle", args)
	}
	return w.text("step.status.changed.inputs.active", args)
}
