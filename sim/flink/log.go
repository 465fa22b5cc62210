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
	Added   bool
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

// Len is the number of entries.
func (l *Log) Len() int64 { return int64(len(l.entries)) }

// Read is the number of entries that some attempt has read.
func (l *Log) Read() int64 { return l.read }

// Paused reports whether a command stopped the reading of the split.
func (l *Log) Paused() bool { return l.pausedBy != nil }

// Slow is the time in ms that each record of the split takes, 0 for none.
func (l *Log) Slow() int64 { return l.slow }

// Entry returns the entry at an offset.
func (l *Log) Entry(offset int64) *Entry { return &l.entries[offset] }

// Append adds an entry.
func (l *Log) Append(e Entry) *Entry {
	e.Record.Source, e.Record.Split, e.Record.Offset = l.Source, l.Split, int64(len(l.entries))
	l.entries = append(l.entries, e)
	return &l.entries[len(l.entries)-1]
}
