package tui

import (
	"os"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/internal/progress"
	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// session carries out a session verb; done says that the learner leaves.
func (b *bench) session(m *Model, c script.SessionCommand) (done bool) {
	var problem error
	switch c.Verb {
	case "quit":
		return b.leave(m)
	case "undo":
		problem = b.s.Undo()
	case "redo":
		problem = b.s.Redo()
	case "reset":
		problem = b.s.Reset()
	case "back":
		b.s.Back(c.N)
	case "forward":
		b.s.Forward(c.N)
	case "goto":
		problem = b.s.Goto(c.N)
	case "fork":
		step := 0
		if !b.s.AtHead() {
			step = b.s.Cursor()
		}
		b.fork(m, c.Name, step)
		return false
	case "switch":
		problem = b.s.Switch(c.Name)
	case "compare":
		x, err := b.s.Compare(c.Name)
		if err == nil {
			b.quiet()
			m.push(newCompare(b, m, x))
			return false
		}
		problem = err
	case "goal":
		b.show(func(w int) []string {
			return m.questions(w).Goal(b.texts(m), b.s.Run(), m.signs, !b.cut)
		})
		return false
	case "hint":
		n, _ := b.s.Hint(string(m.env.Loc.Lang()))
		if n == 0 {
			b.show(m.says("plain.sim.no-hint", nil))
			return false
		}
		m.keep(progress.HintShown{Experiment: b.original.ID, Hint: n})
		b.show(func(w int) []string {
			return m.questions(w).Render(m.text("plain.sim.hint", locale.Args{"N": n, "Text": b.texts(m).Hints[n-1]}))
		})
		return false
	case "solution":
		b.solution(m)
		return false
	case "token":
		text, err := b.s.Token(b.course).Encode()
		if err == nil {
			b.show(func(int) []string { return []string{text} })
			return false
		}
		problem = err
	case "save":
		err := os.WriteFile(c.Name, []byte(strings.Join(b.s.Commands(), "\n")+"\n"), 0o644)
		if err == nil {
			b.show(m.says("plain.sim.saved", locale.Args{"File": c.Name}))
			return false
		}
		problem = sim.NewProblem("session.save", "File", c.Name, "Detail", err.Error(), "Cause", err)
	case "help":
		b.show(func(w int) []string { return narrate.Help(m.env.Loc, c.Name, w) })
		return false
	}
	if problem != nil {
		b.refused = true
		b.show(b.problem(m, problem))
		return false
	}
	switch c.Verb {
	case "undo", "redo", "reset", "switch":
		b.save(m)
		b.checkGoal(m)
	}
	return false
}

func (b *bench) solution(m *Model) {
	lines, _ := b.s.Solution(string(m.env.Loc.Lang()))
	switch {
	case strings.TrimSpace(lines) == "":
		b.show(m.says("plain.sim.no-solution", nil))
		return
	case !b.s.Solved() && !b.gaveUp:
		b.gaveUp = true
		b.show(m.says("plain.sim.give-up", nil))
		return
	}
	m.keep(progress.SolutionShown{Experiment: b.original.ID})
	b.show(func(w int) []string {
		out := indent(strings.Split(strings.TrimSpace(lines), "\n"), "  ")
		if _, note := b.s.Solution(string(m.env.Loc.Lang())); note != "" {
			out = append(append(out, ""), m.questions(w).Render(note)...)
		}
		return out
	})
}

// answer keeps what a question answered.
func (b *bench) answer(m *Model, r *session.Run, a *session.Answer) {
	run := narrate.RunAt(r.World, a.Seq)
	var text said
	switch {
	case a.Kind == "show":
		text = func(w int) (lines []string) {
			for _, t := range narrate.Show(b.loc(m), run, a.Show.View, a.Show.Dump, a.Show.Of) {
				lines = append(lines, t.Lines(w)...)
			}
			return lines
		}
	case a.Kind == "why":
		text = func(w int) []string { return narrate.Why(b.loc(m), run, a.Why, w) }
	case a.Kind == "runbook":
		text = func(w int) []string { return narrate.Runbook(b.loc(m), run, a.Runbook, w) }
	case a.Kind == "budget":
		text = func(w int) []string { return narrate.Budget(b.loc(m), run, a.Budget).Lines(w) }
	case a.Problem != nil:
		text = b.problem(m, a.Problem)
	default:
		text = func(int) []string {
			return []string{narrate.Judged(b.loc(m), a.Kind, strings.TrimPrefix(a.Line.Text, a.Line.Verb.Name+" "), a.Held)}
		}
	}
	b.answers = append(b.answers, text)
}

// complete extends the last word as far as the registry of verbs allows.
func (b *bench) complete() {
	text := b.line.value()
	w := b.s.Run().World
	known := script.Known{Sources: w.SourceNames(), Splits: w.SplitNames(), Operators: w.OperatorNames(), TaskManagers: w.TaskManagers(), Brokers: w.BrokerNames(), Objects: w.ObjectNames(), Forks: b.s.Forks()[1:],
		Producers: w.ProducerNames(), Consumers: w.ConsumerNames(), Topics: w.TopicNames(), Partitions: w.PartitionNames(), TransactionalIDs: w.TransactionalIDs()}
	known.Jobs = w.BesideNames()
	sources, splits, operators := w.NamesBeside()
	known.Sources, known.Splits, known.Operators = append(known.Sources, sources...), append(known.Splits, splits...), append(known.Operators, operators...)
	for n := range b.s.Run().Experiment.Files {
		known.Files = append(known.Files, n)
	}
	if j := w.Job(); j != nil {
		for _, c := range j.Completed() {
			known.Snapshots = append(known.Snapshots, c.Label())
		}
	}
	known.Paths, known.Words = b.s.SetPaths()
	offer := script.Complete(text, known)
	if len(offer) == 0 {
		return
	}
	last := text[strings.LastIndexByte(text, ' ')+1:]
	common := offer[0]
	for _, o := range offer[1:] {
		for !strings.HasPrefix(o, common) {
			common = common[:len(common)-1]
		}
	}
	if len(offer) == 1 && !strings.HasSuffix(common, "=") {
		common += " "
	}
	if common != last && strings.HasPrefix(common, last) {
		b.line.set(text[:len(text)-len(last)] + common)
		return
	}
	b.show(func(int) []string { return []string{strings.Join(offer, "  ")} })
}
