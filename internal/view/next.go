package view

import (
	"slices"

	"streaminglab/internal/progress"
	"streaminglab/lessons"
	"streaminglab/quiz"
)

// Next is where a learner goes on: the lesson that was left in the middle, the
// quiz of one that is done, else the next lesson, in the order of the course and
// round it, that is not. A lesson is done when it was read to its end, or when
// complete says that nothing in it is left to do. All nil: nothing was opened
// yet, or all is done.
func Next(course *lessons.Course, library *quiz.Library, p *progress.Summary, complete func(*lessons.Lesson) bool) (*lessons.Lesson, *quiz.Set) {
	all := course.Lessons()
	at := slices.Index(all, course.Lesson(p.Last.Lesson))
	if at < 0 {
		return nil, nil
	}
	for _, l := range slices.Concat(all[at:], all[:at]) {
		if !p.Lessons[l.ID].Through() && !complete(l) {
			return l, nil
		}
		if s := library.Set(l.Quiz); s != nil && (p.Quizzes[s.ID] == nil || p.Quizzes[s.ID].Finished.IsZero()) {
			return nil, s
		}
	}
	return nil, nil
}
