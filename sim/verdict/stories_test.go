package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/ledger"
	"streaminglab/sim/script"
	"streaminglab/sim/verdict"
	"streaminglab/sim/world"
)

// A story is a job, a script and the verdicts on the run. Directives:
//
//	job [name=N]   a job file: a new world starts it; with a name, it is another
//	               job file for restore
//	type           command lines
//	verdicts       the verdicts on the run so far
//	totals         what went in against what came out
//	= EXPR         in type: what an expression gives there
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &story{}
		datadriven.RunTest(t, path, s.run)
	})
}

type story struct {
	w     *world.World
	files map[string][]byte
	// following folds the trace as it grows.
	following *verdict.Fold
}

func (s *story) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "job":
		if d.HasArg("name") {
			var name string
			d.ScanArgs(t, "name", &name)
			s.files[name] = []byte(d.Input)
			return ""
		}
		s.files = map[string][]byte{"job.yaml": []byte(d.Input)}
		s.w, s.following = world.New(world.Config{Files: s.files, Seed: 1}), verdict.New()
		if err := s.w.Start("job job.yaml", "job.yaml"); err != nil {
			return err.Error() + "\n"
		}
		return ""
	case "type":
		var b strings.Builder
		for _, text := range strings.Split(d.Input, "\n") {
			b.WriteString(s.typed(t, text))
		}
		return b.String()
	case "verdicts":
		return s.verdicts()
	case "totals":
		var b strings.Builder
		all := verdict.TotalsOf(s.w.Trace())
		for _, x := range all.Splits {
			fmt.Fprintf(&b, "%s: read %d, again %d, next offset %d\n", x.Split, x.Read, x.Again, x.Position)
		}
		for _, x := range all.Operators {
			name := x.UID
			if x.Gone {
				name += " (gone)"
			}
			fmt.Fprintf(&b, "%s: handled %d, holds %d, doubled %d, lost %d\n", name, x.Handled, x.Held, x.Doubled, x.Lost)
		}
		for _, x := range all.Sinks {
			fmt.Fprintf(&b, "%s: results %d, distinct %d, doubled %d\n", x.Sink, x.Results, x.Distinct, x.Doubled)
		}
		return b.String()
	}
	d.Fatalf(t, "unknown directive %q", d.Cmd)
	return ""
}

func (s *story) typed(t *testing.T, text string) string {
	if source, ok := strings.CutPrefix(text, "= "); ok {
		p, err := fold.Compile(source, script.Times{})
		if err != nil {
			return fmt.Sprintf("%s: %v\n", source, err)
		}
		f := fold.Folds{Judge: s.following}
		f.Update(s.w.Trace())
		v, err := p.Eval(&f, script.Times{})
		if err != nil {
			return fmt.Sprintf("%s: %v\n", source, err)
		}
		return fmt.Sprintf("%s: %v\n", source, v)
	}
	lines, err := script.Parse("story", text, script.Times{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if err := l.Command.(script.WorldCommand).Apply(s.w, world.Command(l.Text), script.Times{}); err != nil {
			return fmt.Sprintf("%s: %v\n", l.Text, err)
		}
		s.following.Update(s.w.Trace())
	}
	return ""
}

// verdicts are those of a fold that followed the run; one that sees the trace
// whole says the same.
func (s *story) verdicts() string {
	text := told(s.w.Trace(), s.following.Verdicts(s.w.Trace()))
	if again := told(s.w.Trace(), verdict.Of(s.w.Trace())); again != text {
		return "followed:\n" + text + "whole:\n" + again
	}
	return text
}

func told(t *sim.Trace, list []fold.Verdict) string {
	var b strings.Builder
	for _, v := range list {
		if _, ok := ledger.Find(v.Rule); !ok {
			fmt.Fprintf(&b, "%s is no rule\n", v.Rule)
		}
		fmt.Fprintf(&b, "%s %s", v.Kind, v.Certainty)
		for _, w := range []string{v.Operator, v.At} {
			if w != "" {
				b.WriteString(" " + w)
			}
		}
		fmt.Fprintf(&b, " %s: %d", v.Rule, v.Count)
		var records []string
		for _, r := range v.Records {
			records = append(records, fmt.Sprintf("%s@%d %s", r.Split, r.Offset, r.Key))
		}
		if len(records) > 0 {
			b.WriteString(", " + strings.Join(records, ", "))
		}
		for _, o := range v.Outputs {
			fmt.Fprintf(&b, ", %s [%d,%d)", o.Key, o.Start, o.End)
		}
		if len(v.Files) > 0 {
			b.WriteString(", " + strings.Join(v.Files, ", "))
		}
		if v.ID != "" || v.Partition != "" {
			fmt.Fprintf(&b, ", %s in %s", v.ID, v.Partition)
		}
		if v.Reader != "" {
			b.WriteString(", for " + v.Reader)
		}
		if v.Since > 0 {
			b.WriteString(", since " + stepName(t, v.Since))
		}
		if v.Until != 0 {
			fmt.Fprintf(&b, ", until %d", v.Until)
		}
		fmt.Fprintf(&b, " (%s#%d", v.Job, v.Attempt)
		if v.Snapshot != "" {
			b.WriteString(" " + v.Snapshot)
		}
		fmt.Fprintf(&b, "; %s by %s)\n", stepName(t, v.Step), stepName(t, v.Cause))
	}
	if len(list) == 0 {
		return "none\n"
	}
	if !slices.IsSortedFunc(list, func(a, b fold.Verdict) int {
		return slices.Index(verdict.Kinds, a.Kind) - slices.Index(verdict.Kinds, b.Kind)
	}) {
		return "not in order\n" + b.String()
	}
	return b.String()
}

func stepName(t *sim.Trace, seq int) string {
	s := t.Step(seq)
	if s == nil {
		return "no step"
	}
	return fmt.Sprintf("%d %s", seq, s.Type())
}
