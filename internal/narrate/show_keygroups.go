package narrate

import (
	"slices"
	"strconv"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/state"
)

// keygroups are the ranges of the subtasks, and the group and the owner of each
// key that an operator has seen.
func (v viewer) keygroups() []Table {
	ranges := v.table("keygroups", "subtask", "range", "#groups", "#keys")
	keys := v.table("keygroups.keys", "operator", "key", "#group", "subtask")
	if v.run.Spec == nil || len(v.bench.vertices) == 0 {
		return []Table{ranges}
	}
	seen := keysSeen(v.run.Trace)
	for _, o := range v.run.Spec.Operators {
		if !o.Keyed {
			continue
		}
		maxP := v.maxParallelism(o)
		intern := state.NewKeys(maxP)
		if o.Rows {
			intern = state.NewRowKeys(maxP)
		}
		owned := map[int]int{}
		for _, name := range seen[o.Name] {
			k := intern.Intern(name)
			owner := k.Owner(maxP, v.bench.parallelism)
			owned[owner]++
			keys.add(o.Name, name, strconv.Itoa(k.Group), subtask(o.Name, owner))
		}
		for i := range v.bench.parallelism {
			r, err := state.KeyGroupRangeOf(i, maxP, v.bench.parallelism)
			if err != nil {
				continue
			}
			ranges.add(subtask(o.Name, i), v.groupRange(r), strconv.Itoa(r.Size()), strconv.Itoa(owned[i]))
		}
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

func (v viewer) maxParallelism(o *flink.OperatorSpec) int {
	if o.MaxParallelism > 0 {
		return o.MaxParallelism
	}
	return v.run.Spec.MaxParallelism
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
	for _, s := range t.Steps() {
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

// memory is how Flink would divide managed memory: a calculated model.
func (v viewer) memory() Table {
	t := v.table("memory", "~fact", "#value", "~how")
	if len(v.bench.vertices) == 0 || v.run.Spec == nil {
		return t
	}
	fact := func(id, value string) {
		t.add(v.text("view.memory."+id, nil), value, v.text("view.memory."+id+".how", nil))
	}
	const total = processSize - metaspace - overhead
	const managed = total * managedPercent / 100
	const slot = managed / slots
	fact("flink", v.size(total))
	fact("managed", v.size(managed))
	fact("slot", v.size(slot))
	backend := v.run.Spec.Backend.Name
	if backend == "" || backend == "hashmap" {
		fact("heap", "-")
		return t
	}
	instances := 0
	families := map[string]bool{}
	for _, o := range v.run.Spec.Operators {
		if o.Keyed {
			instances++
		}
	}
	for _, tree := range storageOf(v.run.Trace).trees {
		families[vertex(tree.at)+"/"+tree.family] = true
	}
	fact("instances", strconv.Itoa(instances))
	if len(families) > 0 {
		fact("families", strconv.Itoa(len(families)))
	}
	// With state.backend.rocksdb.memory.write-buffer-ratio r = 1/2: (3-r)/3 and
	// 2r/3 of the slot's part.
	fact("cache", v.size(slot*5/6))
	fact("write-buffers", v.size(slot/3))
	fact("high-priority", v.size(slot*5/6/10))
	return t
}
