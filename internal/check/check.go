package check

import (
	"context"
	"io/fs"
	"path"
	"sort"

	"streaminglab/internal/coverage"
	"streaminglab/internal/glossary"
	"streaminglab/internal/markdown"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
	"streaminglab/sim"
)

// A Finding is one line of lab check: file:line: rule: message. The message is
// the wording of Cause.
type Finding struct {
	File string
	Line int
	Rule string
	// Cause is a sim.Problem, quiz.Problem, markdown.Problem or another value
	// that narrate can word.
	Cause error
}

// Content is what is checked.
type Content struct {
	// Files is the tree with assets/, lessons/ and quiz/.
	Files    fs.FS
	Glossary *glossary.Glossary
	Coverage *coverage.Map
	// Rules are the ids of the ledger.
	Rules func(id string) bool
	// Progress is called before each item with the number of items done; it
	// may be nil.
	Progress func(done, total int, item string)
}

// Run checks everything and returns the findings by file and line.
func Run(ctx context.Context, c Content) ([]Finding, error) {
	k := &checker{Content: c}
	tree, err := fs.Sub(c.Files, "assets/experiments")
	if err != nil {
		return nil, err
	}
	k.engine = engine.New(tree)
	lessonTree, err := fs.Sub(c.Files, "lessons")
	if err != nil {
		return nil, err
	}
	quizTree, err := fs.Sub(c.Files, "quiz")
	if err != nil {
		return nil, err
	}
	if k.course, err = lessons.Load(lessonTree); err != nil {
		k.add("lessons/"+lessons.CourseFile, lineOf(err), "course", err)
		return k.done(), nil
	}
	k.library, err = quiz.Load(quizTree)
	if err != nil {
		if !k.problems("quiz", err) {
			return nil, err
		}
	}
	for _, f := range []func(context.Context) error{k.experiments, k.lessons, k.items, k.taught} {
		if err := f(ctx); err != nil {
			return nil, err
		}
	}
	return k.done(), nil
}

type checker struct {
	Content
	engine   *engine.Engine
	course   *lessons.Course
	library  *quiz.Library
	findings []Finding
	// live are the documents of the lessons by language and lesson.
	live map[string]map[string]*markdown.Document
}

func (k *checker) add(file string, line int, rule string, cause error) {
	k.findings = append(k.findings, Finding{file, line, rule, cause})
}

// problem adds a finding of the simulator's kind.
func (k *checker) problem(file string, line int, rule string, args ...any) {
	k.add(file, line, rule, sim.NewProblem("check."+rule, args...))
}

func (k *checker) done() []Finding {
	sort.SliceStable(k.findings, func(i, j int) bool {
		a, b := k.findings[i], k.findings[j]
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Rule < b.Rule
	})
	return k.findings
}

// problems adds the problems of package quiz; false says that err is another.
func (k *checker) problems(dir string, err error) bool {
	switch p := err.(type) {
	case quiz.Problems:
		for _, x := range p {
			k.add(path.Join(dir, x.Pos.File), x.Pos.Line, x.Rule(), x)
		}
	case quiz.Problem:
		k.add(path.Join(dir, p.Pos.File), p.Pos.Line, p.Rule(), p)
	default:
		return false
	}
	return true
}

func lineOf(err error) int {
	if e, ok := err.(*lessons.Error); ok {
		return e.Line
	}
	return 1
}

// items checks the bank: keys recomputed, wrong models apart, parity.
func (k *checker) items(ctx context.Context) error {
	forms := quiz.GlossaryFunc(func(term string) ([]string, bool) {
		for _, t := range k.Glossary.Find(term) {
			return t.Forms(), true
		}
		return nil, false
	})
	found := quiz.Check(ctx, quiz.CheckRequest{
		Library: k.library, Engine: k.engine, Glossary: forms, Progress: k.Progress,
		HasExperiment: func(id string) bool { _, err := k.engine.Experiment(id); return err == nil },
		HasStatement:  func(id string) bool { _, ok := k.Coverage.Statement(id); return ok },
		HasRule:       k.Rules,
	})
	if len(found) > 0 {
		k.problems("quiz", found)
	}
	for _, it := range k.library.Items() {
		file := path.Join("quiz", it.Pos.File)
		for _, lang := range []quiz.Lang{"es", "ko"} {
			t := it.Texts[lang]
			k.prose(file, 1, string(lang), append([]string{t.Stem, t.Explain}, t.Hints...)...)
			for _, o := range it.Options {
				k.prose(file, o.Pos.Line, string(lang), o.Texts[lang].Text, o.Texts[lang].Feedback)
			}
			for _, w := range it.Wrong {
				k.prose(file, w.Pos.Line, string(lang), w.Feedback[lang])
			}
		}
	}
	return nil
}

// prose lints short texts: terms, signs, emphasis.
func (k *checker) prose(file string, line int, lang string, texts ...string) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		d, problems := markdown.ParseText(file, []byte(text))
		for _, p := range problems {
			k.add(file, line, "text", p)
		}
		if d != nil {
			k.lint(file, line, lang, d)
		}
	}
}

func (k *checker) lint(file string, line int, lang string, d *markdown.Document) {
	for _, p := range d.Lint() {
		at := line
		if line == 0 {
			at = p.Line
		}
		k.add(file, at, "text", p)
	}
	for _, p := range d.Passages(false) {
		for _, h := range k.Glossary.Lint(lang, p.Text) {
			at := line
			if line == 0 {
				at, _ = p.Place(h.Start)
			}
			k.problem(file, at, "glossary", "Word", h.Text, "Use", h.Use)
		}
	}
}

// taught checks that every statement that the course claims is asked by an
// item that the lesson or its quiz holds.
func (k *checker) taught(context.Context) error {
	for _, l := range k.course.Lessons() {
		asked := map[string]bool{}
		items := map[string]bool{}
		for _, b := range k.lives(l) {
			if b.Live != markdown.Sim {
				items[b.ID] = true
			}
		}
		if s := k.library.Set(l.Quiz); s != nil {
			for _, m := range s.Members {
				items[m] = true
			}
		} else if l.Quiz != "" {
			k.problem("lessons/"+lessons.CourseFile, 1, "unknown-quiz", "Lesson", l.ID, "Quiz", l.Quiz)
		}
		for id := range items {
			if it := k.library.Item(id); it != nil && it.Kind != quiz.Poll {
				for _, s := range it.Covers {
					asked[s] = true
				}
			}
		}
		for _, s := range l.Covers {
			if _, ok := k.Coverage.Statement(s); !ok {
				k.problem("lessons/"+lessons.CourseFile, 1, "unknown-statement", "Statement", s)
			} else if !asked[s] {
				k.problem("lessons/"+lessons.CourseFile, 1, "not-asked", "Statement", s, "Lesson", l.ID)
			}
		}
		for _, r := range l.Rules {
			if !k.Rules(r) {
				k.problem("lessons/"+lessons.CourseFile, 1, "unknown-rule", "Rule", r)
			}
		}
	}
	return nil
}

func (k *checker) lives(l *lessons.Lesson) []markdown.Block {
	d := k.live["es"][l.ID]
	if d == nil {
		return nil
	}
	return d.Lives()
}
