package narrate

import (
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// words makes the parts that sentences are put together from. A part is text
// that is ready: a template joins parts and chooses no form.
type words struct{ loc *locale.Localizer }

func (w words) text(id string, args locale.Args) string { return w.loc.Text(id, args) }

// time is an event time as the command language reads it.
func (w words) time(t int64) string { return w.text("narrate.time", locale.Args{"T": t}) }

func (w words) times(ts []int64) string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = w.time(t)
	}
	return w.list(out)
}

// watermark is a watermark; MIN is none yet.
func (w words) watermark(t int64) string {
	if t == sim.MinTime {
		return w.text("narrate.no-watermark", nil)
	}
	return w.time(t)
}

func (w words) interval(start, end int64) string {
	return w.text("narrate.interval", locale.Args{"Start": start, "End": end})
}

// shown is how many names a sentence lists before it says "and n more".
const shown = 3

// list joins names as a sentence does; a long list is cut.
func (w words) list(names []string) string { return w.listUpTo(names, shown) }

func (w words) listUpTo(names []string, n int) string {
	if len(names) > n+1 {
		return w.text("narrate.list-more", locale.Args{"Names": strings.Join(names[:n], ", "), "More": len(names) - n})
	}
	return w.text("narrate.list", locale.Args{"Names": names})
}

// place is where a step happened, as a script writes it.
func place(at string) string {
	if at == "jm" {
		return "JobManager"
	}
	return strings.TrimSuffix(strings.TrimPrefix(at, "split:"), "/")
}

// vertex is a place without its subtask number.
func vertex(at string) string {
	name, _, _ := strings.Cut(place(at), "[")
	return name
}

// payload is what a record carries.
func payload(value int64, word string) string {
	if word != "" {
		return word
	}
	return strconv.FormatInt(value, 10)
}

// record names a record by its key, what it carries and its timestamp.
func (w words) record(key string, value int64, word string, ts int64) string {
	args := locale.Args{"What": key + "=" + payload(value, word), "TS": ts}
	if ts == sim.MinTime {
		return w.text("narrate.record-without-time", args)
	}
	return w.text("narrate.record", args)
}

// recordID names a record by its place in a log.
func (w words) recordID(id sim.RecordID) string {
	return w.text("narrate.record-id", locale.Args{"Split": splitName(id), "Offset": id.Offset})
}

func splitName(id sim.RecordID) string { return strings.TrimSuffix(id.Source+"/"+id.Split, "/") }

// result is the value of a result, as a sink shows it.
func result(value int64, word string, values []int64, null bool) string {
	switch {
	case null:
		return "NULL"
	case len(values) > 0:
		out := make([]string, len(values))
		for i, v := range values {
			out[i] = strconv.FormatInt(v, 10)
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	return payload(value, word)
}

// windows names windows: "the window [0, 5)", "the windows [0, 5) and [1, 6)".
func (w words) windows(in []sim.WindowFate) string {
	names := make([]string, len(in))
	for i, f := range in {
		names[i] = w.interval(f.Start, f.End)
	}
	return w.loc.Plural("narrate.windows", int64(len(in)), locale.Args{"List": w.list(names)})
}

// count is a number with the thing that is counted.
func (w words) count(id string, n int64) string { return w.loc.Plural(id, n, nil) }
