package plain

import (
	"errors"
	"os"
	"time"

	"streaminglab/internal/locale"
	"streaminglab/internal/progress"
	"streaminglab/internal/view"
	"streaminglab/quiz"
	"streaminglab/sim"
)

// QuizOptions are those of lab quiz.
type QuizOptions struct {
	// Answers is the answer file to write; empty: none.
	Answers string
	// Pass is the pass mark in percent; negative: that of the quiz.
	Pass    int
	Mode    quiz.Mode
	Learner quiz.Learner
	// Restart begins a new attempt even when one is open.
	Restart bool
}

// Quiz asks a quiz and returns whether the pass mark was reached.
func (a *App) Quiz(s *quiz.Set, o QuizOptions) (passed bool, err error) {
	hash, err := a.Library.Hash(s, a.Engine)
	if err != nil {
		return false, err
	}
	seed, start, answers, err := a.attempt(s, o, hash)
	if err != nil {
		return false, err
	}
	a.print(a.text("plain.quiz.title", locale.Args{"Title": s.Titles[a.lang()]}))
	a.say("plain.quiz.intro", locale.Args{"Items": len(s.Members), "Pass": s.Pass})
	a.say("plain.quiz.quit", nil)
	if n := len(answers); n > 0 {
		a.say("plain.quiz.resumed", locale.Args{"Done": n, "Items": len(s.Members)})
	} else {
		a.keep(progress.QuizStarted{Quiz: s.ID, QuizHash: hash, Seed: seed, Mode: string(o.Mode)})
	}
	file := &quiz.AnswerFile{
		Quiz: s.ID, QuizHash: hash, TextHash: a.Library.TextHash(s), Engine: a.Engine.Version(),
		Learner: o.Learner, Lang: a.lang(), Mode: o.Mode, Seed: seed, Started: start, Answers: answers,
	}
	write := func() error {
		if o.Answers == "" {
			return nil
		}
		return writeFile(o.Answers, file)
	}
	if err := write(); err != nil {
		return false, err
	}
	order := s.Order(seed)
	for i, id := range order {
		if len(answers[id]) > 0 {
			continue
		}
		it := a.Library.Item(id)
		a.print("")
		q := asking{
			quiz: s.ID, set: s, seed: seed, rule: s.Scoring, feedback: o.Mode != quiz.Graded,
			number: a.questions().Number(it, i+1, len(order)),
		}
		out, err := a.ask(it, q)
		for errors.Is(err, errLanguage) {
			a.switchLanguage()
			out, err = a.ask(it, q)
		}
		if errors.Is(err, errQuit) {
			a.left("plain.quiz.left", locale.Args{"ID": s.ID})
			return true, nil
		}
		if err != nil {
			return false, err
		}
		answers[id] = append(answers[id], quiz.Entry{Raw: out.Answer.Canonical(), At: a.Now()})
		if err := write(); err != nil {
			return false, err
		}
	}
	a.keep(progress.QuizFinished{Quiz: s.ID})
	file.Finished = a.Now()
	if err := write(); err != nil {
		return false, err
	}
	return a.score(s, file, o)
}

// attempt is the one that is open, or a new one: that of the answer file, and
// in practice the learner's last one. Without Restart no file that holds
// answers is written over: they belong to another attempt, or the file to
// something else.
func (a *App) attempt(s *quiz.Set, o QuizOptions, hash string) (seed uint64, start time.Time, answers map[string][]quiz.Entry, err error) {
	seed, start, answers = a.quizSeed(s), a.Now(), map[string][]quiz.Entry{}
	if o.Restart {
		return seed, start, answers, nil
	}
	if o.Answers != "" {
		data, err := os.ReadFile(o.Answers)
		switch {
		case err != nil || len(data) == 0:
		// What keeps it from being read will keep it from being written.
		default:
			f, err := quiz.ReadAnswerFile(o.Answers, data)
			if err != nil {
				return 0, start, nil, sim.NewProblem("cli.answers-taken", "File", o.Answers)
			}
			if f.Quiz == s.ID && f.QuizHash == hash && f.Mode == o.Mode && f.Learner == o.Learner && f.Finished.IsZero() {
				return f.Seed, f.Started, f.Answers, nil
			}
			if len(f.Answers) > 0 {
				return 0, start, nil, sim.NewProblem("cli.answers-taken", "File", o.Answers)
			}
		}
	}
	old := a.progress().Quizzes[s.ID]
	if old == nil || !old.Finished.IsZero() || old.Hash != hash || o.Mode == quiz.Graded || old.Mode != string(o.Mode) {
		return seed, start, answers, nil
	}
	for _, x := range old.Answers {
		answers[x.Item] = append(answers[x.Item], quiz.Entry{Raw: x.Raw, At: x.At, Hints: x.Hints, Confidence: x.Confidence})
	}
	return old.Seed, old.Started, answers, nil
}

// quizSeed is the seed of a new attempt: the first one that the quiz allows.
func (a *App) quizSeed(s *quiz.Set) uint64 {
	if s.AllowsSeed(a.Seed) {
		return a.Seed
	}
	return s.Seeds[0]
}

func answeredItems(answers []progress.Answer) map[string]bool {
	out := map[string]bool{}
	for _, x := range answers {
		out[x.Item] = true
	}
	return out
}

// score computes the score from the raw answers, as grading does.
func (a *App) score(s *quiz.Set, f *quiz.AnswerFile, o QuizOptions) (bool, error) {
	points, most := quiz.Points(0), quiz.Points(0)
	for _, it := range a.Library.Members(s) {
		if it.Kind == quiz.Poll {
			continue
		}
		most = most.Plus(quiz.Points(it.Points))
		var tries []quiz.Score
		for _, e := range f.Answers[it.ID] {
			out, err := a.mark().Mark(a.context(), it, s.Scoring, f.Seed, f.Lang, e.Raw)
			if err != nil {
				return false, err
			}
			tries = append(tries, out.Fraction)
		}
		earned := quiz.Tries(s.Tries, tries).Times(quiz.Points(it.Points))
		points = points.Plus(earned)
	}
	percent := quiz.Points(0)
	if most.Cmp(quiz.Points(0)) > 0 {
		percent = points.Times(quiz.Points(100)).Over(most)
	}
	pass := s.Pass
	if o.Pass >= 0 {
		pass = o.Pass
	}
	passed := percent.Cmp(quiz.Points(pass)) >= 0
	a.print("")
	id := "plain.quiz.passed"
	if !passed {
		id = "plain.quiz.failed"
	}
	a.say(id, locale.Args{"Points": view.Score(points), "Max": most.Decimal(0), "Percent": percent.Decimal(0), "Pass": pass})
	if o.Answers != "" {
		a.say("plain.quiz.written", locale.Args{"File": o.Answers})
	}
	return passed, nil
}

// writeFile writes an answer file beside its place and moves it there, so that
// a crash leaves the old one or the new one.
func writeFile(name string, f *quiz.AnswerFile) error {
	text, err := f.Encode()
	if err != nil {
		return err
	}
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, text, 0o600); err != nil {
		return unwritten(name, err)
	}
	if err := os.Rename(tmp, name); err != nil {
		os.Remove(tmp)
		return unwritten(name, err)
	}
	return nil
}

// unwritten says which file could not be written and why.
func unwritten(name string, err error) error {
	var pe *os.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return sim.NewProblem("cli.unwritten", "File", name, "Detail", err.Error(), "Cause", err)
}
