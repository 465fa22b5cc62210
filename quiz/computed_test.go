package quiz

import (
	"errors"
	"testing"
)

// What a wrong model of an order gives becomes the pair that a learner would
// answer; anything but two values of options is an author's slip.
func TestAWrongOrderIsAPairOfOptions(t *testing.T) {
	it := &Item{ID: "x", Kind: OrderKind, Options: []Option{{ID: "a"}, {ID: "b"}}}
	values := []any{"fired", "emitted"}
	for _, c := range []struct {
		given any
		want  string
		id    string
	}{
		{[]any{"fired", "emitted"}, "a<b", ""},
		{[]any{"emitted", "fired"}, "b<a", ""},
		{[]any{"fired"}, "", errModelNoPair},
		{"fired", "", errModelNoPair},
		{[]any{"fired", "read"}, "", errShapeOptions},
	} {
		got, err := it.wrongPair(WrongModel{Misconception: "m"}, c.given, values)
		var p Problem
		errors.As(err, &p)
		if got != c.want || p.ID != c.id {
			t.Errorf("%v: %q %q, want %q %q", c.given, got, p.ID, c.want, c.id)
		}
	}
}
