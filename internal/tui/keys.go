package tui

import (
	tea "charm.land/bubbletea/v2"
)

// jamo are the letters of the Korean two-set keyboard on the Latin keys: with
// a Korean input method on, a key acts all the same.
var jamo = map[string]string{
	"ㅂ": "q", "ㅈ": "w", "ㄷ": "e", "ㄱ": "r", "ㅅ": "t", "ㅛ": "y", "ㅕ": "u", "ㅑ": "i", "ㅐ": "o", "ㅔ": "p",
	"ㅁ": "a", "ㄴ": "s", "ㅇ": "d", "ㄹ": "f", "ㅎ": "g", "ㅗ": "h", "ㅓ": "j", "ㅏ": "k", "ㅣ": "l",
	"ㅋ": "z", "ㅌ": "x", "ㅊ": "c", "ㅍ": "v", "ㅠ": "b", "ㅜ": "n", "ㅡ": "m",
	"ㅃ": "Q", "ㅉ": "W", "ㄸ": "E", "ㄲ": "R", "ㅆ": "T", "ㅒ": "O", "ㅖ": "P",
}

// key is the name of a pressed key, where keys act.
func key(m tea.KeyPressMsg) string {
	if k, ok := jamo[m.Text]; ok {
		return k
	}
	return m.String()
}

// A hint is one entry of the footer: a key and what it does now.
type hint struct{ key, id string }
