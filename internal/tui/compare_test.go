package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A comparison keeps its frame whole on every size, also where there is no room
// for pictures.
func TestAComparisonFitsEveryScreen(t *testing.T) {
	var m tea.Model = openAt(t, testEnv(t, "es"), "bench:time-1-break")
	for _, k := range []string{"advance 200ms", "enter", "set sources.clicks.watermark.bound 20s", "enter", "1", "enter", "compare fork-1", "enter"} {
		m = press(m, k)
	}
	if _, ok := m.(*Model).top().(*compare); !ok {
		t.Fatal("no comparison was opened")
	}
	for w := 30; w <= 130; w += 5 {
		for h := 1; h <= 45; h++ {
			m, _ = m.Update(tea.WindowSizeMsg{Width: w, Height: h})
			frameText(t, m.(*Model))
		}
	}
}
