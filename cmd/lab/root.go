package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"streaminglab/internal/narrate"
	"streaminglab/internal/tui"
	"streaminglab/sim"
	"streaminglab/sim/world"
)

// commandNames are the commands in the order in which they are listed.
var commandNames = []string{"lesson", "open", "run", "quiz", "grade", "conform", "check", "progress", "doctor", "version", "help", "completion"}

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use: "lab", SilenceErrors: true, SilenceUsage: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return sim.NewProblem("cli.unknown-command", "Command", args[0], "Nearest", world.Nearest(args[0], commandNames))
			}
			return nil
		},
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if err := e.checkLanguage(); err != nil {
				return err
			}
			return e.checkTheme()
		},
		RunE: func(*cobra.Command, []string) error {
			if e.fullScreen() {
				return e.screen(1, func(env tui.Env) (*tui.Model, error) { return tui.New(env), nil })
			}
			a, err := e.app(1)
			if err != nil {
				return err
			}
			return a.Enter()
		},
	}
	f := root.PersistentFlags()
	f.StringVar(&e.lang, "lang", "", "")
	f.BoolVar(&e.plain, "plain", false, "")
	f.BoolVar(&e.ascii, "ascii", false, "")
	f.BoolVar(&e.noMotion, "no-motion", truthy("LAB_REDUCED_MOTION"), "")
	f.BoolVar(&e.noMouse, "no-mouse", false, "")
	f.StringVar(&e.theme, "theme", "", "")
	f.StringVar(&e.home, "home", "", "")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return flagError(root, err)
	})
	root.AddCommand(
		newLesson(e), newOpen(e), newRun(e), newQuiz(e), newGrade(e), newConform(e), newCheck(e),
		newProgress(e), newDoctor(e), newVersion(e), newCompletion(e),
	)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelp(e))
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		// Flags are parsed by now: --lang counts for the help too.
		if err := e.checkLanguage(); err != nil {
			e.err.say(narrate.Problem(e.localizer(), err))
		}
		e.printHelp(c.Name())
	})
	root.SetOut(e.out)
	root.SetErr(e.err)
	return root
}

// flagError words what is wrong with a flag.
func flagError(root *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if len(name) == 1 {
			return sim.NewProblem("cli.unknown-flag", "Flag", "-"+name, "Nearest", "")
		}
		var known []string
		seen := func(f *pflag.Flag) { known = append(known, f.Name) }
		root.PersistentFlags().VisitAll(seen)
		for _, c := range root.Commands() {
			c.Flags().VisitAll(seen)
		}
		slices.Sort(known)
		return sim.NewProblem("cli.unknown-flag", "Flag", "--"+name, "Nearest", world.Nearest(name, known))
	case errors.As(err, &missing):
		return sim.NewProblem("cli.flag-value", "Flag", "--"+missing.GetFlag().Name)
	case errors.As(err, &invalid):
		return sim.NewProblem("cli.flag-invalid", "Flag", "--"+invalid.GetFlag().Name, "Value", invalid.GetValue())
	}
	return sim.NewProblem("cli.flag", "Detail", err.Error())
}

// exactly demands arguments by name.
func exactly(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return sim.NewProblem("cli.missing-argument", "Argument", names[len(args)], "Command", "lab "+c.Name())
		case len(args) > len(names):
			return sim.NewProblem("cli.extra-argument", "Argument", args[len(names)], "Command", "lab "+c.Name())
		}
		return nil
	}
}

// atMost allows arguments by name.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return sim.NewProblem("cli.extra-argument", "Argument", args[n], "Command", "lab "+c.Name())
		}
		return nil
	}
}

// atLeastOne demands one argument or more.
func atLeastOne(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return sim.NewProblem("cli.missing-argument", "Argument", name, "Command", "lab "+c.Name())
		}
		return nil
	}
}

// fileError words an error of the file system without Go's own sentence.
func fileError(path string, err error) error {
	switch {
	case os.IsNotExist(err):
		return sim.NewProblem("cli.no-file", "File", path)
	case os.IsPermission(err):
		return sim.NewProblem("cli.permission", "File", path)
	}
	return sim.NewProblem("cli.file", "File", path, "Detail", strings.TrimSpace(err.Error()), "Cause", err)
}
