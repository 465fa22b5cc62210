package tui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// What a hand, a cat on the keyboard, a clipboard and a window manager can do.
var (
	anyNamed = []tea.KeyPressMsg{
		{Code: tea.KeyEnter}, {Code: tea.KeyEscape}, {Code: tea.KeyTab}, {Code: tea.KeyTab, Mod: tea.ModShift}, {Code: tea.KeyUp}, {Code: tea.KeyDown},
		{Code: tea.KeyLeft}, {Code: tea.KeyRight}, {Code: tea.KeyHome}, {Code: tea.KeyEnd}, {Code: tea.KeyPgUp}, {Code: tea.KeyPgDown},
		{Code: tea.KeySpace, Text: " "}, {Code: tea.KeyBackspace}, {Code: tea.KeyDelete}, {Code: tea.KeyF1}, {Code: tea.KeyF2}, {Code: tea.KeyF3},
		{Code: 'd', Mod: tea.ModCtrl}, {Code: 'w', Mod: tea.ModCtrl}, {Code: 'u', Mod: tea.ModCtrl}, {Code: 'k', Mod: tea.ModCtrl}, {Code: 'a', Mod: tea.ModAlt},
		{Code: 't', Mod: tea.ModCtrl}, {Code: 'v', Mod: tea.ModCtrl}, {Code: tea.KeyLeft, Mod: tea.ModAlt}, {Code: 0}, {Code: tea.KeyF12},
	}
	anyRunes  = []rune("qwefcjhtvngkbiLG?/:[]12345 .=aㅂㅈㄷㄹㅊㅓㅗㅅㅍㅜㅎㅣ한각ñ\x00\x1b\x7f\u200b\u202e\u0301👍🇰\ufeff\U0010FFFF")
	anyWords  = []string{"checkpoint", "savepoint native", "compact totals", "delete checkpoints/", "produce clicks/0 12:00:04 ana 2", "advance 200ms", "undo", "redo", "reset", "back 3", "fork other", "compare other", "fork-1", "fork x", "switch x", "compare main", "show windows", "why", "predict total(\"x\") == 1", "help", "hint", "solution", "token", "1 2 3", "a=1 b=2", "sí", "네", "seed 7", "produce 한글 \x1b[2J"}
	anyPastes = []string{"", "\x00\x01\x1b[31mred\x1b[m\r\n\t", "한글 각 ㄱㄴㄷ", "a\nb\nc\nd\ne\nf\ng\nh", "\u202eabc\u2066", "👨‍👩‍👧⚠️🇰🇷", "\xff\xfe"}
)

// Whatever is pressed, pasted or resized, on every screen: nothing breaks, no
// line is wider than the screen, no more lines are drawn than it has, and the
// cursor stays inside. LAB_KEYS=n plays more keys.
func TestAnyKeysKeepTheFrameWhole(t *testing.T) {
	n := 250
	if testing.Short() {
		n = 100
	}
	if s := os.Getenv("LAB_KEYS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	anyPastes := append(anyPastes, strings.Repeat("한글abc ", 3000), strings.Repeat("x", 50000), strings.Repeat("y\n", 3000))
	for seed := range uint64(8) {
		lang := []string{"es", "ko"}[seed%2]
		t.Run(fmt.Sprintf("%d-%s", seed, lang), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			env := testEnv(t, lang)
			env.ASCII, env.NoMotion = seed%4 == 1, seed%3 != 0
			if seed%4 == 2 {
				env.Store = nil
			}
			var m tea.Model = New(env)
			if seed >= 4 { // not all begin at the home
				m = openAt(t, env, []string{"lesson:time-1", "quiz:time-1", "item:time-2-fix-report", "lesson:time-2"}[seed-4])
			}
			var log []string
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("after %s:", strings.Join(log[max(0, len(log)-40):], " "))
					panic(e)
				}
			}()
			send := func(name string, msg tea.Msg) {
				log = append(log, name)
				m, _ = m.Update(msg)
			}
			for range n {
				switch k := r.IntN(100); {
				case k < 40:
					x := anyNamed[r.IntN(len(anyNamed))]
					send(x.String(), x)
				case k < 72:
					x := anyRunes[r.IntN(len(anyRunes))]
					send(string(x), tea.KeyPressMsg{Code: x, Text: string(x)})
				case k < 82:
					w := anyWords[r.IntN(len(anyWords))]
					send(fmt.Sprintf("%q", w), tea.PasteMsg{Content: w})
					send("enter", tea.KeyPressMsg{Code: tea.KeyEnter})
				case k < 86:
					w := anyPastes[r.IntN(len(anyPastes))]
					send(fmt.Sprintf("paste(%d)", len(w)), tea.PasteMsg{Content: w})
				case k < 90:
					send("tick", tick{})
				case k < 95:
					x := tea.Mouse{X: r.IntN(130) - 5, Y: r.IntN(45) - 3, Button: []tea.MouseButton{tea.MouseLeft, tea.MouseWheelUp, tea.MouseWheelDown}[r.IntN(3)]}
					if x.Button == tea.MouseLeft {
						send(fmt.Sprint("click", x.X, ",", x.Y), tea.MouseClickMsg(x))
					} else {
						send(fmt.Sprint("wheel", x.Button), tea.MouseWheelMsg(x))
					}
				case k < 96:
					s := tea.WindowSizeMsg{Width: r.IntN(50), Height: r.IntN(20)}
					send(fmt.Sprint(s), s)
				default:
					s := tea.WindowSizeMsg{Width: 40 + r.IntN(100), Height: 15 + r.IntN(30)}
					send(fmt.Sprint(s), s)
				}
				whole(t, m.(*Model))
				if t.Failed() {
					t.Fatalf("after %s:\n%s", strings.Join(log[max(0, len(log)-30):], " "), m.View().Content)
				}
			}
		})
	}
}

// Looks, and the links of the lessons' own texts.
var looks = regexp.MustCompile("\x1b\\[[0-9;:]*m|\x1b\\]8;[^;\a\x1b]*;(https?://[^\a\x1b]*)?\a")

// whole checks a frame.
func whole(t *testing.T, m *Model) {
	t.Helper()
	v := m.View()
	lines := strings.Split(v.Content, "\n")
	if len(lines) > max(m.h, 1) {
		t.Errorf("%d lines on a screen of %d", len(lines), m.h)
	}
	for i, l := range lines {
		if w := lipgloss.Width(l); w > m.w {
			t.Errorf("line %d has %d cells on a screen of %d: %q", i, w, m.w, l)
		}
		// Looks are all that a frame may tell the terminal.
		for _, r := range looks.ReplaceAllString(l, "") {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x2066 || r == 0x200b {
				t.Errorf("line %d shows %q: %q", i, r, l)
			}
		}
	}
	if c := v.Cursor; c != nil && (c.Position.X < 0 || c.Position.X >= m.w || c.Position.Y < 0 || c.Position.Y >= m.h) {
		t.Errorf("the cursor is at %d,%d on a screen of %d×%d", c.Position.X, c.Position.Y, m.w, m.h)
	}
}
