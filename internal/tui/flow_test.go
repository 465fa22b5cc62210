package tui

import (
	"strings"
	"testing"
)

// Lines that were broken for eighty columns are broken anew for fewer: what goes
// on is put together, what is closed by its rule is not, and names keep a column.
func TestRelay(t *testing.T) {
	in := []string{
		"Step 10: clicks/0 has its first watermark, which is 12:00:04.999 and that is the",
		"  largest timestamp less the bound. [EV-1.2]",
		"  by step 9: a command that is long enough to fill its line up to the end [LAB-1]",
		"    by step 7: another one",
		"  active        Makes a split active again.",
	}
	want := `Step 10: clicks/0 has its first
  watermark, which is 12:00:04.999 and
  that is the largest timestamp less
  the bound. [EV-1.2]
  by step 9: a command that is long
    enough to fill its line up to the
    end [LAB-1]
    by step 7: another one
  active
    Makes a split active again.`
	for _, l := range relay(in, 38) {
		if len(l) > 38 {
			t.Errorf("too wide: %q", l)
		}
	}
	if got := strings.Join(relay(in, 38), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := relay(in, 120); strings.Join(got, "\n") != strings.Join(in, "\n") {
		t.Errorf("with room for all:\n%s", strings.Join(got, "\n"))
	}
}
