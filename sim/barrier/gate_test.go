package barrier_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/barrier"
)

// heard writes down what a gate says.
type heard struct {
	lines    []string
	inFlight map[int64]map[int][]string
	// collected are the checkpoints whose data in flight are complete.
	collected []int64
}

func (h *heard) Trigger(b barrier.Barrier) {
	h.lines = append(h.lines, fmt.Sprintf("trigger %d unaligned=%v", b.ID, b.Unaligned))
}

func (h *heard) Abort(id int64, r barrier.Reason) {
	h.lines = append(h.lines, fmt.Sprint("abort ", id, " ", r))
}

func (h *heard) Received(int, barrier.Barrier) {}

func (h *heard) Collected(id int64) { h.collected = append(h.collected, id) }

func (h *heard) InFlight(id int64, c int, data []string) {
	if h.inFlight[id] == nil {
		h.inFlight[id] = map[int][]string{}
	}
	h.inFlight[id][c] = append(h.inFlight[id][c], data...)
}

// Whatever the mode and the order of arrival, a snapshot separates what was sent
// before the barriers from what came after: exactly with aligned barriers,
// together with the data in flight with unaligned ones, and at least with
// at-least-once. Nothing is lost and nothing comes twice out of the gate.
func TestASnapshotSeparatesBeforeFromAfter(t *testing.T) {
	for seed := range uint64(3000) {
		random := sim.NewStream(seed, "barrier", "gate")
		mode := []barrier.Mode{barrier.Aligned, barrier.Unaligned, barrier.AtLeastOnce}[random.Below(3)]
		channels := 1 + int(random.Below(4))
		timeoutable := mode == barrier.Unaligned && random.Below(2) == 0
		now := int64(0)
		var timers []func()
		h := &heard{inFlight: map[int64]map[int][]string{}}
		g := barrier.New[string](barrier.Config{
			Channels: channels, Mode: mode, Now: func() int64 { return now },
			After: func(_ int64, f func()) func() {
				i := len(timers)
				timers = append(timers, f)
				return func() { timers[i] = nil }
			},
		}, h)
		// Each channel sends data, the barrier, and data.
		before, sent := map[string]bool{}, 0
		rest := make([][]barrier.Item[string], channels)
		for c := range channels {
			n := int(random.Below(5))
			for i := range n + 1 + int(random.Below(5)) {
				if i == n {
					rest[c] = append(rest[c], barrier.Item[string]{Kind: barrier.AtBarrier, Barrier: barrier.Barrier{
						ID: 1, Unaligned: mode == barrier.Unaligned && !timeoutable, Timeoutable: timeoutable, Timeout: 5,
					}})
					continue
				}
				name := fmt.Sprintf("%c%d", 'a'+c, i)
				before[name] = i < n
				sent++
				rest[c] = append(rest[c], barrier.Item[string]{Data: name})
			}
		}
		var came, counted []string
		taken := false
		trigger := func() {
			if !taken && slices.ContainsFunc(h.lines, func(l string) bool { return strings.HasPrefix(l, "trigger 1") }) {
				taken, counted = true, slices.Clone(came)
			}
		}
		for open := true; open; {
			open = false
			for c := range rest {
				if len(rest[c]) > 0 {
					open = true
					if random.Below(2) == 0 {
						g.Send(c, rest[c][0])
						rest[c] = rest[c][1:]
						trigger()
					}
				}
			}
			if random.Below(3) == 0 {
				now += random.Below(4)
				for i, f := range timers {
					if f != nil && now >= 5 {
						timers[i] = nil
						f()
						trigger()
					}
				}
			}
			for range random.Below(4) {
				if c, x, ok := g.Poll(); ok {
					if x.Kind == barrier.Data {
						came = append(came, x.Data)
					}
					g.Handle(c, x)
					trigger()
				}
			}
		}
		for {
			c, x, ok := g.Poll()
			if !ok {
				break
			}
			if x.Kind == barrier.Data {
				came = append(came, x.Data)
			}
			g.Handle(c, x)
			trigger()
		}
		story := fmt.Sprintf("seed %d %s timeout=%v: came %v, counted %v, in flight %v, %v", seed, mode, timeoutable, came, counted, h.inFlight, h.lines)
		if unaligned := h.lines != nil && strings.HasSuffix(h.lines[0], "true"); unaligned != (len(h.collected) == 1) {
			t.Fatal("collected ", h.collected, ": ", story)
		}
		if len(h.lines) != 1 || !taken {
			t.Fatal("not one snapshot: ", story)
		}
		if len(came) != sent || len(slices.Compact(slices.Sorted(slices.Values(came)))) != sent {
			t.Fatal("not what was sent: ", story)
		}
		in := slices.Clone(counted)
		for _, data := range h.inFlight[1] {
			in = append(in, data...)
		}
		for name, is := range before {
			n := 0
			for _, x := range in {
				if x == name {
					n++
				}
			}
			if is && n != 1 || !is && n > 0 && mode != barrier.AtLeastOnce {
				t.Fatal(name, " is ", n, " times in it: ", story)
			}
		}
	}
}
