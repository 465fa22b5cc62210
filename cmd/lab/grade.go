package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/quiz"
	"streaminglab/sim"
)

func newGrade(e *env) *cobra.Command {
	var roster, out, id string
	var formats []string
	var pass int
	c := &cobra.Command{
		Use: "grade PATH…", Args: atLeastOne("PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("pass") && (pass < 1 || pass > 100) {
				return sim.NewProblem("cli.flag-invalid", "Flag", "--pass", "Value", strconv.Itoa(pass))
			}
			a, err := e.app(1)
			if err != nil {
				return err
			}
			req := quiz.Request{
				Paths: args, Library: a.Library, Engine: a.Engine, Glossary: a.Glossary, Quiz: id, Pass: pass,
			}
			if roster != "" {
				f, err := os.Open(roster)
				if err != nil {
					return fileError(roster, err)
				}
				req.Roster, err = quiz.ReadRoster(roster, f)
				f.Close()
				if err != nil {
					return err
				}
			}
			if len(formats) == 0 {
				formats = []string{"csv", "json"}
			}
			for _, f := range formats {
				if f != "csv" && f != "json" {
					return sim.NewProblem("cli.format", "Value", f, "Known", "csv, json")
				}
			}
			loc := e.localizer()
			if terminal(e.err) {
				req.Progress = func(done, total int, file string) {
					if total >= 50 && (done%50 == 0 || done == total) {
						fmt.Fprintln(e.err, loc.Text("cli.grade.progress", locale.Args{"Done": done, "Total": total}))
					}
				}
			}
			report, err := quiz.Grade(context.Background(), req)
			if err != nil {
				return err
			}
			wording := func(p quiz.Problem) string { return narrate.Problem(loc, p) }
			if out == "" {
				a.Report(report)
			} else {
				if err := writeReport(report, out, formats, wording); err != nil {
					return err
				}
				graded := 0
				for _, row := range report.Rows {
					if row.Scored {
						graded++
					}
				}
				e.out.say(loc.Text("cli.grade.done", locale.Args{"Dir": out, "Graded": graded, "Other": len(report.Rows) - graded}))
			}
			for _, p := range report.Problems {
				e.err.say(narrate.Problem(loc, p))
			}
			if code := report.ExitCode(cmd.Flags().Changed("pass")); code != exitDone {
				return exitError(code)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&roster, "roster", "", "")
	f.StringVar(&out, "out", "", "")
	f.StringVar(&id, "quiz", "", "")
	f.StringSliceVar(&formats, "format", nil, "")
	f.IntVar(&pass, "pass", 0, "")
	return c
}

// writeReport writes gradebook.csv, answers.csv and results.json. Each is
// written beside its place and moved there.
func writeReport(r *quiz.Report, dir string, formats []string, wording quiz.Wording) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fileError(dir, err)
	}
	for _, f := range formats {
		files := map[string]func(io.Writer) error{
			"results.json": func(w io.Writer) error { return r.WriteJSON(w, wording) },
		}
		if f == "csv" {
			files = map[string]func(io.Writer) error{
				"gradebook.csv": func(w io.Writer) error { return r.WriteGradebook(w, wording) },
				"answers.csv":   func(w io.Writer) error { return r.WriteLong(w, wording) },
			}
		}
		for name, write := range files {
			var b strings.Builder
			if err := write(&b); err != nil {
				return defect{err}
			}
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path+".tmp", []byte(b.String()), 0o600); err != nil {
				return fileError(path, err)
			}
			if err := os.Rename(path+".tmp", path); err != nil {
				return fileError(path, err)
			}
		}
	}
	return nil
}
