package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"streaminglab/sim/fold"
	"streaminglab/sim/script"
)

// The documents say what the code says today.
func TestDocumentsAreFresh(t *testing.T) {
	for name, text := range documents {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		if want := text(); string(got) != want {
			t.Errorf("docs/%s is stale: go run ./internal/docs", name)
		} else if want != text() {
			t.Errorf("docs/%s is another one each time", name)
		}
		if strings.Contains(string(got), "[rule.") || strings.Contains(string(got), "[verb.") {
			t.Errorf("docs/%s shows the id of a message that is missing", name)
		}
	}
}

// What the document of expressions promises holds: its functions are there,
// what it calls refused is refused.
func TestExpressionsAreAsDocumented(t *testing.T) {
	for _, f := range functions {
		if _, err := fold.Compile(f.form, script.Times{}); err != nil {
			t.Errorf("%s: %v", f.form, err)
		}
	}
	for _, r := range refusals {
		if _, err := fold.Compile(r.example, script.Times{}); err == nil {
			t.Errorf("%s is not refused", r.example)
		}
	}
}
