package session_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"streaminglab/sim"
	"streaminglab/sim/session"
)

const neighbour = `sources:
  in: {splits: 1}
operators:
  - name: totals
    process: count
sinks:
  - {name: out, kind: two-phase}
flinkConfiguration:
  execution.checkpointing.interval: 7s
  restart-strategy.type: fixed-delay
`

// numbers are those of steps and of causes, which a job beside moves on.
var numbers = regexp.MustCompile(`"seq":\d+|"cause":\[[\d,]*\]`)

// A job beside that of an experiment, which writes nowhere where that one does, takes
// no part in what happens: each step of the experiment is what it was without it.
func TestJobBesideLeavesTheExperimentAlone(t *testing.T) {
	files, err := filepath.Glob("../../assets/experiments/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	played := 0
	for i, file := range files {
		if testing.Short() && i%7 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines, a := reference(txtar.Parse(text))
		if lines == nil || strings.Contains(string(text), "${") { // its figures are drawn
			continue
		}
		alone, err := mainSteps(a, lines)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		started := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "job ") })
		with := slices.Insert(slices.Clone(lines), started+1, "job neighbour.yaml as neighbour", "produce neighbour.in/0 1s k 1", "crash neighbour.totals")
		beside, err := mainSteps(a, with)
		if err != nil && strings.Contains(err.Error(), "world.bound") {
			continue // two jobs make more steps
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		played++
		for n := range alone {
			if n >= len(beside) || alone[n] != beside[n] {
				got := "nothing"
				if n < len(beside) {
					got = beside[n]
				}
				t.Errorf("%s: step %d of the experiment is\n%s\nand beside a job\n%s", file, n+1, alone[n], got)
				break
			}
		}
	}
	if played < 10 {
		t.Errorf("only %d experiments played", played)
	}
}

// reference is the set-up of an experiment with its reference script, and the files
// of both; nil: it cannot be played with another job, because it counts steps.
func reference(a *txtar.Archive) (lines []string, files []txtar.File) {
	var head, body []string
	note := func(text string) {
		for _, l := range strings.Split(text, "\n") {
			switch l = strings.TrimSpace(l); {
			case l == "" || strings.HasPrefix(l, "#"):
			case strings.HasPrefix(l, "set ") || strings.HasPrefix(l, "seed "):
				head = append(head, l)
			default:
				body = append(body, l)
			}
		}
	}
	note(string(a.Comment))
	for _, f := range a.Files {
		switch {
		case f.Name == "reference.script":
			note(string(f.Data))
		case f.Name == "experiment.toml":
			var keep []string
			for _, l := range strings.Split(string(f.Data), "\n") {
				if strings.HasPrefix(l, "version") || strings.HasPrefix(l, "day =") {
					keep = append(keep, l)
				}
			}
			f.Data = []byte(strings.Join(keep, "\n") + "\n")
			files = append(files, f)
		case !strings.HasSuffix(f.Name, ".script"):
			files = append(files, f)
		}
	}
	lines = append(head, body...)
	step := func(l string) bool {
		return strings.Contains(l, "step ") || strings.HasPrefix(l, "job ") && strings.Contains(l, " as ")
	}
	if slices.ContainsFunc(lines, step) || !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "job ") }) {
		return nil, nil
	}
	return lines, append(files, txtar.File{Name: "neighbour.yaml", Data: []byte(neighbour)})
}

// mainSteps are the steps of an experiment, without their numbers.
func mainSteps(files []txtar.File, lines []string) (out []string, err error) {
	text := txtar.Format(&txtar.Archive{Comment: []byte(strings.Join(lines, "\n") + "\n"), Files: files})
	e, err := session.ParseExperiment("beside", "beside", text)
	if err != nil {
		return nil, err
	}
	s, err := session.Open(e, 1, nil, session.Observer{})
	if err != nil {
		return nil, err
	}
	defer s.Run().World.Close()
	for step := range s.Trace().Main() {
		if b, ok := step.Body.(sim.CommandGiven); ok && strings.Contains(b.Command, "neighbour") {
			continue
		}
		out = append(out, numbers.ReplaceAllString(string(sim.AppendStep(nil, step)), ""))
	}
	return out, nil
}
