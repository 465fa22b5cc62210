package state

import (
	"math"
	"testing"
	"testing/quick"
)

// The examples of CP-9.1: key, group of 128, owner for parallelism 2, 3, 4.
func TestKeyGroupExamples(t *testing.T) {
	for _, c := range []struct {
		name string
		hash int32
		kg   int
		own  [3]int
	}{
		{"int 0", IntHash(0), 94, [3]int{1, 2, 2}},
		{"int 1", IntHash(1), 86, [3]int{1, 2, 2}},
		{"int 2", IntHash(2), 127, [3]int{1, 2, 3}},
		{"int 3", IntHash(3), 113, [3]int{1, 2, 3}},
		{"int 4", IntHash(4), 7, [3]int{0, 0, 0}},
		{"int 8", IntHash(8), 15, [3]int{0, 0, 0}},
		{"a", StringHash("a"), 81, [3]int{1, 1, 2}},
		{"b", StringHash("b"), 22, [3]int{0, 0, 0}},
		{"c", StringHash("c"), 62, [3]int{0, 1, 1}},
		{"d", StringHash("d"), 64, [3]int{1, 1, 2}},
		{"user-1", StringHash("user-1"), 121, [3]int{1, 2, 3}},
		{"user-2", StringHash("user-2"), 22, [3]int{0, 0, 0}},
		{"user-3", StringHash("user-3"), 40, [3]int{0, 0, 1}},
		{"order-42", StringHash("order-42"), 45, [3]int{0, 1, 1}},
	} {
		kg := AssignToKeyGroup(c.hash, 128)
		if kg != c.kg {
			t.Errorf("%s: group %d, want %d", c.name, kg, c.kg)
		}
		for i, want := range c.own {
			if got := OwnerOf(kg, 128, i+2); got != want {
				t.Errorf("%s: owner of %d at parallelism %d: %d, want %d", c.name, kg, i+2, got, want)
			}
		}
	}
}

// Java's numbers, so that a change of the hash is seen here and not in a
// lesson's key.
func TestHashes(t *testing.T) {
	for _, c := range []struct {
		got, want int32
		what      string
	}{
		{LongHash(-1), 0, "long -1"},
		{LongHash(math.MinInt64), math.MinInt32, "long MIN"},
		{LongHash(math.MaxInt64), math.MinInt32, "long MAX"},
		{LongHash(1 << 32), 1, "long 2^32"},
		{BoolHash(true), 1231, "true"},
		{BoolHash(false), 1237, "false"},
		{StringHash(""), 0, "empty string"},
		{StringHash("ñ"), 241, "ñ is one unit"},
		{StringHash("😀"), 31*0xd83d + 0xde00, "😀 is two units"},
		{TupleHash(), 0, "Tuple0"},
		{TupleHash(7), 7, "Tuple1"},
		{TupleHash(7, 5), 31*7 + 5, "Tuple2"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.what, c.got, c.want)
		}
	}
}

// Ranges and owners are two views of one assignment: every group lies in the
// range of its owner and in no other.
func TestRangesPartition(t *testing.T) {
	f := func(a, b uint16) bool {
		maxp := int(a)%MaxMaxParallelism + 1
		p := int(b)%maxp + 1
		next := 0
		for i := 0; i < p; i++ {
			r, err := KeyGroupRangeOf(i, maxp, p)
			if err != nil || r.First != next || r.Size() < 1 {
				return false
			}
			if OwnerOf(r.First, maxp, p) != i || OwnerOf(r.Last, maxp, p) != i {
				return false
			}
			next = r.Last + 1
		}
		return next == maxp
	}
	if err := quick.Check(f, nil); err != nil {
		t.Error(err)
	}
}

func TestDefaultMaxParallelism(t *testing.T) {
	for p, want := range map[int]int{1: 128, 85: 128, 86: 256, 171: 256, 172: 512, 341: 512, 342: 1024, 1000: 2048, 10923: 16384, 10924: 32768, 32768: 32768} {
		if got, err := DefaultMaxParallelism(p); err != nil || got != want {
			t.Errorf("%d: %d, %v, want %d", p, got, err, want)
		}
	}
	for p, want := range map[int]string{
		0:     "Operator parallelism not within bounds: 0",
		-1:    "Operator parallelism not within bounds: -1",
		32769: "Operator parallelism not within bounds: 32769",
	} {
		_, err := DefaultMaxParallelism(p)
		if err == nil || err.Error() != "java.lang.IllegalArgumentException: "+want {
			t.Errorf("%d: %v", p, err)
		}
	}
	if _, err := KeyGroupRangeOf(0, 2, 3); err == nil {
		t.Error("more subtasks than groups")
	}
}
