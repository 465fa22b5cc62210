package check

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"streaminglab/internal/coverage"
	"streaminglab/internal/glossary"
	"streaminglab/internal/markdown"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
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
	for _, f := range []func(context.Context) error{k.terms, k.experiments, k.lessons, k.items, k.taught, k.again} {
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
	// broken are the experiments that do not parse or run: what depends on them
	// is not reported again.
	broken map[string]bool
	// read are the files that findings have been located in.
	read map[string]string
	// live are the documents of the lessons by language and lesson.
	live map[string]map[string]*markdown.Document
}

// add notes a finding. With line 0 it is looked for in the file: where the
// first of the names that the cause has stands.
func (k *checker) add(file string, line int, rule string, cause error) {
	if line == 0 {
		line = k.locate(file, cause)
	}
	k.findings = append(k.findings, Finding{file, line, rule, placeless(file, cause)})
}

// placeless takes the place off a cause that stands in the file of the finding
// itself: it is not said twice.
func placeless(file string, cause error) error {
	switch p := cause.(type) {
	case markdown.Problem:
		p.File = ""
		return p
	case quiz.Problem:
		p.Pos = quiz.Pos{}
		return p
	case *session.FileError:
		return p.Problem
	case *script.Error:
		if p.File == file {
			return p.Problem
		}
	}
	return cause
}

// text is a file of the content, or "".
func (k *checker) text(file string) string {
	if k.read == nil {
		k.read = map[string]string{}
	}
	if _, ok := k.read[file]; !ok {
		text, _ := fs.ReadFile(k.Files, file)
		k.read[file] = string(text)
	}
	return k.read[file]
}

// locate finds the line that names what a cause is about; 1 if none does.
func (k *checker) locate(file string, cause error) int {
	var args map[string]any
	switch p := cause.(type) {
	case *sim.Problem:
		args = p.Args
	case quiz.Problem:
		args = p.Args
	}
	for _, key := range []string{"Value", "Statement", "Rule", "ID", "File", "Item", "Quiz"} {
		name, ok := args[key].(string)
		if !ok || name == "" {
			continue
		}
		if line := lineWith(k.text(file), `"`+path.Base(name)+`"`); line > 0 {
			return line
		}
		if line := lineWith(k.text(file), name); line > 0 {
			return line
		}
	}
	return 1
}

// lineWith is the first line that holds a text as a whole word; 0: none does.
func lineWith(text, word string) int {
	for i, l := range strings.Split(text, "\n") {
		for from := 0; ; {
			at := strings.Index(l[from:], word)
			if at < 0 {
				break
			}
			if end := from + at + len(word); end == len(l) || !isWord(l[end]) {
				return i + 1
			}
			from += at + 1
		}
	}
	return 0
}

func isWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_'
}

// lineOfText is the line at which a text of a TOML file begins, from line on
// if it is there, or line.
func (k *checker) lineOfText(file, text string, line int) int {
	first := text
	if i := strings.IndexAny(first, "\n\"\\"); i >= 0 {
		first = first[:i]
	}
	if len(first) < 8 {
		return line
	}
	whole, start := k.text(file), 0
	for range line - 1 {
		start += strings.IndexByte(whole[start:], '\n') + 1
	}
	i := strings.Index(whole[start:], first)
	if i < 0 {
		start, i = 0, strings.Index(whole, first)
	}
	if i < 0 {
		return line
	}
	return strings.Count(whole[:start+i], "\n") + 1
}

// exists reports whether there is an experiment of that id, sound or not.
func (k *checker) exists(id string) bool {
	_, err := k.engine.Experiment(id)
	return !errors.Is(err, engine.ErrUnknown)
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
			k.problems(dir, x)
		}
	case quiz.Problem:
		line := p.Pos.Line
		if line <= 1 {
			line = 0 // of the whole file
		}
		k.add(path.Join(dir, p.Pos.File), line, p.Rule(), p)
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
		HasExperiment: k.exists,
		Broken:        func(id string) bool { return k.broken[id] },
		Refutes: func(id, misconception string) bool {
			x, err := k.engine.Experiment(id)
			return err == nil && slices.Contains(x.Misconceptions, misconception)
		},
		HasStatement: func(id string) bool { _, ok := k.Coverage.Statement(id); return ok },
		HasRule:      k.Rules,
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
		line := k.lineOfText(file, text, line)
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
		if foreign(lang, p.Text) {
			at := line
			if line == 0 {
				at, _ = p.Place(0)
			}
			k.problem(file, at, "language", "Lang", lang, "Text", beginning(p.Text))
		}
		for _, h := range k.Glossary.Lint(lang, p.Text) {
			at := line
			if line == 0 {
				at, _ = p.Place(h.Start)
			}
			k.problem(file, at, "glossary", "Word", h.Text, "Use", h.Use)
		}
	}
}

// repeats is how many items of its lessons a quiz may ask again: who comes from
// the lesson has just seen their answers.
const repeats = 2

// again checks that a quiz asks about something else than the lessons that it
// belongs to.
func (k *checker) again(context.Context) error {
	shown := map[string]map[string]bool{} // items of the lessons of a quiz
	for _, l := range k.course.Lessons() {
		for _, b := range k.lives(l) {
			if b.Live != markdown.Sim && l.Quiz != "" {
				if shown[l.Quiz] == nil {
					shown[l.Quiz] = map[string]bool{}
				}
				shown[l.Quiz][b.ID] = true
			}
		}
	}
	for _, s := range k.library.Sets() {
		var twice []string
		for _, m := range s.Members {
			if shown[s.ID][m] {
				twice = append(twice, m)
			}
		}
		if len(twice) > repeats {
			k.problem(path.Join("quiz", s.Pos.File), 0, "asked-again", "Quiz", s.ID, "Item", twice[repeats],
				"Items", strings.Join(twice, ", "), "Most", repeats)
		}
	}
	return nil
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
		s := k.library.Set(l.Quiz)
		if s != nil {
			for _, m := range s.Members {
				items[m] = true
			}
		} else if l.Quiz != "" {
			k.problem("lessons/"+lessons.CourseFile, 0, "unknown-quiz", "Lesson", l.ID, "Quiz", l.Quiz)
		}
		// What does not exist or could not be read may be what asks a statement:
		// that it is missing was said.
		sound := s != nil || l.Quiz == ""
		for id := range items {
			sound = sound && k.library.Item(id) != nil
			if it := k.library.Item(id); it != nil && it.Kind != quiz.Poll {
				for _, s := range it.Covers {
					asked[s] = true
				}
			}
		}
		for _, s := range l.Covers {
			if _, ok := k.Coverage.Statement(s); !ok {
				k.problem("lessons/"+lessons.CourseFile, 0, "unknown-statement", "Statement", s)
			} else if !asked[s] && sound {
				k.problem("lessons/"+lessons.CourseFile, 0, "not-asked", "Statement", s, "Lesson", l.ID)
			}
		}
		for _, r := range l.Rules {
			if !k.Rules(r) {
				k.problem("lessons/"+lessons.CourseFile, 0, "unknown-rule", "Rule", r)
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
