package quiz

import "testing"

// A learner who got a time wrong reads the right one as a time, not in ms.
func TestQuantityText(t *testing.T) {
	for _, c := range []struct {
		ms   int64
		spec AnswerSpec
		want string
	}{
		{43_204_999, AnswerSpec{Type: TypeTime}, "12:00:04.999"},
		{43_200_000, AnswerSpec{Type: TypeTime}, "12:00:00"},
		{-1, AnswerSpec{Type: TypeTime}, "-1"},
		{1500, AnswerSpec{Type: TypeDuration}, "1500ms"},
		{7, AnswerSpec{Type: TypeInteger}, "7"},
	} {
		if got := wholeQuantity(c.ms).Text(c.spec); got != c.want {
			t.Errorf("%d as %s: %q, want %q", c.ms, c.spec.Type, got, c.want)
		}
	}
}
