package flink

// Logs are the splits of all sources. They outlive jobs and attempts.
type Logs struct {
	logs  []*Log
	seq   int64
	ended map[string]bool
}

// NewLogs returns no logs.
func NewLogs() *Logs { return &Logs{ended: map[string]bool{}} }

// Find returns the log of a split that was not removed, or nil.
func (l *Logs) Find(source, split string) *Log {
	for _, x := range l.logs {
		if x.Source == source && x.Split == split && !x.Removed {
			return x
		}
	}
	return nil
}

// Add makes a log. A split that comes again starts afresh.
func (l *Logs) Add(source, split string) *Log {
	x := &Log{Source: source, Split: split}
	l.logs = append(l.logs, x)
	return x
}

// Of returns the logs of a source that were not removed, in the order in
// which they were added; the log of the main output is not among them.
func (l *Logs) Of(source string) []*Log {
	var out []*Log
	for _, x := range l.logs {
		if x.Source == source && x.Split != "" && !x.Removed {
			out = append(out, x)
		}
	}
	return out
}

// All returns every log.
func (l *Logs) All() []*Log { return l.logs }

// Next numbers what is appended anywhere, from 1.
func (l *Logs) Next() int64 {
	l.seq++
	return l.seq
}

// Append adds an entry to a log, behind everything that any log holds.
func (l *Logs) Append(x *Log, e Entry) *Entry {
	if x.Origin != nil {
		x.Origin.Append(e)
		return nil
	}
	e.Seq = l.Next()
	return x.Append(e)
}

// Entries is the number of entries of all logs.
func (l *Logs) Entries() int { return int(l.seq) }

// End says that a source gets no more entries.
func (l *Logs) End(source string) {
	l.ended[source] = true
	for _, x := range l.logs {
		if x.Source == source {
			if x.Ended = true; x.Origin != nil {
				x.Origin.Close()
			}
		}
	}
}

// Ended reports whether End was called.
func (l *Logs) Ended(source string) bool { return l.ended[source] }
