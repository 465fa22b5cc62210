package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/internal/progress"
	"streaminglab/internal/view"
	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// The views of the bench, in the order in which v shows those that have
// something to show.
const (
	viewAuto = iota // the first one, until the learner has chosen
	viewLanes
	viewPlane
	viewMatrix
	viewTimeline
	viewLevels
	viewStore
	viewBarriers
	viewRecovery
	viewLog
	viewTransactions
	viewPhases
	viewLatency
	viewTable
	viewSteps
)

// viewNames are what the views are called in the catalogues.
var viewNames = map[int]string{
	viewLanes: "lanes", viewPlane: "plane", viewMatrix: "matrix", viewTimeline: "timeline", viewLevels: "levels",
	viewStore: "store", viewBarriers: "barriers", viewRecovery: "recovery",
	viewLog: "log", viewTransactions: "transactions", viewPhases: "phases", viewLatency: "latency", viewTable: "table", viewSteps: "steps",
}

// playEvery is how long a step stays while playing.
const playEvery = 250 * time.Millisecond

type tick struct{}

// bench is an experiment with its pictures, its steps and its command line.
// Selection is one thing: the cursor of the session, which picture, table and
// list show alike.
type bench struct {
	original *session.Experiment
	lesson   string
	course   bool
	s        *session.Session
	seed     uint64

	view    int
	line    *input
	onLine  bool
	said    []said   // what a question or an error answered
	panel   []string // said, in the present language, for lines of panelOf cells
	panelOf int
	scroll  int
	mark    int // column of an error in the last line, 0: none
	typed   string
	playing bool
	reached bool
	once    bool      // the goal was reached before
	goalAt  int       // the step at which it was, and that step, of a list that
	goalOf  *sim.Step // may have been run anew since
	cut     bool      // the goal has no room above the picture
	gaveUp  bool
	ended   bool // the predictions were answered
	refused bool // the last line was not carried out
	pending *session.NeedsFork
	stop    atomic.Bool // the learner interrupts the command that runs
	rest    []string    // pasted lines that wait for it
	saved   string

	span    *view.Span // the part of event time that is drawn; nil: all
	answers []said
	scene   *view.Scene
	sceneOf [2]*sim.Step
	pick    int // the row of the picture that was chosen by hand, from 1; 0: none
	pickOf  *sim.Step
	log     string // the partition whose log is looked at
	logPick bool   // the learner chose it

	snapshots   *view.Snapshots
	snapshotsOf [2]*sim.Step
	barriers    *view.Barriers
	barriersOf  [2]*sim.Step
	recovery    *view.Recovery
	recoveryOf  [2]*sim.Step
	broker      *view.Broker
	brokerOf    [2]*sim.Step
	phases      *view.Phases
	phasesOf    [2]*sim.Step
	latency     *view.Latency
	latencyOf   [2]*sim.Step
	offered     []int
	offeredOf   *sim.Step
	tables      []string // of the table view
}

// newBench opens an experiment where the learner left it.
func newBench(m *Model, e *session.Experiment, lesson string) *bench {
	b := &bench{original: e, lesson: lesson, course: true, seed: m.env.Seed, line: newInput("lab> ", 1), onLine: true}
	var lines []*script.Line
	if old := m.progress().Experiments[e.ID]; old != nil && old.LastRun.Version == e.Version && len(old.LastRun.Commands) > 0 {
		if kept, err := script.Parse(e.ID, strings.Join(old.LastRun.Commands, "\n"), e.Times()); err == nil {
			lines, b.seed = kept, old.LastRun.Seed
		}
	}
	b.open(m, lines)
	return b
}

// Open opens the course on an experiment of it.
func Open(env Env, e *session.Experiment) *Model {
	m := New(env)
	m.push(newBench(m, e, ""))
	return m
}

// Bench opens the course on an experiment with commands that were typed
// before (a token).
func Bench(env Env, e *session.Experiment, seed uint64, lines []*script.Line, course bool) *Model {
	m := New(env)
	b := &bench{original: e, course: course, seed: seed, line: newInput("lab> ", 1), onLine: true}
	b.open(m, lines)
	m.push(b)
	return m
}

func (b *bench) open(m *Model, lines []*script.Line) {
	for view, name := range viewNames {
		if name == b.original.View {
			b.view = view
		}
	}
	s, err := session.Open(b.original, b.seed, lines, session.Observer{})
	if err != nil && len(lines) > 0 {
		m.notice = m.text("plain.sim.outdated", nil)
		s, err = session.Open(b.original, b.seed, nil, session.Observer{})
	}
	if err != nil {
		b.show(b.problem(m, err))
		return
	}
	b.s = s
	s.Interruptible(b.stop.Load)
	s.Observe(session.Observer{Question: func(r *session.Run, a *session.Answer) { b.answer(m, r, a) }})
	b.line.focus()
	if old := m.progress().Experiments[b.original.ID]; b.course && old != nil {
		b.once = old.Reached
	}
	b.checkGoal(m)
}

func (b *bench) loc(m *Model) *locale.Localizer { return m.env.Loc.WithDay(b.original.Day) }

// relocate says everything again in the language that m has now.
func (b *bench) relocate(*Model) {
	b.scene, b.snapshots, b.barriers, b.recovery, b.broker, b.phases, b.latency, b.panel = nil, nil, nil, nil, nil, nil, nil, nil
}

func (b *bench) texts(m *Model) session.Texts {
	lang := string(m.env.Loc.Lang())
	if b.s == nil {
		return b.original.Texts[lang]
	}
	return b.s.Run().Experiment.Texts[lang]
}

func (b *bench) title(m *Model) (string, string) {
	name := b.texts(m).Title
	if name == "" {
		name = b.original.ID
	}
	if b.s == nil {
		return name, ""
	}
	// Time goes on behind the last step where nothing happens.
	t := b.s.Run().World.Now()
	if st := b.s.Trace().Step(b.s.Cursor()); st != nil && !b.s.AtHead() {
		t = st.T
	}
	at := b.loc(m).Text("tui.bench.step", locale.Args{"Step": b.s.Cursor(), "Steps": b.s.Trace().Len(), "T": t})
	// The name of the picture gives way to that of the experiment, unless the
	// pictures are what is being looked at.
	named := m.text("tui.view."+viewNames[b.shown()], nil) + m.clean(" · ") + at
	if !b.onLine && m.w >= 60 || lipgloss.Width(name)+lipgloss.Width(named)+3 <= m.w {
		at = named
	}
	return name, at
}

func (b *bench) hints(m *Model) []hint {
	if b.onLine {
		return []hint{{"↵", "tui.key.run"}, {"Tab", "tui.key.complete"}, {"↑↓", "tui.key.history"}, {"F2", "tui.key.hint"}, {"Esc", "tui.key.picture"}, {"F1", "tui.key.help"}}
	}
	h := []hint{{"←→", "tui.key.step"}}
	if !m.env.NoMotion {
		h = append(h, hint{"p", "tui.key.play"})
	}
	h = append(h, hint{"v", "tui.key.view"})
	if b.s != nil {
		switch b.shown() {
		case viewMatrix, viewStore, viewLog, viewTransactions, viewPhases:
			h = append(h, hint{"↑↓", "tui.key.choose"})
		}
		if b.spans() {
			h = append(h, hint{"+-", "tui.key.zoom"})
			if b.span != nil {
				h = append(h, hint{"<>", "tui.key.shift"})
			}
		}
	}
	h = append(h, hint{"w", "tui.key.why"})
	if b.s != nil && !b.s.AtHead() {
		h = append(h, hint{"f", "tui.key.fork"})
	}
	if b.s != nil && len(b.s.Forks()) > 1 {
		h = append(h, hint{"c", "tui.key.compare"})
	}
	return append(h, hint{"j", "tui.key.job"}, hint{"e", "tui.key.edit"}, hint{"↵ :", "tui.key.line"}, hint{"L", "tui.key.language"}, hint{"?", "tui.key.help"}, hint{"q", "tui.key.back"})
}

func (b *bench) update(m *Model, msg tea.Msg) (tea.Cmd, bool) {
	switch x := msg.(type) {
	case tick:
		return b.play(m), false
	case Edited:
		if b.s != nil {
			b.edited(m, x)
		}
	case tea.PasteMsg:
		if b.onLine {
			return b.paste(m, x.Content)
		}
	case tea.MouseWheelMsg:
		b.wheel(x)
	case tea.KeyPressMsg:
		if b.s == nil {
			return nil, true
		}
		if x.String() == "f2" {
			b.session(m, script.SessionCommand{Verb: "hint"})
			return nil, false
		}
		if b.onLine {
			return b.lineKey(m, x)
		}
		return b.pictureKey(m, x)
	}
	return nil, false
}

func (b *bench) lineKey(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "esc":
		b.onLine = false
		b.line.blur()
	case "enter":
		text := b.line.enter()
		if text == "" {
			b.quiet()
			return nil, false
		}
		return nil, b.enter(m, text)
	case "tab":
		b.mark = 0
		b.complete()
	case "up":
		b.mark = 0
		b.line.older()
	case "down":
		b.mark = 0
		b.line.newer()
	case "pgup":
		b.scroll -= 5
	case "pgdown":
		b.scroll += 5
	default:
		before := b.line.value()
		cmd := b.line.update(k)
		if b.line.value() != before {
			// What was marked is being written anew.
			b.mark = 0
		}
		return cmd, false
	}
	return nil, false
}

// paste types what was pasted: each line that ends is carried out, the rest
// stays to be gone on with. What is refused stops it, and how much is left is
// said.
func (b *bench) paste(m *Model, text string) (tea.Cmd, bool) {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	var news []said
	for i, l := range lines {
		b.mark = 0
		b.line.update(tea.PasteMsg{Content: l})
		if i == len(lines)-1 {
			break
		}
		typed := b.line.enter()
		if typed == "" {
			continue
		}
		reached := b.reached
		if b.enter(m, typed) {
			return nil, true
		}
		if b.reached && !reached {
			news = b.said
		}
		if m.task != nil {
			b.rest = lines[i+1:]
			return nil, false
		}
		if b.unpasted(m, lines[i+1:]) {
			break
		}
	}
	if len(b.said) == 0 {
		// That the goal was reached is not lost under what came behind.
		b.show(news...)
	}
	return nil, false
}

// unpasted says how many pasted lines are left behind one that was refused or
// that asks something.
func (b *bench) unpasted(m *Model, rest []string) bool {
	if !b.refused && b.pending == nil || strings.TrimSpace(strings.Join(rest, "")) == "" {
		return false
	}
	b.also(m.says("tui.bench.pasted", locale.Args{"Lines": len(rest)}))
	return true
}

func (b *bench) pictureKey(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch key(k) {
	case "enter", ":":
		b.onLine = true
		b.line.focus()
	case "left", "[":
		b.quiet()
		b.s.Back(1)
	case "right", "]":
		b.quiet()
		b.s.Forward(1)
	case "home":
		b.s.Goto(1)
	case "end":
		b.s.Forward(1 << 30)
	case "up":
		b.choose(-1)
	case "down":
		b.choose(1)
	case "pgup":
		b.choose(-5)
	case "pgdown":
		b.choose(5)
	case "p":
		if m.env.NoMotion {
			b.s.Forward(1)
			return nil, false
		}
		b.playing = !b.playing
		if b.playing {
			if b.s.AtHead() {
				b.s.Goto(1)
			}
			return next(), false
		}
	case "+", "=":
		b.zoom(2)
	case "-":
		b.zoom(0.5)
	case "<", ",":
		b.shift(-0.25)
	case ">", ".":
		b.shift(0.25)
	case "v":
		b.next()
		b.quiet()
	case "w":
		run, step := b.run(), b.s.Cursor()
		b.show(func(w int) []string { return narrate.Why(b.loc(m), run, step, w) })
	case "f":
		step := b.s.Cursor()
		if b.s.AtHead() {
			step = 0
		}
		b.fork(m, b.s.FreeName(), step)
	case "c":
		if forks := b.s.Forks(); len(forks) > 1 {
			b.session(m, script.SessionCommand{Verb: "compare", Name: forks[1]})
		}
	case "j":
		e := b.s.Run().Experiment
		b.show(func(int) []string { return view.JobFiles(b.loc(m), e) })
	case "e":
		return b.edit(m), false
	case "h":
		b.session(m, script.SessionCommand{Verb: "hint"})
	case "L":
		m.switchLanguage()
	case "?":
		m.push(newHelp(m))
	case "esc":
		b.quiet()
		b.pick = 0
	case "q":
		return nil, b.leave(m)
	}
	return nil, false
}

// leave keeps the transcript and answers the predictions, because the list has
// ended. Where there are any, they are read first: to leave is asked again.
func (b *bench) leave(m *Model) bool {
	b.save(m)
	if b.ended {
		return true
	}
	b.answers = nil
	b.s.Run().Finish()
	if len(b.answers) == 0 {
		return true
	}
	b.ended = true
	b.show(append(b.answers, m.says("tui.bench.again", nil))...)
	return false
}

// wheel scrolls what is written; with the focus on the picture and nothing
// written, it walks the list of steps. On the line it does not: where the next
// command would be typed is not a thing of the mouse.
func (b *bench) wheel(x tea.MouseWheelMsg) {
	switch by := wheel(x); {
	case b.s == nil:
	case len(b.said) > 0 || b.onLine || b.shown() == viewTable:
		b.scroll += by
	case by < 0:
		b.s.Back(1)
	case by > 0:
		b.s.Forward(1)
	}
}

func next() tea.Cmd { return tea.Tick(playEvery, func(time.Time) tea.Msg { return tick{} }) }

// play moves the cursor one step on. At the head the playing ends, and with it
// the ticks.
func (b *bench) play(*Model) tea.Cmd {
	if !b.playing || b.s == nil {
		return nil
	}
	b.s.Forward(1)
	if b.s.AtHead() {
		b.playing = false
		return nil
	}
	return next()
}

// enter carries out what was typed; done says that the learner leaves.
func (b *bench) enter(m *Model, text string) (done bool) {
	b.quiet()
	b.scroll, b.mark, b.typed, b.refused = 0, 0, text, false
	if b.pending != nil {
		b.answerFork(m, text)
		return false
	}
	// Who is on the line already may still type the key that leads there.
	text = strings.TrimPrefix(text, ":")
	l, perr := script.ParseLine(m.text("plain.sim.line", nil), len(b.s.Commands())+1, text, b.original.Times())
	if perr != nil {
		b.mark, b.refused = perr.Column, true
		b.show(b.problem(m, perr.Problem))
		b.line.keep(text)
		return false
	}
	if l == nil {
		return false
	}
	if c, ok := l.Command.(script.SessionCommand); ok {
		return b.session(m, c)
	}
	b.do(m, l)
	return false
}

func (b *bench) do(m *Model, l *script.Line) {
	b.answers, b.ended = nil, false
	do, done := func() error { return b.s.Do(l) }, func(err error) { b.did(m, l, err) }
	if l.Verb.Class != script.World {
		done(do()) // what is asked is answered at once
		return
	}
	m.work(&b.stop, do, func(err error) {
		done(err)
		if rest := b.rest; rest != nil {
			b.rest = nil
			if !b.unpasted(m, rest) && !b.refused && b.pending == nil {
				b.paste(m, strings.Join(rest, "\n"))
			}
		}
	})
}

// did says what became of a line that was carried out.
func (b *bench) did(m *Model, l *script.Line, err error) {
	var fork *session.NeedsFork
	switch {
	case errors.As(err, &fork):
		b.pending = fork
		b.show(b.forkQuestion(m, fork))
		return
	case err != nil:
		b.refused = true
		var at *script.Error
		if _, set := l.Command.(script.Set); set && errors.As(err, &at) && at.File == l.File && at.Line == l.Number {
			// A path or value with a slip is mended, not typed again.
			b.mark = at.Column
			b.line.keep(b.typed)
		}
		b.show(b.problem(m, bare(err, l)))
		return
	}
	if l.Verb.Class == script.World && !b.logPick {
		// What has happened decides which log comes into sight.
		b.log = ""
	}
	switch l.Command.(type) {
	case script.Predict:
		b.answers = append(b.answers, m.says("plain.sim.predicted", nil))
	case script.Set, script.Seed:
		b.answers = append(b.answers, m.says("tui.bench.anew", nil))
	}
	if text := view.Nowhere(m.env.Loc, b.s.Run().World, l); text != "" {
		b.answers = append(b.answers, func(int) []string { return []string{view.Nowhere(m.env.Loc, b.s.Run().World, l)} })
	}
	b.printed(m, l)
	if len(b.answers) > 0 {
		b.show(b.answers...)
	}
	b.save(m)
	b.checkGoal(m)
}

// printed answers with what a tool has printed at a command: the list of steps
// cuts it.
func (b *bench) printed(m *Model, l *script.Line) {
	if l == nil || l.Verb.Class != script.World {
		return
	}
	steps := b.s.Trace().Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		switch steps[i].Body.(type) {
		case sim.CommandGiven:
			return
		case sim.ToolReported:
			run := narrate.RunAt(b.s.Run().World, steps[i].Seq)
			b.answers = append(b.answers, func(w int) (lines []string) {
				for _, t := range narrate.Show(b.loc(m), run, "tool", false) {
					lines = append(lines, t.Lines(w)...)
				}
				return lines
			})
			return
		}
	}
}

// bare is an error without its place where that is the line that was just typed:
// there is no other line to look for.
func bare(err error, l *script.Line) error {
	var at *script.Error
	if l != nil && errors.As(err, &at) && at.File == l.File && at.Line == l.Number {
		return at.Problem
	}
	return err
}

func (b *bench) answerFork(m *Model, text string) {
	f := b.pending
	b.pending = nil
	if !view.Yes(text) {
		b.show(m.says("plain.fork.not", nil))
		return
	}
	b.answers = nil
	// The list is played again, which may last.
	name := b.s.FreeName()
	m.work(&b.stop, func() error { return b.s.ForkFor(name, f) }, func(err error) {
		if err != nil {
			b.show(b.problem(m, bare(err, f.Line)))
			return
		}
		if f.Step == 0 {
			b.answers = append(b.answers, m.says("tui.bench.anew", nil))
		}
		if f.Left != nil {
			b.answers = append(b.answers, func(int) []string { return []string{view.Left(b.loc(m), f.Left, name)} })
		}
		b.printed(m, f.Line)
		if len(b.answers) > 0 {
			b.show(b.answers...)
		}
		b.save(m)
		b.checkGoal(m)
	})
}

func (b *bench) fork(m *Model, name string, step int) bool {
	if err := b.s.Fork(name, step); err != nil {
		b.show(b.problem(m, err))
		return false
	}
	b.show(m.says("plain.fork.done", locale.Args{"Name": name}))
	b.save(m)
	return true
}

// said is a text that can be said again, in another language and for another
// width. A line that is wider is broken when it is drawn.
type said func(w int) []string

// says is a message as something said.
func (m *Model) says(id string, args locale.Args) said {
	return func(int) []string { return []string{m.text(id, args)} }
}

func (b *bench) problem(m *Model, err error) said {
	return func(int) []string { return strings.Split(narrate.Problem(b.loc(m), err), "\n") }
}

func (b *bench) forkQuestion(m *Model, f *session.NeedsFork) said {
	name := b.s.FreeName()
	return func(int) []string {
		return []string{view.ForkQuestion(m.env.Loc, f, name), m.text("plain.yes-no", nil)}
	}
}

// show puts texts into the panel.
func (b *bench) show(texts ...said) {
	b.said, b.panel, b.scroll = slices.Clone(texts), nil, 0
}

// also puts a text below those of the panel.
func (b *bench) also(text said) { b.said, b.panel = append(b.said, text), nil }

// written is the panel in lines of w cells.
func (b *bench) written(m *Model, w int) []string {
	if b.panel == nil || b.panelOf != w {
		b.panel, b.panelOf = nil, w
		for _, s := range b.said {
			b.panel = append(b.panel, m.coded(relay(s(w), w))...)
		}
	}
	return b.panel
}

func (b *bench) quiet() { b.said, b.panel = nil, nil }

// run is what narrate looks at: the prefix up to the cursor.
func (b *bench) run() narrate.Run { return narrate.RunAt(b.s.Run().World, b.s.Cursor()) }

func (b *bench) checkGoal(m *Model) {
	ok, is, err := b.s.Run().Goal()
	if err != nil || !is {
		return
	}
	// A goal that comes and goes is announced the first time.
	before := b.once && b.goalOf != nil && b.goalOf == b.s.Trace().Step(b.goalAt)
	if ok && !b.reached && !before {
		b.also(func(w int) []string {
			lines := []string{m.text("plain.sim.reached", nil) + " " + m.text("tui.bench.go-on", nil)}
			if _, note := b.s.Solution(string(m.env.Loc.Lang())); note != "" {
				lines = append(lines, m.questions(w).Render(note)...)
			}
			return lines
		})
	}
	if ok && (!b.reached || b.goalOf != b.s.Trace().Step(b.goalAt)) {
		b.goalAt, b.goalOf = b.s.Trace().Len(), b.at()[0]
	}
	b.reached, b.once = ok, b.once || ok
}

// save keeps the transcript.
func (b *bench) save(m *Model) {
	if !b.course || b.s == nil {
		return
	}
	reached, _, _ := b.s.Run().Goal()
	run := progress.ExperimentRun{
		Lesson: b.lesson, Experiment: b.original.ID, Version: b.original.Version, Seed: b.s.Seed,
		Commands: b.s.Commands(), Reached: reached, TraceHash: b.s.Trace().Hash(), Engine: session.EngineVersion,
	}
	if k := fmt.Sprint(run); k != b.saved && (len(run.Commands) > 0 || reached) {
		b.saved = k
		m.keep(run)
	}
}
