package quiz

import (
	"bytes"
	"fmt"

	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// handedIn is an answer file to the example quiz.
func handedIn(t testing.TB, lib *Library, engine Engine) *AnswerFile {
	t.Helper()
	set := lib.Set("example")
	hash, err := lib.Hash(set, engine)
	if err != nil {
		t.Fatal(err)
	}
	at := func(minute int) time.Time {
		return time.Date(2026, 11, 29, 19, minute, 0, 0, time.FixedZone("KST", 9*3600))
	}
	return &AnswerFile{
		Quiz: set.ID, QuizHash: hash, TextHash: lib.TextHash(set), Engine: engine.Version(),
		Learner: Learner{ID: "ana", Name: "Ana Nuñez"}, Lang: Spanish, Mode: Graded, Seed: 1,
		Started: at(0), Finished: at(20),
		Answers: map[string][]Entry{
			"example-single":    {{Raw: "c", At: at(1), Confidence: 75}, {Raw: "a", At: at(2), Hints: 1, Confidence: 75}},
			"example-truefalse": {{Raw: "false", At: at(3)}},
			"example-output":    {{Raw: "<0> & más\n", At: at(4)}, {Raw: "0", At: at(4)}},
		},
	}
}

// TestAnAnswerFileIsWrittenOneWay: UTC, milliseconds, items by id, and no
// HTML escapes; reading and writing again changes nothing.
func TestAnAnswerFileIsWrittenOneWay(t *testing.T) {
	lib, engine := testLibrary(t), newToyEngine()
	f := handedIn(t, lib, engine)
	datadriven.RunTest(t, "testdata/answerfile/written.txt", func(t *testing.T, d *datadriven.TestData) string {
		data, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadAnswerFile("ana.json", data)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := again.Encode(); err != nil || !bytes.Equal(data, twice) {
			t.Errorf("not the same twice: %v\n%s", err, twice)
		}
		return string(data)
	})
}

// TestAnswerFilesThatAreRefused: each with its reason and place. A case edits
// the written file, or is a whole one.
func TestAnswerFilesThatAreRefused(t *testing.T) {
	lib, engine := testLibrary(t), newToyEngine()
	good, err := handedIn(t, lib, engine).Encode()
	if err != nil {
		t.Fatal(err)
	}
	datadriven.RunTest(t, "testdata/answerfile/refused.txt", func(t *testing.T, d *datadriven.TestData) string {
		data := d.Input
		switch d.Cmd {
		case "edit":
			old, changed, _ := strings.Cut(d.Input, "=>")
			old, changed = strings.TrimSpace(old), strings.TrimSpace(changed)
			if s, err := strconv.Unquote(changed); err == nil && d.HasArg("quoted") {
				changed = s
			}
			if !bytes.Contains(good, []byte(old)) {
				d.Fatalf(t, "no %q", old)
			}
			data = strings.Replace(string(good), old, changed, 1)
		case "append":
			data = string(good) + d.Input
		case "cut":
			data = string(good[:len(good)-40])
		case "nest":
			data = strings.Repeat("[", 100000)
		case "large":
			data = strings.Repeat(" ", MaxFileSize) + string(good)
		}
		f, err := ReadAnswerFile("ana.json", []byte(data))
		if err == nil {
			return fmt.Sprintf("accepted: %s", f.Learner.ID)
		}
		return err.Error()
	})
}

// TestAHostileFileIsRefusedQuickly: the largest file of the smallest parts must
// not cost more than reading it.
func TestAHostileFileIsRefusedQuickly(t *testing.T) {
	for name, data := range map[string]string{
		"elements": `{"schema":1,"answers":{"x":[` + strings.Repeat("1,\n", MaxFileSize/4) + `1]}}`,
		"objects":  `{"schema":1,"answers":{"x":[` + strings.Repeat("{},\n", MaxFileSize/6) + `{}]}}`,
		"problems": `{"schema":1,"answers":{"x":[` + strings.Repeat(`{"a":1,"b":2},`, maxAttempts-1) + `{}]}}`,
		"escapes":  `{"schema":1,"quiz":"` + strings.Repeat(`\ud83d\ude00`, MaxFileSize/14) + `"}`,
	} {
		start := time.Now()
		if _, err := ReadAnswerFile(name, []byte(data)); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if took := time.Since(start); took > 20*time.Second { // seconds at most; the square would be minutes
			t.Errorf("%s: %v", name, took)
		}
	}
}

// TestHashesCoverWhatTheySay: a changed key or experiment is another quiz, a
// changed word is another wording, and neither is both.
func TestHashesCoverWhatTheySay(t *testing.T) {
	change := func(item, old, new string) (quizHash, textHash string) {
		lib := testLibrary(t)
		if item != "" {
			it, err := ParseItem("bank/"+item+".toml", editItem(t, item, old, new))
			if err != nil {
				t.Fatal(err)
			}
			lib.items[item] = it
		}
		set := lib.Set("example")
		h, err := lib.Hash(set, newToyEngine())
		if err != nil {
			t.Fatal(err)
		}
		return h, lib.TextHash(set)
	}
	quiz0, text0 := change("", "", "")
	for _, c := range []struct {
		item, old, new string
		quiz, text     bool
	}{
		{"example-output", `expression = "dropped"`, `expression = "behind"`, true, false},
		{"example-output", "points = 2", "points = 3", true, false},
		{"example-multiple", `scoring = "balanced"`, `scoring = "coverage"`, true, false},
		{"example-truefalse", "stated = false", "stated = true", true, false},
		{"example-numeric", "tolerance = 1", "tolerance = 2", true, false},
		{"example-poll", "¿Está completa", "¿Ya está completa", false, true},
		{"example-single", "Falta restar", "Queda por restar", false, true},
		{"example-output", "# Predict", "# Foretell", false, false},
		{"example-output", `refuted_by = "example-late"`, `refuted_by = "example-bound"`, false, false},
	} {
		quiz1, text1 := change(c.item, c.old, c.new)
		if (quiz1 != quiz0) != c.quiz || (text1 != text0) != c.text {
			t.Errorf("%s, %q → %q: quiz_hash changed %v, text_hash changed %v", c.item, c.old, c.new, quiz1 != quiz0, text1 != text0)
		}
	}
	engine := newToyEngine()
	x := engine.experiments["example-late"]
	x.script += "\nset dropped 1"
	engine.experiments["example-late"] = x
	lib := testLibrary(t)
	if h, err := lib.Hash(lib.Set("example"), engine); err != nil || h == quiz0 {
		t.Errorf("another experiment, the same hash (%v)", err)
	}
}

func FuzzReadAnswerFile(f *testing.F) {
	lib := testLibrary(f)
	good, err := handedIn(f, lib, newToyEngine()).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"schema":1,"SCHEMA":2}`))
	f.Add([]byte(`{"a":"\ud800"}`))
	f.Add([]byte(`[[[[[[[[[[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadAnswerFile("x.json", data)
		if err != nil {
			return
		}
		written, err := a.Encode()
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		b, err := ReadAnswerFile("x.json", written)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := b.Encode(); !bytes.Equal(written, again) {
			t.Error("not the same twice")
		}
	})
}

func FuzzParseAnswer(f *testing.F) {
	lib := testLibrary(f)
	for _, raw := range []string{"a,c", "1=b", "1.234", "12:00:04.999", "MIN", "４,5 ms", "\u2212１", "true", "set x 1"} {
		f.Add(raw, true)
	}
	f.Fuzz(func(t *testing.T, raw string, es bool) {
		lang := Korean
		if es {
			lang = Spanish
		}
		if n, err := ParseNumber(raw, lang); err == nil {
			for _, l := range Languages {
				if again, err := ParseNumber(formatNumber(n), l); err != nil || again.Cmp(n) != 0 {
					t.Errorf("%q is %v, written %q, read in %s as %v (%v)", raw, n, formatNumber(n), l, again, err)
				}
			}
		}
		for _, it := range lib.Items() {
			a, err := ParseAnswer(it, lang, raw)
			if err != nil || a.Blank {
				continue
			}
			for _, l := range Languages {
				again, err := ParseAnswer(it, l, a.Canonical())
				if err != nil || again.Canonical() != a.Canonical() {
					t.Errorf("%s: %q is %q, read in %s as %q (%v)", it.ID, raw, a.Canonical(), l, again.Canonical(), err)
				}
			}
		}
		if v := Visible(raw); strings.ContainsAny(v, "\x1b\n\r\u009b\u202e") {
			t.Errorf("%q is not harmless", v)
		}
	})
}

// TestVisible: what a terminal would obey is shown instead.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"Ana Núñez 안나":              "Ana Núñez 안나",
		"\x1b[2Jhola":               `\x1b[2Jhola`,
		"\u009b31m":                 `\x9b31m`,
		"a\u202egpj.exe":            `a\u{202e}gpj.exe`,
		"zero\u200bwidth\ufeff":     `zero\u{200b}width\u{feff}`,
		"line\nend\tand\rreturn":    `line\nend\tand\rreturn`,
		"bad\xff\xfe":               `bad\xff\xfe`,
		"\x1b]8;;http://x\x07t\x7f": `\x1b]8;;http://x\x07t\x7f`,
		"tag\U000e0041\ufe0f":       `tag\u{e0041}\u{fe0f}`,
	} {
		if got := Visible(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	if got := VisibleLines("a\n\tb\x1b\r"); got != "a\n\tb"+`\x1b\r` {
		t.Errorf("%q", got)
	}
}
