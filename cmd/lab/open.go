package main

import (
	"github.com/spf13/cobra"

	"streaminglab/sim"
)

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
