package main

import (
	"bufio"
	"cmp"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"streaminglab/assets"
	"streaminglab/internal/glossary"
	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/plain"
	"streaminglab/internal/progress"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
	"streaminglab/sim"
	"streaminglab/sim/world"
)

// env is what the flags and the surroundings say.
type env struct {
	in       *os.File
	out, err *stream

	lang, home, theme string
	// asked is --lang as it stands on the command line: what is wrong with a flag
	// before it is said in that language, too.
	asked             string
	plain, ascii      bool
	noMotion, noMouse bool
	loc               *locale.Localizer
	langMatched       bool
}

func newEnv(in *os.File, out, errOut io.Writer) *env {
	return &env{in: in, out: &stream{w: out}, err: &stream{w: errOut}}
}

// A stream is where lab writes. It remembers the first error, so that nobody
// takes half an output for a whole one.
type stream struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (s *stream) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// say writes a line of text. What files and arguments say is part of it, so it
// is made harmless for a terminal.
func (s *stream) say(text string) { io.WriteString(s, quiz.VisibleLines(text)+"\n") }

// terminal reports whether a stream is a terminal.
func terminal(s any) bool {
	if x, ok := s.(*stream); ok {
		s = x.w
	}
	f, ok := s.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func truthy(name string) bool {
	v := os.Getenv(name)
	return v != "" && v != "0" && !strings.EqualFold(v, "false")
}

// byLines reports whether nothing may move on the screen.
func (e *env) byLines() bool {
	return e.plain || truthy("LAB_PLAIN") || os.Getenv("TERM") == "dumb" || !terminal(e.out)
}

func (e *env) width() int {
	if f, ok := e.out.w.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

func (e *env) store() (*progress.Store, error) {
	dir, err := progress.Home(e.home, os.Getenv)
	if err != nil {
		return nil, err
	}
	return progress.Open(dir), nil
}

// savedLanguage is the language that the learner chose before.
func (e *env) savedLanguage() string {
	s, err := e.store()
	if err != nil {
		return ""
	}
	log, err := s.Read()
	if err != nil {
		return ""
	}
	return progress.Fold(log.Entries).Lang
}

// localizer is that of the language: --lang, LAB_LANG, saved choice, locale.
func (e *env) localizer() *locale.Localizer {
	if e.loc != nil {
		return e.loc
	}
	l, matched := locale.Detect(cmp.Or(e.lang, e.asked), os.Getenv, e.savedLanguage())
	e.langMatched = matched
	e.loc = locale.New(l)
	return e.loc
}

// checkLanguage refuses a --lang that is none.
func (e *env) checkLanguage() error {
	if e.lang == "" {
		return nil
	}
	if _, ok := locale.ParseLang(e.lang); !ok {
		return sim.NewProblem("cli.lang", "Value", e.lang)
	}
	return nil
}

var themes = map[string]markdown.Theme{"dark": markdown.Dark, "light": markdown.Light, "ansi16": markdown.ANSI16, "mono": markdown.Mono}

// checkTheme refuses a --theme that is none.
func (e *env) checkTheme() error {
	if _, ok := themes[e.theme]; ok || e.theme == "" {
		return nil
	}
	known := slices.Sorted(maps.Keys(themes))
	return sim.NewProblem("cli.theme", "Value", e.theme, "Known", strings.Join(known, ", "), "Nearest", world.Nearest(e.theme, known))
}

func (e *env) markdownTheme() markdown.Theme {
	t, ok := themes[e.theme]
	if !ok {
		t = markdown.Dark
	}
	return t.Under(colorprofile.Detect(e.out.w, os.Environ()))
}

func glossaryForms() quiz.Glossary {
	return quiz.GlossaryFunc(func(term string) ([]string, bool) {
		// Read when a question first needs it; the build has checked it.
		g, err := glossary.Embedded()
		if err != nil {
			return nil, false
		}
		for _, t := range g.Find(term) {
			return t.Forms(), true
		}
		return nil, false
	})
}

// experiments is the tree of the experiments of the course.
func experiments() (fs.FS, error) { return fs.Sub(assets.FS(), "experiments") }

// app wires the course by lines.
func (e *env) app(seed uint64) (*plain.App, error) {
	// The little that a start reads would make the collector run a dozen times.
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	course, err := lessons.Load(lessons.Embedded())
	if err != nil {
		return nil, defect{err}
	}
	library, err := quiz.Open(quiz.Embedded())
	if err != nil {
		return nil, defect{err}
	}
	tree, err := experiments()
	if err != nil {
		return nil, defect{err}
	}
	store, err := e.store()
	if err != nil {
		return nil, err
	}
	prompting := terminal(e.in) && terminal(e.out)
	a := &plain.App{
		Loc: e.localizer(), Out: e.out, Err: e.err, In: bufio.NewReader(e.in),
		Prompting: prompting, Width: e.width(),
		Plain: e.byLines(), ASCII: e.ascii, Theme: e.markdownTheme(),
		Course: course, Library: library, Engine: engine.New(tree), Glossary: glossaryForms(),
		Store: store, Now: time.Now, Seed: seed,
	}
	if !e.langMatched && prompting {
		if err := a.AskLanguage(); err != nil {
			return nil, err
		}
		e.loc = a.Loc
	}
	return a, nil
}
