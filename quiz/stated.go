package quiz

import (
	"slices"
	"strings"
)

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
