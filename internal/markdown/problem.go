package markdown

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is a defect of a lesson, with its place and a message id. It is a
// value: whoever shows it words it.
type Problem struct {
	File      string
	Line, Col int // from 1; 0 when the problem has no single place
	ID        string
	Args      map[string]any
}

// Error makes a Problem usable as an error in logs and tests; learners and
// authors get the message of the catalogue.
func (p Problem) Error() string {
	keys := make([]string, 0, len(p.Args))
	for k := range p.Args {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: %s", p.File, p.Line, p.Col, p.ID)
	for _, k := range keys {
		fmt.Fprintf(&b, " %s=%v", k, p.Args[k])
	}
	return b.String()
}

// sortProblems puts them in the order in which an author repairs them.
func sortProblems(ps []Problem) []Problem {
	sort.SliceStable(ps, func(i, j int) bool {
		a, b := ps[i], ps[j]
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	return ps
}
