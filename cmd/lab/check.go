package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"streaminglab/assets"
	"streaminglab/internal/check"
	"streaminglab/internal/coverage"
	"streaminglab/internal/glossary"
	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/sim/ledger"
)

// carried is the content that the binary carries, as the tree of the
// repository.
type carried map[string]fs.FS

// Open implements fs.FS.
func (c carried) Open(name string) (fs.File, error) {
	top, rest, _ := strings.Cut(name, "/")
	tree, ok := c[top]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if rest == "" {
		rest = "."
	}
	return tree.Open(rest)
}

func (e *env) content(args []string) (check.Content, error) {
	var tree fs.FS = carried{"assets": assets.FS(), "lessons": lessons.Embedded(), "quiz": quiz.Embedded()}
	if len(args) > 0 {
		if _, err := os.Stat(args[0]); err != nil {
			return check.Content{}, fileError(args[0], err)
		}
		tree = os.DirFS(args[0])
	}
	g, err := glossary.Embedded()
	if err != nil {
		return check.Content{}, defect{err}
	}
	m, err := coverage.Embedded()
	if err != nil {
		return check.Content{}, defect{err}
	}
	// A course may bring its own terms and statements.
	if text, err := fs.ReadFile(tree, "assets/glossary.toml"); err == nil {
		if g, err = glossary.Load(text); err != nil {
			return check.Content{}, fileError("assets/glossary.toml", err)
		}
	}
	if text, err := fs.ReadFile(tree, "assets/coverage.toml"); err == nil {
		if m, err = coverage.Load(text); err != nil {
			return check.Content{}, fileError("assets/coverage.toml", err)
		}
	}
	return check.Content{
		Files: tree, Glossary: g, Coverage: m,
		Rules: func(id string) bool { _, ok := ledger.Find(id); return ok },
	}, nil
}

func newCheck(e *env) *cobra.Command {
	var cover, faults bool
	c := &cobra.Command{
		Use: "check [DIR]", Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			content, err := e.content(args)
			if err != nil {
				return err
			}
			loc := e.localizer()
			switch {
			case cover:
				return e.coverage(content)
			case faults:
				return e.faults(content)
			}
			if terminal(e.err) {
				content.Progress = func(done, total int, item string) {
					if done%5 == 0 {
						fmt.Fprintln(e.err, loc.Text("cli.check.progress", locale.Args{"Done": done, "Total": total}))
					}
				}
			}
			found, err := check.Run(context.Background(), content)
			if err != nil {
				return err
			}
			for _, f := range found {
				e.out.say(fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Rule, narrate.Problem(loc, f.Cause)))
			}
			fmt.Fprintln(e.err, loc.Plural("cli.check.total", int64(len(found)), nil))
			if len(found) > 0 {
				return exitError(exitNegative)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&cover, "coverage", false, "")
	c.Flags().BoolVar(&faults, "faults", false, "")
	return c
}

func (e *env) coverage(content check.Content) error {
	all, err := check.Coverage(content)
	if err != nil {
		return err
	}
	loc := e.localizer()
	claimed := 0
	for _, s := range all {
		if len(s.Lessons) > 0 {
			claimed++
		}
		e.out.say(fmt.Sprintf("%s\t%s\t%s\t%s", s.ID, orDash(s.Lessons), orDash(s.Items), s.Text))
	}
	fmt.Fprintln(e.err, loc.Text("cli.check.coverage", locale.Args{"Claimed": claimed, "Total": len(all)}))
	return nil
}

func (e *env) faults(content check.Content) error {
	all, err := check.Faults(content.Files)
	if err != nil {
		return err
	}
	for _, f := range all {
		e.out.say(fmt.Sprintf("%s\t%s", f.Point, orDash(f.Stories)))
	}
	return nil
}

func orDash(in []string) string {
	if len(in) == 0 {
		return "-"
	}
	return strings.Join(in, " ")
}
