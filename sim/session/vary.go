package session

import (
	"regexp"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

var placeholder = regexp.MustCompile(`\$\{([a-z][a-z0-9_]*)\}`)

// maxDraws is how many draws accept may refuse.
const maxDraws = 1000

// Draw returns the values of the variables for a seed. accept refuses a draw;
// then the next one is tried.
func (e *Experiment) Draw(seed uint64) (map[string]string, error) {
	values := map[string]string{}
	for n := range uint64(maxDraws) {
		for _, v := range e.Vary {
			values[v.Name] = v.Values[sim.Draw(seed, "vary", v.Name, n)%uint64(len(v.Values))]
		}
		if e.Accept == "" || len(e.Vary) == 0 {
			return values, nil
		}
		ok, err := fold.Accept(e.Accept, values, e.Times())
		if err != nil {
			return nil, err
		}
		if ok {
			return values, nil
		}
	}
	return nil, sim.NewProblem("experiment.accept", "Draws", maxDraws)
}

// Substitute replaces ${name}; a name that is no variable stays as it is.
func Substitute(text string, values map[string]string) string {
	if len(values) == 0 || !strings.Contains(text, "${") {
		return text
	}
	return placeholder.ReplaceAllStringFunc(text, func(m string) string {
		if v, ok := values[m[2:len(m)-1]]; ok {
			return v
		}
		return m
	})
}

// Instance returns the experiment with the values of a seed in every text.
func (e *Experiment) Instance(seed uint64) (*Experiment, map[string]string, error) {
	values, err := e.Draw(seed)
	if err != nil {
		return nil, nil, err
	}
	if len(e.Vary) == 0 {
		return e, values, nil
	}
	out := *e
	out.Prefix, out.Goal = Substitute(e.Prefix, values), Substitute(e.Goal, values)
	out.Files = map[string][]byte{}
	for n, b := range e.Files {
		out.Files[n] = []byte(Substitute(string(b), values))
	}
	out.Members = map[string]string{}
	for n, s := range e.Members {
		out.Members[n] = Substitute(s, values)
	}
	out.Refutes = append([]Refutation(nil), e.Refutes...)
	for i := range out.Refutes {
		out.Refutes[i].Belief = Substitute(out.Refutes[i].Belief, values)
	}
	out.Texts = map[string]Texts{}
	for l, t := range e.Texts {
		t.Title, t.Goal, t.Solution = Substitute(t.Title, values), Substitute(t.Goal, values), Substitute(t.Solution, values)
		hints := make([]string, len(t.Hints))
		for i, h := range t.Hints {
			hints[i] = Substitute(h, values)
		}
		t.Hints = hints
		out.Texts[l] = t
	}
	return &out, values, nil
}
