package quiz

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/expr-lang/expr"
)

// toyEngine is a simulator for tests: an experiment is a list of lines
// `set NAME EXPRESSION`, and its trace is what the names hold at the end.
type toyEngine struct {
	experiments map[string]toyExperiment
	runs        int
}

type toyExperiment struct {
	script string
	file   string // of job.yaml, run after the script
	bounds []string
}

func newToyEngine() *toyEngine {
	return &toyEngine{experiments: map[string]toyExperiment{
		"example-bound": {
			script: `set watermark 43207000 - ms("${bound}") - 1` + "\n" + `set delay ms("${bound}")`,
			bounds: []string{"1s", "2s", "5s"},
		},
		"example-late": {
			script: "set records [1000, 7000, 4000]\nset watermark 4999\nset behind 1\nset dropped 0",
			file:   "set slack 100",
		},
	}}
}

func (e *toyEngine) Version() string { return "toy-1" }

func (e *toyEngine) Fingerprint(id string) (string, error) {
	x, ok := e.experiments[id]
	if !ok {
		return "", errors.New("no experiment " + id)
	}
	return fmt.Sprintf("%q %q %q", x.script, x.file, x.bounds), nil
}

func (e *toyEngine) Vary(id string, seed uint64) (map[string]string, error) {
	x, ok := e.experiments[id]
	if !ok {
		return nil, errors.New("no experiment " + id)
	}
	if len(x.bounds) == 0 {
		return map[string]string{}, nil
	}
	return map[string]string{"bound": x.bounds[seed%uint64(len(x.bounds))]}, nil
}

func (e *toyEngine) Run(_ context.Context, run Run) (Trace, error) {
	e.runs++
	x, ok := e.experiments[run.Experiment]
	if !ok {
		return nil, errors.New("no experiment " + run.Experiment)
	}
	drawn, _ := e.Vary(run.Experiment, run.Seed)
	tr := toyTrace{"ms": func(s string) int { d, _ := time.ParseDuration(s); return int(d.Milliseconds()) }}
	if err := tr.run(fill(x.script, drawn)); err != nil {
		return nil, err
	}
	file := x.file
	if own, ok := run.Files["job.yaml"]; ok {
		file = own
	}
	if err := errors.Join(tr.run(file), tr.run(run.Script)); err != nil {
		return nil, &LearnerError{err}
	}
	return tr, nil
}

type toyTrace map[string]any

func (tr toyTrace) run(script string) error {
	for n, line := range strings.Split(strings.TrimSpace(script), "\n") {
		words := strings.SplitN(line, " ", 3)
		switch {
		case line == "":
		case line == "panic":
			panic("the toy broke")
		case len(words) != 3 || words[0] != "set":
			return fmt.Errorf("line %d: unknown command %q", n+1, line)
		default:
			v, err := tr.Evaluate(words[2])
			if err != nil {
				return err
			}
			tr[words[1]] = v
		}
	}
	return nil
}

func (tr toyTrace) Evaluate(expression string) (any, error) {
	return expr.Eval(expression, map[string]any(tr))
}

// glossary for tests: one term in three languages.
var toyGlossary = GlossaryFunc(func(term string) ([]string, bool) {
	return []string{"watermark", "워터마크", "marca de agua"}, term == "watermark"
})
