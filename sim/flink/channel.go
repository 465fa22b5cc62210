package flink

import (
	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// elementKind is the kind of an element of a channel.
type elementKind byte

const (
	elementRecord elementKind = iota
	elementWatermark
	elementStatus
	elementEndOfData
)

// An element travels through a channel. Elements of a channel never overtake
// each other (EV-2.1).
type element struct {
	kind   elementKind
	record operator.Record
	time   int64
	idle   bool
	step   *sim.Step
}

// A channel connects one subtask to one input of another.
type channel struct {
	from string
	// up is the operator's subtask that sends; nil: a reader does.
	up    *task
	to    *task
	input int
	index int
	// at is its number among all channels of the task.
	at int
	// chained : nothing is exchanged, the sender calls the receiver.
	chained bool
	// finished says that no more data come, ended that nothing does.
	finished bool
	ended    bool
	// last is the step of the last watermark or status, for causes.
	last *sim.Step
}

// A route leads from a subtask to all subtasks of one consumer.
type route struct {
	channels []*channel
	// keys is set when the consumer is keyed; else records are spread, or
	// forwarded where there is one channel.
	keys  *state.Keys
	keyBy func(string) string
	next  int
	// broadcast : each record goes to all. aligned : no barrier overtakes here, as
	// where it leads to the subtask of the same number alone (CP-4.5).
	broadcast, aligned bool
}

// outputs is where a subtask sends. It mirrors RecordWriterOutput: watermarks
// are dropped while the announced status is idle, records are not (EV-2.5).
type outputs struct {
	sim.Process
	job *Job
	at  string
	// chain is the task that the subtask is part of.
	chain *chain
	// number is the subtask's number in the checkpoint coordinator, region that
	// of its pipelined region.
	number, region int
	// started is the step with which the subtask began, since its time in ms.
	started *sim.Step
	since   int64
	routes  []*route
	idle    bool
	// leaving are the records that stand in the kernel's line, oldest first, and
	// leave sends the first of them: one closure serves all.
	leaving []operator.Record
	left    int
	leave   func()
}

func (o *outputs) record(r *operator.Record) {
	if o.leave == nil {
		o.leave = o.next
	}
	if o.Dead {
		return
	}
	o.leaving = append(o.leaving, *r)
	o.job.kernel.PutBy(&o.Process, nil, o.leave)
}

// put stands a step, or something to do, or both, in line.
func (o *outputs) put(s *sim.Step, do func()) { o.job.kernel.PutBy(&o.Process, s, do) }

// due runs f at a time, if the subtask lives then.
func (o *outputs) due(at int64, periodic bool, f func()) *sim.Event {
	return o.job.atBy(&o.Process, at, periodic, f)
}

// next sends the record that stands first in line.
func (o *outputs) next() {
	r := &o.leaving[o.left]
	o.left++
	defer func() {
		if o.left == len(o.leaving) {
			o.leaving, o.left = o.leaving[:0], 0
		}
	}()
	if faults := &o.job.kernel.Faults; faults.Armed() {
		if f := faults.Pass(sim.PointTaskEmit, o.job.places(o.at)...); f != nil {
			o.job.crash(o.at, f)
			return
		}
	}
	o.send(r)
}

// places names the subtask, from the exact to the general.
func (o *outputs) places() []string { return o.job.places(o.at) }

// places are the names by which a fault finds a subtask: its own, that of its
// vertex, and that of its TaskManager.
func (j *Job) places(at string) []string {
	vertex, n := splitSubtask(at)
	if vertex == at {
		return []string{at}
	}
	return []string{at, vertex, j.taskManager(n)}
}

func (o *outputs) send(r *operator.Record) {
	for _, rt := range o.routes {
		c := rt.channels[0]
		e := element{kind: elementRecord, record: *r, step: r.Step}
		switch {
		case rt.broadcast:
			for _, c := range rt.channels {
				o.job.push(c, e)
			}
			continue
		case rt.keys != nil:
			name := r.Name
			if name == "" && r.Key != nil {
				name = r.Key.Name
			}
			if rt.keyBy != nil {
				name = rt.keyBy(name)
				e.record.Name = name
			}
			e.record.Key = rt.keys.Intern(name)
			c = rt.channels[e.record.Key.Owner(rt.keys.MaxParallelism(), len(rt.channels))]
		case len(rt.channels) > 1:
			c = rt.channels[rt.next%len(rt.channels)]
			rt.next++
		}
		o.job.push(c, e)
	}
}

func (o *outputs) broadcast(e element) { o.each(func(c *channel) { o.job.push(c, e) }) }

func (o *outputs) each(f func(*channel)) {
	for _, rt := range o.routes {
		for _, c := range rt.channels {
			f(c)
		}
	}
}

func (o *outputs) watermark(t int64, cause *sim.Step) {
	if o.idle {
		if t == sim.MaxTime {
			o.put(o.job.kernel.Step(o.at, "EV-4.4", sim.WatermarkLost{Watermark: t}, cause), nil)
		}
		return
	}
	o.put(nil, func() { o.broadcast(element{kind: elementWatermark, time: t, step: cause}) })
}

func (o *outputs) status(idle bool, cause *sim.Step) {
	if idle == o.idle {
		return
	}
	o.idle = idle
	o.put(nil, func() { o.broadcast(element{kind: elementStatus, idle: idle, step: cause}) })
}

func (o *outputs) barrier(b barrier.Barrier) {
	o.put(nil, func() {
		for _, rt := range o.routes {
			b := b
			if rt.aligned {
				// Where nothing can be redistributed no barrier overtakes (CP-4.5).
				b.Unaligned, b.Timeoutable = false, false
			}
			for _, c := range rt.channels {
				o.job.send(c, barrier.Item[element]{Kind: barrier.AtBarrier, Barrier: b})
			}
		}
	})
}

// cancel tells the consumers that a checkpoint was given up before its barrier
// left (CancelCheckpointMarker).
func (o *outputs) cancel(id int64) {
	o.put(nil, func() {
		o.each(func(c *channel) { o.job.send(c, barrier.Item[element]{Kind: barrier.Cancellation, ID: id}) })
	})
}

func (o *outputs) endOfData() {
	o.put(nil, func() { o.broadcast(element{kind: elementEndOfData}) })
}

func (o *outputs) end() {
	o.put(nil, func() {
		o.each(func(c *channel) { o.job.send(c, barrier.Item[element]{Kind: barrier.EndOfPartition}) })
	})
}
