package checkpoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"streaminglab/sim/state"
)

// The ids of operators are those of Guava's murmur3_128, whose published vector
// this is.
func TestOperatorIDIsMurmur3(t *testing.T) {
	for uid, want := range map[string]string{
		"": "00000000000000000000000000000000",
		"The quick brown fox jumps over the lazy dog": "6c1b07bc7bbc4be347939ac4a93c437a",
	} {
		if got := OperatorID(uid); got != want {
			t.Errorf("%q: %s, want %s", uid, got, want)
		}
	}
}

// operatorOf makes an operator whose subtasks have keyed state and one stream of
// lists.
func operatorOf(uid string, parallelism, maxParallelism int) OperatorState {
	o := OperatorState{UID: uid, Parallelism: parallelism, MaxParallelism: maxParallelism}
	for i := range parallelism {
		g, _ := state.KeyGroupRangeOf(i, maxParallelism, parallelism)
		o.Subtasks = append(o.Subtasks, &SubtaskState{
			Keyed:    []KeyedState{{First: g.First, Last: g.Last}},
			Operator: []NamedHandle{{Name: "lists", Handle: Handle{Path: fmt.Sprintf("%s-%d", uid, i)}}},
		})
	}
	return o
}

func chain(parallelism int, uids ...string) Vertex {
	return Vertex{Name: strings.Join(uids, "+"), Parallelism: parallelism, Operators: uids}
}

// What does not fit is refused in Flink's words, which name the operator by its
// id; the error says which one it is.
func TestRefusedSnapshots(t *testing.T) {
	m := &Metadata{ID: 5, Operators: []OperatorState{operatorOf("agg", 2, 128)}}
	set := chain(2, "agg")
	set.MaxParallelism, set.MaxParallelismSet = 256, true
	id := OperatorID("agg")
	for _, c := range []struct {
		vertex Vertex
		cause  MappingCause
		text   string
	}{
		{chain(2, "agg2"), OperatorNotAvailable,
			"java.lang.IllegalStateException: Failed to rollback to checkpoint/savepoint sp/1. Cannot map checkpoint/savepoint state for operator " + id +
				" to the new program, because the operator is not available in the new program. If you want to allow to skip this, you can set the " +
				"--allowNonRestoredState option on the CLI."},
		{set, MaxParallelismMismatch,
			"java.lang.IllegalStateException: Failed to rollback to checkpoint/savepoint Checkpoint Metadata. Max parallelism mismatch between " +
				"checkpoint/savepoint state and new program. Cannot map operator " + id + " with max parallelism 128 to new program with max parallelism 256. " +
				"This indicates that the program has been changed in a non-compatible way after the checkpoint/savepoint."},
		{chain(200, "agg"), MaxParallelismTooLow,
			"java.lang.IllegalStateException: The state for task " + id + " can not be restored. The maximum parallelism (128) of the restored state is " +
				"lower than the configured parallelism (200). Please reduce the parallelism of the task to be lower or equal to the maximum parallelism."},
	} {
		_, err := m.Assign("sp/1", Program{Vertices: []Vertex{c.vertex}})
		var e *MappingError
		if !errors.As(err, &e) || e.Cause != c.cause || e.UID != "agg" || e.Error() != c.text {
			t.Errorf("%s: %v", c.cause, err)
		}
	}
	a, err := m.Assign("sp/1", Program{Vertices: []Vertex{chain(2, "agg2")}, AllowNonRestoredState: true})
	if err != nil || !slices.Equal(a.Skipped, []string{"agg"}) || !slices.Equal(a.Dropped, []bool{true}) || a.Vertices[0].Operators[0].Known {
		t.Errorf("%+v, %v", a, err)
	}
}

// Where the items of lists are known they are handed out one by one: a split
// list is cut, a union goes to all, a broadcast state comes from one subtask.
func TestItemsOfLists(t *testing.T) {
	m := &Metadata{Operators: []OperatorState{operatorOf("op", 2, 128)}}
	lists := func(_ string, h NamedHandle) ([]List, error) {
		n := 3
		if h.Handle.Path == "op-1" {
			n = 2
		}
		return []List{
			{state.ListInfo{Name: "s", Mode: state.SplitDistribute}, n}, {state.ListInfo{Name: "u", Mode: state.UnionMode}, 1},
			{state.ListInfo{Name: "b", Mode: state.Broadcast}, 1},
		}, nil
	}
	a, err := m.Assign("", Program{Vertices: []Vertex{chain(3, "op")}, Lists: lists})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, s := range a.Vertices[0].Operators[0].Subtasks {
		for _, l := range s.Lists {
			got = append(got, fmt.Sprintf("%d %s %s %v", i, l.List, l.Handle.Handle.Path, l.Items))
		}
	}
	// Vector 16 of the chapter: [p0,p1,p2],[p3,p4] over 3.
	want := []string{
		"0 s op-0 [0 1]", "0 u op-0 [0]", "0 u op-1 [0]", "0 b op-0 [0]",
		"1 s op-0 [2]", "1 s op-1 [0]", "1 u op-0 [0]", "1 u op-1 [0]", "1 b op-1 [0]",
		"2 s op-1 [1]", "2 u op-0 [0]", "2 u op-1 [0]", "2 b op-0 [0]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Every key group of a snapshot goes to exactly one subtask, whatever the
// parallelism before and after.
func TestEveryKeyGroupHasOneReader(t *testing.T) {
	for before := 1; before <= 12; before++ {
		m := &Metadata{Operators: []OperatorState{operatorOf("op", before, 40)}}
		for after := 1; after <= 40; after += 3 {
			a, err := m.Assign("", Program{Vertices: []Vertex{chain(after, "op")}})
			if err != nil {
				t.Fatal(err)
			}
			var readers [40]int
			for i, s := range a.Vertices[0].Operators[0].Subtasks {
				for _, k := range s.Keyed {
					for g := k.Groups.First; g <= k.Groups.Last; g++ {
						readers[g]++
						if g < k.State.First || g > k.State.Last || state.OwnerOf(g, 40, after) != i {
							t.Fatalf("%d → %d: group %d goes to subtask %d", before, after, g, i)
						}
					}
					if k.Whole() != (k.Groups.Size() == k.State.Last-k.State.First+1) {
						t.Fatalf("%d → %d: %+v", before, after, k)
					}
				}
			}
			for g, n := range readers {
				if n != 1 {
					t.Fatalf("%d → %d: group %d has %d readers", before, after, g, n)
				}
			}
		}
	}
}

// An operator that is new to a chain can take back the stored max parallelism;
// what lies above is handed to nobody (recorded: mapping-a0012).
func TestANewOperatorInAChainCanLoseKeyGroups(t *testing.T) {
	highest := func(uids ...string) (int, int) {
		m := &Metadata{Operators: []OperatorState{operatorOf("sink", 2, 256)}}
		a, err := m.Assign("", Program{Vertices: []Vertex{chain(4, uids...)}})
		if err != nil {
			t.Fatal(err)
		}
		last := -1
		for _, o := range a.Vertices[0].Operators {
			for _, s := range o.Subtasks {
				for _, k := range s.Keyed {
					last = max(last, k.Groups.Last)
				}
			}
		}
		return a.Vertices[0].MaxParallelism, last
	}
	if n, last := highest("sink"); n != 256 || last != 255 {
		t.Errorf("alone: max parallelism %d, highest key group %d", n, last)
	}
	if n, last := highest("map-ñ", "sink"); n != 128 || last != 127 {
		t.Errorf("with a new operator: max parallelism %d, highest key group %d", n, last)
	}
}

// A chain of which every subtask had finished does not run again.
func TestFinishedChain(t *testing.T) {
	done := OperatorState{UID: "src", Parallelism: 2, MaxParallelism: 128, Subtasks: []*SubtaskState{{Finished: true}, {Finished: true}}}
	m := &Metadata{Operators: []OperatorState{done}}
	a, err := m.Assign("", Program{Vertices: []Vertex{chain(2, "src")}})
	if err != nil || !a.Vertices[0].Finished || a.Vertices[0].Operators[0].HasState() {
		t.Errorf("%+v, %v", a, err)
	}
	a, err = m.Assign("", Program{Vertices: []Vertex{chain(2, "src", "map")}})
	if err != nil || a.Vertices[0].Finished {
		t.Errorf("%+v, %v", a, err)
	}
}
