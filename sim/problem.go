package sim

import (
	"fmt"
	"sort"
	"strings"
)

// A Problem is an error of the user: what was wrong, as a message id with its
// arguments. A catalogue words it; where it was is known to whoever parsed.
type Problem struct {
	// ID is the id of a message ("world.unknown-split").
	ID string
	// Args are what the message is about.
	Args map[string]any
}

// NewProblem makes a problem; args are names and values in turn.
func NewProblem(id string, args ...any) *Problem {
	p := &Problem{ID: id, Args: map[string]any{}}
	for i := 0; i+1 < len(args); i += 2 {
		p.Args[args[i].(string)] = args[i+1]
	}
	return p
}

// Error names the id and the arguments, for logs and tests.
func (p *Problem) Error() string {
	names := make([]string, 0, len(p.Args))
	for n := range p.Args {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString(p.ID)
	for _, n := range names {
		fmt.Fprintf(&b, " %s=%v", n, p.Args[n])
	}
	return b.String()
}
