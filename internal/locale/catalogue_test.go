package locale

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// The gate: what the program says exists, whole and clean, in both languages.
func TestEmbeddedCataloguesAreComplete(t *testing.T) {
	c, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Check() {
		t.Error(f)
	}
	if len(c.IDs(ES)) == 0 {
		t.Error("the catalogue is empty")
	}
}

// Ids that the code writes as literals exist, so that a typing error in an id
// fails here and not in front of a learner.
func TestIdsInCodeExist(t *testing.T) {
	c, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := goparser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil // the compiler says it better
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Text" && sel.Sel.Name != "Plural" {
				return true
			}
			lit, ok := call.Args[0].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			id, _ := strconv.Unquote(lit.Value)
			if !c.Has(ES, id) {
				t.Errorf("%s: message %q does not exist", path, id)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, es, ko string) *Catalogue {
	t.Helper()
	c, err := Load(fstest.MapFS{
		"es/a.toml": {Data: []byte(es)}, "ko/a.toml": {Data: []byte(ko)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPluralFormsFollowTheLanguage(t *testing.T) {
	c := load(t,
		"[a.n]\none = \"{{.Count | num}} lección\"\nmany = \"{{.Count | num}} de lecciones\"\nother = \"{{.Count | num}} lecciones\"",
		"[a.n]\nother = \"레슨 {{.Count | num}}개\"")
	for n, want := range map[int64][2]string{
		0: {"0 lecciones", "레슨 0개"}, 1: {"1 lección", "레슨 1개"}, 2: {"2 lecciones", "레슨 2개"},
		1000: {"1000 lecciones", "레슨 1,000개"}, 1000000: {"1.000.000 de lecciones", "레슨 1,000,000개"},
	} {
		if got := c.Localizer(ES).Plural("a.n", n, nil); got != want[0] {
			t.Errorf("es %d: %s", n, got)
		}
		if got := c.Localizer(KO).Plural("a.n", n, nil); got != want[1] {
			t.Errorf("ko %d: %s", n, got)
		}
	}
}

func TestDefectiveMessagesAreReportedAndStillShown(t *testing.T) {
	c := load(t,
		"[a]\nboth = \"hola, {{.Name}}\"\nes = \"solo español\"\n[a.n]\none = \"uno\"\nmany = \"de\"\nother = \"otros\"",
		"[a]\nboth = \"{{.Name | josa \\\"이/가\\\"}} 왔습니다\"\n[a.n]\nother = \"개\"")
	for _, s := range []struct {
		why     string
		do      func(*Localizer) string
		want    string
		defects int
	}{
		{"a whole message", func(l *Localizer) string { return l.Text("a.both", Args{"Name": "Flink"}) }, "Flink가 왔습니다", 0},
		{"a variable is missing", func(l *Localizer) string { return l.Text("a.both", nil) }, "[a.both]", 1},
		{"a variable is nil", func(l *Localizer) string { return l.Text("a.both", Args{"Nmae": "x"}) }, "[a.both]", 1},
		{"only the other language has it", func(l *Localizer) string { return l.Text("a.es", nil) }, "[a.es] solo español", 1},
		{"nobody has it", func(l *Localizer) string { return l.Text("a.what", nil) }, "[a.what]", 1},
		{"a count is forgotten", func(l *Localizer) string { return l.Text("a.n", nil) }, "[a.n]", 1},
		{"a count is too much", func(l *Localizer) string { return l.Plural("a.both", 2, Args{"Name": "x"}) }, "[a.both]", 1},
	} {
		n := 0
		got := s.do(c.Localizer(KO).Reporting(func(error) { n++ }))
		if got != s.want || n != s.defects {
			t.Errorf("%s: %q, %d defects", s.why, got, n)
		}
	}
}

func TestCheckFindsEachDefect(t *testing.T) {
	for _, c := range []struct{ why, es, ko, want string }{
		{"missing", "a = \"x\"", "b = \"y\"", "locale.check.missing"},
		{"a plural form", "[a]\none = \"x\"\nother = \"y\"", "[a]\nother = \"z\"", "locale.check.form"},
		{"a form too much", "[a]\none = \"x\"\nmany = \"x\"\nother = \"y\"", "[a]\none = \"z\"\nother = \"z\"", "locale.check.extra"},
		{"variables", "a = \"{{.X}}\"", "a = \"{{.Y}}\"", "locale.check.variables"},
		{"a variable in a branch", "a = \"{{if .X}}{{.Z}}{{end}}\"", "a = \"{{.X}}\"", "locale.check.variables"},
		{"particles in Spanish", "a = \"{{.X | josa `이/가`}}\"", "a = \"{{.X}}\"", "locale.check.template"},
		{"a broken template", "a = \"{{.X\"", "a = \"{{.X}}\"", "locale.check.template"},
		{"a zero width joiner", "a = \"x\u200dy\"", "a = \"z\"", "locale.check.character"},
		{"a direction control", "a = \"x\u202ey\"", "a = \"z\"", "locale.check.character"},
		{"a decomposed letter", "a = \"n\u0303\"", "a = \"z\"", "locale.check.nfc"},
	} {
		var problems []string
		for _, f := range load(t, c.es, c.ko).Check() {
			problems = append(problems, f.Problem)
		}
		if !contains(problems, c.want) {
			t.Errorf("%s: %v", c.why, problems)
		}
	}
	if f := load(t, "a = \"{{.X}}\"", "a = \"{{.X}}\"").Check(); len(f) != 0 {
		t.Error(f)
	}
}

func TestOneIdInTwoPartsIsRefused(t *testing.T) {
	_, err := Load(fstest.MapFS{"es/a.toml": {Data: []byte("x = \"1\"")}, "es/b.toml": {Data: []byte("x = \"2\"")}})
	if err == nil || !strings.Contains(err.Error(), "es/a.toml") {
		t.Error(err)
	}
}

func TestFunctionsInMessages(t *testing.T) {
	c := load(t,
		"a = \"{{.W | code}} emite {{interval .S .E}} a las {{.T | time}} tras {{.D | dur}}: {{list .L}}\"",
		"a = \"{{.W | code | josa \\\"이/가\\\"}} {{.T | time}}에 {{interval .S .E | josa \\\"을/를\\\"}} 냅니다: {{list .L}}, {{.D | dur}}\"")
	args := Args{"W": "totals[0]", "S": 43200000, "E": 43210000, "T": 43211000, "D": 4800, "L": []string{"ana", "blas", "inés"}}
	if got := Text(c, ES, args); got != "`totals[0]` emite [12:00:00, 12:00:10) a las 12:00:11 tras 4,8\u00a0s: ana, blas e inés" {
		t.Error(got)
	}
	if got := Text(c, KO, args); got != "`totals[0]`이 12:00:11에 [12:00:00, 12:00:10)을 냅니다: ana, blas, inés, 4.8초" {
		t.Error(got)
	}
	day, _ := Day("2026-09-12")
	l := c.Localizer(ES).WithDay(day)
	args["T"] = day + 3600000
	if got := l.Text("a", args); !strings.Contains(got, "a las 01:00:00 ") {
		t.Error(got)
	}
	if l.In(KO).In(ES).Text("a", args) != l.Text("a", args) {
		t.Error("the day follows a change of language")
	}
}

func Text(c *Catalogue, l Lang, args Args) string { return c.Localizer(l).Text("a", args) }
