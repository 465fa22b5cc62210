package progress

import (
	"sort"
	"time"
)

// Summary is the fold of the entries.
type Summary struct {
	Lang        string
	Lessons     map[string]*Lesson
	Experiments map[string]*Experiment
	Items       map[string]*Item
	Quizzes     map[string]*Quiz
	Last        Place // where to continue; Lesson is "" when nothing was opened
}

// Place is a position in a lesson.
type Place struct {
	Lesson        string
	Block, Blocks int
	At            time.Time
}

// Lesson is what happened in one lesson. Block is the place of the last visit,
// Furthest the furthest one ever reached.
type Lesson struct {
	Opened          int
	Block, Furthest int
	Blocks          int
	Items           map[string]bool // answered in this lesson
	Reached         map[string]bool // experiments whose goal was reached in it
	Last            time.Time
}

// Through reports whether the last visit ended at the end.
func (l *Lesson) Through() bool { return l != nil && l.Blocks > 0 && l.Block >= l.Blocks-1 }

// Experiment is what happened on one bench. Best is the first run that reached
// the goal: it is the one to prove.
type Experiment struct {
	Runs     int
	Reached  bool
	Best     ExperimentRun
	LastRun  ExperimentRun
	Hints    int // the highest hint that was shown
	Solution bool
	Last     time.Time
}

// Item holds every answer in order; the grader decides which one counts.
type Item struct {
	Answers  []Answer
	Hints    int
	Solution bool
}

// Answer is an answer with its time.
type Answer struct {
	At time.Time
	AnswerLocked
}

// Quiz is the last attempt at a quiz: a new start begins a new attempt.
type Quiz struct {
	Attempts int
	Seed     uint64
	Hash     string
	Mode     string
	Started  time.Time
	Finished time.Time // zero while it is open
	Answers  []Answer  // of the last attempt
}

// Fold folds a log.
func Fold(entries []Entry) *Summary {
	s := &Summary{
		Lessons:     map[string]*Lesson{},
		Experiments: map[string]*Experiment{},
		Items:       map[string]*Item{},
		Quizzes:     map[string]*Quiz{},
	}
	for _, e := range entries {
		s.add(e)
	}
	return s
}

func (s *Summary) add(e Entry) {
	switch ev := e.Event.(type) {
	case LanguageChosen:
		s.Lang = ev.Lang
	case LessonOpened:
		l := s.lesson(ev.Lesson)
		l.Opened++
		l.Last = e.At
		s.Last = Place{ev.Lesson, l.Block, l.Blocks, e.At}
	case LessonPosition:
		l := s.lesson(ev.Lesson)
		l.Block, l.Blocks, l.Last = ev.Block, ev.Blocks, e.At
		l.Furthest = max(l.Furthest, ev.Block)
		s.Last = Place{ev.Lesson, ev.Block, ev.Blocks, e.At}
	case ExperimentRun:
		x := s.experiment(ev.Experiment)
		x.Runs++
		x.LastRun, x.Last = ev, e.At
		if ev.Reached && !x.Reached {
			x.Reached, x.Best = true, ev
		}
		if ev.Reached && ev.Lesson != "" {
			s.lesson(ev.Lesson).Reached[ev.Experiment] = true
		}
	case AnswerLocked:
		a := Answer{e.At, ev}
		i := s.item(ev.Item)
		i.Answers = append(i.Answers, a)
		i.Hints = max(i.Hints, ev.Hints)
		if ev.Lesson != "" {
			s.lesson(ev.Lesson).Items[ev.Item] = true
		}
		if ev.Quiz != "" {
			q := s.quiz(ev.Quiz)
			q.Answers = append(q.Answers, a)
		}
	case QuizStarted:
		q := s.quiz(ev.Quiz)
		*q = Quiz{Attempts: q.Attempts + 1, Seed: ev.Seed, Hash: ev.QuizHash, Mode: ev.Mode, Started: e.At}
	case QuizFinished:
		s.quiz(ev.Quiz).Finished = e.At
	case HintShown:
		if ev.Experiment != "" {
			x := s.experiment(ev.Experiment)
			x.Hints = max(x.Hints, ev.Hint)
		}
		if ev.Item != "" {
			i := s.item(ev.Item)
			i.Hints = max(i.Hints, ev.Hint)
		}
	case SolutionShown:
		if ev.Experiment != "" {
			s.experiment(ev.Experiment).Solution = true
		}
		if ev.Item != "" {
			s.item(ev.Item).Solution = true
		}
	}
}

// OpenQuizzes lists the quizzes that were started and not finished, the newest
// first: what a lab that was killed can offer to go on with.
func (s *Summary) OpenQuizzes() []string {
	var ids []string
	for id, q := range s.Quizzes {
		if !q.Started.IsZero() && q.Finished.IsZero() {
			ids = append(ids, id)
		}
	}
	sort.Slice(ids, func(i, j int) bool {
		a, b := s.Quizzes[ids[i]].Started, s.Quizzes[ids[j]].Started
		if a.Equal(b) {
			return ids[i] < ids[j]
		}
		return a.After(b)
	})
	return ids
}

func (s *Summary) lesson(id string) *Lesson {
	l := s.Lessons[id]
	if l == nil {
		l = &Lesson{Items: map[string]bool{}, Reached: map[string]bool{}}
		s.Lessons[id] = l
	}
	return l
}

func (s *Summary) experiment(id string) *Experiment {
	x := s.Experiments[id]
	if x == nil {
		x = &Experiment{}
		s.Experiments[id] = x
	}
	return x
}

func (s *Summary) item(id string) *Item {
	i := s.Items[id]
	if i == nil {
		i = &Item{}
		s.Items[id] = i
	}
	return i
}

func (s *Summary) quiz(id string) *Quiz {
	q := s.Quizzes[id]
	if q == nil {
		q = &Quiz{}
		s.Quizzes[id] = q
	}
	return q
}
