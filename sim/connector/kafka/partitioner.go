package kafka

import "encoding/binary"

// PartitionOf is the partition that a producer chooses for a key: that of the
// default partitioner (Utils#murmur2, Utils#toPositive).
func PartitionOf(key string, partitions int) int {
	if partitions <= 1 {
		return 0
	}
	return int(murmur2([]byte(key))&0x7fffffff) % partitions
}

// murmur2 is the hash of Kafka's clients.
func murmur2(data []byte) uint32 {
	const (
		seed = 0x9747b28c
		m    = 0x5bd1e995
		r    = 24
	)
	h := seed ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := binary.LittleEndian.Uint32(data) * m
		k ^= k >> r
		h = h*m ^ k*m
	}
	switch len(data) {
	case 3:
		h ^= uint32(data[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(data[1]) << 8
		fallthrough
	case 1:
		h = (h ^ uint32(data[0])) * m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}
