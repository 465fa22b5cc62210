package tui

import (
	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/markdown"
)

// besideWidth is from where on a lesson stays beside the bench that it opened.
const besideWidth = 110

// beneath is the lesson that opened the bench on top, if both have room.
func (m *Model) beneath() *lesson {
	if m.w < besideWidth || len(m.stack) < 2 {
		return nil
	}
	if _, ok := m.top().(*bench); !ok {
		return nil
	}
	l, ok := m.stack[len(m.stack)-2].(*lesson)
	if !ok || l.doc == nil {
		return nil
	}
	return l
}

// lessonWidth is the part of a wide screen that the lesson has.
func (m *Model) lessonWidth() int { return min(m.w*9/20, 84) }

// body draws the screen on top. On a wide screen the lesson stays in sight
// beside its bench: what is asked and what happens are read together.
func (m *Model) body(room int) ([]string, *tea.Cursor) {
	l := m.beneath()
	if l == nil {
		return m.top().draw(m, m.w, room)
	}
	left := m.lessonWidth()
	part := *m
	part.w = left
	b := m.top().(*bench)
	if l.reached != b.once {
		// What is done shows in the text as well.
		l.reached, l.stale = b.once, true
	}
	text, _ := l.draw(&part, left, room)
	l.hide(text, b)
	part.w = m.w - left - 3
	lines, cursor := b.draw(&part, part.w, room)
	m.notice = part.notice
	out := make([]string, room)
	for i := range out {
		out[i] = m.beside(at(text, i), left, at(lines, i))
	}
	if cursor != nil {
		cursor.Position.X += left + 3
	}
	return out, cursor
}

// hide blanks what the text says behind an experiment whose goal was not reached:
// it tells what the learner is to find out.
func (s *lesson) hide(text []string, b *bench) {
	if b.s == nil || b.once || b.s.Run().Experiment.Goal == "" {
		return
	}
	behind := false
	for i, l := range s.lines {
		block := s.doc.Blocks[l.Block]
		if behind && i >= s.top && i < s.top+len(text) {
			text[i-s.top] = ""
		}
		behind = behind || block.Kind == markdown.Live && block.ID == b.original.ID && l.Text != ""
	}
}

// wheelBeside scrolls the lesson beside a bench when the mouse is over it.
func (m *Model) wheelBeside(msg tea.Msg) bool {
	x, ok := msg.(tea.MouseWheelMsg)
	l := m.beneath()
	if !ok || l == nil || x.X >= m.lessonWidth() {
		return false
	}
	l.scroll(m, wheel(x))
	return true
}
