package layout

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "streaminglab/"

// order lists the groups from left to right: a package imports only what
// stands to the right of it. A name with /* means everything below.
var order = [][]string{
	{"cmd/lab"},
	{"internal/docs", "internal/shots"},
	{"internal/check", "internal/tui", "internal/plain", "internal/layout"},
	{"internal/view", "internal/progress"},
	{"internal/narrate", "internal/markdown"},
	{"internal/locale", "internal/glossary", "internal/coverage", "internal/scratch"},
	{"quiz/engine"},
	{"quiz", "lessons"},
	{"sim/search"},
	{"sim/session/sessiontest"},
	{"sim/session"},
	{"sim/script"},
	{"sim/conform"},
	{"sim/world"},
	{"sim/verdict"},
	{"sim/fold"},
	{"sim/connector/*", "sim/sql", "sim/kube"},
	{"sim/flink"},
	{"sim/eventtime", "sim/checkpoint", "sim/kafka", "sim/iceberg", "sim/state/lsm", "sim/objectstore", "sim/cost", "sim/barrier"},
	{"sim/operator"},
	{"sim/state"},
	{"sim/ledger"},
	{"sim"},
	{"assets"},
}

// within lists the pairs inside a group that are allowed.
var within = map[string]string{
	"internal/plain":    "",
	"internal/view":     "internal/progress",
	"internal/glossary": "internal/locale",
	"internal/coverage": "internal/locale",
	"sim/checkpoint":    "sim/objectstore",
}

// only says who alone may import a package.
var only = map[string][]string{
	"sim/conform":   {"cmd/lab", "internal/docs"},
	"sim/state/lsm": {"sim/flink", "sim/world", "sim/checkpoint", "sim/conform"},
}

func place(pkg string) int {
	for i, group := range order {
		for _, p := range group {
			if p == pkg || strings.HasSuffix(p, "/*") && strings.HasPrefix(pkg, strings.TrimSuffix(p, "*")) {
				return i
			}
		}
	}
	return -1
}

func TestImportsKeepTheOrder(t *testing.T) {
	root := "../.."
	seen := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && file != root || d.Name() == "testdata" || d.Name() == "bin") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(rel))
		from := place(pkg)
		if from < 0 {
			t.Errorf("%s: package %s has no place in the order", rel, pkg)
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		test := strings.HasSuffix(file, "_test.go")
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			if strings.HasPrefix(name, "github.com/cockroachdb/pebble") && pkg != "sim/state/lsm" {
				t.Errorf("%s imports Pebble, which is behind sim/state/lsm", rel)
			}
			to, ok := strings.CutPrefix(name, module)
			if !ok || to == pkg {
				continue
			}
			seen++
			switch at := place(to); {
			case at < 0:
				t.Errorf("%s imports %s, which has no place in the order", rel, to)
			case at > from:
			case test:
				// A story may be told with what stands to the left.
			case at == from && within[pkg] == to:
			default:
				t.Errorf("%s imports %s, which stands to its left", rel, to)
			}
			if to == "assets" && strings.HasPrefix(pkg, "sim") {
				t.Errorf("%s imports assets: nothing under sim knows a file", rel)
			}
			if who := only[to]; who != nil && !test && !contains(who, pkg) {
				t.Errorf("%s imports %s, which is for %v only", rel, to, who)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 100 {
		t.Errorf("only %d imports were seen: the test looks in the wrong place", seen)
	}
}

func contains(in []string, s string) bool {
	for _, x := range in {
		if x == s {
			return true
		}
	}
	return false
}

// Every package says what it is in doc.go.
func TestEveryPackageHasADocGo(t *testing.T) {
	root := "../.."
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") && file != root || d.Name() == "testdata" || d.Name() == "bin" {
			return fs.SkipDir
		}
		entries, err := os.ReadDir(file)
		if err != nil {
			return err
		}
		code, doc, command := false, false, false
		for _, e := range entries {
			code = code || strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go")
			doc = doc || e.Name() == "doc.go"
			command = command || e.Name() == "main.go"
		}
		if code && !doc && !command {
			t.Errorf("%s has no doc.go", file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
