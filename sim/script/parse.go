package script

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/world"
)

// A Line is one command of a script.
type Line struct {
	Verb *Verb
	// Text is the line in canonical form.
	Text    string
	Command Command
	// File and Number say where it was typed.
	File   string
	Number int
	// Column is where the first argument stands, or the verb.
	Column int
	// Stop is the step at which the command pauses (until step N behind any
	// world command); 0: it is carried out to its end.
	Stop int
}

// An Error is an error of the user at a place of a script.
type Error struct {
	File         string
	Line, Column int
	Problem      *sim.Problem
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

func (e *Error) Unwrap() error { return e.Problem }

// Errors are the errors of a script, in order; never empty.
type Errors []*Error

func (e Errors) Error() string { return e[0].Error() }

// Bounds of a script.
const (
	maxLines  = 5000
	maxErrors = 20
)

// Parse reads a whole script. Either every line is good, or nothing is
// returned but errors.
func Parse(file, text string, times Times) ([]*Line, error) {
	var lines []*Line
	var errs Errors
	for i, t := range strings.Split(text, "\n") {
		t = strings.TrimSuffix(t, "\r")
		l, err := ParseLine(file, i+1, t, times)
		if err != nil {
			if errs = append(errs, err); len(errs) == maxErrors {
				break
			}
			continue
		}
		if l == nil {
			continue
		}
		if lines = append(lines, l); len(lines) > maxLines {
			errs = append(errs, &Error{file, i + 1, 1, sim.NewProblem("script.too-long", "Max", maxLines)})
			break
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return lines, nil
}

// line is a line that is being parsed. The first problem counts.
type line struct {
	words   []word
	code    string
	next    int
	times   Times
	usage   string
	problem *sim.Problem
	col     int
}

// ParseLine reads one line; it returns nil for a blank one.
func ParseLine(file string, number int, text string, times Times) (*Line, *Error) {
	words, code, problem, col := lex(text)
	if problem != nil {
		return nil, &Error{file, number, col, problem}
	}
	if len(words) == 0 {
		return nil, nil
	}
	v := Find(words[0].text)
	if v == nil {
		return nil, &Error{file, number, words[0].col, sim.NewProblem("script.unknown-verb",
			"Verb", words[0].text, "Nearest", world.Nearest(words[0].text, alive()))}
	}
	if v.Chapter != "" {
		return nil, &Error{file, number, words[0].col, sim.NewProblem("script.later", "Verb", v.Name, "Chapter", v.Chapter)}
	}
	l := &line{words: words[1:], code: code, times: times, usage: v.Usage, col: words[0].col}
	stop := 0
	if v.Class == World && v != verbRun {
		stop = l.stop()
	}
	c := v.parse(l)
	if l.problem == nil && l.next < len(l.words) {
		l.fail(l.words[l.next].col, "script.too-many", "Word", l.words[l.next].text, "Usage", l.usage)
	}
	if l.problem != nil {
		return nil, &Error{file, number, l.col, l.problem}
	}
	column := words[0].col
	if len(words) > 1 {
		column = words[1].col
	}
	return &Line{Verb: v, Text: canonical(code), Command: c, File: file, Number: number, Column: column, Stop: stop}, nil
}

// stop takes "until step N" off the end of a line.
func (l *line) stop() int {
	n := len(l.words)
	if n < 3 || l.words[n-3].text != "until" || l.words[n-2].text != "step" {
		return 0
	}
	step, err := strconv.Atoi(l.words[n-1].text)
	if err != nil || step < 1 {
		l.fail(l.words[n-1].col, "script.integer", "Value", l.words[n-1].text, "Low", int64(1), "High", int64(math.MaxInt32))
		return 0
	}
	l.code = strings.TrimSpace(l.code[:l.words[n-3].at])
	l.words = l.words[:n-3]
	return step
}

func (l *line) fail(col int, id string, args ...any) {
	if l.problem == nil {
		l.problem, l.col = sim.NewProblem(id, args...), col
	}
}

// more reports whether words are left.
func (l *line) more() bool { return l.next < len(l.words) }

// peek is the next word, or "".
func (l *line) peek() string {
	if !l.more() {
		return ""
	}
	return l.words[l.next].text
}

// word takes a word; what names what was expected.
func (l *line) word(what ArgKind) word {
	if !l.more() {
		col := l.col
		if n := len(l.words); n > 0 {
			col = l.words[n-1].col + len([]rune(l.words[n-1].text))
		}
		l.fail(col, "script.missing", "What", string(what), "Usage", l.usage)
		return word{}
	}
	l.next++
	w := l.words[l.next-1]
	if w.text == "" && !slices.Contains(mayBeEmpty, what) {
		l.fail(w.col, "script.missing", "What", string(what), "Usage", l.usage)
	}
	return w
}

// mayBeEmpty are the arguments that "" can stand for.
var mayBeEmpty = []ArgKind{ArgKey, ArgValue, ArgPrefix}

// oneOf takes a word that must be one of some.
func (l *line) oneOf(known ...string) string {
	w := l.word(ArgKind(strings.Join(known, "|")))
	for _, k := range known {
		if w.text == k {
			return k
		}
	}
	l.fail(w.col, "script.unknown-word", "Word", w.text, "Known", strings.Join(known, ", "), "Nearest", world.Nearest(w.text, known))
	return known[0]
}

func (l *line) time() int64 {
	w := l.word(ArgTime)
	return l.timeOf(w.text, w.col)
}

func (l *line) timeOf(text string, col int) int64 {
	t, err := l.times.Time(text)
	if err != nil {
		l.fail(col, "script.time", "Value", text)
	}
	return t
}

func (l *line) duration() int64 {
	w := l.word(ArgDuration)
	return l.durationOf(w.text, w.col)
}

func (l *line) durationOf(text string, col int) int64 {
	d, err := l.times.Duration(text)
	switch {
	case err != nil:
		l.fail(col, "script.duration", "Value", text)
	case d < 0:
		l.fail(col, "script.negative", "Value", text)
	}
	return d
}

func (l *line) integer(what ArgKind, low, high int64) int64 {
	w := l.word(what)
	n, err := strconv.ParseInt(w.text, 10, 64)
	if err != nil || n < low || n > high {
		l.fail(w.col, "script.integer", "Value", w.text, "Low", low, "High", high)
	}
	return n
}

// target takes SOURCE or SOURCE/SPLIT; split demands the latter.
func (l *line) target(split bool) world.Target {
	kind := ArgTarget
	if split {
		kind = ArgSplit
	}
	w := l.word(kind)
	source, s, ok := strings.Cut(w.text, "/")
	if source == "" || ok && s == "" || split && !ok {
		l.fail(w.col, "script.split", "Value", w.text)
	}
	return world.Target{Source: source, Split: s, Whole: !ok}
}

// expression takes the rest of the line as an expression.
func (l *line) expression() *fold.Program {
	if !l.more() {
		l.word(ArgExpression)
		return nil
	}
	w := l.words[l.next]
	rest := l.code[min(w.at, len(l.code)):]
	l.next = len(l.words)
	p, err := fold.Compile(rest, l.times)
	if err != nil {
		var se *fold.SyntaxError
		if errors.As(err, &se) {
			l.fail(w.col+se.Column-1, se.Problem.ID, args(se.Problem)...)
		} else {
			l.fail(w.col, "expression.syntax", "Detail", err.Error())
		}
	}
	return p
}

// condition reads an expression that must be true or false.
func (l *line) condition() *fold.Program {
	col := 0
	if l.more() {
		col = l.words[l.next].col
	}
	p := l.expression()
	if p != nil {
		if wrong := p.Condition(); wrong != nil {
			l.fail(col, wrong.ID, args(wrong)...)
		}
	}
	return p
}

func args(p *sim.Problem) []any {
	var out []any
	for k, v := range p.Args {
		out = append(out, k, v)
	}
	return out
}

// options takes name=value words and bare flags in any order, each once.
func (l *line) options(known map[string]func(value string, col int), order []string) {
	seen := map[string]bool{}
	for l.more() {
		w := l.word(ArgWord)
		name, value, _ := strings.Cut(w.text, "=")
		f := known[name]
		if f == nil {
			l.fail(w.col, "script.unknown-word", "Word", w.text, "Known", strings.Join(order, ", "), "Nearest", world.Nearest(name, order))
			return
		}
		if seen[name] {
			l.fail(w.col, "script.twice", "Word", name)
			return
		}
		seen[name] = true
		f(value, w.col+len([]rune(name))+1)
	}
}
