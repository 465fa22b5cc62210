package conform

import (
	"encoding/json"
	"errors"
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/state"
)

// keygroupReplayer asks the functions that assign keys to subtasks.
type keygroupReplayer struct{ maxParallelism, parallelism int }

func newKeygroup(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		MaxP int `json:"maxp"`
		P    int `json:"p"`
	}](config)
	if err != nil {
		return nil, err
	}
	for _, n := range []int{c.MaxP, c.P} {
		if err := state.CheckParallelism(n); err != nil {
			return nil, err
		}
	}
	return &keygroupReplayer{maxParallelism: c.MaxP, parallelism: c.P}, nil
}

type typedKey struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// hash is the hash code of the key as Java defines it.
func (k typedKey) hash() (int32, error) {
	switch k.Type {
	case "int":
		var v int32
		err := decode(k.Value, &v)
		return state.IntHash(v), err
	case "long":
		var v Time
		err := decode(k.Value, &v)
		return state.LongHash(int64(v)), err
	case "boolean":
		var v bool
		err := decode(k.Value, &v)
		return state.BoolHash(v), err
	case "string":
		var v string
		err := decode(k.Value, &v)
		return state.StringHash(v), err
	case "tuple":
		var parts []typedKey
		if err := decode(k.Value, &parts); err != nil {
			return 0, err
		}
		hashes := make([]int32, len(parts))
		for i, p := range parts {
			var err error
			if hashes[i], err = p.hash(); err != nil {
				return 0, err
			}
		}
		return state.TupleHash(hashes...), nil
	}
	return 0, fmt.Errorf("unknown type of key %q", k.Type)
}

// Step implements Replayer.
func (r *keygroupReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		Key     *typedKey `json:"key"`
		RangeOf *int      `json:"range_of"`
		OwnerOf *int      `json:"owner_of"`
		Default *int      `json:"default_maxp_for"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	switch {
	case s.Key != nil:
		hash, err := s.Key.hash()
		if err != nil {
			return nil, err
		}
		kg := state.AssignToKeyGroup(hash, r.maxParallelism)
		return map[string]any{
			"hash": hash, "murmur": state.MurmurHash(hash), "kg": kg,
			"subtask": state.OwnerOf(kg, r.maxParallelism, r.parallelism),
		}, nil
	case s.RangeOf != nil:
		kgs, err := state.KeyGroupRangeOf(*s.RangeOf, r.maxParallelism, r.parallelism)
		if err != nil {
			return failed(err)
		}
		return map[string]any{"range": []int{kgs.First, kgs.Last}, "size": kgs.Size()}, nil
	case s.OwnerOf != nil:
		return map[string]any{"subtask": state.OwnerOf(*s.OwnerOf, r.maxParallelism, r.parallelism)}, nil
	case s.Default != nil:
		maxp, err := state.DefaultMaxParallelism(*s.Default)
		if err != nil {
			return failed(err)
		}
		return map[string]any{"maxp": maxp}, nil
	}
	return nil, errStep
}

// failed is the answer of this kind to an exception: its message alone.
func failed(err error) (any, error) {
	var e *sim.Exception
	if !errors.As(err, &e) {
		return nil, err
	}
	return map[string]any{"error": e.Message}, nil
}
