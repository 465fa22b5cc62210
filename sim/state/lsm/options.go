package lsm

import (
	"runtime"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable/block"
)

const (
	// MaxFlush is the most bytes that may be written between two flushes.
	MaxFlush = 24 << 20
	// MinFlush is the least: a smaller memtable makes one file of each record.
	MinFlush = 64 << 10
	// maxEntry bounds one key with its value: a larger one would not go
	// through a memtable.
	maxEntry = 16 << 20
	// memTableFactor is how much larger a memtable may get than what is
	// counted before it is flushed.
	memTableFactor = 4
	// entryOverhead is what an entry costs in a memtable beside its bytes, and
	// rather more than less: Pebble must never find its memtable full first.
	entryOverhead = 100

	// level0Trigger is RocksDB's level0_file_num_compaction_trigger.
	level0Trigger = 4

	// formatVersion is the format of the files, pinned so that the same calls make
	// the same bytes after an upgrade of Pebble.
	formatVersion = pebble.FormatTableFormatV6
)

// pebbleOptions is the recipe under which Pebble does the same thing every
// time: no write-ahead log (Flink writes none), flushes by our own count,
// compactions by our scheduler, nothing that runs on its own.
func pebbleOptions(c *InstanceConfig, g *guard, s *scheduler, events *pebble.EventListener) *pebble.Options {
	o := &pebble.Options{
		FS: c.FS, Logger: g, EventListener: events,
		DisableWAL: true, DisableTableStats: true, NoSyncOnClose: true,
		FormatMajorVersion: formatVersion,
		// Pebble flushes by itself when memtables take half of this: more than
		// ours ever do, with all that an entry costs.
		MemTableSize: uint64(memTableFactor * c.Flush),
		// Never stall a write: nobody else would wake it.
		MemTableStopWritesThreshold: 1 << 20,
		L0StopWritesThreshold:       1 << 20,
		// Pebble counts depth twice: both are RocksDB's trigger.
		L0CompactionThreshold: 2 * level0Trigger, L0CompactionFileThreshold: level0Trigger,
		LBaseMaxBytes: 4 << 20,
		MaxOpenFiles:  100,
		// A checkpoint of Pebble copies the MANIFEST edit by edit, each through a
		// buffer of 32 kB, so that a long one makes every checkpoint slow. Flink's
		// RocksDB keeps one for as long as the backend lives, up to 1 GB.
		MaxManifestFileSize:        16 << 10,
		CompactionConcurrencyRange: func() (int, int) { return 1, 1 },
	}
	if c.Cache != nil && c.Cache.pebble != nil {
		o.Cache = c.Cache.pebble
	} else {
		o.CacheSize = 1 << 20
	}
	o.Experimental.FileCacheShards = 1
	o.Experimental.ReadSamplingMultiplier = -1
	o.Experimental.CompactionScheduler = s
	// One flush is one file: larger than anything that is flushed at once.
	o.TargetFileSizes[0] = 2 * MaxFlush
	for i := range o.Levels {
		// A fast compressor would write other bytes on other processors.
		o.Levels[i].Compression = func() *block.CompressionProfile { return block.NoCompression }
		if c.BloomFilter {
			o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
		}
		if i > 0 {
			o.TargetFileSizes[i] = 2 << 20
		}
	}
	return o
}

// A Cache is the block cache that the instances of one backend share, as the
// column families of one RocksDB do. What it holds shows in no result.
type Cache struct {
	pebble  *pebble.Cache
	cleanup runtime.Cleanup
}

// NewCache returns a cache of that many bytes for trees that flush at a number
// of bytes. Pebble takes the room of memtables out of the cache; that of a few
// column families is added here, so that blocks have what is meant for them.
func NewCache(bytes, flush int64) *Cache {
	c := &Cache{pebble: pebble.NewCache(bytes + 3*memTableFactor*flush)}
	c.cleanup = runtime.AddCleanup(c, func(p *pebble.Cache) { p.Unref() }, c.pebble)
	return c
}

// Close gives the memory back, once the instances are closed too.
func (c *Cache) Close() {
	if c != nil && c.pebble != nil {
		c.cleanup.Stop()
		c.pebble.Unref()
		c.pebble = nil
	}
}
