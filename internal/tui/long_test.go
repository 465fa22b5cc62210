package tui

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"streaminglab/sim/script"
)

// long is a bench with a session of 10,000 records.
func long(b *testing.B) *Model {
	b.Helper()
	env := testEnv(b, "ko")
	e, err := env.Engine.Experiment("time-1-break")
	if err != nil {
		b.Fatal(err)
	}
	var lines []*script.Line
	for i := range 10_000 {
		text := fmt.Sprintf("produce clicks/0 %s key-%d 1", fmt.Sprintf("%02d:%02d:%02d.%03d", 12+i/36000, i/600%60, i/10%60, i%10*100), i%20)
		l, perr := script.ParseLine("", i+1, text, e.Times())
		if perr != nil {
			b.Fatal(perr)
		}
		lines = append(lines, l)
		if i%20 == 19 {
			l, _ := script.ParseLine("", i+1, "advance 200ms", e.Times())
			lines = append(lines, l)
		}
	}
	m := Bench(env, e, 1, lines, true)
	next, _ := m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m = press(next, "esc").(*Model)
	m.View()
	return m
}

// BenchmarkStep is a step back and a step forward with their frames at 120×40,
// at the end of a session of 10,000 records.
func BenchmarkStep(b *testing.B) {
	m := long(b)
	for b.Loop() {
		m = press(m, "left").(*Model)
		m.View()
		m = press(m, "right").(*Model)
		m.View()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N)/2, "ms/step")
}

// BenchmarkUndo is from the command to the frame of the world without its last
// command, in the same session.
func BenchmarkUndo(b *testing.B) {
	m := long(b)
	m = press(press(m, ":"), "").(*Model)
	for b.Loop() {
		for _, k := range []string{"undo", "enter"} {
			m = press(m, k).(*Model)
		}
		m.View()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/undo")
}
