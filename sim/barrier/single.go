package barrier

import (
	"maps"
	"slices"
)

// single is the handler of EXACTLY_ONCE: it follows one checkpoint at a time
// (SingleCheckpointBarrierHandler).
type single struct {
	task          Task
	in            inputs
	now           func() int64
	after         func(at int64, f func()) (cancel func())
	finishSupport bool

	open int
	// current is the newest checkpoint, done the newest that is complete or was
	// given up.
	current, done int64
	pending       Barrier
	aligned       map[int]bool
	target        int
	timer         func()

	state state
	// blocked are channels that wait, announcements the numbers of barriers that
	// stand behind data.
	blocked       map[int]bool
	announcements map[int]int64
}

// A state of a checkpoint at one task.
type state int

const (
	waiting state = iota
	collecting
	waitingUnaligned
	collectingUnaligned
)

func newSingle(task Task, in inputs, c *Config) *single {
	return &single{
		task: task, in: in, now: c.Now, after: c.After, finishSupport: !c.NoFinishSupport, open: c.Channels,
		current: -1, done: -1, aligned: map[int]bool{}, blocked: map[int]bool{}, announcements: map[int]int64{},
	}
}

func (h *single) isPending() bool { return h.current != h.done && h.current >= 0 }

func (h *single) barrier(channel int, b Barrier) {
	if h.current > b.ID || h.current == b.ID && !h.isPending() {
		if !b.Unaligned {
			h.in.resume(channel)
		}
		return
	}
	h.check(b)
	h.mark(channel, func() { h.received(channel, b) })
}

func (h *single) announced(channel int, number int64, b Barrier) {
	if h.check(b) && b.Timeoutable {
		h.register(b)
	}
	if h.current > b.ID || h.current == b.ID && !h.isPending() {
		return
	}
	switch h.state {
	case waiting, collecting:
		h.announcements[channel] = number
	default:
		h.in.prioritize(channel, number)
	}
}

// check begins a checkpoint that is newer than the current one.
func (h *single) check(b Barrier) bool {
	if h.current >= b.ID {
		return false
	}
	if h.isPending() {
		h.abort(h.current, Subsumed)
	}
	h.current, h.pending, h.target = b.ID, b, h.open
	clear(h.aligned)
	return true
}

// register books the end of the alignment: the timeout counts from the trigger
// (CP-4.4).
func (h *single) register(b Barrier) {
	at := h.now() + max(0, b.Timeout-(h.now()-b.Timestamp))
	h.timer = h.after(at, func() {
		h.timer = nil
		if h.current == b.ID && h.isPending() {
			h.timedOut(b)
		}
	})
}

func (h *single) cancelTimer() {
	if h.timer != nil {
		h.timer()
		h.timer = nil
	}
}

// mark counts a channel as aligned before and after what its barrier does.
func (h *single) mark(channel int, do func()) {
	h.aligned[channel] = true
	do()
	if len(h.aligned) == h.target {
		clear(h.aligned)
		h.done = h.current
		h.cancelTimer()
	}
}

func (h *single) all() bool { return len(h.aligned) == h.target }

func (h *single) received(channel int, b Barrier) {
	switch h.state {
	case waiting, collecting:
		if b.Unaligned {
			h.timedOut(b)
			h.received(channel, b)
			return
		}
		delete(h.announcements, channel)
		h.block(channel)
		switch {
		case h.all():
			h.task.Trigger(b)
			h.finish()
		case b.Timeoutable && b.Timeout < h.now()-b.Timestamp:
			h.timedOut(b)
			h.received(channel, b.unaligned())
		default:
			h.state = collecting
		}
	case waitingUnaligned:
		if !b.Unaligned {
			h.block(channel)
		}
		h.trigger(b)
		if h.all() {
			h.collected(b.ID)
			return
		}
		h.state = collectingUnaligned
	case collectingUnaligned:
		if !b.Unaligned {
			h.block(channel)
		}
		if h.all() {
			h.collected(b.ID)
		}
	}
}

// timedOut : the alignment takes too long, or a barrier comes that overtakes
// data already.
func (h *single) timedOut(b Barrier) {
	switch h.state {
	case waiting:
		h.state = waitingUnaligned
		h.prioritizeAll()
	case collecting:
		h.state = collectingUnaligned
		h.prioritizeAll()
		h.trigger(b)
	}
}

// trigger takes the snapshot of an unaligned checkpoint.
func (h *single) trigger(b Barrier) {
	b = b.unaligned()
	h.in.start(b)
	h.task.Trigger(b)
}

func (h *single) prioritizeAll() {
	for _, c := range slices.Sorted(maps.Keys(h.announcements)) {
		h.in.prioritize(c, h.announcements[c])
	}
	clear(h.announcements)
}

func (h *single) block(channel int) {
	h.in.block(channel)
	h.blocked[channel] = true
}

// collected ends an unaligned checkpoint: all barriers are in.
func (h *single) collected(id int64) {
	h.in.stop(id)
	h.task.Collected(id)
	h.finish()
}

// finish lets all channels go on.
func (h *single) finish() {
	for _, c := range slices.Sorted(maps.Keys(h.blocked)) {
		h.in.resume(c)
	}
	clear(h.blocked)
	clear(h.announcements)
	h.state = waiting
}

// canceled : a checkpoint was given up upstream. One that is older and pending
// goes without a word (CP-4.1).
func (h *single) canceled(_ int, id int64) {
	if id > h.current || id == h.current && len(h.aligned) > 0 {
		h.abort(id, OnCancellation)
	}
}

func (h *single) abort(id int64, reason Reason) {
	h.current, h.done = max(id, h.current), max(h.done, id)
	h.target = 0
	clear(h.aligned)
	h.cancelTimer()
	if h.state == collectingUnaligned {
		h.in.stop(id)
	}
	h.finish()
	h.task.Abort(id, reason)
}

func (h *single) ended(channel int) {
	h.open--
	switch {
	case !h.isPending():
	case !h.finishSupport:
		h.abort(h.current, InputEndOfStream)
	default:
		h.mark(channel, func() { h.channelEnded(channel) })
	}
}

// channelEnded counts an ended channel as aligned.
func (h *single) channelEnded(channel int) {
	delete(h.blocked, channel)
	delete(h.announcements, channel)
	if !h.all() {
		return
	}
	switch h.state {
	case waiting, collecting:
		h.task.Trigger(h.pending)
	case waitingUnaligned:
		h.trigger(h.pending)
		h.collected(h.pending.ID)
		return
	default:
		h.collected(h.pending.ID)
		return
	}
	h.finish()
}
