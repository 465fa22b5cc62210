package ledger

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// Recordings of these kinds come with their chapters. They were looked at when
// the ledger was written, but they do not lie in this repository yet.
var laterKinds = map[string]bool{"sql-plan": true, "sql-window": true}

var ruleForm = regexp.MustCompile(`^(EV|LAB|CP|ICE|K|F|Q|L)-[0-9]+(\.[0-9]+[a-z]?)?$`)

// Whatever rule a step or a fault point carries, the ledger knows it.
func TestEveryRuleInTheSourceIsInTheLedger(t *testing.T) {
	found := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			filepath.Base(filepath.Dir(path)) == "ledger" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			id, err := strconv.Unquote(lit.Value)
			if err != nil || !ruleForm.MatchString(id) {
				return true
			}
			found++
			if _, ok := Find(id); !ok {
				t.Errorf("%s: rule %s is not in the ledger", path, id)
			}
			return true
		})
		return nil
	})
	if err != nil || found == 0 {
		t.Fatalf("%d rules found, %v", found, err)
	}
}

// Each rule has its statement, and what it leaves out when it leaves something
// out, in both languages; no message speaks of a rule that is not there.
func TestEveryRuleIsWorded(t *testing.T) {
	for _, lang := range []string{"es", "ko"} {
		texts := map[string]string{}
		if _, err := toml.DecodeFile("../../assets/locales/"+lang+"/rules.toml", &texts); err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for _, r := range Rules() {
			want["rule."+r.ID] = true
			if r.Simplified {
				want["rule."+r.ID+".simplified"] = true
			}
		}
		for id := range want {
			if texts[id] == "" {
				t.Errorf("%s: %s is missing", lang, id)
			}
		}
		for id := range texts {
			if !want[id] {
				t.Errorf("%s: %s belongs to no rule", lang, id)
			}
		}
	}
}

func TestRulesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || !ruleForm.MatchString(r.ID) {
			t.Errorf("%s: twice, or not an id", r.ID)
		}
		seen[r.ID] = true
		if len(r.Sources) == 0 {
			t.Errorf("%s has no source", r.ID)
		}
		if r.Kind == Recorded && len(r.Recordings) == 0 {
			t.Errorf("%s is said to be recorded, without a recording", r.ID)
		}
		if r.Kind != Recorded && r.Kind != Source && r.Kind != Judgement {
			t.Errorf("%s: kind %q", r.ID, r.Kind)
		}
	}
}

// A recording that confirms a rule exists: its kind has a file here, with ids
// that begin so.
func TestEveryRecordingExists(t *testing.T) {
	ids := map[string][]string{}
	for _, r := range Rules() {
		for _, x := range r.Recordings {
			if laterKinds[x.Kind] {
				continue
			}
			if ids[x.Kind] == nil {
				ids[x.Kind] = recorded(t, x.Kind)
			}
			if !beginsSo(ids[x.Kind], x.Prefix) {
				t.Errorf("%s: no recording %s %s", r.ID, x.Kind, x.Prefix)
			}
		}
	}
}

func beginsSo(ids []string, prefix string) bool {
	for _, id := range ids {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}

func recorded(t *testing.T, kind string) []string {
	t.Helper()
	f, err := os.Open("../../testdata/recordings/" + kind + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var c struct{ ID string }
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c.ID)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
