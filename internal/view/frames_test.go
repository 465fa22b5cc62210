package view_test

import (
	"os"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/cockroachdb/datadriven"

	"streaminglab/internal/locale"
	"streaminglab/internal/view"
	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// Frames of the pictures. Directives:
//
//	run ID      runs an experiment of the course, then the input behind it
//	lanes, plane, steps  lang=es w=80 h=14 [step=N] [ascii]
func TestFrames(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var trace *sim.Trace
		var day int64
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "run" {
				id := d.CmdArgs[0].Key
				text, err := os.ReadFile("../../assets/experiments/" + id + ".txtar")
				if err != nil {
					t.Fatal(err)
				}
				e, err := session.ParseExperiment(id, id, text)
				if err != nil {
					t.Fatal(err)
				}
				r, err := session.Batch(e, func(tt script.Times) ([]*script.Line, error) {
					return script.Parse("story", d.Input, tt)
				}, session.Options{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				trace, day = r.World.Trace(), e.Day
				return ""
			}
			lang, w, h, step := "es", 80, 14, 0
			d.MaybeScanArgs(t, "lang", &lang)
			d.MaybeScanArgs(t, "w", &w)
			d.MaybeScanArgs(t, "h", &h)
			d.MaybeScanArgs(t, "step", &step)
			p := view.Picture{
				Loc: locale.New(locale.Lang(lang)).WithDay(day), Width: w, Height: h, Signs: view.Unicode, Step: step,
				Style: func(c view.Class, s string) string {
					if c == view.Selected {
						return "«" + s + "»" // a selection must be seen in a frame without colours
					}
					return s
				},
			}
			if d.HasArg("ascii") {
				p.Signs = view.ASCII
			}
			var lines []string
			switch d.Cmd {
			case "lanes":
				lines = view.Build(trace).DrawLanes(p)
			case "plane":
				lines = view.Build(trace).DrawPlane(p)
			case "steps":
				lines = view.DrawSteps(trace, p)
			}
			if len(lines) != h {
				t.Errorf("%s: %d lines, want %d", d.Pos, len(lines), h)
			}
			for _, l := range lines {
				if n := lipgloss.Width(strings.NewReplacer("«", "", "»", "").Replace(l)); n > w {
					t.Errorf("%s: %d cells, want at most %d: %s", d.Pos, n, w, l)
				}
			}
			return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
		})
	})
}
