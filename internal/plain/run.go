package plain

import (
	"bufio"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/sim"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// RunOptions are those of lab run.
type RunOptions struct {
	Seed  uint64
	JSON  bool
	Goal  bool
	Until int
	// Members are scripts of the experiment to run behind its own.
	Members []string
	// Commands come behind them (a token).
	Commands string
	// Content keeps what the simulated job writes; nil: in memory.
	Content func() objectstore.Content
	// Work returns a directory for the files of a state backend; nil: in memory.
	Work func(purpose string) (dir string, err error)
}

// Run carries an experiment out to the end of its script and prints it, one
// line a step. failed says that an expectation, a prediction or the goal did
// not hold.
func (a *App) Run(e *session.Experiment, o RunOptions) (failed bool, err error) {
	out := bufio.NewWriter(a.Out)
	defer out.Flush()
	w := *a
	w.Out = out
	w.Loc = a.Loc.WithDay(e.Day)
	observer := session.Observer{
		Steps: func(steps []*sim.Step) {
			var buf []byte
			for _, s := range steps {
				if o.JSON {
					buf = append(sim.AppendStep(buf[:0], s), '\n')
					out.Write(buf)
					continue
				}
				w.print(narrate.Line(w.Loc, s))
			}
		},
		Question: func(r *session.Run, x *session.Answer) {
			if o.JSON {
				out.WriteString(answerJSON(r, x) + "\n")
				return
			}
			w.answer(r, x)
		},
	}
	r, err := session.Batch(e, func(t script.Times) ([]*script.Line, error) {
		inst, _, err := e.Instance(o.Seed)
		if err != nil {
			return nil, err
		}
		var all []*script.Line
		for _, m := range o.Members {
			text, ok := inst.Members[m]
			if !ok {
				return nil, sim.NewProblem("session.unknown-member", "Name", m, "Known", known(inst.Members))
			}
			lines, err := script.Parse(m, text, t)
			if err != nil {
				return nil, err
			}
			all = append(all, lines...)
		}
		lines, err := script.Parse("script", o.Commands, t)
		return append(all, lines...), err
	}, session.Options{Seed: o.Seed, Until: o.Until, Observer: observer, Content: o.Content, Work: o.Work})
	if err != nil {
		return false, err
	}
	failed = r.Failed > 0
	if reached, is, gerr := r.Goal(); is || o.Goal {
		if gerr != nil {
			return failed, gerr
		}
		if !o.JSON {
			id := "plain.run.goal-reached"
			if !reached {
				id = "plain.run.goal-open"
			}
			if is {
				w.say(id, nil)
			} else {
				w.say("plain.run.no-goal", locale.Args{"ID": e.ID})
			}
		}
		failed = failed || o.Goal && !reached
	}
	return failed, nil
}

func known(members map[string]string) string {
	out := ""
	for _, n := range sortedKeys(members) {
		if out != "" {
			out += ", "
		}
		out += n
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}
