package fold

import (
	"slices"
	"strings"

	"streaminglab/sim"
)

// Causes are the steps that led to a step of a trace. What a zombie does, it
// does because its TaskManager woke up: where no other step of a zombie says so
// already, that is one of them (CP-11.8).
func Causes(t *sim.Trace, s *sim.Step) []*sim.Step {
	if !isZombie(s) || slices.ContainsFunc(s.Causes, isZombie) {
		return s.Causes
	}
	w := wakeUp(t, s)
	if w == nil || slices.Contains(s.Causes, w) {
		return s.Causes
	}
	i, _ := slices.BinarySearchFunc(s.Causes, w, func(a, b *sim.Step) int { return a.Seq - b.Seq })
	return slices.Insert(slices.Clone(s.Causes), i, w)
}

func isZombie(s *sim.Step) bool { return strings.HasSuffix(s.At, sim.Zombie) }

// wakeUp is the step in which the TaskManager of a zombie woke up: the last one
// of a TaskManager on which its subtask ran when it was frozen.
func wakeUp(t *sim.Trace, s *sim.Step) *sim.Step {
	for seq := s.Seq - 1; seq > 0; seq-- {
		w := t.Step(seq)
		if b, ok := w.Body.(sim.TaskManagerWoke); ok && b.Zombie && w.At == frozenManager(t, w, s.At) {
			return w
		}
	}
	return nil
}

// frozenManager is the TaskManager of a subtask in the attempt in which the one
// that woke up was frozen.
func frozenManager(t *sim.Trace, woke *sim.Step, at string) string {
	seq := woke.Seq
	for _, c := range woke.Causes {
		if _, ok := c.Body.(sim.TaskManagerFrozen); ok {
			seq = c.Seq
		}
	}
	for ; seq > 0; seq-- {
		if b, ok := t.Step(seq).Body.(sim.JobStarted); ok {
			return endpoint(b, at)
		}
	}
	return ""
}
