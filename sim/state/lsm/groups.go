package lsm

import (
	"encoding/binary"

	"streaminglab/sim/state"
)

// Groups is a range of key groups.
type Groups = state.KeyGroupRange

// groupBound is the first possible key of a group.
func groupBound(group int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(group)) }

// lastBound lies behind every possible key.
var lastBound = []byte{0xff, 0xff, 0xff}

// overlap is the number of groups that two ranges share.
func overlap(a, b Groups) int { return max(0, min(a.Last, b.Last)-max(a.First, b.First)+1) }
