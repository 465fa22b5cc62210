package tui

import (
	"strings"
	"testing"
)

// Lines that are wider than the screen are broken: what goes on stands further in
// when its beginning does, and names keep a column.
func TestRelay(t *testing.T) {
	in := []string{
		"No snapshot has that name, and none of those that there are is near it.",
		"  by step 9: a command that is long enough to fill its line [LAB-1]",
		"    by step 7: another one",
		"  active        Makes a split active again.",
	}
	want := `No snapshot has that name, and none of
those that there are is near it.
  by step 9: a command that is long
    enough to fill its line [LAB-1]
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
