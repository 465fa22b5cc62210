package view_test

import (
	"os"
	"strconv"
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
//	job         the job file that the next run starts
//	run [ID]    runs an experiment of the course or the job, then the input;
//	            without either, the input alone
//	until TYPE  goes back to the last step of a type
//	lanes, plane, steps  lang=es w=80 h=14 [step=N] [ascii]
//	twin        lang=es  the text for a terminal without a screen
//	matrix, timeline, levels, store, costs  the same, and pick=N
//	barriers, recovery, log, transactions, phases, latency  the same as lanes
//	at N        goes back to step N
func TestFrames(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var trace *sim.Trace
		var day, now int64
		job := ""
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "job":
				job = d.Input
				return ""
			case "until":
				n := trace.Len()
				for trace.Step(n).Type() != d.CmdArgs[0].Key {
					n--
				}
				trace, now = trace.Prefix(n), 0
				return ""
			case "at":
				n, err := strconv.Atoi(d.CmdArgs[0].Key)
				if err != nil {
					t.Fatal(err)
				}
				trace, now = trace.Prefix(n), 0
				return ""
			case "run":
				id, text := "job", []byte("job job.yaml\n-- experiment.toml --\nversion = 1\n[es]\ntitle = \"x\"\n[ko]\ntitle = \"x\"\n-- job.yaml --\n"+job+"\n")
				if job == "" {
					text = []byte(strings.ReplaceAll(strings.TrimPrefix(string(text), "job job.yaml\n"), "-- job.yaml --\n\n", ""))
				}
				if len(d.CmdArgs) > 0 {
					var err error
					id = d.CmdArgs[0].Key
					if text, err = os.ReadFile("../../assets/experiments/" + id + ".txtar"); err != nil {
						t.Fatal(err)
					}
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
				trace, day, now = r.World.Trace(), e.Day, r.World.Now()
				return ""
			}
			lang, w, h, step, pick := "es", 80, 14, 0, 0
			d.MaybeScanArgs(t, "lang", &lang)
			d.MaybeScanArgs(t, "w", &w)
			d.MaybeScanArgs(t, "h", &h)
			d.MaybeScanArgs(t, "step", &step)
			d.MaybeScanArgs(t, "pick", &pick)
			if d.HasArg("last") {
				step = trace.Len()
			}
			p := view.Picture{
				Loc: locale.New(locale.Lang(lang)).WithDay(day), Width: w, Height: h, Signs: view.Unicode, Step: step, Pick: pick, Now: now,
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
			case "matrix":
				lines = view.BuildSnapshots(trace).DrawMatrix(p)
			case "timeline":
				lines = view.BuildSnapshots(trace).DrawTimeline(p)
			case "levels":
				lines = view.BuildSnapshots(trace).DrawLevels(p)
			case "barriers":
				lines = view.BuildBarriers(trace).DrawBarriers(p)
			case "recovery":
				lines = view.BuildRecovery(trace).DrawRecovery(p)
			case "store":
				lines = view.BuildSnapshots(trace).DrawStore(p)
			case "log":
				lines = view.BuildBroker(trace).DrawLog(p)
			case "phases":
				lines = view.BuildPhases(trace).DrawPhases(p)
			case "latency":
				lines = view.BuildLatency(trace).DrawLatency(p)
			case "transactions":
				lines = view.BuildBroker(trace).DrawTransactions(p)
			case "twin":
				lines = view.Twin(p.Loc, trace, now, p.Signs)
				h = len(lines)
			case "costs":
				lines = view.DrawCosts(p, []view.Cost{view.BuildSnapshots(trace).Cost("main")})
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
