package checkpoint

import (
	"fmt"

	"streaminglab/sim"
	"streaminglab/sim/state"
)

// A Program is a new job as a restore looks at it.
type Program struct {
	// Vertices are its chains of operators; their inputs play no role here. A
	// max parallelism that the user did not set is the default of the
	// parallelism when it is 0, and gives way to the stored one.
	Vertices []Vertex
	// AllowNonRestoredState drops the state of operators that are not there. A
	// failover inside a running JobManager always does (CP-9.5).
	AllowNonRestoredState bool
	// Lists says what a stream of operator state holds, so that items can be
	// handed out. Flink knows it from _metadata; ours does not hold it. Nil:
	// each stream counts as one item of a list that is split.
	Lists func(uid string, h NamedHandle) ([]List, error)
}

// A List is a list of operator state in a stream.
type List struct {
	state.ListInfo
	Items int
}

// An Assignment says which subtask of a new job starts from which state of a
// snapshot.
type Assignment struct {
	// Vertices are in the order of the program.
	Vertices []VertexAssignment
	// Skipped are the operators of the snapshot that the program does not have,
	// in their order there; Dropped says for each whether state was lost.
	Skipped []string
	Dropped []bool
}

// A VertexAssignment is what a chain of operators starts from.
type VertexAssignment struct {
	// MaxParallelism is the one that holds from now on: the stored one, if the
	// user set none.
	MaxParallelism int
	// Finished : every subtask had finished before the snapshot, and does not
	// run again.
	Finished  bool
	Operators []OperatorAssignment
}

// An OperatorAssignment is what the subtasks of an operator start from.
type OperatorAssignment struct {
	UID string
	// Known : the snapshot has the operator, with or without state. One that is
	// new starts empty.
	Known bool
	// Coordinator is the state of its coordinator.
	Coordinator []byte
	// Subtasks are by new subtask; nil for a vertex that gets nothing.
	Subtasks []SubtaskAssignment
}

// HasState reports whether any subtask is handed anything.
func (o *OperatorAssignment) HasState() bool {
	for _, s := range o.Subtasks {
		if len(s.Keyed)+len(s.Lists) > 0 {
			return true
		}
	}
	return false
}

// A SubtaskAssignment is what one subtask of an operator starts from.
type SubtaskAssignment struct {
	Keyed []KeyedAssignment
	Lists []ListAssignment
}

// A KeyedAssignment is keyed state that a subtask reads: the handle as it was
// written by an old subtask, and the key groups in it that are its own. Where
// they are fewer than the handle's, a heap backend seeks to them, and a
// backend with files opens all and clips (CP-6.8, CP-7.1).
type KeyedAssignment struct {
	From   int
	State  *KeyedState
	Groups state.KeyGroupRange
}

// Whole reports whether the subtask gets all key groups of the handle.
func (k KeyedAssignment) Whole() bool {
	return k.Groups == state.KeyGroupRange{First: k.State.First, Last: k.State.Last}
}

// A ListAssignment is a stream of operator state that a subtask reads, and the
// items of one of its lists that are its own, by their position in it.
type ListAssignment struct {
	From   int
	Handle NamedHandle
	List   string
	Items  []int
}

// A MappingCause says why a snapshot does not fit a program.
type MappingCause string

// The causes.
const (
	OperatorNotAvailable   MappingCause = "operator-not-available"
	MaxParallelismMismatch MappingCause = "max-parallelism-mismatch"
	MaxParallelismTooLow   MappingCause = "stored-max-parallelism-lower-than-parallelism"
)

// A MappingError is a snapshot that a program cannot start from. Flink's words
// name the operator by its id; UID says which one that is.
type MappingError struct {
	Cause MappingCause
	// UID is the operator of the snapshot. Vertex is the chain of the program,
	// when there is one.
	UID, Vertex string
	*sim.Exception
}

// Unwrap is what Flink throws.
func (e *MappingError) Unwrap() error { return e.Exception }

func cannotMap(cause MappingCause, rule, uid, vertex, format string, args ...any) error {
	return &MappingError{cause, uid, vertex, &sim.Exception{
		Class: "java.lang.IllegalStateException", Message: fmt.Sprintf(format, args...), Rule: rule,
	}}
}

// Assign maps a snapshot to a program: first what a JobManager checks when it
// loads the snapshot (Checkpoints#loadAndValidateCheckpoint), then how it hands
// the state out (StateAssignmentOperation). pointer is how the user named the
// snapshot. The error is a *MappingError, or what Program.Lists says.
func (m *Metadata) Assign(pointer string, p Program) (*Assignment, error) {
	vertices := make([]VertexAssignment, len(p.Vertices))
	at := map[string]int{}
	for i, v := range p.Vertices {
		vertices[i].MaxParallelism = v.MaxParallelism
		if v.MaxParallelism == 0 {
			n, err := state.DefaultMaxParallelism(v.Parallelism)
			if err != nil {
				return nil, err
			}
			vertices[i].MaxParallelism = n
		}
		for _, uid := range v.Operators {
			at[uid] = i
		}
	}
	out := &Assignment{Vertices: vertices}
	stored, err := m.validate(pointer, p, out, at)
	if err != nil {
		return nil, err
	}
	for i := range p.Vertices {
		if err := out.Vertices[i].assign(&p, &p.Vertices[i], stored); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// validate checks operator by operator, in the order of the snapshot, and
// returns those that the program has.
func (m *Metadata) validate(pointer string, p Program, out *Assignment, at map[string]int) (map[string]*OperatorState, error) {
	stored := map[string]*OperatorState{}
	for i := range m.Operators {
		o := &m.Operators[i]
		n, there := at[o.UID]
		if !there {
			lost := o.HasState()
			if lost && !p.AllowNonRestoredState {
				return nil, cannotMap(OperatorNotAvailable, "CP-9.5", o.UID, "",
					"Failed to rollback to checkpoint/savepoint %s. Cannot map checkpoint/savepoint state for operator %s to the new program, "+
						"because the operator is not available in the new program. If you want to allow to skip this, you can set the "+
						"--allowNonRestoredState option on the CLI.", pointer, OperatorID(o.UID))
			}
			out.Skipped = append(out.Skipped, o.UID)
			out.Dropped = append(out.Dropped, lost)
			continue
		}
		if v := p.Vertices[n]; v.MaxParallelismSet && out.Vertices[n].MaxParallelism != o.MaxParallelism {
			// Where the name of the snapshot belongs, Flink prints the object
			// that it read: CheckpointMetadata#toString.
			return nil, cannotMap(MaxParallelismMismatch, "CP-9.3", o.UID, v.Name,
				"Failed to rollback to checkpoint/savepoint Checkpoint Metadata. Max parallelism mismatch between checkpoint/savepoint "+
					"state and new program. Cannot map operator %s with max parallelism %d to new program with max parallelism %d. "+
					"This indicates that the program has been changed in a non-compatible way after the checkpoint/savepoint.",
				OperatorID(o.UID), o.MaxParallelism, out.Vertices[n].MaxParallelism)
		}
		stored[o.UID] = o
	}
	return stored, nil
}

// HasState reports whether a restore would lose something without the
// operator. The state of a coordinator alone is enough (CP-9.5).
func (o *OperatorState) HasState() bool {
	if o.Coordinator != nil {
		return true
	}
	for _, s := range o.Subtasks {
		if s != nil && len(s.Keyed)+len(s.Operator) > 0 {
			return true
		}
	}
	return false
}

// collected reports whether any subtask reported, be it that it has no state;
// finished, whether every one had finished.
func (o *OperatorState) collected() (some, finished bool) {
	finished = len(o.Subtasks) > 0
	for _, s := range o.Subtasks {
		some = some || s != nil && !s.Finished
		finished = finished && s != nil && s.Finished
	}
	return some, finished
}

// assign hands out the state of the operators of one chain. Max parallelism is
// checked and adopted operator by operator, so that of several values the last
// one holds (CP-9.3), where last means the order of a Java hash map of operator
// ids. An operator that is new to the chain takes part with the default: it can
// take back what a stored value has changed, and then the key groups above it
// are handed to nobody, without a word.
func (a *VertexAssignment) assign(p *Program, v *Vertex, stored map[string]*OperatorState) error {
	reported := false
	a.Finished = len(v.Operators) > 0
	for _, uid := range v.Operators {
		o := stored[uid]
		a.Operators = append(a.Operators, OperatorAssignment{UID: uid, Known: o != nil})
		if o == nil {
			a.Finished = false
			continue
		}
		a.Operators[len(a.Operators)-1].Coordinator = o.Coordinator
		some, finished := o.collected()
		reported = reported || some
		a.Finished = a.Finished && finished
	}
	if !reported {
		return nil
	}
	fresh := a.MaxParallelism
	for _, uid := range visitOrder(v.Operators) {
		o := stored[uid]
		if o == nil {
			// It counts as one that was stored with the program's own value.
			a.MaxParallelism = fresh
			continue
		}
		if o.MaxParallelism < v.Parallelism {
			return cannotMap(MaxParallelismTooLow, "CP-9.3", uid, v.Name,
				"The state for task %s can not be restored. The maximum parallelism (%d) of the restored state is lower than the "+
					"configured parallelism (%d). Please reduce the parallelism of the task to be lower or equal to the maximum parallelism.",
				OperatorID(v.Operators[0]), o.MaxParallelism, v.Parallelism)
		}
		a.MaxParallelism = o.MaxParallelism
	}
	for i := range a.Operators {
		o := stored[a.Operators[i].UID]
		if o == nil {
			continue
		}
		subtasks := make([]SubtaskAssignment, v.Parallelism)
		for n := range subtasks {
			keyed, err := o.keyed(n, v.Parallelism, a.MaxParallelism)
			if err != nil {
				return err
			}
			subtasks[n].Keyed = keyed
		}
		if err := o.lists(p, subtasks); err != nil {
			return err
		}
		a.Operators[i].Subtasks = subtasks
	}
	return nil
}

// keyed are the handles that a new subtask reads: with the same parallelism
// those of its predecessor, as they are; otherwise all that have key groups of
// its range.
func (o *OperatorState) keyed(subtask, parallelism, maxParallelism int) ([]KeyedAssignment, error) {
	own, err := state.KeyGroupRangeOf(subtask, maxParallelism, parallelism)
	if err != nil {
		return nil, err
	}
	same := parallelism == o.Parallelism
	var out []KeyedAssignment
	for from, s := range o.Subtasks {
		if s == nil || same && from != subtask {
			continue
		}
		for i := range s.Keyed {
			k := &s.Keyed[i]
			groups := state.KeyGroupRange{First: k.First, Last: k.Last}
			if !same {
				groups.First, groups.Last = max(groups.First, own.First), min(groups.Last, own.Last)
			}
			if groups.First <= groups.Last {
				out = append(out, KeyedAssignment{from, k, groups})
			}
		}
	}
	return out, nil
}

// An item is one item of operator state: of which old subtask, in which of its
// streams, and where in the list.
type item struct{ from, stream, index int }

// lists hands out the streams of operator state (CP-9.4).
func (o *OperatorState) lists(p *Program, subtasks []SubtaskAssignment) error {
	old := make([]state.Lists[item], len(o.Subtasks))
	var infos []state.ListInfo
	registered := map[string]bool{}
	for from, s := range o.Subtasks {
		if s == nil || s.Finished {
			continue
		}
		old[from] = state.Lists[item]{}
		for stream, h := range s.Operator {
			content := []List{{state.ListInfo{Name: h.Name, Mode: state.SplitDistribute}, 1}}
			if p.Lists != nil {
				var err error
				if content, err = p.Lists(o.UID, h); err != nil {
					return err
				}
			}
			for _, l := range content {
				if !registered[l.Name] {
					registered[l.Name] = true
					infos = append(infos, l.ListInfo)
				}
				items := old[from][l.Name]
				if items == nil {
					items = []item{}
				}
				for i := range l.Items {
					items = append(items, item{from, stream, i})
				}
				old[from][l.Name] = items
			}
		}
	}
	for n, lists := range state.Repartition(old, infos, len(subtasks)) {
		for _, info := range infos {
			for _, x := range lists[info.Name] {
				all := subtasks[n].Lists
				if last := len(all) - 1; last >= 0 && all[last].From == x.from && all[last].List == info.Name &&
					all[last].Handle.Name == o.Subtasks[x.from].Operator[x.stream].Name {
					all[last].Items = append(all[last].Items, x.index)
					continue
				}
				subtasks[n].Lists = append(all, ListAssignment{x.from, o.Subtasks[x.from].Operator[x.stream], info.Name, []int{x.index}})
			}
		}
	}
	return nil
}
