package checkpoint

// An Input is an edge of the job graph.
type Input struct {
	// Vertex is the index of the vertex upstream.
	Vertex int
	// Pointwise: subtask i reads from subtask i alone; otherwise from all.
	Pointwise bool
}

// A Vertex is a chain of operators with its subtasks.
type Vertex struct {
	Name           string
	Parallelism    int
	MaxParallelism int
	// MaxParallelismSet : the user set MaxParallelism, so that no restore may
	// change it.
	MaxParallelismSet bool
	// Operators are the uids of the chain.
	Operators []string
	// Inputs are empty for a source.
	Inputs []Input
}

// A TaskStatus says how far a task is.
type TaskStatus uint8

// The statuses, as far as a checkpoint cares.
const (
	// Running tasks can take part.
	Running TaskStatus = iota
	// Deploying : not running yet (created, scheduled, deploying,
	// initializing).
	Deploying
	// Done : finished.
	Done
)

// A Graph is the job as the coordinator sees it. Tasks are numbered through:
// the subtasks of the first vertex, then those of the next.
type Graph struct {
	// Vertices are in topological order.
	Vertices []Vertex
	status   []TaskStatus
}

// NewGraph returns a graph of running tasks.
func NewGraph(vertices ...Vertex) *Graph {
	g := &Graph{Vertices: vertices}
	n := 0
	for _, v := range vertices {
		n += v.Parallelism
	}
	g.status = make([]TaskStatus, n)
	return g
}

// Tasks is the number of tasks.
func (g *Graph) Tasks() int { return len(g.status) }

// Status returns how far a task is.
func (g *Graph) Status(task int) TaskStatus { return g.status[task] }

// Set changes it.
func (g *Graph) Set(task int, s TaskStatus) { g.status[task] = s }

// first is the number of a vertex' first task.
func (g *Graph) first(vertex int) (n int) {
	for _, v := range g.Vertices[:vertex] {
		n += v.Parallelism
	}
	return n
}

// A plan says which tasks take part (CheckpointPlan, CP-1.7).
type plan struct {
	trigger []int
	wait    []int
	// sources: trigger are exactly all sources; all: wait are all tasks.
	sources, all bool
}

// plan calculates who takes part (DefaultCheckpointPlanCalculator). It is
// false when a task that must take part is not running (CP-2.9a), or when some
// have finished and that is not supported.
func (g *Graph) plan(finishedSupported bool) (plan, bool) {
	var p plan
	finished := false
	for _, s := range g.status {
		finished = finished || s == Done
	}
	if finished && !finishedSupported {
		return p, false
	}
	sources := 0
	triggered := 0
	for i, v := range g.Vertices {
		first := g.first(i)
		if len(v.Inputs) == 0 {
			sources += v.Parallelism
		}
		for n := range v.Parallelism {
			task := first + n
			if g.status[task] == Done {
				continue
			}
			p.wait = append(p.wait, task)
			if !g.fed(v, n) {
				p.trigger = append(p.trigger, task)
				if len(v.Inputs) == 0 {
					triggered++
				}
			}
		}
	}
	for _, task := range p.wait {
		if g.status[task] != Running {
			return p, false
		}
	}
	p.sources = triggered == sources && len(p.trigger) == sources
	p.all = len(p.wait) == len(g.status)
	return p, true
}

// fed reports whether a subtask still has a running task upstream: a barrier
// will come from there.
func (g *Graph) fed(v Vertex, subtask int) bool {
	for _, in := range v.Inputs {
		first, up := g.first(in.Vertex), g.Vertices[in.Vertex]
		if in.Pointwise {
			if g.status[first+subtask%up.Parallelism] != Done {
				return true
			}
			continue
		}
		for n := range up.Parallelism {
			if g.status[first+n] != Done {
				return true
			}
		}
	}
	return false
}
