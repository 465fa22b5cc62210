package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"streaminglab/quiz"

	"streaminglab/sim/fold"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// Engine runs experiments of a tree of .txtar files.
type Engine struct {
	files fs.FS

	mu     sync.Mutex
	loaded map[string]*session.Experiment
}

// New returns an engine over a directory of experiments (ID.txtar).
func New(experiments fs.FS) *Engine {
	return &Engine{files: experiments, loaded: map[string]*session.Experiment{}}
}

// Version implements quiz.Engine.
func (*Engine) Version() string { return session.EngineVersion }

// Experiment returns an experiment by id.
func (e *Engine) Experiment(id string) (*session.Experiment, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if x := e.loaded[id]; x != nil {
		return x, nil
	}
	if id == "" || strings.ContainsAny(id, `/\`) {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	text, err := fs.ReadFile(e.files, id+".txtar")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	if err != nil {
		return nil, err
	}
	x, err := session.ParseExperiment(id, path.Join("assets", "experiments", id+".txtar"), text)
	if err != nil {
		return nil, err
	}
	e.loaded[id] = x
	return x, nil
}

// ErrUnknown says that there is no experiment of that id.
var ErrUnknown = errors.New("engine: no experiment")

// Fingerprint implements quiz.Engine.
func (e *Engine) Fingerprint(id string) (string, error) {
	x, err := e.Experiment(id)
	if err != nil {
		return "", err
	}
	return x.Fingerprint(), nil
}

// Vary implements quiz.Engine.
func (e *Engine) Vary(id string, seed uint64) (map[string]string, error) {
	x, err := e.Experiment(id)
	if err != nil {
		return nil, err
	}
	return x.Draw(seed)
}

// Run implements quiz.Engine.
func (e *Engine) Run(ctx context.Context, run quiz.Run) (quiz.Trace, error) {
	x, err := e.Experiment(run.Experiment)
	if err != nil {
		return nil, err
	}
	return e.run(ctx, x, run)
}

func (e *Engine) run(ctx context.Context, x *session.Experiment, run quiz.Run) (quiz.Trace, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	own := run.Script != "" || len(run.Files) > 0
	if len(run.Files) > 0 {
		changed := *x
		changed.Files = map[string][]byte{}
		for n, b := range x.Files {
			changed.Files[n] = b
		}
		for n, text := range run.Files {
			changed.Files[n] = []byte(text)
		}
		x = &changed
	}
	r, err := session.Batch(x, func(t script.Times) ([]*script.Line, error) {
		return script.Parse("script", run.Script, t)
	}, session.Options{Seed: run.Seed})
	if err != nil {
		// What the learner wrote cannot be used; without anything of theirs the
		// experiment itself is at fault.
		if own {
			return nil, &quiz.LearnerError{Err: err}
		}
		return nil, err
	}
	return trace{r}, nil
}

type trace struct{ run *session.Run }

// Evaluate implements quiz.Trace.
func (t trace) Evaluate(expression string) (any, error) { return t.run.Evaluate(expression) }

// ReadsFold implements quiz.Dissector.
func (*Engine) ReadsFold(expression string) (bool, error) {
	p, err := fold.Compile(expression, script.Times{})
	if err != nil {
		return false, err
	}
	return len(p.Reads()) > 0, nil
}

// DependsOn implements quiz.Dissector: it takes single lines away from the
// script, then from the job files, until the value is another one.
func (e *Engine) DependsOn(ctx context.Context, id string, seed uint64, expression string) (bool, error) {
	x, err := e.Experiment(id)
	if err != nil {
		return false, err
	}
	value := func(x *session.Experiment) (string, error) {
		t, err := e.run(ctx, x, quiz.Run{Experiment: id, Seed: seed})
		if err != nil {
			return "", err
		}
		v, err := t.Evaluate(expression)
		return fmt.Sprintf("%#v", v), err
	}
	whole, err := value(x)
	if err != nil {
		return false, err
	}
	for _, less := range Shortened(x) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if v, err := value(less); err == nil && v != whole {
			return true, nil
		}
	}
	return false, nil
}

// Varies implements quiz.Dissector: it evaluates the expression on the run of
// each experiment, alone and with each of its members.
func (e *Engine) Varies(ctx context.Context, expression string) (bool, error) {
	entries, err := fs.ReadDir(e.files, ".")
	if err != nil {
		return false, err
	}
	first, seen := "", false
	for _, f := range entries {
		id, ok := strings.CutSuffix(f.Name(), ".txtar")
		if !ok {
			continue
		}
		x, err := e.Experiment(id)
		if err != nil {
			continue // found elsewhere
		}
		scripts := []string{""}
		for _, s := range x.Members {
			scripts = append(scripts, s)
		}
		for _, s := range scripts {
			t, err := e.run(ctx, x, quiz.Run{Experiment: id, Seed: 1, Script: s})
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if err != nil {
				continue
			}
			v, err := t.Evaluate(expression)
			if err != nil {
				continue // it names what this job does not have
			}
			text := fmt.Sprintf("%#v", v)
			if seen && text != first {
				return true, nil
			}
			first, seen = text, true
		}
	}
	return false, nil
}

// Shortened returns the experiment with single lines taken away: of the
// script, then of the job files.
func Shortened(x *session.Experiment) []*session.Experiment {
	var out []*session.Experiment
	lines := strings.Split(x.Prefix, "\n")
	for i, l := range lines {
		if t := strings.TrimSpace(l); t == "" || strings.HasPrefix(t, "#") || strings.HasPrefix(t, "job ") {
			continue
		}
		less := *x
		less.Prefix = strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "\n")
		out = append(out, &less)
	}
	for name, text := range x.Files {
		lines := strings.Split(string(text), "\n")
		for i, l := range lines {
			if strings.TrimSpace(l) == "" {
				continue
			}
			less := *x
			less.Files = map[string][]byte{}
			for n, b := range x.Files {
				less.Files[n] = b
			}
			less.Files[name] = []byte(strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "\n"))
			out = append(out, &less)
		}
	}
	return out
}

var (
	_ quiz.Engine    = (*Engine)(nil)
	_ quiz.Dissector = (*Engine)(nil)
)
