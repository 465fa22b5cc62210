package state_test

import (
	"bytes"
	"errors"
	"testing"

	"streaminglab/sim/state"
)

func canonicalSample() []byte {
	keys := state.NewKeys(128)
	s := state.NewStore(state.Heap, keys)
	sum := state.Open(s, "sum", state.Int64{})
	list := state.Open(s, "list", state.List[string]{Of: state.String{}})
	timers := state.OpenTimers(s, "window-timers")
	for i, name := range []string{"a", "ñ", "서울", ""} {
		k := keys.Intern(name)
		w := state.Namespace{Start: int64(i) - 2, End: int64(i)}
		sum.Put(k, w, int64(i))
		list.Put(k, state.Void, []string{name, "x"})
		timers.Register(int64(i)-1, k, w)
	}
	return state.AppendCanonical(nil, state.KeyGroupRange{First: 0, Last: 127}, s.Snapshot())
}

// Each way to damage the bytes is noticed, or gives a state that is written in
// exactly these bytes.
func TestCanonicalReaderIsStrict(t *testing.T) {
	whole := canonicalSample()
	if _, s, err := state.ReadCanonical(whole); err != nil || len(s.Tables) != 2 || len(s.Timers) != 1 {
		t.Fatal(s, err)
	}
	for i := range whole {
		if _, _, err := state.ReadCanonical(whole[:i]); !errors.Is(err, state.ErrCanonical) {
			t.Errorf("first %d bytes: %v", i, err)
		}
	}
	if _, _, err := state.ReadCanonical(append(bytes.Clone(whole), 0)); !errors.Is(err, state.ErrCanonical) {
		t.Error("one byte more:", err)
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add(canonicalSample())
	f.Add(state.AppendCanonical(nil, state.KeyGroupRange{First: 3, Last: 5}, &state.Snapshot{}))
	f.Fuzz(func(t *testing.T, b []byte) {
		groups, s, err := state.ReadCanonical(b)
		if err != nil {
			if !errors.Is(err, state.ErrCanonical) {
				t.Error(err)
			}
			return
		}
		if again := state.AppendCanonical(nil, groups, s); !bytes.Equal(again, b) {
			t.Errorf("%q is read as what is written %q", b, again)
		}
	})
}
