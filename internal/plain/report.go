package plain

import (
	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/internal/progress"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
	"streaminglab/sim/script"
	"streaminglab/sim/session"

	"errors"
	"strings"
)

// Quizzes lists the quizzes.
func (a *App) Quizzes() {
	for _, s := range a.Library.Sets() {
		a.print(a.wrap(a.text("plain.quizzes", locale.Args{
			"ID": s.ID, "Title": s.Titles[a.lang()], "Items": len(s.Members), "State": a.quizState(s.ID),
		}))...)
	}
}

// Report prints the result of grading, one line a file.
func (a *App) Report(r *quiz.Report) {
	for _, row := range r.Rows {
		args := locale.Args{
			"File": quiz.Visible(row.File), "Status": a.text("plain.status."+string(row.Status), nil),
			"Learner": a.learner(row.Learner), "Quiz": quiz.Visible(row.Quiz),
			"Points": row.Points.Decimal(1), "Max": row.Max.Decimal(0), "Percent": row.Percent.Decimal(0), "Reason": "",
		}
		if row.Reason != nil {
			args["Reason"] = narrate.Problem(a.Loc, *row.Reason)
		}
		switch {
		case row.Scored && row.Passed:
			a.say("plain.grade.passed", args)
		case row.Scored:
			a.say("plain.grade.failed", args)
		default:
			a.say("plain.grade.other", args)
		}
	}
	a.print(a.wrap(a.Loc.Plural("plain.grade.total", int64(len(r.Rows)), nil))...)
}

// learner names who answered, harmless to a terminal.
func (a *App) learner(l quiz.Learner) string {
	name := strings.TrimSpace(quiz.Visible(l.ID) + " " + quiz.Visible(l.Name))
	if name == "" {
		return a.text("plain.grade.nobody", nil)
	}
	return name
}

// Prove replays every experiment whose goal was reached and says whether it
// holds. It returns whether all do.
func (a *App) Prove(s *progress.Summary) bool {
	all := true
	n := 0
	for _, id := range sortedKeys(s.Experiments) {
		e := s.Experiments[id]
		if !e.Reached {
			continue
		}
		n++
		ok := a.prove(id, e.Best)
		all = all && ok
	}
	if n == 0 {
		a.say("plain.prove.none", nil)
	}
	return all
}

func (a *App) prove(id string, run progress.ExperimentRun) bool {
	x, err := a.experiment(id)
	if errors.Is(err, engine.ErrUnknown) {
		a.say("plain.prove.gone", locale.Args{"ID": id})
		return false
	}
	if err != nil {
		a.problem(err)
		return false
	}
	r, err := session.Batch(x, func(t script.Times) ([]*script.Line, error) {
		return script.Parse(id, strings.Join(run.Commands, "\n"), t)
	}, session.Options{Seed: run.Seed})
	if err != nil {
		a.say("plain.prove.broken", locale.Args{"ID": id, "Detail": narrate.Problem(a.Loc, err)})
		return false
	}
	reached, _, err := r.Goal()
	args := locale.Args{"ID": id, "Version": run.Version, "Have": x.Version, "Engine": run.Engine}
	switch {
	case err != nil || !reached:
		a.say("plain.prove.fails", args)
		return false
	case r.World.Trace().Hash() == run.TraceHash:
		a.say("plain.prove.holds", args)
	case run.Version != x.Version || run.Engine != session.EngineVersion:
		a.say("plain.prove.other-version", args)
	default:
		a.say("plain.prove.differs", args)
		return false
	}
	return true
}
