package view

import (
	"testing"
	"time"

	"streaminglab/internal/progress"
	"streaminglab/lessons"
	"streaminglab/quiz"
)

// What is offered to go on with is never done already.
func TestNextIsNotDone(t *testing.T) {
	course, err := lessons.Load(lessons.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	library, err := quiz.Load(quiz.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	all := course.Lessons()
	done := map[string]bool{}
	complete := func(l *lessons.Lesson) bool { return done[l.ID] }
	p := progress.Fold(nil)
	next := func(want string) {
		t.Helper()
		l, s := Next(course, library, p, complete)
		got := ""
		switch {
		case l != nil:
			got = l.ID
		case s != nil:
			got = "quiz " + s.ID
		}
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	finish := func(id string) { p.Quizzes[id] = &progress.Quiz{Finished: time.Unix(1, 0)} }
	next("")
	p.Last.Lesson = "time-1"
	next("time-1")
	done["time-1"] = true // looked at again, and left at its beginning
	next("quiz time-1")
	finish("time-1")
	next("time-2")
	done["time-2"] = true
	finish("time-2")
	next("time-incidents")
	p.Lessons["time-incidents"] = &progress.Lesson{Block: 9, Blocks: 10} // read to its end
	next("state-1")
	p.Last.Lesson = all[len(all)-1].ID
	done[p.Last.Lesson] = true
	if q := all[len(all)-1].Quiz; q != "" {
		finish(q)
	}
	next("state-1") // round the course
	for _, l := range all {
		done[l.ID] = true
		finish(l.Quiz)
	}
	next("")
}
