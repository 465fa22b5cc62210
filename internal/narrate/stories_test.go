package narrate_test

import (
	"maps"
	"strings"
	"testing"

	xansi "github.com/charmbracelet/x/ansi"
	"github.com/cockroachdb/datadriven"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// A story is a job, a script, and what both languages say about the run.
//
//	file name=N          another job file, for what follows
//	job                  the job file (day=… sets the experiment's day)
//	run                  a script; its steps as lines, in es and ko
//	quiet                a script; no output
//	why [step=N]         the explanation
//	show view=V [all] [of=P] [at=N]  the tables, at=N: as they were at that step
//	world                a new world without a job
//	runbook [kind=K]     the cards of verdicts
//	picture              the text twin of the bench
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata/stories", func(t *testing.T, path string) {
		s := &story{t: t}
		datadriven.RunTest(t, path, s.run)
	})
}

type story struct {
	t     *testing.T
	world *world.World
	times script.Times
	files map[string][]byte
}

func (s *story) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "job":
		if d.HasArg("day") {
			var day string
			d.ScanArgs(t, "day", &day)
			at, err := script.ParseDay(day)
			if err != nil {
				t.Fatal(err)
			}
			s.times.Day = at
		}
		files := map[string][]byte{"job.yaml": []byte(d.Input)}
		maps.Copy(files, s.files)
		s.world = world.New(world.Config{Files: files, Seed: 1})
		return s.script("job job.yaml", true)
	case "world":
		s.world = world.New(world.Config{Seed: 1})
		return ""
	case "file":
		var name string
		d.ScanArgs(t, "name", &name)
		if s.files == nil {
			s.files = map[string][]byte{}
		}
		s.files[name] = []byte(d.Input)
		return ""
	case "run":
		return s.script(d.Input, true)
	case "quiet":
		return s.script(d.Input, false)
	case "why":
		step := 0
		d.MaybeScanArgs(t, "step", &step)
		return s.both(true, func(l *locale.Localizer) []string { return narrate.Why(l, narrate.RunOf(s.world), step, 80) })
	case "show":
		var view string
		d.ScanArgs(t, "view", &view)
		of := ""
		d.MaybeScanArgs(t, "of", &of)
		at := s.world.Trace().Len()
		d.MaybeScanArgs(t, "at", &at)
		return s.both(true, func(l *locale.Localizer) []string {
			var out []string
			for _, table := range narrate.Show(l, narrate.RunAt(s.world, at), view, d.HasArg("all"), of) {
				out = append(out, table.Lines(80)...)
			}
			return out
		})
	case "runbook":
		kind := ""
		d.MaybeScanArgs(t, "kind", &kind)
		return s.both(true, func(l *locale.Localizer) []string { return narrate.Runbook(l, narrate.RunOf(s.world), kind, 80) })
	case "picture":
		return s.both(true, func(l *locale.Localizer) []string { return narrate.Picture(l, narrate.RunOf(s.world)) })
	}
	t.Fatalf("unknown command %s", d.Cmd)
	return ""
}

// both is what a function says in both languages; fits demands lines of at most
// 80 columns.
func (s *story) both(fits bool, f func(*locale.Localizer) []string) string {
	var b strings.Builder
	for _, lang := range locale.Langs {
		for _, l := range f(locale.Strict(s.t, lang).WithDay(s.times.Day)) {
			if fits && xansi.StringWidth(l) > 80 {
				s.t.Errorf("%s: wider than 80 columns: %s", lang, l)
			}
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
	}
	return b.String()
}

func (s *story) script(text string, tell bool) string {
	from := s.world.Trace().Len()
	lines, err := script.Parse("script", text, s.times)
	for _, l := range lines {
		if c, ok := l.Command.(script.WorldCommand); ok && err == nil {
			err = c.Apply(s.world, world.Command(l.Text), s.times)
		}
	}
	out := ""
	if tell {
		out = s.both(false, func(l *locale.Localizer) []string {
			var lines []string
			for _, step := range s.world.Trace().Steps()[from:] {
				lines = append(lines, narrate.Line(l, step))
			}
			return lines
		})
	}
	if err != nil {
		out += s.both(false, func(l *locale.Localizer) []string { return []string{narrate.Problem(l, err)} })
	}
	return out
}
