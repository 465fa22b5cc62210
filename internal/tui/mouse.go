package tui

import tea "charm.land/bubbletea/v2"

// wheelLines is how far one notch of the wheel moves a text.
const wheelLines = 3

// wheel is by how many lines a text moves.
func wheel(x tea.MouseWheelMsg) int {
	switch x.Button {
	case tea.MouseWheelUp:
		return -wheelLines
	case tea.MouseWheelDown:
		return wheelLines
	}
	return 0
}

// wheelKey is the key that a notch of the wheel stands for in a list.
func wheelKey(x tea.MouseWheelMsg) string {
	switch x.Button {
	case tea.MouseWheelUp:
		return "up"
	case tea.MouseWheelDown:
		return "down"
	}
	return ""
}
