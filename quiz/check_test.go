package quiz

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// dissectingToy also says what an expression reads and depends on: names of
// the trace, and whether the script sets them.
type dissectingToy struct{ *toyEngine }

func (e dissectingToy) ReadsFold(expression string) (bool, error) {
	for _, name := range []string{"watermark", "behind", "dropped", "records", "delay", "slack"} {
		if strings.Contains(expression, name) {
			return true, nil
		}
	}
	return false, nil
}

func (e dissectingToy) DependsOn(_ context.Context, _ string, _ uint64, expression string) (bool, error) {
	return !strings.Contains(expression, "0 * "), nil
}

func (e dissectingToy) Varies(_ context.Context, expression string) (bool, error) {
	return !strings.Contains(expression, "0 * "), nil
}

// TestCheckFindings: an author's slip in an example, and what the check says.
// The experiments, statements and rules that exist are those of the examples.
func TestCheckFindings(t *testing.T) {
	datadriven.RunTest(t, "testdata/items/findings.txt", func(t *testing.T, d *datadriven.TestData) string {
		var id string
		d.ScanArgs(t, "item", &id)
		lib := testLibrary(t)
		if d.Input != "" {
			old, changed, _ := strings.Cut(d.Input, "=>")
			it, err := ParseItem("bank/"+id+".toml", editItem(t, id, strings.TrimSpace(old), strings.TrimSpace(changed)))
			if err != nil {
				d.Fatalf(t, "this is found by the parser: %v", err)
			}
			lib.items[id] = it
		}
		engine := newToyEngine()
		if d.HasArg("bounds") {
			x := engine.experiments["example-bound"]
			x.bounds = nil
			for _, v := range d.CmdArgs {
				if v.Key == "bounds" {
					x.bounds = v.Vals
				}
			}
			engine.experiments["example-bound"] = x
		}
		found := Check(t.Context(), CheckRequest{
			Library: lib, Engine: dissectingToy{engine}, Glossary: toyGlossary,
			HasExperiment: func(id string) bool { _, ok := engine.experiments[id]; return ok },
			Refutes: func(id, misconception string) bool {
				return slices.Contains(map[string][]string{
					"example-bound": {"bound-not-subtracted", "watermark-excludes-its-time"},
					"example-late":  {"behind-means-late", "idle-source-ignored"},
				}[id], misconception)
			},
			HasStatement: func(id string) bool { return strings.HasPrefix(id, "S21") },
			HasRule:      func(id string) bool { return strings.HasPrefix(id, "EV-") },
		})
		var b strings.Builder
		for _, p := range found {
			p.Args = withoutCause(p.Args)
			b.WriteString(p.Error() + "\n")
		}
		if b.Len() == 0 {
			return "nothing found"
		}
		return b.String()
	})
}

// TestCheckWithoutAnEngine finds what needs no run.
func TestCheckWithoutAnEngine(t *testing.T) {
	if found := Check(t.Context(), CheckRequest{Library: testLibrary(t)}); len(found) > 0 {
		t.Errorf("%v", found)
	}
}
