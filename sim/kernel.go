package sim

import "slices"

// A Kernel runs a world: one action at a time, in virtual time. An action is
// what one component does with one thing (an element, a timer, a probe); what
// it puts out stands in line and leaves one by one, so that a run can stop
// between any two steps, and a crash there loses exactly what had not left.
//
// Several kernels may share one run: Beside makes one for a job that runs beside
// another.
type Kernel struct {
	*run
	// Job is the name of the job beside the one of the experiment that it is for;
	// empty: it is for everything else.
	Job string
}

// run is what the kernels of a run share.
type run struct {
	Seed   uint64
	Bounds Bounds
	Trace  *Trace
	Queue  Queue
	Faults Faults
	// Quiet : nobody watches. No step is written, and those who would write one
	// for every record do not even make it. What happens is the same.
	Quiet bool
	// Root is the step of the present command: the cause of what has no other.
	Root *Step

	now    int64
	outbox []output
	head   int
	// discards counts how often something was taken from the line.
	discards int
	// inner counts what the present action has put in front of the line.
	inner   int
	busy    func() bool
	settled func() bool
	actions int
}

// Inner runs do so that what it puts in line stands before what stood there
// when the present action began: a call in the middle of what its caller puts
// out. Several calls of one action keep their order.
func (k *Kernel) Inner(do func()) {
	at, discards := len(k.outbox), k.discards
	do()
	if discards != k.discards {
		return
	}
	first, inner := k.head+k.inner, len(k.outbox)-at
	k.inner += inner
	if first < at && inner > 0 {
		line := k.outbox[first:]
		slices.Reverse(line[:at-first])
		slices.Reverse(line[at-first:])
		slices.Reverse(line)
	}
}

type output struct {
	job  string
	by   *Process
	step *Step
	do   func()
}

// A Process is what puts things out: a subtask. What a dead one still has in
// line goes with DiscardDead, and it puts out nothing more.
type Process struct {
	// Dead : its attempt is over.
	Dead bool
}

// NewKernel returns a kernel at time 0.
func NewKernel(seed uint64, b Bounds) *Kernel {
	return &Kernel{run: &run{Seed: seed, Bounds: b, Trace: &Trace{}}}
}

// Beside is a kernel of the same run for a job of a name: its steps bear it.
func (k *Kernel) Beside(job string) *Kernel { return &Kernel{run: k.run, Job: job} }

// Work sets what there is to do at the present moment besides the queue: ready
// takes one element on, idle reads one from a log once nothing is on its way.
// Each reports whether it did something.
func (k *Kernel) Work(ready, idle func() bool) { k.busy, k.settled = ready, idle }

// Now is the virtual time in ms.
func (k *Kernel) Now() int64 { return k.now }

// Emit writes a step at once.
func (k *Kernel) Emit(at, rule string, body Body, causes ...*Step) *Step {
	if k.Quiet {
		return nil
	}
	s := k.Step(at, rule, body, causes...)
	return k.Trace.Append(s)
}

// Step makes a step that Put will write in its turn.
func (k *Kernel) Step(at, rule string, body Body, causes ...*Step) *Step {
	if k.Quiet {
		return nil
	}
	n := 0
	for _, c := range causes {
		if c != nil {
			n++
		}
	}
	if n == 0 && k.Root != nil {
		causes = []*Step{k.Root}
	}
	return &Step{T: k.now, At: at, Job: k.Job, Rule: rule, Body: body, Causes: causes}
}

// Put stands a step, or something to do, or both, in line.
func (k *Kernel) Put(s *Step, do func()) { k.PutBy(nil, s, do) }

// PutBy is Put for a process; nil: it belongs to none.
func (k *Kernel) PutBy(p *Process, s *Step, do func()) {
	if (s != nil || do != nil) && (p == nil || !p.Dead) {
		k.outbox = append(k.outbox, output{k.Job, p, s, do})
	}
}

// Discard empties the line of what was put out for the same job: all who did are
// gone.
func (k *Kernel) Discard() { k.discard(func(o *output) bool { return o.job == k.Job }) }

// DiscardDead takes what dead processes put out from the line.
func (k *Kernel) DiscardDead() { k.discard(func(o *output) bool { return o.by != nil && o.by.Dead }) }

func (k *Kernel) discard(gone func(*output) bool) {
	left := k.outbox[:k.head]
	for _, o := range k.outbox[k.head:] {
		if !gone(&o) {
			left = append(left, o)
		}
	}
	clear(k.outbox[len(left):])
	k.outbox = left
	k.discards++
}

// Leaving reports whether outputs stand in line.
func (k *Kernel) Leaving() bool { return k.head < len(k.outbox) }

// Command starts a command: the root of the causes of all that follows.
func (k *Kernel) Command(text string) *Step {
	k.Root = nil
	k.Root = k.Emit("lab", "LAB-1", CommandGiven{Command: text})
	k.actions = 0
	return k.Root
}

// Next does one thing that is due at or before limit and reports whether there
// was one. It never moves time past limit.
func (k *Kernel) Next(limit int64) (bool, error) {
	if err := k.bounded(); err != nil {
		return false, err
	}
	k.inner = 0
	if k.Leaving() {
		o := k.outbox[k.head]
		k.outbox[k.head] = output{}
		k.head++
		if k.head == len(k.outbox) {
			k.outbox, k.head = k.outbox[:0], 0
		}
		if o.step != nil {
			o.step.T = k.now
			k.Trace.Append(o.step)
		}
		if o.do != nil {
			o.do()
		}
		return true, nil
	}
	if k.busy != nil && k.busy() {
		return true, nil
	}
	if e := k.Queue.Next(); e != nil && e.At <= k.now {
		k.Queue.Take().Do()
		return true, nil
	}
	if k.settled != nil && k.settled() {
		return true, nil
	}
	e := k.Queue.Next()
	if e == nil || e.At > limit {
		return false, nil
	}
	k.Queue.Take()
	k.now = e.At
	e.Do()
	return true, nil
}

// Fault says that a fault point is passed, by the job that the kernel is for: see
// Faults.
func (k *Kernel) Fault(point string, places ...string) *Fault {
	return k.Faults.pass(k.Job, point, places)
}

// Pass lets time go on to t when nothing is due before.
func (k *Kernel) Pass(t int64) {
	if t > k.now {
		k.now = t
	}
}

func (k *Kernel) bounded() error {
	k.actions++
	switch b := k.Bounds; {
	case b.Steps > 0 && k.Trace.Len() >= b.Steps:
		return &BoundError{Bound: "steps", Limit: int64(b.Steps)}
	case b.Actions > 0 && k.actions > b.Actions:
		return &BoundError{Bound: "actions", Limit: int64(b.Actions)}
	case b.Time > 0 && k.now > b.Time:
		return &BoundError{Bound: "time", Limit: b.Time}
	}
	return nil
}
