package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"streaminglab/internal/locale"
	"streaminglab/internal/progress"
	"streaminglab/sim"
)

func newProgress(e *env) *cobra.Command {
	c := &cobra.Command{
		Use: "progress export|import|reset|prove",
		RunE: func(_ *cobra.Command, args []string) error {
			what := ""
			if len(args) > 0 {
				what = args[0]
			}
			return sim.NewProblem("cli.progress", "Typed", what)
		},
	}
	c.AddCommand(
		&cobra.Command{Use: "export [FILE]", Args: atMost(1), RunE: func(_ *cobra.Command, args []string) error { return e.exportProgress(args) }},
		&cobra.Command{Use: "import FILE", Args: exactly("FILE"), RunE: func(_ *cobra.Command, args []string) error { return e.importProgress(args[0]) }},
		&cobra.Command{Use: "reset", Args: exactly(), RunE: func(*cobra.Command, []string) error { return e.resetProgress() }},
		&cobra.Command{Use: "prove", Args: exactly(), RunE: func(*cobra.Command, []string) error { return e.proveProgress() }},
	)
	return c
}

func (e *env) exportProgress(args []string) error {
	s, err := e.store()
	if err != nil {
		return err
	}
	var w io.Writer = e.out
	if len(args) > 0 {
		f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return fileError(args[0], err)
		}
		defer f.Close()
		w = f
	}
	n, err := s.Export(w)
	if err != nil {
		return err
	}
	fmt.Fprintln(e.err, e.localizer().Plural("cli.progress-exported", int64(n), nil))
	return nil
}

func (e *env) importProgress(name string) error {
	s, err := e.store()
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return fileError(name, err)
	}
	defer f.Close()
	done, err := s.Import(f)
	if err != nil {
		return err
	}
	loc := e.localizer()
	fmt.Fprintln(e.out, loc.Plural("cli.progress-imported", int64(done.Added), nil))
	return nil
}

func (e *env) resetProgress() error {
	s, err := e.store()
	if err != nil {
		return err
	}
	backup, err := s.Reset(time.Now())
	if err != nil {
		return err
	}
	id := "cli.progress-empty"
	if backup != "" {
		id = "cli.progress-reset"
	}
	fmt.Fprintln(e.out, e.localizer().Text(id, locale.Args{"Backup": backup}))
	return nil
}

// proveProgress replays every experiment whose goal was reached.
func (e *env) proveProgress() error {
	s, err := e.store()
	if err != nil {
		return err
	}
	log, err := s.Read()
	if err != nil {
		return err
	}
	a, err := e.app(1)
	if err != nil {
		return err
	}
	if !a.Prove(progress.Fold(log.Entries)) {
		return exitError(exitNegative)
	}
	return nil
}
