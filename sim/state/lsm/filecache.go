package lsm

import (
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// FileCacheConfig are the options of ForSt's local cache.
type FileCacheConfig struct {
	// Limit is state.backend.forst.cache.size-based-limit.
	Limit int64
	// TargetFileSize is the size that a table grows to. A cache that has no
	// room for one takes no new tables at all.
	TargetFileSize int64
	// AccessBeforePromote is how often a table must be read from afar before it
	// is fetched (state.backend.forst.cache.lru.access-before-promote); 0 is the
	// default of 6.
	AccessBeforePromote int
	// PromoteLimit is how often one table may be fetched; 0 is the default of 3.
	PromoteLimit int
}

// Defaults of ForSt's options.
const (
	defaultTargetFileSize      = 64 << 20
	defaultAccessBeforePromote = 6
	defaultPromoteLimit        = 3
)

// A FileCache keeps whole table files on the local disk: the newest ones as
// they are written, and those that are read often (FileBasedCache). It keeps
// them open, so that they can be read when the remote file is gone; what it
// saves is counted. A nil cache holds nothing.
type FileCache struct {
	config FileCacheConfig
	// files are ordered from the one that goes first to the one that goes last.
	files    []cached
	used     int64
	accesses map[string]int
	promoted map[string]int
	counters CacheCounters
}

type cached struct {
	object string
	size   int64
	file   vfs.File
}

// CacheCounters are those that ForSt reports.
type CacheCounters struct {
	Hit, Miss, Evict, LoadBack int64
}

// NewFileCache returns an empty cache.
func NewFileCache(c FileCacheConfig) *FileCache {
	if c.TargetFileSize == 0 {
		c.TargetFileSize = defaultTargetFileSize
	}
	if c.AccessBeforePromote == 0 {
		c.AccessBeforePromote = defaultAccessBeforePromote
	}
	if c.PromoteLimit == 0 {
		c.PromoteLimit = defaultPromoteLimit
	}
	return &FileCache{config: c, accesses: map[string]int{}, promoted: map[string]int{}}
}

// Counters returns the counters.
func (c *FileCache) Counters() CacheCounters {
	if c == nil {
		return CacheCounters{}
	}
	return c.counters
}

// Objects lists the files that are held, the next to go first.
func (c *FileCache) Objects() (all []string) {
	if c == nil {
		return nil
	}
	for _, f := range c.files {
		all = append(all, f.object)
	}
	return all
}

func (c *FileCache) index(object string) int {
	return slices.IndexFunc(c.files, func(f cached) bool { return f.object == object })
}

// holds says whether a file is there.
func (c *FileCache) holds(object string) bool { return c != nil && c.index(object) >= 0 }

// file returns a file that is there.
func (c *FileCache) file(object string) (vfs.File, bool) {
	if c == nil {
		return nil, false
	}
	if i := c.index(object); i >= 0 {
		return c.files[i].file, true
	}
	return nil, false
}

// written takes a new table, unless there is no room for a full-grown one.
func (c *FileCache) written(object string, size int64, from vfs.FS) error {
	if c == nil || c.config.Limit <= c.config.TargetFileSize {
		return nil
	}
	return c.add(object, size, from)
}

func (c *FileCache) add(object string, size int64, from vfs.FS) error {
	if size > c.config.Limit {
		return nil
	}
	file, err := from.Open(object)
	if err != nil {
		return err
	}
	for c.used+size > c.config.Limit {
		c.remove(0)
		c.counters.Evict++
	}
	c.files = append(c.files, cached{object, size, file})
	c.used += size
	return nil
}

func (c *FileCache) remove(i int) {
	c.used -= c.files[i].size
	// It was only read.
	_ = c.files[i].file.Close()
	c.files = slices.Delete(c.files, i, i+1)
}

// close lets everything go.
func (c *FileCache) close() {
	for c != nil && len(c.files) > 0 {
		c.remove(0)
	}
}

// drop forgets a file that was deleted.
func (c *FileCache) drop(object string) {
	if c == nil {
		return
	}
	if i := c.index(object); i >= 0 {
		c.remove(i)
	}
	delete(c.accesses, object)
	delete(c.promoted, object)
}

// access is one look into a file. It reports whether the file was fetched
// because it is looked at often.
func (c *FileCache) access(object string, size int64, from vfs.FS) (loaded bool, err error) {
	if c == nil {
		return false, nil
	}
	if i := c.index(object); i >= 0 {
		c.counters.Hit++
		f := c.files[i]
		c.files = append(slices.Delete(c.files, i, i+1), f)
		return false, nil
	}
	c.counters.Miss++
	c.accesses[object]++
	if c.accesses[object] < c.config.AccessBeforePromote || c.promoted[object] >= c.config.PromoteLimit || c.config.Limit <= c.config.TargetFileSize {
		return false, nil
	}
	c.accesses[object] = 0
	c.promoted[object]++
	c.counters.LoadBack++
	return true, c.add(object, size, from)
}
