package quiz

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestMarking tells what becomes of each raw answer to the example items: the
// fraction, the belief that it shows, or why it cannot be read. A line of
// input is one answer; \n in it is a line end.
func TestMarking(t *testing.T) {
	lib := testLibrary(t)
	m := &Marker{Engine: newToyEngine(), Glossary: toyGlossary}
	datadriven.RunTest(t, "testdata/mark/kinds.txt", func(t *testing.T, d *datadriven.TestData) string {
		lang, rule, seed := "es", string(NetCorrect), uint64(1)
		d.MaybeScanArgs(t, "lang", &lang)
		d.MaybeScanArgs(t, "rule", &rule)
		d.MaybeScanArgs(t, "seed", &seed)
		it := lib.Item("example-" + d.Cmd)
		if d.HasArg("without-own-rule") {
			changed := *it
			changed.Scoring = ""
			it = &changed
		}
		var b strings.Builder
		for _, line := range strings.Split(d.Input, "\n") {
			out, err := m.Mark(t.Context(), it, Rule(rule), seed, Lang(lang), strings.ReplaceAll(line, `\n`, "\n"))
			if err != nil {
				d.Fatalf(t, "%s: %v", line, err)
			}
			fmt.Fprintf(&b, "%s → %s", line, out.Verdict)
			if out.Verdict == Partly {
				fmt.Fprintf(&b, " %s", out.Fraction)
			}
			if c := out.Answer.Canonical(); c != "" && c != line && !strings.Contains(c, "\n") {
				fmt.Fprintf(&b, ", read as %s", c)
			}
			if len(out.Misconceptions) > 0 {
				fmt.Fprintf(&b, ", believes %s", strings.Join(out.Misconceptions, " "))
			}
			if len(out.Held) > 0 {
				fmt.Fprintf(&b, ", holds: %s", strings.Join(out.Held, " "))
			}
			if out.Accents {
				b.WriteString(", accents forgiven")
			}
			if out.Reason != nil {
				p := *out.Reason
				p.Args = withoutCause(p.Args)
				fmt.Fprintf(&b, ", %s", p.Error())
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}

// TestFiguresOfTwoLanguages: 12,5 and 12.5 are one figure; what stands in
// code is not compared as a figure.
func TestFiguresOfTwoLanguages(t *testing.T) {
	es, ko := figuresIn("Tras 12,5 s y `t=3` salen [0,5) y 1.000 registros"), figuresIn("12.5초와 `t=3` 뒤에 [0,5)와 레코드 1,000개")
	if !slices.Equal(es, ko) {
		t.Errorf("%v and %v", es, ko)
	}
}

// TestOneRunForAClass: thirty learners with one seed cost one run.
func TestOneRunForAClass(t *testing.T) {
	engine := newToyEngine()
	m := &Marker{Engine: engine}
	it := testLibrary(t).Item("example-output")
	for range 30 {
		if _, err := m.Mark(t.Context(), it, NetCorrect, 7, Spanish, "0"); err != nil {
			t.Fatal(err)
		}
	}
	if engine.runs != 1 {
		t.Errorf("%d runs", engine.runs)
	}
}

// TestASeedThatFits: seeds on which a wrong belief is right are passed over.
func TestASeedThatFits(t *testing.T) {
	engine := newToyEngine()
	x := engine.experiments["example-bound"]
	x.bounds = []string{"0s", "1s"} // with a bound of 0 nothing is subtracted, and nothing is waited for
	engine.experiments["example-bound"] = x
	lib := testLibrary(t)
	set := &Set{ID: "x", Members: []string{"example-numeric"}}
	m := &Marker{Engine: engine}
	if seed, ok := m.UsableSeed(t.Context(), lib, set, 10, 5); !ok || seed != 11 {
		t.Errorf("seed %d %v, want 11", seed, ok)
	}
	set.Seeds = []uint64{4, 6}
	if seed, ok := m.UsableSeed(t.Context(), lib, set, 10, 5); ok {
		t.Errorf("seed %d fits, though both draw a bound of 0", seed)
	}
}

// TestPropertiesOfEachSeed: a fix is tried on several seeds, and on each of them
// its properties say what was drawn for that one.
func TestPropertiesOfEachSeed(t *testing.T) {
	text := string(editItem(t, "example-fix", `computed = "example-late"`, `computed = "example-bound"`))
	text = strings.Replace(text, `"slack >= 5000"`, `'delay == ms("${bound}")'`, 1)
	text = strings.Replace(text, `"watermark < 5"`, `'"${bound}" != "2s"'`, 1)
	it, err := ParseItem("example-fix.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m := &Marker{Engine: newToyEngine()}
	for seed := range uint64(3) {
		out, err := m.Mark(t.Context(), it, NetCorrect, seed, Spanish, "set slack 1")
		if err != nil {
			t.Fatal(err)
		}
		// Each of three seeds in a row draws another bound, one of them 2s.
		if !slices.Equal(out.Held, []string{"slack"}) {
			t.Errorf("seed %d: %v hold", seed, out.Held)
		}
	}
}
