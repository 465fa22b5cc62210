package state

import (
	"fmt"
	"math/bits"
	"unicode/utf8"

	"streaminglab/sim"
)

// Key groups are how Flink spreads keys over subtasks: a key belongs to one
// of maxParallelism groups for ever, and a subtask owns a range of groups.
// The functions mirror KeyGroupRangeAssignment, MathUtils and the hashCode
// methods of Java and of Flink's tuples, bit for bit (CP-9.1, CP-9.2), so
// that a learner's key lands where the real job would put it.

const (
	// MinDefaultMaxParallelism is the smallest max parallelism that Flink
	// chooses by itself (DEFAULT_LOWER_BOUND_MAX_PARALLELISM).
	MinDefaultMaxParallelism = 1 << 7
	// MaxMaxParallelism is the largest allowed one (UPPER_BOUND_MAX_PARALLELISM).
	MaxMaxParallelism = 1 << 15
)

// IntHash is Integer.hashCode.
func IntHash(v int32) int32 { return v }

// LongHash is Long.hashCode: the high half folded into the low one, so small
// negative longs collide with small positive ones.
func LongHash(v int64) int32 { return int32(v ^ int64(uint64(v)>>32)) }

// BoolHash is Boolean.hashCode.
func BoolHash(v bool) int32 {
	if v {
		return 1231
	}
	return 1237
}

// StringHash is String.hashCode. It runs over UTF-16 units, not bytes: a
// character outside the basic plane counts as its two surrogates.
func StringHash(s string) int32 {
	var h int32
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			h = 31*h + int32(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if r >= 0x10000 {
			r -= 0x10000
			h = 31*h + int32(0xd800+(r>>10))
			r = 0xdc00 + (r & 0x3ff)
		}
		h = 31*h + int32(r)
	}
	return h
}

// TupleHash is hashCode of Flink's Tuple1 to Tuple25 from the hashes of the
// fields. The fold starts with the first field's hash, not with 1 as Java's
// own lists do.
func TupleHash(parts ...int32) int32 {
	var h int32
	for i, p := range parts {
		if i == 0 {
			h = p
			continue
		}
		h = 31*h + p
	}
	return h
}

// MurmurHash is MathUtils.murmurHash: it spreads a hash code, and is never
// negative.
func MurmurHash(hash int32) int32 {
	c := uint32(hash)
	c *= 0xcc9e2d51
	c = bits.RotateLeft32(c, 15)
	c *= 0x1b873593
	c = bits.RotateLeft32(c, 13)
	c = c*5 + 0xe6546b64
	c ^= 4
	c ^= c >> 16
	c *= 0x85ebca6b
	c ^= c >> 13
	c *= 0xc2b2ae35
	c ^= c >> 16
	code := int32(c)
	switch {
	case code >= 0:
		return code
	case code == -1<<31:
		// It has no positive counterpart.
		return 0
	default:
		return -code
	}
}

// AssignToKeyGroup is computeKeyGroupForKeyHash: the group of a key with this hash
// code (CP-9.1).
func AssignToKeyGroup(hash int32, maxParallelism int) int {
	return int(MurmurHash(hash)) % maxParallelism
}

// OwnerOf is computeOperatorIndexForKeyGroup: the subtask that owns the group
// (CP-9.1).
func OwnerOf(keyGroup, maxParallelism, parallelism int) int {
	return keyGroup * parallelism / maxParallelism
}

// A KeyGroupRange is the groups First to Last, both included.
type KeyGroupRange struct {
	First, Last int
}

// Size is the number of groups.
func (r KeyGroupRange) Size() int { return r.Last - r.First + 1 }

// Contains says whether the group is in the range.
func (r KeyGroupRange) Contains(keyGroup int) bool {
	return r.First <= keyGroup && keyGroup <= r.Last
}

func (r KeyGroupRange) String() string {
	return fmt.Sprintf("KeyGroupRange{startKeyGroup=%d, endKeyGroup=%d}", r.First, r.Last)
}

// KeyGroupRangeOf is computeKeyGroupRangeForOperatorIndex: the groups of one subtask
// (CP-9.1). Ranges are as equal as they can be; which subtask gets one group
// more follows from rounding, not from the subtask's number.
func KeyGroupRangeOf(subtask, maxParallelism, parallelism int) (KeyGroupRange, error) {
	if err := CheckParallelism(parallelism); err != nil {
		return KeyGroupRange{}, err
	}
	if err := CheckParallelism(maxParallelism); err != nil {
		return KeyGroupRange{}, err
	}
	if maxParallelism < parallelism {
		return KeyGroupRange{}, illegalArgument("Maximum parallelism must not be smaller than parallelism.")
	}
	return KeyGroupRange{
		First: (subtask*maxParallelism + parallelism - 1) / parallelism,
		Last:  ((subtask+1)*maxParallelism - 1) / parallelism,
	}, nil
}

// DefaultMaxParallelism is computeDefaultMaxParallelism: what Flink chooses
// when nobody sets it, room to grow by half and then up to a power of two
// (CP-9.2).
func DefaultMaxParallelism(parallelism int) (int, error) {
	if err := CheckParallelism(parallelism); err != nil {
		return 0, err
	}
	n := uint32(parallelism + parallelism/2)
	up := 1 << bits.Len32(n-1)
	return min(max(up, MinDefaultMaxParallelism), MaxMaxParallelism), nil
}

// CheckParallelism is checkParallelismPreconditions.
func CheckParallelism(parallelism int) error {
	if parallelism > 0 && parallelism <= MaxMaxParallelism {
		return nil
	}
	return illegalArgument(fmt.Sprintf("Operator parallelism not within bounds: %d", parallelism))
}

func illegalArgument(message string) error {
	return &sim.Exception{Class: "java.lang.IllegalArgumentException", Message: message}
}
