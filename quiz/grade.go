package quiz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Report is the result of grading. Equal inputs give equal reports.
type Report struct {
	Engine string
	Rows   []Row // by file; then the missing learners by id
	// Items are the columns of the gradebook: the items of every quiz that
	// was graded, quizzes by id, items in their order.
	Items []string
	// Problems are what was wrong with the paths as such: a name that does
	// not exist, too many files.
	Problems Problems
}

// Row is one file, or one learner without a file.
type Row struct {
	File     string
	Status   Status
	Reason   *Problem // why it is not ok
	Quiz     string
	Learner  Learner
	Mode     Mode
	Lang     Lang
	Engine   string // that the file names
	Reworded bool   // the wording has changed since; the questions are the same
	Seed     uint64
	Started  time.Time
	Finished time.Time
	Overtime bool // took longer than the quiz allows

	Scored   bool // whether the rest counts
	Answered int
	Points   Score
	Max      Score
	Percent  Score
	Passed   bool
	Items    []ItemResult // in the order of the quiz
}

// ItemResult is one item of one file.
type ItemResult struct {
	Item           string
	Kind           Kind
	Verdict        Verdict // of the try that earned most; blank when there is none
	Points         Score
	Max            Score
	Tries          int
	Hints          int // of all tries
	Confidence     int // of the first try that asked for it
	Raw            string
	Misconceptions []string // of the first try
	Accents        bool
	Reason         *Problem
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

// ExitCode is 3 when lab failed, 2 when some input could not be used, 1 when
// wantPass is set and a counted score is below its pass mark, else 0. A
// missing learner has no score and changes nothing.
func (r *Report) ExitCode(wantPass bool) int {
	code := 0
	if len(r.Problems) > 0 {
		code = 2
	}
	for _, row := range r.Rows {
		switch row.Status {
		case Defect:
			code = max(code, 3)
		case Partial, Unreadable, WrongQuiz, WrongVersion, WrongSeed:
			code = max(code, 2)
		}
		if wantPass && row.Scored && !row.Passed && row.Status != Duplicate {
			code = max(code, 1)
		}
	}
	return code
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
	p := problem(errRead, Pos{File: file}, "Detail", err.Error())
	return &p
}

// markDuplicates leaves one file to count for each learner and quiz: a graded
// run before a practice run, then the one that was finished last, then the
// last by name. Learners without an id are all different.
func markDuplicates(rows []Row) {
	counts := map[[2]string]int{}
	for i, row := range rows {
		if !row.Scored || row.Learner.ID == "" {
			continue
		}
		key := [2]string{row.Quiz, row.Learner.ID}
		first, ok := counts[key]
		if !ok {
			counts[key] = i
			continue
		}
		loser := i
		if better(row, rows[first]) > 0 {
			counts[key], loser = i, first
		}
		p := problem(errDuplicate, Pos{File: rows[loser].File}, "File", rows[counts[key]].File, "Value", row.Learner.ID)
		rows[loser].Status, rows[loser].Reason = Duplicate, &p
	}
	// The file that counts may have changed after a loser named it.
	for i := range rows {
		if rows[i].Status == Duplicate {
			rows[i].Reason.Args["File"] = rows[counts[[2]string{rows[i].Quiz, rows[i].Learner.ID}]].File
		}
	}
}

func better(a, b Row) int {
	graded := func(r Row) int {
		if r.Mode == Graded {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(graded(a), graded(b)),
		a.Finished.Compare(b.Finished),
		strings.Compare(a.File, b.File),
	)
}

// addMissing adds the learners of the roster of whom no file came, and takes
// the names of the roster where a file has none.
func (r *Report) addMissing(req Request) {
	seen := map[string]bool{}
	for i := range r.Rows {
		row := &r.Rows[i]
		seen[row.Learner.ID] = true
		if l := req.Roster.find(row.Learner.ID); l != nil && row.Learner.Name == "" {
			row.Learner.Name = l.Name
		}
	}
	quiz := req.Quiz
	if quiz == "" { // all of one quiz: then that is what is missing
		var graded []string
		for _, row := range r.Rows {
			if row.Scored && !slices.Contains(graded, row.Quiz) {
				graded = append(graded, row.Quiz)
			}
		}
		if len(graded) == 1 {
			quiz = graded[0]
		}
	}
	missing := slices.Clone(req.Roster)
	slices.SortFunc(missing, func(a, b Learner) int { return strings.Compare(a.ID, b.ID) })
	for _, l := range missing {
		if !seen[l.ID] {
			p := problem(errMissingFile, Pos{}, "Value", l.ID)
			r.Rows = append(r.Rows, Row{Status: Missing, Reason: &p, Quiz: quiz, Learner: l})
		}
	}
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
