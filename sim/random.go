package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// Draw returns the n-th random number of the stream that belongs to
// (seed, component, purpose). Streams are derived, not shared: one more
// command does not shift what anything else draws. The algorithm is fixed:
// the first eight bytes, big endian, of SHA-256 over the seed (8 bytes, big
// endian), component, a zero byte, purpose, a zero byte, n (8 bytes).
func Draw(seed uint64, component, purpose string, n uint64) uint64 {
	b := make([]byte, 0, 18+len(component)+len(purpose))
	b = binary.BigEndian.AppendUint64(b, seed)
	b = append(b, component...)
	b = append(b, 0)
	b = append(b, purpose...)
	b = append(b, 0)
	b = binary.BigEndian.AppendUint64(b, n)
	sum := sha256.Sum256(b)
	return binary.BigEndian.Uint64(sum[:8])
}

// A Stream draws the numbers of one derived stream one after the other.
type Stream struct {
	seed               uint64
	component, purpose string
	n                  uint64
}

// NewStream returns the stream of (seed, component, purpose) at its start.
func NewStream(seed uint64, component, purpose string) *Stream {
	return &Stream{seed: seed, component: component, purpose: purpose}
}

// Uint64 draws the next number.
func (s *Stream) Uint64() uint64 {
	v := Draw(s.seed, s.component, s.purpose, s.n)
	s.n++
	return v
}

// Skip passes over n numbers, as if they had been drawn.
func (s *Stream) Skip(n uint64) { s.n += n }

// Below draws a number from 0 to n-1. n must be positive.
func (s *Stream) Below(n int64) int64 {
	hi, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int64(hi)
}
