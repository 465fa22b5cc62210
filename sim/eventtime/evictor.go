package eventtime

// Element is one record in the contents of a window that lists them.
type Element struct {
	// TS is the record's timestamp in ms.
	TS int64
	// V is its number.
	V int64
	// Word is what it carries instead of a number.
	Word string
}

// An Evictor takes elements out of a window's contents when the window fires;
// the survivors replace the contents (EV-6.9). It mirrors EvictingWindowOperator
// with CountEvictor, TimeEvictor and DeltaEvictor.
type Evictor struct {
	// Kind is "count", "time" or "delta".
	Kind string
	// Limit is the number to keep, the span to keep in ms, or the threshold.
	Limit int64
	// After evicts after the function instead of before it.
	After bool
}

// evict returns the survivors, in the order of the elements.
func (e *Evictor) evict(in []Element) []Element {
	if len(in) == 0 {
		return in
	}
	switch e.Kind {
	case "count":
		if n := int64(len(in)); n > e.Limit {
			return in[n-max(e.Limit, 0):]
		}
		return in
	case "time":
		latest := in[0].TS
		for _, x := range in {
			latest = max(latest, x.TS)
		}
		cutoff := latest - e.Limit
		return filter(in, func(x Element) bool { return x.TS > cutoff })
	default:
		last := in[len(in)-1]
		return filter(in, func(x Element) bool {
			d := x.V - last.V
			if d < 0 {
				d = -d
			}
			return d < e.Limit
		})
	}
}

func filter(in []Element, keep func(Element) bool) []Element {
	out := make([]Element, 0, len(in))
	for _, x := range in {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}
