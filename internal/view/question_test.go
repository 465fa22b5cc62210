package view_test

import (
	"testing"

	"streaminglab/internal/locale"
	"streaminglab/internal/view"
	"streaminglab/quiz"
)

// A question of true or false takes the word that is shown, and its number.
func TestWordsForTrueAndFalse(t *testing.T) {
	it := &quiz.Item{Kind: quiz.TrueFalse}
	for _, lang := range locale.Langs {
		q := &view.Questions{Loc: locale.Strict(t, lang)}
		l := q.Labels(it, 1, nil)
		for typed, want := range map[string]string{
			"1": "true", "2": "false", "": "",
			q.Loc.Text("plain.true", nil): "true", q.Loc.Text("plain.false", nil): "false",
			"Verdadero": "true", " FALSO. ": "false", "v": "true", "F": "false", "sí": "true", "no": "false",
			"참": "true", "거짓": "false", "\u1100\u1165\u110c\u1175\u11ba": "false", "O": "true", "Ｘ": "false", "true": "true", "false": "false",
		} {
			if got, problem := q.Canonical(it, l, typed); problem != nil || got != want {
				t.Errorf("%s: %q is %q (%v), want %q", lang, typed, got, problem, want)
			}
		}
		for _, typed := range []string{"3", "0", "1 2", "verdadero falso", "참거짓", "x1"} {
			if got, problem := q.Canonical(it, l, typed); problem == nil || problem.ID != "plain.item.choose-truth" {
				t.Errorf("%s: %q is %q (%v)", lang, typed, got, problem)
			}
		}
	}
}

// A duration is kept in ms and shown in the unit that the question asks for.
func TestADurationIsShownAsAsked(t *testing.T) {
	q := &view.Questions{Loc: locale.Strict(t, locale.ES)}
	for unit, want := range map[string]string{"s": "950s", "ms": "950000ms", "": "950s", "min": "950000ms"} {
		it := &quiz.Item{Kind: quiz.Numeric, Answer: quiz.AnswerSpec{Type: quiz.TypeDuration, Unit: unit}}
		if got := q.Typed(it, view.Labels{}, "950000ms"); got != want {
			t.Errorf("in %q: %s, not %s", unit, got, want)
		}
	}
}
