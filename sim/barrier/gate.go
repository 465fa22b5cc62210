package barrier

import "slices"

// A Config describes the input of a task.
type Config struct {
	Channels int
	Mode     Mode
	// NoFinishSupport : checkpoints end with the first channel that ends.
	NoFinishSupport bool
	// Busy reports whether the task is at work and looks at nothing; nil: never.
	// A barrier that overtakes waits for that, too.
	Busy func() bool
	// Now is the virtual time in ms; After calls f at a time unless it is
	// canceled before.
	Now   func() int64
	After func(at int64, f func()) (cancel func())
}

// A Kind is what an item of a channel is.
type Kind byte

// The kinds.
const (
	Data Kind = iota
	AtBarrier
	Cancellation
	EndOfPartition
	// announcement : a barrier that may overtake stands behind data.
	announcement
)

// An Item is what an upstream subtask sends.
type Item[T any] struct {
	Kind Kind
	// Data is that of data, Barrier that of a barrier, ID that of a cancellation.
	Data    T
	Barrier Barrier
	ID      int64

	number   int64
	priority bool
}

// A Receiver is told what happens besides.
type Receiver[T any] interface {
	Task
	// InFlight : these data of a channel belong to an unaligned checkpoint.
	InFlight(id int64, channel int, data []T)
	// Received : a barrier comes to the task from a channel, before it leads to
	// anything.
	Received(channel int, b Barrier)
}

// A Gate is the input of a task (CheckpointedInputGate over RemoteInputChannels).
type Gate[T any] struct {
	channels []*channel[T]
	// line are the channels that have something, in the order in which they are
	// served; those in front have priority.
	line    []int
	handler handler
	to      Receiver[T]
	number  int64
	// acting: a handler is at work; what it resumes and moves to the front comes
	// afterwards, as messages of the network do.
	acting bool
	busy   func() bool
}

// A channel is the receiving side of one upstream subtask, and what that one
// holds back.
type channel[T any] struct {
	queue []Item[T]
	// held : the upstream subtask sends nothing more; kept is what it would.
	held bool
	kept []Item[T]
	// persisting says that data belong to the unaligned checkpoint seen, whose
	// barrier has not come yet.
	persisting bool
	seen       int64
	// barriers are those that came, the newest last.
	barriers []numbered
}

// numbered is where a barrier stood among what its channel received.
type numbered struct{ id, number int64 }

// New returns a gate.
func New[T any](c Config, to Receiver[T]) *Gate[T] {
	g := &Gate[T]{to: to, busy: c.Busy}
	if g.busy == nil {
		g.busy = func() bool { return false }
	}
	for range c.Channels {
		g.channels = append(g.channels, &channel[T]{seen: -1})
	}
	after := c.After
	c.After = func(at int64, f func()) func() { return after(at, func() { g.act(f) }) }
	if c.Mode == AtLeastOnce {
		g.handler = newTracker(to, &c)
	} else {
		g.handler = newSingle(to, g, &c)
	}
	return g
}

// Send brings items to a channel. A barrier that overtakes data is handled at
// once, also when the one in the stream is only announced.
func (g *Gate[T]) Send(c int, items ...Item[T]) {
	if ch := g.channels[c]; len(items) == 1 && items[0].Kind == Data && !ch.held && len(ch.kept) == 0 {
		// Data lead to nothing by themselves.
		g.arrive(c, items[0])
		return
	}
	g.act(func() { g.channels[c].kept = append(g.channels[c].kept, items...) })
}

// act lets a handler do something, then handles barriers that overtake and lets
// channels go on that are not held back, one item at a time.
func (g *Gate[T]) act(do func()) {
	if g.acting {
		do()
		return
	}
	g.acting = true
	do()
	for g.overtaking() || g.sending() {
	}
	g.acting = false
}

// overtaking handles the next item that overtook.
func (g *Gate[T]) overtaking() bool {
	if len(g.line) == 0 || g.busy() {
		return false
	}
	if q := g.channels[g.line[0]].queue; len(q) == 0 || !q[0].priority {
		return false
	}
	c, x := g.peek()
	g.handle(c, x)
	return true
}

// Act handles barriers that overtook while the task was at work.
func (g *Gate[T]) Act() { g.act(func() {}) }

// sending lets the first upstream subtask that may send one item.
func (g *Gate[T]) sending() bool {
	for c, ch := range g.channels {
		if !ch.held && len(ch.kept) > 0 {
			x := ch.kept[0]
			ch.kept = ch.kept[1:]
			g.arrive(c, x)
			return true
		}
	}
	return false
}

func (g *Gate[T]) arrive(c int, x Item[T]) {
	ch := g.channels[c]
	g.number++
	x.number = g.number
	if x.Kind == AtBarrier {
		ch.barriers = append(ch.barriers, numbered{x.Barrier.ID, x.number})
		if id := x.Barrier.ID; id >= ch.seen {
			ch.seen, ch.persisting = id, false
		}
		// The upstream subtask sends nothing behind an aligned barrier until it is
		// told to go on.
		ch.held = !x.Barrier.Unaligned && g.holds()
	}
	if x.Kind == Data && ch.persisting {
		g.to.InFlight(ch.seen, c, []T{x.Data})
	}
	if x.Kind == AtBarrier && x.Barrier.Unaligned {
		ch.overtake(x)
		g.stand(c)
		return
	}
	if x.Kind == AtBarrier && x.Barrier.Timeoutable {
		ch.overtake(Item[T]{Kind: announcement, Barrier: x.Barrier, number: x.number})
	}
	ch.queue = append(ch.queue, x)
	g.stand(c)
}

// overtake puts an item behind those that overtook before it.
func (ch *channel[T]) overtake(x Item[T]) {
	x.priority = true
	i := 0
	for i < len(ch.queue) && ch.queue[i].priority {
		i++
	}
	ch.queue = slices.Insert(ch.queue, i, x)
}

// holds reports whether barriers hold their channel back.
func (g *Gate[T]) holds() bool { _, ok := g.handler.(*single); return ok }

// stand puts a channel into the line: at its end, or behind the others that have
// something that overtakes.
func (g *Gate[T]) stand(c int) {
	urgent := func(c int) bool { q := g.channels[c].queue; return len(q) > 0 && q[0].priority }
	i := slices.Index(g.line, c)
	switch {
	case !urgent(c) && i < 0:
		g.line = append(g.line, c)
	case urgent(c):
		if i >= 0 {
			g.line = slices.Delete(g.line, i, i+1)
		}
		at := 0
		for at < len(g.line) && urgent(g.line[at]) {
			at++
		}
		g.line = slices.Insert(g.line, at, c)
	}
}

// Poll takes the next item and reports which it was; false: there is none.
func (g *Gate[T]) Poll() (c int, x Item[T], ok bool) {
	if len(g.line) == 0 {
		return 0, x, false
	}
	c, x = g.peek()
	return c, x, true
}

func (g *Gate[T]) peek() (int, Item[T]) {
	c := g.line[0]
	g.line = g.line[:copy(g.line, g.line[1:])]
	ch := g.channels[c]
	x := ch.queue[0]
	if len(ch.queue) == 1 {
		// Most often there is one: its place is used again.
		ch.queue = ch.queue[:0]
		return c, x
	}
	ch.queue = ch.queue[1:]
	g.stand(c)
	return c, x
}

// Handle does what an item that was polled leads to besides; data lead to
// nothing.
func (g *Gate[T]) Handle(c int, x Item[T]) { g.act(func() { g.handle(c, x) }) }

func (g *Gate[T]) handle(c int, x Item[T]) {
	switch x.Kind {
	case AtBarrier:
		g.to.Received(c, x.Barrier)
		g.handler.barrier(c, x.Barrier)
	case announcement:
		g.handler.announced(c, x.number, x.Barrier)
	case Cancellation:
		g.handler.canceled(c, x.ID)
	case EndOfPartition:
		g.handler.ended(c)
	}
}

// block implements inputs: the upstream subtask is held already.
func (g *Gate[T]) block(int) {}

func (g *Gate[T]) resume(c int) { g.channels[c].held = false }

func (g *Gate[T]) prioritize(c int, number int64) {
	ch := g.channels[c]
	i := slices.IndexFunc(ch.queue, func(x Item[T]) bool { return x.Kind == AtBarrier && x.number == number })
	if i < 0 {
		return
	}
	x := ch.queue[i]
	ch.queue = slices.Delete(ch.queue, i, i+1)
	ch.overtake(x)
	g.stand(c)
}

// start implements inputs (RemoteInputChannel.checkpointStarted).
func (g *Gate[T]) start(b Barrier) {
	for c, ch := range g.channels {
		// Barriers of older checkpoints say nothing any more.
		ch.barriers = slices.DeleteFunc(ch.barriers, func(n numbered) bool { return n.id < b.ID })
		var known []T
		for _, x := range ch.queue {
			if x.Kind == Data && (len(ch.barriers) == 0 || x.number < ch.barriers[0].number) {
				known = append(known, x.Data)
			}
		}
		if ch.seen < b.ID {
			ch.seen, ch.persisting = b.ID, true
		}
		if len(known) > 0 {
			g.to.InFlight(b.ID, c, known)
		}
	}
}

func (g *Gate[T]) stop(id int64) {
	for _, ch := range g.channels {
		if id >= ch.seen {
			ch.seen, ch.persisting = id, false
		}
	}
}

// Waiting is how many items can be polled; with kept also those that upstream
// subtasks hold back.
func (g *Gate[T]) Waiting(kept bool) (n int) {
	for _, ch := range g.channels {
		n += len(ch.queue)
		if kept {
			n += len(ch.kept)
		}
	}
	return n
}

// Queued is how many items a channel holds, with what its upstream subtask holds
// back.
func (g *Gate[T]) Queued(c int) int { return len(g.channels[c].queue) + len(g.channels[c].kept) }

// Held reports whether an alignment holds a channel back.
func (g *Gate[T]) Held(c int) bool { return g.channels[c].held }

// Blocked are the channels that are held back by an alignment.
func (g *Gate[T]) Blocked() (out []int) {
	for c, ch := range g.channels {
		if h, ok := g.handler.(*single); ok && h.blocked[c] && ch.held {
			out = append(out, c)
		}
	}
	return out
}
