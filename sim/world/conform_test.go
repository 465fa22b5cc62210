package world_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/barrier"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/conform"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/flink"
	"streaminglab/sim/kafka"
	"streaminglab/sim/state"
	"streaminglab/sim/world"
)

// reached names the types that the jobs of a story ran, as package.Type.
func reached(t *testing.T, worlds []*world.World) map[string]bool {
	t.Helper()
	is := map[string]bool{}
	add := func(x any) { is[strings.TrimPrefix(fmt.Sprintf("%T", x), "*")] = true }
	for _, w := range worlds {
		if w.Job() == nil {
			continue
		}
		types := map[string]bool{}
		at := map[string]bool{}
		for _, s := range w.Trace().Steps() {
			types[s.Type()] = true
			name, _, _ := strings.Cut(s.At, "[")
			at[name] = true
		}
		add(w.Job())
		if types["checkpoint.triggered"] {
			add(w.Job().Coordinator())
			add(w.Cluster().Store)
		}
		for _, s := range w.Trace().Steps() {
			// Only the gate of a task gives a checkpoint up because of a marker.
			if b, ok := s.Body.(sim.CheckpointDeclined); ok && b.Exception.Message == checkpoint.FailureReason(barrier.OnCancellation).Exception().Message {
				is["barrier.Gate"] = true
			}
		}
		if types["marker.written"] {
			add(w.Broker())
			add(&kafka.ProducerClient{})
		}
		is["connector/kafka.Writer"] = is["connector/kafka.Writer"] || types["committable.emitted"]
		is["connector/kafka.Committer"] = is["connector/kafka.Committer"] || types["commit.attempted"]
		if types["lsm.edited"] {
			is["state/lsm.DB"] = true
			// A file of a tree that no checkpoint has uploaded lies on a remote file
			// system.
			for _, s := range w.Trace().Steps() {
				if b, ok := s.Body.(sim.FileUploaded); ok && b.Checkpoint == 0 {
					is["state/lsm.RemoteFS"] = true
					is["flink.Remote"] = true
				}
			}
		}
		if types["state.restored"] || types["state.skipped"] {
			add(&checkpoint.Metadata{})
		}
		if types["job.started"] && types["checkpoint.completed"] {
			add(&state.OperatorList{})
		}
		if types["job.restarting"] || types["job.failed"] {
			add(&flink.RestartBackoff{})
		}
		for _, o := range w.Job().Spec.Operators {
			if !at[o.Name] {
				continue // It was there and nothing happened.
			}
			op, err := o.New()
			if err != nil {
				t.Fatal(err)
			}
			add(op)
			if p, ok := op.(*eventtime.KeyedProcessOperator); ok {
				if f, ok := p.Function.(*eventtime.Profile); ok {
					add(f.Type)
				}
			}
			switch op.(type) {
			case *eventtime.AssignTimestamps:
				add(&eventtime.TimestampsAndWatermarksOperator{})
			case *eventtime.AssignSQLWatermark:
				add(&eventtime.WatermarkAssignerOperator{})
			}
			if o.Keyed {
				is["state.Key"] = true
			}
			if o.Separate {
				add(&eventtime.MultipleInputs{})
			}
			channels := 0
			for _, in := range o.Inputs {
				channels += w.Job().Subtasks(in)
			}
			if channels > 1 {
				add(&eventtime.StatusWatermarkValve{})
			}
		}
		for _, s := range w.Job().Spec.Sources {
			if !types["record.read"] && !types["watermark.emitted"] {
				continue
			}
			add(&eventtime.ProgressiveTimestampsAndWatermarks{})
			g, err := s.Strategy.NewGenerator()
			if err != nil {
				t.Fatal(err)
			}
			add(g)
			if s.Alignment != nil && types["alignment.announced"] {
				add(&eventtime.SourceCoordinator{})
			}
		}
	}
	return is
}

type conformRow struct {
	kind  string
	types []string
	story string
}

// conformTable reads the table of docs/conform.md.
func conformTable(t *testing.T) []conformRow {
	t.Helper()
	text, err := os.ReadFile("../../docs/conform.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []conformRow
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "/"), "|")
		if len(cells) != 6 {
			t.Fatalf("%d cells: %s", len(cells), line)
		}
		r := conformRow{kind: strings.Trim(cells[1], " `"), story: strings.TrimSpace(cells[4])}
		for _, name := range strings.Split(cells[2], ",") {
			r.types = append(r.types, strings.Trim(name, " `"))
		}
		rows = append(rows, r)
	}
	return rows
}

// The table of docs/conform.md is true: every kind has one row; its types
// exist; the story exists and its run reaches them.
func TestConformTable(t *testing.T) {
	rows := conformTable(t)
	var kinds []string
	for _, r := range rows {
		kinds = append(kinds, r.kind)
		stories := reached(t, runStory(t, filepath.Join("testdata", r.story)))
		for _, full := range r.types {
			dir, name, _ := strings.Cut(strings.TrimPrefix(full, "sim/"), ".")
			if !declares(t, filepath.Join("..", dir), name) {
				t.Errorf("%s: no type %s", r.kind, full)
			}
			short := dir + "." + name
			if !stories[short] {
				t.Errorf("%s: %s does not reach %s", r.kind, r.story, short)
			}
		}
	}
	slices.Sort(kinds)
	if want := conform.Kinds(); !slices.Equal(kinds, want) {
		t.Errorf("rows for %q, kinds are %q", kinds, want)
	}
}

// declares reports whether a package declares a type.
func declares(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if ts, ok := s.(*ast.TypeSpec); ok && ts.Name.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// Every fault point and every group of rules has a story.
func TestStoriesReachEveryFaultPointAndRuleGroup(t *testing.T) {
	points, groups := map[string]bool{}, map[string]bool{}
	for _, file := range storyFiles(t) {
		for _, w := range runStory(t, file) {
			for _, s := range w.Trace().Steps() {
				group, _, _ := strings.Cut(s.Rule, ".")
				groups[group] = true
				switch b := s.Body.(type) {
				case sim.FaultInjected:
					points[b.Point+" "+b.Kind] = true
				case sim.RequestLost:
					point := sim.PointRequest
					if b.Answer {
						point = sim.PointAnswer
					}
					points[point+" "+sim.FaultLose] = true
				}
			}
		}
	}
	for _, p := range sim.FaultPoints() {
		for _, kind := range p.Kinds {
			if !points[p.Name+" "+kind] {
				t.Errorf("no story reaches %s with %s", p.Name, kind)
			}
		}
	}
	for n := 1; n <= 8; n++ {
		if g := fmt.Sprintf("EV-%d", n); !groups[g] {
			t.Errorf("no story shows a rule of %s", g)
		}
	}
}
