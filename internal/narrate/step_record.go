package narrate

import (
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// record_ tells the steps of steps_record.go.
func (w words) record_(s *sim.Step) (string, bool) {
	at := place(s.At)
	switch b := s.Body.(type) {
	case sim.RecordRead:
		args := locale.Args{
			"Split": at, "Offset": b.Record.Offset, "Record": w.record(b.Key, b.Value, b.Word, b.TS), "Kind": b.Kind,
		}
		if b.Again {
			return w.text("step.record.read.again", args), true
		}
		return w.text("step.record.read", args), true
	case sim.RecordPlaced:
		return w.placed(at, sim.Placement(b)), true
	case sim.RecordDropped:
		return w.dropped(s, at, sim.Placement(b)), true
	case sim.RecordLate:
		p := sim.Placement(b)
		args := w.placement(at, p)
		args["Tag"] = p.Tag
		if len(p.Windows) == 0 {
			return w.text("step.record.late.no-window", args), true
		}
		return w.text("step.record.late", args), true
	case sim.RecordVanished:
		p := sim.Placement(b)
		args := w.placement(at, p)
		if strings.HasPrefix(s.Rule, "EV-6.11") {
			return w.text("step.record.vanished.join", args), true
		}
		return w.text("step.record.vanished", args), true
	case sim.BroadcastStored:
		return w.text("step.broadcast.stored", locale.Args{"At": at, "Record": w.recordID(b.Record), "Value": b.Value, "Previous": b.Previous}), true
	case sim.BroadcastApplied:
		return w.text("step.broadcast.applied", locale.Args{
			"At": at, "Record": w.recordID(b.Record), "Value": b.Value, "Factor": b.Factor, "Result": b.Result,
		}), true
	case sim.TransactionOpened:
		return w.text("step.transaction.opened", locale.Args{"At": at, "ID": b.ID}), true
	case sim.TransactionPrecommitted:
		return w.text("step.transaction.precommitted", locale.Args{
			"At": at, "ID": b.ID, "Checkpoint": b.Checkpoint, "Results": w.count("narrate.results", int64(b.Results)),
		}), true
	case sim.TransactionCommitted:
		args := locale.Args{"At": at, "ID": b.ID, "Results": w.count("narrate.results", int64(b.Results))}
		if b.Again {
			return w.text("step.transaction.committed.again", args), true
		}
		return w.text("step.transaction.committed", args), true
	case sim.TransactionCommitFailed:
		return w.text("step.transaction.commit-failed", locale.Args{
			"At": at, "ID": b.ID, "Results": w.count("narrate.results", int64(b.Results)),
		}), true
	case sim.TransactionAborted:
		return w.text("step.transaction.aborted", locale.Args{
			"At": at, "ID": b.ID, "Results": w.count("narrate.results", int64(b.Results)),
		}), true
	case sim.RecordWaiting:
		args := locale.Args{"Record": w.recordID(b.Record), "From": b.From, "At": at}
		switch b.Why {
		case sim.WaitBlocked:
			return w.text("step.record.waiting.blocked", args), true
		case sim.WaitFrozen:
			return w.text("step.record.waiting.frozen", args), true
		case sim.WaitBackpressure:
			return w.text("step.record.waiting.backpressure", args), true
		}
		return w.text("step.record.waiting.busy", args), true
	case sim.RecordProcessed:
		if b.Holds != "" {
			return w.text("step.record.processed.holds", locale.Args{
				"At": at, "Record": w.record(b.Key, b.Value, b.Word, b.TS), "Key": b.Key, "Holds": b.Holds,
			}), true
		}
		return w.text("step.record.processed", locale.Args{
			"At": at, "Record": w.record(b.Key, b.Value, b.Word, b.TS), "Key": b.Key,
			"Count":      w.count("narrate.records", b.Count),
			"Registered": w.timersAt("narrate.registered", b.Registered),
			"Deleted":    w.timersAt("narrate.deleted", b.Deleted),
		}), true
	case sim.RecordStamped:
		args := locale.Args{"At": at, "Record": w.recordID(b.Record), "TS": b.TS}
		if b.Before == sim.MinTime {
			return w.text("step.record.stamped.first", args), true
		}
		args["Before"] = b.Before
		return w.text("step.record.stamped", args), true
	case sim.ResultWritten:
		args := locale.Args{"At": at, "Result": b.Key + "=" + result(b.Value, b.Word, b.Values, b.Null), "TS": b.TS}
		switch {
		case b.Window == (sim.Interval{}) && b.TS == sim.MinTime:
			return w.text("step.result.written.bare", args), true
		case b.Window == (sim.Interval{}) && b.Count > 1:
			args["Count"] = b.Count
			return w.text("step.result.written.count", args), true
		case b.Window == (sim.Interval{}):
			return w.text("step.result.written.record", args), true
		}
		args["Window"] = w.interval(b.Window.Start, b.Window.End)
		return w.text("step.result.written", args), true
	}
	return "", false
}

// placement are the parts that the four fates of a record share.
func (w words) placement(at string, p sim.Placement) locale.Args {
	return locale.Args{
		"At": at, "Record": w.record(p.Key, p.Value, p.Word, p.TS),
		"Windows": w.windows(p.Windows), "WM": p.WatermarkBefore,
	}
}

// behind reports whether a record came behind the watermark.
func behind(p sim.Placement) bool { return p.TS <= p.WatermarkBefore }

func (w words) placed(at string, p sim.Placement) string {
	var in, late []sim.WindowFate
	id := "step.record.placed"
	for _, f := range p.Windows {
		if f.Fate == sim.FateLate {
			late = append(late, f)
			continue
		}
		if f.Fate == sim.FateBuffered {
			id = "step.record.placed.buffered"
		}
		in = append(in, f)
	}
	args := w.placement(at, p)
	args["Behind"], args["Late"] = behind(p), ""
	if len(p.Windows) == 0 {
		return w.text("step.record.placed.join", args)
	}
	args["Windows"] = w.windows(in)
	if len(late) > 0 {
		args["Late"] = w.windows(late)
	}
	if id == "step.record.placed" {
		return w.text("step.record.placed", args)
	}
	return w.text("step.record.placed.buffered", args)
}

func (w words) dropped(s *sim.Step, at string, p sim.Placement) string {
	args := w.placement(at, p)
	args["Dropped"] = p.Dropped
	switch {
	case len(p.Windows) == 0:
		return w.text("step.record.dropped.no-window", args)
	case strings.HasPrefix(s.Rule, "EV-7."):
		return w.loc.Plural("step.record.dropped.sql", int64(len(p.Windows)), args)
	}
	return w.text("step.record.dropped", args)
}

// timersAt is a clause about timers, or nothing.
func (w words) timersAt(id string, ts []int64) string {
	if len(ts) == 0 {
		return ""
	}
	return w.loc.Plural(id, int64(len(ts)), locale.Args{"Times": w.times(ts)})
}
