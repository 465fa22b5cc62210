package lsm

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	// memTable is what Pebble may hold in memory before it would flush by
	// itself, at half of it; we flush long before.
	memTable = 64 << 20
	// MaxFlush is the most bytes that may be written between two flushes.
	MaxFlush = 24 << 20
	// MinFlush is the least: a smaller memtable makes one file of each record.
	MinFlush = 64 << 10
	// maxEntry bounds one key with its value: a larger one would not go
	// through a memtable.
	maxEntry = 16 << 20
	// entryOverhead is what an entry costs in a memtable beside its bytes.
	entryOverhead = 40

	// formatVersion is the format of the files, pinned so that the same calls make
	// the same bytes after an upgrade of Pebble.
	formatVersion = pebble.FormatTableFormatV6
)

// pebbleOptions is the recipe under which Pebble does the same thing every
// time: no write-ahead log (Flink writes none), flushes by our own count,
// compactions by our scheduler, nothing that runs on its own.
func pebbleOptions(fs vfs.FS, cache *Cache, g *guard, s *scheduler, events *pebble.EventListener) *pebble.Options {
	o := &pebble.Options{
		FS: fs, Logger: g, EventListener: events,
		DisableWAL: true, DisableTableStats: true, NoSyncOnClose: true,
		FormatMajorVersion: formatVersion,
		MemTableSize:       memTable,
		// Never stall a write: nobody else would wake it.
		MemTableStopWritesThreshold: 1 << 20,
		L0StopWritesThreshold:       1 << 20,
		// RocksDB's level0-file-num-compaction-trigger.
		L0CompactionThreshold: 4, L0CompactionFileThreshold: 4,
		LBaseMaxBytes:              4 << 20,
		MaxOpenFiles:               100,
		CompactionConcurrencyRange: func() (int, int) { return 1, 1 },
	}
	if cache != nil && cache.pebble != nil {
		o.Cache = cache.pebble
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
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
		if i > 0 {
			o.TargetFileSizes[i] = 2 << 20
		}
	}
	return o
}

// A Cache is the block cache that the instances of one backend share, as the
// column families of one RocksDB do. What it holds shows in no result.
type Cache struct{ pebble *pebble.Cache }

// NewCache returns a cache of that many bytes.
func NewCache(bytes int64) *Cache { return &Cache{pebble.NewCache(bytes)} }

// Close gives the memory back, once the instances are closed too.
func (c *Cache) Close() {
	if c != nil && c.pebble != nil {
		c.pebble.Unref()
		c.pebble = nil
	}
}
