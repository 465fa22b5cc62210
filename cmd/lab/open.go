package main

import (
	"strings"

	"github.com/spf13/cobra"

	"streaminglab/internal/tui"
	"streaminglab/sim"
	"streaminglab/sim/script"
)

// openScreen opens the bench in full screen.
func openScreen(env tui.Env, o *opened, seed uint64) (*tui.Model, error) {
	if o.token == nil && o.course {
		return tui.Open(env, o.experiment), nil
	}
	if o.token != nil {
		seed = o.token.Seed
	}
	lines, err := script.Parse("token", strings.Join(o.commands, "\n"), o.experiment.Times())
	if err != nil {
		return nil, err
	}
	return tui.Bench(env, o.experiment, seed, lines, o.course), nil
}

func newOpen(e *env) *cobra.Command {
	var seed uint64
	c := &cobra.Command{
		Use: "open EXPERIMENT|FILE|TOKEN", Args: exactly("EXPERIMENT|FILE|TOKEN"), ValidArgsFunction: experimentArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] == "-" {
				return sim.NewProblem("cli.open-input") // the bench reads its commands there
			}
			o, err := e.openArgument(args[0])
			if err != nil {
				return err
			}
			if e.fullScreen() {
				return e.screen(seed, func(env tui.Env) (*tui.Model, error) { return openScreen(env, o, seed) })
			}
			a, err := e.app(seed)
			if err != nil {
				return err
			}
			if o.token != nil {
				return a.OpenWith(o.experiment, o.token.Seed, o.commands, o.course)
			}
			if !o.course {
				return a.OpenWith(o.experiment, seed, nil, false)
			}
			return a.Open(o.experiment)
		},
	}
	c.Flags().Uint64Var(&seed, "seed", 1, "")
	return c
}
