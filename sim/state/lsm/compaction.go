package lsm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A Due is a compaction that waits. The caller books it where it begins in
// virtual time and runs it where it ends; what is merged is decided then.
type Due struct {
	// Score says how far a level is out of shape, in hundredths, as RocksDB
	// counts it: tables of level 0 for its trigger, bytes of others for their
	// target.
	Score int64
	// Level0 is the number of tables that were flushed and not merged yet.
	Level0 int
	// Bytes is what level 0 and the level below it hold: at most so much is read.
	Bytes int64
}

// An Edit is what a flush, a compaction or an import changed.
type Edit struct {
	// Reason is "default", "move", "elision-only", … or "rewrite" for Compact.
	Reason string
	// Level is where the outputs lie.
	Level             int
	Inputs, Outputs   []Table
	BytesIn, BytesOut int64
}

// CompactionDue reports whether a compaction waits.
func (x *Instance) CompactionDue() (Due, bool, error) {
	if err := x.usable(); err != nil {
		return Due{}, false, err
	}
	score, ok := x.step.waiting()
	if !ok {
		return Due{}, false, nil
	}
	tables, err := x.Tables()
	if err != nil {
		return Due{}, false, err
	}
	d := Due{Score: score}
	below := 0
	for _, t := range tables {
		switch {
		case t.Level == 0:
			d.Level0++
			d.Bytes += t.Size
		case below == 0 || below == t.Level:
			below = t.Level
			d.Bytes += t.Size
		}
	}
	if d.Level0 >= level0Trigger {
		d.Score = int64(d.Level0) * 100 / level0Trigger
	}
	return d, true, nil
}

// RunCompaction runs one compaction that waits and reports what it changed;
// ok is false when none waits.
func (x *Instance) RunCompaction() (edit Edit, ok bool, err error) {
	due, ok, err := x.CompactionDue()
	if err != nil || !ok {
		return Edit{}, false, err
	}
	if err := x.room(due.Bytes); err != nil {
		return Edit{}, false, err
	}
	before, err := x.Tables()
	if err != nil {
		return Edit{}, false, err
	}
	x.told.compaction = nil
	ran := x.step.run(x.guard.dead)
	if err := x.guard.failed(); err != nil {
		return Edit{}, false, err
	}
	if !ran {
		return Edit{}, false, nil
	}
	if err := x.settle(); err != nil {
		return Edit{}, false, err
	}
	edit, err = x.changed(before)
	if err != nil {
		return Edit{}, false, err
	}
	if info := x.told.compaction; info != nil {
		edit.Reason, edit.Level = info.Reason, info.Output.Level
	}
	x.totals.Compactions++
	if edit.Reason == "move" {
		x.totals.BytesMoved += edit.BytesIn
	} else {
		x.totals.BytesCompacted += edit.BytesOut
	}
	return edit, true, nil
}

// changed compares the tables with those before. A table that moved to
// another level is input and output.
func (x *Instance) changed(before []Table) (Edit, error) {
	after, err := x.Tables()
	if err != nil {
		return Edit{}, err
	}
	var e Edit
	same := func(t Table) func(Table) bool {
		return func(o Table) bool { return o.Name == t.Name && o.Level == t.Level }
	}
	for _, t := range before {
		if !slices.ContainsFunc(after, same(t)) {
			e.Inputs = append(e.Inputs, t)
			e.BytesIn += t.Size
		}
	}
	for _, t := range after {
		if !slices.ContainsFunc(before, same(t)) {
			e.Outputs = append(e.Outputs, t)
			e.BytesOut += t.Size
			e.Level = t.Level
		}
	}
	return e, nil
}

// Compact flushes and writes what is left into one new table, or into none if
// nothing is left: RocksDB's forced full compaction, which rewrites a single
// table too. The table of the flush is gone before anybody saw it; it is not
// among the inputs and takes no name.
func (x *Instance) Compact() (Edit, error) {
	before, err := x.Tables()
	if err != nil {
		return Edit{}, err
	}
	if err := x.Flush(); err != nil || x.size() == 0 {
		return Edit{}, err
	}
	if x.config.Flushed != nil {
		// Somebody heard of the flush: its table has a name and is an input. Else
		// it has come and gone unseen.
		if before, err = x.Tables(); err != nil {
			return Edit{}, err
		}
	}
	if err := x.room(x.size()); err != nil {
		return Edit{}, err
	}
	path, keys, err := x.export(x, nil, nil)
	if err != nil {
		return Edit{}, err
	}
	err = x.guard.call(func() error {
		whole := pebble.KeyRange{Start: []byte{}, End: lastBound}
		if keys == 0 {
			return x.db.Excise(context.Background(), whole)
		}
		_, err := x.db.IngestAndExcise(context.Background(), []string{path}, nil, nil, whole)
		return err
	})
	if err := x.ingested(path, err); err != nil {
		return Edit{}, err
	}
	edit, err := x.changed(before)
	edit.Reason = "rewrite"
	x.totals.Compactions++
	x.totals.BytesCompacted += edit.BytesOut
	return edit, err
}

// Import takes the key groups keep out of other trees, whose groups must not
// be in this one, and adds each as a table.
func (x *Instance) Import(from []*Instance, keep []Groups) error {
	// Tombstones of a clipping first: what is imported lies above them.
	if err := x.Flush(); err != nil {
		return err
	}
	for i, src := range from {
		path, keys, err := x.export(src, groupBound(keep[i].First), groupBound(keep[i].Last+1))
		if err != nil {
			return err
		}
		if keys == 0 {
			if err := x.ingested(path, nil); err != nil {
				return err
			}
			continue
		}
		before := x.size()
		err = x.guard.call(func() error { return x.db.Ingest(context.Background(), []string{path}) })
		if err := x.ingested(path, err); err != nil {
			return err
		}
		x.totals.BytesIngested += x.size() - before
	}
	return nil
}

// ingested cleans up after a file was ingested, or was not.
func (x *Instance) ingested(path string, failed error) error {
	err := x.config.FS.Remove(path)
	if failed != nil {
		return failed
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return x.settle()
}

// export writes live keys of a tree into a table beside the tables of x.
func (x *Instance) export(from *Instance, lo, hi []byte) (path string, keys int, err error) {
	x.temporary++
	path = x.config.FS.PathJoin(x.config.Dir, fmt.Sprintf("export-%d.sst", x.temporary))
	err = x.guard.call(func() error {
		f, err := x.config.FS.Create(path, vfs.WriteCategoryUnspecified)
		if err != nil {
			return err
		}
		w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), x.opts.MakeWriterOptions(6, formatVersion.MaxTableFormat()))
		err = from.Scan(lo, hi, func(key, value []byte) error {
			keys++
			return w.Set(key, value)
		})
		if closing := w.Close(); err == nil {
			err = closing
		}
		return err
	})
	if err != nil {
		x.config.FS.Remove(path)
	}
	return path, keys, err
}
