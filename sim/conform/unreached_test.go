package conform

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A kind without a row in the table of docs/conform.md is named there as one
// whose types no world embeds yet, and is complete all the same.
func TestUnreachedKindsAreNamed(t *testing.T) {
	text, err := os.ReadFile("../../docs/conform.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Types that no world embeds yet\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, kind := range Unreached() {
		if kinds[kind] == nil {
			t.Errorf("%s is no kind", kind)
		}
		if !slices.Contains(Complete, kind) {
			t.Errorf("%s is not complete", kind)
		}
		if !strings.Contains(section, "\n- `"+kind+"`:") {
			t.Errorf("docs/conform.md does not name %s", kind)
		}
	}
}
