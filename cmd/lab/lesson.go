package main

import (
	"github.com/spf13/cobra"

	"streaminglab/internal/tui"
	"streaminglab/lessons"
	"streaminglab/sim"
	"streaminglab/sim/world"
)

func newLesson(e *env) *cobra.Command {
	var restart bool
	var seed uint64
	c := &cobra.Command{
		Use: "lesson [ID]", Args: atMost(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return lessonIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			a, err := e.app(seed)
			if err != nil {
				return err
			}
			id := ""
			if len(args) > 0 {
				id = args[0]
			} else if id = a.LastLesson(); id == "" {
				return a.Home()
			}
			l := a.Course.Lesson(id)
			if l == nil {
				return sim.NewProblem("cli.unknown-lesson", "ID", id, "Nearest", world.Nearest(id, lessonIDs()))
			}
			if e.fullScreen() {
				if restart {
					a.Rewind(l)
				}
				return e.screen(seed, func(env tui.Env) (*tui.Model, error) { return tui.Lesson(env, env.Course.Lesson(id)), nil })
			}
			return a.Lesson(l, restart)
		},
	}
	c.Flags().BoolVar(&restart, "restart", false, "")
	c.Flags().Uint64Var(&seed, "seed", 1, "")
	return c
}

func lessonIDs() []string {
	course, err := lessons.Load(lessons.Embedded())
	if err != nil {
		return nil
	}
	var out []string
	for _, l := range course.Lessons() {
		out = append(out, l.ID)
	}
	return out
}
