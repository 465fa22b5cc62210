package session

import (
	"errors"
	"maps"
	"slices"
	"sort"
	"strconv"

	"streaminglab/sim"
	"streaminglab/sim/script"
)

// A Session is one experiment in the hands of a learner: the list of
// commands, a cursor over the steps that they made, and named lists beside it.
//
// The head is the end of the list. The cursor is a view position: stepping
// back changes nothing. A world command that is typed with the cursor before
// the head, or a set or seed behind other commands, asks to fork first
// (NeedsFork); nothing is lost by it, the list as it was gets a name.
type Session struct {
	Experiment *Experiment
	Seed       uint64

	list   []*script.Line
	cursor int // 0: at the head
	run    *Run
	forks  map[string][]*script.Line
	name   string

	undone []undone // what redo brings back, the last one first
	log    []Change
	hints  int
	solved bool

	observer    Observer
	bounds      sim.Bounds
	interrupted func() bool
	acting      bool // a typed command runs: what is only replayed is not interrupted
}

// A Change is one entry of the session log, which only grows: undo and reset
// can themselves be undone.
type Change struct {
	// What is do, undo, redo, reset, fork, switch or seed.
	What string
	// Before is the list before the change.
	Before []string
}

// An undone entry is a list that undo or reset took away, of which the present
// list is a prefix; or, with again, a reset that was undone.
type undone struct {
	list         []*script.Line
	reset, again bool
}

// NeedsFork says that a command does not fit where it was typed and what the
// list would be if it were cut there.
type NeedsFork struct {
	Line *script.Line
	// More are the set commands of the same edit.
	More []*script.Line
	// Step is where the list would be cut; 0: at its head.
	Step int
	// Fixed is the step that is looked at when it lies in the fixed part, which
	// nothing can cut; else 0.
	Fixed int
	// Left is what ForkFor could not play again behind a change at the head, nil: it
	// played everything.
	Left *Left
}

// Left are lines that cannot follow a change: Why is what the first of them met.
type Left struct {
	Lines []*script.Line
	Why   error
}

// unplayable is a line of a list that was refused when the list was played.
type unplayable struct {
	line *script.Line
	err  error
}

func (e *unplayable) Error() string { return e.err.Error() }
func (e *unplayable) Unwrap() error { return e.err }

func (e *NeedsFork) Error() string { return "session: the command asks to fork" }

// Open starts a session; lines are what the list holds already.
func Open(e *Experiment, seed uint64, lines []*script.Line, o Observer) (*Session, error) {
	s := &Session{Experiment: e, Seed: seed, forks: map[string][]*script.Line{}, name: "main", observer: o}
	s.list = lines
	return s, s.rebuild(o)
}

// Observe replaces the observer of what comes.
func (s *Session) Observe(o Observer) {
	s.observer = o
	if s.run != nil {
		s.run.observer = o
	}
}

// Interruptible makes a world command ask now and then whether it is to end. One
// that is interrupted is taken back as a whole.
func (s *Session) Interruptible(interrupted func() bool) { s.interrupted = interrupted }

// rebuild replays the list in a fresh world.
func (s *Session) rebuild(o Observer) error {
	settings, seed, rest, err := Head(s.list)
	if err != nil {
		return err
	}
	options := Options{Seed: s.Seed, Settings: settings, Observer: o, Bounds: s.bounds}
	options.Interrupted = func() bool { return s.acting && s.interrupted != nil && s.interrupted() }
	if seed != nil {
		options.Seed = *seed
	}
	r, err := Start(s.Experiment, options)
	if err != nil {
		return err
	}
	for _, l := range rest {
		if err := r.Do(l); err != nil {
			return &unplayable{l, err}
		}
	}
	r.observer = s.observer
	s.run, s.cursor = r, 0
	s.reached()
	return nil
}

// replay rebuilds silently: the steps were shown before.
func (s *Session) replay() error { return s.rebuild(Observer{}) }

func (s *Session) reached() {
	if ok, is, err := s.run.Goal(); is && ok && err == nil {
		s.solved = true
	}
}

// Run is the run of the list as it stands.
func (s *Session) Run() *Run { return s.run }

// Trace is what the list has made.
func (s *Session) Trace() *sim.Trace { return s.run.World.Trace() }

// Cursor is the step that is looked at: the last one at the head.
func (s *Session) Cursor() int {
	if s.cursor == 0 {
		return s.Trace().Len()
	}
	return s.cursor
}

// AtHead reports whether the cursor stands at the head.
func (s *Session) AtHead() bool { return s.cursor == 0 || s.cursor >= s.Trace().Len() }

// Commands are the lines of the list in canonical form.
func (s *Session) Commands() []string { return texts(s.list) }

func texts(list []*script.Line) []string {
	out := make([]string, len(list))
	for i, l := range list {
		out[i] = l.Text
	}
	return out
}

// Solved reports whether the goal was reached at some time of the session.
func (s *Session) Solved() bool { return s.solved }

// Log is the session log.
func (s *Session) Log() []Change { return s.log }

func (s *Session) note(what string, before []*script.Line) {
	s.log = append(s.log, Change{What: what, Before: texts(before)})
}

// Do carries out one parsed line of class world or question. On an error
// nothing has changed.
func (s *Session) Do(l *script.Line) error {
	switch l.Command.(type) {
	case script.Set, script.Seed:
		// Questions that were asked already come behind the setting.
		return s.DoAll([]*script.Line{l})
	}
	if l.Verb.Class == script.World && !s.AtHead() {
		if s.cursor < s.run.Prefix {
			return &NeedsFork{Line: l, Step: s.run.Prefix, Fixed: s.cursor}
		}
		return &NeedsFork{Line: l, Step: s.cursor}
	}
	before, cursor, steps := s.list, s.cursor, s.Trace().Len()
	s.acting, s.run.looked = true, cursor
	err := s.run.Do(l)
	s.acting, s.run.looked = false, 0
	if err != nil {
		if s.Trace().Len() == steps {
			return err // refused: the world is as it was
		}
		// A command that met a bound or was interrupted has acted: the world is
		// made again.
		if rerr := s.replay(); rerr != nil {
			return rerr
		}
		s.cursor = cursor
		return err
	}
	s.note("do", before)
	s.list = append(s.list[:len(s.list):len(s.list)], l)
	if l.Verb.Class == script.World {
		s.cursor, s.undone = 0, nil
	}
	// A question changes nothing that redo could bring back: it takes its place
	// there too.
	for i, u := range s.undone {
		if u.again {
			continue
		}
		s.undone[i].list = slices.Insert(slices.Clone(u.list), len(before), l)
	}
	s.reached()
	return nil
}

// change replaces the list if it can be replayed; else nothing has changed.
func (s *Session) change(what string, list []*script.Line) error {
	before := s.list
	s.list = list
	if err := s.replay(); err != nil {
		s.list = before
		return err
	}
	s.note(what, before)
	return nil
}

// Undo drops the last world command with the questions behind it, or takes
// the last reset back.
func (s *Session) Undo() error {
	n := len(s.list)
	for n > 0 && s.list[n-1].Verb.Class == script.Question {
		n--
	}
	if n == 0 {
		u := len(s.undone)
		if u == 0 || !s.undone[u-1].reset {
			return sim.NewProblem("session.nothing-to-undo")
		}
		if err := s.change("undo", s.undone[u-1].list); err != nil {
			return err
		}
		s.undone[u-1] = undone{again: true}
		return nil
	}
	before := s.list
	if err := s.change("undo", s.list[:n-1:n-1]); err != nil {
		return err
	}
	s.undone = append(s.undone, undone{list: before})
	return nil
}

// Redo takes the last undo or reset back.
func (s *Session) Redo() error {
	n := len(s.undone)
	if n == 0 {
		return sim.NewProblem("session.nothing-to-redo")
	}
	top, before := s.undone[n-1], s.list
	if err := s.change("redo", top.list); err != nil {
		return err
	}
	s.undone = s.undone[:n-1]
	if top.again {
		s.undone = append(s.undone, undone{list: before, reset: true})
	}
	return nil
}

// Reset empties the list. The fixed prefix stays.
func (s *Session) Reset() error {
	before := s.list
	if err := s.change("reset", nil); err != nil {
		return err
	}
	if len(before) > 0 {
		s.undone = append(s.undone, undone{list: before, reset: true})
	}
	return nil
}

// Back moves the cursor n steps back.
func (s *Session) Back(n int) { s.cursor = max(1, s.Cursor()-n) }

// Forward moves the cursor n steps forward.
func (s *Session) Forward(n int) {
	if s.cursor = s.Cursor() + n; s.cursor >= s.Trace().Len() {
		s.cursor = 0
	}
}

// Goto moves the cursor to a step.
func (s *Session) Goto(step int) error {
	if step < 1 || step > s.Trace().Len() {
		return sim.NewProblem("session.no-step", "Step", step, "Have", s.Trace().Len())
	}
	s.cursor = step
	return nil
}

// Cut returns the list as it would be if it ended at a step: the last command
// pauses there. A step of the fixed prefix cuts to the empty list.
func (s *Session) Cut(step int) ([]*script.Line, error) {
	if step < 1 || step > s.Trace().Len() {
		return nil, sim.NewProblem("session.no-step", "Step", step, "Have", s.Trace().Len())
	}
	settings := 0
	for settings < len(s.list) && isHead(s.list[settings]) {
		settings++
	}
	// Each world command of the list has made one step command.given behind
	// the prefix, in order.
	var given []int
	for _, st := range s.Trace().Steps()[s.run.Prefix:] {
		if _, ok := st.Body.(sim.CommandGiven); ok {
			given = append(given, st.Seq)
		}
	}
	out := s.list[:settings:settings]
	n := 0
	for _, l := range s.list[settings:] {
		if l.Verb.Class != script.World {
			out = append(out, l)
			continue
		}
		if n >= len(given) || given[n] > step {
			break
		}
		end := s.Trace().Len()
		if n+1 < len(given) {
			end = given[n+1] - 1
		}
		if n++; end > step {
			cut, err := stopText(l, step, s.run.times)
			return append(out, cut), err
		}
		out = append(out, l)
	}
	return out, nil
}

func isHead(l *script.Line) bool {
	switch l.Command.(type) {
	case script.Set, script.Seed:
		return true
	}
	return false
}

// Fork keeps the list under a name. With a step the list is cut there.
func (s *Session) Fork(name string, step int) error {
	if name == "" || len(name) > 64 {
		return sim.NewProblem("session.fork-name", "Name", name)
	}
	if _, ok := s.forks[name]; ok || name == s.name {
		return sim.NewProblem("session.fork-exists", "Name", name)
	}
	kept := s.list
	if step > 0 && step < s.Trace().Len() {
		cut, err := s.Cut(step)
		if err != nil {
			return err
		}
		if err := s.change("fork", cut); err != nil {
			return err
		}
	} else {
		s.note("fork", s.list)
	}
	s.forks[name] = kept
	s.undone = nil
	return nil
}

// FreeName is a name that no list has yet: fork-1, fork-2, ….
func (s *Session) FreeName() string {
	for i := 1; ; i++ {
		name := "fork-" + strconv.Itoa(i)
		if _, taken := s.forks[name]; !taken && name != s.name {
			return name
		}
	}
}

// ForkFor answers a NeedsFork with yes: the list is kept under a name, cut where
// the command was typed, and the command is carried out there. When the command
// is refused there, nothing has changed. Behind a change at its head the list goes
// on as far as it can be played again: f.Left is the rest.
func (s *Session) ForkFor(name string, f *NeedsFork) error {
	was, forks := *s, maps.Clone(s.forks)
	err := s.Fork(name, f.Step)
	switch {
	case err != nil:
	case f.Step > 0:
		s.cursor = 0
		err = s.Do(f.Line)
	default:
		var head []*script.Line
		for _, old := range s.list {
			if !isHead(old) {
				break
			}
			head = append(head, old)
		}
		rest := s.list[len(head):]
		head = append(append(head, f.Line), f.More...)
		err = s.change("fork", slices.Concat(head, rest))
		if at := (*unplayable)(nil); errors.As(err, &at) && slices.Contains(rest, at.line) {
			n := slices.Index(rest, at.line)
			f.Left = &Left{rest[n:], at.err}
			err = s.change("fork", slices.Concat(head, rest[:n]))
		}
	}
	if err != nil {
		// A change makes a world of its own, so the old one is as it was.
		*s, s.forks = was, forks
	}
	return err
}

// Switch makes a kept list the present one; the present one is kept.
func (s *Session) Switch(name string) error {
	list, ok := s.forks[name]
	if !ok {
		return s.unknownFork(name)
	}
	before := s.list
	if err := s.change("switch", list); err != nil {
		return err
	}
	delete(s.forks, name)
	s.forks[s.name] = before
	s.name = name
	s.undone = nil
	return nil
}

// Forks are the names of the lists, the present one first.
func (s *Session) Forks() []string {
	var out []string
	for n := range s.forks {
		out = append(out, n)
	}
	sort.Strings(out)
	return append([]string{s.name}, out...)
}

func (s *Session) unknownFork(name string) error {
	known := ""
	for i, n := range s.Forks()[1:] {
		if i > 0 {
			known += ", "
		}
		known += n
	}
	return sim.NewProblem("session.unknown-fork", "Name", name, "Known", known)
}

// Hint returns the number of the next hint, from 1; 0: there are no more.
func (s *Session) Hint(lang string) (n int, text string) {
	hints := s.run.Experiment.Texts[lang].Hints
	if s.hints >= len(hints) {
		return 0, ""
	}
	s.hints++
	return s.hints, hints[s.hints-1]
}

// Hints is the number of hints that were shown.
func (s *Session) Hints() int { return s.hints }

// Solution returns the script that reaches the goal and the note to it.
func (s *Session) Solution(lang string) (lines, note string) {
	return s.run.Experiment.Members[Reference], s.run.Experiment.Texts[lang].Solution
}
