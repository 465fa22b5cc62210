package quiz

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Status says what became of one file.
type Status string

// The statuses, in the order in which they are decided.
const (
	OK             Status = "ok"
	Partial        Status = "partial"         // graded; some answers could not be read and earn nothing
	Unreadable     Status = "unreadable"      // no answer file, or not a regular file
	WrongQuiz      Status = "wrong_quiz"      // of a quiz that is not graded here
	WrongVersion   Status = "wrong_version"   // the quiz has other questions, keys or scoring now
	WrongSeed      Status = "wrong_seed"      // a seed that the quiz does not have
	Duplicate      Status = "duplicate"       // another file of the learner counts
	UnknownLearner Status = "unknown_learner" // graded; not on the roster
	Missing        Status = "missing"         // on the roster, without a file
	Defect         Status = "defect"          // lab or its content failed, not the learner
)

// Request is one grading. Only Library and Engine are needed.
type Request struct {
	Paths    []string // files and directories
	Library  *Library
	Engine   Engine
	Glossary Glossary
	Roster   Roster // empty: any learner
	Quiz     string // "": whatever quiz each file is of
	Pass     int    // percent; 0: the pass mark of each quiz
	// AnyVersion grades files of another version of the quiz too. Their
	// status stays wrong_version, because their learners saw other questions.
	AnyVersion bool
	// Progress is called before each file with the number of files done, and
	// at the end with done = total.
	Progress func(done, total int, file string)
}

// Grade grades every file. A bad file becomes a row, never an error; a panic
// below it becomes a row with status defect. The error is only that of ctx.
func Grade(ctx context.Context, req Request) (*Report, error) {
	files, problems := collect(req.Paths)
	g := &grader{req: req, marker: &Marker{Engine: req.Engine, Glossary: req.Glossary}, hashes: map[string]versions{}}
	report := &Report{Problems: problems}
	if req.Engine != nil {
		report.Engine = req.Engine.Version()
	}
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if req.Progress != nil {
			req.Progress(i, len(files), f.name)
		}
		report.Rows = append(report.Rows, g.safely(ctx, f))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if req.Progress != nil {
		req.Progress(len(files), len(files), "")
	}
	markDuplicates(report.Rows)
	report.addMissing(req)
	report.Items = g.columns(report.Rows)
	return report, nil
}

type grader struct {
	req    Request
	marker *Marker
	hashes map[string]versions
}

type versions struct {
	quiz, text string
	err        error
}

// safely keeps one file's failure to its row.
func (g *grader) safely(ctx context.Context, f submission) (row Row) {
	defer func() {
		if r := recover(); r != nil {
			p := problem(errPanic, Pos{File: f.name}, "Detail", fmt.Sprint(r))
			row.File, row.Status, row.Reason, row.Scored = f.name, Defect, &p, false
			row.Items = nil
		}
	}()
	row.File = f.name
	g.grade(ctx, f, &row)
	return row
}

func (g *grader) grade(ctx context.Context, f submission, row *Row) {
	row.Status = Unreadable
	if f.err != nil {
		row.Reason = f.err
		return
	}
	a, err := ReadAnswerFile(f.name, f.data)
	if err != nil {
		row.Reason = firstProblem(err, f.name)
		return
	}
	row.Quiz, row.Learner, row.Mode, row.Lang, row.Engine = a.Quiz, a.Learner, a.Mode, a.Lang, a.Engine
	row.Seed, row.Started, row.Finished = a.Seed, a.Started, a.Finished
	refuse := func(status Status, id string, pairs ...any) {
		p := problem(id, Pos{File: f.name}, pairs...)
		row.Status, row.Reason = status, &p
	}
	set := g.req.Library.Set(a.Quiz)
	if set == nil || g.req.Quiz != "" && a.Quiz != g.req.Quiz {
		refuse(WrongQuiz, errWrongQuiz, "Quiz", a.Quiz, "Want", g.req.Quiz)
		return
	}
	now := g.versions(set)
	if now.err != nil {
		row.Status, row.Reason = Defect, firstProblem(now.err, f.name)
		return
	}
	if a.QuizHash != now.quiz {
		refuse(WrongVersion, errWrongVersion, "Quiz", a.Quiz, "Engine", a.Engine)
		if !g.req.AnyVersion {
			return
		}
	}
	row.Reworded = a.TextHash != now.text
	if !set.AllowsSeed(a.Seed) {
		refuse(WrongSeed, errWrongSeed, "Quiz", a.Quiz, "Seed", a.Seed)
		return
	}
	if row.Status == Unreadable {
		row.Status, row.Reason = OK, nil
	}
	if set.Minutes > 0 && !a.Finished.IsZero() {
		row.Overtime = a.Finished.Sub(a.Started) > time.Duration(set.Minutes)*time.Minute
	}
	if err := g.score(ctx, set, a, row); err != nil {
		row.Status, row.Reason, row.Items = Defect, firstProblem(err, f.name), nil
		return
	}
	row.Scored = true
	if row.Status != OK {
		return
	}
	for _, r := range row.Items {
		if r.Verdict == Invalid {
			refuse(Partial, errSomeInvalid, "Item", r.Item, "Value", r.Raw)
			return
		}
	}
	for _, id := range sortedKeys(a.Answers) {
		if !slices.Contains(set.Members, id) {
			refuse(Partial, errNotMember, "Item", id, "Quiz", set.ID)
			return
		}
	}
	if len(g.req.Roster) > 0 && g.req.Roster.find(a.Learner.ID) == nil {
		refuse(UnknownLearner, errUnknownLearner, "Value", a.Learner.ID)
	}
}

func (g *grader) versions(set *Set) versions {
	if v, ok := g.hashes[set.ID]; ok {
		return v
	}
	v := versions{text: g.req.Library.TextHash(set)}
	v.quiz, v.err = g.req.Library.Hash(set, g.req.Engine)
	g.hashes[set.ID] = v
	return v
}

// score marks every item of the quiz and adds up.
func (g *grader) score(ctx context.Context, set *Set, a *AnswerFile, row *Row) error {
	for _, it := range g.req.Library.Members(set) {
		result, err := g.item(ctx, set, it, a)
		if err != nil {
			return err
		}
		row.Items = append(row.Items, result)
		row.Points = row.Points.Plus(result.Points)
		row.Max = row.Max.Plus(result.Max)
		if result.Verdict != Blank {
			row.Answered++
		}
	}
	row.Percent = row.Points.Over(row.Max).Times(Points(100))
	pass := set.Pass
	if g.req.Pass > 0 {
		pass = g.req.Pass
	}
	row.Passed = row.Percent.Cmp(Points(pass)) >= 0
	return nil
}

// item marks all tries at one item. Blank and invalid tries are not tries:
// what could not be read was asked again.
func (g *grader) item(ctx context.Context, set *Set, it *Item, a *AnswerFile) (ItemResult, error) {
	r := ItemResult{Item: it.ID, Kind: it.Kind, Verdict: Blank, Max: Points(it.Points)}
	var fractions []Score
	var best Score
	for _, e := range a.Answers[it.ID] {
		out, err := g.marker.Mark(ctx, it, set.Scoring, a.Seed, a.Lang, e.Raw)
		if err != nil {
			return r, err
		}
		r.Hints = max(r.Hints, e.Hints)
		if r.Confidence == 0 {
			r.Confidence = e.Confidence
		}
		switch out.Verdict {
		case Blank:
			continue
		case Invalid:
			if r.Tries == 0 {
				r.Verdict, r.Raw, r.Reason = Invalid, e.Raw, out.Reason
			}
			continue
		}
		if r.Tries == 0 {
			r.Misconceptions = out.Misconceptions
		}
		if r.Tries < len(set.Tries) && (r.Tries == 0 || out.Fraction.Cmp(best) > 0) {
			best = out.Fraction
			r.Verdict, r.Raw, r.Reason, r.Accents = out.Verdict, e.Raw, out.Reason, out.Accents
		}
		fractions = append(fractions, out.Fraction)
		r.Tries++
	}
	r.Points = Tries(set.Tries, fractions).Times(r.Max)
	return r, nil
}

func firstProblem(err error, file string) *Problem {
	var many Problems
	if errors.As(err, &many) && len(many) > 0 {
		return &many[0]
	}
	var one Problem
	if errors.As(err, &one) {
		return &one
	}
	p := problem(errRead, Pos{File: file}, "Detail", err.Error(), "Cause", err)
	return &p
}

// columns lists the items of the quizzes that were graded.
func (g *grader) columns(rows []Row) []string {
	var quizzes, out []string
	for _, row := range rows {
		if row.Scored && !slices.Contains(quizzes, row.Quiz) {
			quizzes = append(quizzes, row.Quiz)
		}
	}
	slices.Sort(quizzes)
	for _, q := range quizzes {
		for _, it := range g.req.Library.Members(g.req.Library.Set(q)) {
			if !slices.Contains(out, it.ID) {
				out = append(out, it.ID)
			}
		}
	}
	return out
}
