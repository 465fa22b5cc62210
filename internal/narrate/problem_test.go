package narrate_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/quiz"
	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

var problemForm = regexp.MustCompile(`^(world|job|script|expression|session|token|experiment)\.[a-z0-9-]+$`)

// Names that look like the id of a problem and are none: fault points and
// steps of the simulator.
var notProblems = func() map[string]bool {
	out := map[string]bool{}
	for _, b := range sim.StepTypes() {
		out[b.StepType()] = true
	}
	for _, p := range sim.FaultPoints() {
		out[p.Name] = true
	}
	return out
}()

// Every problem that the source of the simulator can make is worded in both
// languages, with the arguments that come with it and no others.
func TestEveryProblemIsWorded(t *testing.T) {
	found := problemsInSource(t)
	if len(found) < 90 {
		t.Fatalf("only %d problems found in the source", len(found))
	}
	for id, names := range found {
		if id == "job.yaml" && len(names) == 0 { // the name of a file in tests and documents
			continue
		}
		for _, nearest := range []string{"", "nearest"} {
			p := &sim.Problem{ID: id, Args: map[string]any{}}
			for name := range names {
				p.Args[name] = sample(name, nearest)
			}
			for _, lang := range locale.Langs {
				loc := locale.Strict(t, lang)
				text := narrate.Problem(loc, p)
				if text == p.Error() || strings.Contains(text, "["+id+"]") {
					t.Errorf("%s: %s is not worded", lang, id)
				}
				if nearest != "" && names["Nearest"] && !strings.Contains(text, nearest) {
					t.Errorf("%s: %s does not suggest the nearest word", lang, id)
				}
			}
		}
	}
}

func sample(name, nearest string) any {
	switch name {
	case "Nearest":
		return nearest
	case "Max", "Low", "High", "Limit", "Step", "Have", "ID", "Subtasks", "Parallelism", "Draws", "Size", "Waited", "Partitions", "Again":
		return 1200
	case "Bound":
		return "steps"
	case "Chapter":
		return "state"
	case "Type", "Left", "Right":
		return "integer"
	case "Value":
		return "7"
	}
	return "x"
}

// problemsInSource gives the ids with the names of their arguments.
func problemsInSource(t *testing.T) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	note := func(id string) map[string]bool {
		if out[id] == nil {
			out[id] = map[string]bool{}
		}
		return out[id]
	}
	err := filepath.WalkDir("../../sim", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec, *ast.Field:
				return false
			case *ast.BasicLit:
				if id, ok := literal(n); ok && problemForm.MatchString(id) && !notProblems[id] {
					note(id)
				}
			case *ast.CallExpr:
				for i, a := range n.Args {
					id, ok := literal(a)
					if !ok || !problemForm.MatchString(id) || notProblems[id] {
						continue
					}
					for k := i + 1; k < len(n.Args); k += 2 {
						if name, ok := literal(n.Args[k]); ok {
							note(id)[name] = true
						}
					}
					break
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func literal(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

func TestEveryBoundIsWorded(t *testing.T) {
	typ := reflect.TypeFor[sim.Bounds]()
	for i := range typ.NumField() {
		p := sim.NewProblem("world.bound", "Bound", strings.ToLower(typ.Field(i).Name), "Limit", int64(10))
		for _, lang := range locale.Langs {
			if narrate.Problem(locale.Strict(t, lang), p) == p.Error() {
				t.Errorf("%s: bound %s is not worded", lang, typ.Field(i).Name)
			}
		}
	}
}

// Where something is wrong stands in front, whatever type of error says it.
func TestProblemsNameTheirPlace(t *testing.T) {
	_, many := script.Parse("a.script", "prodce clicks/0 1 a 1\nadvance 5\n", script.Times{})
	w := world.New(world.Config{Files: map[string][]byte{"j.yaml": []byte("sources:\n  s: {splits: 1}\noperators:\n  - name: o\n    windw: {}\n")}})
	file := w.Start("job j.yaml", "j.yaml")
	for _, c := range []struct {
		name   string
		err    error
		es, ko string
	}{
		{"a script", many,
			"a.script:1:1: No hay ningún comando `prodce`. ¿Quisiste decir `produce`? `help` los muestra todos.\n" +
				"a.script:2:9: `5` no es una duración. Escribe un número con su unidad: `200ms`, `4.8s`, `5m`.",
			"a.script:1:1: `prodce`라는 명령은 없습니다. 혹시 `produce`입니까? `help`로 모든 명령을 볼 수 있습니다.\n" +
				"a.script:2:9: `5`는 시간 길이가 아닙니다. `200ms`, `4.8s`, `5m`처럼 단위를 붙여 쓰세요."},
		{"a job file", file,
			"j.yaml:5:5: Clave desconocida: `windw`. ¿Quisiste escribir `window`?",
			"j.yaml:5:5: 알 수 없는 키입니다: `windw`. 혹시 `window`입니까?"},
		{"a quiz", quiz.Problems{{ID: "quiz.error.missing-key", Pos: quiz.Pos{File: "q.toml", Line: 3}, Args: map[string]any{"Key": "kind"}}},
			"q.toml:3: Falta la clave `kind`.", "q.toml:3: "},
		{"none of the user's", errors.New("disk on fire"), "disk on fire", "disk on fire"},
	} {
		for lang, want := range map[locale.Lang]string{locale.ES: c.es, locale.KO: c.ko} {
			if got := narrate.Problem(locale.Strict(t, lang), c.err); got != want && !(strings.HasSuffix(want, ": ") && strings.HasPrefix(got, want)) {
				t.Errorf("%s, %s:\n%s\nwant\n%s", c.name, lang, got, want)
			}
		}
	}
}

// A detail that is an error of the user's is in words, not in ids.
func TestTheCauseOfAProblemIsWorded(t *testing.T) {
	cause := &sim.Problem{ID: "script.unknown-verb", Args: map[string]any{"Verb": "x", "Nearest": ""}}
	p := &sim.Problem{ID: "quiz.error.learner-script", Args: map[string]any{"Detail": cause.Error(), "Cause": cause}}
	for _, lang := range locale.Langs {
		loc := locale.Strict(t, lang)
		text := narrate.Problem(loc, p)
		want := strings.TrimSuffix(narrate.Problem(loc, cause), ".")
		if !strings.Contains(text, want+".") || strings.Contains(text, "..") || strings.Contains(text, cause.ID) {
			t.Errorf("%s: %s", lang, text)
		}
	}
}

// What the machine refuses is in the learner's language, in each of the messages
// that pass it on.
func TestErrorsOfTheMachineAreWorded(t *testing.T) {
	dir := t.TempDir()
	_, missing := os.Open(filepath.Join(dir, "none", "x"))
	_, folder := os.ReadFile(dir)
	exists := os.Mkdir(dir, 0o755)
	full := &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	denied := &os.LinkError{Op: "rename", Old: "x", New: "y", Err: syscall.EACCES}
	strange := &fs.PathError{Op: "open", Path: "x", Err: syscall.ELOOP}
	for _, lang := range locale.Langs {
		loc := locale.Strict(t, lang)
		for err, id := range map[error]string{missing: "missing", folder: "directory", exists: "exists", full: "full", denied: "permission"} {
			want := loc.Text("problem.system."+id, nil)
			for _, p := range []*sim.Problem{
				sim.NewProblem("session.save", "File", "x", "Detail", err.Error(), "Cause", err),
				sim.NewProblem("cli.file", "File", "x", "Detail", err.Error(), "Cause", err),
				sim.NewProblem("scratch.io", "Path", "x", "Detail", err.Error(), "Cause", err),
			} {
				if text := narrate.Problem(loc, p); !strings.Contains(text, want) || strings.Contains(text, err.Error()) {
					t.Errorf("%s: %s", lang, text)
				}
			}
			if got := narrate.System(loc, err); got != want {
				t.Errorf("%s: %v is %q", lang, err, got)
			}
		}
		if got := narrate.System(loc, strange); got != syscall.ELOOP.Error() {
			t.Errorf("%s: %q", lang, got)
		}
	}
}
