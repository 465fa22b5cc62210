package view

import (
	"testing"

	"streaminglab/internal/locale"
	"streaminglab/quiz"
)

// The second list of a match has letters; numbers, which were typed before, are
// taken too, and letters with a Korean input method on.
func TestAMatchIsAnsweredWithLetters(t *testing.T) {
	library, err := quiz.Load(quiz.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	q := &Questions{Loc: locale.New("es"), Library: library}
	it := &quiz.Item{Kind: quiz.Match, Prompts: []quiz.Prompt{{ID: "1"}, {ID: "2"}}}
	l := Labels{IDs: []string{"c", "a", "b"}, Letters: true}
	for _, typed := range []string{"1=b 2=c", "1=2 2=3", "1=B, 2=C", "1=ㅠ 2=ㅊ", "1=b 2=3"} {
		if got, p := q.Canonical(it, l, typed); p != nil || got != "1=a,2=b" {
			t.Errorf("%s: %s %v", typed, got, p)
		}
	}
	if got := q.Typed(it, l, "1=a,2=b"); got != "1=b 2=c" {
		t.Errorf("typed: %s", got)
	}
	for _, typed := range []string{"1=d 2=a", "1=0 2=a", "1=4 2=1"} {
		if _, p := q.Canonical(it, l, typed); p == nil || p.ID != "plain.item.choose-letter" {
			t.Errorf("%s: %v", typed, p)
		}
	}
}
