package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"sort"
)

// A Trace is the list of steps of one run, in the order in which they
// happened. Everything that a person sees of a run is a fold over it.
type Trace struct {
	steps []*Step
}

// Append numbers the step and adds it.
func (t *Trace) Append(s *Step) *Step {
	s.Seq = len(t.steps) + 1
	s.Causes = tidyCauses(s.Causes)
	t.steps = append(t.steps, s)
	return s
}

// tidyCauses drops absent and repeated causes and sorts by number, so that a
// caller may name whatever it holds.
func tidyCauses(in []*Step) []*Step {
	out := in[:0:0]
	for _, c := range in {
		if c == nil || c.Seq == 0 {
			continue
		}
		out = append(out, c)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Seq < out[j].Seq })
	n := 0
	for i, c := range out {
		if i > 0 && out[n-1] == c {
			continue
		}
		out[n] = c
		n++
	}
	return out[:n]
}

// Len is the number of steps.
func (t *Trace) Len() int { return len(t.steps) }

// Step returns the step with the number seq, or nil.
func (t *Trace) Step(seq int) *Step {
	if seq < 1 || seq > len(t.steps) {
		return nil
	}
	return t.steps[seq-1]
}

// Steps returns the steps. The caller must not change them.
func (t *Trace) Steps() []*Step { return t.steps }

// Main are the steps without those of jobs that run beside the one of the
// experiment: what folds of that job look at.
func (t *Trace) Main() iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for _, s := range t.steps {
			if s.Job == "" && !yield(s) {
				return
			}
		}
	}
}

// Prefix returns a trace of the first n steps. It shares them.
func (t *Trace) Prefix(n int) *Trace {
	if n > len(t.steps) {
		n = len(t.steps)
	}
	return &Trace{steps: t.steps[:n:n]}
}

// Hash is the SHA-256 of the steps as JSON lines, in hexadecimal.
func (t *Trace) Hash() string {
	h := sha256.New()
	var buf []byte
	for _, s := range t.steps {
		buf = AppendStep(buf[:0], s)
		buf = append(buf, '\n')
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil))
}
