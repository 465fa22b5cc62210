package operator

import (
	"strconv"
	"strings"

	"streaminglab/sim"
)

// Written is the step of a result that a sink takes.
func Written(r *Record) sim.ResultWritten {
	body := sim.ResultWritten{
		TS: r.TS, Window: sim.Interval{Start: r.Window.Start, End: r.Window.End},
		Value: r.Value, Word: r.Word, Values: r.Values, Count: r.Count, Null: r.NullSum, Key: r.Name,
	}
	if r.Key != nil {
		body.Key = r.Key.Name
	}
	return body
}

// Text is what a result holds, as a connector writes it: the number, the word, or
// the numbers.
func Text(r *Record) string {
	switch {
	case r.NullSum:
		return "NULL"
	case r.Word != "":
		return r.Word
	case r.Values != nil:
		parts := make([]string, len(r.Values))
		for i, v := range r.Values {
			parts[i] = strconv.FormatInt(v, 10)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return strconv.FormatInt(r.Value, 10)
}
