package lsm

import (
	"bytes"
	"fmt"
	"runtime"

	"github.com/cockroachdb/pebble/v2"
)

// InstanceConfig says where a tree lies and what it shares with others.
type InstanceConfig struct {
	// FS and Dir are where its files are; nil and "" are a file system in
	// memory of its own.
	FS  FS
	Dir string
	// Names gives its files names; nil is a counter of its own.
	Names *Names
	// Known are names of files that are there already, by Pebble's name.
	Known map[string]string
	// Existing refuses to make a new tree where files are expected.
	Existing bool
	// Flush is how many bytes the memtable takes at most; 0 is DefaultFlush.
	Flush int64
	// Cache is shared with others, or nil.
	Cache *Cache
	// BloomFilter writes a filter into each table, so that a read of a key that
	// is not there need not look into it.
	BloomFilter bool
	// Room is asked before bytes are written: a fault, or a quota.
	Room func(bytes int64) error
	// Flushed hears of each flush that made a table; nil: nobody.
	Flushed func(Edit)
}

// An Instance is one tree: one column family. Its methods are called from one
// goroutine, and return after the work they began has ended.
type Instance struct {
	config InstanceConfig
	db     *pebble.DB
	opts   *pebble.Options
	guard  *guard
	step   *scheduler
	closed bool
	names  map[string]string

	// written counts the bytes in the memtable, dirty says that there is
	// anything in it.
	written int64
	dirty   bool
	buffer  buffer
	totals  Totals
	// told is what the last compaction tells. It stands apart, so that Pebble
	// does not hold the instance: one that is dropped can be cleaned up.
	told    *told
	cleanup runtime.Cleanup
	// temporary counts files that are written to be ingested.
	temporary int
}

type told struct{ compaction *pebble.CompactionInfo }

// Totals are bytes counted by us, from the opening of the instance.
type Totals struct {
	Flushes, Compactions                     int64
	BytesFlushed, BytesCompacted, BytesMoved int64
	BytesIngested                            int64
}

// OpenInstance opens a tree.
func OpenInstance(c InstanceConfig) (*Instance, error) {
	if c.FS == nil {
		c.FS = NewMemFS()
	}
	if c.Names == nil {
		c.Names = &Names{}
	}
	if c.Flush == 0 {
		c.Flush = DefaultFlush
	}
	c.Flush = min(max(c.Flush, MinFlush), MaxFlush)
	x := &Instance{config: c, guard: newGuard(), step: &scheduler{}, names: map[string]string{}}
	for file, name := range c.Known {
		x.names[file] = name
	}
	heard := &told{}
	x.told = heard
	events := &pebble.EventListener{
		BackgroundError: x.guard.background,
		DataCorruption:  x.guard.corrupt,
		CompactionEnd:   func(i pebble.CompactionInfo) { heard.compaction = &i },
	}
	x.opts = pebbleOptions(&x.config, x.guard, x.step, events)
	x.opts.ErrorIfNotExists = c.Existing
	err := x.guard.call(func() (err error) {
		x.db, err = pebble.Open(c.Dir, x.opts)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lsm: open: %w", err)
	}
	// A world that is dropped (undo, a search that moves on) closes nothing.
	x.cleanup = runtime.AddCleanup(x, func(d dropped) {
		if d.guard.failed() == nil {
			_ = d.guard.call(d.db.Close)
		}
	}, dropped{x.db, x.guard})
	return x, x.settle()
}

// dropped is what is left of an instance that nobody holds any more.
type dropped struct {
	db    *pebble.DB
	guard *guard
}

// usable says whether a call can do anything.
func (x *Instance) usable() error {
	if x.closed {
		return ErrClosed
	}
	return x.guard.failed()
}

// Get appends the value of a key to dst.
func (x *Instance) Get(dst, key []byte) (value []byte, found bool, err error) {
	if err := x.usable(); err != nil {
		return dst, false, err
	}
	if p, ok := x.buffer.get(key); ok {
		return append(dst, p.value...), !p.removed, nil
	}
	v, closer, err := x.db.Get(key)
	if err == pebble.ErrNotFound {
		return dst, false, nil
	}
	if err != nil {
		return dst, false, err
	}
	dst = append(dst, v...)
	err = closer.Close()
	runtime.KeepAlive(x)
	return dst, true, err
}

// write counts what a write will hold in the memtable, which is flushed first
// when it is full.
func (x *Instance) write(key, value int) error {
	if err := x.usable(); err != nil {
		return err
	}
	if key+value > maxEntry {
		return ErrTooLarge
	}
	if x.written >= x.config.Flush {
		if err := x.Flush(); err != nil {
			return err
		}
	}
	x.written += int64(key+value) + entryOverhead
	x.dirty = true
	return nil
}

// Put sets the value of a key.
func (x *Instance) Put(key, value []byte) error {
	if err := x.write(len(key), len(value)); err != nil {
		return err
	}
	x.buffer.put(key, value, false)
	return nil
}

// Delete writes a tombstone for a key, whether it is there or not.
func (x *Instance) Delete(key []byte) error {
	if err := x.write(len(key), 0); err != nil {
		return err
	}
	x.buffer.put(key, nil, true)
	return nil
}

// Merge appends to the value of a key without reading it, as RocksDB's list
// state does.
func (x *Instance) Merge(key, value []byte) error {
	if err := x.write(len(key), len(value)); err != nil {
		return err
	}
	if _, ok := x.buffer.get(key); ok {
		if err := x.buffer.pour(x.db); err != nil {
			return err
		}
	}
	err := x.db.Merge(key, value, pebble.NoSync)
	runtime.KeepAlive(x)
	return err
}

// DeleteRange writes one tombstone for all keys from lo to before hi.
func (x *Instance) DeleteRange(lo, hi []byte) error {
	if err := x.write(len(lo), len(hi)); err != nil {
		return err
	}
	if err := x.buffer.pour(x.db); err != nil {
		return err
	}
	err := x.db.DeleteRange(lo, hi, pebble.NoSync)
	runtime.KeepAlive(x)
	return err
}

// Clip removes the key groups outside keep that lie in have: one tombstone on
// each side. It is flushed with whatever is written next, as Flink's clipping
// is (CP-6.8).
func (x *Instance) Clip(have, keep Groups) error {
	if have.First < keep.First {
		if err := x.DeleteRange(groupBound(have.First), groupBound(keep.First)); err != nil {
			return err
		}
	}
	if have.Last > keep.Last {
		return x.DeleteRange(groupBound(keep.Last+1), groupBound(have.Last+1))
	}
	return nil
}

// Scan calls f for every live key from lo to before hi, in order; nil is no
// bound. Key and value are valid during the call.
func (x *Instance) Scan(lo, hi []byte, f func(key, value []byte) error) (err error) {
	if err := x.usable(); err != nil {
		return err
	}
	if err := x.buffer.pour(x.db); err != nil {
		return err
	}
	it, err := x.db.NewIter(&pebble.IterOptions{LowerBound: bytes.Clone(lo), UpperBound: bytes.Clone(hi)})
	if err != nil {
		return err
	}
	defer func() {
		if closing := it.Close(); err == nil {
			err = closing
		}
		runtime.KeepAlive(x)
	}()
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		if err := f(it.Key(), value); err != nil {
			return err
		}
	}
	return it.Error()
}

// Written is the number of bytes in the memtable.
func (x *Instance) Written() int64 { return x.written }

// Full says that the next write flushes.
func (x *Instance) Full() bool { return x.written >= x.config.Flush }

// Totals returns the counters.
func (x *Instance) Totals() Totals { return x.totals }

// room asks whether as many bytes may be written.
func (x *Instance) room(bytes int64) error {
	if x.config.Room == nil {
		return nil
	}
	return x.config.Room(bytes)
}

// Flush writes the memtable to one new table of level 0. A memtable of
// removals only makes a table too; an empty one makes none.
func (x *Instance) Flush() error {
	if err := x.usable(); err != nil || !x.dirty {
		return err
	}
	if err := x.room(x.written); err != nil {
		return err
	}
	before := x.size()
	var tables []Table
	if x.config.Flushed != nil {
		var err error
		if tables, err = x.Tables(); err != nil {
			return err
		}
	}
	if err := x.buffer.pour(x.db); err != nil {
		return err
	}
	if err := x.guard.call(x.db.Flush); err != nil {
		return err
	}
	x.written, x.dirty = 0, false
	x.totals.Flushes++
	x.totals.BytesFlushed += x.size() - before
	if err := x.settle(); err != nil || x.config.Flushed == nil {
		return err
	}
	edit, err := x.changed(tables)
	if err == nil && len(edit.Outputs) > 0 {
		edit.Reason = "flush"
		x.config.Flushed(edit)
	}
	return err
}

// settle waits until files that nobody needs are deleted.
func (x *Instance) settle() error {
	return x.guard.call(func() error {
		x.db.TestOnlyWaitForCleaning()
		return nil
	})
}

// Close ends the tree. What was not flushed is gone. Closing a dead instance
// abandons it: Pebble cannot be closed then.
func (x *Instance) Close() error {
	if x.closed {
		return ErrClosed
	}
	x.closed = true
	x.cleanup.Stop()
	if x.guard.failed() != nil {
		return nil
	}
	return x.guard.call(x.db.Close)
}
