package narrate

import (
	"sort"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// onSplit is how many records of a split the picture shows; inPicture how many
// windows and late records.
const (
	onSplit   = 8
	inPicture = 12
)

// Picture is the text twin of the bench: what is on each split, who holds time,
// the windows and the late records. No line is wider than 80 columns.
func Picture(loc *locale.Localizer, r Run) []string {
	v := viewer{words{loc}, r, benchOf(r.Trace)}
	var out []string
	say := func(depth int, text string) {
		in := strings.Repeat("  ", depth)
		out = append(out, hang(in, in+"  ", text, pictureWidth)...)
	}
	say(0, v.text("view.picture.head", locale.Args{"Time": locale.Clock(v.bench.now), "Status": v.bench.status}))
	if len(v.bench.vertices) == 0 {
		return out
	}
	if down := v.bench.regions.Waits(); len(down) > 0 {
		say(1, v.text("view.picture.waiting", locale.Args{"Subtasks": v.listUpTo(down, 8), "Rest": len(down) < len(v.bench.subtasks)}))
	}
	v.pictureSplits(say)
	v.pictureTime(say)
	v.pictureWindows(say)
	v.pictureLate(say)
	return out
}

func (v viewer) pictureSplits(say func(int, string)) {
	say(0, v.text("view.picture.splits", nil))
	for _, s := range v.bench.splits {
		if s.removed {
			continue
		}
		say(1, v.text("view.picture.split", locale.Args{
			"Split": s.name, "WM": v.watermark(s.watermark), "What": v.splitState(s),
		}))
		if len(s.read) == 0 {
			say(2, v.text("view.picture.nothing-read", nil))
		} else {
			say(2, v.onEventTime(s.read))
		}
		if n, ok := v.unread(s); ok && n > 0 {
			say(2, v.loc.Plural("view.picture.unread", n, nil))
		}
	}
	for _, p := range v.bench.readers {
		if p.spare {
			say(1, v.text("view.picture.spare", locale.Args{"Reader": p.at}))
		}
	}
}

// onEventTime lists records by event time, as they stand on the axis; the
// earliest are left out first.
func (v viewer) onEventTime(in []readRecord) string {
	sorted := append([]readRecord(nil), in...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].ts < sorted[j].ts })
	var parts []string
	if n := len(sorted) - onSplit; n > 0 {
		parts = append(parts, v.loc.Plural("view.picture.earlier", int64(n), nil))
		sorted = sorted[n:]
	}
	for _, r := range sorted {
		args := locale.Args{"TS": r.ts, "What": r.key + "=" + payload(r.value, r.word)}
		switch {
		case r.ts == sim.MinTime:
			parts = append(parts, v.text("narrate.record-without-time", args))
		case r.fate == "" || r.fate == fateIn:
			parts = append(parts, v.text("view.picture.record", args))
		default:
			args["Fate"] = v.fate(r.fate)
			parts = append(parts, v.text("view.picture.record-fate", args))
		}
	}
	return strings.Join(parts, ", ")
}

func (v viewer) pictureTime(say func(int, string)) {
	say(0, v.text("view.picture.watermarks", nil))
	for _, list := range [][]*benchPlace{v.bench.readers, v.bench.tasks} {
		for _, p := range list {
			args := locale.Args{"At": p.at, "WM": v.watermark(p.watermark), "What": v.status(p.at, p.idle)}
			if by := v.heldBy(p); by != "" {
				args["By"] = by
				say(1, v.text("view.picture.held", args))
				continue
			}
			say(1, v.text("view.picture.time", args))
		}
	}
	for _, name := range v.bench.blocked {
		say(1, v.text("view.picture.blocked", locale.Args{"At": name}))
	}
}

func (v viewer) pictureWindows(say func(int, string)) {
	all := v.bench.sorted()
	for _, name := range v.bench.operators() {
		say(0, v.text("view.picture.windows", locale.Args{"Operator": name}))
		var lines []string
		for i := 0; i < len(all); {
			w := all[i]
			n := 1
			for i+n < len(all) && all[i+n].operator == w.operator && all[i+n].start == w.start && all[i+n].end == w.end {
				n++
			}
			if w.operator == name {
				lines = append(lines, v.text("view.picture.window", locale.Args{
					"Window": v.interval(w.start, w.end), "What": v.shared(all[i : i+n]), "Contents": v.contents(all[i : i+n]),
				}))
			}
			i += n
		}
		if more := len(lines) - inPicture; more > 0 {
			say(1, v.loc.Plural("view.picture.earlier-windows", int64(more), nil))
			lines = lines[more:]
		}
		for _, l := range lines {
			say(1, l)
		}
	}
}

// shared is the state of a window when all its keys have the same.
func (v viewer) shared(in []*benchWindow) string {
	state := v.windowState(in[0])
	for _, w := range in[1:] {
		if v.windowState(w) != state {
			return ""
		}
	}
	return state
}

// contents are the keys of one window.
func (v viewer) contents(in []*benchWindow) string {
	all := v.shared(in) != ""
	parts := make([]string, len(in))
	for i, w := range in {
		args := locale.Args{"Key": w.key, "Records": v.count("narrate.records", w.records), "Result": w.result, "What": ""}
		if !all {
			args["What"] = v.windowState(w)
		}
		if w.fired > 0 {
			parts[i] = v.text("view.picture.fired", args)
		} else {
			parts[i] = v.text("view.picture.open", args)
		}
	}
	return v.listPlain(parts)
}

func (v viewer) listPlain(parts []string) string {
	if n := len(parts) - inPicture; n > 0 {
		parts = append(parts[:inPicture:inPicture], v.loc.Plural("view.picture.more-keys", int64(n), nil))
	}
	return strings.Join(parts, "; ")
}

func (v viewer) pictureLate(say func(int, string)) {
	if len(v.bench.late) == 0 {
		return
	}
	say(0, v.text("view.picture.late", nil))
	late := v.bench.late
	if n := len(late) - inPicture; n > 0 {
		say(1, v.loc.Plural("view.picture.earlier", int64(n), nil))
		late = late[n:]
	}
	for _, l := range late {
		say(1, v.text("view.picture.late-record", locale.Args{
			"Record": v.record(l.p.Key, l.p.Value, l.p.Word, l.p.TS), "Fate": v.fate(l.fate),
			"At": place(l.step.At), "WM": v.watermark(l.p.WatermarkBefore), "Step": l.step.Seq,
		}))
	}
}
