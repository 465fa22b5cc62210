package quiz

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

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
