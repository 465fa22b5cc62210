package quiz

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a file. Line and Col count from 1, Col in characters.
// A zero Line means that the problem belongs to the file as a whole.
type Pos struct {
	File string
	Line int
	Col  int
}

func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Problem is something wrong with an item, a quiz or an answer file: the id
// of a message in the catalogue, its position, and the arguments of the
// message. It carries no sentence, because the sentence has two languages.
type Problem struct {
	ID   string
	Pos  Pos
	Args map[string]any
}

// Error is for logs and tests, not for learners: position, id, arguments.
func (p Problem) Error() string {
	var b strings.Builder
	if s := p.Pos.String(); s != "" {
		b.WriteString(s)
		b.WriteString(": ")
	}
	b.WriteString(p.ID)
	for _, k := range sortedKeys(p.Args) {
		fmt.Fprintf(&b, " %s=%q", k, fmt.Sprint(p.Args[k]))
	}
	return b.String()
}

// Problems is a sorted list of problems that is an error when not empty.
type Problems []Problem

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// sort puts problems in the order of files and lines, then ids, so that the
// same content always gives the same list.
func (ps Problems) sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Error(), b.Error()),
		)
	})
}

// orNil avoids the trap of a non-nil error interface around an empty list.
func (ps Problems) orNil() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// problem builds a Problem from pairs of argument names and values.
func problem(id string, pos Pos, pairs ...any) Problem {
	p := Problem{ID: id, Pos: pos, Args: map[string]any{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		p.Args[pairs[i].(string)] = pairs[i+1]
	}
	return p
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
