package quiz

import (
	"slices"
	"strings"
)

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
		if it.Kind == OrderKind || it.Kind == Match {
			if s.Wrong[i], err = it.wrongPair(w, s.Wrong[i], s.Values); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// wrongPair turns what a wrong model gave into the pair that a learner would
// answer: of a match the prompt and the option of that value, of an order two
// options, the first one before the second.
func (it *Item) wrongPair(w WrongModel, given any, of []any) (string, error) {
	values, sign, parts := []any{given}, "=", []string{w.Prompt}
	if it.Kind == OrderKind {
		list, ok := listOf(given)
		if !ok || len(list) != 2 {
			return "", problem(errModelNoPair, w.Pos, "Item", it.ID, "Value", w.Misconception)
		}
		values, sign, parts = list, "<", nil
	}
	for _, v := range values {
		ids := it.optionsWith(of, v)
		if len(ids) != 1 {
			return "", problem(errShapeOptions, w.Pos, "Item", it.ID, "Count", len(ids), "Value", showValue(v, it.Answer))
		}
		parts = append(parts, ids[0])
	}
	return strings.Join(parts, sign), nil
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
