package progress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"streaminglab/internal/locale"
)

var t0 = time.Date(2026, 11, 29, 15, 0, 0, 0, time.UTC)

// story is a learner's first hour.
var story = []Event{
	LanguageChosen{Lang: "ko"},
	LessonOpened{Lesson: "time-1"},
	AnswerLocked{Lesson: "time-1", Item: "time-1-complete", Raw: "b", Seed: 7},
	LessonPosition{Lesson: "time-1", Block: 4, Blocks: 12},
	HintShown{Experiment: "time-1-break", Hint: 2},
	ExperimentRun{Lesson: "time-1", Experiment: "time-1-break", Version: 1, Seed: 18446744073709551615,
		Commands: []string{"produce clicks/0 12:00:04 ana 2", "advance 200ms"}, Reached: true, TraceHash: "abc", Engine: "0.1"},
	QuizStarted{Quiz: "time", QuizHash: "h", Seed: 9, Mode: "practice"},
	AnswerLocked{Quiz: "time", Item: "time-1-behind-not-late", Raw: "0\n\"한글\" <>&", Hints: 1, Confidence: 75, Seed: 9},
	SolutionShown{Item: "time-1-behind-not-late"},
	QuizFinished{Quiz: "time"},
}

func write(t testing.TB, s *Store, events []Event) {
	t.Helper()
	for i, e := range events {
		if err := s.Append(t0.Add(time.Duration(i)*time.Second), e); err != nil {
			t.Fatal(err)
		}
	}
}

func events(l *Log) []Event {
	var out []Event
	for _, e := range l.Entries {
		out = append(out, e.Event)
	}
	return out
}

func mustRead(t testing.TB, s *Store) *Log {
	t.Helper()
	l, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestWhatWasWrittenIsRead(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "a", "b"))
	if l := mustRead(t, s); len(l.Entries) != 0 {
		t.Fatal("nothing was written yet")
	}
	if _, err := os.Stat(filepath.Dir(s.Path())); !errors.Is(err, fs.ErrNotExist) {
		t.Error("reading made a directory")
	}
	write(t, s, story)
	l := mustRead(t, s)
	if got := events(l); !reflect.DeepEqual(got, story) {
		t.Errorf("got %#v", got)
	}
	if len(l.Damage) != 0 || l.Newer != 0 || l.Backup != "" {
		t.Errorf("%+v", l)
	}
	if at := l.Entries[3].At; !at.Equal(t0.Add(3 * time.Second)) {
		t.Error(at)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]fs.FileMode{s.Path(): 0o600, filepath.Dir(s.Path()): 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v %v", path, info.Mode(), err)
			}
		}
	}
}

// A kill may stop the writer at any byte. Whatever the length of the file, the
// whole lines are read, the cut one is reported and not taken for something
// else, and the next line that is written is whole.
func TestCutAtEveryByte(t *testing.T) {
	s := Open(t.TempDir())
	write(t, s, story)
	whole, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	next := LessonOpened{Lesson: "time-2"}
	for n := 0; n <= len(whole); n++ {
		cut := whole[:n]
		if err := os.WriteFile(s.Path(), cut, 0o600); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(cut, []byte("\n"))
		tail := cut[bytes.LastIndexByte(cut, '\n')+1:]
		complete := n < len(whole) && len(tail) > 0 && whole[n] == '\n' // only its newline is missing
		if complete {
			lines++
		}
		l := mustRead(t, s)
		if got := events(l); len(got) != lines || lines > 0 && !reflect.DeepEqual(got, story[:lines]) {
			t.Fatalf("cut at %d: %d lines, want %d", n, len(got), lines)
		}
		torn := len(tail) > 0 && !complete
		if torn != (len(l.Damage) == 1) || torn && !l.Damage[0].Torn {
			t.Fatalf("cut at %d: damage %+v", n, l.Damage)
		}
		if err := s.Append(t0, next); err != nil {
			t.Fatal(err)
		}
		l = mustRead(t, s)
		if got := events(l); !reflect.DeepEqual(got, append(append([]Event{}, story[:lines]...), next)) {
			t.Fatalf("cut at %d, then appended: %#v", n, got)
		}
		if torn && (len(l.Damage) != 1 || l.Damage[0].Torn) {
			t.Fatalf("cut at %d: the torn line is now one in the middle: %+v", n, l.Damage)
		}
	}
}

// The test binary is also the other lab.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PROGRESS_TEST_DIR"); dir != "" {
		n, _ := strconv.Atoi(os.Getenv("PROGRESS_TEST_N"))
		s := Open(dir)
		for i := 0; n < 0 || i < n; i++ {
			if err := s.Append(t0, AnswerLocked{Item: os.Getenv("PROGRESS_TEST_WHO"), Raw: strings.Repeat("x", i%300), Seed: uint64(i)}); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println(i)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func other(dir, who string, n int) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PROGRESS_TEST_DIR="+dir, "PROGRESS_TEST_WHO="+who, fmt.Sprintf("PROGRESS_TEST_N=%d", n))
	return c
}

func TestSeveralLabsAtOnce(t *testing.T) {
	dir := t.TempDir()
	const labs, each = 4, 150
	var wg sync.WaitGroup
	for i := range labs {
		wg.Go(func() {
			if out, err := other(dir, fmt.Sprint("lab", i), each).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	l := mustRead(t, Open(dir))
	if len(l.Damage) != 0 || len(l.Entries) != labs*each {
		t.Fatalf("%d entries, damage %v", len(l.Entries), l.Damage)
	}
	// Each lab finds its own lines, in its own order.
	for who, item := range Fold(l.Entries).Items {
		for i, a := range item.Answers {
			if a.Seed != uint64(i) {
				t.Fatalf("%s: answer %d has seed %d", who, i, a.Seed)
			}
		}
	}
}

// A lab that is killed has lost nothing that it had confirmed.
func TestKillNine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGKILL that a process could be sent")
	}
	dir := t.TempDir()
	for round := range 5 {
		c := other(dir, fmt.Sprint("round", round), -1)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		confirmed := 0
		sc := bufio.NewScanner(out)
		for sc.Scan() {
			confirmed++
			if confirmed == 20+round {
				c.Process.Kill()
			}
		}
		c.Wait()
		l := mustRead(t, Open(dir))
		if got := len(Fold(l.Entries).Items[fmt.Sprint("round", round)].Answers); got < confirmed {
			t.Fatalf("round %d: %d answers were confirmed, %d are there", round, confirmed, got)
		}
	}
}

// fullDisk writes so many bytes and no more.
type fullDisk struct {
	*os.File
	room int
}

func (f *fullDisk) Write(p []byte) (int, error) {
	n := min(f.room, len(p))
	w, err := f.File.Write(p[:n])
	f.room -= w
	if err == nil && n < len(p) {
		err = &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	return w, err
}

func TestAFullDiskIsSaidAndTheLabGoesOn(t *testing.T) {
	s := Open(t.TempDir())
	write(t, s, story[:3])
	real := s.open
	for room := range 60 {
		s.open = func(path string) (file, error) {
			f, err := real(path)
			if err != nil {
				return nil, err
			}
			return &fullDisk{f.(*os.File), room}, nil
		}
		err := s.Append(t0, story[3])
		var p *Problem
		if !errors.As(err, &p) || p.ID != "progress.full" || !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		for _, l := range locale.Langs {
			locale.Strict(t, l).Text(p.ID, p.Args)
		}
	}
	s.open = real
	if err := s.Append(t0, story[3]); err != nil {
		t.Fatal(err)
	}
	l := mustRead(t, s)
	if got := events(l); !reflect.DeepEqual(got, story[:4]) {
		t.Errorf("once there is room again: %#v", got)
	}
}

func TestADirectoryThatCannotBeWritten(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "a-file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Open(filepath.Join(blocked, "home")).Append(t0, story[0])
	var p *Problem
	if !errors.As(err, &p) || p.ID != "progress.write" {
		t.Error(err)
	}
}

func TestAnOlderVersionIsMigratedWithABackup(t *testing.T) {
	s := Open(t.TempDir())
	old := `{"type":"language","time":1764428400,"lang":"es"}` + "\n" +
		`not a line` + "\n" +
		`{"type":"answer.locked","time":1764428401,"item":"a","raw":"b","seed":18446744073709551615}` + "\n" +
		`{"type":"lesson.op`
	if err := os.WriteFile(s.Path(), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	l := mustRead(t, s)
	want := []Event{LanguageChosen{Lang: "es"}, AnswerLocked{Item: "a", Raw: "b", Seed: 18446744073709551615}}
	if got := events(l); !reflect.DeepEqual(got, want) {
		t.Errorf("%#v", got)
	}
	if len(l.Damage) != 2 || !l.Damage[1].Torn {
		t.Errorf("what could not be read stays and is reported: %+v", l.Damage)
	}
	if kept, err := os.ReadFile(l.Backup); err != nil || string(kept) != old {
		t.Errorf("backup %q: %q %v", l.Backup, kept, err)
	}
	if again := mustRead(t, s); again.Backup != "" || len(again.Entries) != 2 {
		t.Errorf("a second migration: %+v", again)
	}
	names, _ := os.ReadDir(filepath.Dir(s.Path()))
	if len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}

func TestANewerVersionIsLeftAlone(t *testing.T) {
	s := Open(t.TempDir())
	write(t, s, story[:1])
	f, _ := os.OpenFile(s.Path(), os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString(`{"v":2,"kind":"language","at":"2027-01-01T00:00:00Z","lang":{"x":1}}` + "\n")
	f.WriteString(`{"v":1,"kind":"badge.won","at":"2027-01-01T00:00:00Z"}` + "\n")
	f.Close()
	l := mustRead(t, s)
	if l.Newer != 1 || len(l.Entries) != 2 || l.Entries[1].Event != nil || len(l.Damage) != 0 {
		t.Errorf("%+v", l)
	}
	var b bytes.Buffer
	if n, err := s.Export(&b); err != nil || n != 3 {
		t.Errorf("an export takes it along: %d %v", n, err)
	}
}

func TestSummaryOfTheStory(t *testing.T) {
	s := Open(t.TempDir())
	write(t, s, story)
	sum := Fold(mustRead(t, s).Entries)
	if sum.Lang != "ko" || sum.Last.Lesson != "time-1" || sum.Last.Block != 4 || sum.Last.Blocks != 12 {
		t.Errorf("%+v", sum)
	}
	l := sum.Lessons["time-1"]
	if l.Opened != 1 || !l.Items["time-1-complete"] || !l.Reached["time-1-break"] || l.Furthest != 4 {
		t.Errorf("%+v", l)
	}
	x := sum.Experiments["time-1-break"]
	if !x.Reached || x.Hints != 2 || x.Runs != 1 || x.Solution || len(x.Best.Commands) != 2 {
		t.Errorf("%+v", x)
	}
	i := sum.Items["time-1-behind-not-late"]
	if len(i.Answers) != 1 || i.Answers[0].Confidence != 75 || i.Hints != 1 || !i.Solution {
		t.Errorf("%+v", i)
	}
	q := sum.Quizzes["time"]
	if q.Attempts != 1 || q.Finished.IsZero() || len(q.Answers) != 1 || q.Seed != 9 {
		t.Errorf("%+v", q)
	}
	if open := sum.OpenQuizzes(); len(open) != 0 {
		t.Error(open)
	}
}

func TestFoldOfRepeatedThings(t *testing.T) {
	at := func(i int, e Event) Entry { return Entry{At: t0.Add(time.Duration(i) * time.Minute), Event: e} }
	sum := Fold([]Entry{
		at(0, LessonPosition{Lesson: "a", Block: 9, Blocks: 10}),
		at(1, LessonPosition{Lesson: "a", Block: 2, Blocks: 10}),
		at(2, ExperimentRun{Experiment: "x", Reached: true, Seed: 1}),
		at(3, ExperimentRun{Experiment: "x", Seed: 2}),
		at(4, ExperimentRun{Experiment: "x", Reached: true, Seed: 3}),
		at(5, QuizStarted{Quiz: "q", Seed: 1}),
		at(6, AnswerLocked{Quiz: "q", Item: "i", Raw: "a"}),
		at(7, QuizStarted{Quiz: "q", Seed: 2}),
		at(8, QuizStarted{Quiz: "r", Seed: 2}),
		at(9, LessonOpened{Lesson: "a"}),
		at(10, nil),
	})
	if l := sum.Lessons["a"]; l.Block != 2 || l.Furthest != 9 {
		t.Errorf("going back does not lose the furthest place: %+v", l)
	}
	if sum.Last.Block != 2 || !sum.Last.At.Equal(t0.Add(9*time.Minute)) {
		t.Errorf("opening a lesson again continues at its place: %+v", sum.Last)
	}
	if x := sum.Experiments["x"]; x.Best.Seed != 1 || x.LastRun.Seed != 3 || x.Runs != 3 || !x.Reached {
		t.Errorf("%+v", x)
	}
	if q := sum.Quizzes["q"]; q.Attempts != 2 || len(q.Answers) != 0 || q.Seed != 2 {
		t.Errorf("a new attempt begins empty: %+v", q)
	}
	if len(sum.Items["i"].Answers) != 1 {
		t.Error("an answer of an earlier attempt is not forgotten")
	}
	if open := sum.OpenQuizzes(); !reflect.DeepEqual(open, []string{"r", "q"}) {
		t.Error(open)
	}
}

func TestExportImportReset(t *testing.T) {
	a, b := Open(t.TempDir()), Open(t.TempDir())
	write(t, a, story)
	var out bytes.Buffer
	if n, err := a.Export(&out); err != nil || n != len(story) {
		t.Fatal(n, err)
	}
	if err := b.Append(t0.Add(4500*time.Millisecond), LessonOpened{Lesson: "other"}); err != nil {
		t.Fatal(err)
	}
	got, err := b.Import(bytes.NewReader(out.Bytes()))
	if err != nil || got.Added != len(story) || got.Known != 0 {
		t.Fatalf("%+v %v", got, err)
	}
	l := mustRead(t, b)
	if len(l.Entries) != len(story)+1 || l.Entries[5].Event != (LessonOpened{Lesson: "other"}) {
		t.Errorf("lines are sorted in by their time: %#v", events(l))
	}
	if kept, _ := os.ReadFile(got.Backup); bytes.Count(kept, []byte("\n")) != 1 {
		t.Errorf("the backup is the file as it was: %q", kept)
	}
	if got, err = b.Import(bytes.NewReader(out.Bytes())); err != nil || got.Added != 0 || got.Known != len(story) {
		t.Errorf("a second import adds nothing: %+v %v", got, err)
	}
	before, _ := os.ReadFile(b.Path())
	_, err = b.Import(strings.NewReader(out.String() + "{\"v\":1,\"ki"))
	var p *Problem
	if !errors.As(err, &p) || p.ID != "progress.import.line" || p.Args["Line"] != len(story)+1 {
		t.Errorf("a damaged import: %v", err)
	}
	if after, _ := os.ReadFile(b.Path()); !bytes.Equal(before, after) {
		t.Error("a refused import changed the file")
	}
	old, err := b.Import(strings.NewReader(`{"type":"language","time":1764428400,"lang":"es"}`))
	if err != nil || old.Added != 1 {
		t.Errorf("an export of an older version: %+v %v", old, err)
	}

	kept, err := b.Reset(t0)
	if err != nil || !strings.Contains(kept, "2026-11-29") {
		t.Fatal(kept, err)
	}
	if l := mustRead(t, b); len(l.Entries) != 0 {
		t.Error("a reset begins anew")
	}
	if l := parse(readFile(t, kept)); len(l.Entries) != len(story)+2 {
		t.Error("the old file keeps everything")
	}
	if kept, err := b.Reset(t0); err != nil || kept != "" {
		t.Error("nothing to reset", kept, err)
	}
	write(t, b, story[:1])
	again, err := b.Reset(t0)
	if err != nil || again == kept || again == "" {
		t.Error("a second reset in the same second keeps both files", again, err)
	}
}

func readFile(t *testing.T, path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A line that another lab writes while the file is rewritten is not lost.
func TestALineDuringARewriteIsKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows a file that another process holds open cannot be replaced")
	}
	s := Open(t.TempDir())
	write(t, s, story[:2])
	_, err := s.rewrite("copy", func(text string) string {
		f, _ := s.open(s.Path())
		line, _ := encode(t0, story[2])
		if err := appendLine(f, line); err != nil {
			t.Fatal(err)
		}
		f.Close()
		return text
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := events(mustRead(t, s)); !reflect.DeepEqual(got, story[:3]) {
		t.Errorf("%#v", got)
	}
}

func TestHome(t *testing.T) {
	root := string(filepath.Separator)
	for _, c := range []struct {
		flag string
		env  map[string]string
		want string
	}{
		{root + "f", map[string]string{"LAB_HOME": root + "l"}, root + "f"},
		{"", map[string]string{"LAB_HOME": root + "l", "XDG_STATE_HOME": root + "x"}, root + "l"},
		{"", map[string]string{"XDG_STATE_HOME": root + "x", "HOME": root + "h"}, filepath.Join(root, "x", "lab")},
		{"", map[string]string{"XDG_STATE_HOME": "relative", "HOME": root + "h"}, filepath.Join(root, "h", ".local", "state", "lab")},
	} {
		if runtime.GOOS == "windows" {
			continue
		}
		got, err := Home(c.flag, func(k string) string { return c.env[k] })
		if err != nil || got != c.want {
			t.Errorf("%+v: %s %v", c, got, err)
		}
	}
}

func TestProblemsHaveTexts(t *testing.T) {
	args := map[string]any{"File": "f", "Error": "e", "Line": 3, "Megabytes": 64, "Known": 1}
	for _, l := range locale.Langs {
		texts := locale.Strict(t, l)
		for _, id := range []string{"home", "read", "write", "full", "permission", "torn", "damaged", "export", "migrated",
			"import.read", "import.size", "import.line", "reset.done", "reset.nothing"} {
			texts.Text("progress."+id, args)
		}
		for _, n := range []int64{0, 1, 2, 1000000} {
			texts.Plural("progress.newer", n, args)
			texts.Plural("progress.imported", n, args)
		}
	}
}

func FuzzRead(f *testing.F) {
	var all []string
	for i, e := range story {
		line, _ := encode(t0.Add(time.Duration(i)*time.Second), e)
		all = append(all, line)
		f.Add(line)
	}
	f.Add(strings.Join(all, "\n"))
	f.Add(`{"type":"language","time":1,"lang":"es"}`)
	f.Add("{}\nnull\n[]\n{\"v\":-1}\n{\"v\":1e9}\n\"x\"\n{\"v\":0,\"type\":\"\",\"time\":9223372036854775807}")
	f.Fuzz(func(t *testing.T, text string) {
		s := Open(t.TempDir())
		if err := os.WriteFile(s.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		Fold(l.Entries)
		if err := s.Append(t0, story[0]); err != nil {
			t.Fatal(err)
		}
		again := mustRead(t, s)
		if len(again.Entries) != len(l.Entries)+1 {
			t.Fatalf("%d entries, then %d", len(l.Entries), len(again.Entries))
		}
		if again.Backup != "" {
			t.Fatal("migrated twice")
		}
		if _, err := s.Export(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}

// Lines that are none, or that only a newer lab understands, neither keep an
// export from being imported nor are lost with it.
func TestExportOfADamagedFileCanBeImported(t *testing.T) {
	dir := t.TempDir()
	good := `{"v":1,"kind":"lesson.opened","at":"2026-01-01T00:00:00.000Z","lesson":"time-1"}`
	newer := `{"v":99,"what":"unheard of"}`
	text := strings.Join([]string{"\x00\x00\xff", good, "null", "[]", newer, `{"v":-1}`, `{"v":1e99}`, `{"v":0,"type":"x"}`, `{"v":1,"kind":"answer.locked","at":"x"}`}, "\n")
	if err := os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if n, err := Open(dir).Export(&out); err != nil || n != 2 || out.String() != good+"\n"+newer+"\n" {
		t.Fatalf("%d lines, %v:\n%s", n, err, out.String())
	}
	other := Open(t.TempDir())
	if done, err := other.Import(&out); err != nil || done.Added != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	log, err := other.Read()
	if err != nil || len(log.Entries) != 1 || log.Newer != 1 || len(log.Damage) != 0 {
		t.Errorf("%+v, %v", log, err)
	}
}
