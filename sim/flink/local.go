package flink

import (
	"maps"
	"slices"

	"streaminglab/sim/checkpoint"
)

// A backup is the second copy of a subtask's keyed state that its TaskManager
// keeps on its disk: what each object held that the last checkpoints of the
// subtask refer to (CP-11.6).
type backup struct {
	// groups are the key groups of the subtask.
	first, last int
	// objects are by the name that they have on the store; of are those of a
	// checkpoint.
	objects map[string][]byte
	of      map[int64][]string
}

// localBackup is execution.checkpointing.local-backup.enabled: a copy of what a
// subtask acknowledges stays on its TaskManager. Savepoints have none.
func (j *Job) localBackup(c *chain, id int64, state checkpoint.TaskState) {
	if !j.Spec.Checkpointing.LocalBackup {
		return
	}
	for i := range state {
		at := ""
		for _, t := range c.tasks {
			if t.spec.ID() == state[i].UID {
				at = t.at
			}
		}
		for _, k := range state[i].State.Keyed {
			b := j.backups[at]
			if b == nil || b.first != k.First || b.last != k.Last {
				b = &backup{first: k.First, last: k.Last, objects: map[string][]byte{}, of: map[int64][]string{}}
				if j.backups == nil {
					j.backups = map[string]*backup{}
				}
				j.backups[at] = b
			}
			for _, h := range append(slices.Clone(k.Shared), k.Private...) {
				path := h.Handle.Path
				if h.Handle.Kind == checkpoint.Inline || path == "" {
					continue
				}
				if _, known := b.objects[path]; !known {
					data, err := j.cluster.Store.Peek(path)
					if err != nil {
						continue
					}
					b.objects[path] = data
				}
				b.of[id] = append(b.of[id], path)
			}
			b.prune(j.coordinator.Store().Checkpoints(), id)
		}
	}
}

// prune forgets copies that neither a completed checkpoint nor the newest one
// refers to.
func (b *backup) prune(completed []*checkpoint.CompletedCheckpoint, newest int64) {
	keep := map[int64]bool{newest: true}
	for _, c := range completed {
		keep[c.ID()] = true
	}
	used := map[string]bool{}
	for id, paths := range b.of {
		if !keep[id] {
			delete(b.of, id)
			continue
		}
		for _, p := range paths {
			used[p] = true
		}
	}
	maps.DeleteFunc(b.objects, func(p string, _ []byte) bool { return !used[p] })
}

// local returns the copies of a checkpoint that a subtask can read on its own
// TaskManager: only when it comes back there, with the same key groups
// (execution.state-recovery.from-local). Nil: it reads from the store.
func (j *Job) local(at string, id int64, first, last int) map[string][]byte {
	b := j.backups[at]
	if b == nil || !j.Spec.Checkpointing.FromLocal || b.first != first || b.last != last || b.of[id] == nil {
		return nil
	}
	out := map[string][]byte{}
	for _, p := range b.of[id] {
		out[p] = b.objects[p]
	}
	return out
}

// loseBackups forgets what was on the disk of a TaskManager, or of all of them.
func (j *Job) loseBackups(tm string) {
	for at := range j.backups {
		if tm == "" || j.managerOf(at) == tm {
			delete(j.backups, at)
		}
	}
}

// fromLocal reports whether the subtask was filled from its TaskManager's disk.
func (t *task) fromLocal(from *Restored) bool {
	groups, err := t.groups()
	return err == nil && t.local(from, groups) != nil
}
