package tui

import (
	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/locale"
)

// key is the name of a pressed key, where keys act: with a Korean input method
// on, a key acts all the same. ㅣ is l with and without Shift, and only L acts.
func key(m tea.KeyPressMsg) string {
	switch k := locale.Keys(m.Text); {
	case k == "l" && k != m.Text:
		return "L"
	case k != m.Text:
		return k
	}
	return m.String()
}

// A hint is one entry of the footer: a key and what it does now.
type hint struct{ key, id string }
