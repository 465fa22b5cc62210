package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/view"
	"streaminglab/lessons"
	"streaminglab/quiz"
)

// home is the course map with what can be opened.
type home struct {
	rows []homeRow
	at   int
	// Where the rows stand on the last frame, and how many there are.
	from, head, page int
}

type homeRow struct {
	text, right string
	open        func(m *Model) screen
	class       view.Class
}

func newHome(m *Model) *home {
	h := &home{}
	h.relocate(m)
	for i, r := range h.rows {
		if r.open != nil {
			h.at = i
			break
		}
	}
	return h
}

func (h *home) relocate(m *Model) {
	p := m.progress()
	fromEnd := len(h.rows) - h.at
	h.rows = nil
	lang := string(m.env.Loc.Lang())
	add := func(text, right string, open func(*Model) screen) {
		h.rows = append(h.rows, homeRow{text: text, right: right, open: open})
	}
	complete := func(l *lessons.Lesson) bool {
		d := m.document(l)
		if d == nil {
			return false
		}
		done, total := h.done(m, d)
		return total > 0 && done == total
	}
	if l, set := view.Next(m.env.Course, m.env.Library, p, complete); set != nil {
		add(m.text("tui.home.next", locale.Args{"Title": m.text("plain.home.open-quiz", locale.Args{"Title": set.Titles[m.lang()]})}), "", func(m *Model) screen { return newQuiz(m, set) })
		h.rows = append(h.rows, homeRow{})
	} else if d := m.document(l); d != nil {
		text := m.text("tui.home.next", locale.Args{"Title": d.Title})
		if l.ID == p.Last.Lesson {
			text = m.text("tui.home.continue", locale.Args{"Title": d.Title, "Section": section(d, p.Last.Block)})
			// Before its first section, a lesson is named once.
			text = strings.TrimSuffix(text, " · "+d.Title)
		}
		add(text, "", func(m *Model) screen { return newLesson(m, l) })
		h.rows = append(h.rows, homeRow{})
	}
	for _, ch := range m.env.Course.Chapters {
		h.rows = append(h.rows, homeRow{text: m.text("plain.home.chapter", locale.Args{"Title": ch.Titles[lang]}), class: view.Strong})
		for _, l := range ch.Lessons {
			d := m.document(l)
			if d == nil {
				continue
			}
			done, total := h.done(m, d)
			add(fmt.Sprintf("%d. %s", l.Number, d.Title), dots(m, done, total), func(m *Model) screen { return newLesson(m, l) })
			for _, b := range d.Lives() {
				if b.Live != markdown.Sim {
					continue
				}
				e, err := m.env.Engine.Experiment(b.ID)
				if err != nil {
					continue
				}
				mark := m.signs.Fates[view.Behind]
				if x := p.Experiments[b.ID]; x != nil && x.Reached {
					mark = m.signs.Fates[view.OnTime]
				}
				add("     "+e.Texts[lang].Title, mark, func(m *Model) screen { return newBench(m, e, l.ID) })
			}
			if s := m.env.Library.Set(l.Quiz); s != nil {
				add("     "+m.text("plain.home.open-quiz", locale.Args{"Title": s.Titles[m.lang()]}), h.quizState(m, s), func(m *Model) screen { return newQuiz(m, s) })
			}
		}
	}
	// A first line to continue with moves the others down: the choice stays.
	h.at = len(h.rows) - fromEnd
	if h.at < 0 || h.at >= len(h.rows) || h.rows[h.at].open == nil {
		h.at = 0
		for h.at < len(h.rows)-1 && h.rows[h.at].open == nil {
			h.at++
		}
	}
}

// quizState says how far a quiz is.
func (h *home) quizState(m *Model, s *quiz.Set) string {
	q := m.progress().Quizzes[s.ID]
	switch {
	case q == nil:
		return m.signs.Fates[view.Behind]
	case q.Finished.IsZero():
		seen := map[string]bool{}
		for _, a := range q.Answers {
			seen[a.Item] = true
		}
		return fmt.Sprintf("%d/%d", len(seen), len(s.Members))
	}
	return m.signs.Fates[view.OnTime]
}

// dots shows how much is done.
func dots(m *Model, done, total int) string {
	return strings.Repeat(m.signs.Fates[view.OnTime], done) + strings.Repeat(m.signs.Fates[view.Behind], total-done) + fmt.Sprintf(" %d/%d", done, total)
}

func (h *home) done(m *Model, d *markdown.Document) (done, total int) {
	p := m.progress()
	for _, b := range d.Lives() {
		total++
		if b.Live == markdown.Sim {
			if e := p.Experiments[b.ID]; e != nil && e.Reached {
				done++
			}
		} else if i := p.Items[b.ID]; i != nil && len(i.Answers) > 0 {
			done++
		}
	}
	return done, total
}

func section(d *markdown.Document, block int) string {
	name := d.Title
	for _, c := range d.Contents() {
		if c.Block <= block {
			name = strings.ReplaceAll(c.Text, "`", "")
		}
	}
	return name
}

func (h *home) title(m *Model) (string, string) {
	return "lab", m.env.Loc.In(m.env.Loc.Lang().Other()).Text("tui.language-name", nil) + " L"
}

func (h *home) hints(*Model) []hint {
	return []hint{{"↑↓", "tui.key.choose"}, {"↵", "tui.key.open"}, {"L", "tui.key.language"}, {"?", "tui.key.help"}, {"q", "tui.key.leave"}}
}

func (h *home) move(by int) {
	for i := h.at + by; i >= 0 && i < len(h.rows); i += by {
		if h.rows[i].open != nil {
			h.at = i
			return
		}
	}
}

// far moves by a page, or to the end.
func (h *home) far(by int, end bool) {
	for n := 0; n < h.page || end; n++ {
		before := h.at
		if h.move(by); h.at == before {
			return
		}
	}
}

func (h *home) update(m *Model, msg tea.Msg) (tea.Cmd, bool) {
	switch x := msg.(type) {
	case tea.KeyPressMsg:
		return nil, h.key(m, key(x))
	case tea.MouseWheelMsg:
		h.key(m, wheelKey(x))
	case tea.MouseClickMsg:
		h.click(m, tea.Mouse(x))
	}
	return nil, false
}

func (h *home) key(m *Model, k string) (leave bool) {
	switch k {
	case "up":
		h.move(-1)
	case "down":
		h.move(1)
	case "pgup", "home":
		h.far(-1, k == "home")
	case "pgdown", "end":
		h.far(1, k == "end")
	case "enter":
		if h.at < len(h.rows) && h.rows[h.at].open != nil {
			m.push(h.rows[h.at].open(m))
		}
	case "L":
		m.switchLanguage()
	case "?":
		m.push(newHelp(m))
	case "q":
		return true
	}
	return false
}

// click chooses a row, and opens the one that is chosen.
func (h *home) click(m *Model, x tea.Mouse) {
	i := h.from + x.Y - 1 - h.head
	if x.Y-1 < h.head || i >= h.from+h.page+1 || i < 0 || i >= len(h.rows) || h.rows[i].open == nil {
		return
	}
	if i == h.at {
		h.key(m, "enter")
		return
	}
	h.at = i
}

func (h *home) draw(m *Model, w, height int) ([]string, *tea.Cursor) {
	out := []string{""}
	for _, l := range markdown.Wrap(m.text("plain.home.title", nil), w-2) {
		out = append(out, " "+m.style(view.Strong, l))
	}
	out = append(out, "")
	room := height - len(out)
	// The chosen row in the middle; the last line says what is below.
	h.from = max(0, min(h.at-room/2, len(h.rows)-room))
	h.head, h.page = len(out), max(room-1, 1)
	for i := h.from; i < len(h.rows) && len(out) < height; i++ {
		if below := len(h.rows) - i; len(out) == height-1 && below > 1 {
			out = append(out, "   "+m.more(below))
			break
		}
		r := h.rows[i]
		mark := "   "
		class := r.class
		if i == h.at {
			mark, class = " "+m.signs.Sel+" ", view.Selected
		}
		line := *m
		line.w = min(w-1, 96)
		out = append(out, m.style(class, m.clean(line.bar(mark+r.text, r.right))))
	}
	return out, nil
}
