package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/internal/progress"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
	"streaminglab/sim"
	"streaminglab/sim/session"
)

// An App is the course by lines.
type App struct {
	Loc      *locale.Localizer
	Out, Err io.Writer
	In       *bufio.Reader
	// Prompting says that a person types on a terminal.
	Prompting bool
	// Width is that of the terminal, in cells.
	Width int
	// Plain leaves out every escape sequence; ASCII every sign beyond ASCII.
	Plain, ASCII bool
	Theme        markdown.Theme

	Course   *lessons.Course
	Library  *quiz.Library
	Engine   *engine.Engine
	Glossary quiz.Glossary
	Store    *progress.Store
	Now      func() time.Time
	// Seed is what a new experiment or quiz starts with.
	Seed uint64

	summary *progress.Summary
	marker  *quiz.Marker
	// answered says that something was read from the input.
	answered bool
	// damage is the number of damaged lines of the progress that were said.
	damage int
	// unsaved says that the learner was told that progress cannot be kept.
	unsaved bool
}

// ErrInput says that the input ended where an answer was needed; what was
// given before is kept.
var ErrInput = errors.New("plain: end of input")

// ErrLost is ErrInput when what was given before could not be kept.
var ErrLost = fmt.Errorf("%w; nothing is kept", ErrInput)

// errQuit says that the learner wants to leave.
var errQuit = errors.New("plain: quit")

func (a *App) lang() quiz.Lang { return quiz.Lang(a.Loc.Lang()) }

func (a *App) print(lines ...string) {
	for _, l := range lines {
		// A no-break space has done its work, and some terminals show it as a sign.
		io.WriteString(a.Out, a.clean(strings.ReplaceAll(harmless(l), "\u00a0", " "))+"\n")
	}
}

// warn tells what is no part of the answer.
func (a *App) warn(err error) {
	io.WriteString(a.Err, quiz.VisibleLines(narrate.Problem(a.Loc, err))+"\n")
}

// style is an escape sequence that only colours: what the renderer puts in.
var style = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// harmless lets nothing through to the terminal that acts on it but styles:
// texts of files and of learners are among what is printed.
func harmless(l string) string {
	if !strings.Contains(l, "\x1b") {
		return quiz.VisibleLines(l)
	}
	var b strings.Builder
	at := 0
	for _, m := range style.FindAllStringIndex(l, -1) {
		b.WriteString(quiz.VisibleLines(l[at:m[0]]))
		b.WriteString(l[m[0]:m[1]])
		at = m[1]
	}
	b.WriteString(quiz.VisibleLines(l[at:]))
	return b.String()
}

// clean keeps to ASCII signs where that is wished: letters stay.
func (a *App) clean(s string) string {
	if !a.ASCII {
		return s
	}
	return asciiSigns.Replace(s)
}

var asciiSigns = strings.NewReplacer(
	"→", "->", "←", "<-", "·", "-", "•", "*", "│", "|", "─", "-", "…", "...", "✓", "+", "✗", "x",
	"“", `"`, "”", `"`, "«", `"`, "»", `"`, "▸", ">", "×", "x",
)

func (a *App) text(id string, args locale.Args) string { return a.Loc.Text(id, args) }

func (a *App) say(id string, args locale.Args) { a.print(a.wrap(a.text(id, args))...) }

func (a *App) wrap(s string) []string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		out = append(out, markdown.Wrap(l, a.width())...)
	}
	return out
}

// stepIndent is the room of a step's number and time (narrate.Line).
const stepIndent = 15

// hanging prints a text behind a head; what does not fit continues under it.
func (a *App) hanging(head, text string) {
	for _, l := range markdown.Wrap(text, a.width()-stepIndent) {
		a.print(head + l)
		head = strings.Repeat(" ", stepIndent)
	}
}

// step prints a step as one line; what does not fit continues under its
// sentence.
func (a *App) step(s *sim.Step) {
	line := narrate.Line(a.Loc, s)
	if markdown.Width(line) <= a.width() {
		a.print(line)
		return
	}
	head, rest := markdown.Cut(line, stepIndent)
	a.hanging(head, rest)
}

func (a *App) width() int {
	switch {
	case a.Width <= 0:
		return 80
	case a.Width > 100:
		return 100
	}
	return max(a.Width, markdown.MinWidth)
}

// problem words an error of the user.
func (a *App) problem(err error) { a.print(a.wrap(narrate.Problem(a.Loc, err))...) }

// read takes a line of input. prompt is shown to a person only.
func (a *App) read(prompt string) (string, error) {
	if a.Prompting {
		io.WriteString(a.Out, prompt+" ")
	}
	line, err := a.line()
	if line == "" && err != nil {
		if a.Prompting {
			a.print("")
		}
		if a.unsaved && a.answered {
			return "", ErrLost
		}
		return "", ErrInput
	}
	a.answered = true
	return strings.TrimRight(line, "\r\n"), nil
}

// maxInput is more than any answer or command may have: what takes it says so.
const maxInput = 128 << 10

// line reads a line; of one that does not end it keeps the beginning.
func (a *App) line() (string, error) {
	var b strings.Builder
	for {
		part, err := a.In.ReadSlice('\n')
		if room := maxInput - b.Len(); len(part) > room {
			part = part[:max(room, 0)]
		}
		b.Write(part)
		if err != bufio.ErrBufferFull {
			return b.String(), err
		}
	}
}

// left says where it goes on, or that nothing could be kept.
func (a *App) left(id string, args locale.Args) {
	if a.unsaved {
		id = "plain.left-unsaved"
	}
	a.say(id, args)
}

// keep appends to the progress. What cannot be kept is said once; the course
// goes on.
func (a *App) keep(e progress.Event) {
	if a.Store == nil {
		return
	}
	if err := a.Store.Append(a.Now(), e); err != nil && !a.unsaved {
		a.unsaved = true
		a.warn(err)
	}
	a.summary = nil
}

// maxDamage is how many damaged lines are named.
const maxDamage = 5

// progress reads what was kept.
func (a *App) progress() *progress.Summary {
	if a.summary != nil {
		return a.summary
	}
	a.summary = progress.Fold(nil)
	if a.Store == nil {
		return a.summary
	}
	log, err := a.Store.Read()
	if err != nil {
		if !a.unsaved {
			a.unsaved = true
			a.warn(err)
		}
		return a.summary
	}
	// Each line is said once, not each time that the file is read again.
	for i, d := range log.Damage {
		if i < a.damage {
			continue
		}
		if i == maxDamage {
			a.warn(&progress.Problem{ID: "progress.more-damaged", Args: locale.Args{"File": a.Store.Path(), "More": len(log.Damage) - i}})
			break
		}
		a.warn(d.Problem(a.Store.Path()))
	}
	a.damage = max(a.damage, len(log.Damage))
	a.summary = progress.Fold(log.Entries)
	return a.summary
}

func (a *App) mark() *quiz.Marker {
	if a.marker == nil {
		a.marker = &quiz.Marker{Engine: a.Engine, Glossary: a.Glossary}
	}
	return a.marker
}

// switchLanguage changes the language in place and remembers it.
func (a *App) switchLanguage() {
	to := a.Loc.Lang().Other()
	a.Loc = a.Loc.In(to)
	a.keep(progress.LanguageChosen{Lang: string(to)})
	a.say("plain.language", nil)
}

// switches reports whether a typed line asks for the other language.
func switches(line string) bool {
	switch strings.TrimSpace(line) {
	case "L", "l", "ㅣ", ":L", ":ㅣ", "한국어", "español":
		return true
	}
	return false
}

// quits reports whether a typed line asks to leave, on either keyboard.
func quits(line string) bool {
	switch strings.ToLower(locale.Keys(strings.TrimSpace(line))) {
	case "quit", "q":
		return true
	}
	return false
}

// render lays out Markdown.
func (a *App) render(text string) []string {
	d, _ := markdown.ParseText("", []byte(text))
	return a.lines(d.Render(a.options()))
}

func (a *App) options() markdown.Options {
	return markdown.Options{Width: a.width(), Theme: a.Theme, Plain: a.Plain, ASCII: a.ASCII}
}

func (a *App) lines(in []markdown.Line) []string {
	out := make([]string, len(in))
	for i, l := range in {
		out[i] = l.Text
	}
	return out
}

// experiment finds an experiment of the course.
func (a *App) experiment(id string) (*session.Experiment, error) { return a.Engine.Experiment(id) }

func (a *App) context() context.Context { return context.Background() }
