package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/progress"
	"streaminglab/internal/view"
	"streaminglab/lessons"
)

// lesson is a text with its live blocks, and its quiz behind them. One of them
// is chosen by hand and stays so while it is in sight.
type lesson struct {
	l       *lessons.Lesson
	text    *markdown.Document
	doc     *markdown.Document // the text with what stands behind it
	lines   []markdown.Line
	width   int
	lang    locale.Lang
	stale   bool // what is done changed, the text did not
	reached bool // the goal of the bench beside it
	top     int
	live    int // index of the chosen live block among the live blocks
	search  *input
	find    string
	toc     bool
	at      int
	goTo    int // block to stand at once the lines are there
	chosen  bool
	terms   terms
	page    int // lines of text on the last frame
}

func newLesson(m *Model, l *lessons.Lesson) *lesson {
	s := &lesson{l: l, goTo: -1, lang: m.env.Loc.Lang()}
	s.read(m)
	if seen := m.progress().Lessons[l.ID]; seen != nil && seen.Block > 0 && s.text != nil && seen.Block < len(s.text.Blocks) {
		s.goTo = seen.Block
	}
	m.keep(progress.LessonOpened{Lesson: l.ID})
	return s
}

// liveQuiz is the kind of the live block that is no block of a text: the quiz
// behind it.
const liveQuiz = "quiz"

// read reads the text and puts behind it a block for what is said at its end,
// and one for its quiz.
func (s *lesson) read(m *Model) {
	s.text, s.doc = m.document(s.l), nil
	if s.text == nil {
		return
	}
	doc := *s.text
	end := 1
	if n := len(doc.Blocks); n > 0 {
		end = doc.Blocks[n-1].End + 1
	}
	doc.Blocks = append(slices.Clone(doc.Blocks), markdown.Block{Kind: markdown.Prose, Line: end, End: end})
	if set := m.env.Library.Set(s.l.Quiz); set != nil {
		doc.Blocks = append(doc.Blocks, markdown.Block{Kind: markdown.Live, Live: liveQuiz, ID: set.ID, Line: end + 1, End: end + 1})
	}
	s.doc = &doc
}

// Lesson opens the course on a lesson.
func Lesson(env Env, l *lessons.Lesson) *Model {
	m := New(env)
	m.push(newLesson(m, l))
	return m
}

func (s *lesson) relocate(m *Model) {
	if s.lang == m.env.Loc.Lang() {
		s.stale = true
		return
	}
	s.lang = m.env.Loc.Lang()
	if len(s.lines) > 0 {
		s.goTo = s.block()
	}
	s.read(m)
	s.width = 0
	s.terms = terms{}
}

// block is the block at the top of the screen.
func (s *lesson) block() int {
	if s.top < len(s.lines) {
		return s.lines[s.top].Block
	}
	return 0
}

func (s *lesson) title(m *Model) (string, string) {
	if s.doc == nil {
		return s.l.ID, ""
	}
	pos := 100
	if n := len(s.lines) - s.page; n > 0 {
		pos = min(100, s.top*100/n)
	}
	at := section(s.doc, s.block())
	place := m.text("tui.lesson.place", locale.Args{"Section": at, "Percent": pos})
	if at == s.doc.Title || markdown.Width(s.doc.Title)+markdown.Width(place)+4 > m.w {
		// A narrow screen keeps the name of the lesson whole, as long as it can.
		at = s.doc.Title
		place = m.text("tui.lesson.place", locale.Args{"Section": at, "Percent": pos})
		place = strings.TrimPrefix(place, at+" · ")
	}
	return s.doc.Title, place
}

func (s *lesson) hints(*Model) []hint {
	if s.search != nil {
		return []hint{{"↵", "tui.key.search"}, {"Esc", "tui.key.back"}}
	}
	if s.toc {
		return []hint{{"↑↓", "tui.key.choose"}, {"↵", "tui.key.open"}, {"Esc", "tui.key.back"}}
	}
	if s.terms.open {
		return []hint{{"g", "tui.key.next-term"}, {"↑↓", "tui.key.scroll"}, {"?", "tui.key.help"}, {"Esc", "tui.key.close"}}
	}
	h := []hint{
		{"↑↓", "tui.key.scroll"}, {"Tab", "tui.key.next-block"}, {"↵", "tui.key.open"}, {"g", "tui.key.glossary"}, {"t", "tui.key.contents"}, {"/", "tui.key.search"},
	}
	if s.find != "" {
		h = append(h, hint{"n", "tui.key.next"})
	}
	return append(h, hint{"L", "tui.key.language"}, hint{"?", "tui.key.help"}, hint{"q", "tui.key.back"})
}

func (s *lesson) lives() []markdown.Block { return s.doc.Lives() }

// build lays the text out for a width; relaid says that lines moved.
func (s *lesson) build(m *Model, w int) (relaid bool) {
	if s.width == w && !s.stale || s.doc == nil {
		return false
	}
	keep := s.goTo
	if s.stale = false; s.width == w {
		s.lines = s.render(m, w)
		return false
	}
	if keep < 0 && len(s.lines) > 0 {
		keep = s.block()
	}
	s.width = w
	s.lines = s.render(m, w)
	s.terms = terms{}
	s.goTo = -1
	if keep > 0 {
		s.stand(keep)
	}
	return true
}

// ending is what stands behind the text: what was answered to the polls before
// the lesson was read, and its quiz.
func (s *lesson) ending(m *Model, w int) (out []markdown.Line) {
	n := len(s.text.Blocks)
	for _, b := range s.text.Lives() {
		it, old := m.env.Library.Item(b.ID), m.progress().Items[b.ID]
		if b.Live != markdown.Poll || it == nil || old == nil || len(old.Answers) == 0 {
			continue
		}
		for i, l := range m.questions(min(w, 100)).Recall(it, old.Answers[len(old.Answers)-1].Raw) {
			if i == 0 {
				out = append(out, markdown.Line{Block: n})
			}
			out = append(out, markdown.Line{Text: l, Block: n})
		}
	}
	if len(s.doc.Blocks) > n+1 {
		out = append(out, markdown.Line{Block: n})
		for _, l := range markdown.Wrap(m.text("tui.lesson.end", nil), min(w, 100)) {
			out = append(out, markdown.Line{Text: l, Block: n})
		}
		out = append(out, markdown.Line{Block: n})
		for _, l := range s.teaser(m, s.doc.Blocks[n+1], min(w, 100)) {
			out = append(out, markdown.Line{Text: l, Block: n + 1})
		}
	}
	return out
}

func (s *lesson) render(m *Model, w int) []markdown.Line {
	o := m.options(min(w-4, 100))
	o.Live = func(b markdown.Block, width int) []string { return s.teaser(m, b, width) }
	return append(foldCode(s.text.Render(o), w-4, m.signs), s.ending(m, w-4)...)
}

// stand puts a block at the top.
func (s *lesson) stand(block int) {
	for i, l := range s.lines {
		if l.Block >= block {
			s.top = i
			return
		}
	}
}

// teaser is a live block in the text: what it is, and whether it is done.
func (s *lesson) teaser(m *Model, b markdown.Block, w int) []string {
	p := m.progress()
	lang := string(m.env.Loc.Lang())
	kind, name, done := "tui.live."+b.Live, "", false
	if set := m.env.Library.Set(b.ID); b.Live == liveQuiz && set != nil {
		name = set.Titles[m.lang()]
		x := p.Quizzes[b.ID]
		done = x != nil && !x.Finished.IsZero()
	} else if b.Live == markdown.Sim {
		if e, err := m.env.Engine.Experiment(b.ID); err == nil {
			name = e.Texts[lang].Title
		}
		x := p.Experiments[b.ID]
		done = x != nil && x.Reached
	} else if it := m.env.Library.Item(b.ID); it != nil {
		if shown, err := m.marker.Present(m.context(), it, m.env.Seed); err == nil {
			q := m.questions(w)
			q.Options.Plain = true
			name = strings.ReplaceAll(strings.Join(q.Render(shown.Texts[m.lang()].Stem), " "), "`", "")
		}
		x := p.Items[b.ID]
		done = x != nil && len(x.Answers) > 0
	}
	mark, class := m.signs.Fates[view.Behind], view.Time
	if done {
		mark, class = m.signs.Fates[view.OnTime], view.Good
	}
	head := m.signs.Bar + " " + mark + " " + m.text(kind, nil) + ": "
	first := view.Fit(head+name, w, m.signs)
	return []string{m.style(class, first)}
}

func (s *lesson) update(m *Model, msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	switch x := msg.(type) {
	case tea.PasteMsg:
		if s.search != nil {
			return s.search.update(msg), false
		}
	case tea.MouseWheelMsg:
		if s.toc {
			return s.contentsKey(wheelKey(x)), false
		}
		s.scroll(m, wheel(x))
	case tea.MouseClickMsg:
		s.click(m, tea.Mouse(x))
	}
	if !ok {
		return nil, false
	}
	if s.doc == nil {
		return nil, true
	}
	if s.search != nil {
		switch k.String() {
		case "esc":
			s.search = nil
		case "enter":
			s.find = s.search.enter()
			s.search = nil
			s.seek(m, s.top)
		default:
			return s.search.update(k), false
		}
		return nil, false
	}
	if s.toc {
		return s.contentsKey(key(k)), false
	}
	switch key(k) {
	case "up":
		s.scroll(m, -1)
	case "down":
		s.scroll(m, 1)
	case "pgup":
		s.scroll(m, -max(s.page-1, 1))
	case "pgdown":
		s.scroll(m, max(s.page-1, 1))
	case "home":
		s.scroll(m, -len(s.lines))
	case "end":
		s.scroll(m, len(s.lines))
	case "tab":
		s.choose(m, 1)
	case "shift+tab":
		s.choose(m, -1)
	case "enter":
		if s.terms.open {
			s.terms = terms{}
			break
		}
		s.open(m)
	case "g":
		s.glossary(m)
	case "n":
		s.seek(m, s.top+1)
	case "/":
		s.search = newInput("/ ", 1)
		s.search.focus()
		s.terms = terms{}
	case "t":
		s.toc, s.at = true, s.entry()
		s.terms = terms{}
	case "L":
		m.switchLanguage()
	case "?":
		m.push(newHelp(m))
	case "esc":
		if s.terms.open {
			s.terms = terms{}
			break
		}
		s.save(m)
		return nil, true
	case "q":
		s.save(m)
		return nil, true
	}
	s.clamp(m)
	return nil, false
}

// scroll moves the text. Terms are those of the page that was left.
func (s *lesson) scroll(m *Model, by int) {
	s.terms = terms{}
	s.top += by
	s.clamp(m)
}

// glossary explains the first term of the page, and then the next one.
func (s *lesson) glossary(m *Model) {
	if s.terms.open {
		s.terms.walk(1)
		s.showTerm(m)
		return
	}
	end := min(s.top+s.page, len(s.lines))
	s.terms.found = findTerms(string(m.env.Loc.Lang()), s.lines, s.top, end)
	if len(s.terms.found) == 0 {
		m.notice = m.text("tui.lesson.no-terms", nil)
		return
	}
	s.terms.open = true
	s.showTerm(m)
}

// showTerm keeps the chosen term above its definition.
func (s *lesson) showTerm(m *Model) {
	room := m.h - 3 - len(s.terms.panel(m, m.w-2))
	if p := s.terms.found[s.terms.at].pieces; len(p) > 0 && room > 0 {
		s.top = max(min(s.top, p[0].line), p[0].line-room+1)
	}
}

// click chooses a live block, and opens the one that is chosen.
func (s *lesson) click(m *Model, x tea.Mouse) {
	i := s.top + x.Y - 1
	if s.doc == nil || s.toc || x.Y < 1 || x.Y > s.page || i >= len(s.lines) {
		return
	}
	for k, b := range s.lives() {
		if s.doc.Blocks[s.lines[i].Block].Line != b.Line {
			continue
		}
		if s.chosen && s.live == k {
			s.open(m)
		}
		s.live, s.chosen = k, true
	}
}

// entry is the part of the contents that is being read.
func (s *lesson) entry() int {
	at := 0
	for i, c := range s.doc.Contents() {
		if c.Block <= s.block() {
			at = i
		}
	}
	return at
}

func (s *lesson) clamp(m *Model) { s.top = max(0, min(s.top, len(s.lines)-max(s.page, 1))) }

// choose chooses the live block behind or before the chosen one and brings it
// into sight. Where none is chosen, it is the first one below the top of the
// screen, or the last one above it.
func (s *lesson) choose(m *Model, by int) {
	n := len(s.lives())
	if n == 0 {
		return
	}
	s.sight()
	to := s.live + by
	if !s.chosen {
		to = s.below()
		if by < 0 {
			to--
		}
	}
	s.live, s.chosen = max(0, min(to, n-1)), true
	s.bring()
	s.clamp(m)
}

// bring brings the chosen live block to the top, with what leads to it.
func (s *lesson) bring() {
	if i := s.place(s.live); i >= 0 {
		s.top = max(0, i-3)
	}
}

// place is the first line of a live block, or -1.
func (s *lesson) place(k int) int {
	line := s.lives()[k].Line
	for i, l := range s.lines {
		if s.doc.Blocks[l.Block].Line == line {
			return i
		}
	}
	return -1
}

// seen reports whether a live block is in sight.
func (s *lesson) seen(k int) bool {
	i := s.place(k)
	return i >= s.top && i < s.top+max(s.page, 1)
}

// below is the first live block below the top of the screen.
func (s *lesson) below() int {
	n := len(s.lives())
	for k := range n {
		if s.place(k) >= s.top {
			return k
		}
	}
	return n
}

// sight drops the choice of what is out of sight: what is not seen is not
// opened, and the next one is counted from what is read.
func (s *lesson) sight() {
	if s.chosen && !s.seen(s.live) {
		s.chosen = false
	}
}

// open brings the chosen live block to life; where none is chosen, the first
// one in sight. One further down is shown first.
func (s *lesson) open(m *Model) {
	lives := s.lives()
	if len(lives) == 0 {
		return
	}
	if s.sight(); !s.chosen {
		k := s.below()
		if k == len(lives) || !s.seen(k) {
			s.choose(m, 1)
			return
		}
		s.live, s.chosen = k, true
	}
	b := lives[s.live]
	s.save(m)
	if b.Live == liveQuiz {
		if set := m.env.Library.Set(b.ID); set != nil {
			m.push(newQuiz(m, set))
		}
		return
	}
	if b.Live == markdown.Sim {
		if e, err := m.env.Engine.Experiment(b.ID); err == nil {
			m.push(newBench(m, e, s.l.ID))
		}
		return
	}
	if it := m.env.Library.Item(b.ID); it != nil {
		m.push(newAsk(m, it, asking{lesson: s.l.ID, seed: m.env.Seed, feedback: true}))
	}
}

func (s *lesson) save(m *Model) {
	last := s.block()
	if s.page > 0 && s.top+s.page >= len(s.lines) {
		last = len(s.text.Blocks)
	}
	m.keep(progress.LessonPosition{Lesson: s.l.ID, Block: min(last, len(s.text.Blocks)), Blocks: len(s.text.Blocks)})
}

func (s *lesson) draw(m *Model, w, h int) ([]string, *tea.Cursor) {
	if s.doc == nil {
		return []string{m.text("tui.lesson.missing", nil)}, nil
	}
	relaid := s.build(m, w)
	if s.toc {
		return s.drawContents(m, w, h), nil
	}
	panel := s.terms.panel(m, w-2)
	if s.search != nil {
		h--
	}
	panel = panel[:min(len(panel), h-3)]
	h -= len(panel)
	if len(panel) == 0 {
		s.page = h
	}
	s.top = max(0, min(s.top, len(s.lines)-h))
	if relaid && s.chosen && !s.seen(s.live) {
		s.bring()
		s.top = max(0, min(s.top, len(s.lines)-h))
	}
	s.sight()
	var out []string
	chosen := -1
	if s.chosen {
		chosen = s.lives()[s.live].Line
	}
	for i := s.top; i < len(s.lines) && len(out) < h; i++ {
		l := s.lines[i]
		lead := "  "
		if b := s.doc.Blocks[l.Block]; b.Kind == markdown.Live && b.Line == chosen && l.Text != "" {
			// The sign alone is easily overlooked beside the bar of the block.
			out = append(out, m.style(view.Selected, m.signs.Sel+" "+ansi.Strip(l.Text)))
			continue
		}
		out = append(out, lead+s.terms.paint(i, s.highlight(m, l.Text)))
	}
	for len(out) < h {
		out = append(out, "")
	}
	if s.search == nil {
		return append(out, indent(panel, " ")...), nil
	}
	lines, c := s.search.draw(w-2, m.signs.Open)
	if c != nil {
		c.Position.X++
		c.Position.Y += len(out)
	}
	return append(out, " "+lines[0]), c
}
