package world

import (
	"regexp"
	"slices"
	"strings"

	"streaminglab/sim"
	connector "streaminglab/sim/connector/kafka"
	"streaminglab/sim/flink"
)

// maxBeside is how many jobs may run beside the one of the experiment.
const maxBeside = 4

// A neighbour is a job that runs beside the one of the experiment, on a cluster of
// its own: they share the broker. Its sources, operators and sinks bear its name in
// front, and its steps too. Settings do not reach it: it is somebody else's.
type neighbour struct {
	name     string
	job      *flink.Job
	cluster  *flink.Cluster
	kernel   *sim.Kernel
	channels *connector.Backchannels
}

// BesideNames are the jobs beside the one of the experiment, sorted.
func (w *World) BesideNames() (out []string) {
	for _, n := range w.beside {
		out = append(out, n.name)
	}
	return out
}

// neighbour finds a job beside the one of the experiment, nil: there is none of that
// name.
func (w *World) neighbour(name string) *neighbour {
	for _, n := range w.beside {
		if n.name == name {
			return n
		}
	}
	return nil
}

// all are all jobs that have been started, that of the experiment first.
func (w *World) all() (out []*flink.Job) {
	if w.job != nil {
		out = append(out, w.job)
	}
	for _, n := range w.beside {
		out = append(out, n.job)
	}
	return out
}

// any asks the jobs in that order until one says so.
func (w *World) any(does func(*flink.Job) bool) bool {
	if w.job != nil && does(w.job) {
		return true
	}
	if len(w.beside) == 0 {
		return false // asked before each action
	}
	return slices.ContainsFunc(w.beside, func(n *neighbour) bool { return does(n.job) })
}

// jobOf is the job that a source, an operator, a sink or a subtask belongs to by
// its name.
func (w *World) jobOf(vertex string) *flink.Job {
	name, _, _ := strings.Cut(vertex, ".")
	if n := w.neighbour(name); n != nil {
		return n.job
	}
	return w.job
}

// StartBeside starts the job of a file beside the one of the experiment, under a
// name. One that runs under that name is canceled.
func (w *World) StartBeside(text Command, file, name string) error {
	if err := w.needJob(); err != nil {
		return err
	}
	if !validName(name) || strings.Contains(name, ".") || reserved(name) {
		return sim.NewProblem("world.beside-name", "Name", name)
	}
	n := w.neighbour(name)
	if taken(w.job.Spec, name) {
		return sim.NewProblem("world.beside-taken", "Name", name)
	}
	if n == nil && len(w.beside) >= maxBeside {
		return sim.NewProblem("job.too-many", "Max", maxBeside)
	}
	body, err := w.jobFile(file)
	if err != nil {
		return err
	}
	spec, err := ReadJob(file, body, nil, w.config.Bounds)
	if err != nil {
		return err
	}
	rename(spec, name+".")
	w.kernel.Command(string(text))
	if n == nil {
		n = &neighbour{name: name, kernel: w.kernel.Beside(name), channels: connector.NewBackchannels()}
		n.cluster = flink.NewCluster(n.kernel, nil)
		n.cluster.Logs, n.cluster.Work = w.logs, w.config.Work
		w.beside = append(w.beside, n)
		slices.SortFunc(w.beside, func(a, b *neighbour) int { return strings.Compare(a.name, b.name) })
	} else {
		n.job.Replace()
	}
	w.connect(spec, n.channels)
	w.addSplits(spec)
	n.job = flink.NewJob(n.cluster, spec)
	if err := n.job.Start(nil); err != nil {
		return w.bounded(err)
	}
	return w.settle()
}

// processForm are names of processes, and words that stand where a name may.
var processForm = regexp.MustCompile(`^(jobmanager|jm|taskmanager-.*|broker-.*|full|as)$`)

func reserved(name string) bool { return processForm.MatchString(name) }

// taken reports whether a job has a source, an operator or a sink whose name begins
// like those of a job beside of a name.
func taken(spec *flink.Spec, name string) bool {
	begins := func(v string) bool { return strings.HasPrefix(v, name+".") }
	return slices.ContainsFunc(spec.Sources, func(s *flink.SourceSpec) bool { return begins(s.Name) }) ||
		slices.ContainsFunc(spec.Operators, func(o *flink.OperatorSpec) bool { return begins(o.Name) }) ||
		slices.ContainsFunc(spec.Sinks, func(s *flink.SinkSpec) bool { return begins(s.Name) })
}

// apart refuses a job that has the names of one beside it.
func (w *World) apart(spec *flink.Spec) error {
	for _, n := range w.beside {
		if taken(spec, n.name) {
			return sim.NewProblem("world.beside-taken", "Name", n.name)
		}
	}
	return nil
}

// rename puts a prefix before the names of what a job consists of.
func rename(spec *flink.Spec, prefix string) {
	inputs := func(in []string) []string {
		out := make([]string, len(in))
		for i, name := range in {
			out[i] = prefix + name
		}
		return out
	}
	exchanges := func(in map[string]string) map[string]string {
		out := map[string]string{}
		for name, how := range in {
			out[prefix+name] = how
		}
		return out
	}
	for _, s := range spec.Sources {
		s.Name = prefix + s.Name
	}
	for _, o := range spec.Operators {
		o.Name, o.Inputs, o.Exchanges = prefix+o.Name, inputs(o.Inputs), exchanges(o.Exchanges)
	}
	for _, s := range spec.Sinks {
		s.Name, s.Inputs, s.Exchanges = prefix+s.Name, inputs(s.Inputs), exchanges(s.Exchanges)
		if k, ok := s.Connector.(*connector.Sink); ok {
			k.Name, k.Inputs, k.Exchanges = s.Name, s.Inputs, s.Exchanges
		}
	}
}

// needNeighbour finds a job beside the one of the experiment.
func (w *World) needNeighbour(name string) (*flink.Job, error) {
	if n := w.neighbour(name); n != nil {
		return n.job, nil
	}
	known := w.BesideNames()
	return nil, sim.NewProblem("world.unknown-beside", "Name", name, "Known", strings.Join(known, ", "), "Nearest", Nearest(name, known))
}

// CheckpointBeside starts a checkpoint of a job beside the one of the experiment.
func (w *World) CheckpointBeside(text Command, name string) error {
	job, err := w.needNeighbour(name)
	if err != nil {
		return err
	}
	return w.triggerOf(job, text, job.Trigger)
}

// CancelBeside ends a job beside the one of the experiment without a savepoint.
func (w *World) CancelBeside(text Command, name string) error {
	job, err := w.needNeighbour(name)
	if err != nil {
		return err
	}
	return w.cancel(job, text)
}

// NamesBeside are the sources, splits and operators of those jobs.
func (w *World) NamesBeside() (sources, splits, operators []string) {
	for _, n := range w.beside {
		for _, s := range n.job.Spec.Sources {
			sources = append(sources, s.Name)
			for _, l := range w.logs.Of(s.Name) {
				splits = append(splits, l.Name())
			}
		}
		operators = append(operators, operatorNames(n.job)...)
	}
	return sources, splits, operators
}
