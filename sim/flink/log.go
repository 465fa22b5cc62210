package flink

import (
	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
)

// A Log is a split: entries with offsets that sources read, and read again
// after a restore. It belongs to the world, not to a job: a restart does not
// shorten it.
type Log struct {
	Source, Split string
	// Ended says that nothing will be appended any more.
	Ended   bool
	Removed bool
	// Added says that it came to the source while the job ran, as a partition
	// that somebody adds to a topic.
	Added bool
	// Origin is where the entries lie; nil: in the log itself.
	Origin  Origin
	entries []Entry
	// read is the highest offset that any attempt has read.
	read int64
	// state of reading that belongs to the split, not to the attempt.
	pausedBy *sim.Step
	slow     int64
	slowBy   *sim.Step
}

// Name is the split as a script writes it.
func (l *Log) Name() string { return l.Source + "/" + l.Split }

// At is the split as a step writes it.
func (l *Log) At() string { return "split:" + l.Name() }

// An Entry is a record or an emission of the split's own generator.
type Entry struct {
	// Seq orders the entries of all logs by when they were appended.
	Seq int64
	// Record is what is read; for an emission it has no key.
	Record operator.Record
	// Script makes a scripted generator emit; then there is no record.
	Script eventtime.Emission
	// Step is the command that appended it.
	Step *sim.Step
}

// IsRecord reports whether the entry is a record.
func (e *Entry) IsRecord() bool { return e.Script.Kind == eventtime.EmitsNothing }

// An Origin is a log that belongs to another system: a partition of a topic. Not
// every offset of it holds an entry, and an entry may be there that cannot be read
// yet.
type Origin interface {
	// Next is the first entry at or behind an offset that can be read now, and its
	// number among the entries of all logs.
	Next(from int64) (at, seq int64, ok bool)
	// Entry is the entry at an offset that Next has named.
	Entry(at int64) *Entry
	// End is the offset behind the last entry.
	End() int64
	// Exhausted reports whether nothing is left behind an offset of a log that has
	// ended.
	Exhausted(from int64) bool
	// Append adds an entry.
	Append(e Entry)
	// Close says that nothing will be read behind what is there now.
	Close()
}

// Len is the number of entries; of another system's log the offset behind them.
func (l *Log) Len() int64 {
	if l.Origin != nil {
		return l.Origin.End()
	}
	return int64(len(l.entries))
}

// next is the first entry at or behind an offset that can be read now.
func (l *Log) next(from int64) (at, seq int64, ok bool) {
	if l.Origin != nil {
		return l.Origin.Next(from)
	}
	if from >= int64(len(l.entries)) {
		return 0, 0, false
	}
	return from, l.entries[from].Seq, true
}

// Next is the first entry at or behind an offset that can be read now.
func (l *Log) Next(from int64) (at int64, ok bool) {
	at, _, ok = l.next(from)
	return at, ok
}

// exhausted reports whether everything has been read, and nothing will come.
func (l *Log) exhausted(from int64) bool {
	if !l.Ended {
		return false
	}
	if l.Origin != nil {
		return l.Origin.Exhausted(from)
	}
	return from >= int64(len(l.entries))
}

// Read is the number of entries that some attempt has read.
func (l *Log) Read() int64 { return l.read }

// Paused reports whether a command stopped the reading of the split.
func (l *Log) Paused() bool { return l.pausedBy != nil }

// Slow is the time in ms that each record of the split takes, 0 for none.
func (l *Log) Slow() int64 { return l.slow }

// Entry returns the entry at an offset.
func (l *Log) Entry(offset int64) *Entry {
	if l.Origin != nil {
		return l.Origin.Entry(offset)
	}
	return &l.entries[offset]
}

// Append adds an entry.
func (l *Log) Append(e Entry) *Entry {
	e.Record.Source, e.Record.Split, e.Record.Offset = l.Source, l.Split, int64(len(l.entries))
	l.entries = append(l.entries, e)
	return &l.entries[len(l.entries)-1]
}
