package quiz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// classroom is a directory of what thirty people might send: good files, a
// torn one, one of another quiz, links, the same person twice.
func classroom(t *testing.T, lib *Library, engine Engine) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir) // names in results are as given, so they must not depend on the machine
	write := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join("in", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	send := func(name string, change func(*AnswerFile)) {
		t.Helper()
		f := handedIn(t, lib, engine)
		change(f)
		data, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		write(name, data)
	}
	all := map[string]string{
		"example-single": "a", "example-multiple": "a,c", "example-truefalse": "false", "example-numeric": "2 s",
		"example-text": "워터마크", "example-order": "a c b d", "example-match": "1=b,2=a", "example-output": "0",
		"example-counterexample": "set dropped 1", "example-fix": "set slack 5000\nset watermark 1", "example-poll": "b",
	}
	answer := func(f *AnswerFile, raws map[string]string) {
		f.Answers = map[string][]Entry{}
		for id, raw := range raws {
			f.Answers[id] = []Entry{{Raw: raw, At: f.Started}}
		}
	}
	send("ana.json", func(f *AnswerFile) {})
	send("bora.json", func(f *AnswerFile) {
		f.Learner = Learner{"bora", "보라"}
		f.Lang = Korean
		answer(f, all)
	})
	send("group/bora-again.json", func(f *AnswerFile) { // practised later: the graded run counts
		f.Learner = Learner{"bora", "보라"}
		f.Mode = Practice
		f.Finished = f.Finished.Add(time.Hour)
	})
	send("carlos.json", func(f *AnswerFile) {
		f.Learner = Learner{"carlos", "\x1b[31mCarlos\u202e\u009b\x7f\U000e0041"}
		answer(f, all)
		f.Answers["example-numeric"] = []Entry{{Raw: "2.001", At: f.Started}}
		f.Finished = f.Started.Add(31 * time.Minute)
	})
	send("stranger.json", func(f *AnswerFile) { f.Learner = Learner{"zoe", "=1+1"} })
	send("old.json", func(f *AnswerFile) {
		f.Learner.ID = "dani"
		f.QuizHash = "sha256:" + strings.Repeat("0", 64)
	})
	send("other.json", func(f *AnswerFile) {
		f.Learner.ID = "eva"
		f.Quiz = "kafka-1"
	})
	send("seed.json", func(f *AnswerFile) {
		f.Learner.ID = "eva"
		f.Seed = 4
	})
	send("extra.json", func(f *AnswerFile) {
		f.Learner.ID = "gil"
		f.Answers["not-in-it"] = []Entry{{Raw: "x", At: f.Started}}
	})
	write("torn.json", []byte(`{"schema":1,"quiz":"exam`))
	write("notes.txt", []byte("\x1b]0;owned\x07 hello"))
	write("large.json", bytes.Repeat([]byte(" "), MaxFileSize+1))
	write(".DS_Store", []byte("not a row"))
	if err := os.WriteFile("secret.json", []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"in/link.json": "../secret.json", "in/inside.json": "ana.json", "in/nowhere.json": "gone.json", "in/dirlink": ".."} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip("this system lets no ordinary user make symbolic links: ", err)
		}
	}
	return "in"
}

// TestAClassIsGraded: one row for each file whatever its state, those without
// a file as missing, and the same bytes every time.
func TestAClassIsGraded(t *testing.T) {
	lib, engine := testLibrary(t), newToyEngine()
	golden, err := filepath.Abs("testdata/grade/class.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := classroom(t, lib, engine)
	roster, err := ReadRoster("roster.csv", strings.NewReader("\uFEFFid,name,section\nana,Ana,A\nbora,,A\ncarlos,,B\ndani,,B\neva,,B\ngil,,B\nhugo,Hugo,B\n"))
	if err != nil {
		t.Fatal(err)
	}
	var progress []string
	req := Request{
		Paths: []string{dir, filepath.Join(dir, "ana.json"), "not-there"}, Library: lib, Engine: engine, Glossary: toyGlossary, Roster: roster,
		Progress: func(done, total int, file string) { progress = append(progress, fmt.Sprintf("%d/%d", done, total)) },
	}
	report, err := Grade(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Grade(t.Context(), Request{Paths: []string{"not-there", dir}, Library: lib, Engine: newToyEngine(), Glossary: toyGlossary, Roster: roster})
	if err != nil {
		t.Fatal(err)
	}
	datadriven.RunTest(t, golden, func(t *testing.T, d *datadriven.TestData) string {
		out := func(r *Report) string {
			var b bytes.Buffer
			var err error
			switch d.Cmd {
			case "gradebook":
				err = r.WriteGradebook(&b, nil)
			case "long":
				err = r.WriteLong(&b, nil)
			case "json":
				err = r.WriteJSON(&b, nil)
			case "rest":
				for _, p := range r.Problems {
					fmt.Fprintln(&b, p)
				}
				fmt.Fprintln(&b, "exit code", r.ExitCode(false), "with a pass mark", r.ExitCode(true))
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			if err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		a, b := report, again
		if d.Cmd == "json" { // a few rows are enough to see the form
			a, b = a.only("in/carlos.json", "in/torn.json", ""), b.only("in/carlos.json", "in/torn.json", "")
		}
		first := out(a)
		if first != out(b) {
			t.Errorf("%s: not the same twice", d.Cmd)
		}
		if d.Cmd == "json" && !json.Valid([]byte(first)) {
			t.Error("not JSON")
		}
		if strings.ContainsAny(first, "\x1b\u009b\u202e\x7f\U000e0041") {
			t.Error("a learner's escape sequence reaches the terminal")
		}
		return first
	})
	if n := len(progress); n == 0 || progress[0] != "0/16" || progress[n-1] != "16/16" {
		t.Errorf("progress: %v", progress)
	}
}

// only keeps the rows of some files.
func (r *Report) only(files ...string) *Report {
	out := *r
	out.Rows = slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return !slices.Contains(files, row.File) })
	return &out
}

// TestAPassMark: exit code 1 only when it was asked for and somebody failed.
func TestAPassMark(t *testing.T) {
	lib, engine := testLibrary(t), newToyEngine()
	dir := classroom(t, lib, engine)
	for _, c := range []struct {
		file       string
		pass, code int
	}{{"bora.json", 0, 0}, {"bora.json", 100, 0}, {"ana.json", 0, 1}, {"ana.json", 10, 0}} {
		report, err := Grade(t.Context(), Request{Paths: []string{filepath.Join(dir, c.file)}, Library: lib, Engine: engine, Glossary: toyGlossary, Pass: c.pass})
		if err != nil {
			t.Fatal(err)
		}
		if got := report.ExitCode(true); got != c.code {
			t.Errorf("%s at %d %%: exit code %d, want %d (%s %%)", c.file, c.pass, got, c.code, report.Rows[0].Percent)
		}
	}
}

// TestOldVersionsCanBeGradedOnRequest: the score is today's, the status stays.
func TestOldVersionsCanBeGradedOnRequest(t *testing.T) {
	lib, engine := testLibrary(t), newToyEngine()
	dir := classroom(t, lib, engine)
	report, err := Grade(t.Context(), Request{Paths: []string{filepath.Join(dir, "old.json")}, Library: lib, Engine: engine, AnyVersion: true})
	if err != nil {
		t.Fatal(err)
	}
	if row := report.Rows[0]; row.Status != WrongVersion || !row.Scored || row.Points.Cmp(Score{}) == 0 {
		t.Errorf("%+v", row)
	}
}

// TestABrokenEngineIsNotTheLearnersFault: a panic and an experiment that is
// gone are rows with status defect and exit code 3, and the others are graded.
func TestABrokenEngineIsNotTheLearnersFault(t *testing.T) {
	lib, engine := testLibrary(t), newToyEngine()
	dir := classroom(t, lib, engine)
	data, _ := os.ReadFile(filepath.Join(dir, "bora.json"))
	bad := bytes.Replace(data, []byte("set dropped 1"), []byte("panic"), 1)
	if err := os.WriteFile(filepath.Join(dir, "panic.json"), bytes.Replace(bad, []byte(`"bora"`), []byte(`"paula"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := Grade(t.Context(), Request{Paths: []string{filepath.Join(dir, "panic.json"), filepath.Join(dir, "bora.json")}, Library: lib, Engine: engine, Glossary: toyGlossary})
	if err != nil {
		t.Fatal(err)
	}
	if report.Rows[0].Status != OK || report.Rows[1].Status != Defect || report.ExitCode(false) != 3 {
		t.Errorf("%s %s, exit code %d", report.Rows[0].Status, report.Rows[1].Status, report.ExitCode(false))
	}
	if !strings.Contains(report.Rows[1].Reason.Error(), "the toy broke") {
		t.Errorf("the reason is %v", report.Rows[1].Reason)
	}
	delete(engine.experiments, "example-late")
	report, err = Grade(t.Context(), Request{Paths: []string{filepath.Join(dir, "bora.json")}, Library: lib, Engine: engine})
	if err != nil || report.Rows[0].Status != Defect {
		t.Errorf("%v %v", report, err)
	}
}

// TestBounds: too many files and directories within directories are said, and
// the rest is graded; an interrupted grading gives no half result.
func TestBounds(t *testing.T) {
	lib, engine := testLibrary(t), newToyEngine()
	t.Chdir(t.TempDir())
	deep := filepath.Join("in", strings.Repeat("d/", maxDirDepth+1))
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	for n := range MaxFiles + 5 {
		if err := os.WriteFile(fmt.Sprintf("in/%04d.json", n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report, err := Grade(t.Context(), Request{Paths: []string{"in"}, Library: lib, Engine: engine})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Rows) != MaxFiles || report.ExitCode(false) != 2 {
		t.Errorf("%d rows, exit code %d", len(report.Rows), report.ExitCode(false))
	}
	if _, err = os.Stat("in/d"); err != nil {
		t.Fatal(err)
	}
	report, err = Grade(t.Context(), Request{Paths: []string{"in/d"}, Library: lib, Engine: engine})
	if err != nil || len(report.Problems) != 1 || report.Problems[0].ID != errDirDepth {
		t.Errorf("%v %v", report, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Grade(ctx, Request{Paths: []string{"in"}, Library: lib, Engine: engine}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestRosters: what a spreadsheet writes, and what cannot be one.
func TestRosters(t *testing.T) {
	datadriven.RunTest(t, "testdata/grade/roster.txt", func(t *testing.T, d *datadriven.TestData) string {
		roster, err := ReadRoster("roster.csv", strings.NewReader(d.Input))
		var b strings.Builder
		for _, l := range roster {
			fmt.Fprintf(&b, "%s %q\n", l.ID, l.Name)
		}
		if err != nil {
			b.WriteString(err.Error())
		}
		return b.String()
	})
}
