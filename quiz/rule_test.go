package quiz

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestRules holds every rule against the golden vectors: what a learner earns
// who picks some of A to E when A, B and C are right, what tries add up to,
// and what orders earn.
func TestRules(t *testing.T) {
	datadriven.Walk(t, "testdata/rules", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "choice":
				return choiceTable(d)
			case "tries":
				return triesOf(t, d)
			case "order":
				return orderTable(t, d)
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

func choiceTable(d *datadriven.TestData) string {
	var b strings.Builder
	rules := []Rule{AllOrNothing, NetCorrect, Coverage, EachAnswer, Balanced, False2}
	fmt.Fprintf(&b, "%-6s", "pick")
	for _, r := range rules {
		fmt.Fprintf(&b, " %-14s", r)
	}
	for _, pick := range strings.Fields(d.Input) {
		t, f := 0, 0
		for _, r := range pick {
			switch {
			case strings.ContainsRune("ABC", r):
				t++
			case strings.ContainsRune("DE", r):
				f++
			}
		}
		fmt.Fprintf(&b, "\n%-6s", pick)
		for _, r := range rules {
			fmt.Fprintf(&b, " %-14s", r.Choice(3, 2, t, f))
		}
	}
	return trimLines(b.String())
}

func triesOf(t *testing.T, d *datadriven.TestData) string {
	var points []int
	d.ScanArgs(t, "points", &points)
	var fractions []Score
	for _, w := range strings.Fields(d.Input) {
		var percent int
		fmt.Sscan(w, &percent)
		fractions = append(fractions, Ratio(percent, 100))
	}
	return Tries(points, fractions).Times(Points(points[0])).String() + " of " + Points(points[0]).String()
}

func orderTable(t *testing.T, d *datadriven.TestData) string {
	it := &Item{Kind: OrderKind}
	for _, id := range strings.Split("abcdefg", "") {
		it.Options = append(it.Options, Option{ID: id})
	}
	var key []string
	for _, arg := range d.CmdArgs {
		key = append(key, arg.String())
	}
	order, err := statedOrder(it, key)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, answer := range strings.Split(d.Input, "\n") {
		fmt.Fprintf(&b, "%s: %s\n", answer, order.Fraction(strings.Fields(answer)))
	}
	return b.String()
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// TestPartialOrderAgreesWithAllTopologicalOrders compares the matching trick
// with the definition: the best longest common subsequence over every order
// that the pairs allow.
func TestPartialOrderAgreesWithAllTopologicalOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	elements := []string{"a", "b", "c", "d", "e"}
	for range 300 {
		var pairs [][2]string
		for i := range elements {
			for j := i + 1; j < len(elements); j++ {
				if r.IntN(3) == 0 {
					pairs = append(pairs, [2]string{elements[i], elements[j]})
				}
			}
		}
		order, ok := PartialOrder(elements, pairs)
		if !ok {
			t.Fatal("an order of letters has no cycle")
		}
		answer := slices.Clone(elements)
		r.Shuffle(len(answer), func(i, j int) { answer[i], answer[j] = answer[j], answer[i] })
		answer = answer[:1+r.IntN(len(answer))]
		want := 0
		permutations(elements, func(p []string) {
			for i := range p {
				for j := i + 1; j < len(p); j++ {
					if order.Before(p[j], p[i]) {
						return
					}
				}
			}
			want = max(want, longestCommon(p, answer))
		})
		if got := order.common(answer); got != want {
			t.Fatalf("pairs %v, answer %v: %d, by definition %d", pairs, answer, got, want)
		}
	}
}

func permutations(list []string, visit func([]string)) {
	var walk func(done, rest []string)
	walk = func(done, rest []string) {
		if len(rest) == 0 {
			visit(done)
		}
		for i := range rest {
			others := append(slices.Clone(rest[:i]), rest[i+1:]...)
			walk(append(slices.Clone(done), rest[i]), others)
		}
	}
	walk(nil, list)
}

func longestCommon(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0] == b[0] {
		return 1 + longestCommon(a[1:], b[1:])
	}
	return max(longestCommon(a[1:], b), longestCommon(a, b[1:]))
}
