package narrate

import (
	"strings"
	"testing"
)

// A table that has no room beside is a list: no cell is cut in two, and no line
// is wider than the screen.
func TestNarrowTablesAreLists(t *testing.T) {
	table := Table{
		Title:   "Watermarks",
		Columns: []Column{{Header: "Dónde"}, {Header: "Watermark"}, {Header: "Lo retiene", Wrap: true}},
		Rows:    [][]string{{"clicks/0", "12:00:04.999", ""}, {"totals[0]", "12:00:04.999", "clicks[0], que todavía no emitió ninguno"}},
	}
	got := strings.Join(table.Lines(30), "\n")
	want := `Watermarks
  Dónde: clicks/0
    Watermark: 12:00:04.999

  Dónde: totals[0]
    Watermark: 12:00:04.999
    Lo retiene: clicks[0],
      que todavía no emitió
      ninguno`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if wide := table.Lines(60); !strings.HasPrefix(wide[1], "  Dónde") || len(wide) != 5 {
		t.Errorf("with room for columns:\n%s", strings.Join(wide, "\n"))
	}
}
