package quiz

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Solution is the right answer to one variant of an item, with what each
// wrong model would answer. Which field counts depends on the kind.
type Solution struct {
	Correct  []string // single, multiple: option ids, sorted
	True     bool     // truefalse, output of type boolean
	Quantity Quantity // numeric, output
	Forms    []string // text, output of type text: every accepted form, the stated ones first
	Order    Order
	Pairs    [][2]string // match: prompt and option ids, in the order of the prompts
	Wrong    []any       // value of each wrong model of the item, in its order; nil where there is none
	Values   []any       // value of each option, where options carry values or expressions
}

// shape says what is wrong with a key, without knowing yet where it stands.
func shape(id string, pairs ...any) error { return problem(id, Pos{}, pairs...) }

// statedText shows a stated key in a message.
func statedText(v any) string {
	if list, ok := v.([]any); ok {
		parts := make([]string, len(list))
		for i, e := range list {
			parts[i] = statedText(e)
		}
		return strings.Join(parts, ", ")
	}
	if r, ok := v.(*big.Rat); ok {
		return decimalText(r)
	}
	return fmt.Sprint(v)
}

// solve finds the solution of a filled variant. trace is asked for only when
// something is computed.
func solve(it *Item, glossary Glossary, trace func() (Trace, error)) (Solution, error) {
	var s Solution
	var err error
	if it.Kind == Poll || it.Kind == Counterexample || it.Kind == Fix {
		return s, nil
	}
	if it.Key.Computed == "" {
		if s, err = solveStated(it); err != nil {
			return s, keyProblem(it, err)
		}
		s.Wrong = make([]any, len(it.Wrong))
		for i, w := range it.Wrong {
			s.Wrong[i] = w.Value
		}
	} else {
		tr, err := trace()
		if err != nil {
			return s, err
		}
		if s, err = solveComputed(it, tr); err != nil {
			return s, keyProblem(it, err)
		}
	}
	if it.Answer.Glossary && glossary != nil {
		for _, form := range slices.Clone(s.Forms) {
			if more, ok := glossary.Forms(form); ok {
				s.Forms = append(s.Forms, more...)
			}
		}
	}
	return s, nil
}

// keyProblem gives a problem of shape its position.
func keyProblem(it *Item, err error) error {
	var p Problem
	if errors.As(err, &p) && p.Pos == (Pos{}) {
		p.Pos = it.Key.Pos
		p.Args["Item"] = it.ID
		return p
	}
	return err
}

// evaluation keeps the engine's own error as an argument: whoever knows its
// type can word it.
func evaluation(it *Item, pos Pos, expression string, err error) error {
	return problem(errExpression, pos, "Item", it.ID, "Expression", expression, "Detail", err.Error(), "Cause", err)
}

// runner makes a lazily run trace of the item's experiment.
func runner(ctx context.Context, engine Engine, it *Item, seed uint64) func() (Trace, error) {
	var tr Trace
	var err error
	done := false
	return func() (Trace, error) {
		if !done {
			done = true
			if engine == nil {
				err = problem(errNoEngine, it.Pos, "Item", it.ID)
			} else if tr, err = engine.Run(ctx, Run{Experiment: it.Key.Computed, Seed: seed}); err != nil {
				err = problem(errExperiment, it.Key.Pos, "Item", it.ID, "Experiment", it.Key.Computed, "Detail", err.Error(), "Cause", err)
			}
		}
		return tr, err
	}
}

// cutPair reads the literal "b<a" or "1=a" of a wrong model.
func cutPair(v any, sign string) (a, b string, ok bool) {
	s, isText := v.(string)
	if !isText {
		return "", "", false
	}
	a, b, ok = strings.Cut(s, sign)
	return strings.TrimSpace(a), strings.TrimSpace(b), ok
}
