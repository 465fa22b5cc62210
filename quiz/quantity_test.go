package quiz

import "testing"

// A learner who got a time wrong reads the right one as a time, and a duration in
// the unit that was asked for.
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
		{7000, AnswerSpec{Type: TypeDuration}, "7s"},
		{950_000, AnswerSpec{Type: TypeDuration, Unit: "s"}, "950s"},
		{1500, AnswerSpec{Type: TypeDuration, Unit: "s"}, "1.5s"},
		{1000, AnswerSpec{Type: TypeDuration, Unit: "h"}, "1000ms"},
		{0, AnswerSpec{Type: TypeDuration, Unit: "min"}, "0min"},
		{7, AnswerSpec{Type: TypeInteger}, "7"},
		{7, AnswerSpec{Type: TypeInteger, Unit: "s"}, "7s"},
		{7, AnswerSpec{Type: TypeInteger, Unit: "%"}, "7"},
	} {
		if got := wholeQuantity(c.ms).Text(c.spec); got != c.want {
			t.Errorf("%d as %s: %q, want %q", c.ms, c.spec.Type, got, c.want)
		}
	}
}

// What is read as a duration is the same however it is written again.
func FuzzDuration(f *testing.F) {
	for _, s := range []string{"950000ms", "15m20s", "-1 h 30 min", "15분 20초", "1d2h3m4.5s", "1.234s", "5", "+m", "1 000 s", "1,000초", "0s"} {
		for unit := range 4 {
			f.Add(s, unit, true)
		}
	}
	f.Fuzz(func(t *testing.T, typed string, unit int, es bool) {
		lang := Korean
		if es {
			lang = Spanish
		}
		units := []string{"", "ms", "s", "h"}
		for _, kind := range []AnswerType{TypeDuration, TypeInteger, TypeDecimal, TypeTime} {
			spec := AnswerSpec{Type: kind, Unit: units[uint(unit)%4]}
			q, err := parseQuantity(typed, spec, lang)
			if err != nil || q.None {
				continue
			}
			for _, l := range Languages {
				if again, err := parseQuantity(q.canonical(spec), spec, l); err != nil || !again.equal(q) {
					t.Errorf("%s in %q: %q is %q, read in %s as %v (%v)", kind, spec.Unit, typed, q.canonical(spec), l, again, err)
				}
			}
			if again, err := parseQuantity(q.Text(spec), spec, Korean); err != nil || !again.equal(q) {
				t.Errorf("%s in %q: %q is shown as %q, read as %v (%v)", kind, spec.Unit, typed, q.Text(spec), again, err)
			}
		}
	})
}
