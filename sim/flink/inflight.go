package flink

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// A collection is what a subtask keeps for an unaligned checkpoint: elements of
// its channels that were on their way (CP-4.3), and its part of the snapshot,
// which waits for the last of them.
type collection struct {
	channels map[int][]element
	part     *part
	out      *checkpoint.SubtaskState
	// done : the last of them came before the snapshot was taken.
	done bool
}

func (c *collection) len() (n int) {
	for _, e := range c.channels {
		n += len(e)
	}
	return n
}

// InFlight implements barrier.Receiver. The end of data is an event, not data:
// no buffer holds it.
func (t *task) InFlight(id int64, channel int, data []element) {
	c := t.collecting[id]
	if c == nil {
		c = &collection{channels: map[int][]element{}}
		if t.collecting == nil {
			t.collecting = map[int64]*collection{}
		}
		t.collecting[id] = c
	}
	for _, e := range data {
		if e.kind != elementEndOfData {
			c.channels[channel] = append(c.channels[channel], e)
		}
	}
}

// collect makes the acknowledgement of a snapshot wait for what is in flight.
func (t *task) collect(id int64, p *part, out *checkpoint.SubtaskState) {
	t.InFlight(id, 0, nil)
	c := t.collecting[id]
	c.part, c.out = p, out
	p.collecting = true
	if c.done {
		t.Collected(id)
	}
}

// Collected implements barrier.Task.
func (t *task) Collected(id int64) {
	c := t.collecting[id]
	if c != nil && c.part == nil && !c.done {
		// Operators of the task still put out what belongs before the barrier.
		c.done = true
		return
	}
	delete(t.collecting, id)
	s := t.job.pending[id]
	if c == nil || c.part == nil || s == nil {
		return
	}
	p, n := c.part, c.len()
	if n > 0 {
		data := t.encodeInFlight(c)
		p.inFlight = n
		p.streams = append(p.streams, stream{
			dir: s.directory, name: fmt.Sprintf("%s-%d-in-flight", t.spec.ID(), t.index),
			body: func() (objectstore.Body, error) { return objectstore.Bytes(data), nil },
			stored: func(h checkpoint.Handle) {
				c.out.Input = append(c.out.Input, checkpoint.NamedHandle{Name: inFlight, Handle: h})
			},
		})
	}
	p.collecting = false
	if wait := p.waiting; wait != nil {
		p.waiting = nil
		t.put(nil, wait)
	}
}

// drop gives up what is collected for a checkpoint that was aborted.
func (t *task) drop(id int64) {
	c := t.collecting[id]
	delete(t.collecting, id)
	if c == nil || c.part == nil {
		return
	}
	c.part.dropped = true
	if wait := c.part.waiting; wait != nil {
		t.put(nil, wait)
	}
}

// inFlight is the name of the stream of elements that were on their way.
const inFlight = "in-flight"

// A flight is an element with the channel it was in.
type flight struct {
	vertex  string
	subtask int
	e       element
}

func (t *task) encodeInFlight(c *collection) []byte {
	data := []byte{}
	for i, ch := range t.channels {
		for _, e := range c.channels[i] {
			vertex, subtask := splitSubtask(ch.from)
			data = appendFlight(data, &flight{vertex, subtask, e})
		}
	}
	return data
}

func appendFlight(data []byte, f *flight) []byte {
	data = state.String{}.Append(data, f.vertex)
	data = binary.AppendUvarint(data, uint64(f.subtask))
	return appendElement(data, &f.e)
}

// splitSubtask cuts "totals[1]".
func splitSubtask(at string) (vertex string, subtask int) {
	for i := range at {
		if at[i] == '[' {
			subtask, _ = strconv.Atoi(strings.TrimSuffix(at[i+1:], "]"))
			return at[:i], subtask
		}
	}
	return at, 0
}

func appendElement(data []byte, e *element) []byte {
	data = append(data, byte(e.kind))
	flag := func(b bool) {
		if b {
			data = append(data, 1)
		} else {
			data = append(data, 0)
		}
	}
	number := func(n int64) { data = binary.AppendVarint(data, n) }
	text := func(s string) { data = state.String{}.Append(data, s) }
	switch e.kind {
	case elementWatermark:
		number(e.time)
	case elementStatus:
		flag(e.idle)
	case elementRecord:
		r := &e.record
		name := r.Name
		if name == "" && r.Key != nil {
			name = r.Key.Name
		}
		text(name)
		number(r.TS)
		number(r.Value)
		text(r.Word)
		number(int64(len(r.Values)))
		for _, v := range r.Values {
			number(v)
		}
		number(r.Window.Start)
		number(r.Window.End)
		number(int64(r.Kind))
		number(r.Event)
		flag(r.HasEvent)
		number(r.Gap)
		flag(r.Mark)
		flag(r.NullExpr)
		number(r.Timer)
		number(r.Count)
		flag(r.NullSum)
		text(r.Source)
		text(r.Split)
		number(r.Offset)
	}
	return data
}

// readInFlight reads what encodeInFlight wrote.
func readInFlight(data []byte) (out []flight, err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != state.ErrCodec {
				panic(r)
			}
			out, err = nil, state.ErrCodec
		}
	}()
	number := func() int64 {
		n, w := binary.Varint(data)
		if w <= 0 {
			panic(state.ErrCodec)
		}
		data = data[w:]
		return n
	}
	text := func() string {
		s, rest, err := state.String{}.Read(data)
		if err != nil {
			panic(state.ErrCodec)
		}
		data = rest
		return s
	}
	octet := func() byte {
		if len(data) == 0 {
			panic(state.ErrCodec)
		}
		b := data[0]
		data = data[1:]
		return b
	}
	flag := func() bool {
		b := octet()
		if b > 1 {
			panic(state.ErrCodec)
		}
		return b == 1
	}
	for len(data) > 0 {
		f := flight{vertex: text()}
		n, w := binary.Uvarint(data)
		if w <= 0 || n > 1<<20 {
			panic(state.ErrCodec)
		}
		data = data[w:]
		f.subtask = int(n)
		f.e.kind = elementKind(octet())
		switch f.e.kind {
		case elementWatermark:
			f.e.time = number()
		case elementStatus:
			f.e.idle = flag()
		case elementRecord:
			r := &f.e.record
			r.Name, r.TS, r.Value, r.Word = text(), number(), number(), text()
			k := number()
			if k < 0 || k > int64(len(data)) {
				panic(state.ErrCodec)
			}
			for range k {
				r.Values = append(r.Values, number())
			}
			r.Window = state.Namespace{Start: number(), End: number()}
			r.Kind, r.Event, r.HasEvent, r.Gap = operator.RowKind(number()), number(), flag(), number()
			r.Mark, r.NullExpr, r.Timer, r.Count, r.NullSum = flag(), flag(), number(), number(), flag()
			r.Source, r.Split, r.Offset = text(), text(), number()
		default:
			panic(state.ErrCodec)
		}
		out = append(out, f)
	}
	return out, nil
}

// flights are the elements that a subtask gets back: its own ones; after a
// rescale, of a keyed stream, each record goes to the owner of its key and each
// watermark and status to all.
func (r *Restored) flights(t *task, parallelism int) []flight {
	if r == nil {
		return nil
	}
	old := r.inFlight[t.spec.ID()]
	if len(old) == parallelism {
		return old[t.index]
	}
	var out []flight
	if !t.spec.Keyed {
		for i := t.index; i < len(old); i += parallelism {
			out = append(out, old[i]...)
		}
		return out
	}
	keys := t.job.keysOf(t.spec)
	mine := func(f *flight) bool {
		return keys.Intern(f.e.record.Name).Owner(keys.MaxParallelism(), parallelism) == t.index
	}
	// The channels of the old subtasks, by who fed them. All of them end with the
	// same barrier: marks are matched from there, so that no record passes one.
	for _, from := range feeders(old) {
		parts := make([][][]flight, len(old))
		marks := 0
		for i, list := range old {
			parts[i] = [][]flight{nil}
			for _, f := range list {
				if f.from() != from {
					continue
				}
				if f.e.kind != elementRecord {
					parts[i] = append(parts[i], nil)
				}
				n := len(parts[i]) - 1
				parts[i][n] = append(parts[i][n], f)
			}
			marks = max(marks, len(parts[i])-1)
		}
		for m := range marks + 1 {
			marked := false
			for _, p := range parts {
				n := m - (marks + 1 - len(p))
				if n < 0 {
					continue
				}
				for k := range p[n] {
					f := &p[n][k]
					switch {
					case f.e.kind == elementRecord && mine(f):
						out = append(out, *f)
					case f.e.kind != elementRecord && !marked:
						marked = true
						out = append(out, *f)
					}
				}
			}
		}
	}
	return out
}

func (f *flight) from() string { return subtaskName(f.vertex, f.subtask) }

// feeders are the subtasks that elements came from, in order of appearance.
func feeders(lists [][]flight) (out []string) {
	for _, list := range lists {
		for i := range list {
			if from := list[i].from(); !slices.Contains(out, from) {
				out = append(out, from)
			}
		}
	}
	return out
}

// refill puts elements back into the channels of a subtask, before anything is
// read (CP-4.3).
func (t *task) refill(flights []flight) {
	if len(flights) == 0 {
		return
	}
	body := sim.InFlightRestored{}
	for i := range flights {
		if r := &flights[i].e.record; flights[i].e.kind != elementRecord {
			body.Others++
		} else {
			body.Records++
			if r.Source != "" {
				body.Lines = append(body.Lines, sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset})
			}
		}
	}
	step := t.job.kernel.Emit(t.at, "CP-4.3", body, t.started)
	for i := range flights {
		f := &flights[i]
		c := t.channelFrom(f)
		if c == nil {
			continue
		}
		f.e.step, f.e.record.Step = step, step
		if f.e.kind == elementRecord && t.spec.Keyed {
			f.e.record.Key = t.job.keysOf(t.spec).Intern(f.e.record.Name)
		}
		t.gate.Send(c.at, barrier.Item[element]{Data: f.e})
	}
	t.job.wake(t)
}

// channelFrom is the channel that an element goes back to. The subtasks that
// fed it may be fewer or more now.
func (t *task) channelFrom(f *flight) *channel {
	var same []*channel
	for _, c := range t.channels {
		if vertex, _ := splitSubtask(c.from); vertex == f.vertex {
			same = append(same, c)
		}
	}
	if len(same) == 0 {
		return nil
	}
	return same[f.subtask%len(same)]
}
