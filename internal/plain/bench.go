package plain

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/internal/progress"
	"streaminglab/internal/view"
	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// Open opens the bench on an experiment.
func (a *App) Open(e *session.Experiment) error {
	err := a.bench(e, "", true)
	if errors.Is(err, errQuit) {
		return nil
	}
	return err
}

// OpenWith opens the bench with commands typed already (a token).
func (a *App) OpenWith(e *session.Experiment, seed uint64, commands []string, course bool) error {
	lines, err := script.Parse("token", strings.Join(commands, "\n"), e.Times())
	if err != nil {
		return err
	}
	b := &bench{app: a, course: course, said: map[string]bool{}}
	if err := b.start(e, seed, lines); err != nil {
		return err
	}
	if err := b.loop(); !errors.Is(err, errQuit) {
		return err
	}
	return nil
}

// bench runs an experiment by lines until the learner goes on.
func (a *App) bench(e *session.Experiment, lesson string, course bool) error {
	b := &bench{app: a, lesson: lesson, course: course, said: map[string]bool{}}
	seed, lines := a.Seed, []*script.Line(nil)
	if old := a.progress().Experiments[e.ID]; old != nil && old.LastRun.Version == e.Version && len(old.LastRun.Commands) > 0 {
		kept, err := script.Parse(e.ID, strings.Join(old.LastRun.Commands, "\n"), e.Times())
		if err == nil {
			seed, lines = old.LastRun.Seed, kept
			b.resumed = true
		}
	}
	if err := b.start(e, seed, lines); err != nil {
		if !b.resumed {
			return err
		}
		// What was kept no longer fits: begin anew, and say so.
		a.say("plain.sim.outdated", nil)
		b.resumed = false
		if err := b.start(e, a.Seed, nil); err != nil {
			return err
		}
	}
	return b.loop()
}

type bench struct {
	app     *App
	s       *session.Session
	lesson  string
	course  bool
	resumed bool
	reached bool
	said    map[string]bool
}

func (a *App) experimentHead(e *session.Experiment) {
	t := e.Texts[string(a.Loc.Lang())]
	if t.Title != "" {
		a.print(a.render("**" + t.Title + "**")...)
	}
	if t.Goal != "" {
		a.print(a.render(a.text("plain.sim.goal", locale.Args{"Goal": t.Goal}))...)
	}
}

func (b *bench) observer() session.Observer {
	a := b.app
	return session.Observer{
		Steps: func(steps []*sim.Step) {
			for _, s := range steps {
				a.step(s)
			}
		},
		Question: func(r *session.Run, x *session.Answer) { a.answer(r, x) },
	}
}

// setUp tells steps that are shown for the first time, or anew, all at once: long
// stretches of them are counted.
func (b *bench) setUp(steps []*sim.Step) {
	a, counted := b.app, false
	for _, p := range narrate.Setup(steps) {
		if p.Step != nil {
			a.step(p.Step)
			continue
		}
		counted = true
		a.hanging(strings.Repeat(" ", stepIndent), narrate.Stretch(a.Loc, p.Steps))
	}
	if counted {
		a.hanging(strings.Repeat(" ", stepIndent), a.text("plain.sim.all-steps", nil))
	}
}

// setUpParts tells the fixed prefix and what the list has made.
func (b *bench) setUpParts(steps []*sim.Step) {
	n := 0
	for n < len(steps) && steps[n].Seq <= b.s.Run().Prefix {
		n++
	}
	b.setUp(steps[:n])
	b.setUp(steps[n:])
}

func (b *bench) start(e *session.Experiment, seed uint64, lines []*script.Line) error {
	a := b.app
	inst, _, err := e.Instance(seed)
	if err != nil {
		return err
	}
	a.Loc = a.Loc.WithDay(e.Day)
	a.experimentHead(inst)
	a.print(view.JobFiles(a.Loc, inst)...)
	// What is set up is told when all of it is known; a question among it stands
	// behind the steps that it was asked of.
	var untold []*sim.Step
	s, err := session.Open(e, seed, lines, session.Observer{
		Steps: func(steps []*sim.Step) { untold = append(untold, steps...) },
		Question: func(r *session.Run, x *session.Answer) {
			b.setUp(untold)
			untold = nil
			a.answer(r, x)
		},
	})
	if err != nil {
		return err
	}
	s.Observe(b.observer())
	b.s = s
	b.setUpParts(untold)
	if b.resumed {
		a.print("")
		a.say("plain.sim.resumed", locale.Args{"Commands": len(lines)})
	}
	b.checkGoal()
	return nil
}

// loop reads commands until the learner goes on.
func (b *bench) loop() error {
	a := b.app
	a.print("")
	a.say("plain.sim.how", nil)
	for n := 1; ; n++ {
		line, err := a.read("lab>")
		if err != nil {
			b.finish()
			return err
		}
		if switches(line) {
			a.switchLanguage()
			a.Loc = a.Loc.WithDay(b.s.Experiment.Day)
			a.experimentHead(b.s.Run().Experiment)
			continue
		}
		if strings.TrimSpace(line) == "?" { // as for a question
			line = "hint"
		}
		l, perr := script.ParseLine("", n, line, b.s.Experiment.Times())
		if perr != nil {
			a.problem(b.typedWrong(perr))
			continue
		}
		if l == nil {
			continue
		}
		if c, ok := l.Command.(script.SessionCommand); ok {
			done, err := b.session(c)
			if err != nil {
				return err
			}
			if done {
				b.finish()
				return nil
			}
			continue
		}
		b.do(l)
	}
}

// do carries out a world command or a question.
func (b *bench) do(l *script.Line) {
	a := b.app
	err := b.s.Do(l)
	var fork *session.NeedsFork
	if errors.As(err, &fork) {
		b.forkFor(fork)
		return
	}
	if err != nil {
		a.problem(err)
		return
	}
	switch l.Command.(type) {
	case script.Set, script.Seed:
		// The prefix ran again with it: everything is shown anew.
		b.showAll()
	case script.Predict:
		a.say("plain.sim.predicted", nil)
	}
	if text := view.Nowhere(a.Loc, b.s.Run().World, l); text != "" {
		a.print(a.wrap(text)...)
	}
	b.save()
	b.checkGoal()
}

// finish keeps the transcript and answers the predictions: the list has ended.
func (b *bench) finish() {
	b.save()
	b.s.Run().Finish()
}

// forkFor asks whether to fork where the command was typed.
func (b *bench) forkFor(f *session.NeedsFork) {
	a := b.app
	name := b.s.FreeName()
	a.print(a.wrap(view.ForkQuestion(a.Loc, f, name))...)
	if !a.Prompting {
		// A prompt is for a person; that the next line is the answer is for all.
		a.say("plain.yes-no", nil)
	}
	answer, err := a.read(a.text("plain.yes-no", nil))
	if err != nil || !view.Yes(answer) {
		a.say("plain.fork.not", nil)
		return
	}
	if err := b.s.ForkFor(name, f); err != nil {
		a.problem(err)
		return
	}
	if f.Step == 0 {
		b.showAll()
	}
	if f.Left != nil {
		a.print(a.wrap(view.Left(a.Loc, f.Left, name))...)
	}
	b.save()
	b.checkGoal()
}

// showAll tells the steps of the list as they are now.
func (b *bench) showAll() {
	b.setUpParts(b.s.Trace().Steps())
}

func (b *bench) checkGoal() {
	a := b.app
	r := b.s.Run()
	ok, is, err := r.Goal()
	if err != nil || !is {
		return
	}
	switch {
	case ok && !b.reached:
		b.reached = true
		a.print("")
		a.say("plain.sim.reached", nil)
		if _, note := b.s.Solution(string(a.Loc.Lang())); note != "" {
			a.print(a.render(note)...)
		}
		a.say("plain.sim.free", nil)
	case !ok:
		b.reached = false
	}
}

// save keeps the transcript.
func (b *bench) save() {
	if !b.course || b.s == nil {
		return
	}
	reached, _, _ := b.s.Run().Goal()
	run := progress.ExperimentRun{
		Lesson: b.lesson, Experiment: b.s.Experiment.ID, Version: b.s.Experiment.Version, Seed: b.s.Seed,
		Commands: b.s.Commands(), Reached: reached, TraceHash: b.s.Trace().Hash(), Engine: session.EngineVersion,
	}
	key := fmt.Sprint(run)
	if b.said[key] || len(run.Commands) == 0 && !reached {
		return
	}
	b.said[key] = true
	b.app.keep(run)
}

// session carries out a session verb; done says that the learner goes on.
func (b *bench) session(c script.SessionCommand) (done bool, err error) {
	a, lang := b.app, string(b.app.Loc.Lang())
	var problem error
	switch c.Verb {
	case "quit":
		return true, nil
	case "undo":
		problem = b.s.Undo()
	case "redo":
		problem = b.s.Redo()
	case "reset":
		problem = b.s.Reset()
	case "back":
		b.s.Back(c.N)
		b.look()
		return false, nil
	case "forward":
		b.s.Forward(c.N)
		b.look()
		return false, nil
	case "goto":
		if problem = b.s.Goto(c.N); problem == nil {
			b.look()
			return false, nil
		}
	case "fork":
		step := 0
		if !b.s.AtHead() {
			step = b.s.Cursor()
		}
		if problem = b.s.Fork(c.Name, step); problem == nil {
			a.say("plain.fork.done", locale.Args{"Name": c.Name})
		}
	case "switch":
		if problem = b.s.Switch(c.Name); problem == nil {
			a.say("plain.fork.switched", locale.Args{"Name": c.Name})
		}
	case "compare":
		x, err := b.s.Compare(c.Name)
		if err == nil {
			for _, l := range view.Comparison(a.Loc, x) {
				a.print(a.wrap(l)...)
			}
			return false, nil
		}
		problem = err
	case "goal":
		a.print(a.questions().Goal(b.s.Run().Experiment.Texts[lang], b.s.Run(), a.signs(), false)...)
		return false, nil
	case "hint":
		b.hint(lang)
		return false, nil
	case "solution":
		b.solution(lang)
		return false, nil
	case "token":
		text, err := b.s.Token(b.course).Encode()
		if err == nil {
			a.print(text)
			return false, nil
		}
		problem = err
	case "save":
		problem = b.saveTo(c.Name)
	case "help":
		a.print(narrate.Help(a.Loc, c.Name, a.width())...)
		return false, nil
	}
	if problem != nil {
		a.problem(problem)
		return false, nil
	}
	switch c.Verb {
	case "undo", "redo", "reset":
		a.say("plain.sim."+c.Verb, nil)
		fallthrough
	case "switch", "fork":
		b.list()
		b.save()
		b.checkGoal()
	}
	return false, nil
}

// list prints the commands as they stand.
func (b *bench) list() {
	commands := b.s.Commands()
	if len(commands) == 0 {
		b.app.say("plain.sim.empty", nil)
		return
	}
	for _, c := range commands {
		b.app.print("    " + c)
	}
}

// typedWrong is what is wrong with a typed line. Its place counts where lines
// come from a file; a person sees the one line that was typed.
func (b *bench) typedWrong(err *script.Error) error {
	if b.app.Prompting {
		return err.Problem
	}
	err.File = b.app.text("plain.sim.line", nil)
	return err
}

// look prints the step under the cursor.
func (b *bench) look() {
	a := b.app
	a.say("plain.sim.look", locale.Args{"Step": b.s.Cursor(), "Steps": b.s.Trace().Len(), "Head": b.s.AtHead()})
	a.step(b.s.Trace().Step(b.s.Cursor()))
	r := narrate.RunAt(b.s.Run().World, b.s.Cursor())
	if view.EventTime(r.Trace) {
		a.print(narrate.Picture(a.Loc, r)...)
	}
	a.print(view.Twin(a.Loc, r.Trace, r.Now, a.signs())...)
}

func (b *bench) hint(lang string) {
	a := b.app
	n, text := b.s.Hint(lang)
	if n == 0 {
		a.say("plain.sim.no-hint", nil)
		return
	}
	a.keep(progress.HintShown{Experiment: b.s.Experiment.ID, Hint: n})
	a.print(a.render(a.text("plain.sim.hint", locale.Args{"N": n, "Text": text}))...)
}

// solution shows the reference: after success at once, before it when the
// learner gives up.
func (b *bench) solution(lang string) {
	a := b.app
	lines, note := b.s.Solution(lang)
	if strings.TrimSpace(lines) == "" {
		a.say("plain.sim.no-solution", nil)
		return
	}
	if !b.s.Solved() && !b.said["give-up"] {
		b.said["give-up"] = true
		a.say("plain.sim.give-up", nil)
		return
	}
	a.keep(progress.SolutionShown{Experiment: b.s.Experiment.ID})
	for _, l := range strings.Split(strings.TrimSpace(lines), "\n") {
		a.print("    " + l)
	}
	if note != "" {
		a.print(a.render(note)...)
	}
}

// saveTo writes the transcript to a file that does not exist yet.
func (b *bench) saveTo(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return sim.NewProblem("session.save", "File", name, "Detail", err.Error(), "Cause", err)
	}
	_, err = f.WriteString(strings.Join(b.s.Commands(), "\n") + "\n")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return sim.NewProblem("session.save", "File", name, "Detail", err.Error(), "Cause", err)
	}
	b.app.say("plain.sim.saved", locale.Args{"File": name})
	return nil
}

// answer prints the outcome of a question.
func (a *App) answer(r *session.Run, x *session.Answer) {
	switch x.Kind {
	case "show":
		run := narrate.RunAt(r.World, x.Seq)
		for i, t := range narrate.Show(a.Loc, run, x.Show.View, x.Show.Dump, x.Show.Of) {
			if i > 0 {
				a.print("")
			}
			a.print(t.Lines(a.width())...)
		}
	case "why":
		a.print(narrate.Why(a.Loc, narrate.RunAt(r.World, x.Seq), x.Why, a.width())...)
	case "runbook":
		a.print(narrate.Runbook(a.Loc, narrate.RunAt(r.World, x.Seq), x.Runbook, a.width())...)
	case "budget":
		a.print(narrate.Budget(a.Loc, narrate.RunAt(r.World, x.Seq), x.Budget).Lines(a.width())...)
	default:
		if x.Problem != nil {
			a.problem(&script.Error{File: x.Line.File, Line: x.Line.Number, Column: x.Line.Column, Problem: x.Problem})
			return
		}
		expr := strings.TrimPrefix(x.Line.Text, x.Line.Verb.Name+" ")
		a.print(a.wrap(narrate.Judged(a.Loc, x.Kind, expr, x.Held))...)
	}
}
