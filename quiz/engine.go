package quiz

import "context"

// Engine is the simulator as a quiz needs it. The caller implements it over
// sim/session; a quiz never sees a world.
//
// Errors: an experiment that does not exist or does not run is an ordinary
// error, a defect of the content or of lab. When what the learner wrote
// (Script, Files) cannot be parsed or breaks a bound, the error is or wraps a
// [*LearnerError]: the answer then is wrong, and nothing is defective.
type Engine interface {
	// Version names the engine; it is kept in answer files and results.
	Version() string
	// Fingerprint is a hash over what decides the trace of an experiment
	// (script, job files, goal, [vary]) and not over its texts. It goes into
	// the quiz hash: a changed experiment is a changed key.
	Fingerprint(experiment string) (string, error)
	// Vary draws the ${names} of an experiment for a seed. An experiment
	// without [vary] gives an empty map.
	Vary(experiment string, seed uint64) (map[string]string, error)
	// Run runs an experiment to the end of its script.
	Run(ctx context.Context, run Run) (Trace, error)
}

// Run is one run of an experiment.
type Run struct {
	Experiment string
	Seed       uint64
	Script     string            // commands typed after the experiment's own script
	Files      map[string]string // files of the experiment that are replaced
}

// Trace is what a run left. Evaluate gives the value of an expression over
// its folds: an integer or float of any width, string, bool, time.Duration
// (counted in ms), nil ("none"), or a slice of these.
type Trace interface {
	Evaluate(expression string) (any, error)
}

// LearnerError says that the learner's own script or file could not be used.
type LearnerError struct{ Err error }

func (e *LearnerError) Error() string { return e.Err.Error() }

// Unwrap gives the cause, whose type the caller knows how to word.
func (e *LearnerError) Unwrap() error { return e.Err }

// Dissector is implemented by an engine that can also say what a key depends
// on. [Check] uses it when it is there.
type Dissector interface {
	// ReadsFold says whether the expression reads the trace at all; a key
	// that is a constant is not computed.
	ReadsFold(expression string) (bool, error)
	// DependsOn says whether removing some single line of the experiment's
	// script or job file changes the value of the expression. A key that no
	// removal changes asks nothing about the experiment.
	DependsOn(ctx context.Context, experiment string, seed uint64, expression string) (bool, error)
	// Varies says whether the expression gives different values on the runs of
	// some two experiments. One that never does is a constant that names a fold.
	Varies(ctx context.Context, expression string) (bool, error)
}
