package session

import (
	"fmt"

	"streaminglab/sim/script"
)

// stopText writes a command so that it pauses at a step. Time that passes
// becomes run until step N; anything else keeps its text, with until step N
// behind it.
func stopText(l *script.Line, step int, times script.Times) (*script.Line, error) {
	text := fmt.Sprintf("%s until step %d", l.Text, step)
	switch l.Command.(type) {
	case script.Advance, script.Run:
		text = fmt.Sprintf("run until step %d", step)
	}
	out, err := script.ParseLine(l.File, l.Number, text, times)
	if err != nil {
		return nil, err
	}
	return out, nil
}
