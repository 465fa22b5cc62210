package conform

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A Difference is the first step of a case that is not equal.
type Difference struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Step counts from 0; -1 when the case did not get as far as its steps.
	Step int `json:"step"`
	// In is the step, Expected what is recorded, Got what came out. When
	// nothing came out, Problem says why.
	In       json.RawMessage `json:"in,omitempty"`
	Expected json.RawMessage `json:"expected,omitempty"`
	Got      json.RawMessage `json:"got,omitempty"`
	Problem  string          `json:"problem,omitempty"`
}

// Replay runs one case. It returns nil when everything is equal. A panic of a
// component is a difference like any other.
func Replay(c *Recording) *Difference {
	d := &Difference{ID: c.ID, Kind: c.Kind, Step: -1}
	kind, ok := kinds[c.Kind]
	if !ok {
		d.Problem = fmt.Sprintf("unknown kind %q", c.Kind)
		return d
	}
	if replay(kind, c, d) {
		return nil
	}
	return d
}

func replay(kind Kind, c *Recording, d *Difference) (same bool) {
	defer func() {
		if r := recover(); r != nil {
			d.Problem, same = fmt.Sprintf("panic: %v", r), false
			if gaveUp, ok := r.(tooMuch); ok {
				d.Problem = gaveUp.Error()
			}
		}
	}()
	replayer, err := kind(c.Config)
	if err != nil {
		d.Problem = "config: " + err.Error()
		return false
	}
	ender, _ := replayer.(ender)
	for _, name := range slices.Sorted(maps.Keys(c.Extra)) {
		if ender == nil || name != "final" {
			d.Problem = fmt.Sprintf("nobody looks at field %q", name)
			return false
		}
	}
	if c, ok := replayer.(io.Closer); ok {
		// Trees have goroutines. What goes wrong now is not in the recording.
		defer c.Close()
	}
	for i, in := range c.In {
		d.Step, d.In, d.Expected, d.Got = i, in, nil, nil
		if i >= len(c.Out) {
			d.Problem = "nothing is recorded for the step"
			return false
		}
		d.Expected = c.Out[i]
		out, err := step(replayer, in, i == len(c.In)-1)
		if err != nil {
			d.Problem = err.Error()
			return false
		}
		if d.Got, err = json.Marshal(out); err != nil {
			d.Problem = err.Error()
			return false
		}
		if !equal(d.Got, d.Expected) {
			return false
		}
	}
	if n := len(c.In); len(c.Out) > n {
		d.Step, d.In, d.Expected, d.Got = n, nil, c.Out[n], nil
		d.Problem = "more is recorded than there are steps"
		return false
	}
	if final := c.Extra["final"]; final != nil {
		d.Step, d.In, d.Expected = len(c.In), nil, final
		if d.Got, err = json.Marshal(ender.End()); err != nil {
			d.Problem = err.Error()
			return false
		}
		return equal(d.Got, d.Expected)
	}
	return true
}

// An ender says how everything stands behind the last step of a case: the
// field "final".
type ender interface{ End() any }

// A lastStepper writes more for the last step of a case.
type lastStepper interface {
	StepLast(step json.RawMessage, last bool) (any, error)
}

func step(r Replayer, in json.RawMessage, last bool) (any, error) {
	if l, ok := r.(lastStepper); ok {
		return l.StepLast(in, last)
	}
	return r.Step(in)
}
