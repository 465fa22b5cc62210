package narrate

import (
	"slices"
	"strconv"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/state"
)

// A SubtaskGroups is what a subtask owns: the groups from First to Last, none
// when Last is below First, and how many of the keys that were seen.
type SubtaskGroups struct {
	Subtask string `json:"subtask"`
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Keys    int    `json:"keys"`
}

// A KeyOwner is a key that an operator has seen, its group and its subtask.
type KeyOwner struct {
	Operator string `json:"operator"`
	Key      string `json:"key"`
	Group    int    `json:"group"`
	Subtask  string `json:"subtask"`
}

// KeyGroups are the key groups of the subtasks of all keyed operators, and the
// owner of each key that was seen.
func KeyGroups(r Run) (subtasks []SubtaskGroups, keys []KeyOwner) {
	parallelism := benchOf(r.Trace).parallelism
	if r.Spec == nil {
		return nil, nil
	}
	seen := keysSeen(r.Trace)
	for _, o := range r.Spec.Operators {
		if !o.Keyed {
			continue
		}
		maxP := o.MaxParallelism
		if maxP == 0 {
			maxP = r.Spec.MaxParallelism
		}
		intern := state.NewKeys(maxP)
		if o.Rows {
			intern = state.NewRowKeys(maxP)
		}
		owned := map[int]int{}
		for _, name := range seen[o.Name] {
			k := intern.Intern(name)
			owner := k.Owner(maxP, parallelism)
			owned[owner]++
			keys = append(keys, KeyOwner{o.Name, name, k.Group, subtask(o.Name, owner)})
		}
		for i := range parallelism {
			if g, err := state.KeyGroupRangeOf(i, maxP, parallelism); err == nil {
				subtasks = append(subtasks, SubtaskGroups{subtask(o.Name, i), g.First, g.Last, owned[i]})
			}
		}
	}
	return subtasks, keys
}

// keygroups are the ranges of the subtasks, and the group and the owner of each
// key that an operator has seen.
func (v viewer) keygroups() []Table {
	ranges := v.table("keygroups", "subtask", "range", "#groups", "#keys")
	keys := v.table("keygroups.keys", "operator", "key", "#group", "subtask")
	subtasks, owners := KeyGroups(v.run)
	for _, g := range subtasks {
		r := state.KeyGroupRange{First: g.First, Last: g.Last}
		ranges.add(g.Subtask, v.groupRange(r), strconv.Itoa(r.Size()), strconv.Itoa(g.Keys))
	}
	for _, k := range owners {
		keys.add(k.Operator, k.Key, strconv.Itoa(k.Group), k.Subtask)
	}
	if len(keys.Rows) == 0 {
		return []Table{ranges}
	}
	return []Table{ranges, keys}
}

func subtask(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

// groupRange is empty where there are fewer groups than subtasks.
func (v viewer) groupRange(r state.KeyGroupRange) string {
	if r.Size() <= 0 {
		return v.text("view.none", nil)
	}
	return v.text("view.range", locale.Args{"First": r.First, "Last": r.Last})
}

// keysSeen are the keys that each operator has handled, sorted.
func keysSeen(t *sim.Trace) map[string][]string {
	out := map[string][]string{}
	note := func(s *sim.Step, key string) {
		name := vertex(s.At)
		if i, found := slices.BinarySearch(out[name], key); !found {
			out[name] = slices.Insert(out[name], i, key)
		}
	}
	for s := range t.Main() {
		switch b := s.Body.(type) {
		case sim.RecordPlaced:
			note(s, b.Key)
		case sim.RecordDropped:
			note(s, b.Key)
		case sim.RecordLate:
			note(s, b.Key)
		case sim.RecordVanished:
			note(s, b.Key)
		case sim.RecordProcessed:
			note(s, b.Key)
		}
	}
	return out
}

// Flink's memory, by the options of its own config.yaml and their defaults, in
// bytes (CP-6.10). Nothing here is measured.
const (
	mib = 1 << 20
	// processSize is taskmanager.memory.process.size as Flink ships it.
	processSize = 1728 * mib
	// metaspace and overhead are taskmanager.memory.jvm-metaspace.size and the
	// lower bound of jvm-overhead, which is more than a tenth of the process.
	metaspace = 256 * mib
	overhead  = 192 * mib
	// managedPercent is taskmanager.memory.managed.fraction.
	managedPercent = 40
	// slots is taskmanager.numberOfTaskSlots.
	slots = 1
)

// A MemoryFact is a part of the model of managed memory: bytes, or how many
// there are of something.
type MemoryFact struct {
	// ID is flink, managed, slot, heap, instances, families, cache, write-buffers
	// or high-priority.
	ID    string `json:"id"`
	Bytes int64  `json:"bytes,omitempty"`
	Count int    `json:"count,omitempty"`
}

// Memory is how Flink would divide managed memory: a calculated model.
func Memory(r Run) []MemoryFact {
	if r.Spec == nil || len(benchOf(r.Trace).vertices) == 0 {
		return nil
	}
	const total = processSize - metaspace - overhead
	const managed = total * managedPercent / 100
	const slot = managed / slots
	out := []MemoryFact{{ID: "flink", Bytes: total}, {ID: "managed", Bytes: managed}, {ID: "slot", Bytes: slot}}
	if n := r.Spec.Backend.Name; n == "" || n == "hashmap" {
		return append(out, MemoryFact{ID: "heap"})
	}
	instances := 0
	families := map[string]bool{}
	for _, o := range r.Spec.Operators {
		if o.Keyed {
			instances++
		}
	}
	for _, tree := range fold.StorageOf(r.Trace).Trees {
		families[vertex(tree.At)+"/"+tree.Family] = true
	}
	out = append(out, MemoryFact{ID: "instances", Count: instances})
	if len(families) > 0 {
		out = append(out, MemoryFact{ID: "families", Count: len(families)})
	}
	// With state.backend.rocksdb.memory.write-buffer-ratio r = 1/2: (3-r)/3 and
	// 2r/3 of the slot's part.
	return append(out, MemoryFact{ID: "cache", Bytes: slot * 5 / 6}, MemoryFact{ID: "write-buffers", Bytes: slot / 3}, MemoryFact{ID: "high-priority", Bytes: slot * 5 / 6 / 10})
}

// memory is the model as a table.
func (v viewer) memory() Table {
	t := v.table("memory", "~fact", "#value", "~how")
	for _, f := range Memory(v.run) {
		value := "-"
		switch {
		case f.Count > 0 || f.ID == "instances":
			value = strconv.Itoa(f.Count)
		case f.Bytes > 0:
			value = v.size(f.Bytes)
		}
		t.add(v.text("view.memory."+f.ID, nil), value, v.text("view.memory."+f.ID+".how", nil))
	}
	return t
}
