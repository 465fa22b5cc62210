package quiz

import "slices"

// Order is a key for putting things in order: elements, and for some pairs
// which comes before which. A total order has all pairs, happens-before has
// some; every order that respects the pairs is right.
type Order struct {
	Elements []string
	before   map[[2]string]bool // closed under transitivity
}

// TotalOrder is the order of a list.
func TotalOrder(ids []string) Order {
	o := Order{Elements: slices.Clone(ids), before: map[[2]string]bool{}}
	for i, a := range ids {
		for _, b := range ids[i+1:] {
			o.before[[2]string{a, b}] = true
		}
	}
	return o
}

// PartialOrder is the order of elements in which each pair's first comes
// before its second. ok is false when the pairs contradict each other.
func PartialOrder(elements []string, pairs [][2]string) (o Order, ok bool) {
	o = Order{Elements: slices.Clone(elements), before: map[[2]string]bool{}}
	for _, p := range pairs {
		o.before[p] = true
	}
	for _, k := range elements { // Warshall
		for _, i := range elements {
			for _, j := range elements {
				if o.before[[2]string{i, k}] && o.before[[2]string{k, j}] {
					o.before[[2]string{i, j}] = true
				}
			}
		}
	}
	for _, e := range elements {
		if o.before[[2]string{e, e}] {
			return o, false
		}
	}
	return o, true
}

// Before says whether a must come before b.
func (o Order) Before(a, b string) bool { return o.before[[2]string{a, b}] }

// Fraction is what an order earns: max(0, (L-d)/L), where L elements are in
// the key and d counts the insertions and deletions that turn the answer into
// the nearest right order, d = (|S|-LCS) + (L-LCS) (PrairieLearn's
// order-blocks, arXiv 2204.04196).
func (o Order) Fraction(answer []string) Score {
	L := len(o.Elements)
	if L == 0 {
		return Score{}
	}
	common := o.common(answer)
	d := (len(answer) - common) + (L - common)
	return Ratio(L-d, L).Max(Score{})
}

// common is the longest common subsequence of the answer and the best of all
// right orders. With a partial key there may be millions of those, so it is
// not searched: a set of elements can stay where it is exactly when no two of
// them are inverted. "Inverted" (stands later, must come before) is itself a
// partial order, so by Dilworth's theorem the largest set without an inverted
// pair has n − m elements, m being a maximum matching of inverted pairs.
func (o Order) common(answer []string) int {
	var kept []string
	for _, id := range answer {
		if slices.Contains(o.Elements, id) {
			kept = append(kept, id)
		}
	}
	partner := make([]int, len(kept)) // of each later element: the earlier one it is matched with
	for j := range partner {
		partner[j] = -1
	}
	var augment func(i int, tried []bool) bool
	augment = func(i int, tried []bool) bool {
		for j := i + 1; j < len(kept); j++ {
			if tried[j] || !o.Before(kept[j], kept[i]) {
				continue
			}
			tried[j] = true
			if partner[j] < 0 || augment(partner[j], tried) {
				partner[j] = i
				return true
			}
		}
		return false
	}
	matched := 0
	for i := range kept {
		if augment(i, make([]bool, len(kept))) {
			matched++
		}
	}
	return len(kept) - matched
}

// Example is one right order: of what may come next, the first of Elements.
func (o Order) Example() []string {
	var out []string
	left := slices.Clone(o.Elements)
	for len(left) > 0 {
		next := slices.IndexFunc(left, func(id string) bool {
			return !slices.ContainsFunc(left, func(x string) bool { return o.Before(x, id) })
		})
		next = max(next, 0)
		out = append(out, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return out
}
