package quiz

import (
	"errors"
)

// checkKey holds the key against the kind and the options.
func checkKey(t *table, it *Item) {
	if it.Kind == Poll || it.Key.Computed == "" && it.Key.Stated == nil {
		return
	}
	if it.Key.Computed == "" {
		checkStated(t, it)
		return
	}
	holds, values := 0, 0
	for _, o := range it.Options {
		n := 0
		if o.Value != nil {
			n++
			values++
		}
		if o.Answers != "" {
			n++
			values++
		}
		if o.Holds != "" {
			n++
			holds++
		}
		if n != 1 {
			t.doc.add(problem(errOptionValue, o.Pos, "Value", o.ID))
		}
	}
	needsExpression := true
	switch it.Kind {
	case Single, Multiple:
		if holds > 0 && values > 0 {
			t.fail("option", errOptionMixed)
		}
		needsExpression = holds == 0
	case Match:
		needsExpression = false
		for _, p := range it.Prompts {
			if p.Answers == "" {
				t.doc.add(problem(errMissingKey, p.Pos, "Key", "prompt.answers"))
			}
		}
	case Counterexample, Fix:
		needsExpression = len(it.Properties) == 0
	}
	switch {
	case needsExpression && it.Key.Expression == "":
		t.doc.add(problem(errMissingKey, it.Key.Pos, "Key", "key.expression"))
	case !needsExpression && it.Key.Expression != "":
		t.doc.add(problem(errUnknownKey, it.Key.Pos, "Key", "key.expression", "Nearest", ""))
	}
}

// checkStated reads a stated key once, so that a wrong one is found with its
// line when the file is read and not when a learner answers.
func checkStated(t *table, it *Item) {
	for _, o := range it.Options {
		if o.Value != nil || o.Answers != "" || o.Holds != "" {
			t.doc.add(problem(errOptionNoValue, o.Pos, "Value", o.ID))
		}
	}
	for _, p := range it.Prompts {
		if p.Answers != "" {
			t.doc.add(problem(errOptionNoValue, p.Pos, "Value", p.ID))
		}
	}
	for _, w := range it.Wrong {
		if w.Answers != "" {
			t.doc.add(problem(errModelNoTrace, w.Pos, "Value", w.Misconception))
		}
	}
	if len(placeholders(statedText(it.Key.Stated))) > 0 {
		return // only a seed can tell
	}
	var p Problem
	if _, err := solveStated(it); errors.As(keyProblem(it, err), &p) && p.ID != errKeyMustCompute { // which readKey has said
		t.doc.add(p)
	}
}
