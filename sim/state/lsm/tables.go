package lsm

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// A Table is a table file of a tree.
type Table struct {
	Level int
	// Name is ours, File is Pebble's.
	Name, File string
	Size       int64
	// Groups are the key groups from its first to its last key.
	Groups Groups
	// Smallest and Largest are the sequence numbers of its oldest and newest
	// entry.
	Smallest, Largest uint64
}

// Tables lists the tables that are live, by level, then in the order in which
// they were made.
func (x *Instance) Tables() ([]Table, error) {
	if err := x.usable(); err != nil {
		return nil, err
	}
	levels, err := x.db.SSTables()
	if err != nil {
		return nil, err
	}
	var all []Table
	var numbers []uint64
	for level, tables := range levels {
		for _, t := range tables {
			all = append(all, Table{
				Level: level, File: tableFile(uint64(t.BackingSSTNum)), Size: int64(t.Size),
				Groups:   Groups{First: groupOf(t.Smallest.UserKey), Last: lastGroup(t.Largest)},
				Smallest: uint64(t.SmallestSeqNum), Largest: uint64(t.LargestSeqNum),
			})
			numbers = append(numbers, uint64(t.BackingSSTNum))
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		x.name(tableFile(n))
	}
	for i := range all {
		all[i].Name = x.name(all[i].File)
	}
	slices.SortStableFunc(all, func(a, b Table) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.File, b.File))
	})
	return all, nil
}

// tableFile is Pebble's name of a table.
func tableFile(number uint64) string {
	text := []byte("000000.sst")
	for i := 5; number > 0 && i >= 0; i-- {
		text[i] = byte('0' + number%10)
		number /= 10
	}
	return string(text)
}

// name is our name of a file, given when the file is first seen.
func (x *Instance) name(file string) string {
	name, ok := x.names[file]
	if !ok {
		name = x.config.Names.Next()
		x.names[file] = name
	}
	return name
}

func groupOf(key []byte) int {
	if len(key) < 2 {
		return 0
	}
	return int(binary.BigEndian.Uint16(key))
}

// lastGroup is the group of the last key of a table. A tombstone of a range
// ends before its bound.
func lastGroup(k pebble.InternalKey) int {
	group := groupOf(k.UserKey)
	if k.IsExclusiveSentinel() && len(k.UserKey) == 2 && group > 0 {
		return group - 1
	}
	return group
}

// size is the number of bytes of all live tables.
func (x *Instance) size() (n int64) {
	levels, err := x.db.SSTables()
	if err != nil {
		return 0
	}
	for _, tables := range levels {
		for _, t := range tables {
			n += int64(t.Size)
		}
	}
	return n
}

// Metrics are figures of a tree, for comparison.
type Metrics struct {
	Levels []LevelMetrics
	// ReadAmplification is the number of places that a read may look into.
	ReadAmplification int
	// WriteAmplification is the bytes written to files for 100 bytes that were
	// flushed.
	WriteAmplification int64
	// PendingCompactionBytes is what compactions would have to read and write
	// until all levels are in shape.
	PendingCompactionBytes int64
	Memtable               int64
	Totals                 Totals
}

// LevelMetrics are those of one level.
type LevelMetrics struct {
	Tables int
	Size   int64
}

// Metrics returns the figures.
func (x *Instance) Metrics() (Metrics, error) {
	if err := x.usable(); err != nil {
		return Metrics{}, err
	}
	m := x.db.Metrics()
	out := Metrics{
		ReadAmplification:      m.ReadAmp(),
		PendingCompactionBytes: int64(m.Compact.EstimatedDebt),
		Memtable:               x.written, Totals: x.totals,
	}
	if flushed := x.totals.BytesFlushed; flushed > 0 {
		out.WriteAmplification = 100 * (flushed + x.totals.BytesCompacted) / flushed
	}
	for i := range m.Levels {
		out.Levels = append(out.Levels, LevelMetrics{Tables: int(m.Levels[i].TablesCount), Size: int64(m.Levels[i].TablesSize)})
	}
	return out, nil
}
