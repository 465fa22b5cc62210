package quiz

import (
	"os"
	"strings"
	"testing"
)

// testLibrary is testdata: one example item of each kind and a quiz of them.
func testLibrary(t testing.TB) *Library {
	t.Helper()
	lib, err := Load(os.DirFS("testdata"))
	if err != nil {
		t.Fatalf("the examples of docs/items.md must be right:\n%v", err)
	}
	return lib
}

// editItem changes an example before it is parsed, as an author's slip would.
func editItem(t testing.TB, id, old, new string) []byte {
	t.Helper()
	old, new = strings.ReplaceAll(old, `\n`, "\n"), strings.ReplaceAll(new, `\n`, "\n")
	data, err := os.ReadFile("testdata/bank/" + id + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s does not contain %q", id, old)
	}
	return []byte(strings.Replace(string(data), old, new, 1))
}
