package assets

import (
	"io/fs"
	"strings"
	"testing"
)

// Content that is added later is embedded without an edit of the Go file, and
// the Go files themselves are not content.
func TestEverythingButTheCodeIsEmbedded(t *testing.T) {
	n := 0
	err := fs.WalkDir(FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") {
			t.Errorf("%s is embedded", path)
		}
		if !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil || n < 4 {
		t.Error(n, err)
	}
	for _, read := range []func() ([]byte, error){Glossary, Coverage} {
		if b, err := read(); err != nil || len(b) == 0 {
			t.Error(err)
		}
	}
	for _, lang := range []string{"es", "ko"} {
		if parts, err := fs.Glob(Locales(), lang+"/*.toml"); err != nil || len(parts) == 0 {
			t.Error(lang, err)
		}
	}
	for _, id := range Experiments() {
		if b, err := Experiment(id); err != nil || len(b) == 0 {
			t.Error(id, err)
		}
	}
	for _, id := range []string{"", "../glossary", `a\b`, "no-such-experiment"} {
		if _, err := Experiment(id); err == nil {
			t.Errorf("%q is an experiment", id)
		}
	}
}
