package conform

import (
	"fmt"

	"streaminglab/sim/eventtime"
)

// A recorder is the output of a component, as the list of a recording.
type recorder struct {
	events []event
	// rows writes records as rows of SQL.
	rows bool
}

func (r *recorder) EmitRecord(timestamp int64) {
	if r.rows {
		r.events = append(r.events, event{Row: timeAt(timestamp)})
		return
	}
	r.events = append(r.events, event{TS: timeAt(timestamp)})
}

func (r *recorder) EmitWatermark(timestamp int64) {
	r.events = append(r.events, event{WM: timeAt(timestamp)})
}

func (r *recorder) EmitWatermarkStatus(status eventtime.WatermarkStatus) {
	r.events = append(r.events, event{Status: status.String()})
}

// take returns what came out since the last call, never nil.
func (r *recorder) take() []event {
	events := r.events
	r.events = nil
	if events == nil {
		return []event{}
	}
	return events
}

// status reads the status of a step.
func status(word string) (eventtime.WatermarkStatus, error) {
	switch word {
	case "idle":
		return eventtime.Idle, nil
	case "active":
		return eventtime.Active, nil
	}
	return 0, fmt.Errorf("unknown status %q", word)
}

// index checks a number of a recording before it is used as an index.
func index(what string, i, n int) error {
	if i < 0 || i >= n {
		return fmt.Errorf("%s %d of %d", what, i, n)
	}
	return nil
}

const (
	// maxParts is the largest number of channels of an operator that a
	// recording may ask for.
	maxParts = 1 << 12
	// maxWork is the largest number of probes, firings or results of one step.
	maxWork = 1 << 16
)

// tooMuch is the panic by which a replayer gives up a step that would not end:
// the interfaces on the way have no place for an error.
type tooMuch string

func (t tooMuch) Error() string {
	return fmt.Sprintf("more than %d %s in one step", maxWork, string(t))
}

// bounded gives up when a step has made too much of something.
func bounded(what string, n int) {
	if n >= maxWork {
		panic(tooMuch(what))
	}
}

// errStep is the error for a step that says nothing known.
var errStep = fmt.Errorf("unknown step")

// A probes runs the periodic work of a component on the grid of an interval,
// from time 0 on.
type probes struct {
	now      int64
	interval int64
	next     int64
	run      func(now int64) error
}

func newProbes(interval int64, run func(now int64) error) *probes {
	return &probes{interval: interval, next: interval, run: run}
}

// advance lets time pass, with every probe up to and including the new time.
func (p *probes) advance(to int64) error {
	if to < p.now {
		return fmt.Errorf("time goes back from %d to %d", p.now, to)
	}
	for n := 0; p.interval > 0 && p.next <= to; n++ {
		if n == maxWork {
			return tooMuch("probes")
		}
		p.now = p.next
		if err := p.run(p.now); err != nil {
			return err
		}
		if p.next += p.interval; p.next < p.now {
			break
		}
	}
	p.now = to
	return nil
}
