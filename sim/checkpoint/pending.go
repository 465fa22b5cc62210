package checkpoint

import (
	"slices"

	"streaminglab/sim"
)

// A pending checkpoint has an id and waits for acknowledgements
// (PendingCheckpoint).
type pending struct {
	id         int64
	triggered  int64
	properties Properties
	request    *request
	plan       plan
	location   Location
	timeout    *sim.Event
	// preparing: its coordinators are asked, no task was triggered.
	preparing bool
	// coordinators have not answered yet.
	coordinators []string
	coordinated  map[string][]byte
	waiting      map[int]bool
	acknowledged map[int]TaskState
	uploaded     int64
	disposed     bool
}

func (p *pending) complete() bool {
	return len(p.waiting) == 0 && len(p.coordinators) == 0 && !p.disposed
}

// metadata puts together what the tasks acknowledged.
func (p *pending) metadata(g *Graph) *Metadata {
	m := &Metadata{ID: p.id, Type: p.properties.Type}
	for i, v := range g.Vertices {
		first := g.first(i)
		for _, uid := range v.Operators {
			o := OperatorState{
				UID: uid, Parallelism: v.Parallelism, MaxParallelism: v.MaxParallelism,
				Coordinator: p.coordinated[uid],
			}
			for n := range v.Parallelism {
				var s *SubtaskState
				for j := range p.acknowledged[first+n] {
					if t := &p.acknowledged[first+n][j]; t.UID == uid {
						s = &t.State
					}
				}
				o.Subtasks = append(o.Subtasks, s)
			}
			m.Operators = append(m.Operators, o)
		}
	}
	slices.SortFunc(m.Operators, func(a, b OperatorState) int {
		switch {
		case a.UID < b.UID:
			return -1
		case a.UID > b.UID:
			return 1
		}
		return 0
	})
	return m
}

// discard deletes what was acknowledged and the directory with all that is in
// it. Shared files stay if a registry knows them; those of a savepoint are in
// none.
func (p *pending) discard(s *Storage) {
	for _, task := range p.acknowledged {
		for i := range task {
			task[i].State.private(func(h Handle) { _ = s.discard(h) })
			if p.properties.Type.Savepoint() {
				_ = task[i].State.shared(func(h *Handle) error { return s.discard(*h) })
			}
		}
	}
	if p.location.Directory != "" {
		_ = s.removeAll(p.location)
	}
}
