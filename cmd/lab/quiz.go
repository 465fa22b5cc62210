package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"streaminglab/internal/plain"
	"streaminglab/internal/tui"
	"streaminglab/quiz"
	"streaminglab/sim"
	"streaminglab/sim/world"
)

func newQuiz(e *env) *cobra.Command {
	o := plain.QuizOptions{Pass: -1, Mode: quiz.Practice}
	var seed uint64
	var graded bool
	var id, name string
	c := &cobra.Command{
		Use: "quiz [ID]", Args: atMost(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return quizIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("pass") && (o.Pass < 0 || o.Pass > 100) {
				return sim.NewProblem("cli.flag-invalid", "Flag", "--pass", "Value", strconv.Itoa(o.Pass))
			}
			a, err := e.app(seed)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				a.Quizzes()
				return nil
			}
			s := a.Library.Set(args[0])
			if s == nil {
				return sim.NewProblem("cli.unknown-quiz", "ID", args[0], "Nearest", world.Nearest(args[0], quizIDs()))
			}
			if graded {
				o.Mode = quiz.Graded
			}
			if o.Learner, err = quiz.NewLearner(id, name); err != nil {
				return err
			}
			if e.fullScreen() && !graded && o.Answers == "" && o.Pass < 0 && !o.Restart {
				return e.screen(seed, func(env tui.Env) (*tui.Model, error) { return tui.Quiz(env, env.Library.Set(s.ID)), nil })
			}
			passed, err := a.Quiz(s, o)
			if err != nil {
				return err
			}
			if !passed {
				return exitError(exitNegative)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&o.Answers, "answers", "", "")
	f.IntVar(&o.Pass, "pass", -1, "")
	f.BoolVar(&o.Restart, "restart", false, "")
	f.BoolVar(&graded, "graded", false, "")
	f.StringVar(&id, "learner", "", "")
	f.StringVar(&name, "name", "", "")
	f.Uint64Var(&seed, "seed", 1, "")
	return c
}

func quizIDs() []string {
	library, err := quiz.Load(quiz.Embedded())
	if err != nil {
		return nil
	}
	var out []string
	for _, s := range library.Sets() {
		out = append(out, s.ID)
	}
	return out
}
