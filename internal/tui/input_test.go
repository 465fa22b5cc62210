package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// What is typed behind a refused line is a new line; the keys that move or
// delete mend the refused one, and the history has it in any case.
func TestARefusedLineIsMendedOrTypedOver(t *testing.T) {
	for _, c := range []struct{ keys, line string }{
		{"advance 1h", "advance 1h"},
		{"left 3", "lifecycle 13h"},
		{"backspace d", "lifecycle 1d"},
		{"end 0", "lifecycle 1h0"},
		{"tab", "lifecycle 1h"},
		{"x up", "lifecycle 1h"},
		{"up x", "lifecycle 1hx"},
		{"esc enter help", "help"},
	} {
		m := openAt(t, testEnv(t, "es"), "bench:time-1-break")
		press(press(m, "lifecycle 1h"), "enter")
		b := m.top().(*bench)
		if b.mark == 0 || !b.line.kept {
			t.Fatal("the line was not refused")
		}
		keys := strings.Fields(c.keys)
		if c.line == c.keys {
			keys = []string{c.keys}
		}
		for _, k := range keys {
			press(m, k)
		}
		if got := b.line.value(); got != c.line {
			t.Errorf("%s: %q, not %q", c.keys, got, c.line)
		}
	}
	m := openAt(t, testEnv(t, "es"), "bench:time-1-break")
	press(press(m, "lifecycle 1h"), "enter")
	m.Update(tea.PasteMsg{Content: "advance 1s"})
	if got := m.top().(*bench).line.value(); got != "advance 1s" {
		t.Errorf("pasted: %q", got)
	}
}

// What is wrong with the line that was just typed is said without its place.
func TestNoPlaceAtThePrompt(t *testing.T) {
	for _, c := range []string{"advance", "advance 1y", "lifecycle 1h", "produce gone/0 1s ana 1", "restore chk-9", "crash nobody", "expect gone", "expect (", "delete gone", "run until gone > 1", "set x.y 1", "show", "why 99"} {
		m := openAt(t, testEnv(t, "es"), "bench:time-1-break")
		press(press(m, "advance 200ms"), "enter")
		press(press(m, c), "enter")
		b := m.top().(*bench)
		if b.pending != nil {
			press(press(m, "s"), "enter")
		}
		if text := strings.Join(b.written(m, 70), " "); text == "" || strings.Contains(text, "entrada:") {
			t.Errorf("%s: %s", c, text)
		}
	}
}

// Of a line that is wider than its place a part is in sight, and the cursor in
// it, wherever it stands.
func TestTheCursorOfALongLineIsInSight(t *testing.T) {
	for _, text := range []string{
		"set flinkConfiguration.execution.checkpointing.externalized-checkpoint-retention RETAIN_ON_CANCELLATION",
		"아주 긴 줄이라서 화면의 너비를 넘어가는 한국어 문장을 입력합니다 그래도 커서는 보여야 합니다 끝까지",
		strings.Repeat("x", 200),
		"short",
	} {
		for _, cut := range []string{"…", ".."} {
			i := newInput("lab> ", 1)
			i.focus()
			i.set(text)
			const w = 40
			runes := []rune(text)
			check := func(at int) {
				lines, c := i.draw(w, cut)
				if len(lines) != 1 || lipgloss.Width(lines[0]) > w {
					t.Fatalf("%q", lines)
				}
				if c == nil || c.Position.Y != 0 || c.Position.X >= w || c.Position.X < 5 {
					t.Fatalf("%d: the cursor is out of sight: %+v", at, c)
				}
				if at < len(runes) {
					// Under the cursor stands its character.
					x := 0
					for _, r := range lines[0] {
						if x == c.Position.X {
							if r != runes[at] {
								t.Fatalf("%d: %q under the cursor of %q, not %q", at, r, lines[0], runes[at])
							}
							break
						}
						x += lipgloss.Width(string(r))
					}
				}
				if got := i.cell(at + 1); got != c.Position.X {
					t.Errorf("cell(%d) = %d, the cursor stands at %d", at+1, got, c.Position.X)
				}
			}
			for at := len(runes); ; at-- {
				check(at)
				if at == 0 {
					break
				}
				i.update(tea.KeyPressMsg{Code: tea.KeyLeft})
			}
			for at := 1; at <= len(runes); at++ {
				i.update(tea.KeyPressMsg{Code: tea.KeyRight})
				check(at)
			}
		}
	}
}
