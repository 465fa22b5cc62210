package quiz

// Rule is how a multiple-choice answer earns part of its points. With c
// correct and w wrong options (n = c+w), the learner picked t correct and f
// wrong ones.
type Rule string

// The rules. The default is net-correct, on which Canvas, PrairieLearn and
// H5P agree. Balanced is for graded quizzes in which "select everything"
// should earn nothing.
const (
	AllOrNothing Rule = "all-or-nothing" // 1 if t=c and f=0, else 0 (PrairieLearn "off")
	NetCorrect   Rule = "net-correct"    // max(0, (t-f)/c) (PrairieLearn "PC")
	EachAnswer   Rule = "each-answer"    // 1 - (f+(c-t))/n (PrairieLearn "EDC", edX)
	Coverage     Rule = "coverage"       // (t/c)·(t/(t+f)), blank 0 (PrairieLearn "COV")
	Balanced     Rule = "balanced"       // t/c - f/w, from 0 to 1 (the usual weights in Moodle)
	False2       Rule = "false2"         // t/c - f/max(w,2), from 0 (the default of R/exams)
)

// ChoiceRules lists the rules in the order of the documentation.
var ChoiceRules = []Rule{NetCorrect, AllOrNothing, EachAnswer, Coverage, Balanced, False2}

// Choice is the fraction that a pick earns under the rule: the formula alone.
// A blank pick is 0 under every rule but each-answer, whose formula pays w/n
// for nothing; grading therefore never asks it about a blank (see [Marker.Mark]).
func (rule Rule) Choice(c, w, t, f int) Score {
	one, n := Points(1), c+w
	if c == 0 || n == 0 { // "none of them" is right only when nothing is picked
		if f == 0 {
			return one
		}
		return Score{}
	}
	hits := Ratio(t, c)
	switch rule {
	case AllOrNothing:
		if t == c && f == 0 {
			return one
		}
		return Score{}
	case EachAnswer:
		return one.Minus(Ratio(f+c-t, n))
	case Coverage:
		if t+f == 0 {
			return Score{}
		}
		return hits.Times(Ratio(t, t+f))
	case Balanced:
		return hits.Minus(Ratio(f, max(w, 1))).Max(Score{}).Min(one)
	case False2:
		return hits.Minus(Ratio(f, max(w, 2))).Max(Score{})
	}
	return Ratio(t-f, c).Max(Score{})
}

// Tries combines the fractions of successive tries: try n earns what it
// improves on the best so far, times points[n], and nothing is ever lost
// (PrairieLearn's autoPoints). The result is a fraction of points[0]. Tries
// beyond the list earn nothing.
func Tries(points []int, fractions []Score) Score {
	var best, sum Score
	for n, fraction := range fractions {
		if n >= len(points) {
			break
		}
		if fraction.Cmp(best) > 0 {
			sum = sum.Plus(fraction.Minus(best).Times(Points(points[n])))
			best = fraction
		}
	}
	return sum.Over(Points(points[0]))
}

// WithinTolerance says whether |x-k| ≤ abs + rel·|k|.
func WithinTolerance(x, k Quantity, abs, rel Score) bool {
	if x.None || k.None {
		return x.None && k.None
	}
	X, K := Score{x.Number}, Score{k.Number}
	distance := X.Minus(K)
	if distance.Cmp(Score{}) < 0 {
		distance = Score{}.Minus(distance)
	}
	size := K
	if size.Cmp(Score{}) < 0 {
		size = Score{}.Minus(size)
	}
	return distance.Cmp(abs.Plus(rel.Times(size))) <= 0
}
