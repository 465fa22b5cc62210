package state

import "encoding/binary"

// RowHash is the hash code of a BinaryRowData with one STRING field, which is
// the key of a SQL stream that is keyed by one string: MurmurHash3 (seed 42)
// over the bytes of the row. A string of at most seven bytes lies inside the
// fixed part, a longer one behind it, padded to words.
// Source: BinaryRowData.hashCode, BinaryRowWriter.writeString,
// MurmurHashUtils.hashBytesByWords.
func RowHash(s string) int32 {
	row := make([]byte, 16, 16+len(s)+8)
	if len(s) <= 7 {
		copy(row[8:], s)
		row[15] = 0x80 | byte(len(s))
	} else {
		binary.LittleEndian.PutUint64(row[8:], 16<<32|uint64(len(s)))
		row = append(row, s...)
		for len(row)%8 != 0 {
			row = append(row, 0)
		}
	}
	h := uint32(42)
	for i := 0; i < len(row); i += 4 {
		k := binary.LittleEndian.Uint32(row[i:]) * 0xcc9e2d51
		k = (k<<15 | k>>17) * 0x1b873593
		h ^= k
		h = (h<<13|h>>19)*5 + 0xe6546b64
	}
	h ^= uint32(len(row))
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	return int32(h)
}

// NewRowKeys returns an interner for a SQL stream that is keyed by one string.
func NewRowKeys(maxParallelism int) *Keys {
	return &Keys{maxParallelism: maxParallelism, hash: RowHash, byName: map[string]*Key{}}
}
