package lsm

// ManagedMemory is the memory of a slot that state backends share, and how
// RocksDB's is divided (CP-6.10). Nothing here is measured: a calculated model.
type ManagedMemory struct {
	// Bytes is the part of the slot's managed memory that goes to the backend.
	// Zero leaves memory out of the model: every flush is at DefaultFlush.
	Bytes int64
}

const (
	// DefaultFlush is when a memtable is flushed where memory is not modelled.
	DefaultFlush = 4 << 20
	// writeBufferSize is state.backend.rocksdb.writebuffer.size.
	writeBufferSize = 64 << 20
)

// CacheCapacity is the size of the block cache: (3-r)/3 of the memory, where r
// is state.backend.rocksdb.memory.write-buffer-ratio, one half.
func (m ManagedMemory) CacheCapacity() int64 { return m.Bytes * 5 / 6 }

// WriteBufferCapacity is what all memtables together may take: 2r/3.
func (m ManagedMemory) WriteBufferCapacity() int64 { return m.Bytes / 3 }

// FlushOne is how many bytes one memtable takes before it is flushed.
func (m ManagedMemory) FlushOne() int64 {
	if m.Bytes == 0 {
		return DefaultFlush
	}
	return min(max(min(writeBufferSize, m.WriteBufferCapacity()), MinFlush), MaxFlush)
}

// FlushAll is how many bytes all memtables take before the largest is
// flushed: seven eighths of what they may, as RocksDB's write buffer manager
// has it.
func (m ManagedMemory) FlushAll() int64 {
	if m.Bytes == 0 {
		return MaxFlush
	}
	return max(m.WriteBufferCapacity()*7/8, MinFlush)
}
