package narrate_test

import (
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"streaminglab/assets"
	"streaminglab/internal/glossary"
	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/ledger"
	"streaminglab/sim/script"
)

// Every type of step has a sentence in both languages, also with the smallest
// and the largest values that its fields can have.
func TestEveryStepTypeIsNarrated(t *testing.T) {
	for _, zero := range sim.StepTypes() {
		for _, fill := range []int64{0, 1, sim.MinTime, sim.MaxTime} {
			v := reflect.New(reflect.TypeOf(zero)).Elem()
			filled(v, fill)
			s := &sim.Step{Seq: 1, At: "totals[0]", Rule: "EV-6.3", Body: v.Interface().(sim.Body)}
			for _, lang := range locale.Langs {
				text := narrate.Step(locale.Strict(t, lang), s)
				if text == "" || strings.Contains(text, zero.StepType()) && zero.StepType() != "" {
					t.Errorf("%s: %s is not narrated: %q", lang, zero.StepType(), text)
				}
				if strings.Contains(text, "9223372036854775") {
					t.Errorf("%s: %s shows an extreme as a number: %s", lang, zero.StepType(), text)
				}
				if strings.Contains(text, "  ") {
					t.Errorf("%s: %s has a hole: %q", lang, zero.StepType(), text)
				}
			}
		}
	}
}

// filled gives every field a value; extremes go where a time stands.
func filled(v reflect.Value, n int64) {
	switch v.Kind() {
	case reflect.Int64:
		v.SetInt(n)
	case reflect.Int:
		v.SetInt(2)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(n == 1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		filled(v.Index(0), n)
		filled(v.Index(1), n)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if isTime(f) || f.Type.Kind() != reflect.Int64 && f.Name != "Values" && f.Name != "Pending" && f.Name != "Checkpoints" {
				filled(v.Field(i), n)
			} else {
				filled(v.Field(i), 3)
			}
		}
	}
}

func isTime(f reflect.StructField) bool {
	doc := f.Tag.Get("doc")
	return (f.Name == "Start" || f.Name == "End") && !strings.Contains(doc, "offset") || strings.Contains(doc, "ms")
}

// Verbs, fault points, chapters, metrics, views and types of values have words.
func TestEveryNameIsWorded(t *testing.T) {
	for _, lang := range locale.Langs {
		loc := locale.Strict(t, lang)
		check := func(kind, name, text string) {
			if text == name || text == "" {
				t.Errorf("%s: %s %s has no words", lang, kind, name)
			}
		}
		for _, v := range script.Verbs() {
			if v.Chapter == "" {
				check("verb", v.Name, narrate.Verb(loc, v.Name))
			} else {
				check("chapter", v.Chapter, loc.Text("chapter."+v.Chapter, nil))
			}
			if len(narrate.Help(loc, v.Name, 80)) == 0 {
				t.Errorf("%s: no help for %s", lang, v.Name)
			}
		}
		for _, p := range sim.FaultPoints() {
			check("fault point", p.Name, narrate.FaultPoint(loc, p.Name))
		}
		for _, m := range fold.Metrics {
			check("metric", m, narrate.Metric(loc, m))
		}
		for _, v := range script.Views {
			check("view", v, narrate.View(loc, v))
			for _, table := range narrate.Show(loc, narrate.Run{Trace: &sim.Trace{}}, v, false) {
				if len(table.Rows) != 0 || table.Empty == "" {
					t.Errorf("%s: view %s of nothing: %v", lang, v, table)
				}
			}
		}
		for _, value := range []any{true, 1, "x", nil, []int{}, struct{}{}} {
			check("type", "", loc.Text("expression.type."+fold.TypeName(value), nil))
		}
		for _, r := range ledger.Rules() {
			if len(narrate.Rule(loc, r.ID)) == 0 {
				t.Errorf("%s: rule %s has no statement", lang, r.ID)
			}
		}
	}
}

// Help fits a terminal of 80 columns and says the form of the verb.
func TestHelp(t *testing.T) {
	for _, lang := range locale.Langs {
		loc := locale.Strict(t, lang)
		names := []string{"", "prodce", "savepoint"}
		for _, v := range script.Verbs() {
			names = append(names, v.Name)
		}
		for _, name := range names {
			for _, l := range narrate.Help(loc, name, 80) {
				if w := len([]rune(l)); w > 80 {
					t.Errorf("%s: help %s: %d characters: %s", lang, name, w, l)
				}
			}
		}
		if got := narrate.Help(loc, "pause", 80)[0]; got != script.Find("pause").Usage {
			t.Errorf("help pause begins with %q", got)
		}
	}
}

// The words that the glossary refuses stand in none of the texts of this
// package.
func TestMessagesKeepToTheGlossary(t *testing.T) {
	g, err := glossary.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range locale.Langs {
		for _, area := range []string{"narrate", "rules", "problem", "view", "why", "help", "verdict"} {
			name := string(lang) + "/" + area + ".toml"
			text, err := fs.ReadFile(assets.Locales(), name)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				for _, h := range g.Lint(string(lang), line) {
					t.Errorf("%s:%d: %q; use %s", name, i+1, h.Text, h.Use)
				}
			}
		}
	}
}
