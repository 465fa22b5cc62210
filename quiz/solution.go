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

// solveStated reads a stated key.
func solveStated(it *Item) (Solution, error) {
	var s Solution
	v := it.Key.Stated
	list, isList := v.([]any)
	switch it.Kind {
	case Single:
		id, ok := v.(string)
		if !ok || it.Option(id) == nil {
			return s, shape(errShapePart, "Value", statedText(v))
		}
		s.Correct = []string{id}
	case Multiple:
		if !isList {
			return s, shape(errShapeList)
		}
		ids, err := stringsOf(list)
		if err != nil {
			return s, err
		}
		for i, id := range ids {
			if it.Option(id) == nil || slices.Contains(ids[:i], id) {
				return s, shape(errShapePart, "Value", id)
			}
		}
		if len(ids) == 0 {
			return s, shape(errShapeNone)
		}
		slices.Sort(ids)
		s.Correct = ids
	case TrueFalse:
		b, ok := v.(bool)
		if !ok {
			return s, shape(errShapeBool)
		}
		s.True = b
	case Numeric:
		q, ok := quantityOf(v, it.Answer)
		if !ok {
			return s, shape(errShapeQuantity)
		}
		s.Quantity = q
	case TextKind:
		if !isList {
			list = []any{v}
		}
		forms, err := stringsOf(list)
		if err != nil || len(forms) == 0 {
			return s, shape(errShapeText)
		}
		s.Forms = forms
	case OrderKind:
		if !isList {
			return s, shape(errShapeList)
		}
		parts, err := stringsOf(list)
		if err != nil {
			return s, err
		}
		s.Order, err = statedOrder(it, parts)
		return s, err
	case Match:
		if !isList {
			return s, shape(errShapeList)
		}
		parts, err := stringsOf(list)
		if err != nil {
			return s, err
		}
		s.Pairs, err = readPairs(it, parts)
		if err == nil && len(s.Pairs) != len(it.Prompts) {
			err = shape(errShapePairs)
		}
		return s, err
	default:
		return s, shape(errKeyMustCompute, "Kind", string(it.Kind))
	}
	return s, nil
}

func stringsOf(list []any) ([]string, error) {
	out := make([]string, len(list))
	for i, e := range list {
		s, ok := e.(string)
		if !ok || s == "" {
			return nil, shape(errShapeText)
		}
		out[i] = s
	}
	return out, nil
}

// statedOrder reads ["c","a","b"], a total order, or ["c<a","c<b","d"], pairs
// and elements without a constraint.
func statedOrder(it *Item, parts []string) (Order, error) {
	var elements []string
	var pairs [][2]string
	add := func(id string) error {
		if it.Option(id) == nil {
			return shape(errShapePart, "Value", id)
		}
		if !slices.Contains(elements, id) {
			elements = append(elements, id)
		}
		return nil
	}
	partial := slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(p, "<") })
	for _, p := range parts {
		ids := strings.Split(p, "<")
		if !partial && slices.Contains(elements, p) {
			return Order{}, shape(errShapePart, "Value", p)
		}
		for i := range ids {
			ids[i] = strings.TrimSpace(ids[i])
			if err := add(ids[i]); err != nil {
				return Order{}, err
			}
			if i > 0 {
				pairs = append(pairs, [2]string{ids[i-1], ids[i]})
			}
		}
	}
	if len(elements) < 2 {
		return Order{}, shape(errShapeFew)
	}
	if !partial {
		return TotalOrder(elements), nil
	}
	o, ok := PartialOrder(elements, pairs)
	if !ok {
		return o, shape(errShapeCycle)
	}
	return o, nil
}

// readPairs reads ["1=b", …] in the order of the prompts.
func readPairs(it *Item, parts []string) ([][2]string, error) {
	found := map[string]string{}
	for _, p := range parts {
		left, right, ok := strings.Cut(p, "=")
		left, right = strings.TrimSpace(left), strings.TrimSpace(right)
		if !ok || it.Option(right) == nil || !slices.Contains(it.PromptIDs(), left) || found[left] != "" {
			return nil, shape(errShapePart, "Value", p)
		}
		found[left] = right
	}
	var out [][2]string
	for _, p := range it.Prompts {
		if right := found[p.ID]; right != "" {
			out = append(out, [2]string{p.ID, right})
		}
	}
	return out, nil
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

func solveComputed(it *Item, tr Trace) (Solution, error) {
	var s Solution
	var key any
	var err error
	if it.Key.Expression != "" {
		if key, err = tr.Evaluate(it.Key.Expression); err != nil {
			return s, evaluation(it, it.Key.Pos, it.Key.Expression, err)
		}
	}
	s.Values = make([]any, len(it.Options))
	var holding []string
	for i, o := range it.Options {
		s.Values[i] = o.Value
		expression := o.Answers + o.Holds // at most one is set
		if expression == "" {
			continue
		}
		if s.Values[i], err = tr.Evaluate(expression); err != nil {
			return s, evaluation(it, o.Pos, expression, err)
		}
		if o.Holds != "" {
			holds, ok := boolOf(s.Values[i])
			if !ok {
				return s, shape(errShapeBool)
			}
			if holds {
				holding = append(holding, o.ID)
			}
		}
	}
	switch it.Kind {
	case Single:
		s.Correct = holding
		if it.Key.Expression != "" {
			s.Correct = it.optionsWith(s.Values, key)
		}
		if len(s.Correct) != 1 {
			return s, shape(errShapeOptions, "Count", len(s.Correct), "Value", showValue(key, it.Answer))
		}
	case Multiple:
		s.Correct = holding
		if it.Key.Expression != "" {
			list, ok := listOf(key)
			if !ok {
				return s, shape(errShapeList)
			}
			for _, v := range list {
				ids := it.optionsWith(s.Values, v)
				if len(ids) != 1 {
					return s, shape(errShapeOptions, "Count", len(ids), "Value", showValue(v, it.Answer))
				}
				if !slices.Contains(s.Correct, ids[0]) {
					s.Correct = append(s.Correct, ids[0])
				}
			}
		}
		if len(s.Correct) == 0 { // a learner who picks nothing has left a blank
			return s, shape(errShapeNone)
		}
		slices.Sort(s.Correct)
	case TrueFalse:
		b, ok := boolOf(key)
		if !ok {
			return s, shape(errShapeBool)
		}
		s.True = b
	case Numeric, Output:
		if err := s.setOutput(it, key); err != nil {
			return s, err
		}
	case TextKind:
		list, ok := listOf(key)
		if !ok {
			list = []any{key}
		}
		if s.Forms, err = stringsOf(list); err != nil {
			return s, err
		}
	case OrderKind:
		if s.Order, err = it.computedOrder(s.Values, key); err != nil {
			return s, err
		}
	case Match:
		for _, p := range it.Prompts {
			v, err := tr.Evaluate(p.Answers)
			if err != nil {
				return s, evaluation(it, p.Pos, p.Answers, err)
			}
			ids := it.optionsWith(s.Values, v)
			if len(ids) != 1 {
				return s, shape(errShapeOptions, "Count", len(ids), "Value", showValue(v, it.Answer))
			}
			s.Pairs = append(s.Pairs, [2]string{p.ID, ids[0]})
		}
	}
	s.Wrong = make([]any, len(it.Wrong))
	for i, w := range it.Wrong {
		s.Wrong[i] = w.Value
		if w.Answers == "" {
			continue
		}
		if s.Wrong[i], err = tr.Evaluate(w.Answers); err != nil {
			return s, evaluation(it, w.Pos, w.Answers, err)
		}
	}
	return s, nil
}

func (s *Solution) setOutput(it *Item, key any) error {
	switch it.Answer.Type {
	case TypeText:
		text, ok := key.(string)
		if !ok {
			return shape(errShapeText)
		}
		s.Forms = []string{text}
	case TypeBoolean:
		b, ok := boolOf(key)
		if !ok {
			return shape(errShapeBool)
		}
		s.True = b
	default:
		q, ok := quantityOf(key, it.Answer)
		if !ok {
			return shape(errShapeQuantity)
		}
		s.Quantity = q
	}
	return nil
}

func (it *Item) optionsWith(values []any, v any) []string {
	var ids []string
	for i, o := range it.Options {
		if sameValue(values[i], v, it.Answer) {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// computedOrder reads a list of values, a total order, or a list of lists:
// [x, y] says that x came before y, [x] that x occurs.
func (it *Item) computedOrder(values []any, key any) (Order, error) {
	list, ok := listOf(key)
	if !ok {
		return Order{}, shape(errShapeList)
	}
	var elements []string
	var pairs [][2]string
	partial := false
	find := func(v any) (string, error) {
		ids := it.optionsWith(values, v)
		if len(ids) != 1 {
			return "", shape(errShapeOptions, "Count", len(ids), "Value", showValue(v, it.Answer))
		}
		if !slices.Contains(elements, ids[0]) {
			elements = append(elements, ids[0])
		}
		return ids[0], nil
	}
	for _, v := range list {
		group, nested := listOf(v)
		partial = partial || nested
		if !nested {
			group = []any{v}
		}
		before := ""
		for _, e := range group {
			id, err := find(e)
			if err != nil {
				return Order{}, err
			}
			if before != "" {
				pairs = append(pairs, [2]string{before, id})
			}
			before = id
		}
	}
	if len(elements) < 2 {
		return Order{}, shape(errShapeFew)
	}
	if !partial {
		return TotalOrder(elements), nil
	}
	o, ok := PartialOrder(elements, pairs)
	if !ok {
		return o, shape(errShapeCycle)
	}
	return o, nil
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
