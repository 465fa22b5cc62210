package lsm

import (
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// A buffer is the upper part of a memtable: the last write of each key, in a
// map. Reading and changing a key that was written lately is what a keyed
// operator does most, and Pebble's skip list takes twenty times as long for it.
// The buffer is poured into Pebble's memtable, in order, before anything needs
// the tree as a whole: flush, scan, range removal, compaction, checkpoint. What
// a flush writes is the same in both: the newest version of each key.
type buffer struct {
	entries map[string]pending
	keys    []string
	arena   []byte
}

type pending struct {
	value   []byte
	removed bool
}

// arenaSize is what is taken at once for values.
const arenaSize = 64 << 10

func (b *buffer) get(key []byte) (pending, bool) {
	p, ok := b.entries[string(key)]
	return p, ok
}

func (b *buffer) put(key, value []byte, removed bool) {
	p, ok := b.entries[string(key)]
	if ok && len(p.value) == len(value) && p.removed == removed {
		copy(p.value, value)
		return
	}
	if len(b.arena) < len(value) {
		b.arena = make([]byte, max(arenaSize, len(value)))
	}
	p = pending{value: b.arena[:len(value):len(value)], removed: removed}
	b.arena = b.arena[len(value):]
	copy(p.value, value)
	if b.entries == nil {
		b.entries = map[string]pending{}
	}
	b.entries[string(key)] = p
}

// pour writes everything into a tree and leaves the buffer empty.
func (b *buffer) pour(db *pebble.DB) error {
	if len(b.entries) == 0 {
		return nil
	}
	b.keys = b.keys[:0]
	for k := range b.entries {
		b.keys = append(b.keys, k)
	}
	slices.Sort(b.keys)
	batch := db.NewBatch()
	defer batch.Close()
	for _, k := range b.keys {
		p := b.entries[k]
		var err error
		if p.removed {
			err = batch.Delete([]byte(k), nil)
		} else {
			err = batch.Set([]byte(k), p.value, nil)
		}
		if err == nil && batch.Len() >= 1<<20 {
			err = batch.Commit(pebble.NoSync)
			batch.Reset()
		}
		if err != nil {
			return err
		}
	}
	clear(b.entries)
	clear(b.keys)
	return batch.Commit(pebble.NoSync)
}
