package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"streaminglab/internal/plain"
	"streaminglab/internal/scratch"
	"streaminglab/sim"
	"streaminglab/sim/objectstore"
)

func newRun(e *env) *cobra.Command {
	o := plain.RunOptions{}
	var dir string
	c := &cobra.Command{
		Use: "run EXPERIMENT|FILE|TOKEN|-", Args: exactly("EXPERIMENT|FILE|TOKEN|-"), ValidArgsFunction: experimentArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("until") && o.Until < 1 {
				return sim.NewProblem("cli.flag-invalid", "Flag", "--until", "Value", strconv.Itoa(o.Until))
			}
			x, err := e.openArgument(args[0])
			if err != nil {
				return err
			}
			if x.token != nil {
				o.Commands = strings.Join(x.commands, "\n")
				if !cmd.Flags().Changed("seed") {
					o.Seed = x.token.Seed
				}
			}
			a, err := e.app(o.Seed)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("dir") {
				if dir == "" {
					return sim.NewProblem("cli.flag-invalid", "Flag", "--dir", "Value", dir)
				}
				s, err := scratch.Open(dir)
				if err != nil {
					return err
				}
				defer s.Close()
				o.Content = func() objectstore.Content { return s.Content() }
				o.Work = s.Work
			}
			failed, err := a.Run(x.experiment, o)
			if err != nil {
				return err
			}
			if failed {
				return exitError(exitNegative)
			}
			return nil
		},
	}
	f := c.Flags()
	f.Uint64Var(&o.Seed, "seed", 1, "")
	f.BoolVar(&o.JSON, "json", false, "")
	f.BoolVar(&o.Goal, "goal", false, "")
	f.IntVar(&o.Until, "until", 0, "")
	f.StringArrayVar(&o.Members, "with", nil, "")
	f.StringVar(&dir, "dir", "", "")
	return c
}
