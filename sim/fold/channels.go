package fold

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
)

// Channels is the job graph as the steps leave it: what waits and what barriers
// are in the channels between subtasks, and how far each subtask is with each
// checkpoint that is pending.
type Channels struct {
	Job     string
	Attempt int
	// Live: the attempt runs. Else Ended is the type of the step that ended it.
	Live  bool
	Ended string
	// Vertices are in topological order, their channels in that of the senders.
	Vertices []*Vertex
	Channels []*Channel
	// Chains are the vertices of each task that has several, its head first.
	Chains [][]string
	// Pending are the checkpoints that are not done, in the order of their
	// triggers; Last is the one that ended last, of this job.
	Pending []*PendingCheckpoint
	Last    *PendingCheckpoint
	Now     int64

	subtasks map[string]*Subtask
	channels map[[2]string]*Channel
	// readers say which subtask of a source reads a split.
	readers map[string]*Subtask
}

// A Vertex is a source, an operator or a sink.
type Vertex struct {
	Name     string
	Subtasks []*Subtask
	// In and Out count its edges: a source has none that lead in.
	In, Out int
	// Full: backpressure; it takes nothing, or nothing of it is taken.
	Full bool
}

// A Phase says how far a subtask is with a checkpoint.
type Phase string

// The phases.
const (
	// PhaseNone : nothing of it has come.
	PhaseNone Phase = "none"
	// PhaseHeld : a source that was to be told and was not yet.
	PhaseHeld Phase = "held"
	// PhaseAligning : barriers have come through some channels.
	PhaseAligning Phase = "aligning"
	// PhaseCollecting : the snapshot is taken; what comes before the missing
	// barriers is kept with the checkpoint.
	PhaseCollecting Phase = "collecting"
	// PhaseAsync : the snapshot is taken and is being written.
	PhaseAsync Phase = "async"
	// PhaseStanding : the snapshot is begun, and the subtask does nothing else.
	PhaseStanding     Phase = "standing"
	PhaseAcknowledged Phase = "acknowledged"
	PhaseDeclined     Phase = "declined"
)

// Taken reports whether the snapshot is taken.
func (p Phase) Taken() bool {
	return p == PhaseCollecting || p == PhaseAsync || p == PhaseStanding || p == PhaseAcknowledged
}

// A Part is what a subtask has to do with a checkpoint.
type Part struct {
	Phase Phase
	// Barriers are those that have come, of Of channels.
	Barriers, Of int
	Unaligned    bool
	// InFlight counts elements of its input that are kept with the checkpoint, as
	// far as steps tell of them.
	InFlight int
	Step     int

	// came are the channels whose barrier has come.
	came []*Channel
}

// A Subtask is one subtask.
type Subtask struct {
	Name   string
	Vertex *Vertex
	In     []*Channel
	Out    []*Channel
	// Head is the subtask that leads the task that this one is part of; nil: it
	// leads one itself, to which Called belong.
	Head   *Subtask
	Called []*Subtask
	// Failed: it threw what ended the attempt. Down: its region waits for its
	// restart while others go on. Ended: its source has no more data.
	Failed, Down, Ended bool
	// Restoring is the time until which it takes its state, in ms.
	Restoring int64
	// Sent is a record that a source has read and that has come nowhere yet; nil:
	// there is none.
	Sent *Item
	// Step is the last one about it.
	Step int

	parts map[int64]*Part
	// held: it was not told of the checkpoint that is being triggered. stands: it
	// is about to take a snapshot and to do nothing else.
	held, stands bool
}

// A Channel leads from one subtask to another.
type Channel struct {
	From, To *Subtask
	Exchange string
	// Chained : there is no channel, From calls To.
	Chained bool
	// Items are what is in it, the one that comes out next first.
	Items []Item
	// Blocked is the checkpoint whose alignment holds it back; Collecting the
	// unaligned one that keeps all that comes before its barrier; 0: none.
	Blocked    int64
	Collecting int64
	// Step is the last one about it.
	Step int
}

// An Item is a record or a barrier in a channel.
type Item struct {
	// Barrier is the id of a checkpoint; 0: it is a record.
	Barrier   int64
	Unaligned bool
	Record    sim.RecordID
	Key       string
	// Why says why it waits: blocked, backpressure or busy; restored: it was in
	// flight when the checkpoint was taken and came back with it.
	Why string
	// InFlight is the unaligned checkpoint that keeps it; 0: none.
	InFlight int64
	Step     int

	cause int
}

// WaitRestored is why an element waits that came back with a checkpoint.
const WaitRestored = "restored"

// A PendingCheckpoint is a checkpoint and who has acknowledged it.
type PendingCheckpoint struct {
	ID   int64
	Name string
	Kind string
	// Acknowledged and Missing are subtasks, in the order of the graph.
	Acknowledged, Missing []string
	// Finalizing: all have acknowledged, and _metadata is being written.
	Finalizing bool
	// Status, Reason and Duration are of one that ended.
	Status   string
	Reason   string
	Duration int64
	// Triggered is when it was triggered, in ms.
	Triggered int64
	Step      int
}

// Label is how a script calls it: chk-3, sp1.
func (c *PendingCheckpoint) Label() string {
	if c.Name != "" {
		return c.Name
	}
	return "chk-" + strconv.FormatInt(c.ID, 10)
}

// Savepoint reports whether a person asked for it.
func (c *PendingCheckpoint) Savepoint() bool { return strings.HasPrefix(c.Kind, "savepoint") }

// All is how many subtasks have to acknowledge.
func (c *PendingCheckpoint) All() int { return len(c.Acknowledged) + len(c.Missing) }

// ChannelsOf folds a trace.
func ChannelsOf(t *sim.Trace) *Channels {
	c := &Channels{}
	for x := range t.Main() {
		c.add(x)
	}
	return c
}

// Subtask is the one with a name, or nil.
func (c *Channels) Subtask(name string) *Subtask { return c.subtasks[name] }

// Shown is the checkpoint to look at: the oldest that is pending, else the one
// that ended last.
func (c *Channels) Shown() *PendingCheckpoint {
	if len(c.Pending) > 0 {
		return c.Pending[0]
	}
	return c.Last
}

// Part is what a subtask has to do with a checkpoint.
func (s *Subtask) Part(id int64) Part {
	if s.Head != nil {
		return s.Head.Part(id)
	}
	if p := s.parts[id]; p != nil {
		return *p
	}
	if s.held {
		return Part{Phase: PhaseHeld}
	}
	return Part{Phase: PhaseNone, Of: len(s.In)}
}

// Waiting counts the records that are in a channel.
func (c *Channel) Waiting() (n int) {
	for _, x := range c.Items {
		if x.Barrier == 0 {
			n++
		}
	}
	return n
}

// Barriers are the checkpoints whose barriers are in a channel.
func (c *Channel) Barriers() (out []int64) {
	for _, x := range c.Items {
		if x.Barrier != 0 {
			out = append(out, x.Barrier)
		}
	}
	return out
}

// Waiting counts the records in front of a vertex.
func (v *Vertex) Waiting() (n int) {
	for _, s := range v.Subtasks {
		for _, c := range s.In {
			n += c.Waiting()
		}
	}
	return n
}

func (c *Channels) add(x *sim.Step) {
	c.Now = x.T
	at := c.subtasks[x.At]
	if at != nil {
		at.Step = x.Seq
	}
	switch b := x.Body.(type) {
	case sim.JobStarted:
		c.started(b)
	case sim.TaskFailed:
		if at != nil {
			at.Failed = true
		}
		if len(b.Subtasks) > 0 {
			c.down(b.Subtasks)
			break
		}
		c.over(x)
	case sim.JobRestarting:
		if len(b.Subtasks) == 0 {
			c.over(x)
		}
	case sim.JobFailed, sim.JobFinished, sim.JobStopped, sim.JobCanceled, sim.JobManagerLost:
		c.over(x)
	case sim.StateRestored:
		if at != nil {
			at.Restoring = x.T + b.Duration
		}
	case sim.SourceEnded:
		if at != nil {
			at.Ended = true
		}
	case sim.SplitAdded:
		c.reads(strings.TrimPrefix(x.At, "split:"), b.Reader)
	case sim.BackpressureChanged:
		c.backpressure(x.At, b)
	case sim.FaultInjected:
		c.fault(at, b)
	default:
		if !c.checkpoint(x, at) {
			c.record(x, at)
		}
	}
}

// started lays out the subtasks and channels of an attempt: nothing of the one
// before is left.
func (c *Channels) started(b sim.JobStarted) {
	if len(b.Subtasks) > 0 && b.Job == c.Job {
		c.back(b)
		return
	}
	if b.Attempt == 0 || b.Job != c.Job {
		c.Last = nil
	}
	full := map[string]bool{}
	for _, v := range c.Vertices {
		full[v.Name] = v.Full && b.Attempt > 0
	}
	*c = Channels{
		Job: b.Job, Attempt: b.Attempt, Live: true, Last: c.Last, Now: c.Now, Chains: b.Chains,
		subtasks: map[string]*Subtask{}, channels: map[[2]string]*Channel{}, readers: map[string]*Subtask{},
	}
	in, out := map[string]int{}, map[string]int{}
	for _, e := range b.Edges {
		in[e.To]++
		out[e.From]++
	}
	vertices := map[string]*Vertex{}
	for _, name := range b.Vertices {
		v := &Vertex{Name: name, In: in[name], Out: out[name], Full: full[name]}
		n := b.Parallelism
		if v.In == 0 {
			n = readers(name, b)
		}
		for i := range n {
			s := &Subtask{Name: fmt.Sprintf("%s[%d]", name, i), Vertex: v, parts: map[int64]*Part{}}
			v.Subtasks = append(v.Subtasks, s)
			c.subtasks[s.Name] = s
		}
		vertices[name] = v
		c.Vertices = append(c.Vertices, v)
	}
	for _, e := range b.Edges {
		from, to := vertices[e.From], vertices[e.To]
		if from == nil || to == nil {
			continue
		}
		for i, f := range from.Subtasks {
			for k, t := range to.Subtasks {
				if e.Exchange == sim.ExchangeForward && i != k {
					continue
				}
				ch := &Channel{From: f, To: t, Exchange: e.Exchange, Chained: chained(b.Chains, e.To)}
				f.Out, t.In = append(f.Out, ch), append(t.In, ch)
				c.Channels = append(c.Channels, ch)
				c.channels[[2]string{f.Name, t.Name}] = ch
			}
		}
	}
	for _, names := range b.Chains {
		head := vertices[names[0]]
		for _, name := range names[1:] {
			for i, s := range vertices[name].Subtasks {
				s.Head = head.Subtasks[i]
				s.Head.Called = append(s.Head.Called, s)
			}
		}
	}
	for _, s := range b.Splits {
		c.reads(s.Split, s.Reader)
	}
}

// chained reports whether a vertex is called by its input.
func chained(chains [][]string, name string) bool {
	return slices.ContainsFunc(chains, func(names []string) bool { return slices.Contains(names[1:], name) })
}

// Tasks are the subtasks that are tasks of their own, or lead one.
func Tasks(b sim.JobStarted) []string {
	return slices.DeleteFunc(Subtasks(b), func(at string) bool {
		vertex, _ := place(at)
		return chained(b.Chains, vertex)
	})
}

// Subtasks are all subtasks of an attempt, in the order of the graph.
func Subtasks(b sim.JobStarted) (out []string) {
	for _, v := range b.Vertices {
		n := b.Parallelism
		if isSource(b, v) {
			n = readers(v, b)
		}
		for i := range n {
			out = append(out, fmt.Sprintf("%s[%d]", v, i))
		}
	}
	return out
}

// down ends the attempt of a region: its channels are gone, and so is what was
// in them.
func (c *Channels) down(subtasks []string) {
	for _, at := range subtasks {
		s := c.subtasks[at]
		if s == nil {
			continue
		}
		s.Down, s.Sent, s.held, s.stands = true, nil, false, false
		for _, ch := range s.In {
			ch.Items, ch.Blocked, ch.Collecting = nil, 0, 0
		}
	}
}

// back starts the subtasks of a region again.
func (c *Channels) back(b sim.JobStarted) {
	c.Attempt = b.Attempt
	c.down(b.Subtasks)
	for _, at := range b.Subtasks {
		if s := c.subtasks[at]; s != nil {
			*s = Subtask{Name: s.Name, Vertex: s.Vertex, In: s.In, Out: s.Out, Head: s.Head, Called: s.Called, Step: s.Step, parts: map[int64]*Part{}}
		}
	}
	for _, s := range b.Splits {
		c.reads(s.Split, s.Reader)
	}
}

// readers is how many readers a source has: each of them reads a split or has
// none.
func readers(source string, b sim.JobStarted) int {
	n := 1
	for _, s := range b.Splits {
		if name, _, _ := strings.Cut(s.Split, "/"); name == source {
			n = max(n, s.Reader+1)
		}
	}
	for _, at := range b.Spare {
		if name, rest, _ := strings.Cut(at, "["); name == source {
			if i, err := strconv.Atoi(strings.TrimSuffix(rest, "]")); err == nil {
				n = max(n, i+1)
			}
		}
	}
	return n
}

func (c *Channels) reads(split string, reader int) {
	if s := c.subtasks[readerOf(split, reader)]; s != nil {
		c.readers[split] = s
	}
}

// over ends the attempt: its channels are gone, and so is what was in them. The
// checkpoints that were pending are told to be aborted by steps of their own.
func (c *Channels) over(x *sim.Step) {
	c.Live, c.Ended = false, x.Type()
	for _, s := range c.subtasks {
		s.Sent, s.Down = nil, false
	}
	for _, ch := range c.Channels {
		ch.Items, ch.Blocked, ch.Collecting = nil, 0, 0
	}
}

// backpressure marks the operator that takes nothing and the sources behind it.
func (c *Channels) backpressure(at string, b sim.BackpressureChanged) {
	for _, v := range c.Vertices {
		if v.Name == at {
			v.Full = b.On
		}
		if v.In == 0 {
			v.Full = slices.ContainsFunc(b.Sources, func(s string) bool { return strings.HasPrefix(s, v.Name+"[") })
		}
	}
}

// fault notes the faults that make a subtask late.
func (c *Channels) fault(at *Subtask, b sim.FaultInjected) {
	if at == nil || b.Kind != sim.FaultDelay {
		return
	}
	switch b.Point {
	case sim.PointTrigger:
		at.held = true
	case sim.PointSnapshot:
		at.stands = true
	case sim.PointSourceSnapshot:
		for _, p := range c.Pending {
			if part := at.parts[p.ID]; part != nil && part.Phase == PhaseAsync {
				part.Phase = PhaseStanding
			}
		}
	}
}

// works : a subtask that stood still has taken a record.
func (s *Subtask) works() {
	for _, p := range s.parts {
		if p.Phase == PhaseStanding {
			p.Phase = PhaseAsync
		}
	}
}
