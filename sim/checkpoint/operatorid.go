package checkpoint

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"slices"
)

// OperatorID is the id that Flink derives from a uid and that its messages show
// in place of it: the 128-bit Murmur3 hash of the text
// (StreamGraphHasherV2#generateUserSpecifiedHash), in hex. The id of a vertex
// is that of the first operator of its chain.
func OperatorID(uid string) string {
	id := operatorID(uid)
	return hex.EncodeToString(id[:])
}

func operatorID(uid string) (out [16]byte) {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	var h1, h2 uint64
	mix := func(k1, k2 uint64) {
		h1 ^= bits.RotateLeft64(k1*c1, 31) * c2
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= bits.RotateLeft64(k2*c2, 33) * c1
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	data := []byte(uid)
	for ; len(data) >= 16; data = data[16:] {
		mix(binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:]))
	}
	var tail [16]byte
	copy(tail[:], data)
	h1 ^= bits.RotateLeft64(binary.LittleEndian.Uint64(tail[:])*c1, 31) * c2
	h2 ^= bits.RotateLeft64(binary.LittleEndian.Uint64(tail[8:])*c2, 33) * c1

	h1 ^= uint64(len(uid))
	h2 ^= uint64(len(uid))
	h1 += h2
	h2 += h1
	h1, h2 = finalMix(h1), finalMix(h2)
	h1 += h2
	h2 += h1
	binary.LittleEndian.PutUint64(out[:], h1)
	binary.LittleEndian.PutUint64(out[8:], h2)
	return out
}

func finalMix(k uint64) uint64 {
	k ^= k >> 33
	k *= 0xff51afd7ed558ccd
	k ^= k >> 33
	k *= 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}

// visitOrder is the order in which Flink visits the operators of a chain: that
// of a Java hash map of their ids, made for as many entries as there are.
func visitOrder(uids []string) []string {
	size := 1
	for size < len(uids) || len(uids)*4 > size*3 {
		size *= 2
	}
	buckets := map[string]int{}
	for _, uid := range uids {
		id := operatorID(uid)
		// AbstractID#hashCode folds the id into 32 bits.
		var h uint32
		for i := 0; i < len(id); i += 4 {
			h ^= binary.BigEndian.Uint32(id[i:])
		}
		buckets[uid] = int((h ^ h>>16) & uint32(size-1))
	}
	out := slices.Clone(uids)
	slices.SortStableFunc(out, func(a, b string) int { return buckets[a] - buckets[b] })
	return out
}
