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

// TestRightOptionsStandAtMoreThanOnePlace: single items whose right option is
// the first one, up to half of the bank and over it.
func TestRightOptionsStandAtMoreThanOnePlace(t *testing.T) {
	last := "rest last" // the right option of an item moved behind the others
	check := func(items ...string) Problems {
		lib := testLibrary(t)
		delete(lib.items, "example-single")
		for _, id := range items {
			data := string(editItem(t, "example-single", `id = "example-single"`, `id = "`+strings.ReplaceAll(id, " ", "-")+`"`))
			if strings.HasSuffix(id, last) {
				head, options, _ := strings.Cut(data, "[[option]]\n")
				right, others, _ := strings.Cut(options, "[[option]]\n")
				data = head + "[[option]]\n" + others + "\n[[option]]\n" + right
			}
			id = strings.ReplaceAll(id, " ", "-")
			it, err := ParseItem("bank/"+id+".toml", []byte(data))
			if err != nil {
				t.Fatal(err)
			}
			lib.items[id] = it
		}
		var found Problems
		for _, p := range Check(t.Context(), CheckRequest{Library: lib, Engine: dissectingToy{newToyEngine()}, Glossary: toyGlossary}) {
			if p.ID == errGuessable {
				found = append(found, p)
			}
		}
		return found
	}
	if found := check("a", "b", "c "+last, "d "+last); len(found) > 0 {
		t.Errorf("half of them at one place: %v", found)
	}
	if found := check("a", "b", "c"); len(found) > 0 {
		t.Errorf("too few to see a habit: %v", found)
	}
	found := check("a", "b", "c", "d "+last)
	if len(found) != 1 || found[0].Args["Place"] != 1 || found[0].Args["Count"] != 3 || found[0].Args["All"] != 4 || found[0].Pos.File != "bank/a.toml" {
		t.Errorf("three of four at the first place: %v", found)
	}
	if found := check("a", "b "+last, "c "+last, "d "+last); len(found) != 1 || found[0].Args["Place"] != 3 {
		t.Errorf("three of four at the last place: %v", found)
	}
}
