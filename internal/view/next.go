package view

import (
	"streaminglab/internal/progress"
	"streaminglab/lessons"
	"streaminglab/quiz"
)

// Next is where a learner goes on: the lesson that was left in the middle, the
// quiz of one that was read to its end, else the next lesson. All nil: nothing
// was opened yet, or all is done.
func Next(course *lessons.Course, library *quiz.Library, p *progress.Summary) (*lessons.Lesson, *quiz.Set) {
	last := course.Lesson(p.Last.Lesson)
	if last == nil {
		return nil, nil
	}
	if !p.Lessons[last.ID].Through() {
		return last, nil
	}
	if s := library.Set(last.Quiz); s != nil && (p.Quizzes[s.ID] == nil || p.Quizzes[s.ID].Finished.IsZero()) {
		return nil, s
	}
	all := course.Lessons()
	for i, l := range all {
		if l == last && i+1 < len(all) {
			return all[i+1], nil
		}
	}
	return nil, nil
}
