package objectstore

// Latency is a model of how long a request takes: fixed + bytes / bandwidth.
// The zero value takes no time. Integers only, rounded up.
type Latency struct {
	// Fixed is in ms for each request.
	Fixed int64
	// Bandwidth is in bytes a second; 0: without limit.
	Bandwidth int64
	// Extra is added in ms for an operation: a put may take longer than a list.
	Extra map[Op]int64
}

// Of returns how long a request with so many bytes takes, in ms, when nothing
// makes it slow.
func (l Latency) Of(op Op, bytes int64) int64 {
	took := l.Fixed + l.Extra[op]
	if l.Bandwidth > 0 && bytes > 0 {
		seconds, rest := bytes/l.Bandwidth, bytes%l.Bandwidth
		took += seconds * 1000
		// Bandwidths stay far below 2^63 / 1000.
		took += (rest*1000 + l.Bandwidth - 1) / l.Bandwidth
	}
	return took
}

// Took returns how long a request on a key with so many bytes takes now, in
// ms: the model, and whatever makes it slow.
func (s *Store) Took(op Op, key string, bytes int64) int64 {
	l := s.Latency
	for _, x := range s.Faults.Slow {
		if !matches(x.Op, x.Prefix, op, key) {
			continue
		}
		l.Fixed += x.Extra
		if x.Bandwidth > 0 && (l.Bandwidth == 0 || x.Bandwidth < l.Bandwidth) {
			l.Bandwidth = x.Bandwidth
		}
	}
	return l.Of(op, bytes)
}
