package session

import (
	"errors"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/script"
	"streaminglab/sim/verdict"
	"streaminglab/sim/world"
)

// EngineVersion names the engine. It changes when a trace can change.
const EngineVersion = "1"

// An Observer is told what a run does, as it happens. Its methods may be nil.
type Observer struct {
	// Steps are new steps of the world.
	Steps func([]*sim.Step)
	// Question is the answer to a question verb, asked of the run as it stands.
	Question func(*Run, *Answer)
	// Line says which command begins.
	Line func(*script.Line)
}

// An Answer is the outcome of a question verb.
type Answer struct {
	Line *script.Line
	// Kind is expect, predict, show, why or runbook.
	Kind string
	// Seq is the last step of what was looked at: the last one of the world when
	// the question was asked, or, for a prediction, when it was answered; with the
	// cursor before the head, show, why and runbook are about the steps up to it.
	Seq int
	// Held says whether an expectation or prediction held; Problem is set when
	// it could not be evaluated.
	Held    bool
	Problem *sim.Problem
	// Show is what show asks for; Why the step that why asks for.
	Show *script.Show
	Why  int
	// Runbook is the kind of verdict that runbook asks about.
	Runbook string
	// Budget are the parts of a budget that were given.
	Budget map[string]int64
}

// A Run is a list of commands that is being carried out in a world of its own.
type Run struct {
	Experiment *Experiment
	Seed       uint64
	World      *world.World
	Folds      fold.Folds

	observer    Observer
	times       script.Times
	predictions []*script.Line
	told        int
	// Failed counts expectations and predictions that did not hold.
	Failed int
	// Prefix is the number of steps of the fixed prefix.
	Prefix int
	limit  int
	// looked is the step that is looked at; 0: the last one.
	looked int
}

// Options of a run.
type Options struct {
	Seed     uint64
	Settings []world.Setting
	Observer Observer
	// Until pauses the run for good once the trace has this many steps; 0: never.
	Until  int
	Bounds sim.Bounds
	// Interrupted is what world.Config says.
	Interrupted func() bool
	// Content returns an empty place for what is written to the object store,
	// for each world that is made; the one before is not used any more. Nil: in
	// memory.
	Content func() objectstore.Content
	// Work returns an empty directory on the disk for the files of one storage;
	// nil: they lie in memory.
	Work func(purpose string) (dir string, err error)
}

// content is what the options say.
func (o Options) content() objectstore.Content {
	if o.Content == nil {
		return nil
	}
	return o.Content()
}

// Head splits a list into what stands at its head (settings, seed) and the
// rest; set and seed that come later are an error.
func Head(lines []*script.Line) (settings []world.Setting, seed *uint64, rest []*script.Line, err error) {
	for i, l := range lines {
		switch c := l.Command.(type) {
		case script.Set:
			settings = append(settings, world.Setting{
				Path: c.Path, Value: c.Value,
				At: world.SettingPlace{File: l.File, Line: l.Number, Path: c.PathColumn, Value: c.ValueColumn},
			})
		case script.Seed:
			s := c.Value
			seed = &s
		default:
			for _, later := range lines[i:] {
				switch later.Command.(type) {
				case script.Set, script.Seed:
					return nil, nil, nil, at(later, sim.NewProblem("session.head", "Verb", later.Verb.Name))
				}
			}
			return settings, seed, lines[i:], nil
		}
	}
	return settings, seed, nil, nil
}

// at gives a problem the place of a line.
func at(l *script.Line, p *sim.Problem) *script.Error {
	return &script.Error{File: l.File, Line: l.Number, Column: l.Column, Problem: p}
}

// Start makes the world of an experiment and runs its prefix.
func Start(e *Experiment, o Options) (*Run, error) {
	inst, _, err := e.Instance(o.Seed)
	if err != nil {
		return nil, err
	}
	r := &Run{Experiment: inst, Seed: o.Seed, observer: o.Observer, times: inst.Times(), limit: o.Until, Folds: fold.Folds{Judge: verdict.New()}}
	r.World = world.New(world.Config{Files: inst.Files, Seed: o.Seed, Settings: o.Settings, Bounds: o.Bounds, Interrupted: o.Interrupted, Content: o.content(), Work: o.Work})
	prefix, err := script.Parse(e.Name, inst.Prefix, r.times)
	if err != nil {
		return nil, err
	}
	settings, _, rest, err := Head(prefix)
	if err != nil {
		return nil, err
	}
	if len(settings) > 0 {
		r.World = world.New(world.Config{Files: inst.Files, Seed: o.Seed, Settings: append(settings, o.Settings...), Bounds: o.Bounds, Interrupted: o.Interrupted, Content: o.content(), Work: o.Work})
	}
	for _, l := range rest {
		if err := r.Do(l); err != nil {
			return r, err
		}
	}
	r.Prefix = r.World.Trace().Len()
	return r, nil
}

// Parse reads a script for this run.
func (r *Run) Parse(file, text string) ([]*script.Line, error) {
	return script.Parse(file, text, r.times)
}

// Times reads the times of the experiment.
func (r *Run) Times() script.Times { return r.times }

// Stopped reports whether the run stands at the step of Until.
func (r *Run) Stopped() bool { return r.limit > 0 && r.World.Trace().Len() >= r.limit }

// Do carries out one line.
func (r *Run) Do(l *script.Line) error {
	if r.Stopped() {
		return nil
	}
	if r.observer.Line != nil {
		r.observer.Line(l)
	}
	switch c := l.Command.(type) {
	case script.WorldCommand:
		stop := l.Stop
		if have := r.World.Trace().Len(); stop > 0 && stop <= have {
			return at(l, sim.NewProblem("world.step-passed", "Step", stop, "Have", have))
		}
		if r.limit > 0 && (stop == 0 || stop > r.limit) {
			stop = r.limit
		}
		r.World.StopAt(stop)
		err := c.Apply(r.World, world.Command(l.Text), r.times)
		r.World.StopAt(0)
		r.tell()
		return r.place(l, err)
	case script.Expect:
		a := r.answer(l, "expect")
		a.Held, a.Problem = r.holds(c.Condition)
		r.judge(a)
	case script.Predict:
		r.predictions = append(r.predictions, l)
	case script.Show:
		if names := r.World.PartitionNames(); c.Of != "" && !slices.Contains(names, c.Of) && !fold.Internal(c.Of) {
			return at(l, sim.NewProblem("session.no-log", "Name", c.Of, "Known", strings.Join(names, ", "), "Nearest", world.Nearest(c.Of, names)))
		}
		a := r.look(l, "show")
		a.Show = &c
		r.question(a)
	case script.Why:
		a := r.look(l, "why")
		if a.Why = c.Step; c.Step > r.World.Trace().Len() {
			return at(l, sim.NewProblem("session.no-step", "Step", c.Step, "Have", r.World.Trace().Len()))
		}
		a.Seq = max(a.Seq, a.Why) // who names a step asks about that one
		r.question(a)
	case script.Runbook:
		a := r.look(l, "runbook")
		a.Runbook = c.Kind
		r.question(a)
	case script.Budget:
		a := r.look(l, "budget")
		a.Budget = c.Given
		r.question(a)
	case script.Set, script.Seed:
		return at(l, sim.NewProblem("session.head", "Verb", l.Verb.Name))
	default:
		return at(l, sim.NewProblem("session.interactive", "Verb", l.Verb.Name))
	}
	return nil
}

// place gives an error of the user the place of its line; one that has a
// place of its own, in a job file or in an earlier set, keeps it.
func (r *Run) place(l *script.Line, err error) error {
	if err == nil {
		return nil
	}
	var fp *world.FileProblem
	if errors.As(err, &fp) {
		return err
	}
	var sp *world.SettingProblem
	if errors.As(err, &sp) {
		return &script.Error{File: sp.File, Line: sp.Line, Column: sp.Col, Problem: sp.Problem}
	}
	var p *sim.Problem
	if errors.As(err, &p) {
		return at(l, p)
	}
	return err
}

func (r *Run) tell() {
	steps := r.World.Trace().Steps()
	if r.observer.Steps != nil && len(steps) > r.told {
		r.observer.Steps(steps[r.told:])
	}
	r.told = len(steps)
}

func (r *Run) answer(l *script.Line, kind string) *Answer {
	return &Answer{Line: l, Kind: kind, Seq: r.World.Trace().Len()}
}

// look is the answer to a question about what is looked at.
func (r *Run) look(l *script.Line, kind string) *Answer {
	a := r.answer(l, kind)
	if r.looked > 0 {
		a.Seq = r.looked
	}
	return a
}

func (r *Run) holds(p *fold.Program) (bool, *sim.Problem) {
	r.Folds.UpdateAt(r.World.Trace(), r.World.Now())
	ok, err := p.Holds(&r.Folds, r.times)
	if err != nil {
		return false, fold.Failed(err)
	}
	return ok, nil
}

func (r *Run) judge(a *Answer) {
	if !a.Held {
		r.Failed++
	}
	r.question(a)
}

func (r *Run) question(a *Answer) {
	if r.observer.Question != nil {
		r.observer.Question(r, a)
	}
}

// Finish answers the predictions.
func (r *Run) Finish() {
	for _, l := range r.predictions {
		a := r.answer(l, "predict")
		a.Held, a.Problem = r.holds(l.Command.(script.Predict).Condition)
		r.judge(a)
	}
	r.predictions = nil
}

// Goal reports whether the goal is reached; ok is false for a scenario.
func (r *Run) Goal() (reached, ok bool, err error) {
	if r.Experiment.Goal == "" {
		return false, false, nil
	}
	reached, err = r.Condition(r.Experiment.Goal)
	return reached, true, err
}

// A GoalPart is one of the conditions that a goal joins.
type GoalPart struct {
	Text string
	Held bool
}

// GoalParts are the conditions that the goal joins, and the names that it gives
// to values in front of them. A condition that cannot be evaluated yet does not
// hold. A goal of one condition has no parts.
func (r *Run) GoalParts() (names []string, parts []GoalPart) {
	c := fold.Conjuncts(r.Experiment.Goal)
	if len(c.Parts) < 2 {
		return nil, nil
	}
	for i, text := range c.Parts {
		held, err := r.Condition(c.Condition(i))
		parts = append(parts, GoalPart{text, err == nil && held})
	}
	return c.Names, parts
}

// Condition evaluates a condition over the trace.
func (r *Run) Condition(source string) (bool, error) {
	p, err := fold.Compile(source, r.times)
	if err != nil {
		return false, err
	}
	r.Folds.UpdateAt(r.World.Trace(), r.World.Now())
	return p.Holds(&r.Folds, r.times)
}

// Evaluate evaluates an expression over the trace.
func (r *Run) Evaluate(source string) (any, error) {
	p, err := fold.Compile(source, r.times)
	if err != nil {
		return nil, err
	}
	r.Folds.UpdateAt(r.World.Trace(), r.World.Now())
	return p.Eval(&r.Folds, r.times)
}

// Batch runs an experiment and then a list of lines to their end.
func Batch(e *Experiment, lines func(script.Times) ([]*script.Line, error), o Options) (*Run, error) {
	parsed, err := lines(e.Times())
	if err != nil {
		return nil, err
	}
	settings, seed, rest, err := Head(parsed)
	if err != nil {
		return nil, err
	}
	for _, l := range rest {
		if l.Verb.Class == script.Session {
			return nil, at(l, sim.NewProblem("session.interactive", "Verb", l.Verb.Name))
		}
	}
	o.Settings = append(o.Settings, settings...)
	if seed != nil {
		o.Seed = *seed
	}
	r, err := Start(e, o)
	if err != nil {
		return r, err
	}
	for _, l := range rest {
		if err := r.Do(l); err != nil {
			return r, err
		}
	}
	r.Finish()
	return r, nil
}
